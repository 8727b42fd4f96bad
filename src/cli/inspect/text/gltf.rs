//! glTF files.

use crate::cli::inputs::shown_len;
use crate::cli::printer::{Listing, Shows, Table, and_more, bounds, counted};
use crate::mesh::Seams;
use rigy_view::description::{GltfDescription, MeshFacts, NodeFacts};

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
    let [bytes, vertices, textures] = [
        description.bytes,
        description.vertex_bytes,
        description.texture_bytes,
    ]
    .map(shown_len);
    lines.item(format!(
        "{bytes}; on a GPU {vertices} of vertices and indices, {textures} of textures"
    ));
    if let Some(generator) = &description.generator {
        lines.item(format!("generator: {generator}"));
    }
    if !description.extensions_used.is_empty() {
        let names = description.extensions_used.join(", ");
        lines.item(format!("extensions used: {names}"));
    }
    if let Some(motion) = &description.motion {
        let left_out = motion.prefixes.iter();
        lines.item(format!(
            "motion: {} of {} nodes that {} moves{}",
            motion.found,
            motion.nodes,
            motion.file,
            String::from_iter(left_out.map(|prefix| format!(", without `{prefix}`")))
        ));
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
            .text("skinned", |mesh| if mesh.skinned { "yes" } else { "no" })
            .number("parts", |mesh| mesh.seams.map(|seams| seams.parts))
            .text("closed", |mesh| {
                mesh.seams.filter(|seams| seams.parts > 0).map(closed)
            })
            .text("attributes", |mesh| {
                Vec::from_iter(mesh.attributes.iter().map(|name| &**name)).join(" ")
            }),
    );
    lines.table(
        Table::of(&description.materials)
            .number("material", |material| material.index)
            .text("name", |material| &material.name)
            .number("base colour", |material| material.base_color)
            .text("alpha", |material| &material.alpha_mode)
            .text(
                "sides",
                |material| if material.double_sided { "both" } else { "one" },
            ),
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
    add_tree(&description.nodes, &mut lines);
    lines
}

fn closed(seams: Seams) -> String {
    let Seams {
        open_edges,
        crowded_edges,
        turned_edges,
        ..
    } = seams;
    match seams.is_closed() {
        true => "yes".to_owned(),
        false => format!("{open_edges} open, {crowded_edges} crowded, {turned_edges} turned"),
    }
}

/// Most nodes of the tree.
const MOST: usize = 40;

/// Adds the nodes down to the depth to which they are few.
fn add_tree(nodes: &[NodeFacts], lines: &mut Listing) {
    let mut depths: Vec<usize> = nodes.iter().map(|node| node.depth).collect();
    depths.sort_unstable();
    let end = depths
        .get(MOST)
        .map_or(nodes.len(), |depth| (*depth).max(1));
    let shown: Vec<_> = (nodes.iter())
        .filter(|node| node.depth < end)
        .take(MOST)
        .collect();
    lines.table(
        Table::of(&shown)
            .number("node", |node| node.index)
            .text("name", |node| "  ".repeat(node.depth) + &node.name.shown())
            .text("joint", |node| if node.joint { "yes" } else { "no" })
            .number("mesh", |node| node.mesh),
    );
    if shown.len() < nodes.len() {
        lines.item(and_more(nodes.len() - shown.len(), ""));
    }
}
