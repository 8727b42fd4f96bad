//! Checking accessors: after this stage all elements of every accessor lie inside their buffer views.

use super::accessor::{Accessor, Base, Sparse};
use super::buffers::Buffers;
use super::cursor::Cursor;
use super::element_type::{ComponentType, ElementType};
use super::problem::{Findings, Result, shown};

/// Number of elements that an accessor without a buffer view may have in any file. A file with more bytes of data than
/// this may have as many elements as bytes.
const FREE_ZEROS: u64 = 1 << 16;

/// An accessor whose ranges have been checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CheckedAccessor {
    count: usize,
    component: ComponentType,
    element: ElementType,
    normalized: bool,
    base: Option<ElementRange>,
    sparse: Option<CheckedSparse>,
}

/// The position of elements in a buffer view.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ElementRange {
    /// Index of the buffer view.
    view: usize,
    /// Offset of the first element in the view, in bytes.
    offset: usize,
    /// Distance from one element to the next in bytes.
    stride: usize,
    /// Length in bytes from the start of the first element to the end of the last.
    len: usize,
}

impl ElementRange {
    /// The bytes of the range.
    fn bytes<'b>(&self, buffers: &'b Buffers) -> Option<&'b [u8]> {
        buffers
            .view_bytes(self.view)?
            .get(self.offset..self.offset.checked_add(self.len)?)
    }
}

/// Sparse values whose ranges have been checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct CheckedSparse {
    count: usize,
    index_type: ComponentType,
    indices: ElementRange,
    values: ElementRange,
}

impl CheckedAccessor {
    /// Returns the number of elements.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the accessor that reads the elements. It is never `None` for the buffers with which it was checked.
    pub fn accessor<'b>(&self, buffers: &'b Buffers) -> Option<Accessor<'b>> {
        let mut base = None;
        let mut sparse = None;
        if let Some(range) = &self.base {
            let bytes = range.bytes(buffers)?;
            base = Some(Base {
                bytes,
                stride: range.stride,
            });
        }
        if let Some(replaced) = &self.sparse {
            sparse = Some(Sparse {
                count: replaced.count,
                index_type: replaced.index_type,
                indices: replaced.indices.bytes(buffers)?,
                values: replaced.values.bytes(buffers)?,
            });
        }
        Some(Accessor {
            count: self.count,
            component: self.component,
            element: self.element,
            normalized: self.normalized,
            base,
            sparse,
        })
    }
}

/// Checks all accessors of a file, all of whose buffer views have been read.
pub fn check(root: &Cursor, buffers: &Buffers, findings: &mut Findings) -> Vec<CheckedAccessor> {
    findings.read_list(root, "accessors", |item, _, findings| {
        accessor(item, buffers, findings)
    })
}

/// Checks one accessor.
pub fn accessor(
    at: &Cursor,
    buffers: &Buffers,
    findings: &mut Findings,
) -> Result<CheckedAccessor> {
    at.object()?;
    let (component, element) = types(at)?;
    let normalized = at.flag("normalized")?;
    if normalized && matches!(component, ComponentType::F32 | ComponentType::U32) {
        findings.warn(at.rule_in(
            "normalized",
            format!("{} components are not normalized", component.name()),
        ));
    }
    let count = at.required_integer("count")?;
    if count == 0 {
        findings.warn(at.rule_in(
            "count",
            "there are no elements; a primitive without vertices is not drawn",
        ));
    }
    let size = element.size(component) as u64;
    let base = match at.get("bufferView") {
        Some(_) => {
            let range = range(at, buffers, count, size, true)?;
            check_alignment(at, &range, component, findings);
            Some(range)
        }
        None => {
            check_zeros(at, count, buffers)?;
            None
        }
    };
    let sparse = at.optional_object("sparse")?;
    let sparse = sparse
        .map(|sparse| checked_sparse(&sparse, buffers, count, size))
        .transpose()?;
    Ok(CheckedAccessor {
        count: to_usize(at, count)?,
        component,
        element,
        normalized,
        base,
        sparse,
    })
}

/// Refuses an accessor of so many zeros that reading them would take much more memory than the file.
fn check_zeros(at: &Cursor, count: u64, buffers: &Buffers) -> Result<()> {
    if count <= buffers.len().max(FREE_ZEROS) {
        return Ok(());
    }
    Err(at
        .rule_in(
            "count",
            format!(
                "{count} elements of zeros, in a file with {} bytes of data",
                buffers.len()
            ),
        )
        .help("give the accessor a buffer view"))
}

/// Reads the types of an accessor.
pub fn types(at: &Cursor) -> Result<(ComponentType, ElementType)> {
    let component = component_type(at)?;
    let kind = at.required("type")?;
    let element = ElementType::of(kind.value)
        .ok_or_else(|| kind.wrong_type("a type of elements, such as `VEC3`"))?;
    Ok((component, element))
}

/// Reads `componentType` of this object.
fn component_type(at: &Cursor) -> Result<ComponentType> {
    let number = at.required("componentType")?;
    number
        .value
        .as_u64()
        .and_then(ComponentType::of)
        .ok_or_else(|| number.wrong_type("a component type: 5120, 5121, 5122, 5123, 5125 or 5126"))
}

