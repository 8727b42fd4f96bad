//! Checking accessors: after this stage every element that one promises lies inside its view.

use super::accessor::{Accessor, Base, Sparse};
use super::buffers::Buffers;
use super::cursor::At;
use super::element::{ComponentType, ElementType};
use super::problem::{Findings, Problem, shown};

/// Elements that an accessor without a buffer view may have, however short the file is.
const FREE_ZEROS: u64 = 1 << 16;

/// An accessor whose ranges have been checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    count: usize,
    component: ComponentType,
    element: ElementType,
    normalized: bool,
    base: Option<Stretch>,
    sparse: Option<SparseRecord>,
}

/// Elements in a view.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    view: usize,
    offset: usize,
    /// Bytes from one element to the next.
    stride: usize,
    /// Bytes from the first to the end of the last.
    len: usize,
}

impl Stretch {
    fn bytes<'b>(&self, buffers: &'b Buffers<'_>) -> Option<&'b [u8]> {
        let view = buffers.view_bytes(self.view)?;
        view.get(self.offset..self.offset.checked_add(self.len)?)
    }
}

#[derive(Clone, Copy, Debug)]
struct SparseRecord {
    count: usize,
    index_type: ComponentType,
    indices: Stretch,
    values: Stretch,
}

impl Record {
    /// The accessor itself; `None` is impossible for a record of the same buffers.
    pub fn accessor<'b>(&self, buffers: &'b Buffers<'_>) -> Option<Accessor<'b>> {
        let base = match &self.base {
            None => None,
            Some(stretch) => Some(Base {
                bytes: stretch.bytes(buffers)?,
                stride: stretch.stride,
            }),
        };
        let sparse = match &self.sparse {
            None => None,
            Some(sparse) => Some(Sparse {
                count: sparse.count,
                index_type: sparse.index_type,
                indices: sparse.indices.bytes(buffers)?,
                values: sparse.values.bytes(buffers)?,
            }),
        };
        Some(Accessor::new(
            self.count,
            self.component,
            self.element,
            self.normalized,
            base,
            sparse,
        ))
    }
}

/// Checks all accessors of a file; views must all be in reach.
pub(super) fn read(
    root: &At<'_>,
    buffers: &Buffers<'_>,
    findings: &mut Findings<'_>,
) -> Vec<Record> {
    let Some(list) = findings.keep(root.list("accessors")) else {
        return Vec::new();
    };
    let mut records = Vec::with_capacity(list.items().len());
    for item in list.items() {
        let record = record(&item, buffers, findings);
        records.extend(findings.keep(record));
    }
    records
}

fn record(
    at: &At<'_>,
    buffers: &Buffers<'_>,
    findings: &mut Findings<'_>,
) -> Result<Record, Problem> {
    at.object()?;
    let component = component_type(at)?;
    let kind = at.need("type")?;
    let element =
        ElementType::of(kind.value).ok_or_else(|| kind.no("a type of elements, such as `VEC3`"))?;
    let normalized = at.flag("normalized")?;
    if normalized && matches!(component, ComponentType::F32 | ComponentType::U32) {
        let message = format!("{} components are not normalized", component.name());
        findings.warn(at.rule_in("normalized", message));
    }
    let count = at.needed_integer("count")?;
    if count == 0 {
        return Err(at.rule_in("count", "0 is no count of elements"));
    }
    let size = element.size(component) as u64;
    let base = match at.get("bufferView") {
        Some(_) => {
            let stretch = stretch(at, buffers, count, size, true)?;
            misaligned(at, &stretch, component, findings);
            Some(stretch)
        }
        None => {
            let most = buffers.len().max(FREE_ZEROS);
            if count > most {
                let message = format!(
                    "{count} elements of zeros, in a file with {} bytes of data",
                    buffers.len()
                );
                return Err(at
                    .rule_in("count", message)
                    .help("give the accessor a buffer view"));
            }
            None
        }
    };
    let sparse = at.inner("sparse")?;
    let sparse = sparse
        .map(|sparse| sparse_record(&sparse, buffers, count, size))
        .transpose()?;
    Ok(Record {
        count: whole(at, count)?,
        component,
        element,
        normalized,
        base,
        sparse,
    })
}

fn component_type(at: &At<'_>) -> Result<ComponentType, Problem> {
    let number = at.need("componentType")?;
    let unknown = || number.no("a component type: 5120, 5121, 5122, 5123, 5125 or 5126");
    number
        .value
        .as_u64()
        .and_then(ComponentType::of)
        .ok_or_else(unknown)
}

