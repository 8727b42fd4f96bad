//! The positions of the vertices that a file shows at a moment: those of a bake, without its file.

use std::collections::HashSet;

use super::batch::Kept;
use super::edit::numbers;
use super::evaluate::{Evaluator, primitive_path};
use super::moment::{ClipTime, Posed, posed};
use super::palettes::{Skinning, palettes};
use super::source::Source;
use super::streams::{Kind, Part, Stream};
use crate::mesh::{distinct_positions, nodes_shown_at_times, place};
use rigy_base::diag::{Diagnosed, none};
use rigy_base::maps;
use rigy_gltf::{
    Channel, ElementType, File, Pose, Problem, Property, Skeleton, Transform, Trs, Vertices,
    global_matrices, local_matrix, morphed,
};
use rigy_kernel::math::{Affine, IDENTITY, Quat, Vec3};
use rigy_kernel::simd::Isa;

/// What a file shows, prepared for several moments.
pub struct ShownPositions<'s> {
    source: &'s Source<'s>,
    /// Nodes with a mesh that some moment may show, in the order of a baked file: those without a skin first.
    nodes: Vec<usize>,
    /// The skins of these nodes.
    skins: maps::HashSet<usize>,
    /// For each mesh, its primitives without those whose vertices are those of an earlier one.
    primitives: Vec<Vec<usize>>,
}

/// The positions of the vertices of a primitive in the space of the scene, with the index of its mesh.
pub type MeshPositions = (usize, Vec<Vec3>);

impl<'s> ShownPositions<'s> {
    /// Finds what the scene of a file shows.
    pub fn new(source: &'s Source<'s>) -> Self {
        let file = &source.file;
        let mut nodes = nodes_shown_at_times(file);
        nodes.sort_by_key(|node| file.nodes[*node].skin.is_some());
        Self {
            skins: nodes
                .iter()
                .filter_map(|node| file.nodes[*node].skin)
                .collect(),
            nodes,
            primitives: file.meshes.iter().map(distinct_positions).collect(),
            source,
        }
    }

    /// Returns the positions at a time of an animation; with `None`, with nodes as they are stored. Primitives with the same positions
    /// may be left out.
    ///
    /// # Errors
    /// As [`Baker::bake_at`](super::Baker::bake_at); for each primitive, the first vertex whose position cannot be baked.
    pub fn at(
        &self,
        at: Option<ClipTime>,
        skinning: &Skinning,
        isa: Isa,
    ) -> Diagnosed<Vec<MeshPositions>> {
        let file = &self.source.file;
        let Posed { channels, pose, .. } = posed(file, at)?;
        let skeleton = Skeleton::new(&file.nodes, &pose);
        let palettes = palettes(file, &self.skins, &skeleton, skinning, &mut { file.meter })?;
        let evaluator = Evaluator::new(file, palettes.value, isa);
        let globals = written_globals(file, channels, &pose);
        let mut found = Vec::new();
        let mut errors = Vec::new();
        let mut skinned = HashSet::new();
        let hidden = file.hidden_nodes(|node| pose.nodes[node].visible);
        for &node in self.nodes.iter().filter(|node| !hidden[**node]) {
            let Some(mesh) = file.nodes[node].mesh else {
                continue;
            };
            let skin = file.nodes[node].skin;
            let weights = pose.nodes[node]
                .weights
                .as_ref()
                .unwrap_or(&file.meshes[mesh].weights);
            let (kind, global) = match skin {
                Some(skin) => {
                    let bits = weights.iter().map(|weight| weight.to_bits());
                    let is_alone = file.nodes[node].instances.is_none();
                    if is_alone && !skinned.insert((mesh, skin, bits.collect::<Vec<_>>())) {
                        continue;
                    }
                    (Kind::Skinned(skin), &IDENTITY)
                }
                None => (Kind::Morphed, &globals[node]),
            };
            let instances = 0..file.instance_count(node);
            let places: Vec<Affine> = instances
                .map(|instance| file.placed(global, node, instance))
                .collect();
            for &primitive in &self.primitives[mesh] {
                let own = positions(&evaluator, (mesh, primitive), kind, weights);
                match own.and_then(|own| placed(own, &places, (mesh, primitive))) {
                    Ok(positions) => found.push((mesh, positions)),
                    Err(problem) => errors.push(problem.into_diagnostic(&file.name)),
                }
            }
        }
        none(errors)?;
        Ok(found)
    }
}

