//! Vertex animation textures: a reader of its own finds the vertices of every frame at the texels that the mesh looks up.

use std::borrow::Cow;

use rigy_batch::bake::gltf;
use rigy_batch::export::vat::{self, Packing, VatClip, VatOptions};
use rigy_batch::export::{Beside, Layout, Sequence, Timing, Up};
use rigy_batch::inspect::{Model, Surface};
use rigy_batch::{
    Baker, Code, Diagnostic, Isa, Location, MemoryLoader, Skinning, Source, bake::ClipTime,
};
use serde_json::{Value, json};

use super::made::{HOSTILE, assert_warned, bare, bits, hostile, model, points, square};
use super::models::textured;
use super::vat_reader::{Sample, exr, half, png};
use crate::support::published;

/// The files of some clips.
struct Files(Vec<Beside<'static>>);

impl Files {
    fn named(&self, ending: &str) -> &[u8] {
        let mut files = self.0.iter();
        let file = files.find(|file| file.name.ends_with(ending));
        &file.unwrap_or_else(|| panic!("no {ending}")).bytes
    }

    fn data(&self) -> Value {
        serde_json::from_slice(self.named("_data.json")).unwrap()
    }
}

fn made(height: f64) -> Model {
    model(vec![
        square(0, height),
        points(1),
        bare(2),
        square(3, -height),
    ])
}

/// A clip of squares at these heights.
fn clip(heights: &[f64]) -> Sequence {
    let mut models = heights.iter().map(|height| made(*height));
    let sequence = Sequence::new(models.next().unwrap(), Layout::default()).unwrap();
    let timing = Timing {
        rate: 30.0,
        first: 3,
    };
    let mut sequence = sequence.timed(timing).unwrap();
    models.for_each(|model| sequence.push(&model).unwrap());
    sequence
}

fn build(
    sequences: &[(&str, &Sequence)],
    packing: Packing,
    max_width: u32,
) -> Result<(Files, Vec<String>), Vec<Diagnostic>> {
    let clips = sequences.iter();
    let clips: Vec<_> = clips
        .map(|(name, sequence)| VatClip { name, sequence })
        .collect();
    let options = VatOptions { packing, max_width };
    let made = vat::build(&clips, &options, "made", &|_| None)?;
    let warnings = made.warnings.into_iter().map(|warning| {
        assert_eq!(warning.code, Some(Code::W16));
        warning.message
    });
    Ok((Files(made.value), warnings.collect()))
}

/// The vertices of triangles of all frames: positions or normals, one frame after the other.
fn vectors(sequences: &[(&str, &Sequence)], normals: bool) -> Vec<Vec<[f32; 3]>> {
    let frames = sequences.iter().flat_map(|(_, sequence)| {
        let surfaces = &sequence.model().surfaces;
        let frames = sequence.frames().iter();
        frames.map(move |frame| (surfaces, frame))
    });
    let of_frame = |(surfaces, frame): (&Vec<Surface>, &rigy_batch::export::Frame)| {
        let pairs = surfaces.iter().zip(&frame.surfaces);
        let pairs = pairs.filter(|(surface, _)| !surface.triangles.is_empty());
        let lists = pairs.map(|(_, vertices)| match normals {
            false => vertices.positions.clone(),
            true => {
                let normals = vertices.normals.clone();
                normals.unwrap_or(vec![[0.0; 3]; vertices.positions.len()])
            }
        });
        lists.collect::<Vec<_>>().concat()
    };
    frames.map(of_frame).collect()
}

/// The number of the texel in each row of frames that each vertex of the mesh looks up.
fn looked_up(files: &Files, data: &Value) -> Vec<usize> {
    let mesh = files.named("_mesh.glb");
    let location = Location("mesh.glb".into());
    let file = gltf::read(mesh, &location, &MemoryLoader::default()).unwrap();
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
    let size = ["width", "height"].map(|side| data[side].as_f64().unwrap() as f32);
    let places = file.value.meshes[0]
        .primitives
        .iter()
        .flat_map(|primitive| {
            let accessor = file
                .value
                .accessor(primitive.attribute("TEXCOORD_1").unwrap());
            let mut places = vec![[0.0f32; 2]; accessor.unwrap().count()];
            assert!(accessor.unwrap().copy_f32(0, &mut places));
            places
        });
    places
        .map(|[u, v]| {
            let middle = [u * size[0], v * size[1]];
            assert!(
                middle.iter().all(|at| (at.fract() - 0.5).abs() < 0.01),
                "{middle:?}"
            );
            middle[1] as usize * size[0] as usize + middle[0] as usize
        })
        .collect()
}

/// Checks that every vertex of every frame finds its vector: `check` gets the texel and the vector.
fn compare<T: Copy>(
    files: &Files,
    texels: &[[T; 3]],
    expected: &[Vec<[f32; 3]>],
    check: impl Fn([T; 3], [f32; 3]),
) {
    let data = files.data();
    let whole = |name: &str| data[name].as_u64().unwrap() as usize;
    let frame_texels = whole("width") * whole("rows_per_frame");
    assert_eq!(texels.len(), whole("width") * whole("height"));
    assert_eq!(texels.len(), frame_texels * expected.len());
    let places = looked_up(files, &data);
    for (frame, vectors) in texels.chunks_exact(frame_texels).zip(expected) {
        assert_eq!(places.len(), vectors.len());
        for (place, vector) in places.iter().zip(vectors) {
            check(frame[*place], *vector);
        }
    }
}

fn decoding(data: &Value, texture: &str) -> [[f64; 3]; 2] {
    ["offset", "scale"].map(|name| {
        let list = data[texture][name].as_array().unwrap();
        std::array::from_fn(|axis| list[axis].as_f64().unwrap() as f32 as f64)
    })
}

/// Checks both textures in each packing.
fn check_all(sequences: &[(&str, &Sequence)], max_width: u32) {
    let positions = vectors(sequences, false);
    let normals = vectors(sequences, true);
    for packing in Packing::ALL {
        let (files, _) = build(sequences, packing, max_width).unwrap();
        let data = files.data();
        check(&files, &data, packing, "positions", &positions);
        if !data["normals"].is_null() {
            check(&files, &data, packing, "normals", &normals);
        }
    }
}

/// Checks a texture.
fn check(files: &Files, data: &Value, packing: Packing, texture: &str, expected: &[Vec<[f32; 3]>]) {
    let [offset, scale] = decoding(data, texture);
    let file = files.named(data[texture]["file"].as_str().unwrap());
    match packing {
        Packing::Float => {
            assert_eq!((offset, scale), ([0.0; 3], [1.0; 3]));
            compare(files, &exr(file).texels, expected, |found, wanted| {
                let wanted = wanted.map(|number| Sample::Float(number.to_bits()));
                assert_eq!(found, wanted);
            });
        }
        Packing::Half => {
            assert_eq!(scale, [1.0; 3]);
            compare(files, &exr(file).texels, expected, |found, wanted| {
                for axis in 0..3 {
                    let Sample::Half(bits) = found[axis] else {
                        panic!("{found:?}")
                    };
                    let step = half((bits & 0x7fff) + 1) - half(bits & 0x7fff);
                    let distance = half(bits) - (f64::from(wanted[axis]) - offset[axis]);
                    assert!(distance.abs() <= step / 2.0, "{found:?} {wanted:?}");
                }
            });
        }
        Packing::Unorm16 => compare(files, &png(file).texels, expected, |found, wanted| {
            for axis in 0..3 {
                let number = offset[axis] + scale[axis] * f64::from(found[axis]) / 65_535.0;
                let distance = (number - f64::from(wanted[axis])).abs();
                assert!(
                    distance <= scale[axis] / 65_535.0 * 0.501,
                    "{found:?} {wanted:?}"
                );
            }
        }),
    }
}

#[test]
fn every_vertex_of_every_frame_is_found_by_the_coordinates_of_the_mesh() {
    let (rise, fall) = (clip(&[0.1, 1.0 / 3.0, 7.0]), clip(&[-3.0e-6, -0.5]));
    // Eleven vertices: in one row, in rows of six and five, in four rows of three and two, one below the other.
    for max_width in [16_384, 11, 10, 3, 1] {
        check_all(&[("rise", &rise), ("fall", &fall)], max_width);
    }
}

#[test]
fn many_frames_fill_several_blocks_of_an_exr_file() {
    let heights: Vec<f64> = (0..50).map(|frame| f64::from(frame) / 7.0).collect();
    check_all(&[("climb", &clip(&heights))], 6);
}

#[test]
fn clips_of_samples_agree_with_their_bakes() {
    for name in ["Fox", "CesiumMan-geometry", "RobotQuaternius"] {
        let Some(path) = published(&format!("gltf-samples/real/{name}.glb")) else {
            continue;
        };
        let bytes = std::fs::read(path).unwrap();
        let location = Location("sample.glb".into());
        let source = Source::read(&bytes, &location, &MemoryLoader::default());
        let source = source.unwrap().value;
        let baker = Baker::new(&source);
        let animations = 0..source.file.animations.len().min(3);
        let sequences = animations.map(|animation| {
            let mut models = [0.0, 0.25, 0.5].into_iter().map(|time| {
                let at = Some(ClipTime { animation, time });
                let baked = baker.bake_at(at, &Skinning::linear(), Isa::best());
                let glb = baked.unwrap().value.to_bytes().unwrap().value;
                Model::read(&glb, &location, &MemoryLoader::default())
                    .unwrap()
                    .value
            });
            let mut sequence = Sequence::new(models.next().unwrap(), Layout::default()).unwrap();
            models.for_each(|model| sequence.push(&model).unwrap());
            (animation.to_string(), sequence)
        });
        let sequences: Vec<(String, Sequence)> = sequences.collect();
        let clips = sequences.iter();
        let clips: Vec<_> = clips
            .map(|(name, sequence)| (name.as_str(), sequence))
            .collect();
        check_all(&clips, 1000);
    }
}

#[test]
fn the_sidecar_tells_clips_bounds_and_files() {
    let (rise, wave) = (clip(&[1.0, 2.0]), clip(&[2.0, 0.5, 2.0]));
    let (files, warnings) = build(
        &[("rise", &rise), ("wave \"~\"\n", &wave)],
        Packing::Unorm16,
        6,
    )
    .unwrap();
    let data = files.data();
    let expected = json!({
        "version": 1, "generator": "rigy-batch", "mesh": "made_mesh.glb", "packing": "unorm16",
        "positions": {"file": "made_pos.png", "offset": [0.0, -2.0, 0.0], "scale": [6.0, 4.0, 1.0]},
        "normals": {"file": "made_norm.png", "offset": [-1.0, -1.0, -1.0], "scale": [2.0, 2.0, 2.0]},
        "width": 6, "height": 10, "rows_per_frame": 2, "vertices": 11, "frames": 5, "fps": 30.0,
        "bounds": {"min": [0.0, -2.0, 0.0], "max": [6.0, 2.0, 1.0]}, "up": "y", "scale": 1.0,
        "clips": [
            {"name": "rise", "first_frame": 0, "first_row": 0, "frames": 2,
             "start": 0.1, "seconds": 1.0 / 30.0, "loop": false},
            {"name": "wave \"~\"\n", "first_frame": 2, "first_row": 4, "frames": 3,
             "start": 0.1, "seconds": 2.0 / 30.0, "loop": true},
        ],
    });
    assert_eq!(data, expected);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert_warned(
        &warnings[..1],
        "points and lines of \"dust\" are not in the textures",
    );
    assert_warned(&warnings[1..], "\"bare\" has no normals: its texels are 0");
    let texture = png(files.named("_pos.png"));
    assert_eq!((texture.width, texture.height), (6, 10));
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
    for (bytes, words) in [(&image[..], None), (b"DDS ", Some("no PNG or JPEG"))] {
        let sequence = Sequence::new(first.clone(), Layout::default()).unwrap();
        let clips = [VatClip {
            name: "still",
            sequence: &sequence,
        }];
        let made =
            vat::build(&clips, &VatOptions::default(), HOSTILE[0], &|_| Some(bytes)).unwrap();
        let warnings: Vec<String> = made.warnings.into_iter().map(|w| w.message).collect();
        match words {
            None => assert_eq!(warnings, [""; 0]),
            Some(words) => assert_warned(&warnings, words),
        }
        let mesh = &made.value[0];
        assert_eq!(mesh.name, format!("{}_mesh.glb", HOSTILE[0]));
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
    let (files, _) = build(&clips, Packing::Half, 64).unwrap();
    let data = files.data();
    let names = data["clips"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|clip| clip["name"].as_str().unwrap()).collect();
    assert_eq!(names, HOSTILE);
    assert_eq!(data["fps"], Value::Null);
    let location = Location("mesh.glb".into());
    let mesh = files.named("_mesh.glb");
    let read = Model::read(mesh, &location, &MemoryLoader::default()).unwrap();
    let names = read
        .value
        .materials
        .iter()
        .map(|material| material.name.as_deref().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), HOSTILE);
}

#[test]
fn axes_and_scale_are_those_of_the_layout() {
    let layout = Layout {
        up: Up::Z,
        scale: 100.0,
        ..Layout::default()
    };
    let sequence = Sequence::new(model(vec![square(0, 1.0)]), layout).unwrap();
    check_all(&[("still", &sequence)], 4);
    let data = build(&[("still", &sequence)], Packing::Float, 4)
        .unwrap()
        .0
        .data();
    assert_eq!((&data["up"], &data["scale"]), (&json!("z"), &json!(100.0)));
    assert_eq!(
        data["bounds"],
        json!({"min": [0.0, -100.0, 100.0], "max": [100.0, 0.0, 100.0]})
    );
}

/// The message of the error for clips.
fn refused(sequences: &[(&str, &Sequence)], packing: Packing) -> String {
    match build(sequences, packing, 8192) {
        Ok(_) => panic!("it is not refused"),
        Err(errors) => errors[0].message.clone(),
    }
}

#[test]
fn clips_that_do_not_fit_together_are_refused_with_what_differs() {
    let first = clip(&[1.0]);
    let with = |other: &Sequence| refused(&[("a", &first), ("b\n", other)], Packing::Float);
    let timed = |sequence: Sequence, rate| sequence.timed(Timing { rate, first: 0 }).unwrap();
    let of = |model: Model, layout: Layout| timed(Sequence::new(model, layout).unwrap(), 30.0);
    assert_eq!(refused(&[], Packing::Float), "there is no clip");
    let fewer = of(model(vec![square(0, 1.0)]), Layout::default());
    assert_eq!(
        with(&fewer),
        "clip \"b\\n\" does not fit clip \"a\": its topology is another: 1 primitives, not 4"
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
    assert!(refused(&[("dust", &empty)], Packing::Float).starts_with("there are 0 vertices"));
    let long = clip(&vec![1.0; 16_385]);
    assert!(refused(&[("long", &long)], Packing::Float).starts_with("16385 frames of one row"));
    let large = of(made(1e6), Layout::default());
    assert_eq!(
        refused(&[("large", &large)], Packing::Half),
        "the bounds of all frames are too far apart for `half`"
    );
}

#[test]
fn equal_clips_give_equal_files() {
    let (a, b) = (clip(&[0.1, 0.2]), clip(&[0.3]));
    for packing in Packing::ALL {
        let files = || build(&[("a", &a), ("b", &b)], packing, 5).unwrap().0.0;
        let (once, again) = (files(), files());
        assert!(once == again, "{packing:?}");
        assert!(once.iter().all(|file| matches!(file.bytes, Cow::Owned(_))));
    }
}
