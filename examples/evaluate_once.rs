//! Evaluates one workload of `rigy-batch bench` a fixed number of times, for tools that count instructions. Writes all
//! positions, then all normals, as little-endian f32 to standard output, for programs that claim the same bits.
//!
//! `cargo run --release --example evaluate_once -- SOLVER WORKLOAD ISA VERTICES REPEATS | sha256sum`, for instance with
//! `dqs random avx2 4096 1`. Zero repeats write zeros. It uses no crate but the library, so that `scripts/instructions.sh`
//! can compile it without the dependencies of the tests.

use std::hint::black_box;
use std::io::Write;
use std::process::ExitCode;

use rigy_batch::glb::Posed;
use rigy_batch::kernel::evaluate;
use rigy_batch::kernel::simd::Isa;
use rigy_batch::run::bench::{Kind, SOLVERS, Workload};

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
        return Err("usage: evaluate_once SOLVER WORKLOAD ISA VERTICES REPEATS".into());
    };
    let solver = SOLVERS
        .into_iter()
        .find(|known| known.name() == solver)
        .ok_or("the solver is lbs or dqs")?;
    let kind = Kind::ALL
        .into_iter()
        .find(|known| known.name() == workload)
        .ok_or("the workload is random, ring or mix")?;
    let isa = Isa::named(isa).map_err(|error| error.to_string())?;
    let number = |text: &str| {
        let number = text.parse::<usize>();
        number.map_err(|error| format!("`{text}`: {error}"))
    };
    let (vertices, repeats) = (number(vertices)?, number(repeats)?);
    let workload = Workload::new(kind, vertices);
    let job = workload.job(solver);
    let mut posed = Posed::new(vertices);
    for _ in 0..repeats {
        let all = 0..vertices;
        evaluate(isa, &job, all, &mut posed.positions, &mut posed.normals);
        black_box(&mut posed);
    }
    let numbers = posed.positions.iter().chain(&posed.normals);
    let bytes: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
    let written = std::io::stdout().write_all(&bytes);
    written.map_err(|error| format!("standard output: {error}"))
}
