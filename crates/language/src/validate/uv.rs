//! UV roles and UV sets (`extensions.md` §5).

use std::collections::BTreeSet;

use crate::model::materials::UV_ROLES;
use crate::model::{Document, Generator, Material, MaterialTable, Mesh, UvRole, UvSet, set_number};
use crate::version::Feature;
use rigy_base::diag::{Code, Diagnostic, Findings, Text};
use rigy_base::maps::HashSet;

/// Checks the roles and sets of all meshes, one rule after the other.
pub fn roles_and_sets(document: &Document, f: &mut Findings) {
    let roles = || document.meshes.iter().flat_map(roles_of);
    let sets = || document.meshes.iter().flat_map(sets_of);
    for role in roles() {
        known_role(Code::V43, &role.role, f);
    }
    for role in roles().filter(|role| set_number(&role.set.value).is_none()) {
        let message = format!("`{}` is not the name of a UV set", role.set.value);
        report(
            Code::V45,
            &role.set,
            message,
            "`uv` and a number, such as `uv0`",
            f,
        );
    }
    for role in document.materials.iter().flat_map(|m| &m.uses_uv_roles) {
        known_role(Code::V47, role, f);
    }
    let own = MaterialTable::new(document);
    missing_roles(document, |reference| own.own(reference), f);
    for set in sets().filter(|set| set.generator.value.is_empty()) {
        report(
            Code::V50,
            &set.generator,
            "the UV generator is empty".into(),
            GENERATORS,
            f,
        );
    }
    for set in sets().filter(|set| !set.generator.value.is_empty()) {
        if Generator::named(&set.generator.value).is_none() {
            let message = format!("there is no UV generator `{}`", set.generator.value);
            f.unknown(Code::V51, &set.generator, message, Generator::NAMES);
        }
    }
    for mesh in &document.meshes {
        applicable(mesh, f);
    }
    if !document.version.has(Feature::UvSets) {
        return;
    }
    for mesh in &document.meshes {
        if let (Some(_), None, Some(key)) = (&mesh.uv_roles, &mesh.uv_sets, mesh.uv_roles_key) {
            let message = format!("mesh `{}` has UV roles, but no `uv_sets`", mesh.id.value);
            f.error(Code::V53, key, message);
        }
    }
    for mesh in document.meshes.iter().filter(|m| m.uv_sets.is_some()) {
        let known: HashSet<&str> = sets_of(mesh).map(|set| &*set.name.value).collect();
        for role in roles_of(mesh).filter(|role| !known.contains(&*role.set.value)) {
            let message = format!(
                "mesh `{}` has no UV set `{}`",
                mesh.id.value, role.set.value
            );
            let names = sets_of(mesh).map(|set| &*set.name.value);
            f.unknown(Code::V54, &role.set, message, names);
        }
    }
    for mesh in &document.meshes {
        numbered(mesh, f);
    }
}

/// Advice about generators.
const GENERATORS: &str = "such as `planar_xy@1`";

fn roles_of(mesh: &Mesh) -> impl Iterator<Item = &UvRole> {
    mesh.uv_roles.iter().flatten()
}

fn sets_of(mesh: &Mesh) -> impl Iterator<Item = &UvSet> {
    mesh.uv_sets.iter().flatten()
}

fn report(code: Code, value: &Text, message: String, help: &str, f: &mut Findings) {
    f.report(Diagnostic::new(code, value.span, message).help(help));
}

/// Reports a role that does not exist.
fn known_role(code: Code, role: &Text, f: &mut Findings) {
    if !UV_ROLES.contains(&&*role.value) {
        let message = format!("there is no UV role `{}`", role.value);
        f.unknown(code, role, message, UV_ROLES);
    }
}

/// Reports materials that use a role which the mesh of a primitive does not have (V46). `material_of` returns the material
/// that a reference names, if this check is about it.
pub fn missing_roles<'d>(
    document: &Document,
    material_of: impl Fn(&str) -> Option<&'d Material>,
    f: &mut Findings,
) {
    for mesh in &document.meshes {
        let known: HashSet<&str> = roles_of(mesh).map(|role| &*role.role.value).collect();
        for primitive in &mesh.primitives {
            let Some(reference) = mesh.material_of(primitive) else {
                continue;
            };
            let roles = material_of(&reference.value)
                .into_iter()
                .flat_map(|material| &material.uses_uv_roles);
            let missing = roles.into_iter().find(|r| !known.contains(&*r.value));
            if let Some(role) = missing {
                let message = format!(
                    "material `{}` of primitive `{}` uses the UV role `{}`, which mesh `{}` does not have",
                    reference.value, primitive.id.value, role.value, mesh.id.value
                );
                f.error(Code::V46, reference.span, message);
            }
        }
    }
}

/// Reports generators that are not for the shape of a primitive (V52).
fn applicable(mesh: &Mesh, f: &mut Findings) {
    for set in sets_of(mesh) {
        let Some(generator) = Generator::named(&set.generator.value) else {
            continue;
        };
        let other = mesh.primitives.iter().find(|p| !p.shape.takes(generator));
        if let Some(primitive) = other {
            let message = format!(
                "the UV generator `{}` is not for the {} `{}`",
                set.generator.value,
                primitive.shape.name(),
                primitive.id.value
            );
            f.error(Code::V52, set.generator.span, message);
        }
    }
}

/// Reports sets that are not numbered from 0 without gaps (V55).
fn numbered(mesh: &Mesh, f: &mut Findings) {
    let mut numbers = BTreeSet::new();
    for set in sets_of(mesh) {
        let is_new = set.number().is_some_and(|number| numbers.insert(number));
        if !is_new {
            let name = &set.name.value;
            let message = format!("`{name}` is not the name of a further UV set");
            let help = "sets are `uv0`, `uv1` and so on";
            return report(Code::V55, &set.name, message, help, f);
        }
    }
    let gap = (0..)
        .zip(&numbers)
        .find(|(expected, number)| expected != *number);
    if let (Some((expected, _)), Some(set)) = (gap, sets_of(mesh).next()) {
        let message = format!(
            "mesh `{}` has no UV set `uv{expected}`, but later ones",
            mesh.id.value
        );
        report(
            Code::V55,
            &set.name,
            message,
            "sets are numbered without gaps",
            f,
        );
    }
}
