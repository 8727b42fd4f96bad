//! Point caches: the positions of all frames, for programs that move the vertices of a mesh by them. The mesh is an OBJ file beside it.

use std::io::{self, Write};

use super::format::Format;
use super::sequence::{Frame, Sequence};

/// Writes the positions of all vertices. PC2 is little endian and has the number of the first frame, MDD is big endian and has
/// times in seconds.
pub fn write(sequence: &Sequence, format: Format, out: &mut impl Write) -> io::Result<()> {
    let frames = sequence.frames();
    let [count, vertices] = [frames.len(), frames[0].vertices().count()].map(|it| it as u32);
    let positions = frames.iter().flat_map(Frame::vertices);
    let positions = positions.flat_map(|[position, _]| position.map(f32::to_bits));
    if format == Format::Pc2 {
        out.write_all(b"POINTCACHE2\0")?;
        let first = sequence.timing().map_or(0, |timing| timing.first);
        // Of version 1, with a sample for each frame.
        let head = [1, vertices, (first as f32).to_bits(), 1f32.to_bits(), count];
        let mut words = head.into_iter().chain(positions);
        return words.try_for_each(|word| out.write_all(&word.to_le_bytes()));
    }
    let head = [count, vertices].into_iter();
    let times = sequence.times().map(f32::to_bits);
    let mut words = head.chain(times).chain(positions);
    words.try_for_each(|word| out.write_all(&word.to_be_bytes()))
}
