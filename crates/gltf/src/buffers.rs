//! Buffers and buffer views: finding their bytes.
//!
//! In: the JSON's `buffers` and `bufferViews`, the binary chunk and the loader. Out: the bytes of each view: a range of
//! a buffer, or decoded bytes if the view is compressed. Lengths are compared in u64 before anything is sliced or
//! allocated.

use std::ops::Range;

use super::container::MAX_LEN;
use super::cursor::Cursor;
use super::meshopt::{self, compression, encoding, is_fallback};
use super::problem::{Findings, Problem, Result};
use super::uri::Resources;
use rigy_base::loader::Bytes;

/// The source of a buffer's bytes.
enum BufferData<'a> {
    /// The binary chunk of the file.
    Chunk(&'a [u8]),
    /// A data URI or another file.
    Resource(Bytes),
    /// Neither: only compressed views may refer to the buffer.
    None,
}

/// A buffer.
struct Buffer<'a> {
    data: BufferData<'a>,
    /// `byteLength`: the number of bytes at the start of `data` that belong to the buffer.
    len: u64,
}

impl Buffer<'_> {
    /// The bytes of the buffer; `None` if it has no data.
    fn bytes(&self) -> Option<&[u8]> {
        let bytes = match &self.data {
            BufferData::Chunk(bytes) => bytes,
            BufferData::Resource(bytes) => bytes.as_ref(),
            BufferData::None => return None,
        };
        bytes.get(..usize::try_from(self.len).ok()?)
    }
}

/// All buffers and buffer views of a file.
pub struct Buffers<'a> {
    buffers: Vec<Buffer<'a>>,
    views: Vec<View>,
}

