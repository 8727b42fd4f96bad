//! Natural mistakes on the command line. The page `reference/mistakes.md` of the book shows each with what the program says;
//! the test makes the page from real runs.

use rigy_batch::base::paths::Slashed;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::json;

use crate::support::skinned::skinned;
use crate::support::{Dir, document, program};

const PAGE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/docs/src/reference/mistakes.md"
);

const HEAD: &str = "\
# Mistakes, and what is said

Each section is a mistake that is easily made, the command, and its messages. `status` is the exit status: 0 all good, 1 some input failed,
2 the run could not start. A test runs these commands and makes this page from what they print. `models` holds documents, `characters`
a skinned file `fox.glb` with the animations `Walk` and `Run`, and `props` a file without skins.
";

/// A mistake: its title, the command line, and a part of what must be said, which tells what to do next.
type Mistake = (&'static str, &'static str, &'static str);

#[rustfmt::skip] // a row stays a line
const MISTAKES: [Mistake; 20] = [
    ("The directory does not exist", "rigy-batch modles -o out", "cannot find `modles`"),
    ("The directory has nothing in it", "rigy-batch empty -o out", "name another directory"),
    ("Documents, but the command is `bake`", "rigy-batch bake models -o out", "run `rigy-batch models`"),
    ("glTF files, but the command is for documents", "rigy-batch characters -o out", "run `rigy-batch bake characters`"),
    ("A GLB for the main command", "rigy-batch characters/fox.glb -o out", "`rigy-batch bake`"),
    ("A document for `bake`", "rigy-batch bake models/lamp.rigy.yaml -o out", "`rigy-batch PATH…`"),
    ("A misspelt command", "rigy-batch baek characters -o out", "did you mean the command `bake`?"),
    ("A misspelt option", "rigy-batch models --ouput out", "'--output'"),
    ("A long option with one hyphen", "rigy-batch models -ouput out", "did you mean `--output`?"),
    ("A file without skins", "rigy-batch bake props -o out", "W08"),
    ("An animation that the file lacks", "rigy-batch bake characters/fox.glb --animation Wlak -o out", "did you mean `Walk`?"),
    ("A time outside the animation", "rigy-batch bake characters --animation Run --time 9 -o out", "W10"),
    ("Frames that are no range", "rigy-batch bake characters --frames 24 -o out", "@24 for a whole animation"),
    ("No threads", "rigy-batch models --jobs 0 -o out", "leave the option out"),
    ("A format that does not exist", "rigy-batch models --format xml -o out", "human, json"),
    ("A shard counted from 1", "rigy-batch models --shard 2/2 -o out", "use 0/2 or 1/2"),
    ("A pose that no document has", "rigy-batch models --poses stnad -o out", "did you mean `stand`?"),
    ("An output directory whose parent is a file", "rigy-batch models -o notes.txt/out", "notes.txt"),
    ("A report in a directory that does not exist", "rigy-batch models -o out --report reports/today.json", "make it first"),
    ("A pipe that is closed early", "rigy-batch models -o out --format json | head -n 1", "\"status\""),
];

#[test]
fn words_of_other_tools_are_answered_with_those_of_this_one() {
    let dir = scene();
    #[rustfmt::skip] // a row stays a line
    let rows = [
        ("compile models", "without a command"), ("build models", "without a command"), ("check models", "-n PATH"), ("validate models", "-n PATH"),
        ("lint models", "-n PATH"), ("format models", "rigy-batch fmt"), ("convert characters", "--to obj"), ("export characters", "--to obj"),
        ("info models", "rigy-batch inspect"), ("new lamp", "rigy-batch init"), ("version", "--version"), ("models --fps 24", "--frames @24"),
        ("models --frames 12", "--frames @24"), ("bake characters --frames 12", "`@12`"), ("bake characters --clip Run", "--animation NAME"),
        ("models --threads 4", "`-j N`"), ("models --quantize", "guide/smaller.md"), ("models --overwrite", "`--force`"),
        ("bake characters --to stl --scale 1000", "`--factor 1000`"),
    ];
    for (line, said) in rows {
        let ran = dir.run(line).exits_saying(2, said);
        assert!(!ran.stderr().contains("-- --"), "{line}: {}", ran.stderr());
        assert!(
            !ran.stderr().contains("a similar argument"),
            "{line}: {}",
            ran.stderr()
        );
    }
}

#[test]
fn what_left_is_answered_with_what_to_write_instead() {
    let dir = scene();
    #[rustfmt::skip] // a row stays a line
    let rows = [
        ("models --durability batch", "durability = \"batch\"", "`--sync`"),
        ("models --limit samples=4M", "", "256 steps for each sample"),
        ("bake models --limit evaluations=4M", "", "4 steps for each evaluation"),
        ("models --shard auto", "", "--shard $SLURM_ARRAY_TASK_ID"),
        ("models --names portable", "names = \"portable\"", "percent-encoded"),
        ("models --format concise", "format = \"concise\"", "or for programs `json`"),
        ("palette characters/fox.glb --format binary", "", "`palette` prints JSON"),
        ("bake characters --solver-for *=dqs", "[bake]\nsolver-for = \"*=dqs\"", "once for the files of each solver"),
        ("bake characters --quantize", "[bake]\nquantize = true", "gltfpack"),
    ];
    for (line, configuration, said) in rows {
        let line = format!("{line} -o out");
        dir.run(&*line).exits_saying(2, said);
        if configuration.is_empty() {
            continue;
        }
        dir.write("rigy-batch.toml", configuration);
        let words: Vec<&str> = line.split(' ').collect();
        let until = words.iter().position(|word| word.starts_with('-'));
        let ran = dir.run(&words[..until.unwrap()]).exits_saying(2, said);
        dir.remove("rigy-batch.toml");
        assert!(ran.stderr().contains("rigy-batch.toml:"), "{line}");
        assert!(!dir.path().join("out").exists(), "{line}");
    }
}

/// Mistakes about permissions, which the superuser does not make.
const WITHOUT_RIGHTS: [Mistake; 2] = [
    (
        "A file that cannot be read",
        "rigy-batch secret -o out",
        "let the user who runs this program read it",
    ),
    (
        "An output directory that cannot be written to",
        "rigy-batch models -o closed",
        "closed",
    ),
];

fn fox() -> Vec<u8> {
    let fox = skinned(3, 0.0).moving("Walk", 1.0).moving("Run", 1.0);
    fox.glb()
}

fn prop() -> Vec<u8> {
    let mut file = skinned(3, 0.0);
    file.json["nodes"][1] = json!({"mesh": 0});
    let json = file.json.as_object_mut().unwrap();
    json.remove("skins");
    file.json["meshes"][0]["primitives"][0]["attributes"] = json!({"POSITION": 0});
    file.glb()
}

fn scene() -> Dir {
    let dir = Dir::with("models/lamp.rigy.yaml", document("stand"));
    dir.write("models/cart.rigy.yaml", document("stand"));
    dir.write("characters/fox.glb", fox());
    dir.write("props/crate.glb", prop());
    dir.write("notes.txt", "notes");
    dir.write("secret/plan.rigy.yaml", document("stand"));
    std::fs::create_dir_all(dir.path().join("empty")).unwrap();
    std::fs::create_dir_all(dir.path().join("closed")).unwrap();
    dir
}

/// Runs a command line in a shell that finds the program.
fn shell(dir: &Dir, line: &str) -> Output {
    let directory = program().parent().unwrap_or(Path::new(""));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("bash");
    command
        .args(["-o", "pipefail", "-c", line])
        .current_dir(dir.path())
        .env("PATH", format!("{}:{path}", directory.slashed()))
        .env_remove("RIGY_BATCH_ISA");
    command.output().unwrap()
}

/// The messages of a mistake, and its exit status.
fn said(dir: &Dir, (_, line, _): Mistake) -> (String, i32) {
    let ran = shell(dir, line);
    let text = [ran.stderr, ran.stdout].map(|bytes| String::from_utf8(bytes).unwrap());
    let status = ran.status.code().expect("the program exits by itself");
    // The name by which clap calls the program is that of its file on every system.
    (
        text.concat().replace("rigy-batch.exe", "rigy-batch"),
        status,
    )
}

fn rights_matter(dir: &Dir) -> bool {
    std::fs::read(dir.path().join("secret/plan.rigy.yaml")).is_err()
}

fn set_mode(dir: &Dir, name: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let permissions = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(dir.path().join(name), permissions).unwrap();
}

fn made() -> String {
    let mut page = HEAD.to_owned();
    for mistake in MISTAKES {
        let (title, line, part) = mistake;
        let (text, status) = said(&scene(), mistake);
        assert!(text.contains(part), "{line}: {text}");
        assert!(
            text.lines().count() <= 12 && !text.contains("panicked"),
            "{text}"
        );
        let text = text.trim_end();
        write!(
            page,
            "\n## {title}\n\n```console\n$ {line}\n{text}\n```\n\nstatus {status}\n"
        )
        .unwrap();
    }
    page
}

#[test]
fn the_page_of_mistakes_is_what_the_program_says_and_each_fits_a_screen() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    assert!(page == made(), "run scripts/bless.sh");
}

#[test]
fn files_without_permission_are_told_of_once_with_what_to_do() {
    for mistake in WITHOUT_RIGHTS {
        let dir = scene();
        set_mode(&dir, "secret/plan.rigy.yaml", 0o000);
        set_mode(&dir, "closed", 0o500);
        let matters = rights_matter(&dir);
        let (text, status) = said(&dir, mistake);
        set_mode(&dir, "closed", 0o700);
        if !matters {
            eprintln!("skipped: this user may read and write everything");
            continue;
        }
        assert_ne!(status, 0, "{text}");
        assert!(text.contains(mistake.2), "{text}");
        assert!(!text.contains("ParseError"), "{text}");
        assert!(text.matches("plan.rigy.yaml").count() <= 1, "{text}");
    }
}

#[test]
#[ignore = "run by scripts/bless.sh"]
fn bless() {
    std::fs::write(PAGE, made()).unwrap();
}
