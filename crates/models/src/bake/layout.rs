//! The layout of a baked file: its accessors, buffer views and buffer, without those that nothing refers to.
//!
//! In: the edited tree, in which references are the input's indices. Out: the same tree with the output's indices, and
//! the regions of the binary chunk. A view of which all bytes are used is kept as it is; if its accessors leave gaps,
//! each of them gets a view of its own with its elements, byte for byte.

pub mod plan;

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;

use super::baked::Baked;
use super::copied;
use super::edit::remove_extension;
use super::images::Images;
use super::kept::Kept;
use super::references::{Reference, for_each_reference};
use super::source::Source;
use super::streams::Streams;
use super::winding::Winding;
use plan::Plan;
use rigy_base::diag::Diagnostic;
use rigy_base::meter::Meter;
use rigy_base::output::WriteAt;
use rigy_gltf::json::{Value, object};
use rigy_gltf::{COMPRESSIONS, Result};
use rigy_kernel::executor::Executor;

/// A range of bytes of the binary chunk.
#[derive(Clone, Copy)]
pub struct Region {
    /// Offset in bytes from the start of the chunk's data.
    pub offset: u64,
    /// Length in bytes.
    pub len: u64,
    /// The source of the bytes.
    pub content: Content,
}

/// The source of the bytes of a region.
#[derive(Clone, Copy)]
pub enum Content {
    /// The buffer view of the input with this index.
    View(usize),
    /// The elements of an accessor of the input: its index, and the distance from one element to the next in bytes.
    Elements(usize, usize),
    /// The image with this index in [`Images::data`].
    Image(usize),
    /// A part of a stream: the index of the stream in [`Streams::list`] and that of the part in the stream.
    Part(usize, usize),
    /// The triangles of this index in [`Winding::list`].
    Triangles(usize),
    /// The bytes of this index in [`Prepared::made`](super::baker::Prepared::made).
    Made(usize),
}

/// A laid out file.
pub struct Layout<'a> {
    /// The final JSON, except for the slots of bounds.
    pub tree: Value<'a>,
    /// The regions of the binary chunk, by ascending offset.
    pub regions: Vec<Region>,
    /// Length of the chunk's data in bytes, before padding.
    pub len: u64,
    /// Index of the accessor of the first part of the first stream.
    pub first_part: usize,
    /// The warnings about data that are copied.
    pub warnings: Vec<Diagnostic>,
}

/// Lays a file out. Images that have a name in `image_names` are files of that name beside it.
///
/// # Errors
/// If the JSON of buffer views would have to be repeated too often, or the data of accessors be read too often.
pub fn lay_out<'a>(
    source: &Source<'a>,
    mut tree: Value<'a>,
    streams: &Streams,
    winding: &Winding,
    image_names: &[Option<String>],
    executor: &dyn Executor,
    meter: &mut Meter,
) -> Result<Layout<'a>> {
    let Source { file, images, .. } = source;
    put_beside(&mut tree, image_names);
    let mut plan = Plan::new(file);
    let kept = Kept::new(file, &mut tree, &source.references_of_data);
    let mut accessors = kept.accessors_of(file);
    let warnings = copied::check(file, &kept, &mut accessors, executor, meter)?;
    let views = file.tree.list("bufferViews");
    plan.add_kept(&kept, &mut accessors, views, meter)?;
    let is_beside = |image: usize| image_names.get(image).is_some_and(Option::is_some);
    let embedded: BTreeSet<usize> = (images.of.iter().enumerate())
        .filter(|(image, _)| !is_beside(*image))
        .filter_map(|(_, data)| *data)
        .collect();
    let mut image_views = vec![None; images.data.len()];
    for index in embedded {
        let len = images.data[index].bytes.as_ref().len() as u64;
        let view = plan.push(object([]), len, Content::Image(index));
        image_views[index] = Some(view);
    }
    let first_part = accessors.len();
    for (index, stream) in streams.list.iter().enumerate() {
        plan.add_parts(index, stream, &mut accessors);
    }
    for (index, triangles) in winding.list.iter().enumerate() {
        plan.add_triangles(index, triangles, &mut accessors);
    }
    renumber(&mut tree, &kept, first_part, &plan.view_indices);
    embed_images(&mut tree, images, &image_views);
    set_or_remove(&mut tree, "accessors", accessors);
    set_or_remove(&mut tree, "bufferViews", plan.views);
    let buffer = buffer(tree.list("buffers").first(), plan.len);
    set_or_remove(&mut tree, "buffers", buffer.into_iter().collect());
    Ok(Layout {
        tree,
        regions: plan.regions,
        len: plan.len,
        first_part,
        warnings,
    })
}

