//! `bake --to` and `--as vat` from outside: files of other tools are those of the library, staged, noted and compared like others.

use rigy_batch::export::{Export, Format, Images, Layout, Sequence, Up};
use rigy_batch::mesh::Model;
use rigy_batch::{Isa, Location, MemoryLoader, Moment, Skinning, Source};
use serde_json::{Value, json};

use super::builder::arm;
use super::cli::{bake, lines};
use crate::support::Dir;

/// The file that the library makes of an arm at a time.
fn made(glb: &[u8], time: f64, format: Format, layout: Layout, name: &str) -> Vec<u8> {
    let (location, loader) = (Location("a.glb".into()), MemoryLoader::default());
    let source = Source::read(glb, &location, &loader).unwrap().value;
    let moment = Moment::default().time(time);
    let baked = source
        .bake(&moment, &Skinning::linear(), Isa::best())
        .unwrap();
    let bytes = baked.value.to_bytes().unwrap().value;
    let model = Model::read(&bytes, &location, &loader).unwrap().value;
    let sequence = Sequence::new(model, layout).unwrap();
    let images = Images::default();
    let export = Export::new(&sequence, name, &images).unwrap();
    let mut file = Vec::new();
    export.write(format, &mut file).unwrap();
    file
}

fn dir() -> Dir {
    Dir::with("in/a.glb", arm().glb())
}

fn outputs_of(lines: &[Value]) -> Vec<&str> {
    lines
        .iter()
        .map(|line| line["output"].as_str().unwrap())
        .collect()
}

#[test]
fn every_format_is_what_the_library_makes() {
    let dir = dir();
    for format in Format::ALL
        .into_iter()
        .filter(|format| *format != Format::Npz)
    {
        let usual = format.layout();
        let layout = Layout {
            up: Up::Z,
            scale: 250.0,
            ..usual
        };
        let ending = format.name();
        let output = format!("out/a.{ending}");
        let arguments = format!("in -o out --time 0.7 --to {ending}");
        let found = lines(&dir, &arguments);
        assert_eq!(found[0]["output"], output);
        assert_eq!(
            json!([found[0]["animation"], found[0]["time"]]),
            json!(["wave", 0.7])
        );
        assert!(
            dir.read(&output) == made(&arm().glb(), 0.7, format, usual, "a"),
            "{ending}"
        );
        assert!(
            lines(&dir, &arguments)
                .iter()
                .all(|line| line["status"] == "unchanged")
        );
        let named = format!("to/b.{ending}");
        let arguments = format!("in/a.glb -o {named} --time 0.7 --to {ending} --up z --scale 250");
        assert_eq!(lines(&dir, &arguments)[0]["output"], named);
        assert!(
            dir.read(&named) == made(&arm().glb(), 0.7, format, layout, "b"),
            "{ending}"
        );
    }
    let mtl = String::from_utf8(dir.read("out/a.mtl")).unwrap();
    assert!(mtl.contains("newmtl paint"), "{mtl}");
    assert_eq!(
        bake(&dir, "in -o out --time 0.7 --to obj --check").status(),
        0
    );
    dir.write("out/a.mtl", "changed");
    let ran = bake(&dir, "in -o out --time 0.7 --to obj --check");
    assert_eq!(ran.status(), 1);
}

#[test]
fn frames_are_files_each_or_samples_of_one() {
    let dir = dir();
    let found = lines(&dir, "in -o out --to stl --frames 2..4@4");
    assert_eq!(
        outputs_of(&found),
        ["out/a.0002.stl", "out/a.0003.stl", "out/a.0004.stl"]
    );
    assert!(
        dir.read("out/a.0003.stl")
            == made(
                &arm().glb(),
                0.75,
                Format::Stl,
                Format::Stl.layout(),
                "a.0003"
            )
    );
    let found = lines(&dir, "in -o out --to usda --animation all --frames @4");
    assert_eq!(outputs_of(&found), ["out/a.wave.usda"]);
    assert_eq!(
        json!([found[0]["time"], found[0]["frame"]]),
        json!([null, null])
    );
    let text = String::from_utf8(dir.read("out/a.wave.usda")).unwrap();
    for part in [
        "endTimeCode = 8",
        "timeCodesPerSecond = 4",
        "points.timeSamples",
    ] {
        assert!(text.contains(part), "{part}");
    }
    lines(&dir, "in -o one --to usda --animation all --frames @4 -j 1");
    assert!(dir.read("one/a.wave.usda") == text.as_bytes());
}

