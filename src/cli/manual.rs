//! Manual pages, made from what `--help` is made from.

use clap::CommandFactory;
use clap_mangen::Man;

use super::args::Args;
use super::{Fatal, print};

/// Prints the page of the program, or of the command of this name.
pub fn page(name: &str) -> Result<(), Fatal> {
    let mut program = Args::command();
    program.build();
    let page = if name.is_empty() {
        program
    } else {
        let names: Vec<&str> = program.get_subcommands().map(|c| c.get_name()).collect();
        let names = names.join(", ");
        let found = program.find_subcommand(name).cloned();
        found.ok_or_else(|| format!("there is no command `{name}`; there are {names}"))?
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text)?;
    print(&mut &*text)
}
