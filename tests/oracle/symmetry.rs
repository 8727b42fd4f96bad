//! Symmetry expansion (`language.md` 3, §4.4): mirrored copies appended after all originals.
//! Nothing is reflected vertex by vertex and no winding changes; only numbers and ids do.

use super::arithmetic::Vec3;
use super::document::{
    Anchor, Attach, Bone, BoneWeights, Document, Gradient, Instance, InstanceOf, Mirror, Override,
    Primitive, PrimitiveWeights, Transform, WeightMap,
};

pub fn expand(document: &mut Document, mirror: &Mirror) {
    for mesh in &mut document.meshes {
        append(&mut mesh.primitives, mirror, |p| &p.id, mirrored_primitive);
    }
    for armature in &mut document.armatures {
        append(&mut armature.bones, mirror, |bone| &bone.id, mirrored_bone);
    }
    for binding in &mut document.bindings {
        append(
            &mut binding.weights,
            mirror,
            |w| &w.primitive_id,
            mirrored_weights,
        );
        append(
            &mut binding.weight_maps,
            mirror,
            |m| &m.primitive_id,
            mirrored_map,
        );
    }
    append(&mut document.anchors, mirror, |a| &a.id, mirrored_anchor);
    append(
        &mut document.instances,
        mirror,
        |i| &i.id,
        mirrored_instance,
    );
}

/// Appends the copies of those originals whose id starts with the prefix, in their order.
fn append<T>(
    list: &mut Vec<T>,
    mirror: &Mirror,
    id: fn(&T) -> &String,
    copy: fn(&T, &Mirror) -> T,
) {
    let selected = |item: &&T| id(item).starts_with(&mirror.prefix_from);
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
        rotation: original.rotation.map(|[rx, ry, rz]| [rx, -ry, -rz]),
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
