//! The story of a document: text in, GLBs out.
//!
//! ```text
//! text -> yaml -> parse -> expand -> validate       for the document and all that it imports
//!      -> contracts, anchors, frames                where its instances stand                  [`check`]
//!      -> tessellate -> skin                        once for each part that is placed          [`Checked::build`]
//!      -> export                                    GLB at rest                                [`Compiled::export`]
//!      -> pose -> kernel -> bake                    GLB of one pose                            [`PosedScene::bake`]
//! ```
//! The earliest stage that fails decides the category of the first error; each stage reports all it can see.
//! Nothing here touches a disk or a thread: other files arrive through [`Files`], and an
//! [`Executor`](crate::base::executor::Executor) of the caller divides large meshes.

mod allowance;
mod assemble;
mod chain;
mod composition;
mod files;
mod findings;
mod forecast;
mod imports;
mod memory;
mod noting;
mod posed;
mod size;
mod unit;

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use crate::base::diag::{Diagnostic, Warned};
use crate::base::loader::{FileRead, Location};
use crate::geometry::scene::Assembly;
use crate::glb::{self, Glb, GlbError};
use crate::kernel::math::Affine;
use crate::language::yaml::Tree;

pub use allowance::{MAX_FILES, MAX_PATH, MAX_WEIGHT};
use composition::Part;
pub use files::Files;
use findings::Findings;
#[doc(hidden)]
pub use forecast::refuses;
pub use imports::MAX_DEPTH;
pub use posed::PosedScene;
use unit::{File, Unit, Valid};

/// A document as it comes in.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    /// The name diagnostics call it by.
    pub name: &'a str,
    /// Where its references start from, in the loader's terms.
    pub location: Location,
    /// Its text; a byte order mark at the beginning is passed over.
    pub text: &'a str,
}

impl<'a> Input<'a> {
    /// A document whose name is also its location.
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
    /// The tree of the document itself, to locate what is found from here on.
    tree: Tree<'a>,
    root: Valid,
    parts: Vec<Part>,
    /// Where each instance stands.
    places: Vec<Affine>,
    /// Files that were imported.
    imported: Vec<FileRead>,
}

/// A document that is ready to be written, at rest or in any pose.
pub struct Compiled {
    root: Valid,
    /// The parts that are placed, in the order of the assembly's.
    parts: Vec<Part>,
    assembly: Assembly,
    /// Indices of the document's poses, sorted by id.
    poses_by_id: Vec<usize>,
    files_read: Vec<FileRead>,
}

/// The text of a document's bytes.
///
/// # Errors
/// A ParseError (U10) that gives the offset of the first byte that is no UTF-8.
pub fn decode<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str, Vec<Diagnostic>> {
    std::str::from_utf8(bytes).map_err(|error| {
        let message = format!("byte {} is not UTF-8 text", error.valid_up_to());
        vec![unit::about_file(name, message)]
    })
}

/// Reads and checks a document with all that it imports: stages A to E of `language.md` §2.2.
///
/// # Errors
/// Every finding of the earliest failing stage, in order, with its place: ParseErrors of YAML, version, schema
/// and imports, of whatever file; ValidationErrors of the document and of its direct imports; anchors that
/// instances miss (V29, V30); contracts that are malformed or broken (V31), and CompositionErrors.
pub fn check<'a>(
    input: Input<'a>,
    files: &'a Files,
) -> Result<Warned<Checked<'a>>, Vec<Diagnostic>> {
    check_if_room(input, files, &|_| true)
}

/// The same if there is `room` for the text of what the document imports: that is asked before imports are read, first
/// for the direct ones and then for all that are known to come, with their length in bytes.
///
/// # Errors
/// The same, and if there is no room (U10).
pub fn check_if_room<'a>(
    input: Input<'a>,
    files: &'a Files,
    room: &dyn Fn(u64) -> bool,
) -> Result<Warned<Checked<'a>>, Vec<Diagnostic>> {
    let file = File::new(
        input.name.to_owned(),
        input.location,
        input.text,
        files.limits(),
        forecast::of_document,
    )?;
    let file = Arc::new(file);
    let tree = file.compose_from(input.text)?;
    let unit = Arc::new(Unit::new(file.clone(), &tree, files.loader())?);
    let imports = imports::load(&unit, files, room)?;
    let imported = imports.read;
    let (root, parts) = composition::judge(&unit, imports.direct)?;
    let places = composition::places(&root, &parts, imports.malformed)?;
    let mut warnings = unit.warnings.clone();
    let left_out = composition::left_out(&root, &parts);
    warnings.extend(file.locate_in(&tree, left_out));
    let value = Checked {
        files,
        tree,
        root,
        parts,
        places,
        imported,
    };
    Ok(Warned { value, warnings })
}

impl Checked<'_> {
    /// Ids of the document's poses, in order.
    pub fn pose_ids(&self) -> impl Iterator<Item = &str> {
        self.root.document.poses.iter().map(|pose| &*pose.id.value)
    }

    /// Where the files are that its output depends on beside its own: imports, direct ones and others, contracts, and
    /// weight files, these once each.
    pub fn files(&self) -> Vec<Location> {
        let loader = self.files.loader();
        let valid = std::iter::once(&self.root).chain(composition::distinct(&self.parts));
        let weights = valid.flat_map(|valid| {
            let sources = valid.document.weight_sources();
            let paths: BTreeSet<&str> = sources.map(|path| &*path.value).collect();
            let resolve = |path: &str| loader.resolve(&valid.file.location, path).ok();
            paths.into_iter().filter_map(resolve).collect::<Vec<_>>()
        });
        let weights: HashSet<Location> = weights.collect();
        let imported = self.imported.iter().map(|file| file.location.clone());
        imported.chain(weights).collect()
    }
}

impl Compiled {
    /// Ids of the document's poses, in order.
    pub fn pose_ids(&self) -> impl Iterator<Item = &str> {
        self.root.document.poses.iter().map(|pose| &*pose.id.value)
    }

    /// The files that it was made of beside its own, some perhaps more than once: imports, direct ones and others,
    /// contracts, and those weight files that something is made of.
    pub fn files_read(&self) -> &[FileRead] {
        &self.files_read
    }

    /// The scene at rest, with the parts placed in it.
    pub fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// The ordinary export: rest pose, skins kept, instances placed.
    ///
    /// # Errors
    /// U15 for each mesh with a number beyond f32; U17.
    pub fn export(&self) -> Result<Glb<'_>, Vec<Diagnostic>> {
        glb::export(&self.assembly).map_err(|errors| self.glb_errors(&errors, None))
    }

    fn glb_errors(&self, errors: &[GlbError], pose_id: Option<&str>) -> Vec<Diagnostic> {
        let mut findings = Findings::default();
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
