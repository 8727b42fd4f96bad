//! Meshes and their primitives.

use super::Plan;
use super::model::{Maybe, Mesh, MirrorX, Pairs, Primitive, Transform};
use super::names::{Naming, Pool};
use super::random::{Draw, Random};
use super::values;

/// Primitive kinds with the vertex counts of profile `v0_1_default`.
pub const KINDS: [(&str, u32); 4] = [
    ("box", 24),
    ("cylinder", 134),
    ("sphere", 561),
    ("capsule", 858),
];

const MATERIALS: &[&str] = &["skin", "", "steel", "skin", "peau d'été", "glass \"A\""];

pub fn vertex_count(kind: &str) -> u32 {
    KINDS
        .iter()
        .find(|(name, _)| *name == kind)
        .map_or(0, |(_, count)| *count)
}

pub fn meshes(random: &mut Random, plan: &Plan, naming: &Naming, ids: &mut Pool) -> Vec<Mesh> {
    let mut budget = plan.vertices;
    (0..random.mostly_some(plan.meshes))
        .map(|_| Mesh {
            id: ids.fresh(random, naming, false),
            name: naming.name(random),
            primitives: primitives(random, plan, naming, &mut budget),
        })
        .collect()
}

/// Two meshes whose ids symmetry turns into each other where an instance names them.
pub fn twins(
    random: &mut Random,
    plan: &Plan,
    naming: &Naming,
    mirror: &MirrorX,
    ids: &mut Pool,
) -> [Mesh; 2] {
    ids.fresh_pair(random, naming, mirror).map(|id| Mesh {
        id,
        name: naming.name(random),
        primitives: primitives(random, plan, naming, &mut 0),
    })
}

fn primitives(
    random: &mut Random,
    plan: &Plan,
    naming: &Naming,
    budget: &mut u32,
) -> Vec<Primitive> {
    let mut ids = Pool::default();
    let mut primitives: Vec<Primitive> = Vec::new();
    for _ in 0..random.within(plan.primitives) {
        let id = ids.fresh(random, naming, true);
        let copies = 1 + u32::from(naming.mirrored(&id).is_some());
        let kind = affordable_kind(random, plan, copies, budget);
        let dimensions = dimensions(random, kind, &primitives);
        primitives.push(Primitive {
            kind: kind.into(),
            id,
            name: naming.name(random),
            dimensions,
            transform: transform(random),
            material: material(random),
        });
    }
    primitives
}

/// A kind the vertex budget still pays for, else the cheapest.
fn affordable_kind(
    random: &mut Random,
    plan: &Plan,
    copies: u32,
    budget: &mut u32,
) -> &'static str {
    let (kind, count) = KINDS[random.weighted(&plan.kinds)];
    let (kind, count) = if count * copies > *budget {
        KINDS[0]
    } else {
        (kind, count)
    };
    *budget = budget.saturating_sub(count * copies);
    kind
}

/// Some of the keys of the kind, at least one; the rest keep their defaults.
fn dimensions(random: &mut Random, kind: &str, earlier: &[Primitive]) -> Pairs<f64> {
    let twin = earlier
        .iter()
        .rev()
        .find(|primitive| primitive.kind == kind);
    if let Some(twin) = twin.filter(|_| random.chance(25)) {
        // Nearly the same again: what a merge key is for.
        let mut pairs = twin.dimensions.0.clone();
        let changed = random.below(pairs.len());
        pairs[changed].1 = values::extent(random);
        return Pairs(pairs);
    }
    let axes: &[&[&str]] = match kind {
        "box" => &[&["x", "width"], &["y", "height"], &["z", "depth"]],
        "sphere" => &[&["radius"]],
        _ => &[&["radius"], &["height"]],
    };
    let mut pairs: Vec<(String, f64)> = Vec::new();
    for spellings in axes {
        let both = random.chance(8);
        let chosen = random.below(spellings.len());
        for (index, key) in spellings.iter().enumerate() {
            if both || (index == chosen && random.chance(85)) {
                pairs.push(((*key).into(), values::extent(random)));
            }
        }
    }
    if pairs.is_empty() {
        pairs.push((axes[0][0].into(), values::extent(random)));
    }
    if random.chance(30) {
        random.shuffle(&mut pairs);
    }
    Pairs(pairs)
}

fn transform(random: &mut Random) -> Maybe<Transform> {
    let part = |random: &mut Random| {
        (!random.chance(15)).then(|| values::vector(random, values::coordinate))
    };
    let mut transform = Transform::default();
    match random.below(10) {
        0 | 1 => return None,
        2 => return random.chance(50).then_some(None),
        3 => {}
        4..7 => transform.translation = Some(part(random)),
        _ => {
            transform.translation = random.chance(60).then(|| part(random));
            rotate(random, &mut transform);
        }
    }
    Some(Some(transform))
}

fn rotate(random: &mut Random, transform: &mut Transform) {
    match random.below(5) {
        0 | 1 => transform.rotation_degrees = Some(values::vector(random, values::degrees)),
        2 if random.chance(20) => transform.rotation_euler = Some(None),
        _ => transform.rotation_euler = Some(Some(values::vector(random, values::radians))),
    }
}

fn material(random: &mut Random) -> Maybe<String> {
    match random.below(8) {
        0 => Some(None),
        1 | 2 => Some(Some((*random.pick(MATERIALS)).into())),
        _ => None,
    }
}