impl<'a> Buffers<'a> {
    /// Reads all buffers of a file whose binary chunk is `bin`.
    pub fn read(
        root: &Cursor,
        bin: Option<&'a [u8]>,
        resources: &Resources,
        findings: &mut Findings,
    ) -> Self {
        let mut buffers = Vec::new();
        if let Some(list) = findings.keep(root.list("buffers")) {
            for (index, item) in list.items().enumerate() {
                let chunk = bin.filter(|_| index == 0);
                let buffer = buffer(&item, chunk, resources, findings);
                buffers.extend(findings.keep(buffer));
            }
            if bin.is_some_and(|bin| !bin.is_empty())
                && !matches!(
                    buffers.first(),
                    Some(Buffer {
                        data: BufferData::Chunk(_),
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
        Self {
            buffers,
            views: Vec::new(),
        }
    }

    /// Returns the number of views.
    pub fn view_count(&self) -> usize {
        self.views.len()
    }

    /// Returns the bytes of a view, decoded if it is compressed; `None` if there is no such view.
    pub fn view_bytes(&self, index: usize) -> Option<&[u8]> {
        match &self.views.get(index)?.data {
            ViewData::InBuffer(buffer, range) => {
                self.buffers.get(*buffer)?.bytes()?.get(range.clone())
            }
            ViewData::Decoded(bytes) => Some(bytes),
        }
    }

    /// Returns `byteStride` of a view; `None` if it has none or 0.
    pub fn stride(&self, index: usize) -> Option<u64> {
        self.views.get(index)?.stride
    }

    /// Returns the total length of all buffers in bytes; those without data count as empty.
    pub fn len(&self) -> u64 {
        self.lens().fold(0, u64::saturating_add)
    }

    /// Returns the length of the longest buffer in bytes. Many buffers may be one file, which counts once here.
    pub fn longest(&self) -> u64 {
        self.lens().max().unwrap_or(0)
    }

    fn lens(&self) -> impl Iterator<Item = u64> {
        self.buffers
            .iter()
            .map(|buffer| buffer.bytes().map_or(0, <[u8]>::len) as u64)
    }
}

/// Reads one buffer; `chunk` is the binary chunk if the buffer may refer to it.
fn buffer<'a>(
    at: &Cursor,
    chunk: Option<&'a [u8]>,
    resources: &Resources,
    findings: &mut Findings,
) -> Result<Buffer<'a>> {
    at.object()?;
    let len = at.required_integer("byteLength")?;
    let data = match (at.text("uri")?, chunk) {
        // Compressed views have the same data, so a fallback buffer need not be read ("Fallback buffers").
        _ if is_fallback(at)? => BufferData::None,
        (Some(uri), _) => {
            let path = format!("{}.uri", at.path);
            BufferData::Resource(resources.read(uri, &path)?)
        }
        (None, Some(chunk)) => BufferData::Chunk(chunk),
        (None, None) => BufferData::None,
    };
    let buffer = Buffer { data, len };
    let has = match &buffer.data {
        BufferData::Chunk(bytes) => bytes.len() as u64,
        BufferData::Resource(bytes) => bytes.as_ref().len() as u64,
        BufferData::None => return Ok(buffer),
    };
    if len > has {
        return Err(at
            .rule_in(
                "byteLength",
                format!("the buffer is to have {len} bytes, but there are {has}"),
            )
            .at_byte(has));
    }
    if matches!(buffer.data, BufferData::Chunk(_)) && has - len > 3 {
        findings.warn(at.rule_in(
            "byteLength",
            format!("the binary chunk has {has} bytes, {len} of which are used"),
        ));
    }
    Ok(buffer)
}

/// The bytes of a buffer view.
enum ViewData {
    /// A range of the buffer with this index.
    InBuffer(usize, Range<usize>),
    /// The decoded bytes of a compressed view.
    Decoded(Vec<u8>),
}

/// A buffer view.
struct View {
    data: ViewData,
    /// `byteStride`, unless it is 0.
    stride: Option<u64>,
}

/// Most decoded bytes of a file for each byte of its buffers. In the densest stream one control byte stands for 1024
/// bytes of elements.
const MAX_RATIO: u64 = 1024;

/// Most decoded bytes of a file: no GLB could hold more.
const MAX_DECODED: u64 = MAX_LEN;

impl Buffers<'_> {
    /// Reads all buffer views, and decodes those that are compressed. All buffers must have been read without error.
    pub fn read_views(&mut self, root: &Cursor, findings: &mut Findings) {
        let mut budget = self.decode_budget();
        self.views = findings.read_list(root, "bufferViews", |item, _, findings| {
            self.view(item, &mut budget, findings)
        });
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
    fn view(&self, at: &Cursor, budget: &mut u64, findings: &mut Findings) -> Result<View> {
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

    /// The index of the buffer of a view, and the range of the view in it, which exists.
    fn range(&self, at: &Cursor) -> Result<(usize, Range<usize>)> {
        let (index, range) = self.declared(at)?;
        let buffer = &self.buffers[index];
        if buffer.bytes().is_none() {
            return Err(at
                .rule_in(
                    "buffer",
                    format!("buffer {index} has neither a URI nor a binary chunk"),
                )
                .help("export it again, or as one `.glb`"));
        }
        let outside = || at.rule("the view does not fit this machine's memory");
        let begin = usize::try_from(range.start).map_err(|_| outside())?;
        let end = usize::try_from(range.end).map_err(|_| outside())?;
        Ok((index, begin..end))
    }

    /// The index of the buffer of a view, and the range of the view, which is within the buffer's `byteLength`.
    fn declared(&self, at: &Cursor) -> Result<(usize, Range<u64>)> {
        let index = at
            .required("buffer")?
            .as_index(self.buffers.len(), "buffers")?;
        let begin = at.integer("byteOffset")?.unwrap_or(0);
        let len = at.required_integer("byteLength")?;
        let has = self.buffers[index].len;
        let end = begin + len; // Both are at most 2^53.
        if end > has {
            return Err(at
                .rule(format!(
                    "{len} bytes from byte {begin} pass the end of buffer {index}, which has {has}"
                ))
                .at_byte(begin));
        }
        Ok((index, begin..end))
    }

    /// The decoded elements of a compressed view; `compressed` is its extension.
    fn decoded(&self, at: &Cursor, compressed: &Cursor, budget: &mut u64) -> Result<Vec<u8>> {
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
        let len = encoding.count.checked_mul(encoding.stride);
        let has = declared.end - declared.start;
        if len != Some(has) {
            let count = encoding.count;
            let stride = encoding.stride;
            return Err(compressed.rule(format!(
                "{count} elements of {stride} bytes do not make the {has} bytes of the view"
            )));
        }
        *budget = budget.checked_sub(has).ok_or_else(|| {
            compressed.rule(format!(
                "{has} more bytes are more than the buffers could reasonably hold"
            )).help(
                "decode it with another tool first, such as `gltf-transform copy IN.glb OUT.glb`",
            )
        })?;
        meshopt::decode(data, &encoding).map_err(|error| {
            compressed
                .rule(error.to_string())
                .at_byte(begin + error.offset as u64)
        })
    }
}

/// `byteStride` of a view; it should be a multiple of 4 from 4 to 252 (glTF 2.0 §3.6.2.4). Clients read other
/// values too, and treat 0 as absent. The check of accessors makes sure that elements do not overlap.
fn stride(at: &Cursor, findings: &mut Findings) -> Result<Option<u64>> {
    let Some(stride) = at.integer("byteStride")? else {
        return Ok(None);
    };
    if stride % 4 != 0 || !(4..=252).contains(&stride) {
        findings.warn(at.rule_in(
            "byteStride",
            format!("{stride} is no multiple of 4 from 4 to 252"),
        ));
    }
    Ok((stride != 0).then_some(stride))
}