/// Replaces the indices of the input in all references by those of the output. New accessors are numbered from the
/// input's count on in `tree`, and from `first_part` on in the output.
fn renumber(tree: &mut Value, kept: &Kept, first_part: usize, views: &[Option<usize>]) {
    let indices = &kept.accessor_indices;
    let at = |list: &[Option<usize>], old: usize| list.get(old).copied().flatten();
    for_each_reference(tree, &mut |reference, value| {
        let new = value.as_index().and_then(|old| match reference {
            Reference::Accessor => match old.checked_sub(indices.len()) {
                Some(part) => Some(first_part + part),
                None => indices[old],
            },
            Reference::PerhapsAccessor => at(indices, old),
            Reference::View | Reference::PerhapsView => at(views, old),
        });
        if let Some(new) = new {
            *value = new.into();
        }
    });
}

/// Makes images with a name refer to the files of these names instead of what they refer to in the input.
fn put_beside(tree: &mut Value, names: &[Option<String>]) {
    for (image, name) in tree.list_mut("images").iter_mut().zip(names) {
        if let Some(name) = name {
            image.remove("bufferView");
            image.set("uri", name.clone());
        }
    }
}

/// Makes images with a URI refer to the buffer views that hold them; `views` has the index of the view of each of `images`, if it
/// has one.
fn embed_images(tree: &mut Value, images: &Images, views: &[Option<usize>]) {
    for (image, data) in tree.list_mut("images").iter_mut().zip(&images.of) {
        let Some((data, view)) = data.and_then(|data| Some((data, views[data]?))) else {
            continue;
        };
        image.remove("uri");
        image.set("bufferView", view);
        if let (None, Some(media_type)) = (image.get("mimeType"), &images.data[data].media_type) {
            image.set("mimeType", media_type.clone());
        }
    }
}

/// The only buffer of the output, with all other members of the input's first one; `None` if it is empty.
fn buffer<'a>(first: Option<&Value<'a>>, len: u64) -> Option<Value<'a>> {
    let mut buffer = first.cloned().unwrap_or(object([]));
    buffer.remove("uri");
    for name in COMPRESSIONS {
        remove_extension(&mut buffer, name);
    }
    buffer.set("byteLength", len);
    (len > 0).then_some(buffer)
}

/// Sets a list of the tree, or removes it if it is empty: glTF allows no empty lists.
fn set_or_remove<'a>(tree: &mut Value<'a>, key: &'static str, list: Vec<Value<'a>>) {
    if list.is_empty() {
        tree.remove(key);
    } else {
        tree.set(key, list);
    }
}

/// Most bytes of a region that one task copies.
pub const COPY_LEN: u64 = 1 << 20;

impl Baked<'_> {
    /// Copies up to [`COPY_LEN`] bytes of a region, from the byte `start` of the region on.
    pub(super) fn copy(&self, region: &Region, start: u64, out: &dyn WriteAt) -> io::Result<()> {
        let range = start as usize..region.len.min(start + COPY_LEN) as usize;
        let offset = self.file_offset(region) + start;
        let file = self.evaluator.file;
        let whole = match region.content {
            Content::View(view) => file.view(view).unwrap_or(&[]),
            Content::Image(image) => self.images.data[image].bytes.as_ref(),
            Content::Elements(accessor, stride) => {
                return out.write_at(&self.elements(accessor, stride, range), offset);
            }
            Content::Triangles(index) => {
                let triangles = &self.prepared.triangles[index];
                return out.write_at(&triangles.bytes(file, range), offset);
            }
            Content::Made(index) => {
                return out.write_at(&self.prepared.made[index].bytes(range), offset);
            }
            Content::Part(..) => &[],
        };
        out.write_at(whole.get(range).unwrap_or(&[]), offset)
    }

    /// The bytes in `range` of a region that holds the elements of an accessor, `stride` bytes apart; bytes
    /// between elements are zero.
    fn elements(&self, accessor: usize, stride: usize, range: Range<usize>) -> Vec<u8> {
        let mut bytes = vec![0; range.len()];
        let Some(accessor) = self.evaluator.file.accessor(accessor) else {
            return bytes;
        };
        for element in range.start / stride..range.end.div_ceil(stride) {
            let from = accessor.bytes(element).unwrap_or(&[]);
            for (at, byte) in (element * stride..).zip(from) {
                if range.contains(&at) {
                    bytes[at - range.start] = *byte;
                }
            }
        }
        bytes
    }
}
