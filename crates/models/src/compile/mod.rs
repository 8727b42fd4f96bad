//! Compiles a document: text in, GLBs out.
//!
//! ```text
//! text -> yaml -> parse -> expand -> validate       for the document and all that it imports
//!      -> contracts, anchors, frames                for its instances                          [`check`]
//!      -> tessellate -> skin                        once for each part that is placed          [`Checked::build`]
//!      -> export                                    GLB at rest                                [`Compiled::export`]
//!      -> pose -> kernel -> bake                    GLB of one pose                            [`PosedScene::bake`]
//! ```
//! The earliest stage that fails decides the category of the first error; each stage reports all the errors that it finds.
//! This module uses neither disks nor threads: other files come from [`Files`], and an
//! [`Executor`](rigy_kernel::executor::Executor) of the caller divides large meshes.

mod allowance;
mod assemble;
mod base;
mod composition;
#[cfg(feature = "cli")]
mod expanded;
mod files;
mod findings;
mod imports;
mod materials;
mod posed;
mod size;
mod unit;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::geometry::scene::Assembly;
use crate::glb::{self, Glb, GlbError, Style};
use allowance::Reserve;
pub use allowance::{MAX_EXPANDED_LEN, MAX_FILES, MAX_PATH};
pub use base::{Base, Placement};
use composition::Part;
#[cfg(feature = "cli")]
pub use expanded::{EXPANDED_BY, expanded};
pub use files::Files;
use findings::FileFindings;
pub use imports::MAX_DEPTH;
pub use posed::PosedScene;
use rigy_base::diag::{Diagnostic, Warned};
use rigy_base::loader::{FileRead, FileRecord, Loader, Location, ResolvingOnce, git_lfs_pointer};
use rigy_base::maps::HashSet;
use rigy_kernel::math::Affine;
use rigy_language::compose;
use rigy_language::model::{Document, RigsScene};
use rigy_language::parse;
use rigy_language::yaml::Tree;
pub use unit::format;
use unit::{File, Role, Unit, Valid};

/// The text of a document, with its name and its location.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    /// Its name in diagnostics.
    pub name: &'a str,
    /// Its location, from which the loader resolves its references.
    pub location: Location,
    /// Its text; a byte order mark at the beginning is ignored.
    pub text: &'a str,
}

impl<'a> Input<'a> {
    /// Returns a document whose name is also its location.
    pub fn new(name: &'a str, text: &'a str) -> Self {
        let location = Location(name.into());
        Self {
            name,
            location,
            text,
        }
    }
}

/// A document that has passed every rule that needs no geometry, with all that it imports.
pub struct Checked<'a> {
    files: &'a Files,
    /// The loader of `files`, which has resolved the references of the document.
    loader: ResolvingOnce<'a>,
    /// The tree of the document itself, to locate later findings.
    tree: Tree<'a>,
    root: Valid,
    parts: Vec<Part>,
    /// The transform of each instance.
    places: Vec<Affine>,
    /// The files that were imported.
    record: FileRecord,
    /// The scene, if the file is one; `places` are then those of its children, depth first.
    scene: Option<RigsScene>,
}

/// A document that can be written, at rest or in any pose.
pub struct Compiled {
    root: Valid,
    /// The parts that are placed, in the order of `assembly.parts`.
    parts: Vec<Part>,
    assembly: Assembly,
    /// Indices of the document's poses, sorted by id.
    poses_by_id: Vec<usize>,
    style: Style,
    files_read: Vec<FileRead>,
}

/// The reasons why [`check_reserving`] returns no document.
#[derive(Debug)]
pub enum CheckError<E> {
    /// The document has these errors.
    Faulty(Vec<Diagnostic>),
    /// Memory for its imports could not be reserved; this is the error of the caller's function.
    NotReserved(E),
}

