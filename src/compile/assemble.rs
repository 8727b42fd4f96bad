//! From a checked document to an assembly: every mesh of it and of its parts tessellated and skinned, within
//! what a GLB can hold.

use std::collections::HashMap;
use std::sync::Arc;

use super::findings::{FileFindings, FileSpan};
use super::size::{self, Size, Total};
use super::unit::Valid;
use super::{Checked, Compiled, Part, composition};
use crate::base::diag::{Code, Diagnostic, Span, Warned};
use crate::base::limits::Limits;
use crate::base::loader::RecordingLoader;
use crate::geometry::scene::{self, Assembly, Placed, Scene};
use crate::geometry::skin::{self, WeightFiles, WeightUse};
use crate::geometry::tessellate;
use crate::glb::GlbError;
use crate::kernel::math::Affine;
use crate::language::model::{Armature, Binding, Document, Instanced, Mesh, Shape};
use crate::language::validate;

impl Checked<'_> {
    /// Tessellates and skins every mesh of the document, and of each part that it places, once.
    ///
    /// # Errors
    /// Located findings: U11, U16, U17, and what weight files and vertex numbers can get wrong (V16, V18–V22).
    pub fn build(self) -> Result<Warned<Compiled>, Vec<Diagnostic>> {
        let Self {
            files,
            tree,
            root,
            parts,
            places,
            record,
        } = self;
        let (parts, placed) = used(&root, parts);
        fits(&root, &parts, &placed, &files.limits())?;
        let loader = RecordingLoader::new(files.loader(), record);
        let documents = std::iter::once(&root).chain(composition::distinct(&parts));
        let weights = WeightFiles::read(documents.flat_map(weight_uses), &loader);
        let (mut errors, mut warnings) = (FileFindings::default(), FileFindings::default());
        let mut assembly = Assembly::default();
        let (own, found_errors, found_warnings) = scene(&root, &weights);
        assembly.root = own;
        errors.add(&root.file, root.file.locate_in(&tree, found_errors), &[]);
        warnings.add(&root.file, root.file.locate_in(&tree, found_warnings), &[]);
        let mut scenes: HashMap<*const validate::Checked<Document>, _> = HashMap::new();
        for part in &parts {
            let (scene, found_errors, found_warnings) = scenes
                .entry(Arc::as_ptr(&part.valid.document))
                .or_insert_with(|| {
                    let (scene, errors, warnings) = scene(&part.valid, &weights);
                    (Arc::new(scene), errors, warnings)
                });
            let importers = [part.importer(&root)];
            errors.add(&part.valid.file, found_errors.iter().cloned(), &importers);
            warnings.add(&part.valid.file, found_warnings.iter().cloned(), &importers);
            assembly.parts.push(scene.clone());
        }
        drop(weights);
        errors.none()?;
        let warnings = warnings.located();
        assembly.instances = instances(&root, &assembly.root, &placed, places);
        let poses = &root.document.poses;
        let mut poses_by_id: Vec<usize> = (0..poses.len()).collect();
        poses_by_id.sort_by_key(|index| &*poses[*index].id.value);
        let value = Compiled {
            poses_by_id,
            root,
            parts,
            assembly,
            files_read: loader.record().files_read(),
        };
        Ok(Warned { value, warnings })
    }
}

/// The parts that instances place, in the order of first use, and for each instance the number of its part.
fn used(root: &Valid, parts: Vec<Part>) -> (Vec<Part>, Vec<Option<usize>>) {
    let mut all: HashMap<String, Part> = HashMap::new();
    for part in parts {
        all.insert(part.import.namespace.value.clone(), part);
    }
    let mut used: Vec<Part> = Vec::new();
    let mut number_of: HashMap<&str, usize> = HashMap::new();
    let instances = root.document.instances.iter();
    let placed = instances.map(|instance| {
        let Instanced::Import(namespace) = &instance.of else {
            return None;
        };
        if let Some(part) = all.remove(&namespace.value) {
            number_of.insert(&namespace.value, used.len());
            used.push(part);
        }
        number_of.get(&*namespace.value).copied()
    });
    let placed = placed.collect();
    (used, placed)
}

