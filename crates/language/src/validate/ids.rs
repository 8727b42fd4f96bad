//! Ids that must be unique, names that must exist, dimensions that must be positive, and numbers that must be finite.

use std::collections::hash_map::Entry;

use super::surfaces;
use crate::model::{BoneWeight, Document, Instanced, Orientation, Primitive};
use rigy_base::diag::{Code, Findings, Spanned};
use rigy_base::maps::{HashMap, HashSet};

/// Reports ids that an earlier element of the same list has.
fn unique<'a>(
    f: &mut Findings,
    document: &Document,
    plain: Code,
    owner_and_kind: &str,
    ids: impl IntoIterator<Item = &'a Spanned<String>>,
) {
    let code = document.version.same_id(plain);
    let mut seen = HashSet::default();
    for id in ids {
        if !seen.insert(&*id.value) {
            f.error(code, id.span, format!("{owner_and_kind} `{}`", id.value));
        }
    }
}

/// Reports ids that two meshes share (V01), or two primitives of a mesh (V02).
pub fn meshes_and_primitives(document: &Document, f: &mut Findings) {
    unique(
        f,
        document,
        Code::V01,
        "there is already a mesh",
        document.meshes.iter().map(|m| &m.id),
    );
    let plain = document.version.same_id(Code::V02);
    for mesh in &document.meshes {
        unique_primitives(&mesh.primitives, plain, f);
    }
}

/// Reports ids that two primitives of a mesh share: F114 if a macro made one of them, else `plain`.
fn unique_primitives(primitives: &[Primitive], plain: Code, f: &mut Findings) {
    // For each id, whether a macro made one of the primitives that have it so far.
    let mut seen: HashMap<&str, bool> = HashMap::default();
    for Primitive {
        id, is_from_macro, ..
    } in primitives
    {
        match seen.entry(&id.value) {
            Entry::Vacant(new) => {
                new.insert(*is_from_macro);
            }
            Entry::Occupied(mut known) => {
                *known.get_mut() |= is_from_macro;
                let code = if *known.get() { Code::F114 } else { plain };
                let message = format!("this mesh already has a primitive `{}`", id.value);
                f.error(code, id.span, message);
            }
        }
    }
}

/// Reports ids that two armatures share (V03), or two bones of an armature (V04).
pub fn armatures_and_bones(document: &Document, f: &mut Findings) {
    let ids = document.armatures.iter().map(|a| &a.id);
    unique(f, document, Code::V03, "there is already an armature", ids);
    for armature in &document.armatures {
        let ids = armature.bones.iter().map(|b| &b.id);
        unique(
            f,
            document,
            Code::V04,
            "this armature already has a bone",
            ids,
        );
    }
}

/// Reports sizes that are zero, negative or negative infinity (V07); V32 reports the others that are not finite.
pub fn dimensions(document: &Document, f: &mut Findings) {
    for primitive in document.primitives() {
        for (key, size) in &primitive.dimensions {
            if size.value <= 0.0 {
                let id = &primitive.id.value;
                let message = format!(
                    "{key} of primitive `{id}` is {}, which is not positive",
                    size.value
                );
                f.error(Code::V07, size.span, message);
            }
        }
    }
}

/// Reports ids that two anchors (V24) or two instances (V25) share, imports (V26) and meshes (V27) of instances that do not
/// exist, and V28.
pub fn anchors_and_instances(document: &Document, f: &mut Findings) {
    unique(
        f,
        document,
        Code::V24,
        "there is already an anchor",
        document.anchors.iter().map(|a| &a.id),
    );
    unique(
        f,
        document,
        Code::V25,
        "there is already an instance",
        document.instances.iter().map(|i| &i.id),
    );
    let namespaces = || document.imports.iter().map(|i| &*i.namespace.value);
    let known: HashSet<&str> = namespaces().collect();
    for instance in &document.instances {
        if let Instanced::Import(name) = &instance.of
            && !known.contains(&*name.value)
        {
            let message = format!("there is no import `{}`", name.value);
            f.unknown(Code::V26, name, message, namespaces());
        }
    }
    let meshes = || document.meshes.iter().map(|m| &*m.id.value);
    let known: HashSet<&str> = meshes().collect();
    for instance in &document.instances {
        if let Instanced::Mesh(name) = &instance.of
            && !known.contains(&*name.value)
        {
            let message = format!("there is no mesh `{}`", name.value);
            f.unknown(Code::V27, name, message, meshes());
        }
    }
    unique_across_kinds(document, f);
}

