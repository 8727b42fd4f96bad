//! The way through a sketch by the table of fields: the form, the field and the surroundings of each node.

use std::rc::Rc;

use super::question::Source;
use super::sketch::{Entry, NodeId, Sketch, Value};
use rigy_language::model::Shape;
use rigy_language::model::composition::{ATTACH3, INSTANCE};
use rigy_language::model::document::DOCUMENT;
use rigy_language::model::meshes::MESH;
use rigy_language::model::rigging::ARMATURE;
use rigy_language::model::scenes::{CHILD, CONTRACT, PLACE, SCENE, SCENE_FILE};
use rigy_language::model::weights::BINDING;
use rigy_language::schema::meshes::{PRIMITIVE, dimensions_of};
use rigy_language::schema::names::{NameKind, Role};
use rigy_language::schema::preprocessed::{BOX_DECOMPOSE, PRISM, PRISM_NAME, REPEAT};
use rigy_language::schema::weights::WEIGHT_FILE;
use rigy_language::schema::{Field, Form, Record};
use rigy_language::version::Version;

/// The kinds of texts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    Document,
    Scene,
    Contract,
    Weights,
}

impl TextKind {
    /// Returns the kind of a text by a key that only one kind has, else by the name of its file.
    pub fn of(source: Source, sketch: &Sketch) -> Self {
        let has = |key: &str| sketch.entry(sketch.root, key, source.text).is_some();
        let name = source
            .location
            .0
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let named = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        if has("version") || has("rigy_version") {
            Self::Document
        } else if has("rigs_version") || named(&[".rigs.yaml", ".rigs.yml"]) {
            Self::Scene
        } else if has("contract_version") || named(&[".ricy.yaml", ".ricy.yml"]) {
            Self::Contract
        } else if has("influences") || has("vertex_count") || named(&[".json"]) {
            Self::Weights
        } else {
            Self::Document
        }
    }

    /// Returns the fields of its texts.
    fn record(self) -> &'static Record {
        match self {
            Self::Document => &DOCUMENT,
            Self::Scene => &SCENE_FILE,
            Self::Contract => &CONTRACT,
            Self::Weights => &WEIGHT_FILE,
        }
    }
}

/// Returns the version of a document; the newest one where it cannot be read.
pub fn version_of(sketch: &Sketch, text: &str) -> Version {
    let read = |key| Version::named(sketch.text_of(sketch.root, key, text)?);
    read("version")
        .or_else(|| read("rigy_version"))
        .unwrap_or(Version::NEWEST)
}

/// The elements around a node that decide what its names refer to.
#[derive(Clone, Default)]
pub struct Surroundings {
    /// The id of the mesh that contains it, or that its binding names.
    pub mesh: Option<Rc<str>>,
    /// The id of the armature that contains it, or that its binding names.
    pub armature: Option<Rc<str>>,
    /// The import that it belongs to or that its instance places; of a child of a scene, the part of the child.
    pub part: Option<Rc<str>>,
    /// The part below the part of a child of a scene.
    below: Option<Rc<str>>,
    /// The import whose anchors are meant; `None` for those of this file.
    pub anchors: Option<Rc<str>>,
    /// True in the `slot` of a child.
    pub is_slot: bool,
}

/// A node with its form.
pub struct NodePlace {
    pub node: NodeId,
    pub form: Form,
    /// The form of the items of the list that contains it, which is that of the body of a repeat.
    item: Form,
    pub role: Role,
    pub key_role: Role,
    /// The fields of the mapping, if it is one that the table knows, or may become one.
    pub record: Option<&'static Record>,
    /// The field whose value this is, or a part of.
    pub field: Option<&'static Field>,
    pub around: Surroundings,
    /// True for an item of a list.
    pub is_item: bool,
}

impl NodePlace {
    fn of(node: NodeId, form: Form) -> Self {
        Self {
            node,
            form,
            item: form,
            role: Role::None,
            key_role: Role::None,
            record: None,
            field: None,
            around: Surroundings::default(),
            is_item: false,
        }
    }
}

/// A text with its sketch.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    pub text: &'a str,
    pub sketch: &'a Sketch,
    pub kind: TextKind,
}

impl<'a> Reading<'a> {
    /// Returns the root.
    pub fn root(self) -> NodePlace {
        let form = Form::Record(self.kind.record());
        self.entered(NodePlace::of(self.sketch.root, form), None)
    }

    /// Returns the nodes in a mapping or a list, each with its entry if it has one.
    pub fn parts(self, place: &NodePlace) -> impl Iterator<Item = (Option<&'a Entry>, NodePlace)> {
        let entries = self.sketch.entries(place.node).iter();
        let items = self.sketch.items(place.node).iter();
        entries
            .map(move |entry| (Some(entry), self.value_of(place, entry)))
            .chain(items.map(move |item| (None, self.item_of(place, *item))))
    }

