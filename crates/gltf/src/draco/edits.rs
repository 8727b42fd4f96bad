//! Editing the JSON of a file whose primitives have been decoded, with the bounds of decoded elements.

use std::collections::HashMap;

use super::primitive::Compressed;
use crate::cursor::Cursor;
use crate::element_type::{ComponentType, ElementType};
use crate::json::{Value, object};
use crate::problem::{Problem, Result};

/// Most values of JSON that copies of accessors may have.
const MOST_COPIED: usize = 1 << 22;

/// A member of a primitive that refers to an accessor.
pub enum Slot {
    /// The attribute of this name.
    Attribute(String),
    /// The vertex indices.
    Indices,
}

/// The decoded elements that an accessor describes.
#[derive(Clone, Copy)]
pub struct Decoded {
    /// Index of their buffer view.
    pub view: usize,
    /// Their number.
    pub count: u64,
    /// Their bounds; `None` if they have infinite or undefined components.
    pub bounds: Option<Bounds>,
}

/// An accessor that the file does not have.
#[derive(Clone, Copy)]
enum Added {
    /// A copy of an accessor of the file, which has already been used for other elements.
    Copy(usize, Decoded),
    /// Vertex indices of a type.
    Indices(ComponentType, Decoded),
}

/// The edits of a file.
#[derive(Default)]
pub struct Edits {
    /// The JSON of the views that have been added.
    views: Vec<Value<'static>>,
    /// For accessors of the file, the elements that they now describe.
    decoded: HashMap<usize, Decoded>,
    /// The accessors after those of the file.
    added: Vec<Added>,
    /// The members of primitives that refer to added accessors: mesh, primitive, member, index of the accessor.
    moved: Vec<(usize, usize, Slot, usize)>,
    /// Number of accessors of the file.
    accessor_count: usize,
}

impl Edits {
    /// No edits of a file.
    pub fn new(root: &Cursor) -> Self {
        Self {
            accessor_count: root.value.list("accessors").len(),
            ..Self::default()
        }
    }

    /// Adds a buffer view of decoded elements.
    pub fn add_view(&mut self, len: u64, stride: Option<u64>, target: u64) {
        let mut view = object([]);
        view.set("buffer", 0_u64);
        view.set("byteLength", len);
        if let Some(stride) = stride {
            view.set("byteStride", stride);
        }
        view.set("target", target);
        self.views.push(view);
    }

    /// Makes a member of a primitive describe decoded elements by the accessor that it refers to, or by a copy if that
    /// accessor describes others already.
    pub fn refer(&mut self, user: &Compressed, slot: Slot, accessor: usize, decoded: Decoded) {
        let first = *self.decoded.entry(accessor).or_insert(decoded);
        if first.view != decoded.view {
            self.move_to(user, slot, Added::Copy(accessor, decoded));
        }
    }

    /// Gives a primitive vertex indices that it does not have.
    pub fn add_indices(&mut self, user: &Compressed, component: ComponentType, decoded: Decoded) {
        self.move_to(user, Slot::Indices, Added::Indices(component, decoded));
    }

    /// Makes a member of a primitive refer to an accessor that is added.
    fn move_to(&mut self, user: &Compressed, slot: Slot, added: Added) {
        let index = self.accessor_count + self.added.len();
        self.added.push(added);
        self.moved.push((user.mesh, user.primitive, slot, index));
    }

    /// Applies the edits to the JSON of the file.
    ///
    /// # Errors
    /// If accessors are shared so often that their copies would be too much JSON.
    pub fn apply(self, tree: &mut Value) -> Result<()> {
        self.check_copies(tree.list("accessors"))?;
        if let Some(views) = tree.array_mut("bufferViews") {
            views.extend(self.views);
        }
        let accessors = tree.array_mut("accessors");
        if let Some(accessors) = accessors {
            for (index, decoded) in &self.decoded {
                describe(&mut accessors[*index], decoded);
            }
            for added in &self.added {
                let accessor = added.json(accessors);
                accessors.push(accessor);
            }
        }
        for (mesh, primitive, slot, accessor) in self.moved {
            let primitive = &mut tree.list_mut("meshes")[mesh].list_mut("primitives")[primitive];
            match slot {
                Slot::Indices => primitive.set("indices", accessor),
                Slot::Attribute(name) => {
                    if let Some(attributes) = primitive.get_mut("attributes") {
                        attributes.set(name, accessor);
                    }
                }
            }
        }
        Ok(())
    }

    /// Refuses copies of accessors that would be too much JSON.
    fn check_copies(&self, accessors: &[Value]) -> Result<()> {
        let mut sizes = HashMap::new();
        let mut copied = 0usize;
        for added in &self.added {
            if let Added::Copy(of, _) = added {
                let size = sizes.entry(of).or_insert_with(|| accessors[*of].size());
                copied = copied.saturating_add(*size);
            }
        }
        let message = "primitives with different Draco data share them too often";
        if copied > MOST_COPIED {
            Err(Problem::rule(&"accessors", message))
        } else {
            Ok(())
        }
    }
}

impl Added {
    /// The JSON of the accessor; `accessors` are those of the file.
    fn json<'a>(&self, accessors: &[Value<'a>]) -> Value<'a> {
        let (mut accessor, decoded) = match self {
            Self::Copy(of, decoded) => (accessors[*of].clone(), decoded),
            Self::Indices(component, decoded) => {
                let mut accessor = object([]);
                accessor.set("componentType", component.number());
                accessor.set("type", ElementType::Scalar.name());
                (accessor, decoded)
            }
        };
        describe(&mut accessor, decoded);
        accessor
    }
}

/// Makes an accessor describe decoded elements.
fn describe(accessor: &mut Value, decoded: &Decoded) {
    accessor.remove("byteOffset");
    accessor.remove("sparse");
    accessor.set("bufferView", decoded.view);
    if accessor.get("count").and_then(Value::as_u64) != Some(decoded.count) {
        accessor.set("count", decoded.count);
    }
    // Writers give the bounds that elements had before they were compressed with loss.
    for (at, key) in ["min", "max"].into_iter().enumerate() {
        match &decoded.bounds {
            Some(Bounds { width, corners }) if accessor.get(key).is_some() => {
                accessor.set(key, Value::numbers(&corners[at][..*width]));
            }
            Some(_) => {}
            None => drop(accessor.remove(key)),
        }
    }
}

/// Most components of an element of a stream: matrices are not read.
const MOST: usize = 4;

/// The bounds of elements, as `min` and `max` of their accessor say them: integers are not divided.
#[derive(Clone, Copy)]
pub struct Bounds {
    width: usize,
    /// The least components, and the greatest.
    corners: [[f64; MOST]; 2],
}

impl Bounds {
    /// Returns the bounds of elements of `width` components, which begin `stride` bytes apart; `None` if there are no elements, or
    /// a component is infinite or undefined.
    pub fn of(bytes: &[u8], component: ComponentType, width: usize, stride: usize) -> Option<Self> {
        if bytes.is_empty() || width > MOST {
            return None;
        }
        let mut min = [f64::INFINITY; MOST];
        let mut max = [f64::NEG_INFINITY; MOST];
        for element in bytes.chunks_exact(stride) {
            for (at, bytes) in element
                .chunks_exact(component.size())
                .take(width)
                .enumerate()
            {
                let value = component.real(bytes, false);
                if !value.is_finite() {
                    return None;
                }
                // Of equal zeros the first: `f64::min` may return either.
                if value < min[at] {
                    min[at] = value;
                }
                if value > max[at] {
                    max[at] = value;
                }
            }
        }
        let corners = [min, max];
        Some(Self { width, corners })
    }
}
