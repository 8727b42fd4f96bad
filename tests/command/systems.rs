//! Paths on systems that differ: a document means the same everywhere.

use crate::support::{Dir, PART, USER, document};

#[test]
fn a_reference_finds_a_file_by_its_own_name_only() {
    let dir = Dir::with("parts/p.part.yaml", PART);
    for (reference, is_found) in [
        ("parts/p.part.yaml", true),
        ("./parts/../parts/p.part.yaml", true),
        ("parts/P.part.yaml", false),
        ("Parts/p.part.yaml", false),
        (r"parts\p.part.yaml", false),
        ("parts/p.part.yaml.", false),
        ("parts/p.part.yaml ", false),
        ("parts /p.part.yaml", false),
        ("parts/p.part.yaml:stream", false),
    ] {
        let text = USER.replace("p.part.yaml", &format!("'{reference}'"));
        dir.write("u.rigy.yaml", text);
        let ran = dir.run("u.rigy.yaml -n --format json");
        assert_eq!(ran.status(), i32::from(!is_found), "{reference}");
        if !is_found {
            let codes = &ran.json()[0]["errors"][0]["code"];
            assert_eq!(codes, "U06", "{reference}: {}", ran.stdout());
        }
    }
}

#[test]
#[cfg(windows)]
fn a_wrong_spelling_is_answered_with_the_right_one() {
    let dir = Dir::with("Part.yaml", PART);
    dir.write("u.rigy.yaml", USER.replace("p.part.yaml", "part.yaml"));
    dir.run("u.rigy.yaml -n").exits_saying(1, "`Part.yaml`");
    dir.write("u.rigy.yaml", USER.replace("p.part.yaml", r".\Part.yaml"));
    dir.run("u.rigy.yaml -n").exits_saying(1, "write `/`");
    dir.write("Mount.ricy.yaml", "");
    let with_contract = "{source: Part.yaml, contract: mount.ricy.yaml}";
    dir.write(
        "u.rigy.yaml",
        USER.replace("{source: p.part.yaml}", with_contract),
    );
    dir.run("u.rigy.yaml -n")
        .exits_saying(1, "`Mount.ricy.yaml`");
}

#[test]
#[cfg(windows)]
fn names_of_devices_are_devices_and_no_outputs() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.run("a.rigy.yaml -o out --report NUL").good();
    assert!(dir.glbs().contains(&"out/a.glb".to_owned()));
    dir.run("preview a.rigy.yaml -o con.png")
        .exits_saying(2, "device");
    dir.run("a.rigy.yaml -o out --report aux.json")
        .exits_saying(2, "device");
}

#[test]
#[cfg(windows)]
fn patterns_are_expanded_by_the_program() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.write("b.rigy.yaml", document("p"));
    dir.run("*.rigy.yaml -o out").good();
    assert_eq!(
        dir.glbs()
            .iter()
            .filter(|name| name.ends_with("b.glb"))
            .count(),
        1
    );
}

#[test]
fn paths_have_slashes_in_what_is_printed() {
    let dir = Dir::with("in/sub/a.rigy.yaml", document("p"));
    let ran = dir.run("in -o out --format json");
    let line = &ran.json()[0];
    assert_eq!(line["input"], "in/sub/a.rigy.yaml");
    assert_eq!(line["output"], "out/sub/a.glb");
}

#[test]
fn line_ends_of_windows_make_no_difference() {
    let dir = Dir::with("plain/a.rigy.yaml", document("p"));
    let text = format!("\u{feff}{}", document("p").replace('\n', "\r\n"));
    dir.write("windows/a.rigy.yaml", text);
    dir.run(". -o out").good();
    assert_eq!(dir.read("out/windows/a.glb"), dir.read("out/plain/a.glb"));
}

#[test]
fn long_paths_make_no_difference() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    let deep = vec!["d".repeat(60); 5].join("/");
    dir.write(&format!("{deep}/a.rigy.yaml"), document("p"));
    dir.run(". -o out").good();
    assert_eq!(
        dir.read(&format!("out/{deep}/a.glb")),
        dir.read("out/a.glb")
    );
}