/// A number that fits the machine's memory.
fn whole(at: &At<'_>, number: u64) -> Result<usize, Problem> {
    usize::try_from(number)
        .map_err(|_| at.rule(format!("{number} is more than this machine can address")))
}

/// The `count` elements of `size` bytes that start at `bufferView` and `byteOffset` of this object.
fn stretch(
    at: &At<'_>,
    buffers: &Buffers<'_>,
    count: u64,
    size: u64,
    strided: bool,
) -> Result<Stretch, Problem> {
    let view = at
        .need("bufferView")?
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
        let message = format!(
            "elements of {size} bytes overlap: the byteStride of buffer view {view} is {stride}"
        );
        return Err(at.rule_in("bufferView", message));
    }
    let has = buffers.view_bytes(view).map_or(0, <[u8]>::len) as u64;
    let len = (count - 1)
        .checked_mul(stride)
        .and_then(|len| len.checked_add(size));
    let end = len.and_then(|len| len.checked_add(offset));
    let (Some(len), true) = (len, end.is_some_and(|end| end <= has)) else {
        let message = format!(
            "{count} elements, {stride} bytes apart, from byte {offset} pass the end of buffer view {view}, which has {has}"
        );
        return Err(at.rule(message).at_byte(offset));
    };
    Ok(Stretch {
        view,
        offset: whole(at, offset)?,
        stride: whole(at, stride)?,
        len: whole(at, len)?,
    })
}

/// Components must lie at multiples of their size (glTF 2.0 §3.6.2.4). It makes no difference here.
fn misaligned(
    at: &At<'_>,
    stretch: &Stretch,
    component: ComponentType,
    findings: &mut Findings<'_>,
) {
    let size = component.size();
    if !stretch.offset.is_multiple_of(size) || !stretch.stride.is_multiple_of(size) {
        let message = format!(
            "components of {size} bytes are not aligned at byte {} with stride {}",
            stretch.offset, stretch.stride
        );
        findings.warn(at.rule_in("byteOffset", message));
    }
}

fn sparse_record(
    at: &At<'_>,
    buffers: &Buffers<'_>,
    count: u64,
    size: u64,
) -> Result<SparseRecord, Problem> {
    let replaced = at.needed_integer("count")?;
    if replaced == 0 || replaced > count {
        return Err(at.rule_in(
            "count",
            format!("{replaced} of {count} elements cannot be replaced"),
        ));
    }
    let indices_at = at.need("indices")?.object()?;
    let index_type = component_type(&indices_at)?;
    if !matches!(
        index_type,
        ComponentType::U8 | ComponentType::U16 | ComponentType::U32
    ) {
        let found = index_type.name();
        return Err(indices_at.rule_in("componentType", format!("indices cannot be {found}")));
    }
    let indices = stretch(
        &indices_at,
        buffers,
        replaced,
        index_type.size() as u64,
        false,
    )?;
    let values = stretch(
        &at.need("values")?.object()?,
        buffers,
        replaced,
        size,
        false,
    )?;
    ascending(
        &indices_at,
        indices.bytes(buffers).unwrap_or(&[]),
        index_type,
        count,
    )?;
    Ok(SparseRecord {
        count: whole(at, replaced)?,
        index_type,
        indices,
        values,
    })
}

/// Indices of replaced elements ascend and stay below `count` (glTF 2.0 §3.6.2.3).
fn ascending(
    at: &At<'_>,
    bytes: &[u8],
    index_type: ComponentType,
    count: u64,
) -> Result<(), Problem> {
    let mut least = 0;
    for (place, bytes) in bytes.chunks_exact(index_type.size()).enumerate() {
        let index = index_type.index(bytes).map_or(count, u64::from);
        if index < least || index >= count {
            let what = if index < least {
                "not above the one before".into()
            } else {
                format!("beyond the {count} elements")
            };
            let problem = at.rule(format!("index {place} is {index}, {what}"));
            return Err(problem.at_byte((place * index_type.size()) as u64));
        }
        least = index + 1;
    }
    Ok(())
}

/// What an accessor holds, in a message: `VEC3 of f32`.
pub(super) fn described(accessor: &Accessor<'_>) -> String {
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

/// A reference to an accessor: its index, and the accessor.
pub(super) fn referred<'b>(
    at: &At<'_>,
    accessors: &[Record],
    buffers: &'b Buffers<'_>,
) -> Result<(usize, Accessor<'b>), Problem> {
    let index = at.as_index(accessors.len(), "accessors")?;
    let accessor = accessors[index].accessor(buffers);
    let lost = || at.rule(format!("accessor {} has no data", shown(at.value)));
    Ok((index, accessor.ok_or_else(lost)?))
}
