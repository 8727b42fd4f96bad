//! `--names portable`, and formats that the name after `-o` gives.

use super::builder::arm;
use super::cli::{bake, lines};
use super::clips::with_clips;
use crate::support::Dir;

#[test]
fn portable_names_have_no_character_that_links_escape() {
    let dir = Dir::new();
    let made = with_clips(&["Run fast", "Run/fast", "Run_fast", "run_FAST", "ü"]);
    dir.write("in/a model.glb", made.glb());
    dir.write("in/a_model.glb", made.glb());
    dir.write("in/b c.rigy.yaml", crate::support::document("bow/deep"));
    let all = "in -o out --animation all --time 0.5";
    let portable = format!("{all} --names portable");
    assert_eq!(lines(&dir, &portable).len(), 10);
    dir.run("in -o out --names portable").good();
    let files = dir.files().into_iter();
    let files: Vec<String> = files
        .filter_map(|name| Some(name.strip_prefix("out/")?.to_owned()))
        .collect();
    assert_eq!(files.len(), 12, "{files:?}");
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    assert!(
        files.iter().flat_map(|name| name.chars()).all(is_plain),
        "{files:?}"
    );
    assert!(
        files
            .iter()
            .any(|name| name.contains("bow_deep-fbe025a8.glb")),
        "{files:?}"
    );
    let mut folded: Vec<String> = files.iter().map(|name| name.to_lowercase()).collect();
    folded.dedup();
    assert_eq!(folded.len(), 12);
    // The same names again; without the option, those of before.
    assert!(
        lines(&dir, &portable)
            .iter()
            .all(|line| line["status"] == "unchanged")
    );
    let percent = lines(&dir, all);
    assert_eq!(percent[1]["output"], "out/a model.Run%2Ffast.glb");
    // Outputs under other names stay while they are up to date, and are pruned when they are not.
    dir.write("in/a model.glb", arm().glb());
    let ran = bake(&dir, &format!("{portable} --prune"));
    ran.prints("removed `out/a model.Run%2Ffast.glb`");
}

#[test]
fn inputs_whose_portable_names_are_one_are_refused() {
    let dir = Dir::new();
    let text = crate::support::document("p");
    dir.write("in/a b.rigy.yaml", &text);
    let portable = "in -o out --names portable";
    assert_eq!(dir.run(portable).status(), 0);
    let files = dir.files();
    let name = files
        .iter()
        .find_map(|name| name.strip_prefix("out/")?.strip_suffix(".p.glb"));
    dir.write(&format!("in/{}.rigy.yaml", name.unwrap()), &text);
    dir.run(portable).exits_saying(2, "would both write");
}

#[test]
fn the_ending_of_the_output_is_its_format() {
    let dir = Dir::with("a.glb", arm().glb());
    for ending in ["obj", "stl", "ply", "usda"] {
        let (named, asked) = (format!("one/x.{ending}"), format!("two/x.{ending}"));
        assert_eq!(bake(&dir, &format!("a.glb -o {named}")).status(), 0);
        bake(&dir, &format!("a.glb -o {asked} --to {ending}")).good();
        assert!(dir.read(&named) == dir.read(&asked), "{ending}");
    }
    let other = "a name that ends in `.ply`;";
    bake(&dir, "a.glb -o z.stl --to ply").exits_saying(2, other);
    bake(&dir, "a.glb -o z.stl/ --to ply").good();
    assert!(dir.files().contains(&"z.stl/a.ply".to_owned()));
}

#[cfg(feature = "vat")]
#[test]
fn textures_that_are_too_high_are_refused_before_frames_are_baked() {
    let dir = Dir::with("a.glb", arm().glb());
    let vat = "a.glb -o out --as vat --frames 0..900000@1";
    let start = std::time::Instant::now();
    bake(&dir, vat).exits_saying(1, "900001 frames of");
    let took = start.elapsed();
    assert!(took.as_secs() < 20, "{took:?}");
}

#[test]
fn an_unknown_joint_is_named() {
    let dir = Dir::with("a.glb", arm().glb());
    bake(&dir, "a.glb --solver dqs --scale-local fare").exits_saying(1, "`fare`");
}