    /// Returns the value of an entry.
    pub fn value_of(self, place: &NodePlace, entry: &Entry) -> NodePlace {
        let key = entry.key.value(self.text);
        let field = place.record.and_then(|record| record.field(key));
        let (form, role, key_role) = match (field, place.form) {
            (Some(field), _) => (field.form, field.role, field.key_role),
            (None, Form::Map(value)) => (*value, place.role, Role::None),
            (None, _) if key == "repeat" && self.is_repeat(place) => {
                (Form::Record(&REPEAT), Role::None, Role::None)
            }
            (None, _) => (Form::Any, Role::None, Role::None),
        };
        let form = match form {
            Form::Body => place.item,
            Form::Rotation(form) => *form,
            form => form,
        };
        let inner = NodePlace {
            item: match form {
                Form::Record(record) if std::ptr::eq(record, &REPEAT) => place.form,
                _ => place.item,
            },
            role,
            key_role,
            field: field.or(place.field),
            around: self.around_value(place, key),
            ..NodePlace::of(entry.value, form)
        };
        self.entered(inner, Some(place.node))
    }

    /// Returns an item of a list.
    pub fn item_of(self, place: &NodePlace, item: NodeId) -> NodePlace {
        let form = match place.form {
            Form::List(form) | Form::Tuple(_, form) => *form,
            Form::OneOrMore(record) => Form::Record(record),
            Form::Different => Form::Text,
            _ => Form::Any,
        };
        let inner = NodePlace {
            role: place.role,
            field: place.field,
            around: place.around.clone(),
            is_item: true,
            ..NodePlace::of(item, form)
        };
        self.entered(inner, None)
    }

    /// Completes a place by what its own keys say. `parent` is the mapping that contains it.
    fn entered(self, mut place: NodePlace, parent: Option<NodeId>) -> NodePlace {
        let is_list = matches!(self.sketch.node(place.node).value, Value::List(_));
        place.record = match place.form {
            // Only the value of its one key is a mapping of fields.
            _ if self.is_repeat(&place) => None,
            Form::Record(record) => Some(record),
            Form::OneOrMore(record) if !is_list => Some(record),
            Form::Primitive => Some(self.primitive(place.node)),
            Form::Dimensions => parent
                .and_then(|parent| self.sketch.text_of(parent, "type", self.text))
                .and_then(Shape::named)
                .and_then(dimensions_of),
            _ => None,
        };
        if let Some(record) = place.record {
            self.surround(&mut place, record);
        }
        place
    }

    fn is_repeat(self, place: &NodePlace) -> bool {
        let is_item = matches!(place.form, Form::Record(_) | Form::Primitive);
        is_item
            && self.kind == TextKind::Document
            && self.sketch.root != place.node
            && self.sketch.entry(place.node, "repeat", self.text).is_some()
    }

    /// Returns the fields of a primitive or a macro.
    fn primitive(self, node: NodeId) -> &'static Record {
        if self.sketch.entry(node, "macro", self.text).is_none() {
            return &PRIMITIVE;
        }
        match self.sketch.text_of(node, "macro", self.text) {
            Some(PRISM_NAME) => &PRISM,
            _ => &BOX_DECOMPOSE,
        }
    }

    /// Notes the ids of a mapping that the names in it depend on.
    fn surround(self, place: &mut NodePlace, record: &'static Record) {
        let id = |key: &str| -> Option<Rc<str>> {
            self.sketch
                .text_of(place.node, key, self.text)
                .map(Rc::from)
        };
        let is = |other: &'static Record| std::ptr::eq(record, other);
        let around = &mut place.around;
        if is(&MESH) {
            around.mesh = id("id");
        } else if is(&ARMATURE) {
            around.armature = id("id");
        } else if is(&BINDING) {
            around.mesh = id("mesh_id");
            around.armature = id("armature_id");
        } else if is(&INSTANCE) {
            around.part = id("import");
        } else if is(&SCENE) || is(&CHILD) {
            around.below = around.part.take();
            around.part = id("base");
        }
    }

    /// Returns the surroundings of a value.
    fn around_value(self, place: &NodePlace, key: &str) -> Surroundings {
        let mut around = place.around.clone();
        let is = |other: &'static Record| place.record.is_some_and(|own| std::ptr::eq(own, other));
        if place.key_role == Role::Defines(NameKind::Import) {
            around.part = Some(key.into());
        } else if is(&ATTACH3) {
            around.anchors = around.part.clone().filter(|_| key == "from");
        } else if is(&PLACE) {
            around.is_slot = key == "slot";
            around.anchors = match key {
                "slot" => around.below.clone(),
                _ => around.part.clone(),
            };
        }
        around
    }
}
