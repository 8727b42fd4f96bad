//! The texture: where the vertices of all frames lie in it, and its file, EXR with floats or PNG with integers.

use super::exr;
use crate::sequence::Frame;
use rigy_base::diag::{Category, Code, Diagnostic};
use rigy_kernel::executor::Executor;
use serde::{Deserialize, Serialize};

/// The largest width and height of a texture, in texels: graphics cards of desktops take no larger ones.
const LARGEST_SIDE: u64 = 16_384;

/// The width and height that every implementation of WebGPU takes; larger ones only where nothing else holds the frames.
const COMMON_SIDE: u64 = 8192;

rigy_base::named! {
    /// The format of a texture.
    #[derive(Default, Deserialize, Serialize)]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    #[serde(rename_all = "lowercase")]
    pub enum VatFormat {
        /// OpenEXR with 32-bit floats.
        #[default]
        Exr = "exr",
        /// PNG with 16-bit integers.
        Png = "png",
    }
}

/// The texels of a texture, whose sides are powers of two. The upper half has positions and the lower one normals. In each, the
/// frames of a vertex are below each other, and vertices beside each other; those that find no place begin below the last frame.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    vertices: u64,
    frames: u64,
    width: u64,
    height: u64,
}

impl Grid {
    /// The smallest grid of some vertices at some moments.
    ///
    /// # Errors
    /// If there is no vertex or no frame, or they need a side of more than [`LARGEST_SIDE`].
    pub fn new(vertices: u64, frames: u64) -> Result<Self, Diagnostic> {
        if vertices == 0 || frames == 0 {
            return Err(error(format!(
                "there are {vertices} vertices of triangles and {frames} frames, so a texture would have no texels"
            )));
        }
        let widths = (0..=LARGEST_SIDE.ilog2()).map(|power| 1 << power);
        let grids = widths.filter_map(|width: u64| {
            let rows = vertices.div_ceil(width).saturating_mul(frames);
            let height = rows.checked_mul(2)?.checked_next_power_of_two()?;
            (height <= LARGEST_SIDE).then_some(Self {
                vertices,
                frames,
                width,
                height,
            })
        });
        let smallest = grids.min_by_key(|grid| {
            let side = grid.width.max(grid.height);
            (side > COMMON_SIDE, grid.width * grid.height, side)
        });
        smallest.ok_or_else(|| {
            error(format!(
                "{frames} frames of {vertices} vertices are more than a texture of {LARGEST_SIDE} × {LARGEST_SIDE} texels can have"
            ))
            .help("take fewer frames a second or fewer animations at once")
        })
    }

    /// The texture coordinates of a vertex in the first frame: the middle of its texel, with V down from the first row.
    pub fn coordinates(&self, vertex: u64) -> [f32; 2] {
        let middle = |at: u64, side: u64| ((at as f64 + 0.5) / side as f64) as f32;
        [
            middle(vertex % self.width, self.width),
            middle(vertex / self.width * self.frames, self.height),
        ]
    }

    /// Whether a texel is of positions, its frame and its vertex; `None` if it is to spare.
    fn place(&self, column: usize, row: usize) -> Option<(bool, usize, usize)> {
        let half = self.height / 2;
        let row = row as u64;
        let (block, frame) = (row % half / self.frames, row % half % self.frames);
        let vertex = block * self.width + column as u64;
        (vertex < self.vertices).then_some((row < half, frame as usize, vertex as usize))
    }
}

/// Turns a vector of glTF, whose y is up, into one of Blender, whose z is up, as readers expect them.
fn turned<T: std::ops::Neg<Output = T>>([x, y, z]: [T; 3]) -> [T; 3] {
    [x, -z, y]
}

/// The vectors of all frames by texel.
pub struct Texels<'c> {
    grid: Grid,
    /// The frames of all clips, one after the other. The mesh has the first.
    frames: &'c [&'c Frame],
    /// Of each surface, its index and its first vertex.
    pub surfaces: &'c [(usize, u32)],
    /// The least and the greatest distances of components from the mesh.
    pub bounds: [[f32; 3]; 2],
}

