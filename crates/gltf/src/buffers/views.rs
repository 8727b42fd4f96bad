//! Reading buffer views.

use std::ops::Range;

use super::Buffers;
use crate::MAX_LEN;
use crate::compression::{compression, encoding};
use crate::cursor::Cursor;
use crate::meshopt;
use crate::problem::{Findings, Problem};

/// The bytes of a buffer view.
pub(super) enum ViewData {
    /// A range of the buffer with this index.
    InBuffer(usize, Range<usize>),
    /// The decoded bytes of a compressed view.
    Decoded(Vec<u8>),
}

/// A buffer view.
pub(super) struct View {
    pub data: ViewData,
    /// `byteStride`, unless it is 0.
    pub stride: Option<u64>,
}

/// Most decoded bytes of a file for each byte of its buffers. In the densest stream one control byte stands for 1024
/// bytes of elements.
const MAX_RATIO: u64 = 1024;

/// Most decoded bytes of a file: no GLB could hold more.
const MAX_DECODED: u64 = MAX_LEN;

impl Buffers<'_> {
    /// Reads all buffer views, and decodes those that are compressed. All buffers must have been read without error.
    pub fn read_views(&mut self, root: &Cursor<'_>, findings: &mut Findings<'_>) {
        let Some(list) = findings.keep(root.list("bufferViews")) else {
            return;
        };
        let mut budget = self.decode_budget();
        for item in list.items() {
            let view = self.view(&item, &mut budget, findings);
            self.views.extend(findings.keep(view));
        }
    }

    /// Returns how many bytes may be decoded from the buffers.
    pub fn decode_budget(&self) -> u64 {
        self.len().saturating_mul(MAX_RATIO).min(MAX_DECODED)
    }

    /// Adds a view of decoded bytes after those of the file. Returns its index.
    pub fn push_decoded(&mut self, bytes: Vec<u8>, stride: Option<u64>) -> usize {
        let data = ViewData::Decoded(bytes);
        self.views.push(View { data, stride });
        self.views.len() - 1
    }

    /// Reads one buffer view; `budget` is the number of bytes that may still be decoded.
    fn view(
        &self,
        at: &Cursor<'_>,
        budget: &mut u64,
        findings: &mut Findings<'_>,
    ) -> Result<View, Problem> {
        at.object()?;
        let stride = stride(at, findings)?;
        let extensions = at.optional_object("extensions")?;
        let compressed = extensions.as_ref().and_then(compression);
        let data = match compressed {
            None => {
                let (buffer, range) = self.range(at)?;
                ViewData::InBuffer(buffer, range)
            }
            Some(compressed) => ViewData::Decoded(self.decoded(at, &compressed, budget)?),
        };
        Ok(View { data, stride })
    }

    /// Returns the index of the buffer of a view, and the range of the view in it, which exists.
    fn range(&self, at: &Cursor<'_>) -> Result<(usize, Range<usize>), Problem> {
        let (index, range) = self.declared(at)?;
        let buffer = &self.buffers[index];
        if buffer.bytes().is_none() {
            let message = format!("buffer {index} has neither a URI nor a binary chunk");
            return Err(at
                .rule_in("buffer", message)
                .help("export it again, or as one `.glb`"));
        }
        let outside = || at.rule("the view does not fit this machine's memory");
        let begin = usize::try_from(range.start).map_err(|_| outside())?;
        let end = usize::try_from(range.end).map_err(|_| outside())?;
        Ok((index, begin..end))
    }

    /// Returns the index of the buffer of a view, and the range of the view, which is within the buffer's `byteLength`.
    fn declared(&self, at: &Cursor<'_>) -> Result<(usize, Range<u64>), Problem> {
        let index = at
            .required("buffer")?
            .as_index(self.buffers.len(), "buffers")?;
        let begin = at.integer("byteOffset")?.unwrap_or(0);
        let len = at.required_integer("byteLength")?;
        let has = self.buffers[index].len;
        let end = begin + len; // Both are at most 2^53.
        if end > has {
            let message = format!(
                "{len} bytes from byte {begin} pass the end of buffer {index}, which has {has}"
            );
            return Err(at.rule(message).at_byte(begin));
        }
        if len == 0 {
            return Err(at.rule_in("byteLength", "0 is no length of a view"));
        }
        Ok((index, begin..end))
    }

    /// Returns the decoded elements of a compressed view; `compressed` is its extension.
    fn decoded(
        &self,
        at: &Cursor<'_>,
        compressed: &Cursor<'_>,
        budget: &mut u64,
    ) -> Result<Vec<u8>, Problem> {
        let (_, declared) = self.declared(at)?;
        compressed.object()?;
        let (buffer, range) = self.range(compressed)?;
        let begin = range.start as u64;
        let data = self.buffers[buffer]
            .bytes()
            .and_then(|bytes| bytes.get(range))
            .unwrap_or(&[]);
        let encoding = encoding(compressed)?;
        encoding
            .check()
            .map_err(|message| compressed.rule(message))?;
        let (len, has) = (
            encoding.count.checked_mul(encoding.stride),
            declared.end - declared.start,
        );
        if len != Some(has) {
            let (count, stride) = (encoding.count, encoding.stride);
            return Err(compressed.rule(format!(
                "{count} elements of {stride} bytes do not make the {has} bytes of the view"
            )));
        }
        *budget = budget.checked_sub(has).ok_or_else(|| {
            let problem = compressed.rule(format!(
                "{has} more bytes are more than the buffers could reasonably hold"
            ));
            problem.help(
                "decode it with another tool first, such as `gltf-transform copy IN.glb OUT.glb`",
            )
        })?;
        let malformed = |error: meshopt::Malformed| {
            compressed
                .rule(error.to_string())
                .at_byte(begin + error.offset as u64)
        };
        meshopt::decode(data, &encoding).map_err(malformed)
    }
}

/// Returns `byteStride` of a view; it should be a multiple of 4 from 4 to 252 (glTF 2.0 §3.6.2.4). Clients read other
/// values too, and treat 0 as absent. The check of accessors makes sure that elements do not overlap.
fn stride(at: &Cursor<'_>, findings: &mut Findings<'_>) -> Result<Option<u64>, Problem> {
    let Some(stride) = at.integer("byteStride")? else {
        return Ok(None);
    };
    if stride % 4 != 0 || !(4..=252).contains(&stride) {
        let rule = format!("{stride} is no multiple of 4 from 4 to 252");
        findings.warn(at.rule_in("byteStride", rule));
    }
    Ok((stride != 0).then_some(stride))
}
