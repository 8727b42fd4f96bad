//! Buffers and buffer views: from references to bytes in reach.
//!
//! In: the JSON's `buffers` and `bufferViews`, the binary chunk and the loader. Out: one run of bytes for each view,
//! where it lies, or decoded if it was compressed. Lengths are compared in u64 before anything is sliced or
//! allocated.

use std::ops::Range;

use super::compression::{compression, is_fallback, layout};
use super::cursor::At;
use super::meshopt;
use super::problem::{Findings, Problem};
use super::uri::resource;
use crate::base::loader::{Bytes, Loader, Location};

/// Most decoded bytes of a file for each byte of its buffers. The densest stream has a byte of control for 1024
/// bytes of elements.
const MAX_RATIO: u64 = 1024;

/// Most decoded bytes of a file: no GLB could hold more.
const MAX_DECODED: u64 = u32::MAX as u64;

/// Bytes of a buffer.
enum Data<'a> {
    /// The binary chunk, where it lies in the file.
    Chunk(&'a [u8]),
    /// Of a data URI or another file.
    Own(Bytes),
    /// There is neither URI nor chunk: only compressed views may refer to it.
    None,
}

/// A buffer.
struct Buffer<'a> {
    data: Data<'a>,
    /// Bytes of `data` that count: `byteLength`.
    len: u64,
}

impl Buffer<'_> {
    /// The bytes that count, if there are any at all.
    fn bytes(&self) -> Option<&[u8]> {
        let bytes = match &self.data {
            Data::Chunk(bytes) => bytes,
            Data::Own(bytes) => bytes.as_ref(),
            Data::None => return None,
        };
        bytes.get(..usize::try_from(self.len).ok()?)
    }
}

/// Where the bytes of a view are.
enum Place {
    /// In a buffer.
    In(usize, Range<usize>),
    /// They were decoded.
    Decoded(Vec<u8>),
}

/// A buffer view.
struct View {
    place: Place,
    stride: Option<u64>,
}

/// All bytes that the JSON can refer to.
pub(super) struct Buffers<'a> {
    buffers: Vec<Buffer<'a>>,
    views: Vec<View>,
}

impl<'a> Buffers<'a> {
    /// Finds the data of all buffers.
    pub fn read(
        root: &At<'_>,
        bin: Option<&'a [u8]>,
        source: Source<'_>,
        findings: &mut Findings<'_>,
    ) -> Self {
        let mut buffers = Vec::new();
        if let Some(list) = findings.keep(root.list("buffers")) {
            for (index, item) in list.items().enumerate() {
                let chunk = bin.filter(|_| index == 0);
                let buffer = buffer(&item, chunk, source, findings);
                buffers.extend(findings.keep(buffer));
            }
            if bin.is_some_and(|bin| !bin.is_empty())
                && !matches!(
                    buffers.first(),
                    Some(Buffer {
                        data: Data::Chunk(_),
                        ..
                    })
                )
            {
                findings.warn(Problem::rule(
                    &"buffers",
                    "no buffer refers to the binary chunk",
                ));
            }
        }
        let views = Vec::new();
        Self { buffers, views }
    }

    /// Finds, and decodes, all views. Buffers must all have been found.
    pub fn read_views(&mut self, root: &At<'_>, findings: &mut Findings<'_>) {
        let Some(list) = findings.keep(root.list("bufferViews")) else {
            return;
        };
        let mut budget = self.len().saturating_mul(MAX_RATIO).min(MAX_DECODED);
        for item in list.items() {
            let view = self.view(&item, &mut budget, findings);
            self.views.extend(findings.keep(view));
        }
    }

    fn view(
        &self,
        at: &At<'_>,
        budget: &mut u64,
        findings: &mut Findings<'_>,
    ) -> Result<View, Problem> {
        at.object()?;
        let stride = stride(at, findings)?;
        let extensions = at.inner("extensions")?;
        let compressed = extensions.as_ref().and_then(compression);
        let place = match compressed {
            None => {
                let (buffer, range) = self.range(at)?;
                Place::In(buffer, range)
            }
            Some(compressed) => Place::Decoded(self.decoded(at, &compressed, budget)?),
        };
        Ok(View { place, stride })
    }

