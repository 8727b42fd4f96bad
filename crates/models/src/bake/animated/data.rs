//! Accessors, buffer views and regions that an animated file adds to the layout of its first frame.

use crate::bake::layout::plan::{ALIGNMENT, ARRAY_BUFFER, describe};
use crate::bake::layout::{Content, Layout, Region};
use crate::bake::made::Made;
use crate::bake::references::{Reference, follow};
use rigy_base::maps::HashMap;
use rigy_gltf::json::{Value, object};
use rigy_gltf::{ComponentType, ElementType};
use rigy_kernel::math::Bounds;

/// The data that are added.
pub struct Added<'a> {
    /// Index of the first accessor that is added.
    first_accessor: usize,
    accessors: Vec<Value<'a>>,
    /// One for each buffer view.
    groups: Vec<Group>,
    /// The accessors whose elements are all zero, by the number and the type of their elements.
    zeros: HashMap<(usize, &'static str), usize>,
}

/// Data that share a buffer view.
struct Group {
    kind: Kind,
    len: u64,
    parts: Vec<Made>,
}

/// The use of a buffer view, of which there is one each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Attributes of vertices, whose elements have so many bytes.
    Attributes(usize),
    /// The numbers of the vertices of sparse accessors.
    SparseIndices(ComponentType),
    /// The elements of sparse accessors, and the keys of animations.
    Others,
    /// Inverse bind matrices.
    Matrices,
}

/// About as many bytes of JSON has a sparse accessor more than another.
const SPARSE_JSON: usize = 110;

impl<'a> Added<'a> {
    /// Returns no data, to be added where there are so many accessors.
    pub fn new(first_accessor: usize) -> Self {
        Self {
            first_accessor,
            accessors: Vec::new(),
            groups: Vec::new(),
            zeros: HashMap::default(),
        }
    }

    /// Adds an attribute. Returns the index of its accessor, which has bounds if it is one of positions.
    pub fn attribute(&mut self, name: &str, element: ElementType, numbers: Vec<f32>) -> usize {
        let bounds = bounds_of(name, &numbers);
        let size = element.size(ComponentType::F32);
        let accessor = self.numbers(Kind::Attributes(size), element, numbers);
        self.push(accessor, bounds)
    }

    /// Adds the displacements of an attribute, sparse if that is shorter. Returns the index of their accessor.
    pub fn displacements(&mut self, name: &str, element: ElementType, numbers: Vec<f32>) -> usize {
        let width = element.component_count();
        let count = numbers.len() / width;
        // Zeros of both signs count as not moved.
        let is_moved = |element: &[f32]| element.iter().any(|number| *number != 0.0);
        let moved = numbers
            .chunks_exact(width)
            .filter(|element| is_moved(element))
            .count();
        if moved == 0 {
            return self.zeros(name, element, count);
        }
        let index = match u16::try_from(count) {
            Ok(_) => ComponentType::U16,
            Err(_) => ComponentType::U32,
        };
        if moved * (4 * width + index.size()) + SPARSE_JSON >= 4 * numbers.len() {
            return self.attribute(name, element, numbers);
        }
        let bounds = bounds_of(name, &numbers);
        let elements = numbers.chunks_exact(width).enumerate();
        let mut places = Vec::new();
        let mut values = Vec::new();
        for (place, element) in elements.filter(|(_, element)| is_moved(element)) {
            places.extend_from_slice(&(place as u32).to_le_bytes()[..index.size()]);
            values.extend_from_slice(element);
        }
        let mut indices = self.of_view(Kind::SparseIndices(index), Made::Bytes(places));
        indices.set("componentType", index.number());
        let values = self.of_view(Kind::Others, Made::Numbers(values));
        let sparse = object([
            ("count", moved.into()),
            ("indices", indices),
            ("values", values),
        ]);
        let mut accessor = object([]);
        describe(&mut accessor, count, ComponentType::F32, element);
        accessor.set("sparse", sparse);
        self.push(accessor, bounds)
    }

    /// Returns the index of the accessor of so many elements that are zero. It has no buffer view.
    pub fn zeros(&mut self, name: &str, element: ElementType, count: usize) -> usize {
        let key = (count, element.name());
        if let Some(known) = self.zeros.get(&key) {
            return *known;
        }
        let mut accessor = object([]);
        describe(&mut accessor, count, ComponentType::F32, element);
        let is_vector = element.component_count() == 3;
        let bounds = is_vector.then_some([vec![0.0; 3], vec![0.0; 3]]);
        let index = self.push(accessor, bounds.or_else(|| bounds_of(name, &[])));
        self.zeros.insert(key, index);
        index
    }

    /// Adds the times of keys, ascending. Returns the index of their accessor.
    pub fn times(&mut self, times: Vec<f32>) -> usize {
        let ends = [times[0], times[times.len() - 1]].map(|end| vec![end]);
        let accessor = self.numbers(Kind::Others, ElementType::Scalar, times);
        self.push(accessor, Some(ends))
    }

