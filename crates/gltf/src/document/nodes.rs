//! Reading nodes and scenes; the nodes are checked to form a forest.

use super::affine::affine;
use super::data::Data;
use super::meshes::weights;
use crate::cursor::Cursor;
use crate::element_type::ElementType;
use crate::json::Value;
use crate::model::{Instances, Mesh, Node, Scene, Transform, Trs};
use crate::problem::{Findings, Result};
use rigy_kernel::math::Quat;

/// Reads all nodes. Returns them, and their indices in an order in which parents precede their children.
pub fn read(
    root: &Cursor,
    meshes: &[Mesh],
    skins: usize,
    data: Data,
    findings: &mut Findings,
) -> (Vec<Node>, Vec<usize>) {
    let Some(list) = findings.keep(root.list("nodes")) else {
        return (Vec::new(), Vec::new());
    };
    let count = list.items().len();
    let mut nodes = Vec::with_capacity(count);
    let unskinned: Vec<Option<usize>> = meshes
        .iter()
        .map(|mesh| {
            mesh.primitives
                .iter()
                .position(|primitive| primitive.influences.is_empty() && primitive.vertex_count > 0)
        })
        .collect();
    for item in list.items() {
        let node = node(&item, count, (meshes, &unskinned), skins, findings);
        let node = node.map(|node| Node {
            instances: instances(&item, data, findings),
            ..node
        });
        nodes.extend(findings.keep(node));
    }
    if nodes.len() < count {
        return (nodes, Vec::new());
    }
    for item in list.items().enumerate() {
        let checked = set_parent(&item.1, item.0, &mut nodes);
        findings.keep(checked);
    }
    let order = parents_first(&nodes);
    if order.len() < count {
        let mut reached = vec![false; count];
        order.iter().for_each(|index| reached[*index] = true);
        // A node with two parents has been reported; here every node has at most one.
        if let Some((item, _)) = list.items().zip(reached).find(|(_, reached)| !reached) {
            findings.error(item.rule("the node is below one of its own descendants"));
        }
    }
    (nodes, order)
}

/// Reads one node of `count`; `unskinned` has for each mesh its first primitive without influences.
fn node(
    at: &Cursor,
    count: usize,
    (meshes, unskinned): (&[Mesh], &[Option<usize>]),
    skins: usize,
    findings: &mut Findings,
) -> Result<Node> {
    at.object()?;
    let children = at.list("children")?;
    let children = children.items().map(|child| child.as_index(count, "nodes"));
    let mesh = at.index("mesh", meshes.len(), "meshes")?;
    let skin = at.index("skin", skins, "skins")?;
    if let (Some(_), None) = (skin, mesh) {
        findings.warn(at.rule_in("skin", "a skin without a mesh has no effect"));
    }
    if let (Some(skin), Some(mesh)) = (skin, mesh) {
        // glTF 2.0 §3.7.3.3 requires influences in every primitive of a skinned mesh.
        if let Some(primitive) = unskinned[mesh] {
            let message = format!(
                "skin {skin} needs JOINTS_0 and WEIGHTS_0, which primitive {primitive} of mesh {mesh} lacks"
            );
            return Err(at
                .rule_in("skin", message)
                .help("give every primitive of the mesh weights, or take the skin off the node"));
        }
    }
    if mesh.is_some() && skin.is_some() && at.value.extension(INSTANCING).is_some() {
        findings.warn(at.rule_in(
            "extensions.EXT_mesh_gpu_instancing",
            "no specification says where instances of a skinned mesh stand; they are \
                       copies of the posed mesh, moved from where the skin puts it",
        ));
    }
    let visibility = at.value.extension("KHR_node_visibility");
    let visible = |visibility: &Value| visibility.get("visible") != Some(&Value::Bool(false));
    Ok(Node {
        name: at.name()?,
        parent: None,
        children: children.collect::<Result<_, _>>()?,
        transform: transform(at, findings)?,
        mesh,
        skin,
        weights: weights(at, mesh.map_or(0, |mesh| meshes[mesh].weights.len()))?,
        visible: visibility.map(visible),
        instances: None,
    })
}

const INSTANCING: &str = "EXT_mesh_gpu_instancing";

