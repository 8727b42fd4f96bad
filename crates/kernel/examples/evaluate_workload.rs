//! Evaluates one workload of `rigy-batch bench`, for tools that count instructions.
//!
//! `cargo run --release -p rigy-kernel --example evaluate_workload -- SOLVER WORKLOAD ISA VERTICES REPEATS`, for instance with
//! `dqs random avx2 4096 1`, or `random:200` for 200 joints in place of 64. With a number of `REPEATS` it evaluates as often, and writes all positions, then all normals,
//! as little-endian f32 to standard output. Zero repeats write zeros. SOLVER `glb-lbs` or `glb-dqs` evaluates vertices as of a glTF file, with four
//! influences of random joints each, whatever the kind of WORKLOAD is.

use std::hint::black_box;
use std::io::{self, Write};
use std::process::ExitCode;

use rigy_kernel::bench::{JOINTS, Kind, SOLVERS, Workload};
use rigy_kernel::math::{Affine, Quat, Vec3};
use rigy_kernel::simd::Isa;
use rigy_kernel::{
    BLOCK, FrameJob, FramePalette, Frames, Influences, Job, ReferenceRule, SLOTS, Solver, evaluate,
    evaluate_frames,
};

/// Three numbers a vertex.
struct Posed {
    positions: Vec<f32>,
    normals: Vec<f32>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(|argument| &**argument).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), String> {
    let [solver, workload, isa, vertices, repeats] = *arguments else {
        return Err("usage: evaluate_workload SOLVER WORKLOAD ISA VERTICES REPEATS".into());
    };
    let (is_of_glb, solver) = match solver.strip_prefix("glb-") {
        Some(solver) => (true, solver),
        None => (false, solver),
    };
    let solver = SOLVERS
        .into_iter()
        .find(|known| known.name() == solver)
        .ok_or("the solver is lbs, dqs, glb-lbs or glb-dqs")?;
    let number = |text: &str| {
        let number = text.parse::<usize>();
        number.map_err(|error| format!("`{text}`: {error}"))
    };
    let (workload, joints) = match workload.split_once(':') {
        Some((workload, joints)) => (workload, number(joints)?),
        None => (workload, JOINTS),
    };
    if !(1..=65_536).contains(&joints) {
        return Err(format!("there may be 1 to 65536 joints, not {joints}"));
    }
    let kind = Kind::ALL
        .into_iter()
        .find(|known| known.name() == workload)
        .ok_or("the workload is random, ring or mix")?;
    let isa = match isa {
        "widest" => Isa::available().pop().unwrap_or(Isa::Baseline),
        _ => Isa::named(isa).map_err(|error| error.to_string())?,
    };
    let vertices = number(vertices)?;
    let repeats = number(repeats)?;
    if is_of_glb {
        let posed = frames(isa, solver, joints, vertices, repeats);
        return write(&posed).map_err(|error| format!("standard output: {error}"));
    }
    let workload = Workload::with_slots::<SLOTS>(kind, vertices, joints);
    let job = workload.job(solver);
    let mut posed = Posed {
        positions: vec![0.0; 3 * vertices],
        normals: vec![0.0; 3 * vertices],
    };
    (0..repeats).for_each(|_| once(isa, &job, &mut posed));
    write(&posed).map_err(|error| format!("standard output: {error}"))
}

fn once(isa: Isa, job: &Job, posed: &mut Posed) {
    let all = 0..job.rest.vertex_count();
    evaluate(isa, job, all, &mut posed.positions, &mut posed.normals);
    black_box(posed);
}

/// Evaluates as many vertices of a glTF file, up to whole blocks.
fn frames(isa: Isa, solver: Solver, joints: usize, vertices: usize, repeats: usize) -> Posed {
    let vertices = vertices.next_multiple_of(BLOCK);
    let mut random = Random(0x5eed);
    let slots: Vec<(u16, f64)> = (0..vertices * SLOTS)
        .map(|_| ((random.unit() * joints as f64) as u16, 1.0 - random.unit()))
        .collect();
    let influences = Influences::bind_each(ReferenceRule::LargestWeight, 1, &slots);
    let planes: [Vec<f64>; 6] = [(); 6].map(|()| random.plane(vertices));
    let [px, py, pz, nx, ny, nz] = planes.each_ref().map(Vec::as_slice);
    let palette = match solver {
        Solver::Lbs => FramePalette::linear((0..joints).map(|_| random.matrix())),
        Solver::Dqs => FramePalette::rigid((0..joints).map(|_| random.motion())),
    };
    let job = FrameJob {
        palette: &palette,
        influences: &influences,
        positions: [px, py, pz],
        normals: Some([nx, ny, nz]),
        tangents: None,
    };
    let mut posed = Posed {
        positions: vec![0.0; 3 * vertices],
        normals: vec![0.0; 3 * vertices],
    };
    for _ in 0..repeats {
        let to = Frames {
            positions: &mut posed.positions,
            normals: &mut posed.normals,
            tangents: &mut [],
            signs: &mut [],
        };
        evaluate_frames(isa, &job, to);
        black_box(&mut posed);
    }
    posed
}

/// The generator xorshift.
struct Random(u64);

impl Random {
    /// The next number from 0 to below 1.
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn plane(&mut self, len: usize) -> Vec<f64> {
        (0..len).map(|_| self.unit() - 0.5).collect()
    }

    fn matrix(&mut self) -> Affine {
        [(); 3].map(|()| [(); 4].map(|()| self.unit() - 0.5))
    }

    /// A rotation of unit length, and a translation.
    fn motion(&mut self) -> (Quat, Vec3) {
        let q = [(); 4].map(|()| self.unit() - 0.5);
        let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        let translation = [(); 3].map(|()| self.unit() - 0.5);
        (Quat::from_wxyz(q.map(|c| c / norm)), translation)
    }
}

fn write(posed: &Posed) -> io::Result<()> {
    let numbers = posed.positions.iter().chain(&posed.normals);
    let bytes: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
    io::stdout().write_all(&bytes)
}