/// The positions of a primitive that is deformed in this way.
fn positions(
    evaluator: &Evaluator,
    (mesh, primitive): (usize, usize),
    kind: Kind,
    weights: &[f64],
) -> Result<Vec<Vec3>, Problem> {
    let file = evaluator.file;
    let path = primitive_path((mesh, primitive));
    let data = &file.meshes[mesh].primitives[primitive];
    let range = 0..data.vertex_count;
    let mut positions: Vec<Vec3> = Vec::new();
    if kind == Kind::Morphed && !data.is_morphed("POSITION", weights) {
        let vertices = Vertices {
            file,
            primitive: data,
            path: &path,
            range,
        };
        morphed::<3>(&vertices, "POSITION", &[], &mut positions)?;
    } else {
        let stream = Stream {
            kind,
            weights: Vec::new(),
            follows: None,
            pivot_of: None,
            users: vec![(mesh, primitive)],
            vertex_count: data.vertex_count,
            parts: vec![Part {
                name: "POSITION".to_owned(),
                element: ElementType::Vec3,
                accessor: 0,
            }],
            kept: Kept::default(),
        };
        let piece = evaluator.evaluate(&stream, weights, range)?;
        let rows = piece.parts[0].as_chunks::<3>().0.iter();
        positions.extend(rows.map(|row| row.map(f64::from)));
    }
    Ok(positions)
}

/// The positions of a primitive in all places where it is drawn.
fn placed(
    own: Vec<Vec3>,
    places: &[Affine],
    primitive: (usize, usize),
) -> Result<Vec<Vec3>, Problem> {
    let mut all = Vec::with_capacity(own.len() * places.len());
    for matrix in places {
        let from = all.len();
        all.extend_from_slice(&own);
        if *matrix != IDENTITY {
            place(matrix, &mut all[from..], &mut []);
        }
    }
    if all.as_flattened().iter().any(|number| !number.is_finite()) {
        return Err(Problem::rule(
            &primitive_path(primitive),
            "its nodes or instances take a vertex to where numbers are not finite",
        ));
    }
    Ok(all)
}

/// The matrices from nodes to the scene as a baked file has them, in which animated transforms are written in single precision.
fn written_globals(file: &File, channels: &[Channel], pose: &Pose) -> Vec<Affine> {
    let nodes = file.nodes.iter();
    let mut transforms: Vec<Transform> = nodes.map(|node| node.transform).collect();
    for channel in channels {
        let Transform::Trs(posed) = &pose.nodes[channel.node].transform else {
            continue;
        };
        let mut trs = match transforms[channel.node] {
            Transform::Trs(trs) => trs,
            Transform::Matrix(_) => Trs::IDENTITY,
        };
        match channel.property {
            Property::Translation => trs.translation = posed.translation.map(written),
            Property::Rotation => {
                trs.rotation = Quat::from_wxyz(posed.rotation.wxyz().map(written))
            }
            Property::Scale => trs.scale = posed.scale.map(written),
            Property::Weights | Property::Visibility => continue,
        }
        transforms[channel.node] = Transform::Trs(trs);
    }
    let locals = transforms.iter().map(local_matrix).collect();
    global_matrices(&file.nodes, &file.order, locals)
}

/// A number as the JSON of a baked file gives it back.
fn written(number: f64) -> f64 {
    numbers(&[number]).elements()[0].as_f64().unwrap_or(number)
}
