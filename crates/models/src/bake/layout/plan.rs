//! The regions of the binary chunk, with the buffer views and accessors that refer to them.

use std::collections::BTreeMap;

use super::{Content, Region};
use crate::bake::edit::remove_extension;
use crate::bake::json_chunk::slot;
use crate::bake::kept::Kept;
use crate::bake::streams::Stream;
use crate::bake::winding::Triangles;
use rigy_base::maps::HashSet;
use rigy_base::meter::{Cost, Meter};
use rigy_gltf::json::{Value, object};
use rigy_gltf::{COMPRESSIONS, ComponentType, ElementType, File, Result};

/// Regions begin at multiples of this many bytes, which suits every component type, those of extensions included.
pub const ALIGNMENT: u64 = 8;

/// A view is kept whole if at most this many of its bytes belong to no element.
const MAX_PADDING: u64 = 3;

/// `target` of buffer views with vertex data.
pub const ARRAY_BUFFER: u64 = 34962;

/// `target` of buffer views with vertex indices.
const ELEMENT_ARRAY_BUFFER: u64 = 34963;

/// [`Value::size`] of a buffer view that has no members but those of the core format, rounded up.
const SIZE_OF_VIEW: usize = 16;

/// The elements of an accessor of the input, as its JSON describes them.
#[derive(Clone, Copy)]
struct ElementRange {
    /// Index of the buffer view.
    view: usize,
    /// Offset of the first element in the view, in bytes.
    offset: u64,
    /// Number of elements.
    count: u64,
    /// Length of an element in bytes.
    size: u64,
}

/// The regions and buffer views that have been planned so far.
pub struct Plan<'p, 'a> {
    file: &'p File<'a>,
    /// The regions, by ascending offset.
    pub regions: Vec<Region>,
    /// Length of all regions in bytes, with the gaps between them.
    pub len: u64,
    /// The buffer views of the output.
    pub views: Vec<Value<'a>>,
    /// For each buffer view of the input, its index in the output; `None` unless it is kept whole.
    pub view_indices: Vec<Option<usize>>,
}

impl<'p, 'a> Plan<'p, 'a> {
    /// Returns a plan without regions.
    pub fn new(file: &'p File<'a>) -> Self {
        Self {
            file,
            regions: Vec::new(),
            len: 0,
            views: Vec::new(),
            view_indices: vec![None; file.view_count()],
        }
    }

    /// Adds a region of `len` bytes at the end, and `view` as its buffer view. Returns the index of the view.
    pub fn push(&mut self, mut view: Value<'a>, len: u64, content: Content) -> usize {
        let offset = self.len.next_multiple_of(ALIGNMENT);
        self.len = offset + len;
        for (key, value) in [("buffer", 0), ("byteOffset", offset), ("byteLength", len)] {
            view.set(key, value);
        }
        self.regions.push(Region {
            offset,
            len,
            content,
        });
        self.views.push(view);
        self.views.len() - 1
    }

