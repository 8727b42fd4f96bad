//! What becomes of each property of a material in each format.

use Has::{Elsewhere, Extension, InMaterial, InSurface};
use rigy_models::mesh::{Alpha, Material, Surface, TextureInfo, TextureKind, Wrap};

use crate::format::Format;

/// What becomes of a property in a format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Carried,
    /// In words, what stands in its place.
    Approximated(&'static str),
    LeftOut,
}

/// A property of materials.
pub struct Property {
    pub name: &'static str,
    fates: Fates,
    pub has: Has,
}

/// Who has a property that is not at its default.
#[derive(Clone, Copy)]
pub enum Has {
    /// Materials with the extension.
    Extension(&'static str),
    InMaterial(fn(&Used) -> bool),
    InSurface(fn(&Used) -> bool),
    /// Textures and unknown extensions, whose warnings have names and reasons of their own.
    Elsewhere,
}

/// A surface that is written, with its material.
pub struct Used<'s> {
    pub surface: &'s Surface,
    pub material: &'s Material,
    /// The index of the material, if the surface has one.
    pub index: Option<usize>,
    /// True if a texture of its base colour is written.
    pub has_texture: bool,
    /// True if that texture may have an opacity.
    pub is_translucent: bool,
    /// True if its object is double-sided.
    pub is_in_double_sided: bool,
}

/// In OBJ with MTL (beside PC2 and MDD, too), in STL and NPZ, 3MF, PLY, USD, and in the mesh beside vertex animation textures.
type Fates = [Fate; 6];

const C: Fate = Fate::Carried;
const L: Fate = Fate::LeftOut;
const NOWHERE: Fates = [L; 6];
const WITH_MATERIALS: Fates = [C, L, L, L, C, C];
const NOT_IN_MTL: Fates = [L, L, L, L, C, C];
const DIFFUSE: Fate = Fate::Approximated("the diffuse colour is the base colour of a non-metal");
const EMITTED: Fate = Fate::Approximated("the base colour is emitted");
const JOINED: Fate = Fate::Approximated("an object is double-sided as a whole");

/// All properties.
pub const PROPERTIES: [Property; 35] = [
    row(
        "base colour",
        WITH_MATERIALS,
        InMaterial(|it| it.material.base_color[..3] != [1.0; 3]),
    ),
    row(
        "base colour texture",
        WITH_MATERIALS,
        InMaterial(|it| it.material.texture.is_some()),
    ),
    row("KHR_texture_transform", WITH_MATERIALS, Elsewhere),
    row(
        "texture that lies unlike that of the base colour",
        NOWHERE,
        Elsewhere,
    ),
    row(
        "vertex colours",
        [L, L, L, C, C, C],
        InSurface(|it| !it.has_texture && is_tinted(it.surface, it.material)),
    ),
    row(
        "vertex colours that tint a texture",
        [L, L, L, C, L, C],
        InSurface(|it| it.has_texture && is_tinted(it.surface, it.material)),
    ),
    row(
        "opacity",
        WITH_MATERIALS,
        InMaterial(|it| it.is_blended() && it.material.base_color[3] != 1.0),
    ),
    row(
        "opacity of the base colour texture",
        NOT_IN_MTL,
        InMaterial(|it| it.is_translucent && it.is_blended()),
    ),
    row(
        "cut-out by the base colour texture",
        NOT_IN_MTL,
        InMaterial(|it| it.is_translucent && it.is_mask()),
    ),
    row(
        "metallic factor",
        WITH_MATERIALS,
        InMaterial(|it| it.material.metallic != 1.0 && !it.material.is_unlit),
    ),
    row(
        "roughness factor",
        WITH_MATERIALS,
        InMaterial(|it| it.material.roughness != 1.0),
    ),
    row(
        "metallic-roughness texture",
        NOT_IN_MTL,
        InMaterial(|it| it.material.has(TextureKind::MetallicRoughness)),
    ),
    row(
        "normal texture",
        WITH_MATERIALS,
        InMaterial(|it| it.material.has(TextureKind::Normal)),
    ),
    row(
        "scale of the normal texture",
        NOT_IN_MTL,
        InMaterial(|it| it.material.has(TextureKind::Normal) && it.material.normal_scale != 1.0),
    ),
    row(
        "occlusion texture",
        NOT_IN_MTL,
        InMaterial(|it| it.material.has(TextureKind::Occlusion)),
    ),
    row(
        "emission",
        WITH_MATERIALS,
        InMaterial(|it| it.material.emissive != [0.0; 3]),
    ),
    row(
        "emissive texture",
        WITH_MATERIALS,
        InMaterial(|it| it.material.has(TextureKind::Emissive)),
    ),
    row(
        "wrapping of textures",
        NOT_IN_MTL,
        InMaterial(|it| it.any_texture(|texture| texture.wraps != [Wrap::Repeat; 2])),
    ),
    row(
        "nearest filter of textures",
        [L, L, L, L, L, C],
        InMaterial(|it| it.any_texture(|texture| texture.is_nearest)),
    ),
    row(
        "doubleSided flag",
        NOT_IN_MTL,
        InMaterial(|it| it.material.is_double_sided),
    ),
    row(
        "single side beside double-sided surfaces",
        [C, C, C, C, JOINED, C],
        InSurface(|it| it.is_in_double_sided && !it.material.is_double_sided),
    ),
    row(
        "unlit shading",
        [L, L, L, L, EMITTED, C],
        InMaterial(|it| it.material.is_unlit),
    ),
    row(
        "specular-glossiness",
        [DIFFUSE, L, L, L, DIFFUSE, DIFFUSE],
        Extension("KHR_materials_pbrSpecularGlossiness"),
    ),
    row(
        "clearcoat",
        WITH_MATERIALS,
        Extension("KHR_materials_clearcoat"),
    ),
    row(
        "texture of the clearcoat",
        NOWHERE,
        InMaterial(|it| it.material.clearcoat.is_textured),
    ),
    row("ior", WITH_MATERIALS, Extension("KHR_materials_ior")),
    row("anisotropy", NOWHERE, Extension("KHR_materials_anisotropy")),
    row(
        "diffuse transmission",
        NOWHERE,
        Extension("KHR_materials_diffuse_transmission"),
    ),
    row("dispersion", NOWHERE, Extension("KHR_materials_dispersion")),
    row(
        "iridescence",
        NOWHERE,
        Extension("KHR_materials_iridescence"),
    ),
    row("sheen", NOWHERE, Extension("KHR_materials_sheen")),
    row("specular", NOWHERE, Extension("KHR_materials_specular")),
    row(
        "transmission",
        NOWHERE,
        Extension("KHR_materials_transmission"),
    ),
    row("volume", NOWHERE, Extension("KHR_materials_volume")),
    row("any other extension", NOWHERE, Elsewhere),
];

