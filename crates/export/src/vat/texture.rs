//! The textures: where the vertices of all frames lie in them, and their files, EXR with floats or PNG with integers.

use std::io::Write;

use super::exr;
use super::packing::{Decoding, Packing, error, half_distances};
use crate::sequence::Frame;
use rigy_base::diag::Diagnostic;
use rigy_kernel::executor::Executor;

/// The largest width and height of a texture, in texels: graphics cards of desktops take no larger ones.
pub const LARGEST_SIDE: u32 = 16_384;

/// The width and height that every implementation of WebGPU takes, and the width that is not exceeded unless asked for.
pub const COMMON_SIDE: u32 = 8192;

/// The texels of a texture: one for each vertex of each frame. Each frame begins a new row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Number of vertices, at least one.
    pub vertices: u32,
    /// Texels in a row.
    pub width: u32,
    /// Rows of all frames.
    pub height: u32,
    /// Rows of one frame.
    pub rows_per_frame: u32,
}

impl Grid {
    /// Returns the grid of some vertices at some moments. Rows have at most `max_width` texels; a frame of more vertices takes
    /// several rows of equal length, the last of which may have texels to spare.
    ///
    /// # Errors
    /// If there is no vertex or no frame, if the largest width is not from 1 to [`LARGEST_SIDE`], or if there are more than
    /// [`LARGEST_SIDE`] rows.
    pub fn new(vertices: u64, frames: u64, max_width: u32) -> Result<Self, Diagnostic> {
        if !(1..=LARGEST_SIDE).contains(&max_width) {
            return Err(error(format!(
                "the largest width of a texture is {max_width}, not a number from 1 to {LARGEST_SIDE}"
            )));
        }
        if vertices == 0 || frames == 0 {
            return Err(error(format!(
                "there are {vertices} vertices of triangles and {frames} frames, so a texture would have no texels"
            )));
        }
        let rows_per_frame = vertices.div_ceil(max_width.into());
        let width = vertices.div_ceil(rows_per_frame);
        let height = rows_per_frame.saturating_mul(frames);
        let small = |number: u64| u32::try_from(number).ok();
        let sides = (small(vertices), small(width), small(rows_per_frame));
        match (sides, small(height)) {
            ((Some(vertices), Some(width), Some(rows_per_frame)), Some(height))
                if height <= LARGEST_SIDE =>
            {
                Ok(Self {
                    vertices,
                    width,
                    height,
                    rows_per_frame,
                })
            }
            _ => Err(too_high(rows_per_frame, frames, max_width)),
        }
    }

    /// Returns column and row of a vertex in the first frame.
    pub fn texel(&self, vertex: u32) -> [u32; 2] {
        [vertex % self.width, vertex / self.width]
    }

    /// Returns the texture coordinates of a vertex in the first frame: the middle of its texel, with V down from the first row.
    pub fn coordinates(&self, vertex: u32) -> [f32; 2] {
        let [column, row] = self.texel(vertex);
        let middle = |at: u32, side: u32| ((f64::from(at) + 0.5) / f64::from(side)) as f32;
        [middle(column, self.width), middle(row, self.height)]
    }

    /// Frame and vertex of a texel; `None` if it is to spare.
    pub(super) fn vertex(&self, column: usize, row: usize) -> Option<(usize, usize)> {
        let rows = self.rows_per_frame as usize;
        let vertex = row % rows * self.width as usize + column;
        (vertex < self.vertices as usize).then_some((row / rows, vertex))
    }
}

fn too_high(rows_per_frame: u64, frames: u64, max_width: u32) -> Diagnostic {
    let rows = if rows_per_frame == 1 {
        "one row"
    } else {
        &format!("{rows_per_frame} rows")
    };
    let message = format!(
        "{frames} frames of {rows} are more than the {LARGEST_SIDE} rows that a texture can have"
    );
    let mut help = "take fewer frames a second or fewer animations at once".to_owned();
    if max_width != LARGEST_SIDE && rows_per_frame > 1 {
        help += &format!(", or allow wider textures than {max_width} texels");
    }
    error(message).help(help)
}

rigy_base::named! {
    /// Which vectors a texture has. The names stand in those of its files behind the stem, before the ending.
    pub enum Kind {
        Positions = "pos",
        Normals = "norm",
    }
}

/// The vectors of all frames by texel.
pub struct Texels<'c> {
    pub grid: Grid,
    pub kind: Kind,
    /// The frames of all clips, one after the other.
    pub frames: &'c [&'c Frame],
    /// Of each surface, its index and its first vertex.
    pub surfaces: &'c [(usize, u32)],
}

