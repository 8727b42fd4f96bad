//! Where the bytes of a baked file go: accessors, buffer views and the buffer, without what nothing refers to.
//!
//! In: the edited tree, with references by old numbers. Out: the same tree with all references by their new numbers,
//! and the regions that fill the binary chunk. A view stays whole if all of it is used; where its accessors leave
//! gaps, each gets a view of its own, its elements byte for byte as they were.

use std::collections::{BTreeMap, HashSet};

use super::images::Images;
use super::references::{Reference, for_each_reference};
use super::streams::{Stream, Streams};
use super::text::slot;
use super::tree::remove_extension;
use super::used::Used;
use super::uses::MOST_COPIED;
use crate::bake::gltf::json::Value;
use crate::bake::gltf::{COMPRESSIONS, ComponentType, File, Problem};

/// Regions begin at multiples of this many bytes: enough for every type of component, also of extensions.
const ALIGNMENT: u64 = 8;

/// Bytes that a view may have beyond its elements without being worth cutting.
const MAX_PADDING: u64 = 3;

/// `componentType` of floats and `target` of vertex data.
const F32: u64 = 5126;
const ARRAY_BUFFER: u64 = 34962;

/// Values of a buffer view that has nothing but what the core format gives it.
const FEW_VALUES: usize = 16;

/// Bytes of the binary chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    /// From the start of the chunk.
    pub offset: u64,
    /// In bytes.
    pub len: u64,
    pub content: Content,
}

/// What a region holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    /// A buffer view of the input.
    View(usize),
    /// The elements of an accessor of the input, this many bytes apart.
    Elements(usize, usize),
    /// An image from outside, by its place in [`Images::data`].
    Image(usize),
    /// A part of a stream.
    Part(usize, usize),
}

/// A planned file: the tree, and what fills the chunk.
pub(super) struct Layout<'a> {
    pub tree: Value<'a>,
    pub regions: Vec<Region>,
    /// Bytes of the chunk, before padding.
    pub len: u64,
}

/// What an accessor of the input says of its elements.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    view: usize,
    offset: u64,
    count: u64,
    /// Bytes of an element.
    size: u64,
}

/// Lays a file out.
///
/// # Errors
/// Buffer views whose JSON would have to be repeated too often.
pub(super) fn lay_out<'a>(
    file: &File<'a>,
    mut tree: Value<'a>,
    images: &Images,
    streams: &Streams,
) -> Result<Layout<'a>, Problem> {
    let mut plan = Plan {
        file,
        regions: Vec::new(),
        len: 0,
        views: Vec::new(),
        view_numbers: vec![None; file.view_count()],
    };
    let used = Used::new(file, &mut tree);
    let mut accessors = used.accessors_of(&tree);
    plan.retain(&used, &mut accessors, tree.list("bufferViews"))?;
    let first_image = plan.views.len();
    for (index, image) in images.data.iter().enumerate() {
        let len = image.bytes.as_ref().len() as u64;
        plan.push(Value::Object(Vec::new()), len, Content::Image(index));
    }
    let first_part = accessors.len();
    for (index, stream) in streams.list.iter().enumerate() {
        plan.parts(index, stream, &mut accessors);
    }
    let accessor_number = |old: usize| match old.checked_sub(file.accessor_count()) {
        Some(part) => Some(first_part + part),
        None => used.numbers[old],
    };
    for_each_reference(&mut tree, &mut |reference, value| {
        let new = value.as_u64().and_then(|old| match reference {
            Reference::Accessor => accessor_number(old as usize),
            Reference::PerhapsAccessor => used.numbers.get(old as usize).copied().flatten(),
            Reference::View | Reference::PerhapsView => {
                plan.view_numbers.get(old as usize).copied().flatten()
            }
        });
        if let Some(new) = new {
            *value = Value::integer(new as u64);
        }
    });
    fold_images(&mut tree, images, first_image);
    set_or_remove(&mut tree, "accessors", accessors);
    set_or_remove(&mut tree, "bufferViews", plan.views);
    let buffer = buffer(tree.list("buffers").first(), plan.len);
    set_or_remove(&mut tree, "buffers", buffer.into_iter().collect());
    Ok(Layout {
        tree,
        regions: plan.regions,
        len: plan.len,
    })
}

struct Plan<'p, 'a> {
    file: &'p File<'a>,
    regions: Vec<Region>,
    len: u64,
    views: Vec<Value<'a>>,
    /// New numbers of views that stay whole.
    view_numbers: Vec<Option<usize>>,
}

