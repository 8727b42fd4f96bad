//! Evaluates one workload of `rigy-batch bench`, for tools that count instructions.
//!
//! `cargo run --release -p rigy-kernel --example evaluate_workload -- SOLVER WORKLOAD ISA VERTICES REPEATS`, for instance with
//! `dqs random avx2 4096 1`, or `random:200` for 200 joints in place of 64. With a number of `REPEATS` it evaluates as often, and writes all positions, then all normals,
//! as little-endian f32 to standard output. Zero repeats write zeros.

use std::hint::black_box;
use std::io::{self, Write};
use std::process::ExitCode;

use rigy_kernel::bench::{JOINTS, Kind, SOLVERS, Workload};
use rigy_kernel::simd::Isa;
use rigy_kernel::{Job, SLOTS, evaluate};

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
    let solver = SOLVERS
        .into_iter()
        .find(|known| known.name() == solver)
        .ok_or("the solver is lbs or dqs")?;
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
    let workload = Workload::with_slots::<SLOTS>(kind, vertices, joints);
    let job = workload.job(solver);
    let mut posed = Posed {
        positions: vec![0.0; 3 * vertices],
        normals: vec![0.0; 3 * vertices],
    };
    (0..number(repeats)?).for_each(|_| once(isa, &job, &mut posed));
    write(&posed).map_err(|error| format!("standard output: {error}"))
}

fn once(isa: Isa, job: &Job<'_>, posed: &mut Posed) {
    let all = 0..job.rest.vertex_count();
    evaluate(isa, job, all, &mut posed.positions, &mut posed.normals);
    black_box(posed);
}

fn write(posed: &Posed) -> io::Result<()> {
    let numbers = posed.positions.iter().chain(&posed.normals);
    let bytes: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
    io::stdout().write_all(&bytes)
}
