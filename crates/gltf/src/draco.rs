//! Decoding primitives that are compressed by `KHR_draco_mesh_compression`.
//!
//! In: the JSON, and the buffer views, which have been read. Out: further buffer views with the decoded elements, and the edits by
//! which accessors refer to them. The edited JSON is that of a file that was never compressed, so that nothing after this stage
//! knows of Draco. A primitive whose accessors have data of their own keeps them, unless the extension is required.
//!
//! | module | what it does |
//! |---|---|
//! | `primitive` | reads the extension of each primitive |
//! | `stream` | decodes a stream, and gives its elements in the types of accessors |
//! | `bounds` | the least and the greatest components of elements |
//! | `edits` | edits the JSON |

mod edits;
mod primitive;
mod stream;

use std::collections::{BTreeMap, HashMap};

use super::accessor_checks::types;
use super::buffers::Buffers;
use super::cursor::Cursor;
use super::element_type::{ComponentType, ElementType};
use super::problem::{Findings, Result};
use edits::{Bounds, Decoded, Slot};
use primitive::{ADVICE, Compressed, compressed};
use stream::Stream;

pub use edits::Edits;
pub use primitive::DRACO;

/// `target` of buffer views with vertex data.
const ARRAY_BUFFER: u64 = 34962;

/// `target` of buffer views with vertex indices.
const ELEMENT_ARRAY_BUFFER: u64 = 34963;

/// Number of bytes that a file may decode however short it is.
const FREE_BYTES: u64 = 1 << 20;

/// The elements of a stream that an accessor describes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// The vertex indices, in a type.
    Indices(ComponentType),
    /// The attribute with a unique id, as elements of a type.
    Attribute(u32, ComponentType, ElementType),
}

/// Decodes the streams of all primitives that have no other data.
pub fn decode(root: &Cursor, buffers: &mut Buffers, findings: &mut Findings) -> Edits {
    let mut of_views: BTreeMap<usize, Vec<Compressed>> = BTreeMap::new();
    for one in compressed(root, buffers.view_count(), findings) {
        of_views.entry(one.view).or_default().push(one);
    }
    let mut edits = Edits::new(root);
    let mut budget = Budget(buffers.decode_budget().max(FREE_BYTES));
    for (view, users) in of_views {
        let stream = budget.decode(buffers.view_bytes(view).unwrap_or(&[]), &users[0]);
        let Some(stream) = findings.keep(stream) else {
            continue;
        };
        let mut elements = Elements {
            stream,
            views: HashMap::new(),
        };
        for user in &users {
            let added = elements.add(root, user, buffers, &mut budget, &mut edits, findings);
            findings.keep(added);
        }
    }
    edits
}

/// The number of bytes that may still be decoded.
struct Budget(u64);

impl Budget {
    /// Subtracts from the budget; fails if it is exceeded.
    fn spend(&mut self, bytes: u64, at: &Compressed) -> Result<()> {
        self.0 = self.0.checked_sub(bytes).ok_or_else(|| {
            at.rule("the decoded data are more than the buffers could reasonably hold")
                .help(ADVICE)
        })?;
        Ok(())
    }

    /// Decodes the stream of a primitive within the budget.
    fn decode(&mut self, data: &[u8], at: &Compressed) -> Result<Stream> {
        self.spend(data.len() as u64, at)?; // Views may overlap, so that streams are read more than once.
        let stream =
            Stream::decode(data, self.0).map_err(|message| at.rule(message).help(ADVICE))?;
        self.spend(stream.len(), at)?;
        Ok(stream)
    }
}

/// The elements of one stream, and the buffer views that have been made of them.
struct Elements {
    stream: Stream,
    views: HashMap<Part, Decoded>,
}

impl Elements {
    /// Makes the accessors of a primitive refer to elements of the stream.
    fn add(
        &mut self,
        root: &Cursor,
        user: &Compressed,
        buffers: &mut Buffers,
        budget: &mut Budget,
        edits: &mut Edits,
        findings: &mut Findings,
    ) -> Result<()> {
        let accessors = root.list("accessors")?;
        for (name, id, index) in &user.attributes {
            let Some(accessor) = accessors.item(*index) else {
                continue; // The index has been checked.
            };
            let (component, element) = types(&accessor)?;
            let part = Part::Attribute(*id, component, element);
            let decoded = self.view(part, user, buffers, budget, edits)?;
            check_count(&accessor, decoded.count, findings);
            edits.refer(user, Slot::Attribute(name.clone()), *index, decoded);
        }
        match user.indices.and_then(|index| accessors.item(index)) {
            Some(accessor) => {
                let part = Part::Indices(types(&accessor)?.0);
                let decoded = self.view(part, user, buffers, budget, edits)?;
                check_count(&accessor, decoded.count, findings);
                edits.refer(user, Slot::Indices, user.indices.unwrap_or(0), decoded);
            }
            None => {
                let component = match self.stream.vertex_count() {
                    0..=0xffff => ComponentType::U16,
                    _ => ComponentType::U32,
                };
                let decoded = self.view(Part::Indices(component), user, buffers, budget, edits)?;
                edits.add_indices(user, component, decoded);
            }
        }
        Ok(())
    }

    /// A part of the stream in a buffer view, which is made when it is asked for first.
    fn view(
        &mut self,
        part: Part,
        user: &Compressed,
        buffers: &mut Buffers,
        budget: &mut Budget,
        edits: &mut Edits,
    ) -> Result<Decoded> {
        if let Some(decoded) = self.views.get(&part) {
            return Ok(*decoded);
        }
        let (id, component, element) = match part {
            Part::Indices(component) => (None, component, ElementType::Scalar),
            Part::Attribute(id, component, element) => (Some(id), component, element),
        };
        let size = element.size(component);
        // Elements of vertices begin at multiples of 4 (glTF 2.0 §3.6.2.4).
        let (count, stride, target) = match id {
            None => (self.stream.index_count(), size, ELEMENT_ARRAY_BUFFER),
            Some(_) => {
                let stride = size.next_multiple_of(4);
                (self.stream.vertex_count(), stride, ARRAY_BUFFER)
            }
        };
        budget.spend(count.saturating_mul(stride as u64), user)?;
        let bytes = match id {
            None => self.stream.indices(component),
            Some(id) => self.stream.attribute(id, (component, element), stride),
        };
        let bytes = bytes.map_err(|message| user.rule(message).help(ADVICE))?;
        let bounds = Bounds::of(&bytes, component, element.component_count(), stride);
        let stride = (stride != size).then_some(stride as u64);
        edits.add_view(bytes.len() as u64, stride, target);
        let view = buffers.push_decoded(bytes, stride);
        let decoded = Decoded {
            view,
            count,
            bounds,
        };
        self.views.insert(part, decoded);
        Ok(decoded)
    }
}

/// Warns of an accessor whose `count` is not that of the decoded elements, which clients use nevertheless.
fn check_count(accessor: &Cursor, decoded: u64, findings: &mut Findings) {
    if accessor.integer("count").ok().flatten() != Some(decoded) {
        findings.warn(accessor.rule_in(
            "count",
            format!("the Draco data have {decoded} elements, which are used"),
        ));
    }
}
