use super::*;
use crate::executor::Sequential;
use crate::random::Random;

fn operator(random: &mut Random) -> Operator {
    let mut number = |from: f64, to: f64| from + (to - from) * random.unit();
    Operator {
        skeleton: match number(0.0, 1.0) < 0.5 {
            true => Skeleton::Point,
            false => Skeleton::Line(number(0.1, 2.0)),
        },
        falloff: match number(0.0, 1.0) < 0.5 {
            true => Falloff::Metaball,
            false => Falloff::SignedDistance,
        },
        is_subtracted: number(0.0, 1.0) < 0.3,
        strength: number(0.1, 2.0),
        radius: number(0.2, 1.0),
        translation: (number(0.0, 1.0) < 0.7).then(|| [0; 3].map(|_| number(-1.0, 1.0))),
        rotation: (number(0.0, 1.0) < 0.5)
            .then(|| crate::math::euler_rotation([0; 3].map(|_| number(-3.0, 3.0)))),
        scale: (number(0.0, 1.0) < 0.3).then(|| number(0.5, 2.0)),
    }
}

fn surface(random: &mut Random) -> Surface {
    let count = 1 + (random.unit() * 5.0) as usize;
    // Now and then, a row that is evaluated in several pieces.
    let most_x = if random.unit() < 0.1 { 3000.0 } else { 15.0 };
    Surface {
        min: [-1.0, -1.1, -0.9],
        max: [1.2, 1.0, 1.3],
        samples: [most_x, 15.0, 15.0].map(|most| 2 + (random.unit() * most) as usize),
        iso: 0.05 + random.unit() * 0.5,
        operators: (0..count).map(|_| operator(random)).collect(),
    }
}

/// Cuts the grid into tasks of one layer, and runs them backwards.
struct Backwards;

impl Executor for Backwards {
    fn for_each(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..count).rev().for_each(task);
    }

    fn vertices_per_task(&self, _: usize) -> usize {
        1
    }
}

#[test]
fn every_instruction_set_and_every_division_gives_the_same_bits() {
    let bits = |extracted: &Extracted| {
        let planes = extracted.positions.iter().chain(&extracted.normals);
        let bits = planes.map(|plane| plane.iter().map(|v| v.to_bits()).collect::<Vec<_>>());
        bits.collect::<Vec<_>>()
    };
    let (mut random, mut vertices) = (Random::new(13), 0);
    for _ in 0..60 {
        let surface = surface(&mut random);
        let expected = surface.extract(Isa::Scalar, &Sequential, u64::MAX).unwrap();
        vertices += expected.len();
        for isa in Isa::available() {
            let whole = surface.extract(isa, &Sequential, u64::MAX).unwrap();
            let parts = surface.extract(isa, &Backwards, u64::MAX).unwrap();
            assert_eq!(bits(&expected), bits(&whole), "{isa}");
            assert_eq!(bits(&expected), bits(&parts), "{isa}");
        }
        let limit = (expected.len() as u64).saturating_sub(1);
        if !expected.is_empty() {
            let refused = surface.extract(Isa::Scalar, &Sequential, limit);
            assert_eq!(refused, Err(TooManyVertices));
        }
    }
    assert!(vertices > 10_000, "only {vertices} vertices");
}
