//! Collects the names of a text on a walk through its sketch.

use std::ops::Range;
use std::rc::Rc;

use super::{Link, LinkKind, Name, NamedScalar, Names, Scope, definition_scope, reference_scope};
use crate::assist::sketch::{Scalar, Sketch, Value};
use crate::assist::walk::{NodePlace, Reading, TextKind, version_of};
use rigy_base::maps::HashSet;
use rigy_language::schema::names::{NameKind, Role};
use rigy_language::schema::preprocessed::{BOX_DECOMPOSE, PRISM};
use rigy_language::version::{Feature, Version};
use rigy_language::yaml::is_identifier;

impl Names {
    /// Collects the names of a text.
    pub fn of(text: &str, sketch: &Sketch, kind: TextKind) -> Self {
        let reading = Reading { text, sketch, kind };
        let version = version_of(sketch, text);
        let materials = sketch.entry(sketch.root, "materials", text);
        let materials = materials.iter().flat_map(|it| sketch.entries(it.value));
        let mut collector = Collector {
            reading,
            names: Self {
                mirror: mirror(text, sketch).filter(|_| kind == TextKind::Document),
                ..Self::default()
            },
            has_params: kind == TextKind::Document && version.has(Feature::Params),
            version,
            own_materials: materials.map(|entry| entry.key.value(text)).collect(),
            seen: HashSet::default(),
            // Aliases may repeat nodes; all of them together count as often as the text has nodes.
            left: 4 * sketch.len() + 64,
            repetitions: 0,
        };
        collector.visit(&reading.root(), None);
        collector.names.finish()
    }
}

/// Returns the prefixes of `symmetry`.
fn mirror(text: &str, sketch: &Sketch) -> Option<(String, String)> {
    let symmetry = sketch.entry(sketch.root, "symmetry", text)?.value;
    let mirror = sketch.entry(symmetry, "mirror_x", text)?.value;
    let prefix = |key| sketch.text_of(mirror, key, text).map(str::to_owned);
    Some((prefix("prefix_from")?, prefix("prefix_to")?))
}

struct Collector<'a> {
    reading: Reading<'a>,
    names: Names,
    has_params: bool,
    version: Version,
    /// The ids of the text's own materials, which go before `import.id` (`extensions.md` §4).
    own_materials: HashSet<&'a str>,
    /// The names that have been added, by kind, scope and bytes.
    seen: HashSet<(NameKind, Scope, Range<usize>)>,
    /// The number of nodes that may still be visited again.
    left: usize,
    /// The number of aliases and merged entries that contain the node being visited.
    repetitions: usize,
}

impl<'a> Collector<'a> {
    /// Visits a node and what is in it. `element` is the innermost mapping of fields that contains it.
    fn visit(&mut self, place: &NodePlace, element: Option<&NodePlace>) {
        let sketch = self.reading.sketch;
        if self.repetitions > 0 {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
        }
        if let Value::Scalar(scalar) = &sketch.node(place.node).value {
            self.scalar(place, scalar, element);
            return;
        }
        let is_params = place.key_role == Role::Defines(NameKind::Param);
        let element = match place.record {
            Some(_) => Some(place),
            None => element,
        };
        for (entry, part) in self.reading.parts(place) {
            if let Some(entry) = entry {
                self.key(place, &entry.key);
            }
            // The values of params are literal.
            if !is_params {
                let is_alias = matches!(sketch.raw(part.node).value, Value::Alias(_));
                let is_repeated = is_alias || entry.is_some_and(|entry| entry.is_merged);
                self.repetitions += usize::from(is_repeated);
                self.visit(&part, element);
                self.repetitions -= usize::from(is_repeated);
            }
        }
    }

    /// Adds the names in a scalar.
    fn scalar(&mut self, place: &NodePlace, scalar: &Scalar, element: Option<&NodePlace>) {
        if !scalar.is_text {
            return;
        }
        let value = scalar.value(self.reading.text).to_owned();
        if self.has_params && self.params(scalar, &value) {
            return;
        }
        match place.role {
            Role::None | Role::Words(_) => {}
            Role::Path => self.path(place, scalar, value),
            Role::Defines(kind) => {
                let record = element.and_then(|element| element.record);
                let is = |other| record.is_some_and(|record| std::ptr::eq(record, other));
                let is_macro = is(&BOX_DECOMPOSE) || is(&PRISM);
                let name = Self::definition(kind, place, value);
                self.add(scalar, false, Name { is_macro, ..name });
            }
            Role::Refers(kind) => self.reference(kind, place, scalar, &value, false),
        }
    }

