//! Manual pages, generated from the same definitions as `--help`, and the answer of `--version`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::args::Args;
use super::output::print;
use super::status::{Result, bail};
use rigy_base::paths::Slashed;
use rigy_kernel::simd::Isa;

/// Prints the page of the program, or of the command `name`. The name may also be the only path: `--man bake`.
pub fn page(name: &str, paths: &[PathBuf]) -> Result<()> {
    let name = match (name, paths) {
        (name, []) => name.to_owned(),
        ("", [name]) => name.shown(),
        _ => bail!("`--man` stands alone, or with the name of one command"),
    };
    let mut program = Args::command();
    program.build();
    let page = if name.is_empty() {
        program
    } else {
        let names = program
            .get_subcommands()
            .map(Command::get_name)
            .collect::<Vec<&str>>()
            .join(", ");
        program
            .find_subcommand(&name)
            .cloned()
            .ok_or_else(|| format!("there is no command `{name}`; there are {names}"))?
    };
    let mut text = Vec::new();
    write(page, &mut text)?;
    print(&mut &*text)
}

/// Writes one page. Examples and exit statuses of the long help become sections.
fn write(command: Command, out: &mut Vec<u8>) -> io::Result<()> {
    let after_long_help = command.get_after_long_help().map(ToString::to_string);
    let has_commands = command.get_subcommands().next().is_some();
    let source = concat!("rigy-batch ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command).source(source);
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if has_commands {
        man.render_subcommands_section(out)?;
    }
    let mut notes = false;
    for paragraph in after_long_help.iter().flat_map(|text| text.split("\n\n")) {
        if let Some(examples) = paragraph.strip_prefix("Examples:\n") {
            writeln!(out, ".SH EXAMPLES\n.nf\n{}\n.fi", plain(examples))?;
        } else if let Some(statuses) = paragraph.strip_prefix("Exit status: ") {
            writeln!(out, ".SH \"EXIT STATUS\"\n{}", plain(statuses))?;
        } else {
            let head = if notes { ".PP" } else { ".SH NOTES" };
            writeln!(out, "{head}\n{}", plain(paragraph))?;
            notes = true;
        }
    }
    Ok(())
}

/// Escapes text for troff, which then prints it line for line.
fn plain(text: &str) -> String {
    text.lines()
        .map(|line| {
            let line = line.trim().replace('\\', "\\e").replace('-', "\\-");
            if line.starts_with(['.', '\'']) {
                format!("\\&{line}")
            } else {
                line
            }
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns the text after the name of the program.
pub fn long() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let release = env!("CARGO_PKG_VERSION");
        let commit = option_env!("RIGY_BATCH_COMMIT").unwrap_or("not known");
        let sets: Vec<&str> = Isa::available().into_iter().map(Isa::name).collect();
        let (sets, used) = (sets.join(", "), Isa::best().name());
        let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
        format!(
            "{release}\ncommit: {commit}\nbuilt for: {machine}, {system}\ninstruction sets: {sets}; {used} is used"
        )
    });
    &TEXT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_keeps_its_lines_and_gives_no_orders() {
        assert_eq!(plain("  a -o b\n.c\\d\n'e"), "a \\-o b\n\\&.c\\ed\n\\&'e");
    }

    #[test]
    fn examples_are_lines_of_their_own_under_their_name() {
        let mut program = Args::command();
        program.build();
        let bake = program.find_subcommand("bake").cloned().unwrap();
        let has_examples = [program, bake].map(|command| {
            let mut page = Vec::new();
            write(command, &mut page).unwrap();
            let page = String::from_utf8(page).unwrap();
            let title = page.lines().find(|line| line.starts_with(".TH")).unwrap();
            assert!(title.contains(env!("CARGO_PKG_VERSION")), "{title}");
            assert!(!page.contains("EXTRA"), "{page}");
            let (_, examples) = page.split_once(".SH EXAMPLES\n.nf\n").unwrap();
            let (examples, rest) = examples.split_once("\n.fi\n").unwrap();
            assert!(
                rest.starts_with(".SH \"EXIT STATUS\"\n0 all good"),
                "{rest}"
            );
            examples
                .lines()
                .all(|line| line.starts_with("rigy\\-batch "))
        });
        assert_eq!(has_examples, [true; 2]);
    }
}