impl Texels<'_> {
    /// The vector of a texel; `None` if it is to spare.
    fn vector(&self, column: usize, row: usize) -> Option<[f32; 3]> {
        let (frame, vertex) = self.grid.vertex(column, row)?;
        Some(self.vector_of(frame, vertex))
    }

    /// The vector of a vertex in a frame. The normals of a surface without any are 0.
    fn vector_of(&self, frame: usize, vertex: usize) -> [f32; 3] {
        let first = |(_, first): &(usize, u32)| *first as usize;
        let after = self.surfaces.partition_point(|s| first(s) <= vertex);
        let (surface, first) = self.surfaces[after - 1];
        let surface = &self.frames[frame].surfaces[surface];
        let vectors = match self.kind {
            Kind::Positions => Some(&surface.positions),
            Kind::Normals => surface.normals.as_ref(),
        };
        vectors.map_or([0.0; 3], |vectors| vectors[vertex - first as usize])
    }

    /// Returns the bytes of the file. Equal vectors give equal bytes.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn file(
        &self,
        packing: Packing,
        decoding: &Decoding,
        executor: &dyn Executor,
    ) -> Result<Vec<u8>, Diagnostic> {
        let size = [self.grid.width, self.grid.height];
        match packing {
            Packing::Float => Ok(exr::file(size, executor, |x, y| {
                self.vector(x, y).unwrap_or_default().map(f32::to_le_bytes)
            })),
            Packing::Half => Ok(exr::file(size, executor, |x, y| {
                let place = self.grid.vertex(x, y);
                let place = place.filter(|_| self.kind == Kind::Positions);
                // The mesh has the first frame.
                let from = place.map(|(_, vertex)| self.vector_of(0, vertex));
                let vector = self.vector(x, y).unwrap_or_default();
                half_distances(vector, from.unwrap_or_default()).map(u16::to_le_bytes)
            })),
            Packing::Unorm16 => self.png(decoding),
        }
    }

    /// A PNG file with red, green, blue and an opacity of 1, without a colour space: its numbers are no colours.
    fn png(&self, decoding: &Decoding) -> Result<Vec<u8>, Diagnostic> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.grid.width, self.grid.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Sixteen);
        encoder.set_deflate_compression(png::DeflateCompression::Level(4));
        let written = encoder.write_header().and_then(|mut writer| {
            let mut stream = writer.stream_writer()?;
            let mut row_bytes = Vec::new();
            for row in 0..self.grid.height as usize {
                row_bytes.clear();
                for column in 0..self.grid.width as usize {
                    let vector = self.vector(column, row);
                    let [x, y, z] = vector.map_or([0; 3], |vector| decoding.integer(vector));
                    row_bytes.extend([x, y, z, u16::MAX].map(u16::to_be_bytes).as_flattened());
                }
                stream.write_all(&row_bytes)?;
            }
            stream.finish()?;
            writer.finish()
        });
        written.map_err(|reason| error(format!("a texture cannot be made: {reason}")))?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_of_every_frame_has_a_texel_of_its_own() {
        for (vertices, frames, max_width) in [(1, 1, 1), (7, 3, 7), (7, 3, 4), (10, 4, 3)] {
            let grid = Grid::new(vertices, frames, max_width).unwrap();
            assert!(grid.width <= max_width);
            let texels = (0..grid.height as usize)
                .flat_map(|row| (0..grid.width as usize).map(move |column| (column, row)));
            let found: Vec<_> = texels.filter_map(|(x, y)| grid.vertex(x, y)).collect();
            let wanted: Vec<_> = (0..frames as usize)
                .flat_map(|frame| (0..vertices as usize).map(move |vertex| (frame, vertex)))
                .collect();
            assert_eq!(found, wanted);
        }
    }

    #[test]
    fn coordinates_lead_back_to_the_texel_in_single_precision() {
        for (vertices, frames) in [(16_384, 16_384), (8193, 5), (16_001 * 3, 4001)] {
            let grid = Grid::new(vertices, frames, LARGEST_SIDE).unwrap();
            for vertex in 0..grid.vertices {
                let [u, v] = grid.coordinates(vertex);
                let found = [u * grid.width as f32, v * grid.height as f32];
                assert_eq!(found.map(|number| number as u32), grid.texel(vertex));
            }
        }
    }

    #[test]
    fn textures_that_cannot_be_are_refused() {
        let message =
            |vertices, frames, width| Grid::new(vertices, frames, width).unwrap_err().message;
        assert!(message(1, 16_385, 8).starts_with("16385 frames of one row are more than"));
        assert!(message(u64::MAX, u64::MAX, 1).contains("are more than the 16384 rows"));
        assert!(message(0, 1, 8).starts_with("there are 0 vertices"));
        assert!(message(1, 0, 8).contains("0 frames"));
        for width in [0, LARGEST_SIDE + 1, u32::MAX] {
            assert!(
                message(1, 1, width).starts_with("the largest width"),
                "{width}"
            );
        }
        let narrow = Grid::new(100, 16_384, 50).unwrap_err();
        assert!(
            narrow
                .help
                .unwrap()
                .ends_with("wider textures than 50 texels")
        );
    }
}
