//! The configuration file: what its keys do, what wins over them, and what is said about its faults.

use serde_json::{Map, Value, json};
use toml::de::{DeTable, DeValue};

use crate::support::skinned::skinned;
use crate::support::{Dir, document};

const NAME: &str = "rigy-batch.toml";

/// A directory with a document, two glTF files, and a configuration file.
fn scene(file: &str) -> Dir {
    let dir = Dir::new();
    dir.write("models/a.rigy.yaml", document("p"));
    dir.write("models/b.glb", skinned(3, 0.5).glb());
    dir.write("models/props/c.glb", skinned(3, 0.25).glb());
    dir.write(NAME, file);
    dir
}

/// Runs the program, which must have nothing to say on standard error, and returns the GLBs that it has made.
fn made(dir: &Dir, args: &[&str]) -> Vec<String> {
    let ran = dir.run(args);
    assert_eq!((ran.status(), ran.stderr().as_str()), (0, ""), "{args:?}");
    let inputs = ["models/b.glb", "models/props/c.glb"];
    let glbs = dir.glbs().into_iter();
    glbs.filter(|name| !inputs.contains(&name.as_str()))
        .collect()
}

/// The options of a command and of a pass, as `config` prints them.
fn in_force(dir: &Dir, args: &[&str], command: &str, pass: usize) -> Value {
    let all = [&["config", "--format", "json"], args].concat();
    let ran = dir.run(&all);
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    ran.json()[0]["commands"][command][pass].clone()
}

#[test]
fn a_table_is_for_its_command_and_keys_above_are_for_both() {
    let dir =
        scene("output = \"out\"\n[documents]\nposes = \"none\"\n[bake]\noutput = \"baked\"\n");
    assert_eq!(made(&dir, &["models"]), ["out/a.glb"]);
    let all = ["baked/b.glb", "baked/props/c.glb", "out/a.glb"];
    assert_eq!(made(&dir, &["bake", "models"]), all);
}

#[test]
fn exports_of_documents_are_no_inputs_of_bake() {
    let dir = scene(
        "[documents]\noutput = \"models/out\"\nposes = \"none\"\n[bake]\noutput = \"baked\"\n",
    );
    assert_eq!(made(&dir, &["models"]), ["models/out/a.glb"]);
    let baked = dir.run(&["bake", "models"]);
    assert_eq!(baked.status(), 0);
    let note = "`models/out` is not searched for inputs, because outputs go there";
    assert!(baked.stderr().contains(note), "{}", baked.stderr());
    let glbs = dir.glbs();
    let in_baked: Vec<&String> = glbs
        .iter()
        .filter(|name| name.starts_with("baked/"))
        .collect();
    assert_eq!(in_baked, ["baked/b.glb", "baked/props/c.glb"]);
}

#[test]
fn the_command_line_wins_over_the_file_and_over_what_excludes_it() {
    let file = "output = \"out\"\nwarn-as-error = [\"W01\", \"W02\"]\njobs = 2\n[bake]\nframes = \"@24\"\n";
    let dir = scene(file);
    let given = ["models", "--", "--warn-as-error", "W03", "--jobs", "1"];
    let options = in_force(&dir, &given, "documents", 0);
    assert_eq!(options["output"]["from"], "rigy-batch.toml:1");
    assert_eq!(options["warn-as-error"]["value"], json!(["W03"]));
    assert_eq!(options["jobs"], json!({"value": 1, "from": "command line"}));
    assert_eq!(options["poses"], json!({"value": "all", "from": "default"}));
    let options = in_force(&dir, &["models", "--", "--time", "1"], "bake", 0);
    assert_eq!(options["frames"]["value"], Value::Null);
    assert_eq!(options["time"]["value"], 1);
    let ran = dir.run(&["bake", "models", "--time", "1", "-n", "--quiet"]);
    assert_eq!(ran.status(), 0, "{}", ran.stderr());

    assert_eq!(
        made(&dir, &["models", "-o", "other"]),
        ["other/a.glb", "other/a.p.glb"]
    );
    assert_eq!(
        made(&dir, &["models", "--no-config", "--poses", "none"])[0],
        "models/a.glb"
    );
}

