//! The scenes of a planned file: the ordinary export, baked output, and the parts of a scene that stand on each other.

use super::primitives::Vertices;
use super::{Plan, Posed};
use crate::geometry::scene::{self, Assembly, Geometry, Nested, NestedChild, Placed, Scene};
use crate::glb::data::{Block, fits};
use crate::glb::json::{Index, Node};
use crate::glb::{Glb, GlbError, Style, all_finite};
use rigy_kernel::math::{Bounds, column_major};

/// The name of the node of the whole scene.
const SCENE: &str = "scene";

/// The ordinary export: rest pose, skins kept, parts written again for each of their instances.
///
/// # Errors
/// Every mesh whose numbers overflow f32, or the file's length.
pub fn export(assembly: &Assembly, style: Style) -> Result<Glb<'_>, Vec<GlbError>> {
    let mut plan = Plan::new(style);
    if let Some(nested) = &assembly.nested {
        plan.nested(assembly, nested);
        return plan.finish();
    }
    plan.export_scene(&assembly.root);
    for instance in &assembly.instances {
        plan.instance(assembly, instance, Plan::export_scene);
    }
    plan.finish()
}

/// Baked output of an assembly: `posed` holds an entry for each mesh of the document itself, `None` for meshes without a skin,
/// which stay at rest. Skins are left out; bone nodes stay, without a transform. Instances are left out, unless `style` says
/// otherwise.
///
/// # Errors
/// Every mesh whose numbers overflow f32, or the file's length.
pub fn bake<'a>(
    assembly: &'a Assembly,
    posed: &'a [Option<Posed>],
    style: Style,
) -> Result<Glb<'a>, Vec<GlbError>> {
    let mut plan = Plan::new(style);
    plan.enter(&assembly.root);
    for (mesh, posed) in assembly.root.meshes.iter().zip(posed) {
        plan.bake_mesh(mesh, posed.as_ref());
    }
    if style.with_instances {
        for instance in &assembly.instances {
            plan.instance(assembly, instance, Plan::bake_at_rest);
        }
    }
    plan.finish()
}

impl<'a> Plan<'a> {
    fn export_scene(&mut self, scene: &'a Scene) {
        self.enter(scene);
        for mesh in &scene.meshes {
            self.export_mesh(mesh);
        }
    }

