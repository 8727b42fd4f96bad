//! The materials of a document and the labels of its primitives, as they are written.

use std::sync::Arc;

use crate::geometry::scene::{Emission, Labels, Material};
use rigy_base::maps::{HashMap, HashSet};
use rigy_language::model::{Document, MaterialTable, Mesh, NamedMaterial};
use rigy_language::validate::Checked;
use rigy_language::version::Feature;

/// The direct imports of a document by namespace.
pub type Tables = HashMap<String, Arc<Checked<Document>>>;

/// The materials of a document, in order of first use.
pub struct Materials<'d> {
    document: &'d Document,
    own: MaterialTable<'d>,
    imported: HashMap<&'d str, MaterialTable<'d>>,
    pub used: Vec<Material>,
    index_of: HashMap<String, usize>,
}

impl<'d> Materials<'d> {
    pub fn new(document: &'d Document, tables: &'d Tables) -> Self {
        let imported = tables.iter();
        Self {
            document,
            own: MaterialTable::new(document),
            imported: imported
                .map(|(namespace, part)| (&**namespace, MaterialTable::new(part)))
                .collect(),
            used: Vec::new(),
            index_of: HashMap::default(),
        }
    }

    /// Adds the materials of a mesh, and returns how its primitives are written.
    pub fn emission(&mut self, mesh: &Mesh) -> Emission {
        if !self.document.version.has(Feature::Expressions) {
            let indices: Vec<Option<usize>> = mesh
                .primitives
                .iter()
                .map(|p| self.of(&p.material.as_ref()?.value))
                .collect();
            return Emission::Merged(Labels {
                id: None,
                tags: all_tags(mesh),
                material: indices.first().copied().flatten(),
            });
        }
        // A mesh without primitives is not written, and neither is its material.
        let material = mesh
            .material
            .as_ref()
            .filter(|_| !mesh.primitives.is_empty());
        let default = material.and_then(|reference| self.of(&reference.value));
        Emission::Separate(
            mesh.primitives
                .iter()
                .map(|primitive| Labels {
                    id: Some(primitive.id.value.clone()).filter(|id| !id.is_empty()),
                    tags: primitive.tags.clone(),
                    material: match &primitive.material {
                        Some(reference) => self.of(&reference.value),
                        None => default,
                    },
                })
                .collect(),
        )
    }

    /// Adds the material that a reference names, and returns its index; `None` for an empty name without a table.
    fn of(&mut self, reference: &str) -> Option<usize> {
        if let Some(index) = self.index_of.get(reference) {
            return Some(*index);
        }
        let colored = |material: &rigy_language::model::Material| Material::Colored {
            name: material.id.value.clone(),
            // A checked document has four components.
            base_color: [0, 1, 2, 3]
                .map(|at| material.base_color.value.get(at).map_or(1.0, |c| *c)),
        };
        let material = match self.own.find(reference) {
            NamedMaterial::Own(material) => colored(material),
            NamedMaterial::Imported(namespace, id) => {
                colored(self.imported.get(namespace)?.own(id)?)
            }
            NamedMaterial::Unknown if reference.is_empty() => return None,
            NamedMaterial::Unknown => Material::Symbolic(reference.to_owned()),
        };
        let index = self.used.len();
        self.used.push(material);
        self.index_of.insert(reference.to_owned(), index);
        Some(index)
    }
}

/// The tags of all primitives, each once, in the order in which they are first seen.
fn all_tags(mesh: &Mesh) -> Vec<String> {
    let mut seen = HashSet::default();
    mesh.primitives
        .iter()
        .flat_map(|primitive| &primitive.tags)
        .filter(|tag| seen.insert(tag.as_str()))
        .cloned()
        .collect()
}
