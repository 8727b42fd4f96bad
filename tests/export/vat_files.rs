//! The files of vertex animation textures: what the JSON file and the mesh tell, and which clips are refused.

use std::borrow::Cow;

use rigy_batch::export::vat::{self, VatClip, VatFormat};
use rigy_batch::export::{Layout, Sequence, Timing};
use rigy_batch::mesh::{Model, Surface};
use rigy_batch::{Executor, Location, MemoryLoader, Parallel, Sequential, Source};
use serde_json::json;

use super::made::{HOSTILE, assert_warned, bits, hostile, images, model, points, square};
use super::models::textured;
use super::vat::{build, check_all, clip, made};

#[test]
fn the_json_file_tells_bounds_and_clips() {
    let (rise, wave) = (clip(&[1.0, 2.0]), clip(&[2.0, 0.5, 1.99999]));
    let clips = [("rise", &rise), ("wave \"~\"\n", &wave), ("rise", &rise)];
    let (files, warnings) = build(&clips, VatFormat::Png).unwrap();
    let expected = json!({
        "os-remap": {"Min": [0.0, 0.0, -1.0], "Max": [0.0, 0.0, 1.0], "Frames": 7},
        "animations": {
            "rise": {"startFrame": 1, "endFrame": 2, "framerate": 30.0, "looping": false},
            "wave \"~\"\n": {"startFrame": 3, "endFrame": 5, "framerate": 30.0, "looping": true},
            "rise.6": {"startFrame": 6, "endFrame": 7, "framerate": 30.0, "looping": false},
        },
    });
    assert_eq!(files.data(), expected);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert_warned(
        &warnings[..1],
        "points and lines of \"dust\" are not in the textures",
    );
    assert_warned(
        &warnings[1..],
        "\"bare\" has no normals: those of the texture point up, so export it with normals",
    );
    let names: Vec<&str> = files.0.iter().map(|file| &*file.name).collect();
    assert_eq!(names, ["made.glb", "made_vat.png", "made-remap_info.json"]);
}

#[test]
fn the_mesh_is_the_first_frame_with_its_materials() {
    let mut first = textured();
    let mirrored = Surface {
        is_mirrored: true,
        ..square(1, 2.0)
    };
    first.surfaces.push(mirrored);
    let image = b"\x89PNG, as far as names go";
    for (bytes, words) in [
        (&image[..], None),
        (b"DDS ", Some("images[0] is a DDS file")),
    ] {
        let sequence = Sequence::new(first.clone(), Layout::default()).unwrap();
        let clips = [VatClip {
            name: "still",
            sequence: &sequence,
        }];
        let images = images(&[bytes]);
        let made = vat::build(&clips, VatFormat::Exr, HOSTILE[0], &images, &Sequential).unwrap();
        let warnings: Vec<String> = made.warnings.into_iter().map(|w| w.message).collect();
        match words {
            None => assert_eq!(warnings, [""; 0]),
            Some(words) => assert_warned(&warnings, words),
        }
        let mesh = &made.value[0];
        assert_eq!(mesh.name, format!("{}.glb", HOSTILE[0]));
        let location = Location("mesh.glb".into());
        let source = Source::read(&mesh.bytes, &location, &MemoryLoader::default())
            .unwrap()
            .value;
        let read = Model::of_file(&source.file).unwrap();
        assert_eq!(source.file.nodes[0].name.as_deref(), Some(HOSTILE[0]));
        let mut wanted = first.materials[0].clone();
        match words {
            None => assert_eq!(source.image(0), Some(bytes)),
            Some(_) => wanted.texture = None,
        }
        assert_eq!(read.materials, [wanted]);
        for (found, given) in read.surfaces.iter().zip(&first.surfaces) {
            assert_eq!(found.positions.len(), given.positions.len());
            let single = |vectors: &[[f64; 3]]| {
                vectors
                    .iter()
                    .map(|v| v.map(|n| n as f32))
                    .collect::<Vec<_>>()
            };
            assert_eq!(
                bits(&single(&found.positions)),
                bits(&single(&given.positions))
            );
            assert_eq!(found.material, given.material);
            let turned = given
                .triangles
                .iter()
                .map(|[a, b, c]| match given.is_mirrored {
                    true => [*a, *c, *b],
                    false => [*a, *b, *c],
                });
            assert_eq!(found.triangles, turned.collect::<Vec<_>>());
            let pairs = found
                .texture_coordinates
                .iter()
                .zip(&given.texture_coordinates);
            for (found, given) in pairs {
                let given = given.iter().map(|pair| pair.map(|n| f64::from(n as f32)));
                assert_eq!(*found, given.collect::<Vec<_>>());
            }
            assert_eq!(found.colors, given.colors);
        }
    }
}

#[test]
fn hostile_names_stay_names() {
    let sequence = Sequence::new(hostile(), Layout::default()).unwrap();
    let clips: Vec<_> = HOSTILE.iter().map(|name| (*name, &sequence)).collect();
    let (files, _) = build(&clips, VatFormat::Exr).unwrap();
    assert_eq!(files.data()["animations"], json!({})); // they have no times
    let location = Location("mesh.glb".into());
    let mesh = files.named(".glb");
    let read = Model::read(mesh, &location, &MemoryLoader::default()).unwrap();
    let names = read
        .value
        .materials
        .iter()
        .map(|material| material.name.as_deref().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), HOSTILE);
}

