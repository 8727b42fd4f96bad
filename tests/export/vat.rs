//! Vertex animation textures: a reader of its own finds the vertices of every frame at the texels that the mesh looks up.

use rigy_batch::bake::gltf;
use rigy_batch::export::vat::{self, VatClip, VatFormat};
use rigy_batch::export::{Beside, Images, Layout, Sequence, Timing};
use rigy_batch::mesh::{Model, Surface};
use rigy_batch::{
    Baker, Code, Diagnostic, Isa, Location, MemoryLoader, Sequential, Skinning, Source,
    bake::ClipTime,
};
use serde_json::Value;

use super::made::{bare, model, points, square};
use super::vat_reader::{exr, png};
use crate::support::published;

pub struct Files(pub Vec<Beside<'static>>);

impl Files {
    pub fn named(&self, ending: &str) -> &[u8] {
        let mut files = self.0.iter();
        let file = files.find(|file| file.name.ends_with(ending));
        &file.unwrap_or_else(|| panic!("no {ending}")).bytes
    }

    pub fn data(&self) -> Value {
        serde_json::from_slice(self.named("-remap_info.json")).unwrap()
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
    format: VatFormat,
) -> Result<(Files, Vec<String>), Vec<Diagnostic>> {
    let clips = sequences.iter();
    let clips: Vec<_> = clips
        .map(|(name, sequence)| VatClip { name, sequence })
        .collect();
    let made = vat::build(&clips, format, "made", &Images::default(), &Sequential)?;
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
                normals.unwrap_or(vec![[0.0, 1.0, 0.0]; vertices.positions.len()])
            }
        });
        lists.collect::<Vec<_>>().concat()
    };
    frames.map(of_frame).collect()
}

/// The texture coordinates that the vertices of the mesh look up, and their positions.
fn looked_up(files: &Files) -> Vec<([f32; 2], [f32; 3])> {
    let location = Location("mesh.glb".into());
    let file = gltf::read(files.named(".glb"), &location, &MemoryLoader::default()).unwrap();
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
    let primitives = file.value.meshes[0].primitives.iter();
    let vertices = primitives.flat_map(|primitive| {
        let accessor = |name| {
            let index = primitive.attribute(name).unwrap();
            file.value.accessor(index).unwrap()
        };
        let mut places = vec![[0.0f32; 2]; accessor("TEXCOORD_1").count()];
        assert!(accessor("TEXCOORD_1").copy_f32(0, &mut places));
        let mut rest = vec![[0.0f32; 3]; places.len()];
        assert!(accessor("POSITION").copy_f32(0, &mut rest));
        places.into_iter().zip(rest).collect::<Vec<_>>()
    });
    vertices.collect()
}

/// Checks both formats as shaders read them: a frame lies a row below the one before, normals half the height below positions,
/// and y of glTF is z of Blender.
pub fn check_all(sequences: &[(&str, &Sequence)]) {
    let wanted = [false, true].map(|normals| vectors(sequences, normals));
    for format in VatFormat::ALL {
        let (files, _) = build(sequences, format).unwrap();
        let texture = match format {
            VatFormat::Exr => exr(files.named("_vat.exr")),
            VatFormat::Png => png(files.named("_vat.png")),
        };
        let remap = &files.data()["os-remap"];
        let bound = |name: &str| [0, 1, 2].map(|axis| remap[name][axis].as_f64().unwrap() as f32);
        let (least, most) = (bound("Min"), bound("Max"));
        assert_eq!(remap["Frames"], wanted[0].len());
        let step = match format {
            VatFormat::Exr => 1.0 / 16_777_216.0,
            VatFormat::Png => 0.5 / 65_535.0,
        };
        let looked_up = looked_up(&files);
        for (frame, wanted) in wanted[0].iter().zip(&wanted[1]).enumerate() {
            let wanted = [wanted.0, wanted.1];
            for (vertex, ([u, v], rest)) in looked_up.iter().enumerate() {
                let v = v + frame as f32 * (1.0 / texture.height as f32);
                let texel = |v: f32| {
                    let row = (v * texture.height as f32) as usize;
                    texture.texels[row * texture.width + (u * texture.width as f32) as usize]
                };
                let turned = |[x, y, z]: [f32; 3]| [x, z, -y];
                let (t, n) = (texel(v), texel(v + 0.5));
                let moved =
                    std::array::from_fn(|axis| least[axis] + t[axis] * (most[axis] - least[axis]));
                let (moved, normal) = (turned(moved), turned(n.map(|n| 2.0 * n - 1.0)));
                let ranges = turned(std::array::from_fn(|axis| most[axis] - least[axis]));
                for axis in 0..3 {
                    let [position, direction] = [0, 1].map(|kind| wanted[kind][vertex][axis]);
                    let size = rest[axis].abs().max(position.abs()).max(ranges[axis].abs());
                    let allowed = step * ranges[axis].abs() + 4.0 * f32::EPSILON * size;
                    let found = rest[axis] + moved[axis];
                    assert!((found - position).abs() <= allowed, "{found} {position}");
                    let apart = (normal[axis] - direction).abs();
                    assert!(apart <= 2.0 * step + 1e-6, "{normal:?} {direction}");
                }
            }
        }
    }
}

#[test]
fn every_vertex_of_every_frame_is_found_by_the_coordinates_of_the_mesh() {
    let (rise, fall) = (clip(&[0.1, 1.0 / 3.0, 7.0]), clip(&[-3.0e-6, -0.5]));
    check_all(&[("rise", &rise), ("fall", &fall)]);
}

#[test]
fn many_frames_fill_several_blocks_of_an_exr_file() {
    let heights: Vec<f64> = (0..50).map(|frame| f64::from(frame) / 7.0).collect();
    check_all(&[("climb", &clip(&heights))]);
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
        check_all(&clips);
    }
}

#[test]
fn the_mesh_keeps_what_it_can_of_materials_and_tells_the_rest() {
    let of = |extensions: serde_json::Value| {
        let material = serde_json::json!({"name": "skin", "extensions": extensions});
        let model = super::models::painted(&material);
        let sequence = Sequence::new(model, Layout::default()).unwrap();
        let (files, warnings) = build(&[("", &sequence)], VatFormat::Exr).unwrap();
        let (tree, _) = crate::support::glb_parts(files.named(".glb"));
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
