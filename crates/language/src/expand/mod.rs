//! Expands abbreviations of the author's: mirroring in the YZ plane, which copies the elements whose id begins with a prefix.
//!
//! In: a parsed document. Out: the same document with its symmetry written out (`language.md` §3).
//! Expansion cannot fail: `validate` reports ids that are equal after renaming, and the warning about a prefix of no id.

mod parts;

use std::sync::Arc;

use crate::model::{
    Anchor, Binding, Bone, Document, Instance, Instanced, MirrorX, Orientation, Primitive,
    PrimitiveWeights, Transform, Vector, WeightMap,
};
use rigy_base::diag::{Code, Diagnostic, Spanned, Text, quoted};
use rigy_base::maps::HashSet;

/// Writes out the symmetry of a document: in each list, the copies come after all originals, in their order.
pub fn expand(mut document: Document) -> Document {
    let Some(mirror) = document.symmetry.take().and_then(|s| s.mirror_x) else {
        return document;
    };
    let m = &mirror;
    let warning = unmatched(&document, m);
    document.warnings.extend(warning);
    // The implicit surfaces that are merged with their mirror images, by mesh and primitive: they get no copy.
    let mut merged: HashSet<(String, String)> = HashSet::default();
    for mesh in &mut document.meshes {
        for primitive in &mut mesh.primitives {
            let is_mirrored = primitive.id.value.starts_with(&m.prefix_from.value);
            if let (Some(surface), true) = (&mut primitive.surface, is_mirrored) {
                *surface = Arc::new(parts::merged(surface));
                merged.insert((mesh.id.value.clone(), primitive.id.value.clone()));
            }
        }
        let is_copied = |p: &Primitive| p.surface.is_none();
        append_if(&mut mesh.primitives, m, |p| &p.id, is_copied, primitive);
    }
    for armature in &mut document.armatures {
        append(&mut armature.bones, m, |b| &b.id, bone);
    }
    for Binding {
        mesh_id,
        weights: weight_lists,
        weight_maps,
        ..
    } in &mut document.bindings
    {
        let is_copied = |id: &Text| {
            merged.is_empty() || !merged.contains(&(mesh_id.value.clone(), id.value.clone()))
        };
        let of = |w: &PrimitiveWeights| is_copied(&w.primitive_id);
        append_if(
            weight_lists,
            m,
            |w| &w.primitive_id,
            of,
            parts::primitive_weights,
        );
        let of = |w: &WeightMap| is_copied(&w.primitive_id);
        append_if(weight_maps, m, |w| &w.primitive_id, of, parts::weight_map);
    }
    append(&mut document.anchors, m, |a| &a.id, anchor);
    append(&mut document.instances, m, |i| &i.id, instance);
    document
}

/// Returns the warning (W22) about a prefix with which no id begins.
fn unmatched(document: &Document, m: &MirrorX) -> Option<Diagnostic> {
    let primitives = document.primitives();
    let bones = document.bones();
    let ids = primitives.map(|it| &it.id).chain(bones.map(|it| &it.id));
    let ids = ids.chain(document.anchors.iter().map(|it| &it.id));
    let ids = ids.chain(document.instances.iter().map(|it| &it.id));
    // Weights name primitives, whose ids these are.
    if ids
        .clone()
        .any(|id| id.value.starts_with(&m.prefix_from.value))
    {
        return None;
    }
    let from = &m.prefix_from.value;
    let message = format!("`prefix_from: {from}` matches no id, so nothing is mirrored");
    let some = quoted(ids.take(3).map(|id| &*id.value));
    let help = match &*some {
        "" => "there are no ids".to_owned(),
        some => format!("write a prefix of ids such as {some}; upper and lower case differ"),
    };
    Some(Diagnostic::new(Code::W22, m.prefix_from.span, message).help(help))
}