/// The reasons why [`Checked::build_while`] returns no document.
#[derive(Debug)]
pub enum BuildError<E> {
    /// The document has these errors.
    Faulty(Vec<Diagnostic>),
    /// The caller's function has stopped the work with this error.
    Stopped(E),
}

/// Returns the text of a document's bytes.
///
/// # Errors
/// A ParseError (U10) that gives the offset of the first byte that is not UTF-8.
pub fn decode<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str, Vec<Diagnostic>> {
    if let Some(message) = git_lfs_pointer(bytes) {
        return Err(vec![unit::about_file(name, message.to_owned())]);
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let message = format!("byte {} is not UTF-8 text", error.valid_up_to());
        vec![unit::about_file(name, message)]
    })
}

/// Checks a document and builds it, with the warnings of both steps.
///
/// # Errors
/// As [`check`] and [`Checked::build`].
pub fn compile(input: Input<'_>, files: &Files) -> Result<Warned<Compiled>, Vec<Diagnostic>> {
    let checked = check(input, files)?;
    let built = checked.value.build()?;
    let warnings = [checked.warnings, built.warnings].concat();
    Ok(Warned {
        value: built.value,
        warnings,
    })
}

/// Reads and checks a document with all that it imports: stages A to E of `language.md` §2.2.
///
/// # Errors
/// Every finding of the earliest failing stage, in order, with its place: ParseErrors of YAML, version, schema
/// and imports, in all files; ValidationErrors of the document and of its direct imports; materials and anchors
/// that imports miss (V42, V29, V30); contracts that are malformed or broken (V31), and CompositionErrors.
pub fn check<'a>(
    input: Input<'a>,
    files: &'a Files,
) -> Result<Warned<Checked<'a>>, Vec<Diagnostic>> {
    check_with(input, files, &mut |_| true)
}

/// Does the same as [`check`], but calls `reserve` before imports are read: for each document that has imports, with the
/// length in bytes of the text of all imports that are known by then.
///
/// # Errors
/// The errors of [`check`], or the error of `reserve`.
pub fn check_reserving<'a, E>(
    input: Input<'a>,
    files: &'a Files,
    mut reserve: impl FnMut(u64) -> Result<(), E>,
) -> Result<Warned<Checked<'a>>, CheckError<E>> {
    let mut refusal = None;
    let checked = check_with(input, files, &mut |len| {
        refusal = reserve(len).err();
        refusal.is_none()
    });
    match refusal {
        Some(error) => Err(CheckError::NotReserved(error)),
        None => checked.map_err(CheckError::Faulty),
    }
}

fn check_with<'a>(
    input: Input<'a>,
    files: &'a Files,
    reserve: &mut Reserve<'_>,
) -> Result<Warned<Checked<'a>>, Vec<Diagnostic>> {
    let file = File::new(
        input.name.to_owned(),
        input.location,
        input.text,
        files.limits(),
    )?;
    let file = Arc::new(file);
    let tree = file.compose_from(input.text)?;
    let loader = ResolvingOnce::new(files.loader());
    let located = |findings| file.locate_in(&tree, findings);
    let scene = base::is_scene(&file.location).then(|| parse::scene(&tree));
    let scene = scene.transpose().map_err(located)?;
    let mut unit = match &scene {
        None => Unit::new(file.clone(), &tree, &loader, Role::Document)?,
        Some(scene) => {
            let document = Document::of_imports(&scene.imports);
            Unit::of_document(file.clone(), document, &tree, &loader, Role::Document)?
        }
    };
    let mut warnings = std::mem::take(&mut unit.warnings);
    let unit = Arc::new(unit);
    let imports = imports::load(&unit, files, &loader, reserve)?;
    let record = imports.record;
    let errors = scene.as_ref().map_or(Vec::new(), compose::check_scene);
    if !errors.is_empty() {
        return Err(located(errors));
    }
    let (root, parts) = composition::valid(&unit, imports.direct)?;
    let (places, left_out) = match &scene {
        None => (
            composition::places(&root, &parts, imports.malformed)?,
            composition::left_out(&root, &parts),
        ),
        Some(scene) => (
            base::scene_places(scene, &root, &parts, imports.malformed, &tree)?,
            base::left_out_of_scene(scene, &parts),
        ),
    };
    warnings.extend(located(left_out));
    let value = Checked {
        files,
        loader,
        tree,
        root,
        parts,
        places,
        record,
        scene,
    };
    Ok(Warned { value, warnings })
}

