//! The JSON file that says what the textures have.

use super::VatClip;
use super::packing::{Decoding, Packing};
use super::texture::Grid;
use crate::layout::{Layout, Up};
use crate::sequence::Frame;
use rigy_models::bake::GENERATOR;
use serde::Serialize;

/// The version of the file's fields.
const VERSION: u32 = 1;

/// The fields of the file, in their order.
#[derive(Serialize)]
pub struct Sidecar<'c> {
    pub version: u32,
    pub generator: &'static str,
    pub mesh: String,
    pub packing: Packing,
    pub relative: bool,
    pub positions: Texture,
    pub normals: Option<Texture>,
    pub width: u32,
    pub height: u32,
    pub rows_per_frame: u32,
    pub vertices: u32,
    pub frames: usize,
    pub fps: Option<f64>,
    pub bounds: Bounds,
    pub up: &'static str,
    pub scale: f64,
    pub clips: Vec<Clip<'c>>,
}

/// A texture: its file, and how its texels are decoded.
#[derive(Serialize)]
pub struct Texture {
    pub file: String,
    #[serde(flatten)]
    pub decoding: Decoding,
}

/// The bounds of all frames.
#[derive(Serialize)]
pub struct Bounds {
    pub min: [f32; 3],
    pub max: [f32; 3],
}

/// A clip.
#[derive(Serialize)]
pub struct Clip<'c> {
    pub name: &'c str,
    pub first_frame: usize,
    pub first_row: usize,
    pub frames: usize,
    pub start: f64,
    pub seconds: f64,
    #[serde(rename = "loop")]
    pub is_loop: bool,
}

impl<'c> Sidecar<'c> {
    /// The fields for some clips, of which the surfaces with these indices are in the textures. `mesh` is the name of that file.
    pub fn new(
        clips: &[VatClip<'c>],
        surfaces: &[(usize, u32)],
        (grid, packing): (Grid, Packing),
        [min, max]: [[f32; 3]; 2],
        mesh: String,
        (positions, normals): (Texture, Option<Texture>),
    ) -> Self {
        let Layout { up, scale, .. } = *clips[0].sequence.layout();
        Self {
            version: VERSION,
            generator: GENERATOR,
            mesh,
            packing,
            relative: packing.is_relative(),
            positions,
            normals,
            width: grid.width,
            height: grid.height,
            rows_per_frame: grid.rows_per_frame,
            vertices: grid.vertices,
            frames: clips.iter().map(|clip| clip.sequence.frames().len()).sum(),
            fps: clips[0].rate(),
            bounds: Bounds { min, max },
            up: match up {
                Up::Y => "y",
                Up::Z => "z",
            },
            scale,
            clips: table(clips, surfaces, grid),
        }
    }

    /// Returns the text of the file.
    pub fn text(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec_pretty(self).expect("its fields are plain");
        text.push(b'\n');
        text
    }
}

/// The clips, one after the other.
fn table<'c>(clips: &[VatClip<'c>], surfaces: &[(usize, u32)], grid: Grid) -> Vec<Clip<'c>> {
    let mut first_frame = 0;
    let rows = clips.iter().map(|clip| {
        let frames = clip.sequence.frames();
        let first = first_frame;
        let count = frames.len();
        first_frame += count;
        let per_frame = clip.rate().map_or(0.0, |rate| 1.0 / rate);
        let start = clip.sequence.timing().map_or(0, |timing| timing.first);
        Clip {
            name: clip.name,
            first_frame: first,
            first_row: first * grid.rows_per_frame as usize,
            frames: count,
            start: start as f64 * per_frame,
            seconds: (count - 1) as f64 * per_frame,
            is_loop: count > 1 && are_equal(&frames[0], &frames[count - 1], surfaces),
        }
    });
    rows.collect()
}

/// True if the surfaces with these indices have the same positions in two frames.
fn are_equal(a: &Frame, b: &Frame, surfaces: &[(usize, u32)]) -> bool {
    surfaces
        .iter()
        .map(|(index, _)| *index)
        .all(|index| a.surfaces[index].positions == b.surfaces[index].positions)
}