#[test]
fn the_environment_wins_over_the_file() {
    let dir = scene("jobs = 2\nisa = \"avx2\"\n");
    let args = ["config", "models", "--format", "json"];
    let ran = dir.run_with(
        &[("RAYON_NUM_THREADS", "1"), ("RIGY_BATCH_ISA", "scalar")],
        &args,
    );
    let options = &ran.json()[0]["commands"]["bake"][0];
    let jobs = json!({"value": 1, "from": "environment variable RAYON_NUM_THREADS"});
    assert_eq!(options["jobs"], jobs);
    assert_eq!(options["isa"]["value"], "scalar");
    let options = in_force(&dir, &["models"], "bake", 0);
    assert_eq!(options["isa"]["value"], "avx2");
    // A value that is refused has been read.
    for name in ["RAYON_NUM_THREADS", "RIGY_BATCH_ISA"] {
        let ran = dir.run_with(&[(name, "none")], &["models", "-n"]);
        assert_eq!(ran.status(), 2, "{name}");
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
    let from = |below: &str, args: &[&str]| {
        let mut command = std::process::Command::new(crate::support::program());
        command.current_dir(dir.path().join(below)).args(args);
        let output = command.output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    from("models/props", &["d.rigy.yaml"]);
    assert_eq!(dir.glbs()[2..], ["out/d.glb", "out/d.p.glb"]);
    from("models", &["props", "--config", "../other/rigy-batch.toml"]);
    assert_eq!(dir.glbs()[4..], ["third/d.glb"]);
    from("models", &["props", "--no-config", "--poses", "none"]);
    assert!(dir.glbs().contains(&"models/props/d.glb".to_owned()));
}

#[test]
fn faults_have_their_place_and_say_what_to_do() {
    let faults = [
        ("outptu = \"x\"", "1:1", "did you mean `output`?"),
        ("\nquiet = 3", "2:9", "`quiet` is true or false"),
        ("jobs = 0", "1:8", "1 to 1024 threads"),
        ("watch = true", "1:1", "give it on the command line"),
        (
            "paths = [\"a\"]",
            "1:1",
            "inputs are named on the command line",
        ),
        ("solver = \"lbs\"", "1:1", "write it below `[bake]`"),
        (
            "[documents]\nsolver = \"lbs\"",
            "2:1",
            "write it below `[bake]`",
        ),
        ("output = 4", "1:10", "a path in quotes"),
        ("limit = { bytes = \"x\" }", "1:11", "not a size"),
        (
            "[bake]\nsolver = \"lsb\"",
            "2:10",
            "possible values: lbs, dqs",
        ),
        ("[bake]\nsovler = \"dqs\"", "2:1", "did you mean `solver`?"),
        (
            "[bake]\nsolver-for = { \"[z-a]\" = \"dqs\" }",
            "2:16",
            "invalid range",
        ),
        ("bake = 3", "1:8", "begin it with `[bake]`"),
        (
            "[[bake]]\njobs = 1\n[[bake]]",
            "2:1",
            "holds for the whole run",
        ),
        (
            "[bake]\nframes = \"@24\"\ntime = 1",
            "3:1",
            "cannot be used with",
        ),
        (
            "[documents]\nemit-on-error = true",
            "2:1",
            "--emit-expanded",
        ),
        ("output = [", "1:11", ""),
        ("a = 1\na = 2", "2:1", "duplicate key"),
    ];
    for (file, place, message) in faults {
        let dir = scene(file);
        let command: &[&str] = match file.contains("[bake]") {
            true => &["bake", "models"],
            false => &["models"],
        };
        let ran = dir.run(command);
        let text = ran.stderr();
        assert_eq!(ran.status(), 2, "{file}: {text}");
        assert!(
            text.contains(&format!("rigy-batch.toml:{place}\n")),
            "{file}: {text}"
        );
        assert!(text.contains(message), "{file}: {text}");
        assert_eq!(dir.files().len(), 4, "{file}: nothing is written");
    }
}

#[test]
fn options_that_contradict_each_other_are_told_with_their_places() {
    let dir = scene("[bake]\nto = \"obj\"\ntextures = \"beside\"\n");
    let ran = dir.run(&["bake", "models"]);
    assert_eq!(ran.status(), 2);
    let text = ran.stderr();
    assert!(
        text.contains("`--textures` is set at `rigy-batch.toml:3`"),
        "{text}"
    );
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
        let ran = dir.run(&["models"]);
        let text = ran.stderr();
        assert_eq!(ran.status(), 2, "{text}");
        assert!(text.contains(NAME) && text.len() < 4000, "{text}");
        assert!(
            !text.contains('\u{1b}') && !text.contains("panicked"),
            "{text}"
        );
    }
    let ran = scene("").run(&["models", "--config", "gone.toml"]);
    assert_eq!(ran.status(), 2);
    assert!(ran.stderr().contains("gone.toml") && ran.stderr().contains("--no-config"));
}

#[test]
fn several_tables_make_several_outputs_with_one_status() {
    let file = "quiet = true\n[[bake]]\noutput = \"models/one\"\nnames = \"portable\"\n[[bake]]\nto = \"stl\"\noutput = \"two\"\nallow-warnings = \"W16\"\n";
    let dir = scene(file);
    for _ in 0..2 {
        // The second run does not take the outputs of the first for inputs.
        assert_eq!(
            made(&dir, &["bake", "models"]),
            ["models/one/b.glb", "models/one/props/c.glb"]
        );
    }
    let files = dir.files();
    assert!(files.contains(&"two/props/c.stl".to_owned()), "{files:?}");
    assert!(!dir.path().join("two/one").exists());
    let options = in_force(&dir, &["models"], "bake", 1);
    assert_eq!(
        options["to"],
        json!({"value": "stl", "from": "rigy-batch.toml:6"})
    );

    dir.write("models/bad.glb", "no GLB");
    let ran = dir.run(&["bake", "models", "--format", "json"]);
    assert_eq!(ran.status(), 1, "the worst of both");
    let summaries = ran
        .json()
        .into_iter()
        .filter(|line| line.get("summary").is_some());
    assert_eq!(summaries.count(), 2);
    let ran = dir.run(&["bake", "models", "--report", "r.json"]);
    assert_eq!(ran.status(), 2);
    assert!(
        ran.stderr().contains("leave out `--report`"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn tables_that_write_one_file_are_refused_before_anything_is_written() {
    let dir =
        scene("[[bake]]\noutput = \"out\"\n[[bake]]\noutput = \"x/../out\"\nsolver = \"dqs\"\n");
    dir.write("x/file", "");
    let ran = dir.run(&["bake", "models"]);
    assert_eq!(ran.status(), 2);
    let text = ran.stderr();
    assert!(
        text.contains("rigy-batch.toml:1 and rigy-batch.toml:3 would both write"),
        "{text}"
    );
    assert_eq!(dir.glbs(), ["models/b.glb", "models/props/c.glb"]);
}

#[test]
fn the_solver_follows_globs_and_a_changed_file_is_no_stale_cache() {
    let dir = scene("output = \"out\"\n");
    let plain = |dir: &Dir, args: &[&str]| {
        made(dir, args);
        (dir.read("out/b.glb"), dir.read("out/props/c.glb"))
    };
    // Under dual quaternions, positions of vertices without scale are the same: the names of outputs tell the solvers apart in JSON.
    let (b, c) = plain(&dir, &["bake", "models", "--quiet"]);
    assert!(!b.is_empty() && !c.is_empty());
    let with = |file: &str| {
        dir.write(NAME, file);
        let ran = dir.run(&["bake", "models"]);
        assert_eq!(ran.status(), 0, "{}", ran.stderr());
        ran.stdout()
    };
    assert_eq!(
        with("output = \"out\"\n"),
        "2 files: 0 written, 2 unchanged\n"
    );
    let reject = "output = \"out\"\n[bake]\nscale = \"reject\"\nsolver-for = { \"*\" = \"lbs\", \"props/\" = \"dqs\" }\n";
    dir.write("models/props/c.glb", scaled());
    dir.write(NAME, reject);
    let ran = dir.run(&["bake", "models"]);
    assert_eq!(ran.status(), 1, "only dual quaternions refuse scale");
    assert!(ran.stderr().contains("props/c.glb"), "{}", ran.stderr());
    assert_eq!(
        with(&reject.replace("\"props/\" = \"dqs\"", "\"props/\" = \"lbs\"")),
        "2 files: 1 written, 1 unchanged\n"
    );
}

/// A file whose joint scales.
fn scaled() -> Vec<u8> {
    let mut skinned = skinned(3, 0.25);
    skinned.json["nodes"][0]["scale"] = json!([2, 1, 1]);
    skinned.glb()
}

#[test]
fn what_is_printed_is_a_configuration_file() {
    let dir = scene(
        "limit = { bytes = \"4M\", depth = 32 }\nexclude = [\"a \\\"b\\\"\"]\n[[bake]]\nas = \"morph\"\n[[bake]]\nup = \"y\"\noutput = \"x\"\n",
    );
    let printed = dir.run(&["config", "models"]).stdout();
    assert!(
        printed.contains("limit = [\"bytes=4M\",\"depth=32\"] # rigy-batch.toml:1\n"),
        "{printed}"
    );
    dir.write("again.toml", &printed);
    let again = dir.run(&["config", "models", "--config", "again.toml"]);
    assert_eq!(again.status(), 0, "{}", again.stderr());
    let values = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines
            .map(|line| line.split(" # ").next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(values(&again.stdout()), values(&printed));
}

/// The blocks of the page that are configuration files.
fn examples() -> Vec<&'static str> {
    let page = include_str!("../../docs/src/reference/configuration.md");
    let blocks = page.split("```toml\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap())
        .collect()
}

fn as_json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => text.as_ref().into(),
        DeValue::Boolean(value) => (*value).into(),
        DeValue::Array(list) => list.iter().map(|one| as_json(one.get_ref())).collect(),
        DeValue::Table(table) => table_as_json(table),
        number => serde_json::from_str(&number.as_integer().unwrap().to_string()).unwrap(),
    }
}

fn table_as_json(table: &DeTable<'_>) -> Value {
    let entries = table
        .iter()
        .map(|(key, value)| (key.get_ref().to_string(), as_json(value.get_ref())));
    entries.collect::<Map<_, _>>().into()
}

#[test]
fn the_examples_of_the_page_are_accepted_by_the_program_and_by_the_schema() {
    let dir = scene("");
    let schema: Value = serde_json::from_str(&dir.run(&["schema", "config"]).stdout()).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let accepts = |text: &str| {
        let table = DeTable::parse(text).unwrap();
        schema.is_valid(&table_as_json(table.get_ref()))
    };
    let examples = examples();
    assert_eq!(examples.len(), 3);
    for example in examples {
        dir.write(NAME, example);
        let ran = dir.run(&["config", "models"]);
        assert_eq!(ran.status(), 0, "{example}: {}", ran.stderr());
        let printed = ran.stdout();
        assert!(accepts(example), "{example}");
        assert!(accepts(&printed), "{printed}");
    }
    for wrong in [
        "outptu = \"x\"",
        "quiet = 3",
        "[bake]\nsolver = \"lsb\"",
        "watch = true",
        "solver = \"lbs\"",
    ] {
        assert!(!accepts(wrong), "{wrong}");
    }
}
