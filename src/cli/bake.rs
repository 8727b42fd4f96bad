//! The `bake` command: skinned glTF files to plain meshes.

use std::cell::Cell;
use std::ffi::OsStr;
use std::sync::Arc;

use super::bake_args::Bake;
use super::bake_values::SolverName;
use super::input_kind::InputKind;
use super::page::Shown;
use super::reporter::run_and_report;
use super::requested::RequestedNames;
use super::session::{self, Session};
use super::{Fatal, print_message};
use crate::io::{Discovery, discover};
use crate::run::batch::{self, Bakes, gltf_stem, is_document, is_gltf_input};

pub fn run(args: &Bake) -> Result<u8, Fatal> {
    session::run(&args.batch, &args.paths, |session| once(args, session))
}

fn once(args: &Bake, session: &mut Session) -> Result<u8, Fatal> {
    if let Some(message) = args.contradiction() {
        return Err(message.into());
    }
    let mut options = args.batch.options(&args.paths, args.output_ending())?;
    options.force &= session.is_first();
    let skipped = Cell::new(0);
    let is_input = |name: &OsStr| {
        let is_input = is_gltf_input(name);
        let is_skipped = !is_input && gltf_stem(name) != name;
        skipped.set(skipped.get() + usize::from(is_skipped));
        is_input
    };
    let Discovery {
        found,
        unreadable,
        left_out,
    } = discover(&args.paths, &is_input, options.output.as_deref())?;
    args.batch
        .note_output_name(&args.paths, args.output_ending(), session.is_first());
    let prints_notes = session.is_first() && !args.batch.common.quiet;
    if let Some(directory) = left_out.as_ref().filter(|_| prints_notes) {
        let directory = directory.display();
        print_message(&format!(
            "`{directory}` is not searched for inputs, because outputs go there"
        ));
    }
    let none_found = found.is_empty().then(|| none_found(skipped.get()));
    let job = args.job();
    let shown = Shown::Moments(job.skinning.clone(), job.allowed_extensions.clone());
    let work = Bakes::new(&found, &options, job)?.outputs_among_inputs(left_out.is_some());
    let stop = Arc::default();
    let _stopping = session.interrupt.stops(&stop)?;
    let batch = batch::Batch::new(found, options, work, stop)?;
    if prints_notes && args.solver == SolverName::Lbs && args.sets_scale() {
        print_message(
            &"joint scale needs no treatment under `--solver lbs`: `--scale` and `--scale-local` change nothing",
        );
    }
    run_and_report(
        &args.batch,
        &batch,
        InputKind {
            input: "file",
            none_found,
            shown,
            advice: |name| {
                is_document(name)
                    .then_some("`bake` is for glTF files; `rigy-batch PATH…` compiles documents")
            },
            expansions: None,
        },
        &args.paths,
        &unreadable,
        RequestedNames::new(&args.scale_local, "no file has a joint"),
        session,
    )
}

/// Returns the message that there is no input; `skipped` files were left out because of their names.
fn none_found(skipped: usize) -> String {
    let none = "no *.glb, *.gltf or *.vrm found";
    match skipped {
        0 => none.into(),
        1 => {
            format!("{none} but one named `*.baked.*`, as outputs are; name it outright to bake it")
        }
        n => format!(
            "{none} but {n} named `*.baked.*`, as outputs are; name them outright to bake them"
        ),
    }
}
