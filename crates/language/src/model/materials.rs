//! Materials, and the texture coordinates that they use.

use super::Document;
use crate::parse::record;
use crate::schema::Form;
use crate::schema::names::NameKind;
use rigy_base::diag::{Spanned, Text};
use rigy_base::maps::{HashMap, HashSet};

/// The roles that sets of texture coordinates may have.
pub const UV_ROLES: [&str; 6] = [
    "albedo",
    "detail",
    "directional",
    "radial",
    "decal",
    "lightmap",
];

record! {
    /// A material: its colour.
    pub struct Material: MATERIAL("material", "material") of id {
        /// Red, green, blue and alpha, each from 0 to 1.
        base_color: Spanned<Vec<f64>> = required,
        /// The roles of texture coordinates that meshes with this material have to have.
        uses_uv_roles: Vec<Text> = nullable(Form::List(&Form::Known(&UV_ROLES))),
    }
}

/// A reference to a material: an id of the document's own table, or the namespace of an import, a point and an id of the
/// import's table.
pub type MaterialRef = Text;

/// The materials that references of one document can name.
#[derive(Debug)]
pub struct MaterialTable<'d> {
    materials: &'d [Material],
    own: HashMap<&'d str, &'d Material>,
    imports: HashSet<&'d str>,
}

/// The target of a reference to a material.
#[derive(Clone, Copy, Debug)]
pub enum NamedMaterial<'d, 'r> {
    /// A material of the document's own table.
    Own(&'d Material),
    /// An id in the table of an import, by the namespace of the import. The id may not exist.
    Imported(&'r str, &'r str),
    /// Nothing.
    Unknown,
}

impl<'d> MaterialTable<'d> {
    /// Returns the table of a document and the namespaces of its imports.
    pub fn new(document: &'d Document) -> Self {
        let own = document.materials.iter();
        let imports = document.imports.iter();
        Self {
            materials: &document.materials,
            own: own.map(|m| (&*m.id.value, m)).collect(),
            imports: imports.map(|import| &*import.namespace.value).collect(),
        }
    }

    /// Returns the table of a document that is imported, which cannot name the materials of its own imports: only those of
    /// the root are resolved.
    pub fn of_part(document: &'d Document) -> Self {
        Self {
            imports: HashSet::default(),
            ..Self::new(document)
        }
    }

    /// Returns true if the document has no materials of its own.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty()
    }

    /// Returns the material of its own table with this id.
    pub fn own(&self, id: &str) -> Option<&'d Material> {
        self.own.get(id).copied()
    }

    /// Returns the ids of its own table, in document order.
    pub fn ids(&self) -> impl Iterator<Item = &'d str> + use<'d> {
        self.materials.iter().map(|material| &*material.id.value)
    }

    /// Returns what a reference names: its own table comes first, because an id may contain a point (`extensions.md` D13).
    pub fn find<'r>(&self, reference: &'r str) -> NamedMaterial<'d, 'r> {
        if let Some(material) = self.own.get(reference) {
            return NamedMaterial::Own(material);
        }
        match reference.split_once('.') {
            Some((namespace, id)) if self.imports.contains(namespace) => {
                NamedMaterial::Imported(namespace, id)
            }
            _ => NamedMaterial::Unknown,
        }
    }
}

record! {
    /// The set of texture coordinates for a role.
    ///
    /// Roles never reach output (`extensions.md` §5).
    pub struct UvRole: UV_ROLE("uv_role", "UV role") of role {
        /// The name of the set, such as `uv0`.
        set: Text = required.refers(NameKind::UvSet),
    }
}

record! {
    /// A set of texture coordinates.
    pub struct UvSet: UV_SET("uv_set", "UV set") of name {
        /// The rule that gives the coordinates.
        generator: Text = required(Form::Known(&Generator::NAMES)),
    }
}

impl UvSet {
    /// Returns its number; `None` if the name is not `uv` and a number.
    pub fn number(&self) -> Option<u64> {
        set_number(&self.name.value)
    }
}

/// Returns the number of a UV set of this name: `uv` and ASCII digits. A number beyond 64 bits is the greatest.
pub fn set_number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("uv")?;
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

rigy_base::named! {
    /// A rule that gives each vertex of a shape a texture coordinate (`extensions.md` §5).
    pub enum Generator {
        /// The coordinates x and y.
        PlanarXy = "planar_xy@1",
        /// Two coordinates of each face of a box.
        BoxProject = "box_project@1",
        /// Longitude and latitude of a sphere.
        SphereLatLong = "sphere_latlong@1",
        /// Around and along the side of a cylinder, and across its ends.
        Cylindrical = "cylindrical@1",
        /// Around and along a capsule.
        CapsuleLatLong = "capsule_cyl_latlong@1",
    }
}
