//! Vertex animation textures as OpenVAT has them: the positions and normals of clips as texels, from which a vertex shader moves a
//! still mesh.
//!
//! In: a [`Sequence`] for each clip, all with one topology. Out: the files that belong together, as `vat.md` of the book
//! describes them: a texture, a mesh with lookup coordinates, and a JSON file with the bounds and the clips.
//!
//! ```text
//! texture    which texel a vertex of a frame has, and the file as EXR or PNG    (texture, exr)
//! mesh       the first frame as a GLB, with the coordinates of its texels       (mesh)
//! remap      the JSON file                                                      (here)
//! ```
//!
//! ```
//! use rigy_export::vat::{self, VatClip, VatFormat};
//! use rigy_export::{Images, Layout, Sequence, Timing};
//! use rigy_kernel::executor::Sequential;
//! use rigy_models::mesh::{Model, Surface};
//!
//! let flag = |height| {
//!     let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, height, 0.0]];
//!     let surface = Surface { positions, triangles: vec![[0, 1, 2]], ..Surface::default() };
//!     Model { surfaces: vec![surface], ..Model::default() }
//! };
//! let mut sequence = Sequence::new(flag(1.0), Layout::default())
//!     .and_then(|sequence| sequence.timed(Timing { rate: 30.0, first: 0 }))
//!     .expect("its numbers fit");
//! sequence.push(&flag(1.5)).expect("it has the same topology");
//! let clips = [VatClip { name: "rise", sequence: &sequence }];
//! let (format, images) = (VatFormat::default(), Images::default());
//! let files = vat::build(&clips, format, "flag", &images, &Sequential).expect("it is small").value;
//! let names: Vec<&str> = files.iter().map(|file| &*file.name).collect();
//! assert_eq!(names, ["flag.glb", "flag_vat.exr", "flag-remap_info.json"]);
//! ```

mod exr;
mod mesh;
mod texture;

use super::images::Images;
use super::objects::{Beside, Export, first_of};
use super::sequence::{Frame, Sequence, difference};
use super::textures::warning;
use rigy_base::diag::{Diagnosed, Diagnostic, Warned};
use rigy_kernel::executor::Executor;
use rigy_models::mesh::{Model, Surface};
use serde_json::{Map, json};
pub use texture::VatFormat;
use texture::{Grid, Texels, error};

/// A clip: an animation with a name.
#[derive(Clone, Copy, Debug)]
pub struct VatClip<'c> {
    /// Its name.
    pub name: &'c str,
    /// Its frames.
    pub sequence: &'c Sequence,
}

impl VatClip<'_> {
    /// Its frames a second; `None` if it has no times.
    fn rate(&self) -> Option<f64> {
        self.sequence.timing().map(|timing| timing.rate)
    }
}

/// Returns the files of some clips, which are at least one, with warnings (W16) about what they have no place for. `stem` is
/// the name that those of the files begin with; `images` are those of the model; `executor` spreads the compression over threads.
///
/// # Errors
/// If the clips differ in topology, layout or frames a second; if the frames need a texture that is too large, or their
/// distances from the first frame exceed single precision (U15).
pub fn build(
    clips: &[VatClip],
    format: VatFormat,
    stem: &str,
    images: &Images,
    executor: &dyn Executor,
) -> Diagnosed<Warned<Vec<Beside<'static>>>> {
    let Some(first) = clips.first() else {
        return Err(vec![error("there is no clip".into())]);
    };
    check_alike(clips).map_err(|error| vec![error])?;
    let export = Export::new(first.sequence, stem, images)?;
    built(clips, format, &export, executor).map_err(|error| vec![error])
}

/// Checks that a texture can hold `frames` frames of a model.
///
/// # Errors
/// If it would be too large.
pub fn check_size(model: &Model, frames: u64) -> Result<(), Diagnostic> {
    let (_, vertices) = numbered(&model.surfaces);
    Grid::new(vertices, frames).map(drop)
}

/// Returns the names of the files that [`build`] makes with this stem: the mesh, the texture and the data.
pub fn file_names(stem: &str, format: VatFormat) -> [String; 3] {
    [
        format!("{stem}.glb"),
        format!("{stem}_vat.{}", format.name()),
        format!("{stem}-remap_info.json"),
    ]
}

