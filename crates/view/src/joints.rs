//! The transforms of a skin's joints at one moment, as shaders need them: matrices and dual quaternions.

use rigy_gltf::DualForm;
use rigy_kernel::math::{Affine, DualQuat};
use rigy_kernel::{JointPose, Palette};
use rigy_language::model::Solver;
use rigy_models::geometry::pose::palette_by;
use rigy_models::geometry::scene;

/// The transforms of the joints of a skin, in its order.
pub(super) struct JointTransforms {
    /// Matrices of linear blending.
    pub linear: Vec<Affine>,
    /// Transforms for dual quaternion skinning; `None` if there are none.
    pub dual: Option<DualTransforms>,
}

/// The transforms of dual quaternion skinning.
pub(super) struct DualTransforms {
    /// Dual quaternions.
    pub rigid: Vec<DualQuat>,
    /// Matrices that are blended linearly before; `None` if no joint scales.
    pub first: Option<Vec<Affine>>,
}

impl JointTransforms {
    /// Returns the transforms of a document's skin whose joints are in these poses.
    pub fn of_document(skin: &scene::Skin, poses: &[JointPose]) -> Self {
        let (mut linear, mut rigid) = (Vec::new(), Vec::new());
        for solver in [Solver::Lbs, Solver::Dqs] {
            let joints = 0..skin.joints.len();
            match palette_by(solver, poses, skin) {
                Palette::Linear(palette) => {
                    linear.extend(joints.map(|joint| palette.matrix(joint)));
                }
                Palette::Dual(palette) => {
                    rigid.extend(joints.map(|joint| palette.dual_quaternion(joint)));
                }
            }
        }
        let dual = DualTransforms { rigid, first: None };
        Self {
            linear,
            dual: Some(dual),
        }
    }
}

impl From<DualForm> for DualTransforms {
    fn from(form: DualForm) -> Self {
        let (rigid, first) = match form {
            DualForm::Rigid(rigid) => (rigid, None),
            DualForm::Scaled { first, rigid } => (rigid, Some(first)),
        };
        let rigid = rigid.into_iter();
        Self {
            rigid: rigid
                .map(|(rotation, translation)| DualQuat::new(rotation, translation))
                .collect(),
            first,
        }
    }
}
