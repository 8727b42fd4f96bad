//! Buffers and buffer views: finding their bytes.
//!
//! In: the JSON's `buffers` and `bufferViews`, the binary chunk and the loader. Out: the bytes of each view: a range of
//! a buffer, or decoded bytes if the view is compressed. Lengths are compared in u64 before anything is sliced or
//! allocated.

mod views;

use super::compression::is_fallback;
use super::cursor::Cursor;
use super::problem::{Findings, Problem};
use super::uri::resource;
use rigy_language::base::loader::{Bytes, Loader, Location};
use views::{View, ViewData};

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
    /// Returns the bytes of the buffer; `None` if it has no data.
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
pub(super) struct Buffers<'a> {
    buffers: Vec<Buffer<'a>>,
    views: Vec<View>,
}

impl<'a> Buffers<'a> {
    /// Reads all buffers of a file whose binary chunk is `bin`.
    pub fn read(
        root: &Cursor<'_>,
        bin: Option<&'a [u8]>,
        resources: Resources<'_>,
        findings: &mut Findings<'_>,
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
        let views = Vec::new();
        Self { buffers, views }
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
        let buffers = self.buffers.iter();
        buffers.map(|buffer| buffer.bytes().map_or(0, <[u8]>::len) as u64)
    }
}

/// The means of reading the files that a glTF file refers to.
#[derive(Clone, Copy)]
pub(super) struct Resources<'s> {
    /// The location of the glTF file, to which URIs are relative.
    pub location: &'s Location,
    /// The loader that reads them.
    pub loader: &'s dyn Loader,
}

/// Reads one buffer; `chunk` is the binary chunk if the buffer may refer to it.
fn buffer<'a>(
    at: &Cursor<'_>,
    chunk: Option<&'a [u8]>,
    resources: Resources<'_>,
    findings: &mut Findings<'_>,
) -> Result<Buffer<'a>, Problem> {
    at.object()?;
    let len = at.required_integer("byteLength")?;
    let data = match (at.text("uri")?, chunk) {
        // Compressed views have the same data, so a fallback buffer need not be read ("Fallback buffers").
        _ if is_fallback(at)? => BufferData::None,
        (Some(uri), _) => {
            let path = format!("{}.uri", at.path);
            BufferData::Resource(resource(uri, &path, resources.location, resources.loader)?)
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
        let message = format!("the buffer is to have {len} bytes, but there are {has}");
        return Err(at.rule_in("byteLength", message).at_byte(has));
    }
    if matches!(buffer.data, BufferData::Chunk(_)) && has - len > 3 {
        findings.warn(at.rule_in(
            "byteLength",
            format!("the binary chunk has {has} bytes, {len} of which are used"),
        ));
    }
    Ok(buffer)
}