/// Returns an id with its prefix exchanged; an id without the prefix stays as it is.
pub fn rename(mirror: &MirrorX, id: &str) -> String {
    match id.strip_prefix(&mirror.prefix_from.value) {
        Some(rest) => format!("{}{rest}", mirror.prefix_to),
        None => id.to_owned(),
    }
}

/// Appends copies of the elements whose id begins with the prefix.
fn append<T>(
    list: &mut Vec<T>,
    mirror: &MirrorX,
    id: impl Fn(&T) -> &Text,
    copy: impl Fn(&MirrorX, &T) -> T,
) {
    append_if(list, mirror, id, |_| true, copy);
}

/// Does the same for the elements for which `is_copied` is true.
fn append_if<T>(
    list: &mut Vec<T>,
    mirror: &MirrorX,
    id: impl Fn(&T) -> &Text,
    is_copied: impl Fn(&T) -> bool,
    copy: impl Fn(&MirrorX, &T) -> T,
) {
    let copies: Vec<T> = list
        .iter()
        .filter(|element| id(element).value.starts_with(&mirror.prefix_from.value))
        .filter(|element| is_copied(element))
        .map(|element| copy(mirror, element))
        .collect();
    list.extend(copies);
}

fn renamed(m: &MirrorX, id: &Text) -> Text {
    Spanned::new(rename(m, &id.value), id.span.mirrored())
}

fn negated(number: Spanned<f64>) -> Spanned<f64> {
    Spanned::new(-number.value, number.span.mirrored())
}

/// Returns the same value with a span that is marked as mirrored.
fn copied<T: Clone>(value: &Spanned<T>) -> Spanned<T> {
    Spanned::new(value.value.clone(), value.span.mirrored())
}

/// Returns the mirrored vector: the sign of x is flipped, so 0.0 becomes -0.0.
fn mirrored([x, y, z]: Vector) -> Vector {
    [negated(x), copied(&y), copied(&z)]
}

fn primitive(m: &MirrorX, p: &Primitive) -> Primitive {
    Primitive {
        id: renamed(m, &p.id),
        dimensions: p
            .dimensions
            .iter()
            .map(|(key, size)| (*key, copied(size)))
            .collect(),
        transform: p.transform.as_ref().map(transform),
        material: p.material.as_ref().map(copied),
        ..p.clone()
    }
}

/// Returns the mirrored transform: a missing translation becomes positive zeros, and a rotation is reflected (`numerics.md`
/// §4.4).
fn transform(t: &Transform) -> Transform {
    let zeros = [Spanned::new(0.0, Default::default()); 3];
    Transform {
        translation: Some(t.translation.map_or(zeros, mirrored)),
        rotation: t.rotation.map(reflected),
    }
}

/// Returns a rotation, reflected in the YZ plane.
fn reflected(rotation: Orientation) -> Orientation {
    let angles = |[x, y, z]: Vector| [copied(&x), negated(y), negated(z)];
    match rotation {
        Orientation::Euler(written) => Orientation::Euler(angles(written)),
        Orientation::EulerOfDegrees(written) => Orientation::EulerOfDegrees(angles(written)),
        Orientation::Quaternion([x, y, z, w]) => {
            Orientation::Quaternion([copied(&x), turned(y), turned(z), copied(&w)])
        }
    }
}

/// Returns the negated number, without a sign if it is zero (`extensions.md` D28).
fn turned(number: Spanned<f64>) -> Spanned<f64> {
    let negated = negated(number);
    if negated.value == 0.0 {
        Spanned::new(0.0, negated.span)
    } else {
        negated
    }
}

fn bone(m: &MirrorX, b: &Bone) -> Bone {
    Bone {
        id: renamed(m, &b.id),
        parent: renamed(m, &b.parent),
        head: mirrored(b.head),
        tail: mirrored(b.tail),
        roll: negated(b.roll),
        span: b.span.mirrored(),
    }
}

