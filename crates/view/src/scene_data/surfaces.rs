//! The binary block of a scene, arrays of numbers one after the other, little-endian, each at a multiple of four bytes; and the vertices
//! of surfaces in it.

use super::{MAX_BLOCK, Surface, Target, VERTEX_LEN};
use rigy_gltf::json::Value;
use rigy_gltf::{self, File, Problem, VertexInfluences, Vertices, morphed};
use rigy_kernel::ReferenceRule;
use rigy_kernel::math::Vec3;
use rigy_models::mesh::{Drawn, Model, corner_count, sum_of_nodes, vertex_colors};

/// A block that is being filled.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub bytes: Vec<u8>,
}

impl Block {
    /// Appends numbers as f32. Returns the offset of the first in bytes.
    pub fn push_f32(&mut self, numbers: impl IntoIterator<Item = f64>) -> usize {
        let offset = self.bytes.len();
        for number in numbers {
            self.bytes.extend((number as f32).to_le_bytes());
        }
        offset
    }

    /// Appends bytes, and padding to a multiple of four. Returns the offset of the first.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        offset
    }

    /// Appends numbers of 16 bits, and two bytes of padding after an odd number of them. Returns the offset of the first
    /// in bytes.
    pub fn push_u16(&mut self, numbers: impl IntoIterator<Item = u16>) -> usize {
        let offset = self.bytes.len();
        for number in numbers {
            self.bytes.extend(number.to_le_bytes());
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        offset
    }

    /// Appends colours as parts of 65,535. Returns the offset of the first in bytes.
    pub fn push_colors(&mut self, colors: &[[f32; 4]]) -> usize {
        let numbers = colors.as_flattened().iter();
        self.push_u16(numbers.map(|part| (part.clamp(0.0, 1.0) * 65_535.0 + 0.5) as u16))
    }

    /// Appends numbers of 32 bits. Returns the offset of the first in bytes.
    pub fn push_u32(&mut self, numbers: impl IntoIterator<Item = u32>) -> usize {
        let offset = self.bytes.len();
        for number in numbers {
            self.bytes.extend(number.to_le_bytes());
        }
        offset
    }
}

/// Most slots that the shader reads.
const MAX_SLOTS: usize = 8;

/// Bytes that a byte of a name counts: it is in memory and, perhaps escaped, in the page.
const NAME_BYTES: u64 = 8;

/// Bytes that a morph target counts beside its differences.
const TARGET_BYTES: u64 = 512;

/// Most characters of its name.
const TARGET_NAME: usize = 64;

/// Bytes that a joint counts for each instance of a skinned mesh, beside its name.
const JOINT_BYTES: u64 = 256;

/// Refuses a file whose nodes show more vertices, triangles, morph targets and names than [`MAX_BLOCK`] can hold.
pub(super) fn check_size(file: &File<'_>, nodes: &[usize]) -> Result<(), Problem> {
    let of_primitives = sum_of_nodes(file, nodes, |mesh, primitive| {
        let vertices = primitive.vertex_count as u64;
        let targets = primitive.targets.len() as u64;
        let of_vertices = vertices.saturating_mul(VERTEX_LEN + 24 * targets);
        let of_corners = corner_count(file, primitive).saturating_mul(12);
        let name = mesh.name.as_ref().map_or(0, String::len) as u64;
        let others = 1024 + TARGET_BYTES * targets + NAME_BYTES * name;
        of_vertices
            .saturating_add(of_corners)
            .saturating_add(others)
    });
    too_large(of_primitives.saturating_add(joints(file, nodes)))
}

/// What joints count: their names once for each skin in use that has the joint, and all once more for each instance.
fn joints(file: &File<'_>, nodes: &[usize]) -> u64 {
    let mut uses = vec![(0u64, 0u64); file.skins.len()];
    for &node in nodes {
        let Some(skin) = file.nodes[node].skin else {
            continue;
        };
        match file.nodes[node].instances {
            None => uses[skin].0 = 1,
            Some(them) => uses[skin].1 = uses[skin].1.saturating_add(them.count as u64),
        }
    }
    let counts = file
        .skins
        .iter()
        .zip(uses)
        .map(|(skin, (plain, instances))| {
            let names = skin
                .joints
                .iter()
                .filter_map(|node| file.nodes[*node].name.as_ref());
            let names = NAME_BYTES * names.map(|name| name.len() as u64).sum::<u64>();
            let all = names + JOINT_BYTES * skin.joints.len() as u64;
            (names * plain).saturating_add(all.saturating_mul(instances))
        });
    counts.fold(0, u64::saturating_add)
}

