//! Models on report pages: the data files of the viewer, and what the rows of outputs say about them.

use serde_json::{Value, json};

use crate::command::preview_textures::{PNG, file, square};
use crate::support::{Dir, assert_contains, document, skinned};

/// The elements of a kind in a page, all of which is in the page itself.
fn elements(page: &str, kind: &str) -> Vec<Value> {
    let tag = format!("data-kind=\"{kind}\" data-number=\"0\">");
    let Some((_, rest)) = page.split_once(&tag) else {
        return Vec::new();
    };
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// The facts of the run of a page.
fn run(page: &str) -> Value {
    let (_, run) = page.split_once("id=\"run\">").unwrap();
    serde_json::from_str(run.split_once("</script>").unwrap().0).unwrap()
}

/// The viewer of a page: its file, the number of models and their bytes.
fn viewer(page: &str) -> Value {
    run(page)["viewer"].clone()
}

fn page(dir: &Dir, args: &str) -> String {
    let ran = dir.run(&format!("{args} --html page.html"));
    assert!(ran.status() < 2, "{}", ran.stderr());
    String::from_utf8(dir.read("page.html")).unwrap()
}

fn data_files(dir: &Dir) -> Vec<String> {
    let files = dir.files().into_iter();
    let files = files.filter_map(|file| Some(file.strip_prefix("page.html.data/")?.to_owned()));
    files.collect()
}

#[test]
fn each_output_says_how_the_viewer_shows_its_input() {
    let dir = Dir::with("in/a.rigy.yaml", document("<b>'&p"));
    dir.write("in/b.rigy.yaml", "version: \"0.5\"\nmeshes: 1\n");
    let page = page(&dir, "in -o out");
    let models = elements(&page, "models");
    assert_eq!(models.len(), 2, "none for the input that failed");
    let scene = models[0]["scene"].as_str().unwrap();
    assert_eq!(models[1]["scene"], scene, "one data file for all outputs");
    assert_eq!(models[0]["view"], json!([]));
    let pose = json!([["pose", "<b>'&p"]]);
    assert_eq!(models[1]["view"], pose);
    let rows = elements(&page, "rows");
    assert_eq!(
        rows[0].as_array().unwrap()[11..],
        [
            Value::Null,
            Value::Null,
            0.into(),
            0.into(),
            0.into(),
            0.into()
        ]
    );
    let viewer = viewer(&page);
    let name = format!("scene-{scene}.js");
    let data = dir.read(&format!("page.html.data/{name}"));
    assert_eq!(viewer["models"], 1);
    assert_eq!(viewer["bytes"], data.len());
    assert_eq!(models[0]["bytes"], data.len());
    let text = String::from_utf8(data).unwrap();
    assert!(text.starts_with("rigyScene({\"format\":") && text.ends_with("\");\n"));
    assert!(!text.contains('<'), "names of the file are escaped");
    let mut expected = vec![name, viewer["file"].as_str().unwrap().to_owned()];
    expected.sort();
    assert_eq!(data_files(&dir), expected);
}

#[test]
fn the_page_of_the_viewer_takes_nothing_from_the_name_of_the_report() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    let name = "javascript:alert(1)%2e%2e\"'<b>.html";
    dir.run(&["a.rigy.yaml", "-n", "--html", name]).good();
    let file = dir
        .files()
        .into_iter()
        .find(|file| file.contains("/viewer-"));
    let text = String::from_utf8(dir.read(&file.unwrap())).unwrap();
    let back = "data-back=\"../javascript%3Aalert%281%29%252e%252e%22%27%3Cb%3E.html\"";
    assert!(text.contains(back));
    assert!(
        !text.contains("src=\"") && !text.contains("href=\""),
        "nothing is loaded by itself"
    );
    let policy = text.split_once("script-src 'sha256-").unwrap().1;
    let policy = policy.split_once("\">").unwrap().0;
    assert_contains(policy, &["' 'strict-dynamic'; style-src 'sha256-"]);
    assert!(!policy.contains("unsafe"));
}

#[test]
fn a_model_that_cannot_be_made_is_a_sentence_and_no_failure() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    let page = page(&dir, "a.rigy.yaml -o out --models 2K");
    let models = elements(&page, "models");
    assert_eq!(models.len(), 2);
    let note = models[0]["note"].as_str().unwrap();
    assert!(
        note.starts_with("There is no model for the viewer: it would have "),
        "{note}"
    );
    assert!(
        note.ends_with(" or more, and `--models` allows 2.0 kB."),
        "{note}"
    );
    assert_eq!(viewer(&page), Value::Null);
    assert_eq!(data_files(&dir), Vec::<String>::new());
}