/// The files of clips that fit together; `export` is that of the first.
fn built(
    clips: &[VatClip],
    format: VatFormat,
    export: &Export,
    executor: &dyn Executor,
) -> Result<Warned<Vec<Beside<'static>>>, Diagnostic> {
    let all = &export.sequence.model().surfaces;
    let (surfaces, vertices) = numbered(all);
    let frames: Vec<&Frame> = clips
        .iter()
        .flat_map(|clip| clip.sequence.frames())
        .collect();
    let grid = Grid::new(vertices, frames.len() as u64)?;
    let texels = Texels::new(grid, &frames, &surfaces)?;
    let (mesh, mut warnings) = mesh::glb(export, &surfaces, grid)?;
    warnings.extend(left_out(all));
    let texture = texels.file(format, executor)?;
    let files = [mesh, texture, remap_info(clips, &texels)];
    let names = file_names(export.name, format);
    let beside = names.into_iter().zip(files).map(|(name, bytes)| Beside {
        name,
        bytes: bytes.into(),
    });
    Ok(Warned {
        value: beside.collect(),
        warnings,
    })
}

/// The JSON file: the bounds of distances, and the clips by name, whose frames are counted from 1 and of which both ends are played.
fn remap_info(clips: &[VatClip], texels: &Texels) -> Vec<u8> {
    let mut animations = Map::new();
    let mut first = 0;
    for clip in clips {
        let frames = clip.sequence.frames();
        let last = first + frames.len();
        let mut name = clip.name.to_owned();
        while animations.contains_key(&name) {
            name = format!("{name}.{}", first + 1);
        }
        if let Some(rate) = clip.rate() {
            let has = |(index, _): &(usize, u32)| {
                let [first, last] = [0, frames.len() - 1].map(|at| &frames[at].surfaces[*index]);
                let mut pairs = first.positions.iter().zip(&last.positions);
                pairs.all(|(from, at)| texels.are_one(*from, *at))
            };
            let is_loop = frames.len() > 1 && texels.surfaces.iter().all(has);
            let clip = json!({"startFrame": first + 1, "endFrame": last, "framerate": rate, "looping": is_loop});
            animations.insert(name, clip);
        }
        first = last;
    }
    let [least, most] = texels.bounds;
    let remap = json!({"Min": least, "Max": most, "Frames": first});
    let info = json!({"os-remap": remap, "animations": animations});
    format!("{info:#}\n").into_bytes()
}

/// Checks that all clips have the surfaces, the layout and the frames a second of the first.
fn check_alike(clips: &[VatClip]) -> Result<(), Diagnostic> {
    let first = &clips[0];
    for clip in &clips[1..] {
        let (sequence, wanted) = (clip.sequence, first.sequence);
        let (surfaces, wanted_surfaces) = (&sequence.model().surfaces, &wanted.model().surfaces);
        let what = match difference(wanted_surfaces, surfaces) {
            Some(difference) => format!("its topology is another: {difference}"),
            None if sequence.layout() != wanted.layout() => "its axis or scale is another".into(),
            None if clip.rate() != first.rate() => "its frames a second are others".into(),
            None => continue,
        };
        let (name, wanted) = (clip.name, first.name);
        return Err(error(format!(
            "clip {name:?} does not fit clip {wanted:?}: {what}"
        ))
        .help("make textures for each of them in a run of its own"));
    }
    Ok(())
}

/// The index and the first vertex of each surface of triangles, and the number of all their vertices.
fn numbered(surfaces: &[Surface]) -> (Vec<(usize, u32)>, u64) {
    let mut numbered = Vec::new();
    let mut vertices = 0u64;
    for (index, surface) in surfaces.iter().enumerate() {
        if !surface.triangles.is_empty() {
            // A grid refuses more vertices than 32 bits can number.
            numbered.push((index, u32::try_from(vertices).unwrap_or(u32::MAX)));
            vertices += surface.positions.len() as u64;
        }
    }
    (numbered, vertices)
}

/// The warnings about surfaces and normals that the textures have no place for.
fn left_out(surfaces: &[Surface]) -> Vec<Diagnostic> {
    let (triangles, others): (Vec<&Surface>, Vec<&Surface>) = surfaces
        .iter()
        .partition(|surface| !surface.triangles.is_empty());
    let others = others.into_iter().filter(|s| !s.positions.is_empty());
    let others = first_of(others)
        .map(|names| format!("points and lines of {names} are not in the textures"));
    let bare = triangles.into_iter().filter(|s| s.normals.is_none());
    let bare = first_of(bare).map(|names| {
        format!("{names} has no normals: those of the texture point up, so export it with normals")
    });
    others.into_iter().chain(bare).map(warning).collect()
}