/// An error if the block would have more than [`MAX_BLOCK`] bytes.
pub(super) fn too_large(bytes: u64) -> Result<(), Problem> {
    if bytes > MAX_BLOCK {
        let message = format!("a page cannot hold it: {bytes} bytes are more than {MAX_BLOCK}");
        Err(Problem::rule(&"", message))
    } else {
        Ok(())
    }
}

/// A primitive that is drawn, and the skin that moves it.
pub(super) struct Place {
    /// Where the primitive is drawn.
    pub drawn: Drawn,
    /// Index of the skin in the scene.
    pub skin: usize,
    /// Number of joints of the skin; `None` if one joint moves all vertices.
    pub joint_count: Option<usize>,
    /// The joint that moves all vertices, if there is no `joint_count`.
    pub joint: usize,
    /// The rule by which vertices get their reference joints.
    pub rule: ReferenceRule,
}

/// The result of reading a surface.
pub(super) struct Read {
    pub surface: Surface,
    /// True if vertices have more influences than the shader reads.
    pub is_cut: bool,
}

/// Appends the vertices of a primitive and returns its description.
///
/// # Errors
/// If a number of the file cannot be used.
pub(super) fn read(block: &mut Block, file: &File<'_>, place: &Place) -> Result<Read, Problem> {
    let Drawn {
        mesh, primitive, ..
    } = place.drawn;
    let data = &file.meshes[mesh].primitives[primitive];
    let path = format!("meshes[{mesh}].primitives[{primitive}]");
    let vertices = Vertices {
        file,
        primitive: data,
        path: &path,
        range: 0..data.vertex_count,
    };
    let mut rows: Vec<Vec3> = Vec::new();
    morphed::<3>(&vertices, "POSITION", &[], &mut rows)?;
    let positions = block.push_f32(rows.iter().flatten().copied());
    let has_normals = morphed::<3>(&vertices, "NORMAL", &[], &mut rows)?;
    let normals = has_normals.then(|| block.push_f32(rows.iter().flatten().copied()));
    let mut slots = Slots::default();
    if let Some(joint_count) = place.joint_count {
        let mut influences = VertexInfluences::default();
        influences.read(&vertices, joint_count)?;
        slots = Slots::push(block, &influences, place.rule);
    }
    let mut triangles = rigy_models::mesh::triangles(file, data);
    if place.joint_count.is_some() && is_mirrored(file, &place.drawn) {
        // The page asks only the joints of rigid surfaces whether they mirror.
        triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
    let name = file.meshes[mesh].name.clone();
    let surface = Surface {
        name: name.unwrap_or_else(|| format!("mesh {mesh}")),
        skin: place.skin,
        joint: place.joint_count.is_none().then_some(place.joint),
        slots: slots.count,
        joints: slots.joints,
        weights: slots.weights,
        references: slots.references,
        cofactors: true,
        vertices: data.vertex_count,
        positions,
        normals,
        indices: block.push_u32(triangles.iter().flatten().copied()),
        triangles: triangles.len(),
        colors: vertex_colors(&vertices).map(|colors| block.push_colors(&colors)),
        targets: targets(block, file, place),
        node: place.drawn.node,
        ..Surface::default()
    };
    Ok(Read {
        surface,
        is_cut: slots.is_cut,
    })
}

fn is_mirrored(file: &File<'_>, drawn: &Drawn) -> bool {
    let instance = file.instance(drawn.node, drawn.instance);
    instance.is_some_and(|instance| instance.scale.iter().product::<f64>() < 0.0)
}

/// Appends the differences of all morph targets of a primitive.
fn targets(block: &mut Block, file: &File<'_>, place: &Place) -> Vec<Target> {
    let primitive = &file.meshes[place.drawn.mesh].primitives[place.drawn.primitive];
    let extras = file.tree.list("meshes")[place.drawn.mesh].get("extras");
    let names = extras.map_or(&[][..], |extras| extras.list("targetNames"));
    let mut push = |target: usize, name: &str| {
        let accessor = file.accessor(primitive.target_attribute(target, name)?)?;
        let mut rows = vec![[0.0; 3]; primitive.vertex_count];
        accessor.copy(0, &mut rows);
        Some(block.push_f32(rows.into_iter().flatten()))
    };
    let count = primitive.targets.len();
    let target = |index| Target {
        name: names.get(index).and_then(|name: &Value<'_>| {
            let characters = name.as_str()?.chars();
            Some(characters.take(TARGET_NAME).collect())
        }),
        positions: push(index, "POSITION"),
        normals: push(index, "NORMAL"),
    };
    (0..count).map(target).collect()
}