fn instances(
    root: &Valid,
    scene: &Scene,
    placed: &[Option<usize>],
    places: Vec<Affine>,
) -> Vec<scene::Instance> {
    let meshes = scene.meshes.iter().enumerate();
    let mesh_of: HashMap<usize, usize> =
        meshes.map(|(at, mesh)| (mesh.document_index, at)).collect();
    let indices = root.document.meshes.iter().enumerate();
    let index_of: HashMap<&str, usize> = indices.map(|(at, mesh)| (&*mesh.id.value, at)).collect();
    let instances = root.document.instances.iter().zip(placed).zip(places);
    instances
        .map(|((instance, part), matrix)| scene::Instance {
            name: instance.id.value.clone(),
            matrix,
            of: match (part, &instance.of) {
                (Some(part), _) => Placed::Part(*part),
                (None, Instanced::Mesh(id) | Instanced::Import(id)) => {
                    let index = index_of.get(&*id.value);
                    Placed::Mesh(index.and_then(|index| mesh_of.get(index)).copied())
                }
            },
        })
        .collect()
}

/// Everything that can be refused before memory is taken.
fn fits(
    root: &Valid,
    parts: &[Part],
    placed: &[Option<usize>],
    limits: &Limits,
) -> Result<(), Vec<Diagnostic>> {
    let mut errors = FileFindings::default();
    let mut known: HashMap<*const validate::Checked<Document>, Result<Size, Diagnostic>> =
        HashMap::new();
    let mut measured = |valid: &Valid, importers: &[FileSpan]| {
        let size = known.entry(Arc::as_ptr(&valid.document));
        let size = size.or_insert_with(|| size_of(valid, limits)).clone();
        size.unwrap_or_else(|error| {
            errors.add(&valid.file, [error], importers);
            Size::default()
        })
    };
    let own = measured(root, &[]);
    let of_part = |part: &Part| measured(&part.valid, &[part.importer(root)]);
    let of_parts: Vec<Size> = parts.iter().map(of_part).collect();
    errors.none()?;
    let mut total = Total::default();
    total.add(&own, 0);
    for (instance, part) in root.document.instances.iter().zip(placed) {
        let size = part.map_or_else(Size::default, |part| of_parts[part]);
        total.add_instance(&size, &instance.id.value);
    }
    let mut errors = FileFindings::default();
    if let Err(error) = total.within(limits) {
        errors.add(&root.file, [error], &[]);
    }
    errors.none()
}

/// What a document's own meshes take.
///
/// # Errors
/// U11, U16.
fn size_of(valid: &Valid, limits: &Limits) -> Result<Size, Diagnostic> {
    let profile = &valid.document.tessellation_profile;
    if profile.value != tessellate::PROFILE {
        let message = format!("there is no tessellation profile `{}`", profile.value);
        let help = format!("the only one is `{}`", tessellate::PROFILE);
        return Err(Diagnostic::new(Code::U11, profile.span, message).help(help));
    }
    let mut size = Size::default();
    // How long the names of all bones of an armature are together.
    let mut names: HashMap<*const Armature, u64> = HashMap::new();
    for (mesh, bound) in bound_meshes(valid) {
        let (vertices, indices) = tessellate::mesh_counts(mesh);
        if vertices == 0 {
            continue;
        }
        let joints = bound.map(|(_, armature)| armature.bones.len());
        size.add_mesh(vertices, indices, joints);
        size.add_name(mesh.output_name());
        if let (Some((binding, armature)), Some(joints)) = (bound, joints) {
            let of_bones = names.entry(std::ptr::from_ref(armature));
            let of_bones = of_bones.or_insert_with(|| {
                let bones = armature.bones.iter();
                bones.map(|bone| bone.id.value.len() as u64).sum()
            });
            size.add_names(*of_bones);
            if joints as u64 > limits.joints {
                let (id, limit) = (&binding.armature_id, limits.joints);
                return Err(size::too_many_bones(&id.value, id.span, joints, limit));
            }
        }
    }
    Ok(size)
}

