//! Vertices, influences and joints drawn from bytes, evaluated by every instruction set, whole and in pieces.

use rigy_batch::kernel::ReferenceRule::{LargestWeight, LowestJoint};
use rigy_batch::kernel::math::{Affine, Quat, Vec3};
use rigy_batch::kernel::simd::Isa;
use rigy_batch::kernel::{
    BLOCK, FrameJob, FramePalette, Frames, Influences, Job, JointPose, Palette, Rest, SLOTS,
    evaluate as evaluate_range, evaluate_frames,
};

use crate::numbers::Numbers;
use crate::operations;

/// Numbers of vertices: around the borders of lanes, of blocks, and of blocks that are blended together.
const LENGTHS: [usize; 20] = [
    0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40, 63, 65, 129,
];

/// Numbers of joints: around the borders of a word of signs, and of the table of them.
const JOINTS: [usize; 12] = [1, 2, 3, 4, 5, 8, 63, 64, 65, 255, 256, 257];

/// One of everything that is evaluated.
struct Case {
    /// Rest positions and normals, plane by plane.
    planes: [Vec<f64>; 6],
    set_count: usize,
    slots: Vec<(u16, f64)>,
    joints: Vec<(JointPose, Vec3)>,
    /// Vertices in each piece, until there are none left; then from the beginning.
    pieces: Vec<usize>,
    /// Index of the instruction set that evaluates them.
    cut_by: usize,
}

/// Evaluates the case that some bytes describe: by both solvers, both widths of coordinates, and every way of binding and
/// cutting.
pub fn evaluate(bytes: &[u8]) {
    let mut numbers = Numbers::new(bytes);
    operations::agree(&mut numbers);
    let case = Case::draw(&mut numbers);
    let matrices = case
        .joints
        .iter()
        .map(|(pose, bind)| (pose.matrix(), *bind));
    let palettes = [
        Palette::linear(matrices),
        Palette::dual(case.joints.iter().copied()),
    ];
    let single: [Vec<f32>; 6] = case
        .planes
        .each_ref()
        .map(|plane| plane.iter().map(|c| *c as f32).collect());
    let widened = single
        .each_ref()
        .map(|plane| plane.iter().copied().map(f64::from).collect::<Vec<_>>());
    let double = |planes: &[Vec<f64>; 6]| Rest::double(planes.each_ref().map(Vec::as_slice));
    let at = |axis: usize, index: usize| single[axis][index];
    let vertices = (0..case.count()).map(|i| {
        (
            [at(0, i), at(1, i), at(2, i)],
            [at(3, i), at(4, i), at(5, i)],
        )
    });
    let bound = case.bound();
    for palette in &palettes {
        case.agree(palette, &bound, &[double(&case.planes)]);
        // Vertices stored in single precision give the same as their values widened to doubles.
        case.agree(
            palette,
            &bound,
            &[double(&widened), Rest::single(vertices.clone())],
        );
    }
    case.agree_on_frames();
}

impl Case {
    fn draw(numbers: &mut Numbers<'_>) -> Self {
        let joint_count = numbers.pick(&JOINTS);
        // A few joints are drawn, the others turn them round: each pair has opposite signs.
        let drawn: Vec<_> = (0..joint_count.min(6)).map(|_| joint(numbers)).collect();
        let joints = (0..joint_count).map(|index| {
            let (mut pose, bind) = drawn[index % drawn.len()];
            if index / drawn.len() % 2 == 1 {
                pose.rotation = Quat::from_wxyz(pose.rotation.wxyz().map(|c| -c));
            }
            (pose, bind)
        });
        let joints = joints.collect();
        let (count, set_count) = (numbers.pick(&LENGTHS), 1 + numbers.below(3));
        let longest_run = numbers.pick(&[1, 3, 40]);
        let mut slots = Vec::with_capacity(count * set_count * SLOTS);
        let mut left = count;
        while left > 0 {
            let run = (1 + numbers.below(longest_run)).min(left);
            let list: Vec<_> = (0..set_count * SLOTS)
                .map(|_| (numbers.below(joint_count) as u16, numbers.weight()))
                .collect();
            slots.extend(std::iter::repeat_n(list, run).flatten());
            left -= run;
        }
        let planes = std::array::from_fn(|_| (0..count).map(|_| numbers.number()).collect());
        let pieces = (0..3)
            .map(|_| numbers.pick(&[1, 2, 3, 7, 8, 9, 24, 61, 64]))
            .collect();
        Self {
            planes,
            set_count,
            slots,
            joints,
            pieces,
            cut_by: numbers.below(4),
        }
    }

    fn count(&self) -> usize {
        self.planes[0].len()
    }

    /// The influences, bound in every way there is.
    fn bound(&self) -> Vec<Influences> {
        let each = Influences::bind_each(LowestJoint, self.set_count, &self.slots);
        let mut bound = vec![
            Influences::bind(LowestJoint, self.set_count, &self.slots),
            each,
        ];
        if self.set_count == 1 {
            let lists: &[[_; SLOTS]] = self.slots.as_chunks().0;
            let runs: Vec<_> = lists
                .chunk_by(same)
                .map(|run| (&run[0], run.len()))
                .collect();
            bound.push(Influences::of_runs(LowestJoint, runs.into_iter()));
        }
        bound
    }