/// Reads the instances of a node. Attributes that are no transforms only count; those that refer to nothing are left to others.
fn instances(at: &Cursor, data: Data, findings: &mut Findings) -> Option<Instances> {
    let attributes = at.value.extension(INSTANCING)?.get("attributes")?;
    let mut instances = Instances::default();
    let mut warn = |message: String| {
        findings.warn(at.rule_in("extensions.EXT_mesh_gpu_instancing.attributes", message));
    };
    let mut least = usize::MAX;
    for (name, value) in attributes.members() {
        let index = value.as_index();
        let accessor = index.and_then(|index| data.accessors.get(index)?.accessor(data.buffers));
        let Some(accessor) = accessor else { continue };
        least = least.min(accessor.count());
        instances.count = instances.count.max(accessor.count());
        let (place, wanted) = match &**name {
            "TRANSLATION" => (&mut instances.translation, ElementType::Vec3),
            "ROTATION" => (&mut instances.rotation, ElementType::Vec4),
            "SCALE" => (&mut instances.scale, ElementType::Vec3),
            _ => continue,
        };
        if accessor.element_type() == wanted {
            *place = index;
        } else {
            warn(format!(
                "{name} has elements of another type and is not used"
            ));
        }
    }
    if least < instances.count {
        let most = instances.count;
        warn(format!(
            "the attributes of instances have {least} to {most} elements; the first {least} of each are used"
        ));
        instances.count = least;
    }
    // Without an attribute that can be read, the mesh is drawn as if it had no instances; with attributes of no elements, nowhere.
    (least < usize::MAX).then_some(instances)
}

/// Reads the transform of a node; a matrix takes precedence over translation, rotation and scale.
fn transform(at: &Cursor, findings: &mut Findings) -> Result<Transform> {
    let translation = at.numbers::<3>("translation")?;
    let rotation = at.numbers::<4>("rotation")?;
    let scale = at.numbers::<3>("scale")?;
    let Some(matrix) = at.numbers::<16>("matrix")? else {
        let rest = Trs::IDENTITY;
        return Ok(Transform::Trs(Trs {
            translation: translation.unwrap_or(rest.translation),
            rotation: rotation.map_or(rest.rotation, |[x, y, z, w]| Quat { w, x, y, z }),
            scale: scale.unwrap_or(rest.scale),
        }));
    };
    if translation.is_some() || rotation.is_some() || scale.is_some() {
        findings.warn(at.rule_in(
            "matrix",
            "a node has a matrix or translation, rotation and scale; the matrix is used",
        ));
    }
    Ok(Transform::Matrix(affine(
        at,
        &|| "`matrix`".into(),
        matrix,
        findings,
    )?))
}

/// Sets the parent of all children of a node.
///
/// # Errors
/// If a child already has a parent.
fn set_parent(at: &Cursor, parent: usize, nodes: &mut [Node]) -> Result<()> {
    for position in 0..nodes[parent].children.len() {
        let child = nodes[parent].children[position];
        if let Some(other) = nodes[child].parent {
            return Err(at
                .rule_in(
                    "children",
                    format!("node {child} is already a child of node {other}"),
                )
                .help("give every node one parent"));
        }
        nodes[child].parent = Some(parent);
    }
    Ok(())
}

/// The indices of all nodes that descend from a root, parents before children.
fn parents_first(nodes: &[Node]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..nodes.len())
        .filter(|index| nodes[*index].parent.is_none())
        .collect();
    let mut at = 0;
    // A child is added only by the parent that is set in it, so no node is added twice.
    while let Some(&index) = order.get(at) {
        order.extend(
            nodes[index]
                .children
                .iter()
                .filter(|child| nodes[**child].parent == Some(index)),
        );
        at += 1;
    }
    order
}

/// Reads all scenes. Returns them, and the index of the one to show.
pub fn scenes(
    root: &Cursor,
    nodes: &[Node],
    findings: &mut Findings,
) -> (Vec<Scene>, Option<usize>) {
    let Some(list) = findings.keep(root.list("scenes")) else {
        return (Vec::new(), None);
    };
    let mut scenes = Vec::new();
    for item in list.items() {
        let scene = scene(&item, nodes, findings);
        scenes.extend(findings.keep(scene));
    }
    let shown = findings.keep(root.index("scene", list.items().len(), "scenes"));
    (scenes, shown.flatten())
}

/// Reads one scene.
fn scene(at: &Cursor, nodes: &[Node], findings: &mut Findings) -> Result<Scene> {
    at.object()?;
    let list = at.list("nodes")?;
    let mut indices = Vec::with_capacity(list.items().len());
    for item in list.items() {
        let index = item.as_index(nodes.len(), "nodes")?;
        if let Some(parent) = nodes[index].parent {
            findings.warn(item.rule(format!(
                "node {index} is no root, but a child of node {parent}"
            )));
        }
        indices.push(index);
    }
    let mut sorted = indices.clone();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        findings.warn(at.rule_in("nodes", format!("node {} is listed twice", pair[0])));
    }
    Ok(Scene {
        name: at.name()?,
        nodes: indices,
    })
}