impl<'a> Plan<'_, 'a> {
    /// Adds a region at the end, and its view.
    fn push(&mut self, mut view: Value<'a>, len: u64, content: Content) -> usize {
        let offset = self.len.next_multiple_of(ALIGNMENT);
        self.len = offset + len;
        for (key, value) in [("buffer", 0), ("byteOffset", offset), ("byteLength", len)] {
            view.set(key, Value::integer(value));
        }
        self.regions.push(Region {
            offset,
            len,
            content,
        });
        self.views.push(view);
        self.views.len() - 1
    }

    /// Keeps the views that used accessors and others refer to, or what of them is used.
    fn retain(
        &mut self,
        used: &Used,
        accessors: &mut [Value<'a>],
        views: &[Value<'a>],
    ) -> Result<(), Problem> {
        let mut copied = 0usize;
        let mut repacked = vec![None; used.numbers.len()];
        let mut on_view: BTreeMap<usize, Vec<(usize, Stretch)>> = BTreeMap::new();
        for (old, number) in used.numbers.iter().enumerate() {
            let stretch = number.and_then(|number| self.stretch(old, &accessors[number]));
            if let Some(stretch) = stretch {
                on_view
                    .entry(stretch.view)
                    .or_default()
                    .push((old, stretch));
            }
        }
        for (index, view) in views.iter().enumerate() {
            let on_it = on_view.get(&index).map_or(&[][..], Vec::as_slice);
            if on_it.is_empty() && !used.whole[index] {
                continue;
            }
            let mut view = view.clone();
            for name in COMPRESSIONS {
                remove_extension(&mut view, name);
            }
            let has = self.file.view(index).map_or(0, <[u8]>::len) as u64;
            if used.whole[index] || bytes_of(on_it) + MAX_PADDING >= has {
                self.view_numbers[index] = Some(self.push(view, has, Content::View(index)));
                continue;
            }
            copied = copied.saturating_add(view.size().saturating_mul(on_it.len() - 1));
            if copied > MOST_COPIED + FEW_VALUES * accessors.len() {
                let message = "cut into a view for each accessor, they would be too much JSON";
                return Err(Problem::rule(&"bufferViews", message));
            }
            for (old, stretch) in on_it {
                repacked[*old] = Some(self.elements(*old, stretch, view.clone()));
            }
        }
        for (old, number) in used.numbers.iter().enumerate() {
            if let Some(number) = number {
                self.renumber(&mut accessors[*number], repacked[old]);
            }
        }
        Ok(())
    }

    /// Where the elements of an accessor lie, as the file says; `None` if there are none but zeros.
    fn stretch(&self, old: usize, accessor: &Value<'_>) -> Option<Stretch> {
        let number = |key: &str| accessor.get(key).and_then(Value::as_u64);
        let found = self.file.accessor(old)?;
        Some(Stretch {
            view: number("bufferView")? as usize,
            offset: number("byteOffset").unwrap_or(0),
            count: found.count() as u64,
            size: found.element_type().size(found.component_type()) as u64,
        })
    }

    /// A view for the elements of one accessor.
    fn elements(&mut self, old: usize, stretch: &Stretch, mut view: Value<'a>) -> usize {
        let mut stride = stretch.size;
        if view.get("byteStride").is_some() {
            stride = stride.next_multiple_of(4);
            view.set("byteStride", Value::integer(stride));
        }
        let content = Content::Elements(old, stride as usize);
        self.push(view, stretch.count * stride, content)
    }

    /// Gives an accessor that stays the new numbers of its views.
    fn renumber(&self, accessor: &mut Value<'a>, repacked: Option<usize>) {
        if let Some(view) = repacked {
            accessor.remove("byteOffset");
            accessor.set("bufferView", Value::integer(view as u64));
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

    fn renumber_view(&self, value: &mut Value<'a>) {
        let old = value.as_u64().map(|old| old as usize);
        let new = old.and_then(|old| *self.view_numbers.get(old)?);
        if let Some(new) = new {
            *value = Value::integer(new as u64);
        }
    }

    /// Views and accessors of what a stream gives.
    fn parts(&mut self, index: usize, stream: &Stream, accessors: &mut Vec<Value<'a>>) {
        for (place, part) in stream.parts.iter().enumerate() {
            let len = (stream.vertex_count * part.element.size(ComponentType::F32)) as u64;
            let view = object([("target", Value::integer(ARRAY_BUFFER))]);
            let view = self.push(view, len, Content::Part(index, place));
            let mut accessor = object([
                ("bufferView", Value::integer(view as u64)),
                ("componentType", Value::integer(F32)),
                ("count", Value::integer(stream.vertex_count as u64)),
                ("type", Value::string(part.element.name())),
            ]);
            if part.name == "POSITION" {
                accessor.set("min", slot());
                accessor.set("max", slot());
            }
            accessors.push(accessor);
        }
    }
}

/// Bytes of the elements on a view, those of equal accessors once.
fn bytes_of(on_view: &[(usize, Stretch)]) -> u64 {
    let distinct: HashSet<(u64, u64, u64)> = on_view
        .iter()
        .map(|(_, stretch)| (stretch.offset, stretch.count, stretch.size))
        .collect();
    let lens = distinct.into_iter().map(|(_, count, size)| count * size);
    lens.fold(0, u64::saturating_add)
}

/// Images from outside become images in views.
fn fold_images(tree: &mut Value<'_>, images: &Images, first_view: usize) {
    for (image, data) in tree.list_mut("images").iter_mut().zip(&images.of) {
        let Some(data) = *data else { continue };
        image.remove("uri");
        image.set("bufferView", Value::integer((first_view + data) as u64));
        if let (None, Some(kind)) = (image.get("mimeType"), &images.data[data].kind) {
            image.set("mimeType", Value::string(kind.clone()));
        }
    }
}

/// The one buffer, which keeps what the first one had to say; `None` if it is empty.
fn buffer<'a>(first: Option<&Value<'a>>, len: u64) -> Option<Value<'a>> {
    let mut buffer = first.cloned().unwrap_or(Value::Object(Vec::new()));
    buffer.remove("uri");
    for name in COMPRESSIONS {
        remove_extension(&mut buffer, name);
    }
    buffer.set("byteLength", Value::integer(len));
    (len > 0).then_some(buffer)
}

fn set_or_remove<'a>(tree: &mut Value<'a>, key: &'static str, list: Vec<Value<'a>>) {
    if list.is_empty() {
        tree.remove(key);
    } else {
        tree.set(key, Value::Array(list));
    }
}

fn object<'a, const N: usize>(members: [(&'static str, Value<'a>); N]) -> Value<'a> {
    Value::Object(
        members
            .into_iter()
            .map(|(key, value)| (key.into(), value))
            .collect(),
    )
}
