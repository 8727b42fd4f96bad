//! From parsed arguments to the command that they name.

use clap::CommandFactory;

use super::args::{Args, Command};
use super::arguments::arguments;
use super::output::print;
use super::status::{Result, SUCCESS};
use super::{
    bake, bench, diff, documents, explain, fmt, init, inspect, lsp, manual, merge, palette, places,
    preview, schema, verify, view, watch,
};

/// Runs the command of parsed arguments. What `told` knows is not said again.
pub fn run(args: &Args, told: Option<&mut watch::Told>) -> Result<u8> {
    if let Some(shell) = args.program.completions {
        // The generator panics if a write fails, so it writes to memory first.
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Args::command(), "rigy-batch", &mut script);
        return print(&mut &*script).map(|()| SUCCESS);
    }
    if let Some(name) = &args.program.man {
        let page = manual::page(name, &args.documents.paths);
        return page.map(|()| SUCCESS);
    }
    let takes_urls = matches!(args.command, None | Some(Command::Bake(_)));
    if !takes_urls {
        places::refuse_urls(arguments())?;
    }
    match &args.command {
        Some(Command::Verify(verify)) => verify::run(verify),
        Some(Command::Diff(diff)) => diff::run(diff),
        Some(Command::Explain(explain)) => explain::run(explain),
        Some(Command::Init(_)) => init::run(),
        Some(Command::Schema(schema)) => schema::run(schema),
        Some(Command::Inspect(inspect)) => inspect::run(inspect),
        Some(Command::Palette(palette)) => palette::run(palette),
        Some(Command::Bake(bake)) => bake::run(bake, told),
        Some(Command::Bench(bench)) => bench::run(bench),
        Some(Command::Fmt(fmt)) => fmt::run(fmt),
        Some(Command::Lsp(lsp)) => lsp::run(lsp),
        Some(Command::View(view)) => view::run(view),
        Some(Command::MergeReports(merge)) => merge::run(merge),
        Some(Command::Preview(preview)) => preview::run(preview),
        None => documents::run(&args.documents, told),
    }
}