    /// Adds the values of keys. Returns the index of their accessor.
    pub fn values(&mut self, element: ElementType, numbers: Vec<f32>) -> usize {
        let accessor = self.numbers(Kind::Others, element, numbers);
        self.push(accessor, None)
    }

    /// Adds inverse bind matrices. Returns the index of their accessor.
    pub fn matrices(&mut self, numbers: Vec<f32>) -> usize {
        let accessor = self.numbers(Kind::Matrices, ElementType::Mat4, numbers);
        self.push(accessor, None)
    }

    /// Adds the values of keys that are true or false. Returns the index of their accessor.
    pub fn flags(&mut self, flags: &[bool]) -> usize {
        let bytes = flags.iter().map(|flag| u8::from(*flag)).collect();
        let types = (ComponentType::U8, ElementType::Scalar);
        self.bytes(Kind::Others, types, flags.len(), bytes)
    }

    /// Adds elements as bytes. Returns the index of their accessor.
    pub fn bytes(
        &mut self,
        kind: Kind,
        (component, element): (ComponentType, ElementType),
        count: usize,
        mut bytes: Vec<u8>,
    ) -> usize {
        // Numbers that follow are aligned.
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let mut accessor = self.of_view(kind, Made::Bytes(bytes));
        describe(&mut accessor, count, component, element);
        self.push(accessor, None)
    }

    /// Adds numbers to the view of a kind, and makes the accessor of these elements.
    fn numbers(&mut self, kind: Kind, element: ElementType, numbers: Vec<f32>) -> Value<'a> {
        let count = numbers.len() / element.component_count();
        let mut accessor = self.of_view(kind, Made::Numbers(numbers));
        describe(&mut accessor, count, ComponentType::F32, element);
        accessor
    }

    /// Adds an accessor with bounds. Returns its index.
    fn push(&mut self, mut accessor: Value<'a>, bounds: Option<[Vec<f32>; 2]>) -> usize {
        for (key, bound) in ["min", "max"].into_iter().zip(bounds.into_iter().flatten()) {
            let numbers = bound.into_iter().map(number);
            accessor.set(key, numbers.collect::<Vec<_>>());
        }
        self.accessors.push(accessor);
        self.first_accessor + self.accessors.len() - 1
    }

    /// Adds a region to the view of a kind, and makes an object that refers to it.
    fn of_view(&mut self, kind: Kind, made: Made) -> Value<'a> {
        let at = self
            .groups
            .iter()
            .position(|group| group.kind == kind)
            .unwrap_or_else(|| {
                self.groups.push(Group {
                    kind,
                    len: 0,
                    parts: Vec::new(),
                });
                self.groups.len() - 1
            });
        let group = &mut self.groups[at];
        let mut value = object([("bufferView", at.into())]);
        if group.len > 0 {
            value.set("byteOffset", group.len);
        }
        group.len += made.len() as u64;
        group.parts.push(made);
        value
    }

    /// Adds everything to a layout. Returns the contents of the regions that have been added.
    pub fn append_to(mut self, layout: &mut Layout<'a>) -> Vec<Made> {
        let first = layout.tree.list("bufferViews").len();
        for accessor in &mut self.accessors {
            for path in [
                "bufferView",
                "sparse/indices/bufferView",
                "sparse/values/bufferView",
            ] {
                follow(accessor, path, Reference::View, &mut |_, view| {
                    *view = view.as_index().map_or(0, |view| first + view).into();
                });
            }
        }
        let mut made = Vec::new();
        let mut views = Vec::new();
        for group in self.groups {
            let start = layout.len.next_multiple_of(ALIGNMENT);
            layout.len = start;
            for one in group.parts {
                let offset = layout.len;
                let len = one.len() as u64;
                layout.regions.push(Region {
                    offset,
                    len,
                    content: Content::Made(made.len()),
                });
                layout.len += len;
                made.push(one);
            }
            let mut view = object([
                ("buffer", 0_u64.into()),
                ("byteOffset", start.into()),
                ("byteLength", group.len.into()),
            ]);
            if let Kind::Attributes(size) = group.kind {
                view.set("byteStride", size);
                view.set("target", ARRAY_BUFFER);
            }
            views.push(view);
        }
        let tree = &mut layout.tree;
        tree.extend("accessors", self.accessors);
        tree.extend("bufferViews", views);
        if layout.len > 0 {
            if tree.list("buffers").is_empty() {
                tree.set("buffers", vec![object([])]);
            }
            let buffer = &mut tree.list_mut("buffers")[0];
            buffer.set("byteLength", layout.len);
        }
        made
    }
}

/// The bounds of positions; `None` for another attribute.
fn bounds_of(name: &str, numbers: &[f32]) -> Option<[Vec<f32>; 2]> {
    if name != "POSITION" {
        return None;
    }
    let bounds = Bounds::of_interleaved(numbers)?;
    Some([bounds.min, bounds.max].map(|corner| corner.map(|number| number as f32).to_vec()))
}

/// The shortest number that is read as this one in single precision.
fn number<'a>(number: f32) -> Value<'a> {
    Value::Number(ryu::Buffer::new().format_finite(number).to_owned().into())
}
