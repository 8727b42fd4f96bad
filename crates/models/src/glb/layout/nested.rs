//! The nodes of a scene: its parts, written once each, and nodes that show them in their places (`extensions.md` §12.3).

use super::{Plan, column_major};
use crate::geometry::scene::{Assembly, Nested, NestedChild};
use crate::glb::json::{Index, Node};

/// The name of the node of the whole scene.
const SCENE: &str = "scene";

impl<'a> Plan<'a> {
    /// Adds all parts, and the nodes that show them. The nodes that parts bring along are not shown.
    pub(super) fn nested(&mut self, assembly: &'a Assembly, nested: &Nested) {
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
        let shown = meshes.first().cloned().unwrap_or_default();
        let mut children: Vec<Index> = shown.map(|mesh| self.shown_mesh(mesh, "")).collect();
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
        let shown = meshes[child.part].clone();
        let mut children: Vec<Index> = shown.map(|mesh| self.shown_mesh(mesh, &prefix)).collect();
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