    /// Asserts that every instruction set, and one of them in pieces, gives the bits of the scalar path in one piece;
    /// and that it does not matter how influences are bound, as long as no product overflows. (A slot of weight zero
    /// may be multiplied or left out, which shows where it is multiplied with something infinite.)
    fn agree(&self, palette: &Palette, bound: &[Influences], rests: &[Rest]) {
        let mut expected = None;
        for influences in bound {
            if !self.is_tame() {
                expected = None;
            }
            for rest in rests {
                let job = Job {
                    palette,
                    influences,
                    rest,
                };
                let whole = [self.count().max(1)];
                let sets = Isa::available();
                let cut = sets[self.cut_by % sets.len()];
                let ways = sets.into_iter().map(|isa| (isa, &whole[..]));
                for (isa, pieces) in ways.chain([(cut, &self.pieces[..])]) {
                    let bits = posed(isa, &job, pieces);
                    let expected = expected.get_or_insert_with(|| bits.clone());
                    assert!(
                        bits == *expected,
                        "{isa} in pieces of {pieces:?} gives other bits"
                    );
                }
            }
        }
    }

    /// True if all numbers are so small that products of a few are finite, also in single precision.
    fn is_tame(&self) -> bool {
        let joints = self.joints.iter().flat_map(|(pose, bind)| {
            let [a, b, c] = pose.translation;
            pose.rotation
                .wxyz()
                .into_iter()
                .chain([a, b, c])
                .chain(*bind)
        });
        let weights = self.slots.iter().map(|(_, weight)| *weight);
        let planes = self.planes.iter().flatten().copied();
        let is_small = |number: f64| number.abs() < 1e30;
        joints.chain(weights).chain(planes).all(is_small)
    }

    /// The same for whole frames, as glTF files have them: normals serve as tangents, too.
    fn agree_on_frames(&self) {
        let padded = self.count().next_multiple_of(BLOCK);
        let pad = |plane: &Vec<f64>| {
            let mut plane = plane.clone();
            plane.resize(padded, plane.last().copied().unwrap_or(0.0));
            plane
        };
        let planes = self.planes.each_ref().map(pad);
        let [x, y, z, nx, ny, nz] = planes.each_ref().map(Vec::as_slice);
        let matrices = || self.joints.iter().map(|(pose, bind)| affine(pose, *bind));
        let rigid = || {
            self.joints
                .iter()
                .map(|(pose, _)| (pose.rotation, pose.translation))
        };
        let palettes = [
            FramePalette::linear(matrices()),
            FramePalette::rigid(rigid()),
            FramePalette::scaled(matrices(), rigid()),
        ];
        let influences = Influences::bind_each(LargestWeight, self.set_count, &self.slots);
        for palette in &palettes {
            let directions = Some([nx, ny, nz]);
            let job = FrameJob {
                palette,
                influences: &influences,
                positions: [x, y, z],
                normals: directions,
                tangents: directions.filter(|_| self.set_count != 2),
            };
            let mut of_sets = Isa::available()
                .into_iter()
                .map(|isa| (isa, framed(isa, &job)));
            let (_, expected) = of_sets.next().expect("scalar is everywhere");
            of_sets.for_each(|(isa, bits)| assert!(bits == expected, "{isa} gives other frames"));
        }
    }
}

fn joint(numbers: &mut Numbers<'_>) -> (JointPose, Vec3) {
    let rotation = Quat::from_wxyz(numbers.rotation());
    let translation = numbers.vector();
    (
        JointPose {
            rotation,
            translation,
        },
        numbers.vector(),
    )
}

/// A matrix with scale in it: the pose's, its axes stretched by the bind pose.
fn affine(pose: &JointPose, stretch: Vec3) -> Affine {
    pose.matrix().map(|row| {
        [
            row[0] * stretch[0],
            row[1] * stretch[1],
            row[2] * stretch[2],
            row[3],
        ]
    })
}

/// True if two lists have the same bits.
fn same(a: &[(u16, f64); SLOTS], b: &[(u16, f64); SLOTS]) -> bool {
    let bits = |slots: &[(u16, f64); SLOTS]| slots.map(|(joint, weight)| (joint, weight.to_bits()));
    bits(a) == bits(b)
}

/// Bits of posed positions and normals, evaluated in pieces.
fn posed(isa: Isa, job: &Job<'_>, pieces: &[usize]) -> Vec<u32> {
    let count = job.rest.vertex_count();
    let (mut positions, mut normals) = (vec![0.0; 3 * count], vec![0.0; 3 * count]);
    let mut lens = pieces.iter().cycle();
    let mut start = 0;
    while start < count {
        let end = count.min(start + lens.next().expect("there are pieces"));
        let numbers = 3 * start..3 * end;
        evaluate_range(
            isa,
            job,
            start..end,
            &mut positions[numbers.clone()],
            &mut normals[numbers],
        );
        start = end;
    }
    bits(positions.into_iter().chain(normals))
}

/// Bits of whole frames, and signs.
fn framed(isa: Isa, job: &FrameJob<'_>) -> (Vec<u32>, Vec<u64>) {
    let padded = job.positions[0].len();
    let zeros = |is_there: bool| vec![0.0f32; if is_there { 3 * padded } else { 0 }];
    let (mut positions, mut normals) = (zeros(true), zeros(job.normals.is_some()));
    let (mut tangents, mut signs) = (zeros(job.tangents.is_some()), vec![0.0; padded]);
    let to = Frames {
        positions: &mut positions,
        normals: &mut normals,
        tangents: &mut tangents,
        signs: &mut signs,
    };
    evaluate_frames(isa, job, to);
    let signs = signs.into_iter().map(f64::to_bits).collect();
    (
        bits(positions.into_iter().chain(normals).chain(tangents)),
        signs,
    )
}

/// Bits of results; all NaNs count as one, because no contract fixes payload and sign.
fn bits(values: impl Iterator<Item = f32>) -> Vec<u32> {
    let canonical = |value: f32| {
        if value.is_nan() {
            u32::MAX
        } else {
            value.to_bits()
        }
    };
    values.map(canonical).collect()
}
