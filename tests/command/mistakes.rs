//! Words that are not those of this program, and files that a user may not read. The page `reference/mistakes.md` is a transcript.

use crate::support::Dir;
use crate::support::files::make_files;

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
        ("view characters/fox.glb --solver dqs", "switches"),
        ("view characters/fox.glb --animation Run", "switches"),
        ("compare models characters", "rigy-batch diff"), ("explain ParseError", "is a category"),
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
        ("bake characters --scale local", "[bake]\nscale = \"local\"", "is `--joint-scale local` now"),
        ("view characters/fox.glb --scale reject", "", "is `--joint-scale` now"),
        ("bake characters --scale-local a,b", "[bake]\nscale-local = [\"a\"]", "`--local-scale-joints NAME,...` now"),
        ("bake characters --to stl --factor 2", "[bake]\nfactor = 2", "is `--scale N` now"),
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

/// The entries of the pages on mistakes.
pub const FILES: &str = "\
models/lamp.rigy.yaml models/cart.rigy.yaml = document stand
characters/fox.glb = fox
props/crate.glb = prop
notes.txt = text notes
empty/ = directory";

fn scene() -> Dir {
    let dir = Dir::new();
    make_files(&dir, FILES);
    dir
}

fn set_mode(dir: &Dir, name: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let permissions = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(dir.path().join(name), permissions).unwrap();
}

#[test]
fn files_without_permission_are_told_of_once_with_what_to_do() {
    let dir = scene();
    make_files(
        &dir,
        "secret/plan.rigy.yaml = document stand\nclosed/ = directory",
    );
    set_mode(&dir, "secret/plan.rigy.yaml", 0o000);
    set_mode(&dir, "closed", 0o500);
    if std::fs::read(dir.path().join("secret/plan.rigy.yaml")).is_ok() {
        return eprintln!("skipped: this user may read and write everything");
    }
    for (line, said) in [
        (
            "secret -o out",
            "let the user who runs this program read it",
        ),
        ("models -o closed", "closed"),
    ] {
        let ran = dir.run(line);
        let text = ran.stderr();
        assert_ne!(ran.status(), 0, "{text}");
        assert!(
            text.contains(said) && !text.contains("ParseError"),
            "{text}"
        );
        assert!(text.matches("plan.rigy.yaml").count() <= 1, "{text}");
    }
    set_mode(&dir, "closed", 0o700);
}
