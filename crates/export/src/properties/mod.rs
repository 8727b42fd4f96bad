//! The warnings (W16) about properties of materials that a format has no place for, by one table, which stands on the page about
//! exports, too.

mod table;

use std::collections::{BTreeMap, BTreeSet};

use super::format::Format;
use super::objects::{Export, first_of, with_others};
use super::textures::warning;
use rigy_base::diag::{Diagnostic, MOST_FINDINGS};
use rigy_models::mesh::Material;
use table::Has::{Extension, InSurface};
use table::{Fate, PROPERTIES, Used};

pub use table::is_tinted;

/// Returns the warnings about properties that surfaces have in the scene, and not in a file of a format; `None` is the mesh beside
/// vertex animation textures.
pub fn warnings(export: &Export, format: Option<Format>) -> Vec<Diagnostic> {
    let default = Material::default();
    let used = used(export, format, &default);
    let mut of_materials = BTreeMap::new();
    for it in &used {
        if let Some(index) = it.index {
            of_materials.entry(index).or_insert(it);
        }
    }
    let file = format.map_or("glb", Format::name);
    let mut warnings = Vec::new();
    let mut lost = Vec::new();
    for property in &PROPERTIES {
        let fate = property.fate(format);
        if fate == Fate::Carried {
            continue;
        }
        if let InSurface(has) = property.has {
            let surfaces = used.iter().filter(|it| has(it)).map(|it| it.surface);
            let told = first_of(surfaces).map(|names| told(property.name, &names, fate, file));
            warnings.extend(told.map(warning));
        }
        let having = of_materials.iter().filter(|(_, it)| property.is_of(it));
        lost.push((
            property.name.to_owned(),
            fate,
            having.map(|(index, _)| *index).collect(),
        ));
    }
    for (name, having) in other_extensions(&of_materials) {
        lost.push((format!("extension {name:?}"), Fate::LeftOut, having));
    }
    lost.retain(|(.., having)| !having.is_empty());
    let named = |having: &[usize]| {
        let name = &export.sequence.model().materials[having[0]].name;
        let name = name.as_ref().map(|name| format!("{name:?}"));
        let name = name.unwrap_or_else(|| format!("materials[{}]", having[0]));
        with_others(&name, having.len() - 1, "material")
    };
    if format.is_none_or(Format::has_materials) {
        let told = |(name, fate, having): &(String, Fate, Vec<usize>)| {
            told(name, &named(having), *fate, file)
        };
        warnings.extend(lost.iter().take(MOST_FINDINGS).map(told).map(warning));
    } else if !lost.is_empty() {
        let having: BTreeSet<usize> = lost
            .iter()
            .flat_map(|(.., having)| having)
            .copied()
            .collect();
        let having: Vec<usize> = having.into_iter().collect();
        let names: Vec<&str> = lost
            .iter()
            .take(PROPERTIES.len())
            .map(|(name, ..)| &**name)
            .collect();
        let names = names.join(", ");
        let named = named(&having);
        warnings.push(warning(format!(
            "no materials are written to {file} files, so these properties of {named} are left out: {names}"
        )));
    }
    warnings
}

/// The surfaces that a file of a format has.
fn used<'s>(
    export: &Export<'s, '_>,
    format: Option<Format>,
    default: &'s Material,
) -> Vec<Used<'s>> {
    let mut all = Vec::new();
    let has_materials = format.is_none_or(Format::has_materials);
    // The mesh beside vertex animation textures has triangles alone, too.
    for object in export.objects(format.unwrap_or(Format::Stl)) {
        let materials = &export.sequence.model().materials;
        let material = |surface: &usize| {
            export
                .material(*surface)
                .map_or(default, |index| &materials[index])
        };
        let is_in_double_sided = object
            .surfaces
            .iter()
            .any(|surface| material(surface).is_double_sided);
        all.extend(object.surfaces.iter().map(|surface| {
            let index = export.material(*surface);
            Used {
                surface: export.surface(*surface),
                material: material(surface),
                index,
                has_texture: index.is_some_and(|index| export.textures.name(index).is_some()),
                // Formats without materials do not look at images.
                is_translucent: material(surface).texture.is_some()
                    && (!has_materials
                        || index.is_some_and(|index| export.textures.is_translucent(index))),
                is_in_double_sided,
            }
        }));
    }
    all
}

/// The extensions that no row of the table names, with the materials that have them.
fn other_extensions<'u>(of_materials: &BTreeMap<usize, &'u Used>) -> BTreeMap<&'u str, Vec<usize>> {
    let mut others: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let is_row = |name: &str| {
        PROPERTIES
            .iter()
            .any(|row| matches!(row.has, Extension(of) if of == name))
    };
    for (index, it) in of_materials {
        it.material
            .extensions
            .iter()
            .filter(|name| !is_row(name))
            .for_each(|name| others.entry(name).or_default().push(*index));
    }
    others
}

/// The message that a file lacks a property.
fn told(property: &str, names: &str, fate: Fate, file: &str) -> String {
    let are = if property.starts_with("vertex colours") {
        "are"
    } else {
        "is"
    };
    match fate {
        Fate::Approximated(how) => {
            format!("the {property} of {names} {are} approximated in the {file} file: {how}")
        }
        _ => format!("the {property} of {names} {are} not in the {file} file"),
    }
}
