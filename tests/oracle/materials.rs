//! Materials (`extensions.md` 4 and its D13; `language.md` 7.2 and `decisions.md`, Numbers, below 0.6).

use super::document::{Document, Mesh, Primitive};
use super::export::Asset;
use super::glb::Glb;
use super::json::Object;
use super::paths;
use super::reading;
use super::weights::ReadFile;

/// Puts the materials of an asset into the file's list, in the order of first use.
pub fn emit(glb: &mut Glb, asset: &Asset, read: ReadFile) {
    for mesh in &asset.document.meshes {
        if mesh.primitives.is_empty() {
            continue;
        }
        let own = mesh.primitives.iter().map(|p| p.material.as_ref());
        for reference in std::iter::once(mesh.material.as_ref()).chain(own).flatten() {
            index(glb, asset, reference, read);
        }
    }
}

/// The place in the file's list of what a primitive refers to, itself or by its mesh.
pub fn of_primitive(
    glb: &mut Glb,
    asset: &Asset,
    mesh: &Mesh,
    primitive: &Primitive,
    read: ReadFile,
) -> Option<usize> {
    let reference = primitive.material.as_ref().or(mesh.material.as_ref())?;
    Some(index(glb, asset, reference, read))
}

/// One entry for all materials that are written alike, their names included.
fn index(glb: &mut Glb, asset: &Asset, reference: &str, read: ReadFile) -> usize {
    let object = object(asset, reference, read);
    if !glb.materials.contains(&object) {
        glb.materials.push(object.clone());
    }
    let found = glb.materials.iter().position(|known| *known == object);
    found.expect("just added")
}

fn object(asset: &Asset, reference: &str, read: ReadFile) -> String {
    if asset.document.minor < 6 {
        return material(reference, "1.0,1.0,1.0,1.0", "1.0", true);
    }
    if let Some(color) = color(asset.document, reference) {
        return of_color(reference, color);
    }
    let (namespace, id) = reference.split_once('.').expect("a material of an import");
    let imports = &asset.document.imports;
    let (_, source) = imports
        .iter()
        .find(|(known, _)| known == namespace)
        .expect("an import");
    let bytes = read(&paths::join(asset.directory, source));
    let part = reading::read(&String::from_utf8(bytes).expect("UTF-8"));
    of_color(id, color(&part, id).expect("a material of the part"))
}

fn color(document: &Document, id: &str) -> Option<[f64; 4]> {
    let found = document.materials.iter().find(|(known, _)| known == id);
    found.map(|(_, color)| *color)
}

fn of_color(id: &str, color: [f64; 4]) -> String {
    let factor = color.map(six_decimals).join(",");
    material(id, &factor, "0.0", color[3] as f32 == 1.0)
}

/// The nearest f32 with six decimals, half to even. A million times an f32 up to one is an exact f64.
fn six_decimals(component: f64) -> String {
    let single = f64::from(component as f32);
    let millionths = (single.abs() * 1e6).round_ties_even() as u64;
    let sign = if single.is_sign_negative() { "-" } else { "" };
    format!(
        "{sign}{}.{:06}",
        millionths / 1_000_000,
        millionths % 1_000_000
    )
}

fn material(name: &str, factor: &str, metallic: &str, opaque: bool) -> String {
    let mut roughness = Object::default();
    roughness
        .raw("baseColorFactor", &format!("[{factor}]"))
        .raw("metallicFactor", metallic)
        .raw("roughnessFactor", "1.0");
    let mut material = Object::default();
    material
        .raw("pbrMetallicRoughness", &roughness.end())
        .reals("emissiveFactor", &[0.0, 0.0, 0.0])
        .text("alphaMode", if opaque { "OPAQUE" } else { "BLEND" })
        .raw("doubleSided", "false")
        .text("name", name);
    material.end()
}
