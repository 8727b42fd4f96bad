//! The check that an output fits its limits, before memory is taken for its vertices.

use std::collections::HashMap;
use std::sync::Arc;

use super::Part;
use super::findings::{FileFindings, FileSpan};
use super::size::{Size, Total, too_many_bones};
use super::unit::Valid;
use crate::geometry::scene::{Nested, NestedChild};
use crate::geometry::tessellate::{self, Surfaces};
use rigy_language::base::diag::{Code, Diagnostic};
use rigy_language::base::limits::Limits;
use rigy_language::model::{Armature, Document};
use rigy_language::validate;

/// Checks that the document, with the parts that are placed, stays within the limits of an output.
///
/// # Errors
/// U11 and U16 for the document and its parts, or else U17 or an ExportError, with their places.
pub(super) fn check(
    root: &Valid,
    parts: &[Part],
    placed: &[Option<usize>],
    nested: Option<&Nested>,
    surfaces: &Surfaces,
    limits: &Limits,
) -> Result<(), Vec<Diagnostic>> {
    let mut errors = FileFindings::default();
    let mut known: HashMap<*const validate::Checked<Document>, Result<Size, Diagnostic>> =
        HashMap::new();
    let mut measured = |valid: &Valid, importers: &[FileSpan]| {
        let size = known.entry(Arc::as_ptr(&valid.document));
        let size = size
            .or_insert_with(|| size_of(valid, surfaces, limits))
            .clone();
        size.unwrap_or_else(|error| {
            errors.add(&valid.file, [error], importers);
            Size::default()
        })
    };
    let own = measured(root, &[]);
    let of_part = |part: &Part| measured(&part.valid, &[part.importer(root)]);
    let of_parts: Vec<Size> = parts.iter().map(of_part).collect();
    errors.none()?;
    let mut total = Total::default();
    total.add(&own, 0);
    for (instance, part) in root.document.instances.iter().zip(placed) {
        let size = part.map_or_else(Size::default, |part| of_parts[part]);
        total.add_instance(&size, &instance.id.value);
    }
    if let Some(nested) = nested {
        // Every part is written once, and each child adds its nodes.
        of_parts.iter().for_each(|size| total.add(size, 0));
        let mut open: Vec<&NestedChild> = nested.children.iter().collect();
        while let Some(child) = open.pop() {
            total.add_nodes(&of_parts[child.part], &child.name);
            open.extend(&child.children);
        }
    }
    let mut errors = FileFindings::default();
    if let Err(error) = total.within(limits) {
        errors.add(&root.file, [error], &[]);
    }
    errors.none()
}

/// Returns the size of a document's own meshes.
///
/// # Errors
/// U11, U16.
fn size_of(valid: &Valid, surfaces: &Surfaces, limits: &Limits) -> Result<Size, Diagnostic> {
    let profile = &valid.document.tessellation_profile;
    if profile.value != tessellate::PROFILE {
        let message = format!("there is no tessellation profile `{}`", profile.value);
        let help = format!("the only one is `{}`", tessellate::PROFILE);
        return Err(Diagnostic::new(Code::U11, profile.span, message).help(help));
    }
    let mut size = Size::default();
    // The length of all bone names of an armature, together.
    let mut names: HashMap<*const Armature, u64> = HashMap::new();
    for (mesh, bound) in valid.bound_meshes() {
        let (vertices, indices) = tessellate::mesh_counts(mesh, surfaces);
        if mesh.primitives.is_empty() {
            continue;
        }
        let joints = bound.map(|(_, armature)| armature.bones.len());
        size.add_mesh(vertices, indices, joints);
        size.add_labels(mesh, vertices);
        size.add_name(mesh.output_name());
        if let (Some((binding, armature)), Some(joints)) = (bound, joints) {
            let of_bones = names.entry(std::ptr::from_ref(armature));
            let of_bones = of_bones.or_insert_with(|| {
                let bones = armature.bones.iter();
                bones.map(|bone| bone.id.value.len() as u64).sum()
            });
            size.add_names(*of_bones);
            if joints as u64 > limits.joints {
                let (id, limit) = (&binding.armature_id, limits.joints);
                return Err(too_many_bones(&id.value, id.span, joints, limit));
            }
        }
    }
    Ok(size)
}
