//! Symmetry expansion (`language.md` 3, §4.4): mirrored copies appended after all originals.
//! Nothing is reflected vertex by vertex and no winding changes; only numbers and ids do.

use super::arithmetic::Vec3;
use super::document::{
    Anchor, Attach, Bone, BoneWeights, Document, Gradient, Instance, InstanceOf, Mirror, Override,
    Primitive, PrimitiveWeights, Rotation, Transform, WeightMap,
};
use super::implicit::{Implicit, Operator};
use super::rotations;

pub fn expand(document: &mut Document, mirror: &Mirror) {
    for mesh in &mut document.meshes {
        merge_implicit(&mut mesh.primitives, mirror);
        let mirrored = |p: &Primitive| p.implicit.is_none().then(|| p.id.clone());
        append(&mut mesh.primitives, mirror, mirrored, mirrored_primitive);
    }
    for armature in &mut document.armatures {
        let id = |bone: &Bone| Some(bone.id.clone());
        append(&mut armature.bones, mirror, id, mirrored_bone);
    }
    for binding in &mut document.bindings {
        let mesh = document.meshes.iter().find(|m| m.id == binding.mesh_id);
        let primitives = mesh.into_iter().flat_map(|mesh| &mesh.primitives);
        let implicit = primitives.filter(|p| p.implicit.is_some());
        let merged: Vec<&String> = implicit.map(|p| &p.id).collect();
        let id = |id: &String| (!merged.contains(&id)).then(|| id.clone());
        let of_weights = |w: &PrimitiveWeights| id(&w.primitive_id);
        append(&mut binding.weights, mirror, of_weights, mirrored_weights);
        let of_map = |m: &WeightMap| id(&m.primitive_id);
        append(&mut binding.weight_maps, mirror, of_map, mirrored_map);
    }
    let of_anchor = |a: &Anchor| Some(a.id.clone());
    append(&mut document.anchors, mirror, of_anchor, mirrored_anchor);
    let of_instance = |i: &Instance| Some(i.id.clone());
    append(
        &mut document.instances,
        mirror,
        of_instance,
        mirrored_instance,
    );
}

/// Appends the copies of those originals whose id starts with the prefix, in their order; none of those for which `id`
/// has no answer.
fn append<T>(
    list: &mut Vec<T>,
    mirror: &Mirror,
    id: impl Fn(&T) -> Option<String>,
    copy: fn(&T, &Mirror) -> T,
) {
    let selected = |item: &&T| id(item).is_some_and(|id| id.starts_with(&mirror.prefix_from));
    let copies: Vec<T> = list
        .iter()
        .filter(selected)
        .map(|item| copy(item, mirror))
        .collect();
    list.extend(copies);
}

/// Exchanges the prefix of an id that starts with it, and leaves any other id alone.
pub fn rename(id: &str, mirror: &Mirror) -> String {
    match id.strip_prefix(&mirror.prefix_from) {
        Some(rest) => mirror.prefix_to.clone() + rest,
        None => id.to_string(),
    }
}

fn renamed_bones(bones: &BoneWeights, mirror: &Mirror) -> BoneWeights {
    bones
        .iter()
        .map(|(id, weight)| (rename(id, mirror), *weight))
        .collect()
}

fn mirrored_primitive(original: &Primitive, mirror: &Mirror) -> Primitive {
    Primitive {
        id: rename(&original.id, mirror),
        transform: original.transform.as_ref().map(mirrored_transform),
        ..original.clone()
    }
}

/// §4.4: an authored translation is negated in x, so 0.0 becomes -0.0; a missing one becomes
/// positive zeros. The rotation is reflected truly (`decisions.md`, Numbers).
fn mirrored_transform(original: &Transform) -> Transform {
    let translation = original.translation.map_or([0.0, 0.0, 0.0], mirrored_point);
    Transform {
        translation: Some(translation),
        rotation: original.rotation.map(mirrored_rotation),
    }
}

fn mirrored_rotation(original: Rotation) -> Rotation {
    match original {
        Rotation::Euler([rx, ry, rz]) => Rotation::Euler([rx, -ry, -rz]),
        Rotation::Quaternion(q) => Rotation::Quaternion(rotations::mirrored(q)),
    }
}