#[test]
fn scale_is_that_of_the_layout() {
    let layout = Layout {
        scale: 100.0,
        ..Layout::default()
    };
    let mut sequence = Sequence::new(model(vec![square(0, 1.0)]), layout).unwrap();
    sequence.push(&model(vec![square(0, 3.0)])).unwrap();
    check_all(&[("still", &sequence)]);
    let (files, _) = build(&[("still", &sequence)], VatFormat::Exr).unwrap();
    assert_eq!(files.data()["os-remap"]["Max"], json!([0.0, 0.0, 200.0]));
}

/// The message of the error for clips.
fn refused(sequences: &[(&str, &Sequence)]) -> String {
    match build(sequences, VatFormat::Exr) {
        Ok(_) => panic!("it is not refused"),
        Err(errors) => errors[0].message.clone(),
    }
}

#[test]
fn clips_that_do_not_fit_together_are_refused_with_what_differs() {
    let first = clip(&[1.0]);
    let with = |other: &Sequence| refused(&[("a", &first), ("b\n", other)]);
    let timed = |sequence: Sequence, rate| sequence.timed(Timing { rate, first: 0 }).unwrap();
    let of = |model: Model, layout: Layout| timed(Sequence::new(model, layout).unwrap(), 30.0);
    assert_eq!(refused(&[]), "there is no clip");
    let fewer = of(model(vec![square(0, 1.0)]), Layout::default());
    assert_eq!(
        with(&fewer),
        "clip \"b\\n\" does not fit clip \"a\": its topology is another: \"dust\" at node 1 is in one of them only"
    );
    let larger = Layout {
        scale: 2.0,
        ..Layout::default()
    };
    assert_eq!(
        with(&of(made(1.0), larger)),
        "clip \"b\\n\" does not fit clip \"a\": its axis or scale is another"
    );
    for other in [
        timed(clip(&[1.0]), 24.0),
        Sequence::new(made(1.0), Layout::default()).unwrap(),
    ] {
        assert_eq!(
            with(&other),
            "clip \"b\\n\" does not fit clip \"a\": its frames a second are others"
        );
    }
    let empty = of(model(vec![points(0)]), Layout::default());
    assert!(refused(&[("dust", &empty)]).starts_with("there are 0 vertices"));
    let long = clip(&vec![1.0; 8193]);
    assert!(refused(&[("long", &long)]).starts_with("8193 frames of 11 vertices"));
    let far = clip(&[3e38, -3e38]);
    let said = "frames are too far from the first for a texture";
    assert_eq!(refused(&[("far", &far)]), said);
}

#[test]
fn equal_clips_give_equal_files_on_any_number_of_threads() {
    let heights: Vec<f64> = (0..20).map(f64::from).collect(); // in blocks of 16 rows
    let sequence = &clip(&heights);
    let clips = ["a", "b"].map(|name| VatClip { name, sequence });
    for format in VatFormat::ALL {
        let files = |executor: &dyn Executor| {
            let made = vat::build(&clips, format, "made", &images(&[]), executor);
            made.unwrap().value
        };
        let (once, again) = (files(&Sequential), files(&Parallel));
        assert!(once == again, "{format:?}");
        assert!(once.iter().all(|file| matches!(file.bytes, Cow::Owned(_))));
    }
}

#[test]
fn the_mesh_has_textures_of_every_kind() {
    let made = super::models::fully_textured();
    let sequence = Sequence::new(made.clone(), Layout::default()).unwrap();
    let clips = [VatClip {
        name: "still",
        sequence: &sequence,
    }];
    let given = [b"\x89PNG first".as_slice(), b"\x89PNG second"];
    let images = images(&given);
    let built = vat::build(&clips, VatFormat::Exr, "made", &images, &Sequential).unwrap();
    assert!(built.warnings.is_empty());
    let location = Location("mesh.glb".into());
    let loader = MemoryLoader::default();
    let source = Source::read(&built.value[0].bytes, &location, &loader)
        .unwrap()
        .value;
    let [found] = &*Model::of_file(&source.file).unwrap().materials else {
        panic!("one material");
    };
    let bytes = |index: usize| source.image(index).unwrap();
    let wanted = &made.materials[0];
    for ((kind, info), (other_kind, other)) in
        found.other_textures.iter().zip(&wanted.other_textures)
    {
        assert_eq!((kind, bytes(info.image)), (other_kind, given[other.image]));
    }
    assert_eq!(found.other_textures.len(), 4);
    let numbers = |material: &rigy_batch::mesh::Material| {
        let [red, green, blue] = material.emissive;
        [
            red,
            green,
            blue,
            material.metallic,
            material.roughness,
            material.normal_scale,
            material.occlusion_strength,
        ]
    };
    assert_eq!(numbers(found), numbers(wanted));
}
