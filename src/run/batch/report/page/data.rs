//! The chunks, as outputs are added.

use std::fmt::Write;

use super::messages::Messages;
use super::row::PageRow;

/// A part of the data of a page.
#[derive(Debug)]
pub struct Chunk {
    /// The kind of its elements.
    pub kind: ChunkKind,
    /// Its number among the chunks of its kind, from 0. The chunks of a kind are made in this order.
    pub number: usize,
    /// Its elements as a JSON array, one on each line.
    pub json: String,
}

rigy_base::named! {
    /// The kind of the elements of a chunk.
    pub enum ChunkKind {
        /// Objects: [`PageRow::findings`].
        Findings = "findings",
        /// Strings: [`PageRow::thumbnail`].
        Thumbnails = "thumbnails",
        /// Objects: [`PageRow::model`].
        Models = "models",
        /// Arrays: `row` of `docs/src/reference/schemas/page.json`. Nulls at the end, after `messages`, are left out.
        Rows = "rows",
    }
}

/// A chunk ends with the element with which it has at least this many bytes.
const CHUNK_LEN: usize = 128 << 10;

/// Collects the data of a page. It keeps one unfinished chunk of each kind.
#[derive(Debug)]
pub struct PageData {
    chunks: [OpenChunk; ChunkKind::ALL.len()],
    messages: Messages,
}

/// A chunk that more elements may follow in.
#[derive(Debug)]
struct OpenChunk {
    kind: ChunkKind,
    number: usize,
    json: String,
    count: usize,
}

impl Default for PageData {
    fn default() -> Self {
        Self {
            chunks: ChunkKind::ALL.map(OpenChunk::new),
            messages: Messages::default(),
        }
    }
}

impl PageData {
    /// Adds an output. Returns the chunks that end with it.
    pub fn add(&mut self, row: &PageRow) -> impl Iterator<Item = Chunk> + use<> {
        let [others @ .., rows] = &mut self.chunks;
        let elements = [&row.findings, &row.thumbnail, &row.model];
        let (mut places, mut ended) = ([None; 3], Vec::new());
        for ((chunk, element), place) in others.iter_mut().zip(elements).zip(&mut places) {
            if let Some(element) = element {
                *place = Some((chunk.number, chunk.count));
                ended.extend(chunk.add(element));
            }
        }
        let messages = self.messages.add(&row.messages);
        ended.extend(rows.add(&with_places(&row.fields, &messages, &places)));
        ended.into_iter()
    }

    /// Ends the data. Returns the last chunk of each kind that has one, and the messages.
    pub fn end(self) -> (impl Iterator<Item = Chunk>, Messages) {
        let chunks = self.chunks.into_iter();
        (chunks.filter_map(|mut chunk| chunk.end()), self.messages)
    }
}

/// The number of a chunk and the index of an element in it.
type ChunkPlace = (usize, usize);

/// Returns a JSON array with the numbers of messages and places appended, up to the last place that there is.
fn with_places(fields: &str, messages: &str, places: &[Option<ChunkPlace>]) -> String {
    let last = places.iter().rposition(Option::is_some);
    let places = &places[..last.map_or(0, |last| last + 1)];
    let fields = fields.strip_suffix(']').unwrap_or(fields);
    let mut text = format!("{fields},{messages}");
    for place in places {
        let written = match place {
            Some((chunk, index)) => write!(text, ",{chunk},{index}"),
            None => write!(text, ",null,null"),
        };
        written.expect("a string takes every write");
    }
    text.push(']');
    text
}

impl OpenChunk {
    fn new(kind: ChunkKind) -> Self {
        Self {
            kind,
            number: 0,
            json: String::new(),
            count: 0,
        }
    }

    /// Adds an element. Returns the chunk if it ends with it.
    fn add(&mut self, element: &str) -> Option<Chunk> {
        self.json
            .push_str(if self.count == 0 { "[\n" } else { ",\n" });
        self.json += element;
        self.count += 1;
        if self.json.len() < CHUNK_LEN {
            None
        } else {
            self.end()
        }
    }

    /// Ends the chunk, if it has any elements, and begins the next one.
    fn end(&mut self) -> Option<Chunk> {
        if self.count == 0 {
            return None;
        }
        let chunk = Chunk {
            kind: self.kind,
            number: self.number,
            json: std::mem::take(&mut self.json) + "\n]",
        };
        self.number += 1;
        self.count = 0;
        Some(chunk)
    }
}
