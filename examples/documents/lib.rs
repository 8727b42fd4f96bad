//! Generated Rigy documents, and scenes: valid under versions 0.1 to 0.5, or 0.6 to 0.13, varied, and the same bytes for the same seed
//! on every machine. A good part of them are composed of parts, which are written beside them. The example `generate` writes them to a directory.

mod anchors;
mod armatures;
mod extended;
mod external;
mod files;
mod flow;
mod frames;
mod handwriting;
mod instances;
mod limbs;
mod meshes;
mod model;
mod names;
mod parts;
mod poses;
mod random;
mod spelling;
mod values;
mod verbatim;
mod weights;

use anchors::{Anchors, Ids};
use files::Files;
use handwriting::Hand;
use instances::Stock;
use model::{Armature, CoordinateSystem, Document, Pairs, Symmetry, Vec3};
use names::{Naming, Pool};
use random::{Draw, Random};

pub struct Generated {
    pub yaml: String,
    /// Parts, contracts and weight files: a path relative to the document, perhaps in a directory of its own, and
    /// the text. The first name of every path starts with the document's stem.
    pub files: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Boxes and cylinders for the most part, exported to 2–80 KB; every unusual feature of the language.
    Small,
    /// Two capsules, two bones, one pose: about 80 KB baked.
    L02,
    /// Dozens of capsules.
    Large,
}

/// Counts of the parts of a document: inclusive ranges, and weights for the kinds of `meshes::KINDS`.
struct Plan {
    meshes: (usize, usize),
    primitives: (usize, usize),
    kinds: [usize; 4],
    /// Vertices the whole document may have, cheap boxes apart.
    vertices: u32,
    armatures: (usize, usize),
    bones: (usize, usize),
    poses: (usize, usize),
    /// Triples of anchors for other documents to attach to.
    frames: (usize, usize),
    /// Percentage of documents that have imports and instances.
    composed: usize,
}

const SMALL: Plan = Plan {
    meshes: (0, 3),
    primitives: (0, 4),
    kinds: [62, 30, 5, 3],
    vertices: 1200,
    armatures: (0, 3),
    bones: (1, 12),
    poses: (0, 4),
    frames: (0, 0),
    composed: 35,
};

/// A part of a small document.
const PART: Plan = Plan {
    meshes: (0, 2),
    primitives: (0, 3),
    kinds: [66, 30, 2, 2],
    vertices: 300,
    armatures: (0, 2),
    bones: (1, 5),
    poses: (0, 2),
    frames: (0, 2),
    composed: 30,
};

/// Depth of parts of parts.
const DEEPEST: usize = 3;

const LARGE: Plan = Plan {
    meshes: (2, 3),
    primitives: (10, 20),
    kinds: [2, 4, 4, 90],
    vertices: u32::MAX,
    armatures: (1, 2),
    bones: (8, 40),
    poses: (1, 2),
    frames: (0, 0),
    composed: 0,
};

/// The file name of document `index` without its suffixes.
pub fn stem(index: u64) -> String {
    format!("doc-{index:05}")
}

/// Document `index` of the endless series that `seed` names.
pub fn document(seed: u64, index: u64, size: Size) -> Generated {
    let mut random = random::for_document(seed, index);
    let mut files = Files::new(&stem(index));
    let (document, hand) = match size {
        Size::Small => (
            draw(&mut random, &SMALL, 0, &mut files).document,
            Hand::draw(&mut random),
        ),
        Size::Large => (
            draw(&mut random, &LARGE, 0, &mut files).document,
            Hand::plain(),
        ),
        Size::L02 => (limbs::document(&mut random), Hand::plain()),
    };
    Generated {
        yaml: hand.write(&mut random, &document),
        files: files.written,
    }
}

/// Document `index` of the series of 0.6 to 0.13 that `seed` names. Some of its parts are older.
pub fn extended_document(seed: u64, index: u64) -> Generated {
    let mut random = random::for_document(seed, index);
    let mut files = Files::new(&stem(index));
    files.extended = true;
    let drawn = draw(&mut random, &SMALL, 0, &mut files);
    Generated {
        yaml: extended::text(&mut random, &drawn.document, drawn.materials).yaml,
        files: files.written,
    }
}

/// Scene `index` of the series that `seed` names, with its parts.
pub fn scene(seed: u64, index: u64) -> Generated {
    extended::scene(seed, index)
}

/// The text of a part. Only a root document names materials of imports.
fn text(random: &mut Random, document: &Document, path: &str, files: &mut Files) -> String {
    if files.extended && random.chance(75) {
        let written = extended::text(random, document, Vec::new());
        files.materials.push((path.to_owned(), written.materials));
        return written.yaml;
    }
    Hand::draw(random).write(random, document)
}

/// A document, and what others may attach to.
struct Drawn {
    document: Document,
    /// Every anchor once mirroring is done.
    anchors: Vec<(String, Vec3)>,
    frames: Vec<Ids>,
    /// References to the materials of imports.
    materials: Vec<String>,
}

fn draw(random: &mut Random, plan: &Plan, depth: usize, files: &mut Files) -> Drawn {
    let composed = depth < DEEPEST && random.chance(plan.composed);
    let naming = Naming::draw(random);
    // Meshes, armatures, anchors and instances share one pool of ids (V28).
    let mut ids = Pool::default();
    let mut meshes = meshes::meshes(random, plan, &naming, &mut ids);
    if let Some(mirror) = naming.mirror.as_ref().filter(|_| composed)
        && random.chance(40)
    {
        meshes.extend(meshes::twins(random, plan, &naming, mirror, &mut ids));
    }
    let armatures = armatures::armatures(random, plan, &naming, &mut ids);
    let bindings = weights::bindings(random, &naming, &meshes, &armatures, files);
    let poses = poses::poses(random, plan, &naming, &bone_ids(&naming, &armatures));
    let mut anchors = Anchors::draw(random, &naming, &mut ids);
    let frames = (0..random.mostly_some(plan.frames))
        .map(|_| anchors.fresh(random, &mut ids, false, None))
        .collect();
    let (mut imports, mut instances) = (Pairs(Vec::new()), Vec::new());
    let mut materials = Vec::new();
    if composed {
        let (authored, parts) = parts::imports(random, &naming, depth, files);
        let stock = Stock {
            naming: &naming,
            ids: &mut ids,
            meshes: &meshes,
            anchors: &mut anchors,
            parts: &parts,
        };
        instances = instances::instances(random, stock);
        materials.extend(parts.iter().flat_map(|part| part.materials(files)));
        imports = authored;
    }
    Drawn {
        frames,
        materials,
        anchors: anchors.expanded(),
        document: Document {
            symmetry: symmetry(random, &naming),
            meshes: listed(random, meshes),
            armatures: listed(random, armatures),
            bindings: listed(random, bindings),
            poses: listed(random, poses),
            anchors: listed(random, anchors.list),
            imports: (!imports.0.is_empty() || random.chance(5)).then_some(imports),
            instances: (!instances.is_empty() || random.chance(5)).then_some(instances),
            ..header(random)
        },
    }
}

/// Version, units and everything else that comes before the content.
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
