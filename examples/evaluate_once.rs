//! The kernel and nothing else, a fixed number of times, for tools that count instructions; and the hash of what it
//! gives, for programs that claim the same bits.
//!
//! `cargo run --release --example evaluate_once -- dqs random avx2 4096 1`

use std::hint::black_box;
use std::process::ExitCode;

use clap::Parser;
use rigy_batch::glb::Posed;
use rigy_batch::kernel::evaluate;
use rigy_batch::kernel::simd::Isa;
use rigy_batch::run::bench::{Kind, SOLVERS, Workload};
use sha2::{Digest, Sha256};

/// Evaluate one workload of `rigy-batch bench` and print the SHA-256 of all positions, then all normals
#[derive(Parser)]
#[command(name = "evaluate_once")]
struct Arguments {
    /// lbs or dqs
    solver: String,
    /// random, ring or mix
    workload: String,
    /// scalar, baseline, avx2 or avx512
    isa: String,
    /// How many vertices
    vertices: usize,
    /// How many times; 0 prints the hash of zeros
    repeats: usize,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(hash) => {
            println!("{hash}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<String, String> {
    let solver = SOLVERS
        .into_iter()
        .find(|solver| solver.name() == arguments.solver)
        .ok_or("there are lbs and dqs")?;
    let kind = Kind::ALL
        .into_iter()
        .find(|kind| kind.name() == arguments.workload)
        .ok_or("there are random, ring and mix")?;
    let isa = Isa::named(&arguments.isa).map_err(|error| error.to_string())?;
    let workload = Workload::new(kind, arguments.vertices);
    let job = workload.job(solver);
    let mut posed = Posed::new(arguments.vertices);
    for _ in 0..arguments.repeats {
        let all = 0..arguments.vertices;
        evaluate(isa, &job, all, &mut posed.positions, &mut posed.normals);
        black_box(&mut posed);
    }
    Ok(hash(&posed))
}

fn hash(posed: &Posed) -> String {
    let mut hash = Sha256::new();
    for number in posed.positions.iter().chain(&posed.normals) {
        hash.update(number.to_le_bytes());
    }
    let bytes = hash.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