/// Reports ids that elements of two kinds share: a mesh, armature, anchor, instance and material must have
/// different ids (V28).
fn unique_across_kinds(document: &Document, f: &mut Findings) {
    let code = document.version.same_id(Code::V28);
    let materials = document.materials.iter().map(|m| ("material", &m.id));
    let meshes = document.meshes.iter().map(|m| ("mesh", &m.id));
    let armatures = document.armatures.iter().map(|a| ("armature", &a.id));
    let anchors = document.anchors.iter().map(|a| ("anchor", &a.id));
    let instances = document.instances.iter().map(|i| ("instance", &i.id));
    let mut owners: HashMap<&str, &str> = HashMap::default();
    for (kind, id) in meshes
        .chain(armatures)
        .chain(anchors)
        .chain(instances)
        .chain(materials)
    {
        match owners.get(&*id.value) {
            Some(owner) if *owner != kind => {
                let message = format!("{kind} `{}` has the id of the {owner} `{0}`", id.value);
                f.error(code, id.span, message);
            }
            Some(_) => {}
            None => {
                owners.insert(&id.value, kind);
            }
        }
    }
}

/// Reports ids that two poses share (U03).
pub fn poses(document: &Document, f: &mut Findings) {
    unique(
        f,
        document,
        Code::U03,
        "there is already a pose",
        document.poses.iter().map(|p| &p.id),
    );
}

/// Reports a number that is not finite.
pub fn finite(what: &str, number: Spanned<f64>, f: &mut Findings) {
    if !number.value.is_finite() {
        let message = format!("{what} is {}, which is not a finite number", number.value);
        f.error(Code::V32, number.span, message);
    }
}

/// Reports the numbers of a list that are not finite.
pub fn all_finite(what: &str, numbers: &[Spanned<f64>], f: &mut Findings) {
    for number in numbers {
        finite(what, *number, f);
    }
}

/// Reports weights that are not a number.
fn finite_weights(influences: &[BoneWeight], f: &mut Findings) {
    // Infinite weights have been reported as outside 0 to 1.
    for influence in influences.iter().filter(|i| i.weight.value.is_nan()) {
        finite("this weight", influence.weight, f);
    }
}

/// Checks the numbers of primitives, bones, weights and weight maps, then of anchors; [`super::poses`] checks those of
/// poses.
pub fn numbers(document: &Document, f: &mut Findings) {
    for primitive in document.primitives() {
        if let Some(surface) = &primitive.surface {
            surfaces::numbers(surface, f);
        }
        for (_, size) in &primitive.dimensions {
            // Negative infinity has been reported as not positive.
            if size.value != f64::NEG_INFINITY {
                finite("this dimension", *size, f);
            }
        }
        if let Some(transform) = &primitive.transform {
            all_finite(
                "this offset",
                transform.translation.as_ref().map_or(&[], |t| t),
                f,
            );
            match &transform.rotation {
                Some(Orientation::Euler(angles) | Orientation::EulerOfDegrees(angles)) => {
                    all_finite("this angle", angles, f)
                }
                Some(Orientation::Quaternion(parts)) => all_finite("this component", parts, f),
                None => {}
            }
        }
    }
    for bone in document.bones() {
        all_finite("this coordinate", &bone.head, f);
        all_finite("this coordinate", &bone.tail, f);
        finite("this roll", bone.roll, f);
    }
    for binding in &document.bindings {
        for entry in &binding.weights {
            finite_weights(&entry.bones, f);
        }
        for map in &binding.weight_maps {
            for gradient in &map.gradients {
                all_finite("this end of the range", &gradient.range, f);
                finite_weights(&gradient.from, f);
                finite_weights(&gradient.to, f);
            }
            for entry in &map.overrides {
                finite_weights(&entry.bones, f);
            }
        }
    }
    for anchor in &document.anchors {
        all_finite("this coordinate", &anchor.translation, f);
    }
}