    /// Adds the buffer views of the input that are kept: whole, or cut into a view for each accessor. Sets the new
    /// indices of views in `accessors`, the accessors that are kept.
    ///
    /// # Errors
    /// If the views that are cut would repeat too much JSON.
    pub fn add_kept(
        &mut self,
        kept: &Kept,
        accessors: &mut [Value<'a>],
        views: &[Value<'a>],
        meter: &mut Meter,
    ) -> Result<()> {
        let mut own_views = vec![None; kept.accessor_indices.len()];
        let of_views = self.elements_of_views(kept, accessors);
        for (index, view) in views.iter().enumerate() {
            let elements = of_views.get(&index).map_or(&[][..], Vec::as_slice);
            if elements.is_empty() && !kept.is_whole_view[index] {
                continue;
            }
            let mut view = view.clone();
            for name in COMPRESSIONS {
                remove_extension(&mut view, name);
            }
            let len = self.file.view(index).map_or(0, <[u8]>::len) as u64;
            if kept.is_whole_view[index] || total_len(elements) + MAX_PADDING >= len {
                self.view_indices[index] = Some(self.push(view, len, Content::View(index)));
                continue;
            }
            // A view that is as long as others is repeated no more often than accessors are.
            let surplus = view.size().saturating_sub(SIZE_OF_VIEW);
            let repeated = surplus.saturating_mul(elements.len() - 1);
            meter.spend(Cost::Repeated, repeated as u64)?;
            for (old, range) in elements {
                own_views[*old] = Some(self.push_elements(*old, range, view.clone()));
            }
        }
        for (index, own_view) in kept.accessor_indices.iter().zip(own_views) {
            if let Some(index) = index {
                self.renumber(&mut accessors[*index], own_view);
            }
        }
        Ok(())
    }

    /// For each buffer view of the input the kept accessors in it: their indices in the input, and their
    /// elements.
    fn elements_of_views(
        &self,
        kept: &Kept,
        accessors: &[Value],
    ) -> BTreeMap<usize, Vec<(usize, ElementRange)>> {
        let mut of_views: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (old, new) in kept.accessor_indices.iter().enumerate() {
            let range = new.and_then(|new| self.element_range(old, &accessors[new]));
            if let Some(range) = range {
                of_views.entry(range.view).or_default().push((old, range));
            }
        }
        of_views
    }

    /// The elements of an accessor of the input; `None` if it has no buffer view, so that they are zeros.
    fn element_range(&self, old: usize, accessor: &Value) -> Option<ElementRange> {
        let number = |key: &str| accessor.get(key).and_then(Value::as_u64);
        let found = self.file.accessor(old)?;
        Some(ElementRange {
            view: accessor.get("bufferView")?.as_index()?,
            offset: number("byteOffset").unwrap_or(0),
            count: found.count() as u64,
            size: found.element_type().size(found.component_type()) as u64,
        })
    }

    /// Adds a region and a buffer view for the elements of one accessor of the input. Returns the index of the view.
    fn push_elements(&mut self, old: usize, range: &ElementRange, mut view: Value<'a>) -> usize {
        let mut stride = range.size;
        if view.get("byteStride").is_some() {
            stride = stride.next_multiple_of(4);
            view.set("byteStride", stride);
        }
        let content = Content::Elements(old, stride as usize);
        self.push(view, range.count * stride, content)
    }

    /// Sets the new indices of buffer views in an accessor; `own_view` is that of the view made for it, if any.
    fn renumber(&self, accessor: &mut Value<'a>, own_view: Option<usize>) {
        if let Some(view) = own_view {
            accessor.remove("byteOffset");
            accessor.set("bufferView", view);
        } else if let Some(view) = accessor.get_mut("bufferView") {
            self.renumber_view(view);
        }
        for part in ["indices", "values"] {
            let part = accessor
                .get_mut("sparse")
                .and_then(|sparse| sparse.get_mut(part));
            if let Some(view) = part.and_then(|part| part.get_mut("bufferView")) {
                self.renumber_view(view);
            }
        }
    }

    /// Replaces the old index of a view that is kept whole by its new one.
    fn renumber_view(&self, value: &mut Value<'a>) {
        let old = value.as_index();
        let new = old.and_then(|old| *self.view_indices.get(old)?);
        if let Some(new) = new {
            *value = new.into();
        }
    }

    /// Adds regions, views and accessors for the parts of stream number `index`.
    pub fn add_parts(&mut self, index: usize, stream: &Stream, accessors: &mut Vec<Value<'a>>) {
        for (part_index, part) in stream.parts.iter().enumerate() {
            let len = (stream.vertex_count * part.element.size(ComponentType::F32)) as u64;
            let view = object([("target", ARRAY_BUFFER.into())]);
            let view = self.push(view, len, Content::Part(index, part_index));
            let mut accessor = object([("bufferView", view.into())]);
            describe(
                &mut accessor,
                stream.vertex_count,
                ComponentType::F32,
                part.element,
            );
            if part.name == "POSITION" {
                accessor.set("min", slot());
                accessor.set("max", slot());
            }
            accessors.push(accessor);
        }
    }

    /// Adds a region, a view and an accessor for the triangles of number `index`, which are turned over.
    pub fn add_triangles(
        &mut self,
        index: usize,
        triangles: &Triangles,
        accessors: &mut Vec<Value<'a>>,
    ) {
        let count = 3 * triangles.count;
        let len = (count * triangles.component.size()) as u64;
        let view = object([("target", ELEMENT_ARRAY_BUFFER.into())]);
        let view = self.push(view, len, Content::Triangles(index));
        let mut accessor = object([("bufferView", view.into())]);
        describe(
            &mut accessor,
            count,
            triangles.component,
            ElementType::Scalar,
        );
        accessors.push(accessor);
    }
}

/// Sets the members of an accessor that describe its elements.
pub fn describe(
    accessor: &mut Value,
    count: usize,
    component: ComponentType,
    element: ElementType,
) {
    accessor.set("componentType", component.number());
    accessor.set("count", count);
    accessor.set("type", element.name());
}

/// The total length in bytes of the elements in a view; accessors with the same elements count once.
fn total_len(elements: &[(usize, ElementRange)]) -> u64 {
    let distinct: HashSet<(u64, u64, u64)> = elements
        .iter()
        .map(|(_, range)| (range.offset, range.count, range.size))
        .collect();
    distinct
        .into_iter()
        .map(|(_, count, size)| count * size)
        .fold(0, u64::saturating_add)
}
