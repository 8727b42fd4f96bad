//! Modes 1 and 2, triangles and indices (Appendix A).

use super::input::{Input, Malformed};

/// Length of the table at the end of a stream of triangles, in bytes.
const TRIANGLES_TAIL: usize = 16;

/// Length of the padding at the end of a sequence of indices, in bytes.
const SEQUENCE_TAIL: usize = 4;

/// The fewest bytes of a stream of triangles with `count` indices: one for each triangle.
pub fn least_triangles_len(count: u64) -> u64 {
    (count / 3).saturating_add(1 + TRIANGLES_TAIL as u64)
}

/// The fewest bytes of a sequence of `count` indices: one for each index.
pub fn least_sequence_len(count: u64) -> u64 {
    count.saturating_add(1 + SEQUENCE_TAIL as u64)
}

/// Decodes a zigzag code to a difference, which is added with wrap-around.
fn unzigzag(code: u32) -> u32 {
    code >> 1 ^ (code & 1).wrapping_neg()
}

/// Writes an index as an element of 4 bytes, or its low 16 bits as one of 2.
fn emit(element: &mut [u8], index: u32) {
    let len = element.len();
    element.copy_from_slice(&index.to_le_bytes()[..len]);
}

/// Decodes mode 2 into elements of 2 or 4 bytes.
pub fn decode_sequence(data: &[u8], stride: usize, elements: &mut [u8]) -> Result<(), Malformed> {
    let mut input = Input::between(data, SEQUENCE_TAIL)?;
    let mut last = [0u32; 2];
    for element in elements.chunks_exact_mut(stride) {
        let code = input.varint()?;
        let baseline = &mut last[(code & 1) as usize];
        *baseline = baseline.wrapping_add(unzigzag(code >> 1));
        emit(element, *baseline);
    }
    input.finished()
}

/// The last sixteen items pushed.
#[derive(Default)]
struct Fifo<T> {
    items: [Option<T>; 16],
    /// Position in `items` of the next item to be pushed.
    next: usize,
}

impl<T: Copy> Fifo<T> {
    fn push(&mut self, item: T) {
        self.items[self.next] = Some(item);
        self.next = (self.next + 1) % 16;
    }

    /// The item that was pushed `age` pushes (0 to 15) before the last; `None` if there is none.
    fn get(&self, age: u8) -> Option<T> {
        self.items[(self.next + 15 - usize::from(age & 15)) % 16]
    }
}

/// The state of the decoder of triangles.
struct Triangles<'a> {
    /// The bytes after the codes of the triangles.
    data: Input<'a>,
    /// The table of frequent pairs of corners.
    table: &'a [u8],
    /// Edges of recent triangles.
    edges: Fifo<(u32, u32)>,
    /// Recent vertex indices.
    vertices: Fifo<u32>,
    /// The index of the next new vertex.
    next: u32,
    /// The last index that was stored as a difference.
    last: u32,
}

/// Decodes mode 1 into elements of 2 or 4 bytes, three for each triangle.
pub fn decode_triangles(data: &[u8], stride: usize, elements: &mut [u8]) -> Result<(), Malformed> {
    let mut input = Input::between(data, TRIANGLES_TAIL)?;
    let codes = input.take(elements.len() / (3 * stride))?;
    let table = &data[data.len() - TRIANGLES_TAIL..];
    if !table
        .iter()
        .all(|byte| byte >> 4 != 0xf && byte & 0x0f != 0xf)
        || table[14..] != [0, 0]
    {
        return Err(Malformed {
            offset: data.len() - TRIANGLES_TAIL,
            message: "a table that breaks the rules of the format",
        });
    }
    let mut triangles = Triangles {
        data: input,
        table,
        edges: Fifo::default(),
        vertices: Fifo::default(),
        next: 0,
        last: 0,
    };
    for (code, corners) in codes.iter().zip(elements.chunks_exact_mut(3 * stride)) {
        let triangle = triangles.triangle(*code)?;
        for (corner, index) in corners.chunks_exact_mut(stride).zip(triangle) {
            emit(corner, index);
        }
    }
    triangles.data.finished()
}

impl Triangles<'_> {
    /// Decodes the triangle with this code.
    fn triangle(&mut self, code: u8) -> Result<[u32; 3], Malformed> {
        match (code >> 4, code & 0x0f) {
            (0xf, 0xe) => self.explicit(true),
            (0xf, 0xf) => self.explicit(false),
            (0xf, entry) => {
                let [z, w] = nibbles(self.table[usize::from(entry)]);
                let a = self.new_vertex();
                self.without_edge(a, z, w)
            }
            (edge, third) => self.on_edge(edge, third),
        }
    }

    /// The vertex that has not been used before; the next one follows it.
    fn new_vertex(&mut self) -> u32 {
        let index = self.next;
        self.next = index.wrapping_add(1);
        index
    }

    /// Reads an index that is stored as a difference (`decodeIndex` of the specification).
    fn coded(&mut self) -> Result<u32, Malformed> {
        self.last = self.last.wrapping_add(unzigzag(self.data.varint()?));
        Ok(self.last)
    }

    /// The vertex that was pushed `age` pushes before the last.
    fn recent(&self, age: u8) -> Result<u32, Malformed> {
        self.vertices
            .get(age)
            .ok_or_else(|| self.data.malformed("a vertex that has not been seen yet"))
    }

    /// Decodes a triangle on an edge of a recent triangle.
    fn on_edge(&mut self, edge: u8, third: u8) -> Result<[u32; 3], Malformed> {
        let (a, b) = self
            .edges
            .get(edge)
            .ok_or_else(|| self.data.malformed("an edge that has not been seen yet"))?;
        let c = match third {
            0 => self.new_vertex(),
            0xd | 0xe => {
                let step = if third == 0xd { u32::MAX } else { 1 };
                self.last = self.last.wrapping_add(step);
                self.last
            }
            0xf => self.coded()?,
            age => self.recent(age)?,
        };
        if !(1..0xd).contains(&third) {
            self.vertices.push(c);
        }
        self.edges.push((c, b));
        self.edges.push((a, c));
        Ok([a, b, c])
    }

    /// Decodes a triangle without a recent edge whose other corners are described by a byte of data.
    fn explicit(&mut self, first_is_new: bool) -> Result<[u32; 3], Malformed> {
        let byte = self.data.byte()?;
        if byte == 0 {
            self.next = 0;
        }
        let a = if first_is_new {
            self.new_vertex()
        } else {
            self.coded()?
        };
        let [z, w] = nibbles(byte);
        self.without_edge(a, z, w)
    }

    /// Decodes a triangle without a recent edge: `z` and `w` describe the corners after `a`.
    fn without_edge(&mut self, a: u32, z: u8, w: u8) -> Result<[u32; 3], Malformed> {
        let b = self.corner(z)?;
        let c = self.corner(w)?;
        self.vertices.push(a);
        for (code, corner) in [(z, b), (w, c)] {
            if code == 0 || code == 0xf {
                self.vertices.push(corner);
            }
        }
        for edge in [(b, a), (c, b), (a, c)] {
            self.edges.push(edge);
        }
        Ok([a, b, c])
    }

    /// Decodes a corner: 0 is a new vertex, 15 a stored difference, any other code a recent vertex.
    fn corner(&mut self, code: u8) -> Result<u32, Malformed> {
        match code {
            0 => Ok(self.new_vertex()),
            0xf => self.coded(),
            age => self.recent(age - 1),
        }
    }
}

/// The high and the low four bits of a byte.
fn nibbles(byte: u8) -> [u8; 2] {
    [byte >> 4, byte & 0x0f]
}
