//! Bindings: per-primitive weights and weight maps.

use super::external;
use super::files::Files;
use super::meshes::vertex_count;
use super::model::{
    Armature, Binding, BoneWeight, Gradient, Maybe, Mesh, PrimitiveWeights, Side, VertexOverride,
    WeightMap,
};
use super::names::Naming;
use super::random::{Draw, Random};
use super::values;

/// A primitive as a binding may name it: mirrored ones under their new id.
pub struct Target {
    pub id: String,
    pub vertices: u32,
}

/// The primitives and bones that one binding may refer to.
struct Reach {
    primitives: Vec<Target>,
    bones: Vec<String>,
}

pub fn bindings(
    random: &mut Random,
    naming: &Naming,
    meshes: &[Mesh],
    armatures: &[Armature],
    files: &mut Files,
) -> Vec<Binding> {
    let mut bindings = Vec::new();
    for mesh in meshes {
        let fits = |armature: &&Armature| mesh.primitives.is_empty() || !armature.bones.is_empty();
        let fitting: Vec<&Armature> = armatures.iter().filter(fits).collect();
        if !fitting.is_empty() && random.chance(85) {
            let armature = *random.pick(&fitting);
            bindings.push(binding(random, naming, mesh, armature, files));
        }
    }
    if random.chance(20) {
        random.shuffle(&mut bindings);
    }
    bindings
}

fn binding(
    random: &mut Random,
    naming: &Naming,
    mesh: &Mesh,
    armature: &Armature,
    files: &mut Files,
) -> Binding {
    let reach = reach(naming, mesh, armature);
    let entries = if reach.primitives.is_empty() {
        0
    } else {
        random.below(reach.primitives.len() + 2)
    };
    let weights = (0..entries).map(|index| PrimitiveWeights {
        // First in order, then any of them: repeated entries are legal, the later one wins.
        primitive_id: reach
            .primitives
            .get(index)
            .unwrap_or(&reach.primitives[0])
            .id
            .clone(),
        bones: bone_weights(random, &reach.bones, 6),
    });
    Binding {
        mesh_id: mesh.id.clone(),
        armature_id: armature.id.clone(),
        weights: weights.collect(),
        skinning_solver: solver(random),
        weight_maps: weight_maps(random, &reach, files),
    }
}

fn reach(naming: &Naming, mesh: &Mesh, armature: &Armature) -> Reach {
    let ids_of_kind = |kind: &str| -> Vec<String> {
        let of_kind = mesh
            .primitives
            .iter()
            .filter(|primitive| primitive.kind == kind);
        of_kind.map(|primitive| primitive.id.clone()).collect()
    };
    let primitives = super::meshes::KINDS.iter().flat_map(|(kind, _)| {
        let ids = naming.expanded(&ids_of_kind(kind));
        ids.into_iter().map(|id| Target {
            id,
            vertices: vertex_count(kind),
        })
    });
    let bones: Vec<String> = armature.bones.iter().map(|bone| bone.id.clone()).collect();
    Reach {
        primitives: primitives.collect(),
        bones: naming.expanded(&bones),
    }
}

pub fn solver(random: &mut Random) -> Maybe<String> {
    match random.below(8) {
        0..3 => None,
        3 => Some(None),
        4 => Some(Some("lbs".into())),
        _ => Some(Some("dqs".into())),
    }
}

/// Up to `most` entries, bones repeated now and then.
pub fn bone_weights(random: &mut Random, bones: &[String], most: usize) -> Vec<BoneWeight> {
    if bones.is_empty() {
        return Vec::new();
    }
    let count = match random.below(10) {
        0 => 0,
        1..4 => 1,
        4..8 => 2,
        _ => random.within((1, most)),
    };
    let first = random.below(bones.len());
    let apart = random.chance(80);
    (0..count)
        .map(|index| {
            let bone = if apart {
                &bones[(first + index) % bones.len()]
            } else {
                random.pick(bones)
            };
            BoneWeight {
                bone_id: bone.clone(),
                weight: values::weight(random),
            }
        })
        .collect()
}

fn weight_maps(random: &mut Random, reach: &Reach, files: &mut Files) -> Maybe<Vec<WeightMap>> {
    if reach.primitives.is_empty() || reach.bones.is_empty() || random.chance(40) {
        return nothing(random);
    }
    let maps = (0..random.within((1, 3))).map(|_| weight_map(random, reach, files));
    Some(Some(maps.collect()))
}

fn weight_map(random: &mut Random, reach: &Reach, files: &mut Files) -> WeightMap {
    let target = random.pick(&reach.primitives);
    let mut gradients = nothing(random);
    let mut overrides = nothing(random);
    let mut source = random.chance(10).then_some(None);
    let layers = 1 + random.below(7);
    if layers & 1 != 0 {
        gradients = Some(Some(
            (0..random.within((1, 3)))
                .map(|_| gradient(random, &reach.bones))
                .collect(),
        ));
    }
    if layers & 2 != 0 {
        overrides = Some(Some(
            (0..random.within((1, 3)))
                .map(|_| vertex_override(random, reach, target))
                .collect(),
        ));
    }
    if layers == 4 || (layers & 4 != 0 && random.chance(25)) {
        source = Some(Some(external::write(random, target, &reach.bones, files)));
    }
    WeightMap {
        primitive_id: target.id.clone(),
        gradients,
        overrides,
        source,
    }
}

/// A layer that is not there, in one of the three ways to say so.
fn nothing<T>(random: &mut Random) -> Maybe<Vec<T>> {
    match random.below(10) {
        0 => Some(None),
        1 => Some(Some(Vec::new())),
        _ => None,
    }
}

fn gradient(random: &mut Random, bones: &[String]) -> Gradient {
    let axis = *random.pick(&["x", "y", "z"]);
    let range = loop {
        let start = values::coordinate(random);
        let end = if random.chance(50) {
            values::coordinate(random)
        } else {
            start + values::extent(random)
        };
        if start < end {
            break [start, end];
        }
    };
    Gradient {
        axis: axis.into(),
        range,
        from: side(random, bones),
        to: side(random, bones),
    }
}

fn side(random: &mut Random, bones: &[String]) -> Side {
    let mut list = bone_weights(random, bones, 6);
    match list.pop() {
        Some(single) if list.is_empty() && random.chance(50) => Side::Single(single),
        last => {
            list.extend(last);
            Side::List(list)
        }
    }
}

fn vertex_override(random: &mut Random, reach: &Reach, target: &Target) -> VertexOverride {
    let count = if random.chance(10) {
        0
    } else {
        random.within((1, 10))
    };
    let vertices = (0..count).map(|_| random.below(target.vertices as usize) as u32);
    VertexOverride {
        vertices: vertices.collect(),
        bones: bone_weights(random, &reach.bones, 5),
    }
}
