//! The positions of the vertices that a file shows at a moment: those of a bake, without its file.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::ops::Range;

use super::batch::{Kept, MAX_BATCH};
use super::edit::numbers;
use super::evaluate::{Evaluator, primitive_path};
use super::moment::{ClipTime, Posed, posed};
use super::palettes::{Skinning, palettes};
use super::streams::{Kind, Part, Stream, Streams};
use crate::mesh::{Drawn, place};
use rigy_base::diag::{Diagnosed, check_none};
use rigy_base::maps;
use rigy_gltf::{
    Channel, ElementType, File, Mesh, Pose, Problem, Property, Transform, Trs, Vertices,
    global_matrices, local_matrix, morphed,
};
use rigy_kernel::math::{Affine, IDENTITY, Quat, Vec3};
use rigy_kernel::simd::Isa;

/// What a file shows, prepared for several moments.
pub struct ShownPositions<'s> {
    file: &'s File<'s>,
    /// Nodes with a mesh, in the order of a baked file: those without a skin first.
    nodes: Vec<usize>,
    /// The skins of these nodes.
    skins: maps::HashSet<usize>,
    /// For each mesh, the primitives that are shown.
    primitives: Vec<Vec<usize>>,
    /// How the primitives of these nodes are deformed, by kind, mesh and primitive.
    streams: maps::HashMap<(Kind, usize, usize), Stream>,
}

/// Vertices of a primitive that are evaluated together.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Its number among those of its moment, from 0: a moment always has the same pieces.
    pub number: usize,
    /// The primitive, which has the pieces in the order of its vertices.
    pub drawn: Drawn,
}

impl<'s> ShownPositions<'s> {
    /// Prepares nodes with a mesh, and of each mesh these primitives, which are drawn.
    pub fn new(
        file: &'s File<'s>,
        mut nodes: Vec<usize>,
        of_mesh: impl Fn(&Mesh) -> Vec<usize>,
    ) -> Self {
        nodes.sort_by_key(|node| file.nodes[*node].skin.is_some());
        let primitives: Vec<_> = file.meshes.iter().map(of_mesh).collect();
        let mut streams = Streams::default();
        let mut known = HashSet::new();
        for node in nodes.iter().map(|node| &file.nodes[*node]) {
            let kind = node.skin.map_or(Kind::Morphed, Kind::Skinned);
            if let Some(mesh) = node.mesh.filter(|mesh| known.insert((kind, *mesh))) {
                let of_mesh = primitives[mesh].iter();
                (streams.list).extend(of_mesh.map(|index| stream(file, kind, (mesh, *index))));
            }
        }
        streams.keep_vertices(file);
        let key = |stream: &Stream| (stream.kind, stream.users[0].0, stream.users[0].1);
        Self {
            skins: nodes
                .iter()
                .filter_map(|node| file.nodes[*node].skin)
                .collect(),
            nodes,
            primitives,
            streams: (streams
                .list
                .into_iter()
                .map(|stream| (key(&stream), stream)))
            .collect(),
            file,
        }
    }

    /// Returns the greatest number of pieces that a moment has.
    pub fn piece_count(&self) -> usize {
        let shown = |node: &usize| self.file.nodes[*node].mesh;
        let meshes = self.nodes.iter().filter_map(shown);
        let counts =
            meshes.flat_map(|mesh| self.primitives[mesh].iter().map(move |at| (mesh, *at)));
        counts.map(|of| self.piece_count_of(of)).sum()
    }

    fn piece_count_of(&self, (mesh, primitive): (usize, usize)) -> usize {
        let primitive = &self.file.meshes[mesh].primitives[primitive];
        primitive.vertex_count.div_ceil(MAX_BATCH)
    }

