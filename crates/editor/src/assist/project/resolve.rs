//! From a reference to the definitions that it refers to, in all files of a question.

use super::{NameId, Project};
use crate::assist::names::{LinkKind, Name, Scope};
use rigy_language::schema::names::NameKind;

/// Most definitions of one name that are looked at. Documents without findings have one, and one for each armature of a pose.
const MOST_DEFINITIONS: usize = 100;

/// A step by which the text of a reference is derived from the name of the definition.
#[derive(Clone)]
pub enum Derivation {
    /// It begins with the second prefix of `symmetry`, where the name begins with the first.
    Mirrored,
    /// It is the name of a macro and what follows it.
    Made(String),
    /// It is the name without a prefix.
    Without(&'static str),
}

/// A definition that a reference refers to.
pub struct Resolved {
    pub definition: NameId,
    /// The steps from the name to the reference.
    pub by: Vec<Derivation>,
}

impl Project {
    /// Returns the definitions that a name refers to: of a definition, the definition itself.
    pub fn resolve(&self, id: NameId) -> Vec<Resolved> {
        let name = self.name(id);
        if name.is_definition {
            let by = Vec::new();
            return vec![Resolved { definition: id, by }];
        }
        let mut found: Vec<Resolved> = Vec::new();
        for (file, scope) in self.scopes(id.file, name) {
            let more = match name.kind {
                NameKind::Frame => self.frames(file, name),
                _ => self.lookup(file, name.kind, &scope, &name.text),
            };
            found.extend(more);
        }
        found
    }

    /// Returns the files and scopes in which a reference is looked up.
    pub fn scopes(&self, file: usize, name: &Name) -> Vec<(usize, Scope)> {
        match (&name.scope, name.kind) {
            (Scope::Part(import), kind) => {
                let part = match kind {
                    NameKind::Frame => self.contract(file, import),
                    _ => self.import(file, import),
                };
                part.map(|file| (file, Scope::File)).into_iter().collect()
            }
            (Scope::Owners, kind) => self.owner_scopes(file, kind),
            (scope, _) => vec![(file, scope.clone())],
        }
    }

    fn owner_scopes(&self, file: usize, kind: NameKind) -> Vec<(usize, Scope)> {
        self.owners
            .get(&file)
            .map_or(&[][..], Vec::as_slice)
            .iter()
            .filter_map(|(owner, link)| match (link, kind) {
                (LinkKind::Contract(import), _) => {
                    Some((self.import(*owner, import)?, Scope::File))
                }
                (LinkKind::Weights { armature, .. }, NameKind::Bone) => {
                    Some((*owner, Scope::In(armature.clone())))
                }
                (LinkKind::Weights { mesh, .. }, _) => Some((*owner, Scope::In(mesh.clone()))),
                _ => None,
            })
            .collect()
    }

    /// Looks a name up in a scope: as it is written, then as a mirrored copy, then as what a macro makes.
    pub fn lookup(&self, file: usize, kind: NameKind, scope: &Scope, text: &str) -> Vec<Resolved> {
        let exact = self.defined(file, kind, scope, text, &[]);
        if !exact.is_empty() {
            return exact;
        }
        let made = self.made(file, kind, scope, text, &[]);
        if !made.is_empty() {
            return made;
        }
        let Some((from, rest)) = self
            .names(file)
            .mirror_of(kind)
            .and_then(|(from, to)| Some((from, text.strip_prefix(&**to)?)))
        else {
            return Vec::new();
        };
        let original = format!("{from}{rest}");
        let found = self.defined(file, kind, scope, &original, &[Derivation::Mirrored]);
        if found.is_empty() {
            self.made(file, kind, scope, &original, &[Derivation::Mirrored])
        } else {
            found
        }
    }

    fn defined(
        &self,
        file: usize,
        kind: NameKind,
        scope: &Scope,
        text: &str,
        by: &[Derivation],
    ) -> Vec<Resolved> {
        self.names(file)
            .defined(kind, scope, text)
            .iter()
            .take(MOST_DEFINITIONS)
            .map(|name| Resolved {
                definition: NameId { file, name: *name },
                by: by.to_vec(),
            })
            .collect()
    }

    /// Looks for a macro whose id is the beginning of a name, before an underscore.
    fn made(
        &self,
        file: usize,
        kind: NameKind,
        scope: &Scope,
        text: &str,
        by: &[Derivation],
    ) -> Vec<Resolved> {
        if kind != NameKind::Primitive {
            return Vec::new();
        }
        for end in text.rmatch_indices('_').map(|(at, _)| at).take(16) {
            let steps = [by, &[Derivation::Made(text[end..].to_owned())]].concat();
            let mut found = self.defined(file, kind, scope, &text[..end], &steps);
            found.retain(|found| self.name(found.definition).is_macro);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Looks a set of a contract up: with the prefix of slots or mounts, then as it is written.
    fn frames(&self, file: usize, name: &Name) -> Vec<Resolved> {
        let prefix = if name.is_slot { "slots." } else { "mounts." };
        let full = format!("{prefix}{}", name.text);
        let without = [Derivation::Without(prefix)];
        let found = self.defined(file, NameKind::Frame, &Scope::File, &full, &without);
        if found.is_empty() {
            self.defined(file, NameKind::Frame, &Scope::File, &name.text, &[])
        } else {
            found
        }
    }
}
