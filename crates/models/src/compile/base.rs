//! The base of a compiled document and what is placed: instances of a document, children of a scene.
//!
//! Scenes are `.rigs.yaml` files, whose parts are documents (`extensions.md` §12). A scene is checked like a document that has imports
//! and nothing else; its children take the place of instances.

use std::ffi::OsStr;

use super::compiled::Compiled;
use super::composition;
use super::composition::Part;
use super::findings::FileFindings;
use super::unit::Valid;
use crate::geometry::scene::{self, Nested, NestedChild, Placed, Scene};
use rigy_base::diag::{Diagnosed, Diagnostic};
use rigy_base::loader::Location;
use rigy_base::maps::{HashMap, HashSet};
use rigy_base::meter::Meter;
use rigy_kernel::math::{Affine, IDENTITY, affine_product};
use rigy_language::checks::{self, AlignmentCheck};
use rigy_language::compose::{self, ScenePart};
use rigy_language::model::{Child, Document, Instance, Instanced, RigsScene};
use rigy_language::yaml::Tree;

/// A document and its meshes as numbers.
#[derive(Clone, Copy)]
pub struct Base<'c> {
    /// The checked document, after symmetry.
    pub document: &'c Document,
    /// Its meshes with at least one primitive, at rest.
    pub scene: &'c Scene,
}

/// A part or mesh that is placed in a document, or a part that stands on another in a scene.
pub struct Placement<'c> {
    /// Id of the instance or child.
    pub id: &'c str,
    /// The namespace of the import, the id of the mesh, or the alias of the part.
    pub base: &'c str,
    /// Transform to the space of the document, or of the scene.
    pub matrix: Affine,
    /// The meshes that are placed.
    pub meshes: &'c [scene::Mesh],
}

impl Compiled {
    /// Returns the document itself, or the part that a scene stands on.
    pub fn base(&self) -> Base<'_> {
        let parts = self.parts.iter().zip(&self.assembly.parts);
        match (&self.assembly.nested, parts.into_iter().next()) {
            // The parts of a scene are in the order of first use, so its base is the first.
            (Some(_), Some((part, scene))) => Base {
                document: &part.valid.document,
                scene,
            },
            _ => Base {
                document: &self.root.document,
                scene: &self.assembly.root,
            },
        }
    }

    /// Returns true if this is a scene.
    pub fn is_scene(&self) -> bool {
        self.assembly.nested.is_some()
    }

    /// Returns the checks of alignment that the file of [`base`](Self::base) has, in order.
    pub fn alignment_checks(&self) -> Vec<AlignmentCheck> {
        let part = self.parts.first().filter(|_| self.is_scene());
        let tree = part
            .map_or(&self.root, |part| &part.valid)
            .file
            .compose_again();
        tree.map_or(Vec::new(), |tree| checks::alignment(&tree))
    }

    /// Returns the instances of the document in its order, or the parts of a scene, depth first.
    pub fn placements(&self) -> Vec<Placement<'_>> {
        if let Some(nested) = &self.assembly.nested {
            let mut placements = Vec::new();
            self.stand(&nested.children, &IDENTITY, &mut placements);
            return placements;
        }
        let instances = self.assembly.instances.iter();
        let authored = self.root.document.instances.iter();
        instances
            .zip(authored)
            .map(|(instance, authored)| self.placement(instance, authored))
            .collect()
    }

    fn placement<'c>(
        &'c self,
        instance: &'c scene::Instance,
        authored: &'c Instance,
    ) -> Placement<'c> {
        let (Instanced::Import(base) | Instanced::Mesh(base)) = &authored.of;
        Placement {
            id: &authored.id.value,
            base: &base.value,
            matrix: instance.matrix,
            meshes: match instance.of {
                Placed::Part(part) => &self.assembly.parts[part].meshes,
                Placed::Mesh(mesh) => mesh
                    .map(|mesh| &self.assembly.root.meshes[mesh])
                    .map_or(&[], std::slice::from_ref),
            },
        }
    }

    /// Adds parts of a scene, and those that stand on them, with their transforms to the scene.
    fn stand<'c>(
        &'c self,
        children: &'c [NestedChild],
        below: &Affine,
        placements: &mut Vec<Placement<'c>>,
    ) {
        for child in children {
            let matrix = affine_product(below, &child.matrix);
            placements.push(Placement {
                id: &child.name,
                base: &self.parts[child.part].import.namespace.value,
                matrix,
                meshes: &self.assembly.parts[child.part].meshes,
            });
            self.stand(&child.children, &matrix, placements);
        }
    }
}

/// The parts that instances place, in the order of first use, and for each instance the index of its part; `None`
/// stands for a local mesh.
pub fn placed_parts(root: &Valid, parts: Vec<Part>) -> (Vec<Part>, Vec<Option<usize>>) {
    let mut all = by_namespace(parts);
    let mut used: Vec<Part> = Vec::new();
    let mut number_of: HashMap<&str, usize> = HashMap::default();
    let placed = root
        .document
        .instances
        .iter()
        .map(|instance| {
            let Instanced::Import(namespace) = &instance.of else {
                return None;
            };
            if let Some(part) = all.remove(&namespace.value) {
                number_of.insert(&namespace.value, used.len());
                used.push(part);
            }
            number_of.get(&*namespace.value).copied()
        })
        .collect();
    (used, placed)
}