    /// Shows the positions of vertices in the space of the scene at a time of an animation; with `None`, with nodes as they are stored.
    /// Pieces of which `wants` is false, by their numbers, are left out; those of several instances are shown once for each.
    ///
    /// # Errors
    /// As [`Baker::bake_at`](super::Baker::bake_at); for each primitive, the first vertex whose position cannot be baked.
    pub fn at(
        &self,
        at: Option<ClipTime>,
        (skinning, isa): (&Skinning, Isa),
        wants: &dyn Fn(usize) -> bool,
        show: &mut dyn FnMut(Piece, &[Vec3]),
    ) -> Diagnosed<()> {
        let file = self.file;
        let Posed {
            channels,
            pose,
            skeleton,
            ..
        } = posed(file, at)?;
        let palettes = palettes(file, &self.skins, &skeleton, skinning, &mut { file.meter })?;
        let evaluator = Evaluator::new(file, palettes.value, isa);
        let globals = LazyCell::new(|| written_globals(file, channels, &pose));
        let mut errors = Vec::new();
        let mut skinned = HashSet::new();
        let mut rows = Rows::default();
        let mut first = 0;
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
                let stream = &self.streams[&(kind, mesh, primitive)];
                let starts = (0..stream.vertex_count).step_by(MAX_BATCH);
                let shown = (first..).zip(starts).try_for_each(|(number, start)| {
                    if !wants(number) {
                        return Ok(());
                    }
                    let range = start..stream.vertex_count.min(start + MAX_BATCH);
                    rows.read(&evaluator, stream, weights, range)?;
                    rows.show(&places, (mesh, primitive), &mut |instance, rows| {
                        let drawn = Drawn {
                            node,
                            instance,
                            mesh,
                            primitive,
                        };
                        show(Piece { number, drawn }, rows);
                    })
                });
                errors.extend(
                    shown
                        .err()
                        .map(|problem| problem.into_diagnostic(&file.name)),
                );
                if !places.is_empty() {
                    first += self.piece_count_of((mesh, primitive));
                }
            }
        }
        check_none(errors)
    }
}

/// The positions of a primitive that is deformed in this way.
fn stream(file: &File, kind: Kind, user: (usize, usize)) -> Stream {
    Stream {
        kind,
        weights: Vec::new(),
        follows: None,
        pivot_of: None,
        users: vec![user],
        vertex_count: file.meshes[user.0].primitives[user.1].vertex_count,
        parts: vec![Part {
            name: "POSITION".to_owned(),
            element: ElementType::Vec3,
            accessor: 0,
        }],
        kept: Kept::default(),
    }
}

/// The positions of a piece, in buffers that are kept from one to the next.
#[derive(Default)]
struct Rows {
    own: Vec<Vec3>,
    placed: Vec<Vec3>,
}

impl Rows {
    fn read(
        &mut self,
        evaluator: &Evaluator,
        stream: &Stream,
        weights: &[f64],
        range: Range<usize>,
    ) -> Result<(), Problem> {
        let file = evaluator.file;
        let (mesh, primitive) = stream.users[0];
        let primitive = &file.meshes[mesh].primitives[primitive];
        if stream.kind == Kind::Morphed && !primitive.is_morphed("POSITION", weights) {
            let path = primitive_path(stream.users[0]);
            let vertices = Vertices {
                file,
                primitive,
                path: &path,
                range,
            };
            morphed::<3>(&vertices, "POSITION", &[], &mut self.own)?;
        } else {
            let piece = evaluator.evaluate(stream, weights, range)?;
            let rows = piece.parts[0].as_chunks::<3>().0.iter();
            self.own.clear();
            self.own.extend(rows.map(|row| row.map(f64::from)));
        }
        Ok(())
    }

    /// Shows them in all places where the primitive is drawn.
    fn show(
        &mut self,
        places: &[Affine],
        primitive: (usize, usize),
        show: &mut dyn FnMut(usize, &[Vec3]),
    ) -> Result<(), Problem> {
        for (instance, matrix) in places.iter().enumerate() {
            if *matrix == IDENTITY {
                show(instance, &self.own);
                continue;
            }
            self.placed.clone_from(&self.own);
            place(matrix, &mut self.placed, &mut []);
            let mut numbers = self.placed.as_flattened().iter();
            if numbers.any(|number| !number.is_finite()) {
                return Err(Problem::rule(
                    &primitive_path(primitive),
                    "its nodes or instances take a vertex to where numbers are not finite",
                ));
            }
            show(instance, &self.placed);
        }
        Ok(())
    }
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
