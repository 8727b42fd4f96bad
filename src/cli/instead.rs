//! Options, values and commands that this program does not have, since they left it or only other tools have them, and what to write instead:
//! on the command line and in `rigy-batch.toml`.

use clap::error::{ContextKind, ErrorKind};

use crate::export::Format;

/// A command, an option or `OPTION=VALUE`, and the sentence that says what to write instead; `FORMATS` are those of `bake --to`.
const INSTEAD: &[(&str, &str)] = &[
    (
        "--durability",
        "`--sync` flushes all outputs once, at the end of the run",
    ),
    (
        "--names",
        "ids of poses and names of animations are percent-encoded in file names, and names of inputs are kept",
    ),
    (
        "--format=concise",
        "use `human`, which shows findings with their lines, or for programs `json`",
    ),
    (
        "--format",
        "the command has one format: `palette` prints JSON, which has the numbers of binary palettes",
    ),
    (
        "--solver-for",
        "run `bake` once for the files of each solver, such as `bake props --solver lbs` and `bake characters --solver dqs`",
    ),
    (
        "--shard=auto",
        "write the variables of the scheduler: `--shard $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT` in an array of Slurm that begins with 0",
    ),
    (
        "--limit=samples",
        "`--limit work=N` has 256 steps for each sample of an implicit surface",
    ),
    (
        "--limit=evaluations",
        "`--limit work=N` has 4 steps for each evaluation of `inspect --over-time`",
    ),
    ("compile", COMPILES),
    ("build", COMPILES),
    ("check", CHECKS),
    ("validate", CHECKS),
    ("lint", CHECKS),
    ("format", "`rigy-batch fmt PATH...` formats documents"),
    ("convert", CONVERTS),
    ("export", CONVERTS),
    ("info", DESCRIBES),
    ("show", DESCRIBES),
    (
        "new",
        "`rigy-batch init [NAME]` writes an assembly to begin with",
    ),
    ("version", "`rigy-batch --version` prints the version"),
    (
        "--fps",
        "`rigy-batch bake FILE --frames @24` takes 24 frames a second of a whole animation",
    ),
    (
        "--frames",
        "documents have poses, glTF files have frames: `rigy-batch bake FILE --frames @24`",
    ),
    ("--clip", ANIMATION),
    ("--anim", ANIMATION),
    ("--threads", "`-j N` sets the number of threads"),
    (
        "--overwrite",
        "outputs are replaced where they differ; `--force` does all inputs again",
    ),
    ("--quantize", LIGHTER),
    ("--meshopt", LIGHTER),
    ("--draco", LIGHTER),
    ("--compress", LIGHTER),
    ("--simplify", LIGHTER),
];
const COMPILES: &str =
    "`rigy-batch PATH...` without a command compiles documents and bakes their poses";
const CHECKS: &str = "`rigy-batch -n PATH...` checks documents and writes nothing";
const CONVERTS: &str = "`rigy-batch bake FILE --to FORMATS` writes files for other tools";
const DESCRIBES: &str = "`rigy-batch inspect FILE...` prints what files have";
const ANIMATION: &str = "`rigy-batch bake FILE --animation NAME` names an animation";
const LIGHTER: &str = "`gltfpack` and `gltf-transform` make baked files smaller; the book's page `guide/smaller.md` has the commands";

/// Returns what to write instead of a command, an option or `OPTION=VALUE`.
pub fn of_word(word: &str) -> Option<String> {
    let (_, sentence) = INSTEAD.iter().find(|(gone, _)| *gone == word)?;
    let formats = Format::ALL.map(Format::name).join("|");
    Some(sentence.replace("FORMATS", &formats))
}

/// Returns what to write instead of the option or value that an error in the arguments is about, or of the command before it.
pub fn of_error(error: &clap::Error) -> Option<String> {
    let argument = error.get(ContextKind::InvalidArg)?.to_string();
    let option = argument.split(['=', ' ']).next()?;
    match error.get(ContextKind::InvalidValue) {
        Some(value) => {
            let value = value.to_string();
            let name = value.split_once('=').map_or(&*value, |(name, _)| name);
            of_word(&format!("{option}={name}"))
        }
        None if error.kind() == ErrorKind::UnknownArgument => {
            let command = || super::arguments::arguments().get(1)?.to_str();
            of_word(option).or_else(|| of_word(command()?))
        }
        None => None,
    }
}