/// Converts a count or length; fails if the machine cannot address that much.
fn to_usize(at: &Cursor, number: u64) -> Result<usize> {
    usize::try_from(number)
        .map_err(|_| at.rule(format!("{number} is more than this machine can address")))
}

/// The range of the `count` elements of `size` bytes that start at `bufferView` and `byteOffset` of this
/// object. `strided` is true if the buffer view may have a `byteStride` of its own.
fn range(
    at: &Cursor,
    buffers: &Buffers,
    count: u64,
    size: u64,
    strided: bool,
) -> Result<ElementRange> {
    let view = at
        .required("bufferView")?
        .as_index(buffers.view_count(), "buffer views")?;
    let offset = at.integer("byteOffset")?.unwrap_or(0);
    let given = buffers.stride(view);
    if !strided && given.is_some_and(|stride| stride != size) {
        return Err(at.rule_in(
            "bufferView",
            format!("buffer view {view} must not have a byteStride"),
        ));
    }
    let stride = given.unwrap_or(size);
    if stride < size {
        return Err(at.rule_in(
            "bufferView",
            format!(
                "elements of {size} bytes overlap: the byteStride of buffer view {view} is {stride}"
            ),
        ));
    }
    let has = buffers.view_bytes(view).map_or(0, <[u8]>::len) as u64;
    let len = match count.checked_sub(1) {
        Some(steps) => steps
            .checked_mul(stride)
            .and_then(|len| len.checked_add(size)),
        None => Some(0),
    };
    let end = len.and_then(|len| len.checked_add(offset));
    let (Some(len), true) = (len, end.is_some_and(|end| end <= has)) else {
        let message = format!(
            "{count} elements, {stride} bytes apart, from byte {offset} pass the end of buffer view {view}, which has {has}"
        );
        return Err(at.rule(message).at_byte(offset));
    };
    Ok(ElementRange {
        view,
        offset: to_usize(at, offset)?,
        stride: to_usize(at, stride)?,
        len: to_usize(at, len)?,
    })
}

/// Warns of components that do not lie at multiples of their size (glTF 2.0 §3.6.2.4). This program can read them.
fn check_alignment(
    at: &Cursor,
    range: &ElementRange,
    component: ComponentType,
    findings: &mut Findings,
) {
    let size = component.size();
    if !range.offset.is_multiple_of(size) || !range.stride.is_multiple_of(size) {
        findings.warn(at.rule_in(
            "byteOffset",
            format!(
                "components of {size} bytes are not aligned at byte {} with stride {}",
                range.offset, range.stride
            ),
        ));
    }
}

/// The type of an accessor's elements as messages name it, such as `VEC3 of f32`.
pub fn described(accessor: &Accessor) -> String {
    let normalized = if accessor.is_normalized() {
        "normalized "
    } else {
        ""
    };
    format!(
        "{} of {normalized}{}",
        accessor.element_type().name(),
        accessor.component_type().name()
    )
}

/// The accessor that this value refers to, and its index.
pub fn referenced_accessor<'b>(
    at: &Cursor,
    accessors: &[CheckedAccessor],
    buffers: &'b Buffers,
) -> Result<(usize, Accessor<'b>)> {
    let index = at.as_index(accessors.len(), "accessors")?;
    let accessor = accessors[index].accessor(buffers);
    Ok((
        index,
        accessor.ok_or_else(|| at.rule(format!("accessor {} has no data", shown(at.value))))?,
    ))
}

/// Checks the sparse values of an accessor with `count` elements of `size` bytes.
fn checked_sparse(at: &Cursor, buffers: &Buffers, count: u64, size: u64) -> Result<CheckedSparse> {
    let replaced = at.required_integer("count")?;
    if replaced == 0 || replaced > count {
        return Err(at.rule_in(
            "count",
            format!("{replaced} of {count} elements cannot be replaced"),
        ));
    }
    let indices_at = at.required("indices")?.object()?;
    let index_type = component_type(&indices_at)?;
    if !matches!(
        index_type,
        ComponentType::U8 | ComponentType::U16 | ComponentType::U32
    ) {
        let found = index_type.name();
        return Err(indices_at.rule_in("componentType", format!("indices cannot be {found}")));
    }
    let indices = range(
        &indices_at,
        buffers,
        replaced,
        index_type.size() as u64,
        false,
    )?;
    let values = range(
        &at.required("values")?.object()?,
        buffers,
        replaced,
        size,
        false,
    )?;
    check_indices(
        &indices_at,
        indices.bytes(buffers).unwrap_or(&[]),
        index_type,
        count,
    )?;
    Ok(CheckedSparse {
        count: to_usize(at, replaced)?,
        index_type,
        indices,
        values,
    })
}

/// Checks that the indices of replaced elements ascend strictly and are below `count` (glTF 2.0 §3.6.2.3).
fn check_indices(at: &Cursor, bytes: &[u8], index_type: ComponentType, count: u64) -> Result<()> {
    let mut least = 0;
    for (position, bytes) in bytes.chunks_exact(index_type.size()).enumerate() {
        let index = index_type.index(bytes).map_or(count, u64::from);
        if index < least || index >= count {
            let fault = if index < least {
                "not above the one before".into()
            } else {
                format!("beyond the {count} elements")
            };
            return Err(at
                .rule(format!("index {position} is {index}, {fault}"))
                .at_byte((position * index_type.size()) as u64));
        }
        least = index + 1;
    }
    Ok(())
}
