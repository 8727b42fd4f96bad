//! glTF files.

use super::page::Column::{Number, Text};
use super::page::{Page, bounds, counted, numbers, or_none, significant};
use crate::view::description::{
    ClipFacts, GltfDescription, MaterialFacts, MeshFacts, SkinFacts, TextureFacts,
};

/// Returns the text about a glTF file, several lines without the last line end.
pub fn of_gltf(
    name: &str,
    format: &str,
    description: &GltfDescription,
    width: Option<usize>,
) -> String {
    let GltfDescription {
        clips,
        skins,
        meshes,
        materials,
        textures,
        extensions_used,
        bounds: extremes,
    } = description;
    let sum = |of: fn(&MeshFacts) -> u64| meshes.iter().map(of).fold(0, u64::saturating_add);
    let mut page = Page::new(width);
    page.say(format!(
        "{name}: {format}, {}, {} vertices, {} triangles",
        counted(meshes.len(), "mesh", "meshes"),
        sum(|mesh| mesh.vertices),
        sum(|mesh| mesh.triangles),
    ));
    match extremes {
        Some(extremes) => page.say(format!("  bounds at rest {}", bounds(extremes))),
        None => page.say("  no bounds".into()),
    }
    if !extensions_used.is_empty() {
        page.say(format!("  extensions used: {}", extensions_used.join(", ")));
    }
    let columns = [
        Number("clip"),
        Text("name"),
        Number("start"),
        Number("end"),
        Number("channels"),
        Number("keys"),
    ];
    page.table(&columns, clips, clip);
    let columns = [
        Number("skin"),
        Text("name"),
        Number("joints"),
        Number("influences"),
    ];
    page.table(&columns, skins, skin);
    let columns = [
        Number("mesh"),
        Text("name"),
        Number("primitives"),
        Number("vertices"),
        Number("triangles"),
        Number("morph targets"),
        Text("skinned"),
    ];
    page.table(&columns, meshes, mesh);
    let columns = [
        Number("material"),
        Text("name"),
        Number("base colour"),
        Text("alpha"),
        Text("sides"),
    ];
    page.table(&columns, materials, material);
    let columns = [
        Number("texture"),
        Text("name"),
        Text("type"),
        Number("width"),
        Number("height"),
        Number("bytes"),
    ];
    page.table(&columns, textures, texture);
    page.finish()
}

fn clip(facts: &ClipFacts) -> Vec<String> {
    vec![
        facts.index.to_string(),
        or_none(facts.name.clone()),
        or_none(facts.start.map(significant)),
        or_none(facts.end.map(significant)),
        facts.channels.to_string(),
        facts.keys.to_string(),
    ]
}

fn skin(facts: &SkinFacts) -> Vec<String> {
    vec![
        facts.index.to_string(),
        or_none(facts.name.clone()),
        facts.joints.to_string(),
        facts.influences.to_string(),
    ]
}

fn mesh(facts: &MeshFacts) -> Vec<String> {
    vec![
        facts.index.to_string(),
        or_none(facts.name.clone()),
        facts.primitives.to_string(),
        facts.vertices.to_string(),
        facts.triangles.to_string(),
        facts.morph_targets.to_string(),
        if facts.skinned { "yes" } else { "no" }.to_owned(),
    ]
}

fn material(facts: &MaterialFacts) -> Vec<String> {
    vec![
        facts.index.to_string(),
        or_none(facts.name.clone()),
        numbers(&facts.base_color),
        facts.alpha_mode.clone(),
        if facts.double_sided { "both" } else { "one" }.to_owned(),
    ]
}

fn texture(facts: &TextureFacts) -> Vec<String> {
    let count = |count: Option<usize>| or_none(count.map(|count| count.to_string()));
    vec![
        facts.index.to_string(),
        or_none(facts.name.clone()),
        or_none(facts.media_type.clone()),
        count(facts.width),
        count(facts.height),
        count(facts.bytes),
    ]
}
