//! The files of textures: EXR with floats, PNG with integers.

use std::io::{Cursor, Write};

use exr::prelude::{
    Blocks, Compression, Encoding, Image, IntoSample, Layer, LayerAttributes, LineOrder,
    SpecificChannels, Vec2, WritableImage, f16,
};

use super::grid::{Grid, error};
use super::packing::{Decoding, Packing, half_distances};
use crate::sequence::Frame;
use rigy_language::base::diag::Diagnostic;

/// Which vectors a texture has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Positions,
    Normals,
}

impl Kind {
    /// Returns what the names of its files have behind the stem, before the ending.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Positions => "pos",
            Self::Normals => "norm",
        }
    }
}

/// The vectors of all frames by texel.
pub(super) struct Texels<'c> {
    pub grid: Grid,
    pub kind: Kind,
    /// The frames of all clips, one after the other.
    pub frames: &'c [&'c Frame],
    /// Of each surface, its index and its first vertex.
    pub surfaces: &'c [(usize, u32)],
}

impl Texels<'_> {
    /// Returns the vector of a texel; `None` if it is to spare.
    fn vector(&self, column: usize, row: usize) -> Option<[f32; 3]> {
        let (frame, vertex) = self.grid.vertex(column, row)?;
        Some(self.vector_of(frame, vertex))
    }

    /// Returns the vector of a vertex in a frame. The normals of a surface without any are 0.
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

    /// Returns the half floats of a texel: of positions, the distance from the first frame, which the mesh has.
    fn half(&self, column: usize, row: usize) -> [f16; 3] {
        let Some((frame, vertex)) = self.grid.vertex(column, row) else {
            return [f16::ZERO; 3];
        };
        let from = match self.kind {
            Kind::Positions => self.vector_of(0, vertex),
            Kind::Normals => [0.0; 3],
        };
        half_distances(self.vector_of(frame, vertex), from)
    }

    /// Returns the bytes of the file. Equal vectors give equal bytes.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn file(&self, packing: Packing, decoding: &Decoding) -> Result<Vec<u8>, Diagnostic> {
        match packing {
            Packing::Float => self.exr(|x, y| self.vector(x, y).unwrap_or_default().into()),
            Packing::Half => self.exr(|x, y| self.half(x, y).into()),
            Packing::Unorm16 => self.png(decoding),
        }
    }

    /// Returns an EXR file with the channels R, G and B, compressed by ZIP, which every reader knows.
    fn exr<S: IntoSample>(
        &self,
        texel: impl Sync + Fn(usize, usize) -> (S, S, S),
    ) -> Result<Vec<u8>, Diagnostic> {
        let channels = SpecificChannels::rgb(|Vec2(x, y)| texel(x, y));
        let encoding = Encoding {
            compression: Compression::ZIP16,
            blocks: Blocks::ScanLines,
            line_order: LineOrder::Increasing,
        };
        let size = (self.grid.width as usize, self.grid.height as usize);
        let layer = Layer::new(size, LayerAttributes::default(), encoding, channels);
        let mut bytes = Cursor::new(Vec::new());
        let image = Image::from_layer(layer);
        let written = image.write().non_parallel().to_buffered(&mut bytes);
        written.map_err(|reason| failed(&reason))?;
        Ok(bytes.into_inner())
    }

    /// Returns a PNG file with red, green, blue and an opacity of 1, without a colour space: its numbers are no colours.
    fn png(&self, decoding: &Decoding) -> Result<Vec<u8>, Diagnostic> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.grid.width, self.grid.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Sixteen);
        encoder.set_compression(png::Compression::Balanced);
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
        written.map_err(|reason| failed(&reason))?;
        Ok(bytes)
    }
}

fn failed(reason: &dyn std::fmt::Display) -> Diagnostic {
    error(format!("a texture cannot be made: {reason}"))
}