fn anchor(m: &MirrorX, a: &Anchor) -> Anchor {
    Anchor {
        id: renamed(m, &a.id),
        translation: mirrored(a.translation),
        scope: (),
    }
}

fn instance(m: &MirrorX, i: &Instance) -> Instance {
    let mut copy = i.clone();
    copy.id = renamed(m, &i.id);
    copy.span = i.span.mirrored();
    if let Instanced::Mesh(mesh) = &mut copy.of {
        *mesh = renamed(m, mesh);
    }
    if let Some(attach) = &mut copy.attach3 {
        attach.from.value = attach.from.value.each_ref().map(copied);
        attach.from.span = attach.from.span.mirrored();
        attach.to.span = attach.to.span.mirrored();
        attach.mode = copied(&attach.mode);
        attach.to.value = std::array::from_fn(|k| renamed(m, &attach.to.value[k]));
    }
    copy
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse, yaml};

    fn expanded(text: &str) -> Document {
        expand(
            parse::parse(&yaml::compose(text, &yaml::Options::default()).unwrap())
                .document
                .unwrap(),
        )
    }

    #[test]
    fn copies_follow_originals_and_zeros_change_sign() {
        let document = expanded(
            "version: '0.3'\nmeshes: [{id: m, primitives: [\
             {type: box, id: L.a, dimensions: {x: 1}, transform: {translation: [0, 1, 2], rotation_euler: [1, 2, 3]}},\
             {type: box, id: b, dimensions: {x: 1}},\
             {type: box, id: L.c, dimensions: {x: 1}, transform: {}}]}]\n\
             symmetry: {mirror_x: {prefix_from: L., prefix_to: R.}}",
        );
        let primitives = &document.meshes[0].primitives;
        let ids: Vec<&str> = primitives.iter().map(|p| &*p.id.value).collect();
        assert_eq!(ids, ["L.a", "b", "L.c", "R.a", "R.c"]);
        let bits = |v: &Vector| v.map(|n| n.value.to_bits());
        let transform = primitives[3].transform.as_ref().unwrap();
        assert_eq!(
            bits(transform.translation.as_ref().unwrap()),
            [-0.0, 1.0, 2.0].map(f64::to_bits)
        );
        assert_eq!(
            match transform.rotation.as_ref().unwrap() {
                Orientation::Euler(angles) => bits(angles),
                other => panic!("{other:?}"),
            },
            [1.0, -2.0, -3.0].map(f64::to_bits)
        );
        let transform = primitives[4].transform.as_ref().unwrap();
        assert_eq!(bits(transform.translation.as_ref().unwrap()), [0; 3]);
        assert!(document.symmetry.is_none());
    }

    #[test]
    fn errors_of_an_original_are_not_repeated_for_its_copy() {
        let text = "version: '0.3'\nmeshes: [{id: m, primitives: [{type: box, id: L.a, dimensions: {x: -1}}]}]\n\
             symmetry: {mirror_x: {prefix_from: L., prefix_to: R.}}\n\
             anchors: [{id: L.a, translation: [0, 0, 0]}, {id: R.a, translation: [0, 0, 0]}]";
        let errors = crate::validate::validate(expanded(text)).unwrap_err();
        assert_eq!(errors.len(), 3);
        let shown = rigy_base::diag::without_repeats(errors.clone());
        // The original has a V07. The copy of an anchor has the id of another anchor (V24).
        assert_eq!(shown, [errors[0].clone(), errors[2].clone()]);
    }

    #[test]
    fn the_word_none_is_renamed_like_any_parent() {
        let document = expanded(
            "version: '0.3'\narmatures: [{id: a, bones: [{id: nose, parent: none, head: [0,0,0], tail: [0,1,0]}]}]\n\
             symmetry: {mirror_x: {prefix_from: n, prefix_to: T}}",
        );
        let copy = &document.armatures[0].bones[1];
        assert_eq!((&*copy.id.value, &*copy.parent.value), ("Tose", "Tone"));
    }
}
