//! The configuration file: what is said about its faults, and where it does not lead. `tests/transcripts/configuration.md` has what it does.

use rigy_batch::base::paths::Slashed;

use crate::support::skinned::skinned;
use crate::support::{Dir, assert_contains, document};

const NAME: &str = "rigy-batch.toml";

/// A directory with a document, two glTF files, and a configuration file.
fn scene(file: &str) -> Dir {
    let dir = Dir::with("models/a.rigy.yaml", document("p"));
    dir.write("models/b.glb", skinned(3, 0.5).glb());
    dir.write("models/props/c.glb", skinned(3, 0.25).glb());
    dir.write(NAME, file);
    dir
}

#[test]
fn faults_have_their_place_and_say_what_to_do() {
    #[rustfmt::skip] // a row stays a line
    let faults = [
        ("outptu = \"x\"", "1:1", "did you mean `output`?"),
        ("\nquiet = 3", "2:9", "`quiet` is true or false"),
        ("jobs = 0", "1:8", "1 to 1024 threads"),
        ("watch = true", "1:1", "give it on the command line"),
        ("paths = [\"a\"]", "1:1", "inputs are named on the command line"),
        ("solver = \"lbs\"", "1:1", "write it below `[bake]`"),
        ("[documents]\nsolver = \"lbs\"", "2:1", "write it below `[bake]`"),
        ("output = 4", "1:10", "a path in quotes"),
        ("limit = { bytes = \"x\" }", "1:11", "not a size"),
        ("[bake]\nsolver = \"lsb\"", "2:10", "possible values: lbs, dqs"),
        ("[bake]\nsovler = \"dqs\"", "2:1", "did you mean `solver`?"),
        ("exclude = [\"[z-a]\"]", "1:12", "invalid range"),
        ("bake = 3", "1:8", "begin it with `[bake]`"),
        ("[[bake]]\njobs = 1\n[[bake]]", "1:3", "one table `[bake]`; run the program once for each set of options"),
        ("[[documents]]", "1:3", "one table `[documents]`"),
        ("xyzzyx = 1", "1:1", "`rigy-batch --help` lists all"),
        ("[bake]\nxyzzyx = 1", "2:1", "`rigy-batch bake --help` lists all"),
        ("[bake]\nframes = \"@24\"\ntime = 1", "3:1", "cannot be used with"),
        ("[documents]\nemit-on-error = true", "2:1", "--emit-expanded"),
        ("output = [", "1:11", ""),
        ("a = 1\na = 2", "2:1", "duplicate key"),
    ];
    for (file, place, message) in faults {
        let dir = scene(file);
        let command = if file.contains("[bake]") {
            "bake models"
        } else {
            "models"
        };
        let ran = dir.run(command);
        let text = ran.stderr();
        assert_eq!(ran.status(), 2, "{file}: {text}");
        assert_contains(&text, &[&format!("rigy-batch.toml:{place}\n")]);
        assert!(text.contains(message), "{file}: {text}");
        assert_eq!(dir.files().len(), 4, "{file}: nothing is written");
    }
}

#[test]
fn hostile_files_are_refused() {
    let huge = format!("output = \"{}\"", "x".repeat(1 << 20));
    let deep = format!("limit = {}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let dotted = format!("limit.{} = 1", vec!["a"; 100_000].join("."));
    let many = "limit = [\"bytes=\\u001b[31m\"]".to_owned();
    let files: [&[u8]; 5] = [
        huge.as_bytes(),
        deep.as_bytes(),
        dotted.as_bytes(),
        many.as_bytes(),
        b"output = \"\xff\"",
    ];
    for file in files {
        let dir = scene("");
        dir.write(NAME, file);
        let ran = dir.run("models");
        let text = ran.stderr();
        assert_eq!(ran.status(), 2, "{text}");
        assert!(text.contains(NAME) && text.len() < 4000, "{text}");
        assert!(
            !text.contains('\u{1b}') && !text.contains("panicked"),
            "{text}"
        );
    }
}

#[test]
fn the_examples_of_the_page_are_accepted() {
    let page = include_str!("../../docs/src/reference/configuration.md");
    let blocks: Vec<&str> = page.split("```toml\n").skip(1).collect();
    assert_eq!(blocks.len(), 1);
    for block in blocks {
        let dir = scene(block.split("```").next().unwrap());
        for args in ["models -n", "bake models -n"] {
            let ran = dir.run(args);
            assert_ne!(ran.status(), 2, "{}", ran.stderr());
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_was_found_does_not_lead_out_of_its_directory() {
    let dir = Dir::with("tree/in/a.rigy.yaml", document("p"));
    dir.write("secret.txt", "a line that nobody should see");
    std::os::unix::fs::symlink("..", dir.path().join("tree/up")).unwrap();
    std::os::unix::fs::symlink("../far", dir.path().join("tree/dangling")).unwrap();
    let outside = dir.path().join("far").slashed().to_string();
    let places = [
        "..",
        "../far",
        "in/../../far",
        "up",
        "up/far",
        "up/tree/../far",
        "dangling",
        "dangling/deep",
        &outside,
        &format!("file://{outside}"),
        "/dev/null",
    ];
    let before = dir.tree();
    for key in [
        "root",
        "output",
        "report",
        "html",
        "[documents]\nemit-expanded",
    ] {
        let name = key.rsplit('\n').next().unwrap();
        for place in places {
            dir.write(
                "tree/rigy-batch.toml",
                format!("# a comment\n{key} = \"{place}\"\n"),
            );
            let (line, column) = (2 + key.matches('\n').count(), name.len() + 4);
            for args in ["tree", "tree/in", "tree/in/a.rigy.yaml", "bake tree"] {
                let ran = dir.run(args).exits(2);
                let at = format!(" --> tree/rigy-batch.toml:{line}:{column}\n");
                let option = format!("`{name}` leads out of");
                assert_contains(
                    ran.stderr(),
                    &[&at, &option, "`--config tree/rigy-batch.toml`"],
                );
            }
        }
    }
    // The data of a page lie beside it.
    std::os::unix::fs::symlink("../far", dir.path().join("tree/page.html.data")).unwrap();
    dir.write("tree/rigy-batch.toml", "html = \"page.html\"\n");
    dir.run("tree").exits_saying(2, "`html` leads out of");
    dir.remove("tree/page.html.data");
    dir.remove("tree/rigy-batch.toml");
    assert_eq!(dir.tree(), before);
    // A file that `--config` names is trusted; paths that stay in the directory are taken from a file that was found.
    dir.write("tree/rigy-batch.toml", "output = \"../far\"\n");
    dir.run("tree/in --config tree/rigy-batch.toml").good();
    assert_eq!(dir.glbs(), ["far/a.glb", "far/a.p.glb"]);
    dir.write(
        "tree/rigy-batch.toml",
        "output = \"up/tree/out/../made\"\nroot = \".\"\nreport = \"-\"\n",
    );
    dir.run("tree/in").good();
    assert_eq!(dir.glbs()[2..], ["tree/made/a.glb", "tree/made/a.p.glb"]);
    // A link in the place of the file would show lines of another one.
    dir.remove("tree/rigy-batch.toml");
    std::os::unix::fs::symlink("../secret.txt", dir.path().join("tree/rigy-batch.toml")).unwrap();
    let ran = dir.run("tree").exits(2);
    assert!(!ran.stderr().contains("a line"), "{}", ran.stderr());
    ran.says("it leads out of");
}
