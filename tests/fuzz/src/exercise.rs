//! Everything that the library can do with a file that it has accepted, with assertions of its promises.

use std::collections::BTreeSet;

use rigy_batch::bake::gltf::{
    Channel, DualForm, File, JointScale, Primitive, RestFrames, Skeleton, Skin, VertexInfluences,
    Vertices, dual_form, joint_matrices, pose, read,
};
use rigy_batch::base::loader::{Location, MemoryLoader};
use rigy_batch::kernel::simd::Isa;
use rigy_batch::kernel::{
    FrameJob, FramePalette, Frames, Influences, ReferenceRule, evaluate_frames,
};

use crate::made::use_all;

const VERTICES: usize = 150;

/// One file besides the one at hand, for buffers to refer to.
pub fn loader() -> MemoryLoader {
    let more = (0..=255).collect();
    MemoryLoader {
        files: [("more.bin".to_owned(), more)].into(),
    }
}

/// Every form of joint scale.
pub fn scales() -> [JointScale; 4] {
    let names = ["tip", "b"].map(str::to_owned);
    [
        JointScale::Global,
        JointScale::Local,
        JointScale::LocalFor(BTreeSet::from(names)),
        JointScale::Reject,
    ]
}

pub fn exercise(bytes: &[u8]) {
    let loader = loader();
    let Ok(read) = read(bytes, &Location("m.glb".into()), &loader) else {
        return;
    };
    let file = read.value;
    use_all(&file);
    for (channels, time) in times(&file) {
        let Ok(pose) = pose(&file.nodes, channels, time) else {
            continue;
        };
        let skeleton = Skeleton::new(&file.nodes, &pose);
        let palettes: Vec<Vec<FramePalette>> = file
            .skins
            .iter()
            .map(|skin| palettes(&skeleton, skin))
            .collect();
        for (node, posed) in file.nodes.iter().zip(&pose.nodes) {
            let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
                continue;
            };
            let mesh = &file.meshes[mesh];
            let weights = posed.weights.as_ref().unwrap_or(&mesh.weights);
            assert_eq!(weights.len(), mesh.weights.len());
            for primitive in &mesh.primitives {
                skinned(
                    &file,
                    primitive,
                    &file.skins[skin],
                    weights,
                    &palettes[skin],
                );
            }
        }
    }
}

/// No animation; each of the first at its ends and in between.
fn times<'f>(file: &'f File<'_>) -> Vec<(&'f [Channel], f64)> {
    let mut times = vec![(&[][..], 0.0)];
    let animations = 0..file.animations.len();
    for animation in animations
        .filter_map(|index| file.channels(index).ok())
        .take(2)
    {
        let channels = animation.value;
        let last = channels.iter().filter_map(|channel| channel.times.last());
        let last = last.fold(0.0, |a: f64, b| a.max(*b));
        times.extend([0.0, 0.3, last / 2.0, last].map(|time| (channels, time)));
    }
    times
}

fn palettes(skeleton: &Skeleton<'_>, skin: &Skin) -> Vec<FramePalette> {
    let finite = |matrices: &[[[f64; 4]; 3]]| {
        assert!(
            matrices
                .as_flattened()
                .as_flattened()
                .iter()
                .all(|c| c.is_finite())
        )
    };
    let mut palettes = Vec::new();
    if let Ok(matrices) = joint_matrices(skeleton, skin) {
        finite(&matrices);
        palettes.push(FramePalette::linear(matrices));
    }
    for scale in scales() {
        match dual_form(skeleton, skin, &scale) {
            Ok(DualForm::Rigid(rigid)) => palettes.push(FramePalette::rigid(rigid)),
            Ok(DualForm::Scaled { first, rigid }) => {
                finite(&first);
                palettes.push(FramePalette::scaled(&first, &rigid));
                palettes.push(FramePalette::two_stage(&first, &rigid));
            }
            Err(errors) => assert!(!errors.is_empty()),
        }
    }
    palettes
}

/// Poses some vertices of a primitive; every instruction set must give the same bits.
fn skinned(
    file: &File<'_>,
    primitive: &Primitive,
    skin: &Skin,
    weights: &[f64],
    palettes: &[FramePalette],
) {
    let from = Vertices {
        file,
        primitive,
        path: "",
        range: 0..primitive.vertex_count.min(VERTICES),
    };
    let (mut bound, mut rest) = (VertexInfluences::default(), RestFrames::default());
    if bound.read(&from, skin.joints.len()).is_err() || rest.read(&from, weights, true).is_err() {
        return;
    }
    let slots = bound.slots();
    assert_eq!(slots.len(), 4 * bound.set_count * from.range.len());
    let bound = Influences::bind_each(ReferenceRule::LargestWeight, bound.set_count, &slots);
    let padded = rest.positions[0].len();
    for palette in palettes {
        let job = FrameJob {
            palette,
            influences: &bound,
            positions: rest.positions.each_ref().map(Vec::as_slice),
            normals: rest
                .normals
                .as_ref()
                .map(|planes| planes.each_ref().map(Vec::as_slice)),
            tangents: rest
                .tangents
                .as_ref()
                .map(|planes| planes.each_ref().map(Vec::as_slice)),
        };
        let on = |isa: Isa| {
            let zeros = |present: bool| vec![0.0f32; if present { 3 * padded } else { 0 }];
            let (mut positions, mut normals) = (zeros(true), zeros(job.normals.is_some()));
            let (mut tangents, mut signs) = (zeros(job.tangents.is_some()), vec![0.0; padded]);
            let to = Frames {
                positions: &mut positions,
                normals: &mut normals,
                tangents: &mut tangents,
                signs: &mut signs,
            };
            evaluate_frames(isa, &job, to);
            // The sign of a NaN may differ.
            let bits = |number: f32| {
                if number.is_nan() {
                    u32::MAX
                } else {
                    number.to_bits()
                }
            };
            let numbers = [positions, normals, tangents].concat();
            (numbers.into_iter().map(bits).collect::<Vec<_>>(), signs)
        };
        let mut of_sets = Isa::available().into_iter().map(|isa| (isa, on(isa)));
        let (_, first) = of_sets.next().unwrap();
        of_sets.for_each(|(isa, other)| assert!(other == first, "{isa:?} gives other bits"));
    }
}
