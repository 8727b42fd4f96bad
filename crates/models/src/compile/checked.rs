//! The first half: from a text to a checked document.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::allowance::Reserve;
use super::composition::Part;
use super::files::Files;
use super::input::Input;
use super::unit::{File, Role, Unit, Valid};
use super::{base, composition, imports};
use rigy_base::diag::{Diagnosed, Diagnostic, Warned, check_none};
use rigy_base::loader::{FileRecord, Loader, Location, ResolvingOnce};
use rigy_base::maps::HashSet;
use rigy_base::meter::Meter;
use rigy_kernel::math::Affine;
use rigy_language::model::{Document, RigsScene};
use rigy_language::yaml::Tree;
use rigy_language::{compose, parse};

/// A document that has passed every rule that needs no geometry, with all that it imports.
pub struct Checked<'a> {
    pub(super) files: &'a Files,
    /// The loader of `files`, which has resolved the references of the document.
    pub(super) loader: ResolvingOnce<'a>,
    /// The tree of the document itself, to locate later findings.
    pub(super) tree: Tree<'a>,
    pub(super) root: Valid,
    pub(super) parts: Vec<Part>,
    /// The transform of each instance.
    pub(super) places: Vec<Affine>,
    /// The files that were imported.
    pub(super) record: FileRecord,
    /// The scene, if the file is one; `places` are then those of its children, depth first.
    pub(super) scene: Option<RigsScene>,
    pub(super) meter: Meter,
}

/// Reads and checks a document with all that it imports: stages A to E of `language.md` §2.2.
///
/// # Errors
/// Every finding of the earliest failing stage, in order, with its place: ParseErrors of YAML, version, schema
/// and imports, in all files; ValidationErrors of the document and of its direct imports; materials and anchors
/// that imports miss (V42, V29, V30); contracts that are malformed or broken (V31), and CompositionErrors.
pub fn check<'a>(input: Input<'a>, files: &'a Files) -> Diagnosed<Warned<Checked<'a>>> {
    check_with(input, files, &mut |_| true)
}

/// Does the same as [`check`], but calls `reserve` before imports are read: for each document that has imports, with the
/// length in bytes of the text of all imports that are known by then.
///
/// # Errors
/// The errors of [`check`], or the error of `reserve`.
pub fn check_reserving<'a, E: From<Vec<Diagnostic>>>(
    input: Input<'a>,
    files: &'a Files,
    mut reserve: impl FnMut(u64) -> Result<(), E>,
) -> Result<Warned<Checked<'a>>, E> {
    let mut refusal = None;
    let checked = check_with(input, files, &mut |len| {
        refusal = reserve(len).err();
        refusal.is_none()
    });
    match refusal {
        Some(error) => Err(error),
        None => Ok(checked?),
    }
}

fn check_with<'a>(
    input: Input<'a>,
    files: &'a Files,
    reserve: &mut Reserve,
) -> Diagnosed<Warned<Checked<'a>>> {
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
    let scene = base::is_scene(&file.location)
        .then(|| parse::scene(&tree))
        .transpose()
        .map_err(located)?;
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
    check_none(errors).map_err(located)?;
    let (root, parts) = composition::valid(&unit, imports.direct)?;
    let mut meter = files.limits().meter();
    let (places, left_out) = match &scene {
        None => (
            composition::places(&root, &parts, imports.malformed, &mut meter)?,
            composition::left_out(&root, &parts),
        ),
        Some(scene) => (
            base::scene_places(scene, &root, &parts, imports.malformed, &tree, &mut meter)?,
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
        meter,
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
            valid
                .document
                .weight_sources()
                .map(|path| &*path.value)
                .collect::<BTreeSet<&str>>()
                .into_iter()
                .filter_map(|path| self.loader.resolve(&valid.file.location, path).ok())
                .collect::<Vec<_>>()
        });
        let weights: HashSet<Location> = weights.collect();
        self.record
            .files_read()
            .into_iter()
            .map(|file| file.location)
            .chain(weights)
            .collect()
    }

    /// Returns the length in bytes of a file that its output depends on; 0 if it is not known without reading.
    pub fn len_of(&self, file: &Location) -> u64 {
        self.loader.len(file)
    }
}
