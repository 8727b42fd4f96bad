//! From a checked document to an assembly: its meshes and those of its parts, tessellated and skinned.

use std::collections::hash_map::Entry;
use std::convert::Infallible;
use std::sync::Arc;

use super::base::{instances, placed_parts};
use super::checked::{Checked, check};
use super::compiled::Compiled;
use super::composition::Part;
use super::files::Files;
use super::findings::{FileFindings, FileSpan, located};
use super::input::Input;
use super::materials::{Materials, Tables};
use super::size::{check_addressable, check_size};
use super::unit::Valid;
use super::{base, composition};
use crate::geometry::scene::{self, Assembly, Geometry, Scene};
use crate::geometry::skin::{self, WeightFiles, WeightUse};
use crate::geometry::tessellate::{self, Excess, Surfaces};
use crate::glb::{GlbError, Style};
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Warned};
use rigy_base::loader::RecordingLoader;
use rigy_base::maps::HashMap;
use rigy_base::meter::Meter;
use rigy_kernel::executor::{Executor, Sequential};
use rigy_kernel::simd::Isa;
use rigy_language::model::{Document, Mesh, Primitive};
use rigy_language::validate;

/// The reasons why [`Checked::build_while`] returns no document.
#[derive(Debug)]
pub enum BuildError<E> {
    /// The document has these errors.
    Faulty(Vec<Diagnostic>),
    /// The caller's function has stopped the work with this error.
    Stopped(E),
}

/// Checks a document and builds it, with the warnings of both steps.
///
/// # Errors
/// As [`check`] and [`Checked::build`].
pub fn compile(input: Input, files: &Files) -> Diagnosed<Warned<Compiled>> {
    let checked = check(input, files)?;
    let built = checked.value.build()?;
    Ok(Warned {
        value: built.value,
        warnings: [checked.warnings, built.warnings].concat(),
    })
}

impl Checked<'_> {
    /// Tessellates and skins the meshes of the document and of each part that it places, once per part.
    ///
    /// # Errors
    /// U11, U16 and U17, and the errors of weight files and vertex numbers (V16, V18–V22), with their places.
    pub fn build(self) -> Diagnosed<Warned<Compiled>> {
        self.build_by(Isa::best(), &Sequential)
    }

    /// Does the same as [`Checked::build`], with an instruction set and an executor for implicit surfaces, which change no bit.
    ///
    /// # Errors
    /// As [`Checked::build`].
    pub fn build_by(self, isa: Isa, executor: &dyn Executor) -> Diagnosed<Warned<Compiled>> {
        self.build_while(isa, executor, || Ok::<(), Infallible>(()))
            .map_err(|error| match error {
                BuildError::Faulty(errors) => errors,
                BuildError::Stopped(never) => match never {},
            })
    }

    /// Does the same as [`Checked::build_by`], but calls `proceed` before each mesh, and stops at its first error.
    ///
    /// # Errors
    /// The errors of [`Checked::build`], or the error of `proceed`.
    pub fn build_while<E>(
        self,
        isa: Isa,
        executor: &dyn Executor,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Warned<Compiled>, BuildError<E>> {
        check_addressable(self.memory(), isize::MAX as usize)
            .map_err(|error| BuildError::Faulty(located(&self.root.file, error, &[])))?;
        let Self {
            files,
            loader,
            tree,
            root,
            parts,
            places,
            record,
            scene: nested,
            mut meter,
        } = self;
        let tables = tables(&parts);
        let (parts, placed, places, nested) = match nested {
            None => {
                let (parts, placed) = placed_parts(&root, parts);
                (parts, placed, places, None)
            }
            Some(scene) => {
                let (parts, nested) = base::nested(&scene, parts, places);
                (parts, Vec::new(), Vec::new(), Some(nested))
            }
        };
        let limits = files.limits();
        let bounds = (limits.vertices, &mut meter);
        let surfaces = extract(&root, &parts, bounds, isa, executor, &mut proceed)?;
        check_size(&root, &parts, &placed, nested.as_ref(), &surfaces, &limits)
            .map_err(BuildError::Faulty)?;
        let loader = RecordingLoader::new(loader, record);
        let documents = std::iter::once(&root).chain(composition::distinct(&parts));
        let weights = WeightFiles::read(
            documents.flat_map(|valid| weight_uses(valid, &surfaces)),
            &loader,
        );
        let mut errors = FileFindings::default();
        let mut warnings = FileFindings::default();
        let mut assembly = Assembly::default();
        let (own, found_errors, found_warnings) =
            scene(&root, &tables, &surfaces, &weights, &mut proceed)?;
        assembly.root = own;
        errors.add(&root.file, root.file.locate_in(&tree, found_errors), &[]);
        warnings.add(&root.file, root.file.locate_in(&tree, found_warnings), &[]);
        let mut scenes: HashMap<*const validate::Checked<Document>, _> = HashMap::default();
        for part in &parts {
            let known = scenes.entry(Arc::as_ptr(&part.valid.document));
            let (scene, found_errors, found_warnings) = match known {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(free) => {
                    let none = HashMap::default();
                    let (scene, errors, warnings) =
                        scene(&part.valid, &none, &surfaces, &weights, &mut proceed)?;
                    free.insert((Arc::new(scene), errors, warnings))
                }
            };
            let importers = [part.importer(&root)];
            errors.add(&part.valid.file, found_errors.iter().cloned(), &importers);
            warnings.add(&part.valid.file, found_warnings.iter().cloned(), &importers);
            assembly.parts.push(scene.clone());
        }
        drop(weights);
        errors.check_none().map_err(BuildError::Faulty)?;
        let warnings = warnings.located_with(Some((&root.file, &tree)));
        assembly.nested = nested;
        assembly.instances = instances(&root, &assembly.root, &placed, places);
        let poses = &root.document.poses;
        let mut poses_by_id: Vec<usize> = (0..poses.len()).collect();
        poses_by_id.sort_by_key(|index| &*poses[*index].id.value);
        let value = Compiled {
            poses_by_id,
            style: Style::default(),
            root,
            parts,
            assembly,
            files_read: loader.record().files_read(),
            meter,
        };
        Ok(Warned { value, warnings })
    }
}