/// The influences of a surface in the block.
#[derive(Default)]
struct Slots {
    count: usize,
    joints: Option<usize>,
    weights: Option<usize>,
    references: Option<usize>,
    is_cut: bool,
}

impl Slots {
    /// Appends influences: four slots for each vertex, or eight; of more, the eight strongest.
    fn push(block: &mut Block, influences: &VertexInfluences, rule: ReferenceRule) -> Self {
        let sets = influences.set_count.max(1);
        let count = (4 * sets).min(MAX_SLOTS);
        let (mut joints, mut weights, mut references) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_cut = false;
        let lists = influences.joints.chunks_exact(sets);
        for (of_joints, of_weights) in lists.zip(influences.weights.chunks_exact(sets)) {
            let numbers = of_joints.as_flattened().iter().copied();
            let mut list: Vec<(u16, f64)> = numbers
                .zip(of_weights.as_flattened().iter().copied())
                .collect();
            references.push(rule.joint(list.iter().copied()));
            // Slots of weight zero may name any joint.
            for slot in list.iter_mut().filter(|slot| slot.1 <= 0.0) {
                *slot = (0, 0.0);
            }
            if list.len() > MAX_SLOTS {
                list.sort_by(|a, b| b.1.total_cmp(&a.1));
                is_cut |= list[MAX_SLOTS].1 > 0.0;
                list.truncate(MAX_SLOTS);
                let sum: f64 = list.iter().map(|slot| slot.1).sum();
                list.iter_mut().for_each(|slot| slot.1 /= sum);
            }
            joints.extend(list.iter().map(|slot| slot.0));
            weights.extend(list.iter().map(|slot| slot.1));
        }
        Self {
            count,
            joints: Some(block.push_u16(joints)),
            weights: Some(block.push_f32(weights)),
            references: Some(block.push_u16(references)),
            is_cut,
        }
    }
}

/// Appends the vertices of a baked model for each surface. `index_of` returns the index of the model's surface that
/// shows a surface, given the number of the latter; without one, the surface's own vertices are taken. Returns the
/// offset; `None` if a surface differs in its number of vertices.
pub(super) fn push_baked(
    block: &mut Block,
    surfaces: &[Surface],
    model: &Model,
    index_of: impl Fn(usize) -> Option<usize>,
) -> Option<usize> {
    let found = |number| index_of(number).and_then(|index| model.surfaces.get(index));
    let all: Vec<_> = (0..surfaces.len()).map(found).collect();
    let fits = surfaces.iter().zip(&all).all(|(surface, baked)| {
        let fits = |baked: &&rigy_models::mesh::Surface| {
            let has_normals = baked.normals.is_some() == surface.normals.is_some();
            baked.positions.len() == surface.vertices && has_normals
        };
        baked.as_ref().is_some_and(fits)
    });
    if !fits {
        return None;
    }
    let offset = block.bytes.len();
    for baked in all.into_iter().flatten() {
        block.push_f32(baked.positions.iter().flatten().copied());
        let normals = baked.normals.iter().flatten().flatten();
        block.push_f32(normals.copied());
    }
    Some(offset)
}
