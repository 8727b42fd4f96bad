//! What `-h` shows of the large commands: the options that people use. `--help` shows all.

use clap::Command;

use super::arguments::arguments;

/// Options and arguments that are shown, by their ids.
const SHOWN: [&str; 26] = [
    "paths",
    "files",
    "output",
    "dry_run",
    "check",
    "prune",
    "watch",
    "jobs",
    "html",
    "format",
    "quiet", // of several commands
    "poses", // of documents
    "solver",
    "animation",
    "time",
    "frames",
    "form",
    "to", // of `bake`
    "size",
    "view",
    "heat",
    "pose", // of `preview`
    "primitive",
    "expanded",
    "pairwise_gaps",
    "over_time", // of `inspect`
];

/// Commands that are not shown.
const RARE: [&str; 6] = [
    "verify",
    "palette",
    "merge-reports",
    "bench",
    "schema",
    "lsp",
];

/// Leaves out of the short help what is not often used.
pub fn of(program: Command) -> Command {
    // Clap hides commands from both helps.
    let is_short = arguments().len() < 2 || arguments().iter().any(|word| word == "-h");
    let shortened = |command: Command| {
        command.mut_args(|arg| {
            let is_shown = SHOWN.contains(&arg.get_id().as_str());
            arg.hide_short_help(!is_shown)
        })
    };
    shortened(program).mut_subcommands(|command| match command.get_name() {
        "bake" | "preview" | "inspect" => shortened(command),
        name => {
            let is_hidden = is_short && RARE.contains(&name);
            command.hide(is_hidden)
        }
    })
}
