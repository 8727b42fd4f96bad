//! Palettes: the documented shader, evaluated on their numbers in single precision, gives the baked vertices.

use std::path::{Path, PathBuf};

use rigy_batch::bake::Settings;
use rigy_batch::bake::gltf::{self, RestFrames, Vertices};
use rigy_batch::base::paths::Slashed;
use rigy_batch::mesh::{Model, Surface};
use rigy_batch::view::palette::{Palette, of_document, of_file};
use rigy_batch::{
    Baker, Compiled, DirectoryLoader, Files, Input, Isa, JointScale, Location, MemoryLoader,
    Moment, OutputFile, Sequential, Skinning, Source, check,
};

use super::shader::{Frame, posed};
use crate::support::published;

/// Largest distance from the baked vertices, in sizes of the model, and between unit normals.
const TOLERANCE: f64 = 1e-5;

fn model(bytes: &[u8]) -> Model {
    let location = Location("model.glb".into());
    Model::read(bytes, &location, &MemoryLoader::default())
        .unwrap()
        .value
}

/// The largest extent of a model.
fn size(model: &Model) -> f64 {
    let [least, greatest] = model.bounds().unwrap();
    (0..3).map(|i| greatest[i] - least[i]).fold(0.0, f64::max)
}

fn distance(a: [f32; 3], b: [f64; 3]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (f64::from(*a) - b).powi(2));
    squares.sum::<f64>().sqrt()
}

/// Compares a mesh of a palette with the baked surface; returns the largest distance and that of normals.
fn apart(
    palette: &Palette,
    mesh: usize,
    by_dual: bool,
    rest: &[Frame],
    baked: &Surface,
) -> (f64, f64) {
    assert_eq!(rest.len(), baked.positions.len());
    assert_eq!(palette.meshes[mesh].vertices, rest.len());
    let mut largest = (0.0f64, 0.0f64);
    for (vertex, rest) in rest.iter().enumerate() {
        let posed = posed(palette, mesh, vertex, by_dual, *rest);
        largest.0 = largest
            .0
            .max(distance(posed.position, baked.positions[vertex]));
        if let Some(normals) = &baked.normals {
            largest.1 = largest.1.max(distance(posed.normal, normals[vertex]));
        }
    }
    largest
}

fn compiled(path: &Path) -> Compiled {
    let text = std::fs::read_to_string(path).unwrap();
    let files = Files::new(DirectoryLoader::new(path.parent().unwrap()).unwrap());
    let name = path.slashed().to_string();
    let input = Input {
        location: Location(path.to_owned()),
        ..Input::new(&name, &text)
    };
    check(input, &files).unwrap().value.build().unwrap().value
}

/// The vertices of the mesh of this index, those of all its primitives one after the other, as palettes count them.
fn whole(model: &Model, mesh: usize) -> Surface {
    let mut surfaces = model.surfaces.iter().filter(|surface| surface.mesh == mesh);
    let mut whole = surfaces.next().unwrap().clone();
    let normals = whole.normals.as_mut().unwrap();
    for surface in surfaces.filter(|surface| surface.node == whole.node) {
        whole.positions.extend(&surface.positions);
        normals.extend(surface.normals.as_ref().unwrap());
    }
    whole
}

fn exported(model: &Model, mesh: usize) -> Vec<Frame> {
    let surface = whole(model, mesh);
    let normals = surface.normals.as_ref().unwrap();
    let frames = surface.positions.iter().zip(normals);
    frames
        .map(|(position, normal)| Frame {
            position: position.map(|c| c as f32),
            normal: normal.map(|c| c as f32),
        })
        .collect()
}

#[test]
fn documents_come_out_of_the_shader_as_they_are_baked() {
    let inputs = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/inputs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(inputs)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_str().unwrap().ends_with(".rigy.yaml"))
        .collect();
    files.sort();
    let mut solvers = std::collections::BTreeMap::new();
    for file in files {
        let compiled = compiled(&file);
        let export = compiled.export().unwrap().to_bytes();
        for pose in compiled.pose_ids() {
            let posed = compiled.pose(pose, Isa::best(), &Sequential).unwrap();
            let baked = model(&posed.bake().unwrap().to_bytes());
            let palette = of_document(&compiled, Some(pose)).unwrap();
            for (index, mesh) in palette.meshes.iter().enumerate() {
                let rest = exported(&model(&export), mesh.mesh);
                let surface = whole(&baked, mesh.mesh);
                let solver = palette.skins[mesh.skin].solver.unwrap();
                let (far, turned) = apart(&palette, index, solver == "dqs", &rest, &surface);
                let place = format!("{} {pose} {index} {solver}", file.slashed());
                assert!(far <= TOLERANCE * size(&baked), "{place}: {far}");
                assert!(turned <= TOLERANCE, "{place}: normals by {turned}");
                *solvers.entry(solver).or_insert(0) += 1;
            }
        }
    }
    assert!(solvers["lbs"] > 3 && solvers["dqs"] > 5, "{solvers:?}");
}

