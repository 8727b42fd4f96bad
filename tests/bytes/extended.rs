//! Generated documents of 0.6 to 0.13, and scenes: the library and the oracle must give the same bytes.
//!
//! The environment variable `RIGY_GENERATED` says how many of each; before a release it is 1000 (CONTRIBUTING.md).

use rigy_batch::base::output::OutputFile;
use rigy_batch::compile::{self, Files, Input};

use super::generated::{agree_on, beside, in_parallel};
use crate::support::chance::{asked, cases};
use crate::{documents, oracle};

/// The numbers of documents and scenes that together have every feature.
const DOCUMENTS: usize = 150;
const SCENES: usize = 60;

/// How many documents, or scenes, are compared.
fn count(daily: usize, full: usize) -> u64 {
    asked("RIGY_GENERATED", cases(daily, full)) as u64
}

#[test]
fn documents_of_every_later_feature() {
    in_parallel(count(40, DOCUMENTS), |index| {
        let generated = documents::extended_document(17, index);
        agree_on(&generated, &format!("seed 17, document {index}"));
    });
}

#[test]
fn scenes_to_depth_three() {
    in_parallel(count(20, SCENES), scene);
}

fn scene(index: u64) {
    let generated = documents::scene(17, index);
    let loader = beside(&generated);
    let files = Files::new(loader.clone());
    let text = generated.yaml.trim_start_matches('\u{feff}');
    let compiled = compile::check(Input::new("s.rigs.yaml", &generated.yaml), &files)
        .and_then(|checked| checked.value.build())
        .unwrap_or_else(|errors| panic!("scene {index}: {errors:#?}\n{text}"))
        .value;
    let glb = compiled.export().unwrap().to_bytes();
    let expected = oracle::compile_scene(text, &|name| loader.files[name].clone());
    assert!(glb == expected, "scene {index} differs");
}

/// Every word that a feature needs is in some of the documents; otherwise the tests above show less than they say when all are compared.
#[test]
fn the_series_have_every_feature() {
    let documents = (0..DOCUMENTS as u64).map(|index| documents::extended_document(17, index));
    let scenes = (0..SCENES as u64).map(|index| documents::scene(17, index));
    let all: Vec<String> = documents
        .chain(scenes)
        .flat_map(|generated| {
            let files = generated.files.into_iter().map(|(_, text)| text);
            std::iter::once(generated.yaml).chain(files)
        })
        .collect();
    let versions = (6..=13).map(|minor| format!("\"0.{minor}\""));
    #[rustfmt::skip] // several in a line
    let words = [
        "params", "=sqrt", "=deg2rad", "repeat", "${i}", "${m}", "rotation_quat", "rotation_axis_angle",
        "rotation_degrees", "rotation_euler", "aabb", "box_decompose", "cutouts", "neg_face", "pos_face",
        "triangle_prism_on_plane", "wedge", "base_color", "uv_roles", "uses_uv_roles", "planar_xy@1",
        "box_project@1", "sphere_latlong@1", "cylindrical@1", "capsule_cyl_latlong@1", "tags",
        "implicit_surface", "metaball_sphere@1", "metaball_capsule@1", "sdf_sphere@1", "sdf_capsule@1",
        "subtract", "scale", "geometry_checks", "mirror_x", "skinning_solver", "rigs_version", "nudge",
        "270deg", "slots.f0", ".mat", "_gap_0",
    ];
    for word in versions.chain(words.map(str::to_owned)) {
        let with = all.iter().filter(|text| text.contains(&word)).count();
        assert!(with > 0, "no document has {word}");
        println!("{with} documents have {word}");
    }
}
