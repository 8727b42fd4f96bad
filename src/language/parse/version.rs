//! The version of a document.

use crate::base::diag::{Code, Diagnostic, Span, nearest};
use crate::language::yaml::{Entry, Kind, Tree};

/// Newest minor version whose documents compile.
pub(super) const NEWEST: u32 = 5;
/// Minor version that introduced dual quaternions and poses.
pub(super) const POSES: u32 = 5;
/// Newest minor version that is known to exist.
const PUBLISHED: u32 = 13;

/// Checks `version`, or its synonym `rigy_version`. Returns the minor version: 5 for 0.5.
pub(super) fn check(tree: &Tree<'_>) -> Result<u32, Diagnostic> {
    let root = tree.node(tree.root()).span;
    let entries = tree.entries(tree.root()).unwrap_or(&[]);
    let find = |key: &str| entries.iter().find(|entry| entry.key == key);
    match (find("version"), find("rigy_version")) {
        (Some(_), Some(again)) => Err(Diagnostic::new(
            Code::U10,
            again.key_span,
            "`rigy_version` is another name for `version`; a document has one of them",
        )
        .help("remove one of the two")),
        (None, None) => Err(missing(entries, root)),
        (Some(entry), None) | (None, Some(entry)) => check_value(tree, entry),
    }
}

fn check_value(tree: &Tree<'_>, entry: &Entry<'_>) -> Result<u32, Diagnostic> {
    let node = tree.node(entry.value);
    let error = |message: String| Diagnostic::new(Code::U10, node.span, message);
    let text = match &node.kind {
        Kind::Null => return Err(missing(&[], entry.key_span)),
        Kind::Str(text) => text,
        Kind::Float(_) | Kind::Int(_) => {
            return Err(error("the version must be a string, not a number".into())
                .help("put quotes around it: `version: \"0.5\"`"));
        }
        _ => {
            return Err(error("the version must be a string".into())
                .help("write for example `version: \"0.5\"`"));
        }
    };
    let minor = (1..=PUBLISHED).find(|minor| **text == *format!("0.{minor}"));
    match minor {
        Some(minor) if minor <= NEWEST => Ok(minor),
        Some(minor) => Err(error(format!("version 0.{minor} is not supported yet"))
            .help(format!("versions 0.1 to 0.{NEWEST} are understood"))),
        None => Err(
            error(format!("`{text}` is not a version of Rigy")).help(format!(
                "one of \"0.1\" to \"0.{NEWEST}\", spelled exactly so"
            )),
        ),
    }
}

/// Returns the error of a missing version. The key may be misspelt, or the file may be of another kind.
fn missing(entries: &[Entry<'_>], span: Span) -> Diagnostic {
    let has = |key: &str| entries.iter().any(|entry| entry.key == key);
    let near = |e: &&Entry<'_>| nearest(&e.key, ["version", "rigy_version"]).is_some();
    let misspelt = entries.iter().find(near);
    let span = misspelt.map_or(span, |entry| entry.key_span);
    let error = Diagnostic::new(Code::V34, span, "the document has no `version`");
    error.help(if misspelt.is_some() {
        "did you mean `version`?"
    } else if has("contract_version") {
        "this looks like a contract, which belongs after `contract:` of an import"
    } else if has("influences") || has("vertex_count") {
        "this looks like a weight file, which belongs after `source:` of a weight map"
    } else {
        "add a line such as `version: \"0.5\"`"
    })
}