#[test]
fn a_document_at_rest_stays_as_it_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let compiled = compiled(&path.join("conformance/inputs/L02_two_bone_dqs_twist.rigy.yaml"));
    let export = model(&compiled.export().unwrap().to_bytes());
    let palette = of_document(&compiled, None).unwrap();
    for by_dual in [false, true] {
        let rest = exported(&export, 0);
        let (far, turned) = apart(&palette, 0, by_dual, &rest, &export.surfaces[0]);
        assert!(far < 1e-7 && turned < 1e-6, "{far} {turned}");
    }
    assert_eq!(palette.meshes[0].nodes, [0]);
    assert!(of_document(&compiled, Some("nowhere")).is_none());
}

/// The rest vertices of a primitive under its morph targets.
fn morphed(file: &gltf::File<'_>, mesh: usize, primitive: usize, weights: &[f64]) -> Vec<Frame> {
    let data = &file.meshes[mesh].primitives[primitive];
    let from = Vertices {
        file,
        primitive: data,
        path: "",
        range: 0..data.vertex_count,
    };
    let mut rest = RestFrames::default();
    rest.read(&from, weights, true).unwrap();
    let vector =
        |planes: &[Vec<f64>; 3], vertex: usize| [0, 1, 2].map(|i| planes[i][vertex] as f32);
    let frame = |vertex| Frame {
        position: vector(&rest.positions, vertex),
        normal: rest
            .normals
            .as_ref()
            .map_or([0.0; 3], |planes| vector(planes, vertex)),
    };
    (0..data.vertex_count).map(frame).collect()
}

/// Compares all skinned primitives of a file at a time; returns their number and the largest distance in sizes.
fn checked(
    bytes: &[u8],
    path: &Path,
    time: Option<f64>,
    skinning: &Skinning,
    by_dual: bool,
) -> (usize, f64) {
    let location = Location(path.to_owned());
    let loader = DirectoryLoader::new(path.parent().unwrap()).unwrap();
    let source = Source::read(bytes, &location, &loader).unwrap().value;
    let file = &source.file;
    let moment = time.map_or(Moment::default(), |time| Moment::default().time(time));
    let palette = of_file(&source, &moment, &skinning.scale, "file")
        .unwrap()
        .value;
    let settings = Settings {
        keeps_skeleton: true,
        ..Settings::default()
    };
    let baker = Baker::with(&source, settings, &Sequential);
    let baked = baker.bake(&moment, skinning, Isa::best()).unwrap().value;
    let baked = model(&baked.to_bytes().unwrap().value);
    let channels = time.map(|_| file.channels(0).unwrap().value);
    let pose = gltf::pose(&file.nodes, channels.unwrap_or(&[]), time.unwrap_or(0.0)).unwrap();
    let is_skinned =
        |node: &usize| file.nodes[*node].skin.is_some() && file.nodes[*node].mesh.is_some();
    let skinned: Vec<usize> = (0..file.nodes.len()).filter(is_skinned).collect();
    let (mut count, mut farthest) = (0, 0.0f64);
    for (index, mesh) in palette.meshes.iter().enumerate() {
        for node in &mesh.nodes {
            let place = skinned.iter().position(|other| other == node).unwrap();
            let root = file.nodes.len() + place;
            let mut surfaces = baked.surfaces.iter();
            let Some(surface) =
                surfaces.find(|one| one.node == root && one.primitive == mesh.primitive)
            else {
                continue; // The scene does not show it.
            };
            let default = &file.meshes[mesh.mesh].weights;
            let weights = pose.nodes[*node].weights.as_ref().unwrap_or(default);
            let rest = morphed(file, mesh.mesh, mesh.primitive, weights);
            let (far, turned) = apart(&palette, index, by_dual, &rest, surface);
            let far = far / size(&baked);
            let place = format!(
                "{} at {time:?} mesh {index}, dual: {by_dual}",
                path.slashed()
            );
            assert!(far <= TOLERANCE, "{place}: {far}");
            assert!(turned <= 10.0 * TOLERANCE, "{place}: normals by {turned}");
            (count, farthest) = (count + 1, farthest.max(far));
        }
    }
    (count, farthest)
}

#[test]
fn samples_come_out_of_the_shader_as_they_are_baked() {
    let folders = ["real", "made", "compressed"].into_iter();
    let folders = folders.filter_map(|folder| published(&format!("gltf-samples/{folder}")));
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let global = Skinning::dual_quaternions(JointScale::Global);
        let (mut count, mut farthest) = (0, 0.0f64);
        for time in [None, Some(0.3)] {
            for (skinning, by_dual) in [(&Skinning::linear(), false), (&global, true)] {
                let found = checked(&bytes, &path, time, skinning, by_dual);
                (count, farthest) = (count + found.0, farthest.max(found.1));
            }
        }
        println!("{}: {farthest:e} of size", path.slashed());
        assert!(count >= 4, "{}", path.slashed());
    }
}

#[test]
fn scale_that_stays_with_its_joint_is_in_the_first_stage() {
    let Some(path) = published("gltf-samples/made/spline_step_jointscale.glb") else {
        return;
    };
    let bytes = std::fs::read(&path).unwrap();
    let of_one = JointScale::LocalFor(["j2".to_owned()].into());
    for scale in [JointScale::Local, of_one] {
        let skinning = Skinning::dual_quaternions(scale);
        let (count, _) = checked(&bytes, &path, Some(0.7), &skinning, true);
        assert_eq!(count, 1);
    }
}