    /// Adds the names in a key.
    fn key(&mut self, place: &NodePlace, key: &Scalar) {
        let text = key.value(self.reading.text).to_owned();
        match place.key_role {
            Role::Defines(kind) => {
                let name = Self::definition(kind, place, text);
                self.add(key, true, name);
            }
            Role::Refers(kind) => self.reference(kind, place, key, &text, true),
            _ => {}
        }
    }

    fn definition(kind: NameKind, place: &NodePlace, text: String) -> Name {
        let (scope, at) = (definition_scope(kind, &place.around), 0..text.len());
        Name {
            is_definition: true,
            ..Name::new(kind, scope, text, at)
        }
    }

    /// Adds a reference. One to an anchor or a material of a part may begin with the name of the import.
    fn reference(
        &mut self,
        kind: NameKind,
        place: &NodePlace,
        scalar: &Scalar,
        value: &str,
        is_key: bool,
    ) {
        let around = &place.around;
        let mut scope = reference_scope(self.reading.kind, kind, around, is_key);
        let is_root = kind == NameKind::Bone && value == "none" && !is_key;
        if is_root || (kind == NameKind::Material && !self.version.has(Feature::Materials)) {
            return;
        }
        let mut at = 0..value.len();
        let may_have_part = match kind {
            NameKind::Anchor => matches!(scope, Scope::Part(_)),
            NameKind::Material => !self.own_materials.contains(value),
            _ => false,
        };
        if may_have_part
            && self.reading.kind == TextKind::Document
            && let Some(dot) = value.find('.')
        {
            let import = value[..dot].to_owned();
            if kind == NameKind::Material {
                scope = Scope::Part(import.clone());
            }
            let name = Name::new(NameKind::Import, Scope::File, import, 0..dot);
            self.add(scalar, is_key, name);
            at.start = dot + 1;
        }
        let name = Name::new(kind, scope, value[at.clone()].to_owned(), at);
        let is_slot = around.is_slot;
        self.add(scalar, is_key, Name { is_slot, ..name });
    }

    /// Adds the params that a text refers to; returns true if the text is one of the two forms that stand for a value.
    fn params(&mut self, scalar: &Scalar, value: &str) -> bool {
        let is_expression =
            self.version.has(Feature::Expressions) && value.len() > 1 && value.starts_with('=');
        let whole = 1..value.len();
        let found: Vec<Range<usize>> = match value.strip_prefix('$') {
            Some(name) if is_identifier(name) => Vec::from([whole]),
            _ if is_expression => identifiers(value),
            _ => return false,
        };
        for at in found {
            let name = Name::new(NameKind::Param, Scope::File, value[at.clone()].into(), at);
            self.add(scalar, false, name);
        }
        true
    }

    /// Adds the file that a path leads to.
    fn path(&mut self, place: &NodePlace, scalar: &Scalar, path: String) {
        let range = scalar.part(&(0..path.len()));
        let around = &place.around;
        let text = |id: &Option<Rc<str>>| id.as_deref().unwrap_or_default().to_owned();
        let to = match (self.reading.kind, place.field.map(|field| field.name)) {
            (TextKind::Document, Some("contract")) => LinkKind::Contract(text(&around.part)),
            (TextKind::Document, Some("source")) if around.mesh.is_some() => LinkKind::Weights {
                mesh: text(&around.mesh),
                armature: text(&around.armature),
            },
            _ => LinkKind::Import(text(&around.part)),
        };
        self.names.links.push(Link { path, range, to });
    }

    /// Adds a name, if it is not there.
    fn add(&mut self, scalar: &Scalar, is_key: bool, name: Name) {
        let range = scalar.part(&name.at);
        let key = (name.kind, name.scope.clone(), range.clone());
        if !self.seen.insert(key) {
            return;
        }
        if !self
            .names
            .scalars
            .last()
            .is_some_and(|last| last.scalar.range == scalar.range)
        {
            let scalar = scalar.clone();
            self.names.scalars.push(NamedScalar { scalar, is_key });
        }
        let scalar = self.names.scalars.len() - 1;
        self.names.all.push(Name {
            scalar,
            range,
            ..name
        });
    }
}

/// Returns the bytes of the names after `$` in an expression.
fn identifiers(value: &str) -> Vec<Range<usize>> {
    let starts = value.match_indices('$').map(|(dollar, _)| dollar + 1);
    let name = |start| {
        let rest: &str = &value[start..];
        let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        let len = rest.find(is_end).unwrap_or(rest.len());
        is_identifier(&rest[..len]).then_some(start..start + len)
    };
    starts.filter_map(name).collect()
}
