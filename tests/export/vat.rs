//! Vertex animation textures: a reader of its own finds the vertices of every frame at the texels that the mesh looks up.

use rigy_batch::bake::gltf;
use rigy_batch::export::vat::{self, Packing, VatClip, VatOptions};
use rigy_batch::export::{Beside, Images, Layout, Sequence, Timing};
use rigy_batch::mesh::{Model, Surface};
use rigy_batch::{
    Baker, Code, Diagnostic, Isa, Location, MemoryLoader, Sequential, Skinning, Source,
    bake::ClipTime,
};
use serde_json::{Value, json};

use super::made::{bare, model, points, square};
use super::vat_reader::{Sample, exr, half, png};
use crate::support::published;

pub struct Files(pub Vec<Beside<'static>>);

impl Files {
    pub fn named(&self, ending: &str) -> &[u8] {
        let mut files = self.0.iter();
        let file = files.find(|file| file.name.ends_with(ending));
        &file.unwrap_or_else(|| panic!("no {ending}")).bytes
    }

    pub fn data(&self) -> Value {
        serde_json::from_slice(self.named("_data.json")).unwrap()
    }
}

pub fn made(height: f64) -> Model {
    model(vec![
        square(0, height),
        points(1),
        bare(2),
        square(3, -height),
    ])
}

/// A clip of squares at these heights.
pub fn clip(heights: &[f64]) -> Sequence {
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

pub fn build(
    sequences: &[(&str, &Sequence)],
    packing: Packing,
    max_width: u32,
) -> Result<(Files, Vec<String>), Vec<Diagnostic>> {
    let clips = sequences.iter();
    let clips: Vec<_> = clips
        .map(|(name, sequence)| VatClip { name, sequence })
        .collect();
    let options = VatOptions { packing, max_width };
    let made = vat::build(&clips, &options, "made", &Images::default(), &Sequential)?;
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

/// Checks that every vertex of every frame finds its vector: `check` gets the texel, the vector and that of
/// the first frame.
fn compare<T: Copy>(
    files: &Files,
    texels: &[[T; 3]],
    expected: &[Vec<[f32; 3]>],
    check: impl Fn([T; 3], [f32; 3], [f32; 3]),
) {
    let data = files.data();
    let whole = |name: &str| data[name].as_u64().unwrap() as usize;
    let frame_texels = whole("width") * whole("rows_per_frame");
    assert_eq!(texels.len(), whole("width") * whole("height"));
    assert_eq!(texels.len(), frame_texels * expected.len());
    let places = looked_up(files, &data);
    for (frame, vectors) in texels.chunks_exact(frame_texels).zip(expected) {
        assert_eq!(places.len(), vectors.len());
        for (index, (place, vector)) in places.iter().zip(vectors).enumerate() {
            check(frame[*place], *vector, expected[0][index]);
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
pub fn check_all(sequences: &[(&str, &Sequence)], max_width: u32) {
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
            compare(files, &exr(file).texels, expected, |found, wanted, _| {
                let wanted = wanted.map(|number| Sample::Float(number.to_bits()));
                assert_eq!(found, wanted);
            });
        }
        Packing::Half => {
            assert_eq!((offset, scale), ([0.0; 3], [1.0; 3]));
            let is_relative = texture == "positions";
            assert_eq!(data["relative"], json!(true));
            compare(
                files,
                &exr(file).texels,
                expected,
                |found, wanted, first| {
                    for axis in 0..3 {
                        let Sample::Half(bits) = found[axis] else {
                            panic!("{found:?}")
                        };
                        let step = half((bits & 0x7fff) + 1) - half(bits & 0x7fff);
                        let from = if is_relative { first[axis] } else { 0.0 };
                        let distance = half(bits) - (f64::from(wanted[axis]) - f64::from(from));
                        assert!(distance.abs() <= step / 2.0, "{found:?} {wanted:?}");
                    }
                },
            );
        }
        Packing::Unorm16 => compare(files, &png(file).texels, expected, |found, wanted, _| {
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
fn the_mesh_keeps_what_it_can_of_materials_and_tells_the_rest() {
    let of = |extensions: serde_json::Value| {
        let material = serde_json::json!({"name": "skin", "extensions": extensions});
        let model = super::models::painted(&material);
        let sequence = Sequence::new(model, Layout::default()).unwrap();
        let (files, warnings) = build(&[("", &sequence)], Packing::Half, 64).unwrap();
        let (tree, _) = crate::support::glb_parts(files.named("_mesh.glb"));
        (tree, warnings)
    };
    let kept = serde_json::json!({"KHR_materials_clearcoat": {"clearcoatFactor": 0.5, "clearcoatRoughnessFactor": 0.25},
        "KHR_materials_ior": {"ior": 1.25}});
    let (tree, warnings) = of(kept.clone());
    assert_eq!(warnings, [""; 0]);
    assert_eq!(tree["materials"][0]["extensions"], kept);
    assert_eq!(
        tree["extensionsUsed"],
        serde_json::json!(["KHR_materials_clearcoat", "KHR_materials_ior"])
    );
    let (tree, warnings) = of(serde_json::json!({"KHR_materials_unlit": {}}));
    assert_eq!(warnings, [""; 0]);
    assert!(tree["materials"][0]["extensions"]["KHR_materials_unlit"].is_object());
    let (_, warnings) = of(serde_json::json!({"KHR_materials_volume": {"thicknessFactor": 1}}));
    assert_eq!(warnings, ["the volume of \"skin\" is not in the glb file"]);
}