impl Checked<'_> {
    /// Returns the ids of the document's poses, in document order.
    pub fn pose_ids(&self) -> impl Iterator<Item = &str> {
        self.root.document.poses.iter().map(|pose| &*pose.id.value)
    }

    /// Returns the locations of the other files that its output depends on: imports, direct or not, contracts, and
    /// weight files. Each weight file is listed once, an import once for each path that leads to it.
    pub fn files(&self) -> Vec<Location> {
        let valid = std::iter::once(&self.root).chain(composition::distinct(&self.parts));
        let weights = valid.flat_map(|valid| {
            let sources = valid.document.weight_sources();
            let paths: BTreeSet<&str> = sources.map(|path| &*path.value).collect();
            let resolve = |path: &str| self.loader.resolve(&valid.file.location, path).ok();
            paths.into_iter().filter_map(resolve).collect::<Vec<_>>()
        });
        let weights: HashSet<Location> = weights.collect();
        let imported = self.record.files_read().into_iter();
        let imported = imported.map(|file| file.location);
        imported.chain(weights).collect()
    }

    /// Returns the length in bytes of a file that its output depends on; 0 if it is not known without reading.
    pub fn len_of(&self, file: &Location) -> u64 {
        self.loader.len(file)
    }
}

impl Compiled {
    /// Returns the ids of the document's poses, in document order.
    pub fn pose_ids(&self) -> impl Iterator<Item = &str> {
        self.root.document.poses.iter().map(|pose| &*pose.id.value)
    }

    /// Returns the other files that it was made of: imports, direct or not, contracts, and the weight files that were
    /// read. A file is listed once for each path that leads to it.
    pub fn files_read(&self) -> &[FileRead] {
        &self.files_read
    }

    /// Returns the scene at rest, with its parts.
    pub fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// Sets deviations from what the contract says about the files.
    #[must_use]
    pub fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// Turns triangles so that they are counter-clockwise seen from the side to which their normals point, as glTF has it. The
    /// language winds most curved shapes clockwise (`numerics.md` §3).
    #[must_use]
    pub fn with_triangles_outward(mut self) -> Self {
        let assembly = &mut self.assembly;
        let parts = assembly.parts.iter_mut().map(Arc::make_mut);
        let scenes = std::iter::once(&mut assembly.root).chain(parts);
        for mesh in scenes.flat_map(|scene| &mut scene.meshes) {
            mesh.geometry.turn_triangles_outward();
        }
        self
    }

    /// Returns the ordinary export: rest pose, with skins and instances.
    ///
    /// # Errors
    /// U15 for each mesh with a number beyond f32; U17.
    pub fn export(&self) -> Result<Glb<'_>, Vec<Diagnostic>> {
        glb::export(&self.assembly, self.style).map_err(|errors| self.glb_errors(&errors, None))
    }

    fn glb_errors(&self, errors: &[GlbError], pose_id: Option<&str>) -> Vec<Diagnostic> {
        let mut findings = FileFindings::default();
        for error in errors {
            let (of, importer) = match error {
                GlbError::Overflow {
                    part: Some(part), ..
                } => {
                    let part = &self.parts[*part];
                    (&part.valid, vec![part.importer(&self.root)])
                }
                _ => (&self.root, Vec::new()),
            };
            let mut finding = assemble::glb_error(of, error);
            if let Some(id) = pose_id {
                finding.message.push_str(&format!(" in pose `{id}`"));
            }
            findings.add(&of.file, [finding], &importer);
        }
        findings.located()
    }
}
