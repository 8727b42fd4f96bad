//! The names of a text: definitions and references, with their bytes.

mod collect;

use std::ops::Range;
use std::rc::Rc;

use super::sketch::Scalar;
use super::walk::{Surroundings, TextKind};
use rigy_base::maps::HashMap;
use rigy_language::schema::names::NameKind;

/// One name in a text.
pub struct Name {
    pub kind: NameKind,
    pub scope: Scope,
    /// The name itself.
    pub text: String,
    pub is_definition: bool,
    /// The scalar that contains it, by number.
    pub scalar: usize,
    /// The bytes of the name in the value of the scalar.
    pub at: Range<usize>,
    /// The bytes of the name in the text.
    pub range: Range<usize>,
    /// True for a macro, whose name is the beginning of the ids of what it makes.
    pub is_macro: bool,
    /// True in the `slot` of a child, false in its `mount`.
    pub is_slot: bool,
}

impl Name {
    /// Returns a reference whose scalar is not known yet.
    fn new(kind: NameKind, scope: Scope, text: String, at: Range<usize>) -> Self {
        Self {
            kind,
            scope,
            text,
            is_definition: false,
            scalar: 0,
            at,
            range: 0..0,
            is_macro: false,
            is_slot: false,
        }
    }
}

/// A scalar that contains names.
pub struct NamedScalar {
    pub scalar: Scalar,
    pub is_key: bool,
}

/// A file that a text refers to.
#[derive(Clone)]
pub struct Link {
    /// The path, as it is written.
    pub path: String,
    /// The bytes of the path in the text.
    pub range: Range<usize>,
    pub to: LinkKind,
}

/// The kinds of files that a text refers to.
#[derive(Clone, PartialEq, Eq)]
pub enum LinkKind {
    /// The document of the import with this name.
    Import(String),
    /// The contract of the import with this name.
    Contract(String),
    /// The weights of a primitive of a mesh, by bones of an armature.
    Weights { mesh: String, armature: String },
}

/// The names of a text.
#[derive(Default)]
pub struct Names {
    pub all: Vec<Name>,
    pub scalars: Vec<NamedScalar>,
    pub links: Vec<Link>,
    /// The prefixes of `symmetry`.
    pub mirror: Option<(String, String)>,
    /// Definitions by kind, scope and name.
    index: HashMap<(NameKind, Scope, String), Vec<usize>>,
    /// Bones by their ids, in all armatures.
    bones: HashMap<String, Vec<usize>>,
}

impl Names {
    /// Returns a reference without a text, by which the elements are found that it may refer to.
    pub fn reference(kind: NameKind, scope: Scope) -> Name {
        Name::new(kind, scope, String::new(), 0..0)
    }

    fn finish(mut self) -> Self {
        for (at, name) in self.all.iter().enumerate() {
            if name.is_definition {
                let key = (name.kind, name.scope.clone(), name.text.clone());
                self.index.entry(key).or_default().push(at);
                if name.kind == NameKind::Bone {
                    self.bones.entry(name.text.clone()).or_default().push(at);
                }
            }
        }
        self
    }

    /// Returns the definitions of a name in a scope of this file.
    pub fn defined(&self, kind: NameKind, scope: &Scope, text: &str) -> &[usize] {
        if *scope == Scope::Everywhere {
            return self.bones.get(text).map_or(&[], Vec::as_slice);
        }
        let key = (kind, scope.clone(), text.to_owned());
        self.index.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Returns the beginnings of names between which symmetry mirrors the elements of a kind.
    pub fn mirror_of(&self, kind: NameKind) -> Option<&(String, String)> {
        let is_mirrored = matches!(
            kind,
            NameKind::Primitive | NameKind::Bone | NameKind::Anchor | NameKind::Instance
        );
        self.mirror.as_ref().filter(|_| is_mirrored)
    }

    /// Returns the name of the copy that symmetry makes of an element.
    pub fn mirrored(&self, kind: NameKind, name: &str) -> Option<String> {
        let (from, to) = self.mirror_of(kind)?;
        Some(format!("{to}{}", name.strip_prefix(&**from)?))
    }

    /// Returns the names at an offset, which may be right behind them. There are several where an alias repeats a name, and
    /// where one is a part of another.
    pub fn at(&self, offset: usize) -> Vec<usize> {
        let found: Vec<usize> = (0..self.all.len())
            .filter(|at| touches(&self.all[*at].range, offset))
            .collect();
        let shortest = found.iter().map(|at| self.all[*at].range.len()).min();
        found
            .into_iter()
            .filter(|at| Some(self.all[*at].range.len()) == shortest)
            .collect()
    }
}

/// Returns true if an offset is in a range or right behind it.
pub fn touches(range: &Range<usize>, offset: usize) -> bool {
    range.start <= offset && offset <= range.end
}

/// The elements among which a name is unique, or looked up.
#[derive(Clone, PartialEq, Eq, Hash)]
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
        NameKind::Primitive | NameKind::UvSet => within(&around.mesh),
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
        (TextKind::Weights, _) | (TextKind::Contract, NameKind::Anchor) => Scope::Owners,
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
