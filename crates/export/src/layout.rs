//! How a scene is laid out in a file: its objects, its axes and its unit.

use rigy_base::diag::{Category, Code, Diagnostic};
use rigy_kernel::math::Vec3;
use rigy_models::mesh::Surface;
use serde::Serialize;

rigy_base::choices! {
    /// The objects that a file has.
    #[derive(Default)]
    pub enum Join {
        /// One, with a group for each primitive or material.
        #[default]
        All,
        /// One for each node that has a mesh, or for each of its instances. Formats without objects hold one mesh in any case.
        Node,
    }
}

rigy_base::choices! {
    /// The axis that points up.
    #[derive(Default, Serialize)]
    pub enum Up {
        /// Y, as in glTF.
        #[default]
        Y,
        /// Z: (x, y, z) becomes (x, −z, y).
        Z,
    }
}

/// How a scene is laid out in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// The objects of the file.
    pub join: Join,
    /// The axis that points up.
    pub up: Up,
    /// The factor of all positions: units of the file in a unit of the scene, which is a metre. Finite and greater than 0.
    pub scale: f64,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            join: Join::default(),
            up: Up::default(),
            scale: 1.0,
        }
    }
}

impl Layout {
    /// Checks that the scale can be used.
    ///
    /// # Errors
    /// If it is not finite, or not greater than 0.
    pub(super) fn check(&self) -> Result<(), Diagnostic> {
        if self.scale.is_finite() && self.scale > 0.0 {
            return Ok(());
        }
        Err(Diagnostic::without_code(
            Category::ExportError,
            format!("the scale is {}, not a number greater than 0", self.scale),
        ))
    }

    /// The positions of a surface in the file, each scaled in f64 and rounded once.
    ///
    /// # Errors
    /// If a number exceeds single precision (U15).
    pub(super) fn positions(&self, surface: &Surface) -> Result<Vec<[f32; 3]>, Diagnostic> {
        let placed = surface
            .positions
            .iter()
            .map(|position| position.map(|number| number * self.scale));
        self.rounded(placed, "a position", surface)
    }

    /// The normals of a surface in the file; `None` if it has none.
    pub(super) fn normals(&self, surface: &Surface) -> Result<Option<Vec<[f32; 3]>>, Diagnostic> {
        let normals = surface.normals.as_ref();
        normals
            .map(|normals| self.rounded(normals.iter().copied(), "a normal", surface))
            .transpose()
    }

    fn rounded(
        &self,
        vectors: impl Iterator<Item = Vec3>,
        kind: &str,
        surface: &Surface,
    ) -> Result<Vec<[f32; 3]>, Diagnostic> {
        let rounded: Vec<[f32; 3]> = vectors
            .map(|vector| self.turned(vector).map(|number| number as f32))
            .collect();
        if rounded.as_flattened().iter().all(|n| n.is_finite()) {
            Ok(rounded)
        } else {
            Err(too_large(kind, surface))
        }
    }

    fn turned(&self, [x, y, z]: Vec3) -> Vec3 {
        match self.up {
            Up::Y => [x, y, z],
            // The difference gives 0 where a negation would give −0.
            Up::Z => [x, 0.0 - z, y],
        }
    }
}

/// The error that a number of a surface exceeds single precision.
pub fn too_large(kind: &str, surface: &Surface) -> Diagnostic {
    let node = surface.node;
    let name = &surface.name;
    let mut error = Diagnostic::without_code(
        Category::ExportError,
        format!("{kind} of {name:?} at node {node} exceeds single precision"),
    );
    error.code = Some(Code::U15);
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface(position: Vec3) -> Surface {
        Surface {
            positions: vec![position],
            normals: Some(vec![[0.0, 1.0, 0.0]]),
            ..Surface::default()
        }
    }

    #[test]
    fn positions_are_scaled_in_f64_and_rounded_once() {
        let position = [1.0 / 3.0, 0.1, -7.0e-3];
        for scale in [1.0, 1000.0, 0.3] {
            let layout = Layout {
                scale,
                ..Layout::default()
            };
            let found = layout.positions(&surface(position)).unwrap();
            assert_eq!(found, [position.map(|number| (number * scale) as f32)]);
        }
    }

    #[test]
    fn z_up_turns_positions_and_normals_by_a_quarter() {
        let layout = Layout {
            up: Up::Z,
            ..Layout::default()
        };
        let surface = surface([1.0, 2.0, 3.0]);
        assert_eq!(layout.positions(&surface).unwrap(), [[1.0, -3.0, 2.0]]);
        let [[x, y, z]] = layout.normals(&surface).unwrap().unwrap()[..] else {
            panic!("one normal");
        };
        assert_eq!([x, y, z].map(f32::to_bits), [0, 0, 1.0f32.to_bits()]);
    }

    #[test]
    fn scales_and_numbers_that_cannot_be_used_are_errors() {
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let layout = Layout {
                scale,
                ..Layout::default()
            };
            assert!(layout.check().is_err(), "{scale}");
        }
        let error = Layout::default().positions(&surface([1e39, 0.0, 0.0]));
        assert_eq!(error.unwrap_err().code, Some(Code::U15));
    }
}
