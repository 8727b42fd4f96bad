//! The short help, `-h`, of the large commands has the options that people use. `--help` has all.

use clap::Command;

use super::arguments::arguments;

/// The ids of options and arguments that are shown: of several commands, of documents, of `bake`, of `preview` and of `inspect`.
const SHOWN: &str = "
    paths files output dry_run check prune watch jobs html format quiet
    poses
    solver animation time frames form to
    size view heat pose
    primitive expanded pairwise_gaps over_time solvers";

/// Commands that are not shown.
const RARE: &str = "verify palette merge-reports bench schema lsp";

/// Leaves out of the short help what is not often used.
pub fn of(program: Command) -> Command {
    // Clap hides commands from both helps.
    let is_short = arguments().len() < 2 || arguments().iter().any(|word| word == "-h");
    shortened(program).mut_subcommands(|command| match command.get_name() {
        "bake" | "preview" | "inspect" => shortened(command),
        name => {
            let is_hidden = is_short && has(RARE, name);
            command.hide(is_hidden)
        }
    })
}

fn shortened(command: Command) -> Command {
    command.mut_args(|arg| {
        let is_shown = has(SHOWN, arg.get_id().as_str());
        arg.hide_short_help(!is_shown)
    })
}

fn has(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|known| known == name)
}