/// `extensions.md` 9: an implicit surface has no mirrored copy; it grows to both sides.
fn merge_implicit(primitives: &mut [Primitive], mirror: &Mirror) {
    for primitive in primitives {
        let selected = primitive.id.starts_with(&mirror.prefix_from);
        if let Some(implicit) = primitive.implicit.as_mut().filter(|_| selected) {
            merge(implicit);
        }
    }
}

fn merge(implicit: &mut Implicit) {
    let copies: Vec<Operator> = implicit.operators.iter().map(mirrored_operator).collect();
    implicit.operators.extend(copies);
    let (x0, x1) = (implicit.min[0], implicit.max[0]);
    implicit.min[0] = x0.min(-x1);
    implicit.max[0] = x1.max(-x0);
}

fn mirrored_operator(original: &Operator) -> Operator {
    let transform = original.transform.as_ref().map(|transform| Transform {
        translation: transform.translation.map(mirrored_point),
        rotation: transform.rotation.map(mirrored_rotation),
    });
    Operator {
        transform,
        ..original.clone()
    }
}

fn mirrored_point([x, y, z]: Vec3) -> Vec3 {
    [-x, y, z]
}

/// The parent is renamed like any id, the word `none` included.
fn mirrored_bone(original: &Bone, mirror: &Mirror) -> Bone {
    Bone {
        id: rename(&original.id, mirror),
        parent: rename(&original.parent, mirror),
        head: mirrored_point(original.head),
    }
}

fn mirrored_weights(original: &PrimitiveWeights, mirror: &Mirror) -> PrimitiveWeights {
    PrimitiveWeights {
        primitive_id: rename(&original.primitive_id, mirror),
        bones: renamed_bones(&original.bones, mirror),
    }
}

fn mirrored_map(original: &WeightMap, mirror: &Mirror) -> WeightMap {
    let mut source = original.source.clone();
    if let Some(source) = &mut source {
        source.mirror = Some(mirror.clone());
    }
    let gradients = original.gradients.iter();
    let overrides = original.overrides.iter();
    WeightMap {
        primitive_id: rename(&original.primitive_id, mirror),
        source,
        gradients: gradients
            .map(|gradient| mirrored_gradient(gradient, mirror))
            .collect(),
        overrides: overrides
            .map(|item| mirrored_override(item, mirror))
            .collect(),
    }
}

/// Axis x: `[a, b]` becomes `[-b, -a]` and the sides change places; y and z stay.
fn mirrored_gradient(original: &Gradient, mirror: &Mirror) -> Gradient {
    let from = renamed_bones(&original.from, mirror);
    let to = renamed_bones(&original.to, mirror);
    let axis = original.axis;
    let [a, b] = original.range;
    if axis == 0 {
        Gradient {
            axis,
            range: [-b, -a],
            from: to,
            to: from,
        }
    } else {
        Gradient {
            axis,
            range: [a, b],
            from,
            to,
        }
    }
}

/// The same vertex numbers, although they are not mirror images (`language.md` D19).
fn mirrored_override(original: &Override, mirror: &Mirror) -> Override {
    Override {
        vertices: original.vertices.clone(),
        bones: renamed_bones(&original.bones, mirror),
    }
}

fn mirrored_anchor(original: &Anchor, mirror: &Mirror) -> Anchor {
    Anchor {
        id: rename(&original.id, mirror),
        translation: mirrored_point(original.translation),
    }
}

/// `from` and the namespace stay as they are; mesh and `to` are renamed.
fn mirrored_instance(original: &Instance, mirror: &Mirror) -> Instance {
    let of = match &original.of {
        InstanceOf::Import(namespace) => InstanceOf::Import(namespace.clone()),
        InstanceOf::Mesh(id) => InstanceOf::Mesh(rename(id, mirror)),
    };
    let attach = original.attach.as_ref().map(|attach| Attach {
        from: attach.from.clone(),
        to: attach.to.each_ref().map(|id| rename(id, mirror)),
        mode: attach.mode,
    });
    Instance {
        id: rename(&original.id, mirror),
        of,
        attach,
    }
}
