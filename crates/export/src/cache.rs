//! Point caches: the positions of all frames, for programs that move the vertices of a mesh by them. The mesh is an OBJ file beside it.

use std::io::{self, Write};

use super::format::Format;
use super::sequence::{Frame, Sequence};

/// Writes the positions of all vertices. PC2 is little endian and has the number of the first frame, MDD is big endian and has
/// times in seconds.
pub fn write(sequence: &Sequence, format: Format, out: &mut impl Write) -> io::Result<()> {
    let frames = sequence.frames();
    let [count, vertices] = [frames.len(), frames[0].vertices().count()].map(|it| it as u32);
    let bytes = match format {
        Format::Pc2 => u32::to_le_bytes,
        _ => u32::to_be_bytes,
    };
    let head = if format == Format::Pc2 {
        out.write_all(b"POINTCACHE2\0")?;
        let first = sequence.timing().map_or(0, |timing| timing.first);
        // Of version 1, with a sample for each frame.
        vec![1, vertices, (first as f32).to_bits(), 1f32.to_bits(), count]
    } else {
        let times = sequence.times().map(|time| (time as f32).to_bits());
        [count, vertices].into_iter().chain(times).collect()
    };
    let positions = frames.iter().flat_map(Frame::vertices);
    let positions = positions.flat_map(|[position, _]| position.map(f32::to_bits));
    let mut words = head.into_iter().chain(positions);
    words.try_for_each(|word| out.write_all(&bytes(word)))
}
