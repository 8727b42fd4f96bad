//! What a long document would come to, told while it is skimmed: bones and vertices, of which a GLB holds so many, and
//! imports.
//!
//! Only what is plain to see is counted, so that there is never less than this in a document without faults: merged
//! lists of mappings, escapes in keys, and what is mirrored of meshes are left out.

mod tally;

use super::allowance;
use super::size::{self, Size, Total};
use crate::base::diag::Diagnostic;
use crate::base::limits::Limits;
use crate::language::yaml::{self, Watch};
use tally::{Binding, Tally};

/// Texts that are shorter are composed at once, within the time and the memory that a refusal may take.
const SHORT: usize = 16 << 10;

/// Why a text is refused, with the path of where.
pub(super) type Refusal = (Diagnostic, String);

/// Looks at the text of a document, if it is long.
///
/// # Errors
/// U10 for its nesting, its aliases and its imports, U16 and U17 for what it would come to.
pub(super) fn of_document(text: &str, limits: &Limits) -> Result<(), Box<Refusal>> {
    match text.len() {
        ..SHORT => Ok(()),
        _ => of_any_document(text, limits),
    }
}

/// Whether a document of any length would be refused: tests compare it with what composing it comes to.
#[doc(hidden)]
pub fn refuses(text: &str, limits: &Limits) -> bool {
    of_any_document(text, limits).is_err()
}

fn of_any_document(text: &str, limits: &Limits) -> Result<(), Box<Refusal>> {
    let mut tally = Tally::default();
    if !skim(text, limits, &mut tally)? {
        return Ok(());
    }
    imports(&tally)?;
    judge(&mut tally, limits)?;
    let Some(prefix) = tally.prefix.filter(|_| may_double(&tally, limits)) else {
        return Ok(());
    };
    tally = Tally::mirrored(prefix);
    skim(text, limits, &mut tally)?;
    judge(&mut tally, limits)
}

/// Looks at a text that is a part of a document, or a contract, if it is long.
///
/// # Errors
/// U10 for its nesting, its aliases and its imports.
pub(super) fn of_part(text: &str, limits: &Limits) -> Result<(), Box<Refusal>> {
    match text.len() {
        ..SHORT => Ok(()),
        _ => {
            let mut tally = Tally::default();
            skim(text, limits, &mut tally)?;
            imports(&tally)
        }
    }
}

fn skim<'s>(
    text: &'s str,
    limits: &Limits,
    watch: &mut impl Watch<'s>,
) -> Result<bool, Box<Refusal>> {
    yaml::skim(text, limits, watch).map_err(|error| Box::new((error, String::new())))
}

/// Refuses imports of too many files.
fn imports(tally: &Tally<'_>) -> Result<(), Box<Refusal>> {
    match tally.beyond {
        Some(span) => Err(Box::new((allowance::crowd(span), String::new()))),
        None => Ok(()),
    }
}

/// Whether an armature could be beyond the limit if its bones are mirrored.
fn may_double(tally: &Tally<'_>, limits: &Limits) -> bool {
    let most = tally.armatures.iter().map(|(_, bones)| *bones).max();
    most.is_some_and(|bones| 2 * bones as u64 > limits.joints)
}

/// Compares what has been counted with the limits, as is done again when everything is known.
fn judge(tally: &mut Tally<'_>, limits: &Limits) -> Result<(), Box<Refusal>> {
    tally.armatures.sort_by_key(|(id, _)| *id);
    tally.bindings.sort_by_key(|binding| binding.mesh);
    let mut size = Size::default();
    for mesh in &tally.meshes {
        let found = tally.bindings.binary_search_by_key(&mesh.id, |b| b.mesh);
        let binding = found.ok().map(|at| &tally.bindings[at]);
        let joints = binding.and_then(|binding| joints_of(tally, binding));
        size.add_mesh(mesh.count.first, mesh.count.indices, joints);
        if let (Some(binding), Some(joints)) = (binding, joints)
            && joints as u64 > limits.joints
        {
            let error = size::too_many_bones(binding.armature, binding.span, joints, limits.joints);
            let path = format!("bindings[{}].armature_id", binding.index);
            return Err(Box::new((error, path)));
        }
    }
    let mut total = Total::default();
    total.add(&size, 0);
    total
        .within(limits)
        .map_err(|error| Box::new((error, String::new())))
}

/// The bones of the armature that a binding names.
fn joints_of(tally: &Tally<'_>, binding: &Binding<'_>) -> Option<usize> {
    let id = binding.armature;
    let found = tally.armatures.binary_search_by_key(&id, |(id, _)| *id);
    found.ok().map(|at| tally.armatures[at].1)
}

#[cfg(test)]
mod tests;