const fn row(name: &'static str, fates: Fates, has: Has) -> Property {
    Property { name, fates, has }
}

impl Property {
    /// What becomes of it in a format; `None` is the mesh beside vertex animation textures.
    pub fn fate(&self, format: Option<Format>) -> Fate {
        let column = match format.map(Format::mesh) {
            None => 5,
            Some(Format::Npz) => Format::Stl as usize,
            Some(format) => format as usize,
        };
        self.fates[column]
    }

    /// True if the material has it.
    pub fn is_of(&self, it: &Used) -> bool {
        match self.has {
            Extension(name) => it.material.extensions.iter().any(|of| of == name),
            InMaterial(has) => has(it),
            InSurface(_) | Elsewhere => false,
        }
    }
}

impl Used<'_> {
    fn is_blended(&self) -> bool {
        self.material.alpha == Alpha::Blend
    }

    fn is_mask(&self) -> bool {
        matches!(self.material.alpha, Alpha::Mask(_))
    }

    fn any_texture(&self, is: impl Fn(&TextureInfo) -> bool) -> bool {
        let others = self
            .material
            .other_textures
            .iter()
            .map(|(_, texture)| texture);
        self.material.texture.iter().chain(others).any(is)
    }
}

/// Returns true if vertex colours change how a surface looks: their opacity only where that of the material counts.
pub fn is_tinted(surface: &Surface, material: &Material) -> bool {
    let is_opaque = material.alpha == Alpha::Opaque;
    surface
        .colors
        .iter()
        .flatten()
        .any(|[color @ .., opacity]| *color != [1.0; 3] || (!is_opaque && *opacity != 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_about_exports_has_the_table() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/src/guide/baking.md"
        );
        let Ok(page) = std::fs::read_to_string(path) else {
            eprintln!("skipped: there is no book beside the package");
            return;
        };
        let cell = |fate: &Fate| match fate {
            Fate::Carried => "carried".to_owned(),
            Fate::Approximated(how) => format!("approximated: {how}"),
            Fate::LeftOut => "left out".to_owned(),
        };
        let mut table =
            "| property | OBJ, PC2, MDD | STL, NPZ | 3MF | PLY | USD | mesh of textures |\n|---|---|---|---|---|---|---|\n"
                .to_owned();
        for Property { name, fates, .. } in &PROPERTIES {
            let name = if name.starts_with("KHR") {
                format!("`{name}`")
            } else {
                (*name).to_owned()
            };
            table += &format!("| {name} | {} |\n", fates.each_ref().map(cell).join(" | "));
        }
        assert!(
            page.contains(&format!("\n\n{table}\n")),
            "the page is to have this table:\n{table}"
        );
    }
}
