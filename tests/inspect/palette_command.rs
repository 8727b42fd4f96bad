//! The command `palette`: its binary form, its errors, and files that are broken.

use rigy_batch::inspect::palette::{ALIGNMENT, Palette, of_file};
use rigy_batch::{JointScale, Location, MemoryLoader, Moment, Source};

use super::shader::Bound;
use crate::support::skinned::skinned;
use crate::support::{Dir, document};

#[test]
fn parts_of_the_binary_form_can_be_bound() {
    let dir = Dir::new();
    dir.write("m.rigy.yaml", document("p"));
    let ran = dir.run(&[
        "palette",
        "m.rigy.yaml",
        "--pose",
        "p",
        "--format",
        "binary",
        "-o",
        "p.bin",
    ]);
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    let bytes = dir.read("p.bin");
    let bound = Bound(&bytes);
    assert!(bytes.starts_with(b"RGPL\x01\0\0\0"));
    assert_eq!(bound.word(8) as usize, bytes.len());
    assert_eq!([bound.word(12), bound.word(20)], [1, 1]);
    let parts = [
        bound.skin(0, 4),
        bound.skin(0, 5),
        bound.mesh(0, 5),
        bound.mesh(0, 6),
    ];
    for part in parts {
        assert!(
            part > 0 && (part as usize).is_multiple_of(ALIGNMENT),
            "{part}"
        );
    }
    let name = bound.mesh(0, 9) as usize;
    assert_eq!(&bytes[name..name + bound.mesh(0, 10) as usize], b"m");
    // The JSON has the same numbers in double precision.
    let ran = dir.run(&["palette", "m.rigy.yaml", "--pose", "p"]);
    let json = &ran.json()[0];
    assert_eq!(json["pose"], "p");
    let real = &json["skins"][0]["dual_quaternions"][0]["real"];
    assert_eq!(*real, serde_json::json!([0.6, 0.8, 0.0, 0.0]));
    assert_eq!(
        json["meshes"][0]["weights"][0],
        serde_json::json!([1.0, 0.0, 0.0, 0.0])
    );
}

#[test]
fn options_of_the_other_kind_of_file_and_files_that_are_read_are_refused() {
    let dir = Dir::new();
    dir.write("m.rigy.yaml", document("p"));
    dir.write("bad.rigy.yaml", "version: \"0.5\"\nmeshes: 7\n");
    let made = skinned(4, 0.0);
    dir.write("m.glb", made.glb());
    for (arguments, status, message) in [
        (
            &["m.rigy.yaml", "--pose", "q"][..],
            2,
            "the document has no pose `q`",
        ),
        (&["m.rigy.yaml", "--time", "1"], 2, "are for glTF files"),
        (&["m.glb", "--pose", "p"], 2, "`--pose` is for documents"),
        (
            &["m.glb", "--animation", "Run"],
            1,
            "there is no animation `Run`",
        ),
        (
            &["m.glb", "-o", "m.glb"],
            2,
            "is one of the files that are read",
        ),
        (&["bad.rigy.yaml"], 1, "meshes"),
        (&["none.glb"], 2, "cannot read `none.glb`"),
    ] {
        let ran = dir.run(&[&["palette"], arguments].concat());
        assert_eq!(ran.status(), status, "{arguments:?}: {}", ran.stderr());
        assert!(ran.stderr().contains(message), "{}", ran.stderr());
        assert_eq!(ran.stdout(), "", "{arguments:?}");
    }
    assert_eq!(dir.read("m.glb"), made.glb());
}

#[test]
fn no_cut_or_changed_file_makes_a_palette_panic() {
    let made = skinned(3, 0.0).glb();
    let location = Location("m.glb".into());
    let attempt = |bytes: &[u8]| -> Option<Palette> {
        let source = Source::read(bytes, &location, &MemoryLoader::default()).ok()?;
        let moment = Moment::default();
        let palette = of_file(&source.value, &moment, &JointScale::Global, "m.glb")
            .ok()?
            .value;
        let _ = palette.to_bytes();
        Some(palette)
    };
    assert!(attempt(&made).is_some());
    for end in 0..made.len() {
        assert!(attempt(&made[..end]).is_none());
    }
    let mut accepted = 0;
    for at in 0..made.len() {
        let mut changed = made.clone();
        changed[at] ^= 0x55;
        accepted += usize::from(attempt(&changed).is_some());
    }
    assert!(accepted > 0);
}
