//! Implicit surfaces: samples a second of each instruction set over the scalar path, on one and on two threads.
//!
//! All cases take turns, so that a busy machine slows all of them; the figures are ratios of medians. Every case is checked bit
//! for bit before it is timed. Run it with `cargo bench --bench surfaces`.

use std::time::{Duration, Instant};

use rigy_batch::kernel::executor::Sequential;
use rigy_batch::kernel::simd::Isa;
use rigy_batch::kernel::surface::{Extracted, Falloff, Operator, Skeleton, Surface};
use rigy_batch::run::Parallel;

/// Samples along each axis: 125³ is just below the limit of the language, 2,000,000.
const SAMPLES: usize = 125;
/// Turns of all cases.
const TURNS: usize = 11;
/// Samples and turns with `--test`, which checks the answers.
const TESTED: (usize, usize) = (40, 1);

/// The value of a surface that fills the grid, so that triangles take a good part of the time.
const WIDE: f64 = 0.3;
/// The value of a small surface in the same grid, whose time is that of the samples.
const SMALL: f64 = 1.5;

/// A body of some balls and capsules, as documents have them.
fn surface(iso: f64, samples: usize) -> Surface {
    let operator = |index: usize| {
        let at = index as f64;
        Operator {
            skeleton: match index % 2 {
                0 => Skeleton::Point,
                _ => Skeleton::Line(0.5),
            },
            falloff: match index % 3 {
                0 => Falloff::SignedDistance,
                _ => Falloff::Metaball,
            },
            is_subtracted: index == 5,
            strength: 1.0,
            radius: 0.45,
            translation: Some([
                0.35 * ((at * 2.0) % 3.0 - 1.0),
                0.4 * (at % 3.0 - 1.0),
                0.1 * at - 0.3,
            ]),
            rotation: (index % 4 == 3).then_some([
                [0.0, -1.0, 0.0],
                [1.0, 0.0, 0.0],
                [0.0, 0.0, 1.0],
            ]),
            scale: None,
        }
    };
    Surface {
        min: [-1.0; 3],
        max: [1.0; 3],
        samples: [samples; 3],
        iso,
        operators: (0..6).map(operator).collect(),
    }
}

struct Case {
    name: String,
    isa: Isa,
    pool: Option<rayon::ThreadPool>,
    times: Vec<Duration>,
}

impl Case {
    fn new(isa: Isa, threads: usize) -> Self {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        Self {
            name: format!(
                "{isa}, {threads} thread{}",
                if threads == 1 { "" } else { "s" }
            ),
            isa,
            pool: (threads > 1).then(|| pool.build().expect("threads can be started")),
            times: Vec::new(),
        }
    }

    fn extract(&self, surface: &Surface) -> Extracted {
        let extracted = match &self.pool {
            None => surface.extract(self.isa, &Sequential, u64::MAX),
            Some(pool) => pool.install(|| surface.extract(self.isa, &Parallel, u64::MAX)),
        };
        extracted.expect("there is no limit")
    }

    fn median(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort();
        times[times.len() / 2]
    }
}

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let (samples, turns) = if is_test { TESTED } else { (SAMPLES, TURNS) };
    measure(&surface(SMALL, samples), turns);
    measure(&surface(WIDE, samples), turns);
}

/// Checks and times all cases, and prints their medians.
fn measure(surface: &Surface, turns: usize) {
    let mut cases: Vec<Case> = Isa::available()
        .into_iter()
        .map(|isa| Case::new(isa, 1))
        .collect();
    cases.push(Case::new(Isa::best(), 2));
    let expected = cases[0].extract(surface);
    for case in &cases {
        assert!(case.extract(surface) == expected, "{}", case.name);
    }
    for _ in 0..turns {
        for case in &mut cases {
            let start = Instant::now();
            let extracted = case.extract(surface);
            case.times.push(start.elapsed());
            assert_eq!(extracted.len(), expected.len());
        }
    }
    let samples = surface.sample_count() as f64;
    println!(
        "{}³ samples, {} vertices, 6 operators",
        surface.samples[0],
        expected.len()
    );
    let scalar = cases[0].median();
    for case in &cases {
        let median = case.median().as_secs_f64();
        println!(
            "{:<20} {:>8.1} ms {:>8.1} million samples/s {:>6.2} × scalar",
            case.name,
            median * 1e3,
            samples / median / 1e6,
            scalar.as_secs_f64() / median,
        );
    }
    let [one, two] = [&cases[cases.len() - 2], &cases[cases.len() - 1]].map(Case::median);
    println!(
        "two threads over one: {:.2}",
        one.as_secs_f64() / two.as_secs_f64()
    );
}
