//! glTF files.

use crate::cli::printer::{Listing, Table, bounds, counted};
use crate::view::description::{GltfDescription, MeshFacts};

/// The lines about a glTF file.
pub fn of_gltf(
    name: &str,
    format: &str,
    description: &GltfDescription,
    width: Option<usize>,
) -> Listing {
    let meshes = &description.meshes;
    let sum = |of: fn(&MeshFacts) -> u64| meshes.iter().map(of).fold(0, u64::saturating_add);
    let mut lines = Listing::new(width);
    lines.line(format!(
        "{name}: {format}, {}, {} vertices, {} triangles",
        counted(meshes.len(), "mesh", "meshes"),
        sum(|mesh| mesh.vertices),
        sum(|mesh| mesh.triangles),
    ));
    match &description.bounds {
        Some(extremes) => lines.item(format!("bounds at rest {}", bounds(extremes))),
        None => lines.item("no bounds"),
    }
    if !description.extensions_used.is_empty() {
        let names = description.extensions_used.join(", ");
        lines.item(format!("extensions used: {names}"));
    }
    lines.table(
        Table::of(&description.clips)
            .number("clip", |clip| clip.index)
            .text("name", |clip| &clip.name)
            .number("start", |clip| clip.start)
            .number("end", |clip| clip.end)
            .number("channels", |clip| clip.channels)
            .number("keys", |clip| clip.keys),
    );
    lines.table(
        Table::of(&description.skins)
            .number("skin", |skin| skin.index)
            .text("name", |skin| &skin.name)
            .number("joints", |skin| skin.joints)
            .number("influences", |skin| skin.influences),
    );
    lines.table(
        Table::of(meshes)
            .number("mesh", |mesh| mesh.index)
            .text("name", |mesh| &mesh.name)
            .number("primitives", |mesh| mesh.primitives)
            .number("vertices", |mesh| mesh.vertices)
            .number("triangles", |mesh| mesh.triangles)
            .number("morph targets", |mesh| mesh.morph_targets)
            .text("skinned", |mesh| if mesh.skinned { "yes" } else { "no" }),
    );
    lines.table(
        Table::of(&description.materials)
            .number("material", |material| material.index)
            .text("name", |material| &material.name)
            .number("base colour", |material| material.base_color)
            .text("alpha", |material| &material.alpha_mode)
            .text("sides", |material| match material.double_sided {
                true => "both",
                false => "one",
            }),
    );
    lines.table(
        Table::of(&description.textures)
            .number("texture", |texture| texture.index)
            .text("name", |texture| &texture.name)
            .text("type", |texture| &texture.media_type)
            .number("width", |texture| texture.width)
            .number("height", |texture| texture.height)
            .number("bytes", |texture| texture.bytes),
    );
    lines
}
