//! Diagnostics as one line of text, for users of the library who print errors.

use std::error::Error;
use std::fmt::{Display, Formatter, Result};

use super::{Diagnostic, Place};

impl Display for Place {
    /// Writes `file:line:column`, or only the file if the whole file is meant.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        formatter.write_str(&self.file)?;
        match self.position {
            Some((line, column)) => write!(formatter, ":{line}:{column}"),
            None => Ok(()),
        }
    }
}

impl Display for Diagnostic {
    /// Writes place, code, message and help in one line: `a.rigy.yaml:3:7: V07: … (help: …)`. Text that comes from a file is
    /// not escaped; escape it before a terminal or a page shows it.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        if let Some(place) = &self.place {
            write!(formatter, "{place}: ")?;
        }
        let kind = self.code.map_or(self.category.name(), |code| code.name());
        write!(formatter, "{kind}: {}", self.message_with_path())?;
        match &self.help {
            Some(help) => write!(formatter, " (help: {help})"),
            None => Ok(()),
        }
    }
}

impl Error for Diagnostic {}

#[cfg(test)]
mod tests {
    use crate::base::diag::{Category, Code, Diagnostic, Place, Span};

    #[test]
    fn a_diagnostic_is_one_line() {
        let mut error = Diagnostic::new(Code::V07, Span::default(), "it is 0").help("try 1");
        assert_eq!(error.to_string(), "V07: it is 0 (help: try 1)");
        error.place = Some(Box::new(Place {
            file: "a.rigy.yaml".into(),
            path: "meshes[0]".into(),
            position: Some((3, 7)),
            excerpt: None,
        }));
        let text = "a.rigy.yaml:3:7: V07: it is 0 (help: try 1)";
        assert_eq!(error.to_string(), text);
        let error = Diagnostic::without_code(Category::ExportError, "the disk is full");
        assert_eq!(error.to_string(), "ExportError: the disk is full");
    }
}
