//! The configuration file: what its keys do, what wins over them, and what is said about its faults.

use rigy_batch::base::paths::Slashed;
use serde_json::json;

use crate::support::skinned::skinned;
use crate::support::{Arguments, Dir, Ran, assert_contains, document, program};

const NAME: &str = "rigy-batch.toml";

/// A directory with a document, two glTF files, and a configuration file.
fn scene(file: &str) -> Dir {
    let dir = Dir::with("models/a.rigy.yaml", document("p"));
    dir.write("models/b.glb", skinned(3, 0.5).glb());
    dir.write("models/props/c.glb", skinned(3, 0.25).glb());
    dir.write(NAME, file);
    dir
}

/// Runs the program, which must have nothing to say on standard error, and returns the GLBs that it has made.
fn made(dir: &Dir, args: &str) -> Vec<String> {
    let ran = dir.run(args);
    assert_eq!((ran.status(), ran.stderr().as_str()), (0, ""), "{args:?}");
    let inputs = ["models/b.glb", "models/props/c.glb"];
    let glbs = dir.glbs().into_iter();
    glbs.filter(|name| !inputs.contains(&name.as_str()))
        .collect()
}

#[test]
fn a_table_is_for_its_command_and_keys_above_are_for_both() {
    let dir =
        scene("output = \"out\"\n[documents]\nposes = \"none\"\n[bake]\noutput = \"baked\"\n");
    assert_eq!(made(&dir, "models"), ["out/a.glb"]);
    let all = ["baked/b.glb", "baked/props/c.glb", "out/a.glb"];
    assert_eq!(made(&dir, "bake models"), all);
}

#[test]
fn exports_of_documents_are_no_inputs_of_bake() {
    let dir = scene(
        "[documents]\noutput = \"models/out\"\nposes = \"none\"\n[bake]\noutput = \"baked\"\n",
    );
    assert_eq!(made(&dir, "models"), ["models/out/a.glb"]);
    let baked = dir.run("bake models").good();
    let note = "`models/out` is not searched for inputs, because outputs go there";
    baked.says(note);
    let glbs = dir.glbs();
    let in_baked: Vec<&String> = glbs
        .iter()
        .filter(|name| name.starts_with("baked/"))
        .collect();
    assert_eq!(in_baked, ["baked/b.glb", "baked/props/c.glb"]);
}

#[test]
fn the_command_line_wins_over_the_file_and_over_what_excludes_it() {
    let file = "output = \"out\"\nexclude = [\"b.glb\", \"c.glb\"]\n[bake]\nframes = \"@24\"\n";
    let dir = scene(file);
    let given = "bake models --time 1 --allow-warnings all --exclude c.glb";
    assert_eq!(made(&dir, given), ["out/b.glb"]);

    assert_eq!(
        made(&dir, "models -o other"),
        ["other/a.glb", "other/a.p.glb", "out/b.glb"]
    );
    assert_eq!(
        made(&dir, "models --no-config --poses none")[0],
        "models/a.glb"
    );
}

#[test]
fn the_environment_wins_over_the_file() {
    let dir = scene("jobs = 2\nisa = \"avx2\"\n");
    // A value that is refused has been read.
    for name in ["RAYON_NUM_THREADS", "RIGY_BATCH_ISA"] {
        dir.run_with(&[(name, "none")], "models -n").exits(2);
    }
}

#[test]
fn the_file_is_found_above_the_first_input_and_its_paths_start_from_it() {
    let dir = scene("output = \"out\"\n");
    dir.write("models/props/d.rigy.yaml", document("p"));
    dir.write(
        "other/rigy-batch.toml",
        "output = \"../third\"\n[documents]\nposes = \"none\"\n",
    );
    let from = |below: &str, args: &str| {
        let mut command = std::process::Command::new(program());
        command
            .current_dir(dir.path().join(below))
            .args(args.words());
        Ran::of(&mut command).good();
    };
    from("models/props", "d.rigy.yaml");
    assert_eq!(dir.glbs()[2..], ["out/d.glb", "out/d.p.glb"]);
    from("models", "props --config ../other/rigy-batch.toml");
    assert_eq!(dir.glbs()[4..], ["third/d.glb"]);
    from("models", "props --no-config --poses none");
    assert!(dir.glbs().contains(&"models/props/d.glb".to_owned()));
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
fn options_that_contradict_each_other_are_told_with_their_places() {
    let dir = scene("[bake]\nto = \"obj\"\ntextures = \"beside\"\n");
    let ran = dir.run("bake models");
    assert_eq!(ran.status(), 2);
    let text = ran.stderr();
    assert_contains(&text, &["`--textures` is set at `rigy-batch.toml:3`"]);
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
    let ran = scene("").run("models --config gone.toml");
    assert_eq!(ran.status(), 2);
    assert!(ran.stderr().contains("gone.toml") && ran.stderr().contains("--no-config"));
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

#[test]
fn a_changed_file_is_no_stale_cache() {
    let dir = scene("output = \"out\"\n");
    assert_eq!(made(&dir, "bake models").len(), 2);
    let with = |file: &str| {
        dir.write(NAME, file);
        dir.run("bake models")
    };
    let ran = with("output = \"out\"\n").good();
    assert_eq!(ran.stdout(), "2 files: 2 unchanged\n");
    dir.write("models/props/c.glb", scaled());
    let reject =
        "output = \"out\"\nexclude = \"b.glb\"\n[bake]\nscale = \"reject\"\nsolver = \"dqs\"\n";
    with(reject).exits_saying(1, "props/c.glb"); // only dual quaternions refuse scale
    let ran = with(&reject.replace("dqs", "lbs"));
    assert_eq!(
        (ran.status(), &*ran.stdout()),
        (0, "1 file: 1 written\n"),
        "{}",
        ran.stderr()
    );
}

fn scaled() -> Vec<u8> {
    let mut skinned = skinned(3, 0.25);
    skinned.json["nodes"][0]["scale"] = json!([2, 1, 1]);
    skinned.glb()
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
