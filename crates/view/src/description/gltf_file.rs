//! The description of a glTF file.

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;

use super::Extremes;
use super::images::{self, TextureFacts};
use super::normals;
use super::rest_bounds::at_rest;
use rigy_base::diag::{Diagnosed, Warned};
use rigy_base::loader::{Loader, Location, Played};
use rigy_base::meter::{Cost, Meter};
use rigy_gltf::json::Value;
use rigy_gltf::{Animation, Channel, File, Mesh, Primitive, Problem};
use rigy_kernel::SLOTS;
use rigy_models::mesh::{Seams, Welded, base_color, corner_count, triangles as triangles_of};

/// The contents of a glTF file.
#[derive(Debug, Serialize)]
pub struct GltfDescription {
    /// The program that has written it, as it says.
    pub generator: Option<String>,
    /// The length of the file and of the files of its buffers and images together.
    pub bytes: u64,
    /// Bytes of vertices and indices, as their accessors have them when they are decoded, each once.
    pub vertex_bytes: u64,
    /// Bytes of the pixels of all textures, four for each pixel, and a third more for mipmaps.
    pub texture_bytes: u64,
    /// The motion that it plays in the place of its own animations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<Played>,
    /// Its nodes, each before those below it.
    pub nodes: Vec<NodeFacts>,
    /// Its animations.
    pub clips: Vec<ClipFacts>,
    /// Its skins.
    pub skins: Vec<SkinFacts>,
    /// Its meshes.
    pub meshes: Vec<MeshFacts>,
    /// Its materials.
    pub materials: Vec<MaterialFacts>,
    /// Its textures.
    pub textures: Vec<TextureFacts>,
    /// The extensions that it says it uses.
    pub extensions_used: Vec<String>,
    /// Bounds of the scene's vertices with nodes, joints and morph weights as they are stored; `None` if it has none, or with a
    /// warning if they cannot be found.
    pub bounds: Option<Extremes>,
}

/// A node.
#[derive(Debug, Serialize)]
pub struct NodeFacts {
    /// Its index.
    pub index: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Number of nodes above it.
    pub depth: usize,
    /// Index of its mesh.
    pub mesh: Option<usize>,
    /// True if it is a joint of a skin.
    pub joint: bool,
}

/// An animation.
#[derive(Debug, Serialize)]
pub struct ClipFacts {
    /// Its index, by which `bake --animation` takes it.
    pub index: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Time of the first key of any channel in seconds; `None` if no channel moves a node.
    pub start: Option<f64>,
    /// Time of the last key of any channel in seconds.
    pub end: Option<f64>,
    /// Number of channels that move nodes.
    pub channels: usize,
    /// Number of keys in all these channels.
    pub keys: usize,
}

/// A skin.
#[derive(Debug, Serialize)]
pub struct SkinFacts {
    /// Its index.
    pub index: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Number of joints.
    pub joints: usize,
    /// Number of influences that a vertex under this skin has at most, four for each set; 0 if no node uses the skin.
    pub influences: usize,
}

/// A mesh.
#[derive(Debug, Serialize)]
pub struct MeshFacts {
    /// Its index.
    pub index: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Number of primitives.
    pub primitives: usize,
    /// Number of vertices of all primitives.
    pub vertices: u64,
    /// Number of triangles of all primitives; points and lines have none.
    pub triangles: u64,
    /// Number of morph targets.
    pub morph_targets: usize,
    /// True if a node shows it with a skin.
    pub skinned: bool,
    /// The names of attributes that a primitive has.
    pub attributes: BTreeSet<String>,
    /// How its triangles join; `None` if that is too much work.
    pub seams: Option<Seams>,
}

/// A material.
#[derive(Debug, Serialize)]
pub struct MaterialFacts {
    /// Its index.
    pub index: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Red, green, blue and opacity of the base colour factor, linear.
    pub base_color: [f64; 4],
    /// `OPAQUE`, `MASK` or `BLEND`, as the file has it.
    pub alpha_mode: String,
    /// True if triangles are seen from both sides.
    pub double_sided: bool,
}

/// Describes a glTF file. The loader finds the images beside it, relative to `location`. Images that cannot be read, and bounds that
/// cannot be found, are warnings.
///
/// # Errors
/// The error of each animation whose keys cannot be used.
pub fn of_gltf(
    file: &File,
    location: &Location,
    loader: &dyn Loader,
) -> Diagnosed<Warned<GltfDescription>> {
    let mut warnings = file.check_animations()?;
    let (textures, of_images) = images::textures(file, location, loader);
    warnings.extend(of_images);
    let bounds = at_rest(file).unwrap_or_else(|message| {
        let problem = Problem::rule(&"", format!("there are no bounds: {message}"));
        warnings.push(problem.into_diagnostic(&loader.name(location)));
        None
    });
    let of_normals = normals::warnings(file).into_iter();
    warnings.extend(of_normals.map(|problem| problem.into_diagnostic(&loader.name(location))));
    let materials = file.tree.list("materials").iter().enumerate();
    let extensions = file.tree.list("extensionsUsed").iter();
    let clips = file
        .animations
        .iter()
        .enumerate()
        .map(|(index, animation)| {
            let channels = file.channels(index)?;
            Ok(clip(index, animation, channels.value, file.span(index)?))
        });
    let generator = file.tree.get("asset").and_then(|it| it.text("generator"));
    let pixels = (textures.iter())
        .filter_map(|texture| (texture.width? as u64).checked_mul(texture.height? as u64));
    let value = GltfDescription {
        generator: generator.map(str::to_owned),
        bytes: file.len,
        vertex_bytes: vertex_bytes(file),
        texture_bytes: pixels.fold(0, u64::saturating_add).saturating_mul(16) / 3,
        motion: file.motion.clone(),
        nodes: nodes(file),
        clips: clips.collect::<Result<_, Vec<_>>>()?,
        skins: skins(file),
        meshes: meshes(file),
        materials: materials.map(material).collect(),
        textures,
        extensions_used: extensions
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect(),
        bounds: bounds.map(Extremes::from),
    };
    Ok(Warned { value, warnings })
}

