//! Vertex animation textures: the positions and normals of clips as texels, from which a vertex shader moves a still mesh.
//!
//! In: a [`Sequence`] for each clip, all with one topology. Out: the files that belong together, as `vat.md` of the book
//! describes them: textures of positions and normals, a mesh with lookup coordinates, and a JSON file with the table of clips.
//!
//! ```text
//! grid       which texel a vertex of a frame has                                (texture)
//! packing    how a number becomes a texel, and how a shader gets it back        (packing)
//! texture    the texels as an EXR or a PNG file                                 (texture, exr)
//! mesh       the first frame as a GLB, with the coordinates of its texels       (mesh)
//! sidecar    the JSON file                                                      (sidecar)
//! ```
//!
//! ```
//! use rigy_export::vat::{self, VatClip, VatOptions};
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
//! let (options, images) = (VatOptions::default(), Images::default());
//! let files = vat::build(&clips, &options, "flag", &images, &Sequential).expect("it is small").value;
//! let names: Vec<&str> = files.iter().map(|file| &*file.name).collect();
//! assert_eq!(names, ["flag_mesh.glb", "flag_pos.exr", "flag_data.json"]); // there are no normals
//! ```

mod exr;
mod mesh;
mod packing;
mod sidecar;
mod texture;

use super::images::Images;
use super::objects::{Beside, Export, first_of};
use super::sequence::{Frame, FrameSurface, Sequence, difference};
use super::textures::warning;
use packing::error;
pub use packing::{Decoding, Packing};
use rigy_base::diag::{Diagnostic, Warned};
use rigy_kernel::executor::Executor;
use rigy_models::mesh::{Model, Surface};
use sidecar::Sidecar;
pub use texture::{COMMON_SIDE, Grid, LARGEST_SIDE};
use texture::{Kind, Texels};

/// A clip: an animation with a name.
#[derive(Clone, Copy, Debug)]
pub struct VatClip<'c> {
    /// Its name.
    pub name: &'c str,
    /// Its frames.
    pub sequence: &'c Sequence,
}

/// How textures are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VatOptions {
    /// The numbers of the textures.
    pub packing: Packing,
    /// Most texels in a row, from 1 to [`LARGEST_SIDE`].
    pub max_width: u32,
}

impl Default for VatOptions {
    fn default() -> Self {
        Self {
            packing: Packing::default(),
            max_width: COMMON_SIDE,
        }
    }
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
/// numbers do not fit the packing (U15).
pub fn build(
    clips: &[VatClip],
    options: &VatOptions,
    stem: &str,
    images: &Images,
    executor: &dyn Executor,
) -> Result<Warned<Vec<Beside<'static>>>, Vec<Diagnostic>> {
    let Some(first) = clips.first() else {
        return Err(vec![error("there is no clip".into())]);
    };
    check_alike(clips).map_err(|error| vec![error])?;
    let export = Export::new(first.sequence, stem, images)?;
    built(clips, options, &export, executor).map_err(|error| vec![error])
}

/// Checks that a texture can hold `frames` frames of a model.
///
/// # Errors
/// If it would be too large.
pub fn check_size(model: &Model, frames: u64, options: &VatOptions) -> Result<(), Diagnostic> {
    let (_, vertices) = numbered(&model.surfaces);
    Grid::new(vertices, frames, options.max_width).map(drop)
}

/// Returns the names of all files that [`build`] may make with this stem: the mesh, the positions, the normals and the data.
pub fn file_names(stem: &str, packing: Packing) -> [String; 4] {
    let name = |what: &str, ending: &str| format!("{stem}_{what}.{ending}");
    let texture = |kind: Kind| name(kind.name(), packing.ending());
    [
        name("mesh", "glb"),
        texture(Kind::Positions),
        texture(Kind::Normals),
        name("data", "json"),
    ]
}

/// The files of clips that fit together; `export` is that of the first.
fn built(
    clips: &[VatClip],
    options: &VatOptions,
    export: &Export,
    executor: &dyn Executor,
) -> Result<Warned<Vec<Beside<'static>>>, Diagnostic> {
    let all = &export.sequence.model().surfaces;
    let (surfaces, vertices) = numbered(all);
    let frames: Vec<&Frame> = clips
        .iter()
        .map(|clip| clip.sequence)
        .flat_map(Sequence::frames)
        .collect();
    let grid = Grid::new(vertices, frames.len() as u64, options.max_width)?;
    let written = frames
        .iter()
        .flat_map(|frame| surfaces.iter().map(|(index, _)| &frame.surfaces[*index]));
    let bounds = FrameSurface::bounds(written).unwrap_or_default();
    let (mesh, mut warnings) = mesh::glb(export, &surfaces, grid)?;
    warnings.extend(left_out(all));
    let packing = options.packing;
    let [mesh_name, positions, normals, data] = file_names(export.name, packing);
    let mut files = vec![beside(mesh_name.clone(), mesh)];
    let mut texture = |kind: Kind, file: String, decoding: Decoding| {
        let texels = Texels {
            grid,
            kind,
            frames: &frames,
            surfaces: &surfaces,
        };
        files.push(beside(
            file.clone(),
            texels.file(packing, &decoding, executor)?,
        ));
        Ok(sidecar::Texture { file, decoding })
    };
    let decoding = Decoding::of_positions(packing, bounds)?;
    let positions = texture(Kind::Positions, positions, decoding)?;
    let normals = surfaces
        .iter()
        .any(|(index, _)| all[*index].normals.is_some())
        .then(|| texture(Kind::Normals, normals, Decoding::of_normals(packing)))
        .transpose()?;
    let grid = (grid, packing);
    let textures = (positions, normals);
    let sidecar = Sidecar::new(clips, &surfaces, grid, bounds, mesh_name, textures);
    files.push(beside(data, sidecar.text()));
    Ok(Warned {
        value: files,
        warnings,
    })
}

fn beside(name: String, bytes: Vec<u8>) -> Beside<'static> {
    Beside {
        name,
        bytes: bytes.into(),
    }
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
    let has_normals = triangles.iter().any(|surface| surface.normals.is_some());
    let bare = triangles
        .into_iter()
        .filter(|s| has_normals && s.normals.is_none());
    let bare = first_of(bare).map(|names| format!("{names} has no normals: its texels are 0"));
    others.into_iter().chain(bare).map(warning).collect()
}