    /// Adds the node of an instance, and below it everything that `add` adds of its part.
    fn instance(
        &mut self,
        assembly: &'a Assembly,
        instance: &scene::Instance,
        add: fn(&mut Self, &'a Scene),
    ) {
        let node = self.node(Node {
            mesh: match instance.of {
                Placed::Mesh(mesh) => mesh, // meshes of the root scene are written first, in order
                Placed::Part(_) => None,
            },
            matrix: Some(column_major(&instance.matrix)),
            name: instance.name.clone(),
            ..Node::default()
        });
        if let Placed::Part(part) = instance.of {
            let outside = std::mem::take(&mut self.top);
            self.prefix = format!("{}.", instance.name);
            self.part = Some(part);
            add(self, &assembly.parts[part]);
            self.root.nodes[node].children = std::mem::replace(&mut self.top, outside);
        }
        self.top.push(node);
    }

    fn export_mesh(&mut self, mesh: &'a scene::Mesh) {
        let geometry = self.geometry_at_rest(mesh);
        self.check_tex_coords(mesh);
        let skin = mesh.skin.as_ref();
        let primitives = self.primitives(mesh, |vertices, is_merged| {
            // Of a merged primitive, min and max are those of the f64 rest positions (`numerics.md` §9.2).
            Vertices::at_rest(geometry, vertices, !is_merged, skin)
        });
        let inverse_bind_matrices = skin.map(|skin| (skin, self.inverse_bind_matrices(mesh, skin)));
        let node = self.mesh(mesh, primitives);
        if let Some((skin, inverse_bind_matrices)) = inverse_bind_matrices {
            self.skin(mesh, skin, inverse_bind_matrices, node);
        }
    }

    fn geometry_at_rest(&mut self, mesh: &'a scene::Mesh) -> &'a Geometry {
        let geometry = &mesh.geometry;
        self.check(mesh, "rest positions", fits(&geometry.positions));
        self.check(mesh, "rest normals", fits(&geometry.normals));
        geometry
    }

    /// Adds all meshes of a part as they are at rest, without skins.
    fn bake_at_rest(&mut self, scene: &'a Scene) {
        self.enter(scene);
        for mesh in &scene.meshes {
            self.bake_mesh(mesh, None);
        }
    }

    fn bake_mesh(&mut self, mesh: &'a scene::Mesh, posed: Option<&'a Posed>) {
        self.check_tex_coords(mesh);
        let primitives = match posed {
            Some(posed) => {
                let finite = |floats: &[f32]| all_finite(floats, |number| number);
                self.check(mesh, "posed positions", finite(&posed.positions));
                self.check(mesh, "posed normals", finite(&posed.normals));
                self.primitives(mesh, |vertices, _| {
                    let floats = 3 * vertices.start..3 * vertices.end;
                    let positions = &posed.positions[floats.clone()];
                    Vertices {
                        positions: Block::Interleaved(positions),
                        bounds: Bounds::of_interleaved(positions),
                        normals: Block::Interleaved(&posed.normals[floats]),
                        skin: None,
                    }
                })
            }
            None => {
                let geometry = self.geometry_at_rest(mesh);
                self.primitives(mesh, |vertices, _| {
                    Vertices::at_rest(geometry, vertices, true, None)
                })
            }
        };
        self.mesh(mesh, primitives);
        if let Some(skin) = &mesh.skin {
            self.bone_nodes(skin, |_| None);
        }
    }

    /// Adds all parts, and the nodes that show them. The nodes that parts bring along are not shown.
    fn nested(&mut self, assembly: &'a Assembly, nested: &Nested) {
        let mut meshes = Vec::with_capacity(assembly.parts.len());
        for (index, part) in assembly.parts.iter().enumerate() {
            self.part = Some(index);
            let first = self.root.meshes.len();
            self.export_scene(part);
            meshes.push(first..self.root.meshes.len());
        }
        self.top.clear();
        let scene = self.node(Node {
            name: SCENE.into(),
            ..Node::default()
        });
        let mut children: Vec<Index> = meshes
            .first()
            .cloned()
            .unwrap_or_default()
            .map(|mesh| self.shown_mesh(mesh, ""))
            .collect();
        for child in &nested.children {
            let child = self.child(child, &meshes);
            children.push(child);
        }
        self.root.nodes[scene].children = children;
        self.top.push(scene);
    }

    /// Adds the node of a child, then those of its meshes, then its own children; returns the first.
    fn child(&mut self, child: &NestedChild, meshes: &[std::ops::Range<Index>]) -> Index {
        let matrix = column_major(&child.matrix);
        let node = self.node(Node {
            matrix: Some(matrix.map(|number| if number == 0.0 { 0.0 } else { number })),
            name: child.name.clone(),
            ..Node::default()
        });
        let prefix = format!("{}.", child.name);
        let mut children: Vec<Index> = meshes[child.part]
            .clone()
            .map(|mesh| self.shown_mesh(mesh, &prefix))
            .collect();
        for grandchild in &child.children {
            let grandchild = self.child(grandchild, meshes);
            children.push(grandchild);
        }
        self.root.nodes[node].children = children;
        node
    }

    /// Adds a node that shows a mesh.
    fn shown_mesh(&mut self, mesh: Index, prefix: &str) -> Index {
        let name = format!("{prefix}{}", self.root.meshes[mesh].name);
        self.node(Node {
            mesh: Some(mesh),
            name,
            ..Node::default()
        })
    }
}
