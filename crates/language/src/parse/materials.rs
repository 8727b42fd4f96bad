//! The schema of materials, UV roles and UV sets (`extensions.md` §4 and §5).

use super::coerce::{number, text};
use super::object::Object;
use super::reader::Reader;
use crate::base::diag::Spanned;
use crate::model::{Material, Uv, UvRole, UvSet};
use crate::schema::materials as schema;
use crate::yaml::NodeId;

pub(super) fn materials(r: &Reader<'_, '_>, id: NodeId) -> Option<Vec<Material>> {
    r.entries(id, "ids to materials", |r, id, material| {
        let o = r.object(material, &schema::MATERIAL)?;
        let base_color = o.required("base_color", |r: &Reader<'_, '_>, id| {
            let numbers = r.list(id, number)?;
            let numbers = numbers.into_iter().map(|number| number.value).collect();
            Some(Spanned::new(numbers, r.span(id)))
        });
        let roles = o.nullable("uses_uv_roles", |r: &Reader<'_, '_>, id| r.list(id, text));
        Some(Material {
            id,
            base_color: base_color?,
            uses_uv_roles: roles?.unwrap_or_default(),
        })
    })
}

/// Reads the UV roles and sets of a mesh.
pub(super) fn uv(o: &Object<'_, '_, '_>) -> Option<Uv> {
    let roles = o.nullable("uv_roles", |r: &Reader<'_, '_>, id| {
        r.entries(id, "roles to UV sets", |r, role, id| {
            let o = r.object(id, &schema::UV_ROLE)?;
            let set = o.required("set", text)?;
            Some(UvRole { role, set })
        })
    });
    let sets = o.nullable("uv_sets", |r: &Reader<'_, '_>, id| {
        r.entries(id, "UV sets to generators", |r, name, id| {
            let o = r.object(id, &schema::UV_SET)?;
            let generator = o.required("generator", text)?;
            Some(UvSet { name, generator })
        })
    });
    Some(Uv {
        roles: roles?,
        sets: sets?,
        roles_key: o.key_span("uv_roles"),
        sets_key: o.key_span("uv_sets"),
    })
}