    /// The buffer and the bytes of it that a view names.
    fn range(&self, at: &At<'_>) -> Result<(usize, Range<usize>), Problem> {
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

    /// The buffer and range that a view names, within the declared length of the buffer.
    fn declared(&self, at: &At<'_>) -> Result<(usize, Range<u64>), Problem> {
        let index = at.need("buffer")?.as_index(self.buffers.len(), "buffers")?;
        let begin = at.integer("byteOffset")?.unwrap_or(0);
        let len = at.needed_integer("byteLength")?;
        let has = self.buffers[index].len;
        let end = begin + len; // both at most 2^53
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

    /// The elements of a compressed view.
    fn decoded(
        &self,
        at: &At<'_>,
        compressed: &At<'_>,
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
        let layout = layout(compressed)?;
        layout.check().map_err(|message| compressed.rule(message))?;
        let (len, has) = (
            layout.count.checked_mul(layout.stride),
            declared.end - declared.start,
        );
        if len != Some(has) {
            let (count, stride) = (layout.count, layout.stride);
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
        meshopt::decode(data, &layout).map_err(malformed)
    }

    /// Number of views.
    pub fn view_count(&self) -> usize {
        self.views.len()
    }

    /// The bytes of a view, decoded if it was compressed; `None` beyond the last.
    pub fn view_bytes(&self, index: usize) -> Option<&[u8]> {
        match &self.views.get(index)?.place {
            Place::In(buffer, range) => self.buffers.get(*buffer)?.bytes()?.get(range.clone()),
            Place::Decoded(bytes) => Some(bytes),
        }
    }

    /// `byteStride` of a view.
    pub fn stride(&self, index: usize) -> Option<u64> {
        self.views.get(index)?.stride
    }

    /// Bytes of all buffers together, where there are any.
    pub fn len(&self) -> u64 {
        let lens = self
            .buffers
            .iter()
            .map(|buffer| buffer.bytes().map_or(0, <[u8]>::len) as u64);
        lens.fold(0, u64::saturating_add)
    }
}

/// Where a file is, and what finds the others it refers to.
#[derive(Clone, Copy)]
pub(super) struct Source<'s> {
    pub location: &'s Location,
    pub loader: &'s dyn Loader,
}

fn buffer<'a>(
    at: &At<'_>,
    chunk: Option<&'a [u8]>,
    source: Source<'_>,
    findings: &mut Findings<'_>,
) -> Result<Buffer<'a>, Problem> {
    at.object()?;
    let len = at.needed_integer("byteLength")?;
    let data = match (at.text("uri")?, chunk) {
        // What it holds, compressed views hold too: it may be left unread ("Fallback buffers").
        _ if is_fallback(at)? => Data::None,
        (Some(uri), _) => {
            let path = format!("{}.uri", at.path);
            Data::Own(resource(uri, &path, source.location, source.loader)?)
        }
        (None, Some(chunk)) => Data::Chunk(chunk),
        (None, None) => Data::None,
    };
    let buffer = Buffer { data, len };
    let has = match &buffer.data {
        Data::Chunk(bytes) => bytes.len() as u64,
        Data::Own(bytes) => bytes.as_ref().len() as u64,
        Data::None => return Ok(buffer),
    };
    if len > has {
        let message = format!("the buffer is to have {len} bytes, but there are {has}");
        return Err(at.rule_in("byteLength", message).at_byte(has));
    }
    if matches!(buffer.data, Data::Chunk(_)) && has - len > 3 {
        findings.warn(at.rule_in(
            "byteLength",
            format!("the binary chunk has {has} bytes, {len} of which are used"),
        ));
    }
    Ok(buffer)
}

/// `byteStride` of a view: from 4 to 252 in steps of 4 (glTF 2.0 §3.6.2.4). Clients read others too, and take 0 for
/// none; accessors see to it that elements do not overlap.
fn stride(at: &At<'_>, findings: &mut Findings<'_>) -> Result<Option<u64>, Problem> {
    let Some(stride) = at.integer("byteStride")? else {
        return Ok(None);
    };
    if stride % 4 != 0 || !(4..=252).contains(&stride) {
        let rule = format!("{stride} is no multiple of 4 from 4 to 252");
        findings.warn(at.rule_in("byteStride", rule));
    }
    Ok((stride != 0).then_some(stride))
}
