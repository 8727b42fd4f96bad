//! Checks that findings have places that exist in the texts.

use std::collections::BTreeMap;

use rigy_batch::base::diag::{Category, Code, Diagnostic, Place};

use crate::render::render;

/// Texts by the names that diagnostics call them by.
pub type Texts<'t> = BTreeMap<&'t str, &'t [u8]>;

/// Asserts that a refusal has a code, and a line and column that the text has.
pub fn refused(errors: &[Diagnostic], texts: &Texts<'_>) {
    assert!(!errors.is_empty(), "refused without a reason");
    for error in errors {
        assert!(!error.is_warning(), "refused for a warning: {error:?}");
        // Two limits of outputs have no code, one name for two lists of positions and the length of JSON, and neither have
        // three features that are used too early (`extensions.md` §1).
        let is_limit = error.category == Category::ExportError;
        let is_early = error.message.contains(" begins with version ");
        let may_lack_code = is_limit || is_early;
        assert!(error.code.is_some() || may_lack_code, "no code: {error:?}");
        located(error, texts);
    }
    shown(errors);
}

/// Asserts the same of warnings.
pub fn warned(warnings: &[Diagnostic], texts: &Texts<'_>) {
    for warning in warnings {
        assert!(
            warning.is_warning(),
            "an error that stops nothing: {warning:?}"
        );
        located(warning, texts);
    }
    shown(warnings);
}

/// Findings are shown to people and to machines; both forms must be right for any text that they quote.
fn shown(findings: &[Diagnostic]) {
    let text = render(findings);
    let is_harmless = |c: char| !c.is_control() || c == '\n';
    assert!(
        text.chars().all(is_harmless),
        "it commands terminals: {text:?}"
    );
    let json = serde_json::to_string(findings).expect("findings are plain data");
    let again: Vec<Diagnostic> = serde_json::from_str(&json).expect("it has just been written");
    // Mends are for editors, which get them from the check itself.
    let without_mends: Vec<Diagnostic> = findings
        .iter()
        .cloned()
        .map(|finding| Diagnostic {
            mend: None,
            ..finding
        })
        .collect();
    assert!(
        again == without_mends,
        "findings change on their way: {json}"
    );
}

fn located(finding: &Diagnostic, texts: &Texts<'_>) {
    let place = finding.place.as_deref();
    let place = place.unwrap_or_else(|| panic!("no place: {finding:?}"));
    // Findings about a whole file: it is too long or no text (V31 for a contract), or an output would be too long.
    let is_whole = match finding.code {
        None | Some(Code::U10 | Code::U17) => true,
        Some(Code::V31) => !finding.importers.is_empty(),
        _ => false,
    };
    assert!(place.position.is_some() || is_whole, "no line: {finding:?}");
    for place in std::iter::once(place).chain(&finding.importers) {
        within(place, texts);
    }
}

/// Asserts that a place is one of its text, by counting lines and characters in the plainest way.
fn within(place: &Place, texts: &Texts<'_>) {
    let Some(text) = texts.get(&*place.file) else {
        panic!("about a file that is none: {place:?}");
    };
    let Some((line, column)) = place.position else {
        return;
    };
    let text = String::from_utf8_lossy(text)
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let line = line
        .checked_sub(1)
        .and_then(|index| text.split('\n').nth(index as usize));
    let line = line.unwrap_or_else(|| panic!("no such line: {place:?}"));
    let last = line.chars().count() as u32 + 1;
    assert!((1..=last).contains(&column), "no such column: {place:?}");
    let excerpt = place.excerpt.as_ref();
    let excerpt = excerpt.unwrap_or_else(|| panic!("no excerpt: {place:?}"));
    assert!(line.contains(&excerpt.line), "another line: {place:?}");
    let underlined = excerpt.line.get(excerpt.start..excerpt.end);
    assert!(
        underlined.is_some(),
        "underlined beyond the line: {place:?}"
    );
}
