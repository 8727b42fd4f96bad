//! The benchmark shape: a limb of two capsules over two bones, twisted by one pose.

use super::model::{
    Armature, Binding, Bone, BoneWeight, Document, Mesh, Pairs, Pose, PoseBone, Primitive,
    PrimitiveWeights, Transform,
};
use super::random::Random;
use super::values;

pub fn document(random: &mut Random) -> Document {
    let elbow = 0.6 + 0.4 * random.unit();
    let blend = 0.2 + 0.6 * random.unit();
    Document {
        version: Some("0.5".into()),
        skinning_solver: Some(Some("dqs".into())),
        meshes: Some(vec![Mesh {
            id: "limb".into(),
            name: None,
            primitives: vec![
                capsule(random, "near", elbow * 0.5),
                capsule(random, "far", elbow * 1.5),
            ],
        }]),
        armatures: Some(vec![Armature {
            id: "limb_rig".into(),
            name: None,
            bones: vec![
                bone("shoulder", "none", [0.0, elbow]),
                bone("elbow", "shoulder", [elbow, elbow * 2.0]),
            ],
        }]),
        bindings: Some(vec![Binding {
            mesh_id: "limb".into(),
            armature_id: "limb_rig".into(),
            skinning_solver: None,
            weights: vec![
                weights("near", &[("shoulder", 1.0)]),
                weights("far", &[("shoulder", 1.0 - blend), ("elbow", blend)]),
            ],
            weight_maps: None,
        }]),
        poses: Some(vec![Pose {
            id: "twist".into(),
            bones: Pairs(vec![
                (
                    "shoulder".into(),
                    PoseBone {
                        rotation: Some(Some([1.0, 0.0, 0.0, 0.0])),
                        translation: None,
                    },
                ),
                (
                    "elbow".into(),
                    PoseBone {
                        rotation: Some(Some(values::random_quaternion(random))),
                        translation: Some(Some([0.0, elbow, 0.0])),
                    },
                ),
            ]),
        }]),
        ..Document::default()
    }
}

fn capsule(random: &mut Random, id: &str, height: f64) -> Primitive {
    Primitive {
        kind: "capsule".into(),
        id: id.into(),
        name: None,
        dimensions: Pairs(vec![
            ("radius".into(), 0.05 + 0.1 * random.unit()),
            ("height".into(), 0.2 + 0.4 * random.unit()),
        ]),
        transform: Some(Some(Transform {
            translation: Some(Some([0.0, height, 0.0])),
            ..Transform::default()
        })),
        material: None,
    }
}

fn bone(id: &str, parent: &str, along_y: [f64; 2]) -> Bone {
    let [head, tail] = along_y.map(|y| [0.0, y, 0.0]);
    Bone {
        id: id.into(),
        parent: parent.into(),
        head,
        tail,
        roll: None,
    }
}

fn weights(primitive: &str, bones: &[(&str, f64)]) -> PrimitiveWeights {
    let bones = bones.iter().map(|&(bone, weight)| BoneWeight {
        bone_id: bone.into(),
        weight,
    });
    PrimitiveWeights {
        primitive_id: primitive.into(),
        bones: bones.collect(),
    }
}