/// The instances of the assembly.
pub fn instances(
    root: &Valid,
    scene: &Scene,
    placed: &[Option<usize>],
    places: Vec<Affine>,
) -> Vec<scene::Instance> {
    let mesh_of: HashMap<usize, usize> = scene
        .meshes
        .iter()
        .enumerate()
        .map(|(at, mesh)| (mesh.document_index, at))
        .collect();
    let index_of: HashMap<&str, usize> = root
        .document
        .meshes
        .iter()
        .enumerate()
        .map(|(at, mesh)| (&*mesh.id.value, at))
        .collect();
    root.document
        .instances
        .iter()
        .zip(placed)
        .zip(places)
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

/// The ends of the names of documents and scenes.
pub const DOCUMENTS: [&str; 4] = [".rigy.yaml", ".rigy.yml", ".rigs.yaml", ".rigs.yml"];

/// Returns true if a file of this name that is found in a directory is a document or a scene: `*.rigy.yaml`, `*.rigs.yaml`,
/// or the same with `.yml`.
pub fn is_document(file_name: &OsStr) -> bool {
    let name = file_name.as_encoded_bytes();
    DOCUMENTS
        .iter()
        .any(|ending| name.ends_with(ending.as_bytes()))
}

/// True if the file at a location is a scene: `*.rigs.yaml` or `*.rigs.yml`.
pub fn is_scene(location: &Location) -> bool {
    let name = location
        .0
        .file_name()
        .unwrap_or_default()
        .as_encoded_bytes();
    name.ends_with(b".rigs.yaml") || name.ends_with(b".rigs.yml")
}

/// The transform of each child, depth first. `malformed` has the faults of contracts, each with the index of the part below
/// which it was found.
pub fn scene_places(
    scene: &RigsScene,
    root: &Valid,
    parts: &[Part],
    malformed: Vec<(usize, FileFindings)>,
    tree: &Tree,
    meter: &mut Meter,
) -> Diagnosed<Vec<Affine>> {
    composition::contracts(root, parts, malformed, meter).check_none()?;
    let by_alias = parts.iter().map(|part| {
        let part_of_scene = ScenePart {
            document: &part.valid.document,
            contract: part.contract.as_deref(),
        };
        (&*part.import.namespace.value, part_of_scene)
    });
    let by_alias: HashMap<&str, ScenePart> = by_alias.collect();
    let places = compose::place_children(scene, &by_alias);
    places.map_err(|errors| root.file.locate_in(tree, errors))
}

fn by_namespace(parts: Vec<Part>) -> HashMap<String, Part> {
    parts
        .into_iter()
        .map(|part| (part.import.namespace.value.clone(), part))
        .collect()
}

/// A warning (W05) for each part that places instances of its own, which scenes leave out.
pub fn left_out_of_scene(scene: &RigsScene, parts: &[Part]) -> Vec<Diagnostic> {
    let used = aliases(scene);
    parts
        .iter()
        .filter(|part| used.contains(&&*part.import.namespace.value))
        .filter_map(|part| part.left_out("place them as children of the scene"))
        .collect()
}

/// The aliases that a scene uses, in the order of first use: the base, then children depth first.
fn aliases(scene: &RigsScene) -> Vec<&str> {
    let children = scene.all_children();
    let all =
        std::iter::once(&scene.scene.base).chain(children.iter().map(|(child, _)| &child.base));
    let mut seen = HashSet::default();
    all.map(|alias| &*alias.value)
        .filter(|alias| seen.insert(*alias))
        .collect()
}

/// The parts that a scene uses, in the order of first use, and the tree of its children.
pub fn nested(scene: &RigsScene, parts: Vec<Part>, places: Vec<Affine>) -> (Vec<Part>, Nested) {
    let order = aliases(scene);
    let index_of: HashMap<&str, usize> = order.iter().copied().zip(0..).collect();
    let mut by_alias = by_namespace(parts);
    let used = order
        .iter()
        .filter_map(|alias| by_alias.remove(*alias))
        .collect();
    let mut places = places.into_iter();
    let children = children(&scene.scene.children, &index_of, &mut places);
    (used, Nested { children })
}

/// Children with their transforms, which come depth first.
fn children(
    list: &[Child],
    index_of: &HashMap<&str, usize>,
    places: &mut impl Iterator<Item = Affine>,
) -> Vec<NestedChild> {
    list.iter()
        .map(|child| NestedChild {
            name: child.id.value.clone(),
            matrix: places.next().unwrap_or(compose::IN_PLACE),
            part: index_of.get(&*child.base.value).copied().unwrap_or(0),
            children: children(&child.children, index_of, places),
        })
        .collect()
}