/// The references of a document to weight files, each with the armature and the number of vertices that it is for.
fn weight_uses<'v>(
    valid: &'v Valid,
    surfaces: &'v Surfaces,
) -> impl Iterator<Item = WeightUse<'v>> {
    valid
        .bound_meshes()
        .filter_map(|(mesh, bound)| Some((mesh, bound?)))
        .flat_map(move |(mesh, (binding, armature))| {
            let by_id: HashMap<&str, &Primitive> =
                mesh.primitives.iter().map(|p| (&*p.id.value, p)).collect();
            binding.weight_maps.iter().filter_map(move |map| {
                let primitive = by_id.get(&*map.primitive_id.value)?;
                Some(WeightUse {
                    document: &valid.file.location,
                    source: map.source.as_ref()?,
                    vertex_count: tessellate::primitive_counts(primitive, surfaces).0 as usize,
                    armature,
                })
            })
        })
}

/// A scene with the errors and the warnings that were found while it was made, without places.
type Found = (Scene, Vec<Diagnostic>, Vec<Diagnostic>);

/// The documents of imports by namespace, whose materials the root may use.
fn tables(parts: &[Part]) -> Tables {
    parts
        .iter()
        .map(|part| {
            let namespace = part.import.namespace.value.clone();
            (namespace, part.valid.document.clone())
        })
        .collect()
}

