//! The rules that annotations cite: codes, categories for findings without a code, and results of other commands.

use crate::assist::explanation;
use rigy_base::diag::{Category, Code, Diagnostic};

/// The rule that an annotation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Code(Code),
    /// A finding of this category that has no code.
    Category(Category),
    /// A conformance test must pass.
    Conformance,
    /// Two files must not differ.
    Difference,
    /// A document must have canonical layout.
    Layout,
}

impl Rule {
    /// Returns the rule of a diagnostic.
    pub fn of_diagnostic(diagnostic: &Diagnostic) -> Self {
        match diagnostic.code {
            Some(code) => Self::Code(code),
            None => Self::Category(diagnostic.category),
        }
    }

    /// Returns all rules: codes in table order, categories, results of other commands.
    pub fn all() -> impl Iterator<Item = Self> {
        let codes = Code::ALL.iter().map(|code| Self::Code(*code));
        let categories = Category::ALL.into_iter().map(Self::Category);
        let others = [Self::Conformance, Self::Difference, Self::Layout];
        codes.chain(categories).chain(others)
    }

    /// Returns its place in [`Rule::all`].
    pub fn index(self) -> usize {
        Self::all()
            .position(|rule| rule == self)
            .expect("the list has every code and category")
    }

    /// Returns its name: the code or the category, or a word for a result.
    pub fn id(self) -> &'static str {
        match self {
            Self::Code(code) => code.name(),
            Self::Category(category) => category.name(),
            Self::Conformance => "conformance",
            Self::Difference => "difference",
            Self::Layout => "layout",
        }
    }

    /// Returns its meaning in a few words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Code(code) => code.title(),
            Self::Category(category) => of_category(category).0,
            Self::Conformance => "conformance test has failed",
            Self::Difference => "files differ",
            Self::Layout => "layout is not canonical",
        }
    }

    /// Returns what it means, and what to do.
    pub fn meaning_and_mend(self) -> (&'static str, &'static str) {
        const NAMED: &str = "The message names the first field that differs.";
        match self {
            Self::Code(code) => {
                let explanation = explanation::of(code).expect("every code is explained");
                (explanation.meaning, explanation.mend)
            }
            Self::Category(category) => (
                of_category(category).1,
                "The message says what is wrong and what to do.",
            ),
            Self::Conformance => (
                "The result of a test of a conformance manifest is not the one that the manifest expects.",
                NAMED,
            ),
            Self::Difference => (
                "Two files that `rigy-batch diff` compares differ by more than the tolerance.",
                NAMED,
            ),
            Self::Layout => (
                "The text of a document does not have the layout that `rigy-batch fmt` gives it.",
                "Run `rigy-batch fmt` on the document.",
            ),
        }
    }

    /// Returns true if annotations about it are warnings, unless an option makes them errors.
    pub fn is_warning(self) -> bool {
        matches!(self, Self::Code(code) if code.is_warning())
    }
}

/// Returns the title and the meaning of the rule for findings of a category that have no code.
fn of_category(category: Category) -> (&'static str, &'static str) {
    match category {
        Category::ParseError => (
            "input is malformed",
            "A file is not what its name says, or a file that it refers to cannot be read.",
        ),
        Category::ValidationError => (
            "input breaks a rule",
            "A file that can be read breaks a rule that has no code, such as one of the glTF specification.",
        ),
        Category::TessellationError => (
            "geometry cannot be made",
            "The geometry of a document cannot be made.",
        ),
        Category::ExportError => (
            "output cannot be made",
            "An output cannot be made or written.",
        ),
        Category::ContractError => (
            "contract is not satisfied",
            "A contract file is not satisfied.",
        ),
        Category::CompositionError => (
            "composition is not possible",
            "The parts of an assembly cannot be put together.",
        ),
        Category::FileError => (
            "input cannot be read",
            "The system does not let the program read an input, or list a directory.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_stands_where_its_index_says_and_has_a_name_of_its_own() {
        let mut names = rigy_base::maps::HashSet::default();
        for (place, rule) in Rule::all().enumerate() {
            assert_eq!(rule.index(), place, "{rule:?}");
            assert!(names.insert(rule.id()), "{rule:?}");
            let (meaning, mend) = rule.meaning_and_mend();
            assert!(meaning.ends_with('.') && mend.ends_with('.'));
        }
    }
}