#[test]
fn arrays_have_all_moments_of_an_animation() {
    let dir = dir();
    let found = lines(&dir, "in -o out --to npz --animation all");
    assert_eq!(outputs_of(&found), ["out/a.wave.npz"]);
    assert_eq!(found[0]["warnings"], json!([]));
    // The matrices of two joints at 61 moments.
    let bytes = dir.read("out/a.wave.npz");
    let shape = b"'shape': (61, 2, 4, 4,)}";
    assert!(bytes.windows(shape.len()).any(|part| part == shape));
    for (format, len) in [("pc2", 32), ("mdd", 8 + 3 * 4)] {
        let found = lines(
            &dir,
            &format!("in/a.glb -o to/{format}/b.{format} --frames 2..4@4"),
        );
        let names = [format, "mtl", "obj"].map(|ending| format!("to/{format}/b.{ending}"));
        assert_eq!(outputs_of(&found), names.each_ref().map(|name| &**name));
        let mesh = String::from_utf8(dir.read(&names[2])).unwrap();
        let vertices = mesh.lines().filter(|line| line.starts_with("v ")).count();
        assert!(mesh.contains("mtllib b.mtl\n"), "{mesh}");
        assert_eq!(dir.read(&names[0]).len(), len + 3 * 12 * vertices);
        let again = lines(
            &dir,
            &format!("in/a.glb -o to/{format}/b.{format} --frames 2..4@4"),
        );
        assert!(again.iter().all(|line| line["status"] == "unchanged"));
    }
}

#[test]
fn moments_that_are_no_array_are_refused() {
    let dir = dir();
    bake(&dir, "in/a.glb -o out --to npz --animation no").exits_saying(1, "U21");
    let mut made = arm();
    made.json["animations"][0]["channels"] = json!([]);
    dir.write("still.glb", made.glb());
    let said = "animation 0 (`wave`) has no keys, so it has no moments";
    bake(&dir, "still.glb -o out --to mdd").exits_saying(1, said);
    bake(&dir, "still.glb -o out --to usda --frames @4").exits(0);
    bake(&dir, "in/a.glb -o out --to npy").exits_saying(2, "`--to npz`");
}

#[test]
fn materials_of_two_inputs_never_replace_each_other() {
    let dir = Dir::with("in/my arm.glb", arm().glb());
    dir.write("in/my_arm.glb", arm().glb());
    bake(&dir, "in -o out --to obj").exits_saying(2, "my_arm.mtl");
    assert!(!dir.files().iter().any(|file| file.starts_with("out/my")));
}

#[test]
fn textures_of_vertices_come_with_a_mesh_and_data() {
    let dir = dir();
    for format in ["exr", "png"] {
        let arguments = format!("in -o {format} --as vat --frames @10 --texture-format {format}");
        let found = lines(&dir, &arguments);
        let names = [
            format!("{format}/a-remap_info.json"),
            format!("{format}/a.glb"),
            format!("{format}/a_vat.{format}"),
        ];
        assert_eq!(outputs_of(&found), names);
        let wave = json!({"startFrame": 1, "endFrame": 21, "framerate": 10.0, "looping": false});
        assert_eq!(dir.json(&names[0])["animations"]["wave"], wave);
        let again = lines(&dir, &arguments);
        assert!(again.iter().all(|line| line["status"] == "unchanged"));
    }
    // Without frames, thirty a second; all files or none.
    let found = lines(&dir, "in/a.glb --as vat");
    assert_eq!(found[0]["output"], "in/a.baked-remap_info.json");
    let again = lines(&dir, "in --as vat");
    assert!(again.iter().all(|line| line["status"] == "unchanged"));
    let data = dir.json("in/a.baked-remap_info.json");
    assert_eq!(data["os-remap"]["Frames"], 61);
    let ran = bake(&dir, "in/a.glb -o big --as vat --frames @9000");
    assert_eq!(ran.status(), 1);
    assert!(
        !dir.files().iter().any(|file| file.starts_with("big/a")),
        "{}",
        ran.stderr()
    );
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let dir = dir();
    for (options, said) in [
        ("--to obj --as morph", "cannot be combined with `--to`"),
        ("--up z", "`--up`"),
        ("--scale 10", "--scale"),
        ("--scale 0 --to stl", "factor above 0"),
        (
            "--joint-scale local --joint-scale reject",
            "cannot be used multiple times",
        ),
        (
            "--scale 2 --scale 3 --to stl",
            "cannot be used multiple times",
        ),
        ("--joint-scale local --local-scale-joints fore", "exclude"),
        ("--to fbx", "fbx"),
        ("--texture-format png", "--as vat"),
        ("--packing half --as vat", "--texture-format exr|png"),
        ("--up z --as vat", "y is up"),
        ("--scale 2 --to npz", "not for `--to npz`"),
        ("--join node --to npz", "`--join node` is not for arrays"),
        ("--join node --to mdd", "`--join node` is not for arrays"),
        ("--to stl --textures beside", "--textures"),
    ] {
        bake(&dir, &format!("in -o out {options}")).exits_saying(2, said);
    }
    lines(
        &dir,
        "in -o out --to stl --scale 2 --joint-scale local --solver dqs",
    );
}
