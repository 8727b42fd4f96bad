//! A first look at long texts, which refuses those that are beyond a limit before a tree is built.
//!
//! Every limit is checked again when a document is composed, parsed and built, and most documents need no more. But the tree of a
//! text of 16 MiB takes up to 700 MiB, and a text that breaks a limit is refused within a second and 256 MiB. So the events of a text
//! that is longer than [`yaml::MOST_UNCOMMON`] are counted first. A limit on events would not help below 0.6: a valid document may
//! have as many.
//!
//! The first look counts only nodes that are certain to be there, so of a document without faults it never counts more
//! than there is: merged lists of mappings, keys with escapes, and mirrored parts of meshes are left out. The fuzz target
//! `limits` compares it with the checks that come later.

mod tally;

use super::allowance;
use super::size::{self, Size, Total};
use rigy_language::base::diag::{Code, Diagnostic, Span};
use rigy_language::base::limits::Limits;
use rigy_language::preprocess::MAX_NODES;
use rigy_language::version::{Feature, Version};
use rigy_language::yaml;
use tally::{Binding, Tally};

/// The role of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It is the document itself.
    Document,
    /// It is imported: a part or a contract. The limits on joints and vertices hold for the document as a whole, and
    /// are not checked here.
    Imported,
}

/// The error of a text that is refused.
pub(super) struct Refusal {
    pub error: Diagnostic,
    /// The document path of the error, such as `bindings[0].armature_id`.
    pub path: String,
}

impl Refusal {
    fn new(error: Diagnostic) -> Box<Self> {
        let path = String::new();
        Box::new(Self { error, path })
    }
}

/// Returns true if a document in the common subset of YAML, however short, would be refused. The fuzz target compares this with
/// [`super::check`].
#[doc(hidden)]
pub fn refuses(text: &str, limits: &Limits) -> bool {
    let mut tally = Tally::new(limits, None);
    yaml::read_common(text, &mut tally).is_ok()
        && judge(text, tally, limits, Role::Document).is_err()
}

/// Looks at a long text.
///
/// # Errors
/// U10 for a text that is not in the common subset of YAML, or has a fault, and for nesting, imports and nodes beyond their limits;
/// for a document also U16 and U17 for joints and vertices.
pub(super) fn look(text: &str, limits: &Limits, role: Role) -> Result<(), Box<Refusal>> {
    let mut tally = Tally::new(limits, None);
    yaml::read_common(text, &mut tally).map_err(Refusal::new)?;
    judge(text, tally, limits, role)
}

fn judge<'s>(
    text: &'s str,
    mut tally: Tally<'s>,
    limits: &Limits,
    role: Role,
) -> Result<(), Box<Refusal>> {
    if let Some(span) = tally.surplus_import {
        return Err(Refusal::new(allowance::too_many_files(span)));
    }
    within_nodes(&tally)?;
    if role == Role::Imported {
        return Ok(());
    }
    compare(&mut tally, limits)?;
    let Some(prefix) = tally.prefix.filter(|_| may_double(&tally, limits)) else {
        return Ok(());
    };
    let mut tally = Tally::new(limits, Some(prefix));
    yaml::read_common(text, &mut tally).map_err(Refusal::new)?;
    compare(&mut tally, limits)
}

/// Compares the number of nodes with the limit of the versions that preprocess documents.
///
/// # Errors
/// U10.
fn within_nodes(tally: &Tally<'_>) -> Result<(), Box<Refusal>> {
    let minor = tally.version.and_then(|text| text.strip_prefix("0."));
    let version = minor.and_then(|minor| Version::of_minor(minor.parse().ok()?));
    let is_limited = version.is_some_and(|version| version.has(Feature::Materials));
    if !is_limited || tally.may_merge || tally.nodes <= MAX_NODES {
        return Ok(());
    }
    let message = format!(
        "the document has at least {} values; the limit is {MAX_NODES}",
        tally.nodes
    );
    let start = Span::default();
    Err(Refusal::new(Diagnostic::new(Code::U10, start, message)))
}

