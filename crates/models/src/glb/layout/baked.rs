//! Baked output: posed vertices without skins.

use super::primitives::Vertices;
use super::{Plan, Posed};
use crate::geometry::scene::{self, Assembly, Scene};
use crate::glb::all_finite;
use crate::glb::data::{Block, fits};
use crate::glb::{Glb, GlbError, Style};
use rigy_kernel::math::Bounds;

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
                    let bounds = Bounds::of_interleaved(positions);
                    Vertices {
                        positions: Block::Interleaved(positions),
                        bounds,
                        normals: Block::Interleaved(&posed.normals[floats]),
                        skin: None,
                    }
                })
            }
            None => {
                let geometry = &mesh.geometry;
                self.check(mesh, "rest positions", fits(&geometry.positions));
                self.check(mesh, "rest normals", fits(&geometry.normals));
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
}