/// Tessellates and skins the meshes of one document. `tables` has the imports whose materials it may use.
fn scene<E>(
    valid: &Valid,
    tables: &Tables,
    surfaces: &Surfaces,
    weights: &WeightFiles,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<Found, BuildError<E>> {
    let mut errors = Vec::new();
    let mut warnings = Vec::new();
    let mut scene = Scene::default();
    let mut materials = Materials::new(&valid.document, tables);
    for (document_index, (mesh, bound)) in valid.bound_meshes().enumerate() {
        proceed().map_err(BuildError::Stopped)?;
        let emission = materials.emission(mesh);
        if mesh.primitives.is_empty() {
            continue;
        }
        let geometry = tessellate::tessellate(mesh, surfaces);
        warnings.extend(empty_surfaces(mesh, &geometry));
        warnings.extend(cut_surfaces(mesh, surfaces));
        let skin = bound.and_then(|(binding, armature)| {
            let bound = skin::Bound {
                document: &valid.file.location,
                mesh,
                geometry: &geometry,
                armature,
                binding,
                solver: valid.document.solver_of(binding),
            };
            skin::skin(&bound, weights, &mut errors, &mut warnings)
        });
        scene.meshes.push(scene::Mesh {
            document_index,
            name: mesh.output_name().to_owned(),
            geometry,
            emission,
            skin,
        });
    }
    scene.materials = materials.used;
    Ok((scene, errors, warnings))
}

/// A warning (W21) for each implicit surface of a mesh that has no triangles.
fn empty_surfaces(mesh: &Mesh, geometry: &Geometry) -> impl Iterator<Item = Diagnostic> {
    mesh.primitives
        .iter()
        .zip(&geometry.primitive_indices)
        .filter(|(primitive, indices)| primitive.surface.is_some() && indices.is_empty())
        .map(|(primitive, _)| {
            let id = &primitive.id;
            Diagnostic::new(
                Code::W21,
                id.span,
                format!(
                    "implicit surface `{}` has no triangles: of its samples all are inside, or none is",
                    id.value
                ),
            )
            .help("choose an `iso` between 0 and the greatest value of the field, or a finer `grid`; programs that read glTF refuse such a file")
        })
}

/// A warning (W23) for each implicit surface of a mesh that goes beyond its domain.
fn cut_surfaces(mesh: &Mesh, surfaces: &Surfaces) -> impl Iterator<Item = Diagnostic> {
    mesh.primitives.iter().filter_map(|primitive| {
        let surface = primitive.surface.as_ref()?;
        let open = surfaces.open_sides(surface);
        let sides: Vec<String> = (0..3)
            .flat_map(|axis| [(axis, 0), (axis, 1)])
            .filter(|(axis, end)| open[*axis][*end])
            .map(|(axis, end)| {
                let at = [&surface.min, &surface.max][end][axis].value;
                format!("{} = {at}", ["x", "y", "z"][axis])
            })
            .collect();
        let id = &primitive.id;
        let message = format!(
            "implicit surface `{}` is cut by its domain, and open at {}",
            id.value,
            sides.join(", ")
        );
        let help = "make the `domain` larger or the operators smaller, until the field is below `iso` on all sides of the domain";
        (!sides.is_empty()).then(|| Diagnostic::new(Code::W23, id.span, message).help(help))
    })
}

/// A failure of `glb` as a finding about a mesh of this document.
pub fn glb_error(valid: &Valid, error: &GlbError) -> Diagnostic {
    match error {
        GlbError::Overflow { mesh, .. } => {
            let id = &valid.document.meshes[*mesh].id;
            Diagnostic::new(Code::U15, id.span, error.to_string())
                .help("coordinates must stay below about 3.4e38")
        }
        GlbError::TooLarge { .. } => Diagnostic::whole(Code::U17, error.to_string()),
    }
}

/// Extracts the implicit surfaces of the document and of its parts. `proceed` is called before each mesh.
///
/// # Errors
/// U17 if they take too many samples, before one is extracted if their grids do; U17 if they have more vertices than
/// an output may have; or the error of `proceed`.
fn extract<E>(
    root: &Valid,
    parts: &[Part],
    (most, meter): (u64, &mut Meter),
    isa: Isa,
    executor: &dyn Executor,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<Surfaces, BuildError<E>> {
    let meshes: Vec<(&Valid, &Mesh)> = std::iter::once(root)
        .chain(composition::distinct(parts))
        .flat_map(|valid| valid.document.meshes.iter().map(move |mesh| (valid, mesh)))
        .collect();
    let refused = |valid: &Valid, mesh: &Mesh, excess: Excess| {
        let span = mesh.primitives[excess.primitive].id.span;
        let error = match excess.samples {
            Some(over) => over.at(span),
            None => {
                let message = format!("with this surface the output has more than {most} vertices");
                Diagnostic::new(Code::U17, span, message).help("choose a coarser grid")
            }
        };
        let importers = importers(root, parts, valid);
        BuildError::Faulty(located(&valid.file, error, &importers))
    };
    let mut surfaces = Surfaces::default();
    for (valid, mesh) in &meshes {
        surfaces
            .count(mesh, meter)
            .map_err(|excess| refused(valid, mesh, excess))?;
    }
    for (valid, mesh) in meshes {
        proceed().map_err(BuildError::Stopped)?;
        surfaces
            .extract(mesh, isa, executor, (most, meter))
            .map_err(|excess| refused(valid, mesh, excess))?;
    }
    Ok(surfaces)
}

/// The first reference by which the document imports a part; none if it is the document itself.
fn importers(root: &Valid, parts: &[Part], valid: &Valid) -> Vec<FileSpan> {
    let part = parts
        .iter()
        .find(|part| Arc::ptr_eq(&part.valid.document, &valid.document));
    part.map(|part| part.importer(root)).into_iter().collect()
}