/// Every mesh, with its binding and armature if it is bound.
fn bound_meshes(valid: &Valid) -> impl Iterator<Item = (&Mesh, Option<(&Binding, &Armature)>)> {
    let document = &**valid.document;
    let bindings = document.bindings.iter().map(|b| (&*b.mesh_id.value, b));
    let bindings: HashMap<&str, &Binding> = bindings.collect();
    let armatures = document.armatures.iter().map(|a| (&*a.id.value, a));
    let armatures: HashMap<&str, &Armature> = armatures.collect();
    document.meshes.iter().map(move |mesh| {
        let binding = bindings.get(&*mesh.id.value).copied();
        let bound = binding.and_then(|b| Some((b, *armatures.get(&*b.armature_id.value)?)));
        (mesh, bound)
    })
}

/// All references of a document to weight files, with what each is for.
fn weight_uses(valid: &Valid) -> impl Iterator<Item = WeightUse<'_>> {
    let bound = bound_meshes(valid).filter_map(|(mesh, bound)| Some((mesh, bound?)));
    bound.flat_map(move |(mesh, (binding, armature))| {
        let primitives = mesh.primitives.iter();
        let shapes: HashMap<&str, Shape> = primitives.map(|p| (&*p.id.value, p.shape)).collect();
        let maps = binding.weight_maps.iter();
        maps.filter_map(move |map| {
            let shape = shapes.get(&*map.primitive_id.value)?;
            Some(WeightUse {
                document: &valid.file.location,
                source: map.source.as_ref()?,
                vertex_count: tessellate::counts(*shape).0,
                armature,
            })
        })
    })
}

/// A scene with what was found while it was made, errors and warnings, not located.
type Found = (Scene, Vec<Diagnostic>, Vec<Diagnostic>);

/// Tessellates and skins the meshes of one document.
fn scene(valid: &Valid, weights: &WeightFiles<'_>) -> Found {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let mut scene = Scene::default();
    let mut materials = Materials::default();
    for (document_index, (mesh, bound)) in bound_meshes(valid).enumerate() {
        let material = materials.of(mesh);
        if mesh.primitives.is_empty() {
            continue;
        }
        let geometry = tessellate::tessellate(mesh);
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
            material,
            skin,
        });
    }
    scene.materials = materials.names;
    (scene, errors, warnings)
}

/// A failure of `glb` with its code and the mesh it is about, which is one of this document's.
pub(super) fn glb_error(valid: &Valid, error: &GlbError) -> Diagnostic {
    match error {
        GlbError::Overflow { mesh, .. } => {
            let id = &valid.document.meshes[*mesh].id;
            Diagnostic::new(Code::U15, id.span, error.to_string())
                .help("coordinates must stay below about 3.4e38")
        }
        GlbError::TooLarge { .. } => {
            let mut finding = Diagnostic::new(Code::U17, Span::default(), error.to_string());
            finding.span = None;
            finding
        }
    }
}

/// Names of symbolic materials in order of first use.
#[derive(Default)]
struct Materials {
    names: Vec<String>,
    index_of: HashMap<String, usize>,
}

impl Materials {
    /// Registers the names of a mesh; the mesh itself has that of its first primitive.
    fn of(&mut self, mesh: &Mesh) -> Option<usize> {
        let indices: Vec<Option<usize>> = mesh
            .primitives
            .iter()
            .map(|primitive| {
                let name = primitive
                    .material
                    .as_ref()
                    .filter(|name| !name.is_empty())?;
                Some(*self.index_of.entry(name.clone()).or_insert_with(|| {
                    self.names.push(name.clone());
                    self.names.len() - 1
                }))
            })
            .collect();
        indices.first().copied().flatten()
    }
}