impl<'c> Texels<'c> {
    /// Measures how far the vertices of frames are from those of the first.
    ///
    /// # Errors
    /// If they are too far for single precision (U15).
    pub fn new(
        grid: Grid,
        frames: &'c [&'c Frame],
        surfaces: &'c [(usize, u32)],
    ) -> Result<Self, Diagnostic> {
        let mut bounds = [[0.0f64; 3]; 2]; // the first frame is no distance from itself
        for frame in frames {
            for (index, _) in surfaces {
                let [moved, rest] = [frame, frames[0]].map(|it| &it.surfaces[*index].positions);
                for distance in moved
                    .iter()
                    .zip(rest)
                    .map(|(at, from)| distance(*at, *from))
                {
                    // `f64::min` and `f64::max` may return either of 0 and -0, on each machine another one.
                    for (axis, distance) in distance.into_iter().enumerate() {
                        if distance < bounds[0][axis] {
                            bounds[0][axis] = distance;
                        } else if distance > bounds[1][axis] {
                            bounds[1][axis] = distance;
                        }
                    }
                }
            }
        }
        let bounds = bounds.map(|bound| bound.map(|number| number as f32));
        if (0..3).all(|axis| (bounds[1][axis] - bounds[0][axis]).is_finite()) {
            return Ok(Self {
                grid,
                frames,
                surfaces,
                bounds,
            });
        }
        let mut error = error("frames are too far from the first for a texture".into());
        error.code = Some(Code::U15);
        Err(error)
    }

    /// Whether positions are within one step of 16 bits.
    pub fn are_one(&self, from: [f32; 3], at: [f32; 3]) -> bool {
        let [least, most] = self.bounds;
        let range = |axis| f64::from(most[axis]) - f64::from(least[axis]);
        let distance = distance(at, from);
        (0..3).all(|axis| 65_535.0 * distance[axis].abs() <= range(axis))
    }

    /// The numbers of a texel, from 0 to 1. Normals of a surface without any point up.
    fn texel(&self, column: usize, row: usize) -> [f64; 3] {
        let Some((is_position, frame, vertex)) = self.grid.place(column, row) else {
            return [0.0; 3];
        };
        let first = |(_, first): &(usize, u32)| *first as usize;
        let after = self.surfaces.partition_point(|s| first(s) <= vertex);
        let (surface, first) = self.surfaces[after - 1];
        let vertex = vertex - first as usize;
        let [moved, rest] = [frame, 0].map(|frame| &self.frames[frame].surfaces[surface]);
        if is_position {
            let distance = distance(moved.positions[vertex], rest.positions[vertex]);
            std::array::from_fn(|axis| {
                let [least, most] = self.bounds.map(|bound| f64::from(bound[axis]));
                match most - least {
                    0.0 => 0.0,
                    range => ((distance[axis] - least) / range).clamp(0.0, 1.0),
                }
            })
        } else {
            let normals = moved.normals.as_ref();
            let normal = turned(normals.map_or([0.0, 1.0, 0.0], |normals| normals[vertex]));
            normal.map(|number| ((f64::from(number) + 1.0) / 2.0).clamp(0.0, 1.0))
        }
    }

    /// The bytes of the file. Equal vectors give equal bytes.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn file(&self, format: VatFormat, executor: &dyn Executor) -> Result<Vec<u8>, Diagnostic> {
        let size = [self.grid.width, self.grid.height].map(|side| side as u32);
        match format {
            VatFormat::Exr => Ok(exr::file(size, executor, |x, y| {
                self.texel(x, y).map(|number| (number as f32).to_le_bytes())
            })),
            VatFormat::Png => self
                .png(size, executor)
                .map_err(|reason| error(format!("a texture cannot be made: {reason}"))),
        }
    }

    /// A PNG file without a colour space: its numbers are no colours.
    fn png(&self, size: [u32; 2], executor: &dyn Executor) -> Result<Vec<u8>, png::EncodingError> {
        let [width, height] = size.map(|side| side as usize);
        let rows = executor.results(height, |row| {
            let texels = (0..width).flat_map(|column| self.texel(column, row));
            let numbers = texels.flat_map(|it| ((it * 65_535.0 + 0.5) as u16).to_be_bytes());
            numbers.collect::<Vec<u8>>()
        });
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, size[0], size[1]);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Sixteen);
        encoder.set_deflate_compression(png::DeflateCompression::Level(1));
        encoder.write_header()?.write_image_data(&rows.concat())?;
        Ok(bytes)
    }
}

/// The distance of a position from another, in the axes of Blender.
fn distance(at: [f32; 3], from: [f32; 3]) -> [f64; 3] {
    turned(std::array::from_fn(|axis| {
        f64::from(at[axis]) - f64::from(from[axis])
    }))
}

/// An error without a code.
pub fn error(message: String) -> Diagnostic {
    Diagnostic::without_code(Category::ExportError, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_lead_to_a_texel_of_its_own_for_every_vertex_of_every_frame() {
        for (vertices, frames) in [(1, 1), (7, 3), (8193, 5), (16_001 * 3, 401), (3, 8192)] {
            let grid = Grid::new(vertices, frames).unwrap();
            assert!(grid.width * grid.height < 8 * vertices * frames);
            for vertex in 0..vertices {
                let [u, v] = grid.coordinates(vertex);
                for frame in [0, frames / 2, frames - 1] {
                    // As shaders do, in single precision.
                    let v = v + frame as f32 * (1.0 / grid.height as f32);
                    for (half, is_position) in [(0.0, true), (0.5, false)] {
                        let [x, y] = [u * grid.width as f32, (v + half) * grid.height as f32];
                        let found = grid.place(x as usize, y as usize);
                        let wanted = (is_position, frame as usize, vertex as usize);
                        assert_eq!(found, Some(wanted));
                    }
                }
            }
        }
    }

    #[test]
    fn textures_that_cannot_be_are_refused() {
        let message = |vertices, frames| Grid::new(vertices, frames).unwrap_err().message;
        assert!(message(1, 8193).starts_with("8193 frames of 1 vertices are more than"));
        assert!(message(u64::MAX, u64::MAX).contains("are more than"));
        assert!(message(0, 1).starts_with("there are 0 vertices"));
        assert!(message(1, 0).contains("0 frames"));
    }
}
