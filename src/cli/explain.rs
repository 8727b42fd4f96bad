//! The `explain` command: what a code means, an example that raises it, and the mend.

use serde::Serialize;
use similar::{Algorithm, capture_diff_slices};

use super::common_args::Format;
use super::output::Output;
use super::status::{Result, SUCCESS, bail};
use crate::assist::explanation::{EXPLANATIONS, Example, Explanation, Fixture};
use rigy_base::diag::{Code, nearest};

/// Say what a code means, with an example that raises it and the mend
///
/// Every finding has a code, such as V11 in `error[V11]`. Without a code all are listed, one on each line.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 explained, 2 there is no such code.",
    after_long_help = "Examples:\n  rigy-batch explain V11\n  \
rigy-batch explain V74 --format json\n\n\
Exit status: 0 explained, 2 there is no such code."
)]
pub struct Explain {
    /// The codes to explain, in upper or lower case [default: a list of all]
    #[arg(value_name = "CODE")]
    pub codes: Vec<String>,

    /// Standard output: text (human) or one JSON object for each code (json)
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// Prints the explanations.
pub fn run(args: &Explain) -> Result<u8> {
    let codes: Vec<Code> = args
        .codes
        .iter()
        .map(|name| named(name))
        .collect::<Result<_, _>>()?;
    let mut out = Output::new();
    for (number, explanation) in EXPLANATIONS
        .iter()
        .filter(|of| codes.is_empty() || codes.contains(&of.code))
        .enumerate()
    {
        match args.format {
            Format::Json => out.json(&ExplainedCode::new(explanation)),
            Format::Human if codes.is_empty() => out.line(&headline(explanation.code)),
            Format::Human if number == 0 => out.line(&text(explanation)),
            Format::Human => out.line(&format!("\n{}", text(explanation))),
        }
    }
    Ok(out.status(SUCCESS))
}

fn named(name: &str) -> Result<Code> {
    if Code::ALL.iter().any(|code| code.category().name() == name) {
        bail!("`{name}` is a category of codes; `rigy-batch explain` lists all codes with theirs");
    }
    Code::named(name).ok_or_else(|| {
        let known = Code::ALL.iter().map(|code| code.name());
        let advice = nearest(name, known).map_or_else(
            || "; `rigy-batch explain` lists all".into(),
            |near| format!("; did you mean {near}?"),
        );
        format!("there is no code `{name}`{advice}").into()
    })
}

/// The code with its title on one line. Findings with W codes are warnings, whatever their category.
fn headline(code: Code) -> String {
    let kind = if code.is_warning() {
        "warning"
    } else {
        code.category().name()
    };
    format!("{:<4} {kind:<16} {}", code.name(), code.title())
}

/// The explanation for people.
fn text(explanation: &Explanation) -> String {
    let (meaning, mend) = (explanation.meaning, explanation.mend);
    let head = format!("{}\n\n{meaning}\nMend: {mend}", headline(explanation.code));
    format!("{head}\n\n{}", example_text(&explanation.example))
}

/// The example of a code, or a sentence that says why there is none.
pub fn example_text(of: &Example) -> String {
    match of {
        Example::Without(reason) => format!("There is no example: {reason}."),
        Example::Fixture(fixture) => example(fixture),
    }
}

/// The files of an example with the lines that the mend removes (-) and adds (+).
fn example(fixture: &Fixture) -> String {
    let mut text = format!("Example: {}\n", fixture.reason());
    for (name, before) in fixture.files() {
        text += &format!("\n--- {name}\n");
        let after = before.replacen(fixture.from, fixture.to, 1);
        for line in changes(before, &after) {
            text += line.trim_end();
            text.push('\n');
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// Returns the lines of two texts: those of both after two spaces, those of the first only after
/// `- `, those of the second only after `+ `.
fn changes(before: &str, after: &str) -> Vec<String> {
    let (a, b): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    capture_diff_slices(Algorithm::Myers, &a, &b)
        .iter()
        .flat_map(|op| op.iter_changes(&a, &b))
        .map(|change| format!("{} {}", change.tag(), change.value()))
        .collect()
}

/// The explanation for programs.
#[derive(Serialize)]
struct ExplainedCode {
    code: &'static str,
    category: &'static str,
    warning: bool,
    title: &'static str,
    meaning: &'static str,
    mend: &'static str,
    /// `None` if there is none.
    example: Option<JsonExample>,
    /// The end of a sentence; `None` if there is an example.
    without_example: Option<&'static str>,
}

/// An example for programs.
#[derive(Serialize)]
struct JsonExample {
    reason: &'static str,
    /// The document first.
    files: Vec<JsonFile>,
}

/// A file of an example.
#[derive(Serialize)]
struct JsonFile {
    name: String,
    text: &'static str,
    mended: String,
}

impl ExplainedCode {
    fn new(explanation: &Explanation) -> Self {
        let code = explanation.code;
        let (example, without_example) = match &explanation.example {
            Example::Without(reason) => (None, Some(*reason)),
            Example::Fixture(fixture) => (Some(JsonExample::new(fixture)), None),
        };
        Self {
            code: code.name(),
            category: code.category().name(),
            warning: code.is_warning(),
            title: code.title(),
            meaning: explanation.meaning,
            mend: explanation.mend,
            example,
            without_example,
        }
    }
}

impl JsonExample {
    fn new(fixture: &Fixture) -> Self {
        Self {
            reason: fixture.reason(),
            files: fixture
                .files()
                .into_iter()
                .map(|(name, text)| JsonFile {
                    name,
                    text,
                    mended: text.replacen(fixture.from, fixture.to, 1),
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained_in_sentences() {
        let explained: Vec<Code> = EXPLANATIONS
            .iter()
            .map(|explanation| explanation.code)
            .collect();
        assert_eq!(explained, Code::ALL);
        for explanation in EXPLANATIONS {
            for text in [explanation.meaning, explanation.mend] {
                let begins = text.starts_with(|c: char| c.is_uppercase() || c == '`');
                assert!(
                    begins && text.ends_with('.'),
                    "{}: {text}",
                    explanation.code
                );
            }
        }
    }

    #[test]
    fn an_edit_is_of_a_text_that_stands_in_one_place() {
        for explanation in EXPLANATIONS {
            if let Example::Fixture(fixture) = &explanation.example {
                let files = fixture.files();
                let places = files
                    .iter()
                    .map(|(_, text)| text.matches(fixture.from).count());
                assert_eq!(places.sum::<usize>(), 1, "{}", explanation.code);
            }
        }
    }

    #[test]
    fn changes_keep_the_lines_around_them() {
        assert_eq!(
            changes("a\nb\nc", "a\nx\ny\nc"),
            ["  a", "- b", "+ x", "+ y", "  c"]
        );
        assert_eq!(changes("a\na", "a\na\na"), ["  a", "  a", "+ a"]);
        assert_eq!(changes("a\nb\nc", "a\nc"), ["  a", "- b", "  c"]);
        assert_eq!(changes("a", "a"), ["  a"]);
    }
}
