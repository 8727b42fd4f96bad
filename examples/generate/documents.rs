//! Rigy documents out of thin air: valid under versions 0.1 to 0.5, varied, and the same bytes for the same seed
//! on every machine.
//!
//! This is the pure half of the `generate` example. Tests include it too:
//! `#[path = "../examples/generate/documents.rs"] mod documents;`

#![allow(
    dead_code,
    reason = "each program that includes this module uses its own part of it"
)]

// Paths are spelled out because this file is a module of the example and of tests in other directories.
#[path = "documents/armatures.rs"]
mod armatures;
#[path = "documents/external.rs"]
mod external;
#[path = "documents/flow.rs"]
mod flow;
#[path = "documents/handwriting.rs"]
mod handwriting;
#[path = "documents/limbs.rs"]
mod limbs;
#[path = "documents/meshes.rs"]
mod meshes;
#[path = "documents/model.rs"]
mod model;
#[path = "documents/names.rs"]
mod names;
#[path = "documents/poses.rs"]
mod poses;
#[path = "documents/random.rs"]
mod random;
#[path = "documents/spelling.rs"]
mod spelling;
#[path = "documents/values.rs"]
mod values;
#[path = "documents/verbatim.rs"]
mod verbatim;
#[path = "documents/weights.rs"]
mod weights;

use external::WeightFiles;
use handwriting::Hand;
use model::{Anchor, Armature, CoordinateSystem, Document, Pairs, Symmetry};
use names::{Naming, Pool};
use random::Random;

pub struct Generated {
    pub yaml: String,
    /// File name and JSON text, to be written beside the document.
    pub weight_files: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Boxes and cylinders for the most part, exported to 2–80 KB; every odd corner of the language.
    Small,
    /// Two capsules, two bones, one pose: about 80 KB baked.
    L02,
    /// Dozens of capsules.
    Large,
}

/// How much of what a document holds: inclusive ranges, and weights for the kinds of `meshes::KINDS`.
struct Plan {
    meshes: (usize, usize),
    primitives: (usize, usize),
    kinds: [usize; 4],
    /// Vertices the whole document may have, cheap boxes apart.
    vertices: u32,
    armatures: (usize, usize),
    bones: (usize, usize),
    poses: (usize, usize),
}

const SMALL: Plan = Plan {
    meshes: (0, 3),
    primitives: (0, 4),
    kinds: [62, 30, 5, 3],
    vertices: 1200,
    armatures: (0, 3),
    bones: (1, 12),
    poses: (0, 4),
};

const LARGE: Plan = Plan {
    meshes: (2, 3),
    primitives: (10, 20),
    kinds: [2, 4, 4, 90],
    vertices: u32::MAX,
    armatures: (1, 2),
    bones: (8, 40),
    poses: (1, 2),
};

/// The file name of document `index` without its suffixes.
pub fn stem(index: u64) -> String {
    format!("doc-{index:05}")
}

/// Document `index` of the endless series that `seed` names.
pub fn document(seed: u64, index: u64, size: Size) -> Generated {
    let mut random = Random::for_document(seed, index);
    let mut files = WeightFiles::new(&stem(index));
    let (document, hand) = match size {
        Size::Small => (
            draw(&mut random, &SMALL, &mut files),
            Hand::draw(&mut random),
        ),
        Size::Large => (draw(&mut random, &LARGE, &mut files), Hand::plain()),
        Size::L02 => (limbs::document(&mut random), Hand::plain()),
    };
    Generated {
        yaml: hand.write(&mut random, &document),
        weight_files: files.files,
    }
}

fn draw(random: &mut Random, plan: &Plan, files: &mut WeightFiles) -> Document {
    let naming = Naming::draw(random);
    // Meshes, armatures and anchors share one pool of ids (V28).
    let mut ids = Pool::default();
    let meshes = meshes::meshes(random, plan, &naming, &mut ids);
    let armatures = armatures::armatures(random, plan, &naming, &mut ids);
    let bindings = weights::bindings(random, &naming, &meshes, &armatures, files);
    let poses = poses::poses(random, plan, &naming, &bone_ids(&naming, &armatures));
    let anchors = anchors(random, &naming, &mut ids);
    Document {
        symmetry: symmetry(random, &naming),
        meshes: listed(random, meshes),
        armatures: listed(random, armatures),
        bindings: listed(random, bindings),
        poses: listed(random, poses),
        anchors: listed(random, anchors),
        ..header(random)
    }
}

/// Version, units and whatever else comes before the content.
fn header(random: &mut Random) -> Document {
    let version = Some((*random.pick(&["0.1", "0.2", "0.3", "0.4", "0.5", "0.5", "0.5"])).into());
    let (version, rigy_version) = if random.chance(5) {
        (None, version)
    } else {
        (version, None)
    };
    let coordinate_system = CoordinateSystem {
        up: "Y".into(),
        forward: "-Z".into(),
        handedness: "right".into(),
    };
    Document {
        version,
        rigy_version,
        units: random.chance(50).then(|| "meters".into()),
        coordinate_system: random.chance(50).then_some(coordinate_system),
        tessellation_profile: random.chance(50).then(|| "v0_1_default".into()),
        skinning_solver: weights::solver(random),
        imports: random.chance(5).then(Pairs::default),
        instances: random.chance(5).then(Vec::new),
        ..Document::default()
    }
}

/// An empty list need not be written.
fn listed<T>(random: &mut Random, list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty() || random.chance(30)).then_some(list)
}

fn symmetry(random: &mut Random, naming: &Naming) -> model::Maybe<Symmetry> {
    match &naming.mirror {
        Some(mirror) => Some(Some(Symmetry {
            mirror_x: Some(mirror.clone()),
        })),
        None if random.chance(5) => Some(Some(Symmetry { mirror_x: None })),
        None => random.chance(5).then_some(None),
    }
}

/// Every bone a pose may name, each once although armatures may share names.
fn bone_ids(naming: &Naming, armatures: &[Armature]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for armature in armatures {
        let ids: Vec<String> = armature.bones.iter().map(|bone| bone.id.clone()).collect();
        for id in naming.expanded(&ids) {
            if !all.contains(&id) {
                all.push(id);
            }
        }
    }
    all
}

fn anchors(random: &mut Random, naming: &Naming, ids: &mut Pool) -> Vec<Anchor> {
    let count = if random.chance(60) {
        0
    } else {
        random.within((1, 4))
    };
    (0..count)
        .map(|_| Anchor {
            id: ids.fresh(random, naming, true),
            translation: values::vector(random, values::wide_coordinate),
            scope: naming.name(random),
        })
        .collect()
}
