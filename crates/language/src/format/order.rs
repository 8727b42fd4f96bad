//! The order of keys (`extensions.md` §11.3), and where in a document it applies.

use crate::model::document::DOCUMENT;
use crate::model::rigging::BONE;
use crate::schema::Record;

/// The keys of a primitive that have an order. A key that is not in its list comes after those that are.
const PRIMITIVE: &[&str] = &[
    "type",
    "macro",
    "id",
    "name",
    "dimensions",
    "transform",
    "material",
    "surface",
    "tags",
];
/// The keys of a transform that have an order.
const TRANSFORM: &[&str] = &["translation", "rotation_degrees"];

/// The kind of a value in a document: a list, or a mapping of fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Document,
    Meshes,
    Mesh,
    Primitives,
    Primitive,
    Dimensions,
    Operators,
    Operator,
    Transform,
    Armatures,
    Armature,
    Bones,
    Bone,
    Other,
}

/// The place of a value in a document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub part: Part,
    /// It is the value of `repeat`, and its `body` is the part.
    is_repeat: bool,
}

/// The keys that come first in a mapping, in their order.
enum Order {
    /// All fields of a mapping, in the order of their table.
    Fields(&'static Record),
    Keys(&'static [&'static str]),
    /// The order of the text.
    None,
}

impl Place {
    pub const DOCUMENT: Self = Self::of(Part::Document);
    pub const OTHER: Self = Self::of(Part::Other);

    const fn of(part: Part) -> Self {
        Self {
            part,
            is_repeat: false,
        }
    }

    /// Returns the place of the items of a list.
    pub fn item(self) -> Self {
        Self::of(match self.part {
            Part::Meshes => Part::Mesh,
            Part::Primitives => Part::Primitive,
            Part::Operators => Part::Operator,
            Part::Armatures => Part::Armature,
            Part::Bones => Part::Bone,
            _ => Part::Other,
        })
    }

    /// Returns the place of the value of a key.
    pub fn value(self, key: &str) -> Self {
        let part = match (self.part, key) {
            (part, "body") if self.is_repeat => part,
            _ if self.is_repeat => Part::Other,
            (
                part
                @ (Part::Mesh | Part::Primitive | Part::Operator | Part::Armature | Part::Bone),
                "repeat",
            ) => {
                return Self {
                    part,
                    is_repeat: true,
                };
            }
            (Part::Document, "meshes") => Part::Meshes,
            (Part::Document, "armatures") => Part::Armatures,
            (Part::Mesh, "primitives") => Part::Primitives,
            (Part::Primitive, "dimensions") => Part::Dimensions,
            (Part::Primitive, "ops") => Part::Operators,
            (Part::Primitive | Part::Operator, "transform") => Part::Transform,
            (Part::Armature, "bones") => Part::Bones,
            _ => Part::Other,
        };
        Self::of(part)
    }

    /// Returns the keys that come first here.
    fn order(self) -> Order {
        match self.part {
            _ if self.is_repeat => Order::None,
            Part::Document => Order::Fields(&DOCUMENT),
            Part::Bone => Order::Fields(&BONE),
            Part::Primitive => Order::Keys(PRIMITIVE),
            Part::Transform => Order::Keys(TRANSFORM),
            _ => Order::None,
        }
    }

    pub fn is_ordered(self) -> bool {
        !matches!(self.order(), Order::None)
    }

    /// Returns the rank of a key. `<<` comes first, as an author writes it: what is merged is a start that other keys change.
    pub fn rank(self, key: Option<&str>) -> usize {
        let position = match (self.order(), key) {
            (_, Some("<<")) => return 0,
            (Order::Fields(record), Some(key)) => record.position(key, 0),
            (Order::Keys(keys), Some(key)) => keys.iter().position(|known| *known == key),
            (Order::None, _) | (_, None) => None,
        };
        position.map_or(usize::MAX, |at| at + 1)
    }
}
