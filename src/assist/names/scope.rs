//! The scopes of names: where a definition is unique, and where a reference is looked up.

use std::rc::Rc;

use super::super::walk::{Surroundings, TextKind};
use crate::language::schema::names::NameKind;

/// The elements among which a name is unique, or looked up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The elements of the file.
    File,
    /// Those of the mesh or armature with this id.
    In(String),
    /// The bones of all armatures.
    Everywhere,
    /// The elements of the import with this name; frame sets are those of its contract.
    Part(String),
    /// The elements of the documents that refer to this file.
    Owners,
}

/// Returns the scope in which an element has its name.
pub fn definition_scope(kind: NameKind, around: &Surroundings) -> Scope {
    let within = |id: &Option<Rc<str>>| Scope::In(id.as_deref().unwrap_or_default().into());
    match kind {
        NameKind::Primitive => within(&around.mesh),
        NameKind::Bone => within(&around.armature),
        _ => Scope::File,
    }
}

/// Returns the scope in which a reference is looked up.
pub fn reference_scope(
    text: TextKind,
    kind: NameKind,
    around: &Surroundings,
    is_key: bool,
) -> Scope {
    match (text, kind) {
        (TextKind::Weights, _) => Scope::Owners,
        (TextKind::Contract, NameKind::Anchor) => Scope::Owners,
        (_, NameKind::Bone) if is_key => Scope::Everywhere,
        (TextKind::Document | TextKind::Scene, NameKind::Anchor | NameKind::Frame) => {
            match &around.anchors {
                Some(part) => Scope::Part(part.to_string()),
                None => Scope::File,
            }
        }
        _ => definition_scope(kind, around),
    }
}
