//! Textures: the images of materials, as files beside a file.

use std::collections::{BTreeMap, BTreeSet};

use super::format::Format;
use super::images::{Images, has_opacity};
use rigy_base::diag::{Code, Diagnostic, MOST_FINDINGS};
use rigy_models::mesh::{Model, TextureInfo, TextureKind};

/// The image files of the materials in use.
#[derive(Default)]
pub struct Textures<'a> {
    /// The files by their names; equal images are one.
    files: BTreeMap<String, &'a [u8]>,
    /// By material.
    of_materials: Vec<OfMaterial>,
    /// The reasons for which textures are left out of every file, with the indices of their materials.
    pub warnings: Vec<(usize, Diagnostic)>,
}

/// The names of the files of a material's textures, without those that are left out.
#[derive(Default)]
struct OfMaterial {
    base_color: Option<String>,
    others: BTreeMap<TextureKind, String>,
}

impl<'a> Textures<'a> {
    /// Finds the images of the materials in use.
    pub fn new(model: &Model, images: &'a Images) -> Self {
        let mut textures = Self::default();
        let used = used_materials(model);
        for (index, material) in model.materials.iter().enumerate() {
            let mut found = OfMaterial::default();
            if used.contains(&index) {
                let mut file = |texture: &TextureInfo, what: &str, base: Option<&TextureInfo>| {
                    let file = check(texture, base).and_then(|()| images.file(texture.image));
                    textures.keep(file, what, index)
                };
                let base = material.texture.as_ref();
                found.base_color = base.and_then(|base| file(base, "", Some(base)));
                let base = base.filter(|_| found.base_color.is_some());
                for (kind, texture) in &material.other_textures {
                    let what = format!("{} ", kind.name());
                    let name = file(texture, &what, base);
                    found.others.extend(name.map(|name| (*kind, name)));
                }
            }
            textures.of_materials.push(found);
        }
        textures
    }

    /// Keeps a file and returns its name, or keeps the reason for which it is left out.
    fn keep(
        &mut self,
        file: Result<(String, &'a [u8]), String>,
        what: &str,
        material: usize,
    ) -> Option<String> {
        match file {
            Ok((name, bytes)) => {
                self.files.insert(name.clone(), bytes);
                Some(name)
            }
            Err(reason) => {
                if self.warnings.len() < MOST_FINDINGS {
                    let message =
                        format!("the {what}texture of materials[{material}] is left out: {reason}");
                    self.warnings.push((material, warning(message)));
                }
                None
            }
        }
    }

    /// Returns the name of the file of a material's base colour; `None` if it has none.
    pub fn name(&self, material: usize) -> Option<&str> {
        self.of_materials.get(material)?.base_color.as_deref()
    }

    /// Returns the name of the file of another texture of a material; `None` if it has none.
    pub fn other(&self, material: usize, kind: TextureKind) -> Option<&str> {
        let others = &self.of_materials.get(material)?.others;
        others.get(&kind).map(String::as_str)
    }

    /// Returns true if the texture of a material's base colour is written and may have an opacity.
    pub fn is_translucent(&self, material: usize) -> bool {
        self.name(material)
            .and_then(|name| self.files.get(name))
            .is_some_and(|bytes| has_opacity(bytes))
    }

    /// Returns the files that some materials refer to in a format, by name; `None` stands for a format that has a place for all.
    pub fn files(
        &self,
        format: Option<Format>,
        used: &BTreeSet<usize>,
    ) -> impl Iterator<Item = (&str, &'a [u8])> {
        let holds = move |kind: &TextureKind| format.is_none_or(|format| format.holds(*kind));
        let names = used
            .iter()
            .filter_map(|index| self.of_materials.get(*index))
            .flat_map(move |of_material| {
                let others = of_material
                    .others
                    .iter()
                    .filter(move |(kind, _)| holds(kind))
                    .map(|(_, name)| name);
                of_material.base_color.iter().chain(others)
            });
        let names: BTreeSet<&str> = names.map(String::as_str).collect();
        names.into_iter().map(|name| (name, self.files[name]))
    }
}

/// The indices of the materials that surfaces of a model have.
fn used_materials(model: &Model) -> BTreeSet<usize> {
    model
        .surfaces
        .iter()
        .filter_map(|surface| surface.material)
        .collect()
}

/// Checks that a texture lies as the texture coordinates that are written: those of set 0, placed by the base colour's texture.
fn check(texture: &TextureInfo, base: Option<&TextureInfo>) -> Result<(), String> {
    let set = texture.set;
    if set != 0 {
        return Err(format!(
            "it uses texture coordinates of set {set}; only set 0 is written"
        ));
    }
    match texture.lies_as(base) {
        true => Ok(()),
        false => Err("it lies in another way than the texture of the base colour".into()),
    }
}

/// A warning that something is left out (W16).
pub fn warning(message: String) -> Diagnostic {
    Diagnostic::whole(Code::W16, message)
}