fn clip(
    index: usize,
    animation: &Animation,
    channels: &[Channel],
    span: Option<[f64; 2]>,
) -> ClipFacts {
    ClipFacts {
        index,
        name: animation.name.clone(),
        start: span.map(|[start, _]| start),
        end: span.map(|[_, end]| end),
        channels: channels.len(),
        keys: channels.iter().map(|channel| channel.times.len()).sum(),
    }
}

fn vertex_bytes(file: &File) -> u64 {
    file.primitives()
        .flat_map(|primitive| {
            primitive
                .attributes
                .iter()
                .chain(primitive.targets.iter().flatten())
                .map(|(_, accessor)| *accessor)
                .chain(primitive.indices)
        })
        .collect::<BTreeSet<usize>>()
        .iter()
        .filter_map(|index| file.accessor(*index))
        .map(|data| data.element_type().size(data.component_type()) as u64 * data.count() as u64)
        .sum()
}

fn nodes(file: &File) -> Vec<NodeFacts> {
    let joints: HashSet<usize> = (file.skins.iter())
        .flat_map(|skin| skin.joints.clone())
        .collect();
    let mut open: Vec<_> = (0..file.nodes.len())
        .filter(|index| file.nodes[*index].parent.is_none())
        .rev()
        .map(|root| (root, 0))
        .collect();
    let mut nodes = Vec::new();
    while let Some((index, depth)) = open.pop() {
        let node = &file.nodes[index];
        open.extend(node.children.iter().rev().map(|child| (*child, depth + 1)));
        nodes.push(NodeFacts {
            index,
            name: node.name.clone(),
            depth,
            mesh: node.mesh,
            joint: joints.contains(&index),
        });
    }
    nodes
}

fn skins(file: &File) -> Vec<SkinFacts> {
    let of_mesh: Vec<usize> = file
        .meshes
        .iter()
        .map(|mesh| {
            mesh.primitives
                .iter()
                .map(|p| p.influences.len())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut sets = vec![0; file.skins.len()];
    for node in &file.nodes {
        if let (Some(mesh), Some(skin)) = (node.mesh, node.skin) {
            sets[skin] = of_mesh[mesh].max(sets[skin]);
        }
    }
    file.skins
        .iter()
        .zip(sets)
        .enumerate()
        .map(|(index, (skin, sets))| SkinFacts {
            index,
            name: skin.name.clone(),
            joints: skin.joints.len(),
            influences: SLOTS * sets,
        })
        .collect()
}

fn meshes(file: &File) -> Vec<MeshFacts> {
    let mut meter = file.meter;
    let mut skinned = vec![false; file.meshes.len()];
    for node in &file.nodes {
        if let (Some(mesh), Some(_)) = (node.mesh, node.skin) {
            skinned[mesh] = true;
        }
    }
    file.meshes
        .iter()
        .zip(skinned)
        .enumerate()
        .map(|(index, (mesh, skinned))| MeshFacts {
            index,
            name: mesh.name.clone(),
            primitives: mesh.primitives.len(),
            vertices: sum(mesh, |primitive| primitive.vertex_count as u64),
            triangles: sum(mesh, |primitive| triangles(file, primitive)),
            morph_targets: mesh.weights.len(),
            skinned,
            attributes: (mesh.primitives.iter())
                .flat_map(|primitive| primitive.attributes.iter().map(|(name, _)| name.clone()))
                .collect(),
            seams: seams(file, mesh, &mut meter),
        })
        .collect()
}

fn seams(file: &File, mesh: &Mesh, meter: &mut Meter) -> Option<Seams> {
    let mut welded = Welded::default();
    for primitive in &mesh.primitives {
        let size = primitive.vertex_count as u64 + corner_count(file, primitive);
        meter.spend(Cost::Edges, size).ok()?;
        let Some(positions) = primitive.attribute("POSITION") else {
            continue;
        };
        let positions = file.accessor(positions)?;
        let positions: Vec<[f32; 3]> = (positions.iter::<3>())
            .map(|position| position.map(|number| number as f32))
            .collect();
        welded.add(&positions, triangles_of(file, primitive));
    }
    Some(welded.seams())
}

fn sum(mesh: &Mesh, of: impl Fn(&Primitive) -> u64) -> u64 {
    mesh.primitives.iter().map(of).fold(0, u64::saturating_add)
}

/// The number of triangles of a list, a strip or a fan.
fn triangles(file: &File, primitive: &Primitive) -> u64 {
    let corners = corner_count(file, primitive);
    match primitive.mode {
        4 => corners / 3,
        5 | 6 => corners.saturating_sub(2),
        _ => 0,
    }
}

fn material((index, value): (usize, &Value)) -> MaterialFacts {
    let text = |key: &str| value.text(key).map(str::to_owned);
    MaterialFacts {
        index,
        name: text("name"),
        base_color: base_color(value),
        alpha_mode: text("alphaMode").unwrap_or_else(|| "OPAQUE".to_owned()),
        double_sided: matches!(value.get("doubleSided"), Some(Value::Bool(true))),
    }
}