#[test]
fn models_are_made_as_the_option_says_and_by_default_in_small_runs() {
    let dir = Dir::new();
    for n in 0..51 {
        dir.write(&format!("in/{n}.rigy.yaml"), document("p"));
    }
    let count = |args: &str| {
        let text = page(&dir, &format!("{args} -n"));
        (
            viewer(&text)["models"].as_u64().unwrap_or(0),
            data_files(&dir).len(),
        )
    };
    assert_eq!(count("in/0.rigy.yaml"), (1, 2));
    assert_eq!(count("in"), (0, 0), "those of the older page are removed");
    assert_eq!(count("in --models 1M"), (51, 52));
    assert_eq!(count("in/0.rigy.yaml --models 0"), (0, 0));
    let said =
        |args: &str| run(&page(&dir, &format!("in/0.rigy.yaml -n {args}")))["models"].clone();
    assert_eq!([said(""), said("--models 0")], [Value::Null, json!(0)]);
    for wrong in ["-1", "x", "1.5M"] {
        dir.run(&[
            "in",
            "-n",
            "--html",
            "page.html",
            &format!("--models={wrong}"),
        ])
        .exits(2);
    }
    assert_eq!(dir.run("in -n --models 1M").status(), 2, "without a page");
}

#[test]
fn pictures_have_the_images_that_lie_beside_their_outputs() {
    let textured = file("", "", "", &format!("data:image/png;base64,{PNG}"));
    let dir = Dir::with("a.gltf", &textured);
    dir.write("square.bin", square());
    let pictures = |args: &str| elements(&page(&dir, &format!("bake a.gltf {args}")), "thumbnails");
    let embedded = pictures("-o embedded");
    assert_eq!(pictures("-o beside/sub --textures beside"), embedded);
    dir.write("a.gltf", textured.replace("baseColorTexture", "none"));
    assert_ne!(pictures("-o plain"), embedded);
}

/// A file with a clip of one second that moves joint 0.
fn animated(clip: &str) -> skinned::Made {
    skinned::skinned(10, 0.5).moving(clip, 1.0)
}

#[test]
fn a_model_is_shown_at_the_moment_of_the_output() {
    let dir = Dir::with("a.glb", animated("wave").glb());
    let views = |args: &str| -> Vec<Value> {
        let text = page(&dir, &format!("bake a.glb -n {args}"));
        let models = elements(&text, "models");
        models.iter().map(|model| model["view"].clone()).collect()
    };
    assert_eq!(views(""), [json!([["clip", "0"]])]);
    let dqs = "--solver dqs --time 0.5";
    assert_eq!(
        views(dqs),
        [json!([["clip", "1"], ["t", "0.5"], ["left", "dqs"]])]
    );
    let frames = "--animation wave --frames 1..2@4";
    let wanted = ["0.25", "0.5"].map(|t| json!([["clip", "1"], ["t", t]]));
    assert_eq!(views(frames), wanted);
}

#[test]
fn rows_of_files_say_their_moment() {
    let dir = Dir::with("a.glb", animated("wave").glb());
    let moments = |args: &str| -> Vec<Value> {
        let text = page(&dir, &format!("bake a.glb -n {args}"));
        let rows = elements(&text, "rows");
        rows.iter().map(|row| row[1].clone()).collect()
    };
    assert_eq!(moments(""), [Value::Null]);
    assert_eq!(moments("--time 0.5"), ["0.500 s of wave"]);
    assert_eq!(moments("--animation wave"), ["0.000 s of wave"]);
    let frames = "--animation wave --frames 1..2@4";
    let wanted = ["frame 1, 0.250 s of wave", "frame 2, 0.500 s of wave"];
    assert_eq!(moments(frames), wanted);
    // No frame is known of a file that cannot be read.
    dir.write("a.glb", "no glTF file");
    assert_eq!(moments(frames), [Value::Null]);
}

#[test]
fn long_names_are_cut_in_the_page() {
    let dir = Dir::new();
    let name = "w".repeat(100_000);
    dir.write("a.glb", animated(&name).glb());
    let args = format!("bake a.glb -n --animation {name} --time 1");
    let page = page(&dir, &args);
    let moment = format!("1.000 s of {name}");
    assert_eq!(
        elements(&page, "rows")[0][1],
        format!("{}…", &moment[..399])
    );
    // The clip is found by its whole name.
    let model = &elements(&page, "models")[0];
    assert_eq!(model["view"], json!([["clip", "1"], ["t", "1"]]));
    let scene = model["scene"].as_str().unwrap();
    let data = dir.read(&format!("page.html.data/scene-{scene}.js"));
    let text = String::from_utf8(data).unwrap();
    assert!(text.contains(&format!("\"name\":\"{}…\"", &name[..399])));
    assert!(!text.contains(&name[..400]));
}