/// True if an armature could be beyond the limit once its bones are mirrored.
fn may_double(tally: &Tally<'_>, limits: &Limits) -> bool {
    let most = tally.armatures.iter().map(|(_, bones)| *bones).max();
    most.is_some_and(|bones| 2 * bones > limits.joints)
}

/// Compares the counts with the limits on joints and vertices, as [`super::assemble`] does with those of the checked
/// document.
///
/// # Errors
/// U16, U17.
fn compare(tally: &mut Tally<'_>, limits: &Limits) -> Result<(), Box<Refusal>> {
    tally.armatures.sort_by_key(|(id, _)| *id);
    tally.bindings.sort_by_key(|binding| binding.mesh);
    let mut size = Size::default();
    for mesh in &tally.meshes {
        let found = tally.bindings.binary_search_by_key(&mesh.id, |b| b.mesh);
        let binding = found.ok().map(|at| &tally.bindings[at]);
        let joints = binding.and_then(|binding| joints_of(tally, binding));
        size.add_mesh(mesh.count.main, mesh.count.indices, joints);
        if let (Some(binding), Some(joints)) = (binding, joints)
            && joints as u64 > limits.joints
        {
            let error = size::too_many_bones(binding.armature, binding.span, joints, limits.joints);
            let path = format!("bindings[{}].armature_id", binding.index);
            return Err(Box::new(Refusal { error, path }));
        }
    }
    let mut total = Total::default();
    total.add(&size, 0);
    total.within(limits).map_err(Refusal::new)
}

/// The number of bones of the armature that a binding names.
fn joints_of(tally: &Tally<'_>, binding: &Binding<'_>) -> Option<usize> {
    let id = binding.armature;
    let found = tally.armatures.binary_search_by_key(&id, |(id, _)| *id);
    found
        .ok()
        .map(|at| usize::try_from(tally.armatures[at].1).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::tessellate;
    use rigy_language::model::Shape;

    #[test]
    fn entries_that_replace_merged_ones_are_counted_instead_of_them() {
        let base = "meshes:\n- {id: m, primitives: [&s {type: sphere, id: s}]}\n- &n {id: n, primitives: [*s]}\n";
        let (sphere, _) = tessellate::counts(Shape::Sphere);
        let limits = Limits {
            vertices: 3 * sphere - 1,
            ..Limits::DEFAULT
        };
        assert!(!refuses(base, &limits));
        assert!(refuses(&format!("{base}- {{<<: *n, id: o}}\n"), &limits));
        for own in [
            "primitives: []",
            "primitives: ~",
            "\"primit\\x69ves\": []",
            "primitives: [{<<: *s, type: *t}]",
            "primitives: [{<<: *s, type: \"\\x62ox\"}]",
            "primitives: [{<<: *s, \"typ\\x65\": box}]",
            "primitives: [{<<: *s, *k : box}]",
        ] {
            let text = format!("x: [&t box, &k type]\n{base}- {{<<: *n, id: o, {own}}}\n");
            assert!(!refuses(&text, &limits), "{own}");
        }
    }

    #[test]
    fn items_of_bones_that_come_to_nothing_are_not_counted() {
        let bones = "version: \"0.10\"\nx: &r {repeat: {count: 0, as: i, body: {id: \"b${i}\"}}}\n\
                 meshes: [{id: m, primitives: [{type: box, id: p}]}]\n\
                 bindings: [{mesh_id: m, armature_id: a}]\narmatures:\n- id: a\n  bones:\n  - &b {id: b}\n  - {<<: *b}\n";
        let limits = Limits {
            joints: 2,
            ..Limits::DEFAULT
        };
        assert!(!refuses(bones, &limits));
        assert!(refuses(&format!("{bones}  - {{id: c}}\n"), &limits));
        assert!(refuses(&format!("{bones}  - *b\n"), &limits));
        for nothing in [
            "{repeat: {count: 0, as: i, body: {id: c}}}",
            "*r",
            "{<<: *r}",
        ] {
            assert!(
                !refuses(&format!("{bones}  - {nothing}\n"), &limits),
                "{nothing}"
            );
        }
    }
}
