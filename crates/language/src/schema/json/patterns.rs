//! Regular expressions for texts that stand for other values.
//!
//! They are those of ECMAScript, which JSON Schema prescribes, without features that other engines lack.

use crate::version::{Feature, Version};

/// A name of the language.
const NAME: &str = "[A-Za-z_][A-Za-z0-9_]*";
/// An expression, with one line break after it that is passed over.
const EXPRESSION: &str = r"=[^\n]+\n?";
/// `inf`, `infinity` and `nan` in any case, with single underscores inside.
const NOT_FINITE: &str = "[iI]_?[nN]_?[fF](?:_?[iI]_?[nN]_?[iI]_?[tT]_?[yY])?|[nN]_?[aA]_?[nN]";

/// The meanings that texts have in a file: those of a version of documents, or none (`extensions.md` §2.1).
#[derive(Clone, Copy)]
pub(super) struct Patterns {
    /// `$name` and `${name}`.
    pub has_params: bool,
    /// `=expression`.
    pub has_expressions: bool,
}

impl Patterns {
    /// Returns the meanings in documents of a version; none for other files, which have no version.
    pub fn of(version: Option<Version>) -> Self {
        let has = |feature| version.is_some_and(|version| version.has(feature));
        Self {
            has_params: has(Feature::Params),
            has_expressions: has(Feature::Expressions),
        }
    }

    /// A digit, or a token, which becomes digits.
    fn digit(self) -> String {
        match self.has_params {
            true => format!("(?:[0-9]|{})", token()),
            false => "[0-9]".to_owned(),
        }
    }

    /// Returns the pattern of `own`, of references to params, and of expressions.
    fn or_other(self, own: Option<String>) -> String {
        let reference = self.has_params.then(reference);
        let expression = self.has_expressions.then(|| EXPRESSION.to_owned());
        let all: Vec<String> = [own, reference, expression].into_iter().flatten().collect();
        format!("^(?:{})$", all.join("|"))
    }

    /// Texts that are numbers (`language.md` §1.3), or become numbers.
    pub fn number(self) -> String {
        let digit = self.digit();
        let digits = format!("{digit}(?:_?{digit})*");
        let exponent = format!("(?:_?[eE]_?(?:[+-]_?)?{digits})?");
        let finite = format!(r"(?:{digits}(?:_?\.(?:_?{digits})?)?|\._?{digits}){exponent}");
        let own = format!(r"\s*(?:[+-]_?)?(?:{finite}|{NOT_FINITE})\s*");
        self.or_other(Some(own))
    }

    /// Texts that are whole numbers, or become numbers.
    pub fn whole(self) -> String {
        let digit = self.digit();
        self.or_other(Some(format!(r"[+-]?{digit}+(?:_{digit}+)*(?:\.0+)?")))
    }

    /// As [`Self::whole`], without negative numbers.
    pub fn vertex(self) -> String {
        let digit = self.digit();
        let own = format!(r"(?:\+?{digit}+(?:_{digit}+)*|-0+(?:_0+)*)(?:\.0+)?");
        self.or_other(Some(own))
    }

    /// Texts that become plain numbers; `None` if none does.
    pub fn plain(self) -> Option<String> {
        self.has_params.then(|| self.or_other(Some(token())))
    }

    /// Texts that stay texts, or may become others; `None` if all do.
    pub fn text(self) -> Option<String> {
        let (reference, token) = (reference(), token());
        self.has_params.then(|| {
            format!(r"^(?:{reference}$|(?!{token}$)(?!{EXPRESSION}$)(?!(?!=)[\s\S]*\$[A-Za-z_]))")
        })
    }

    /// Ids of letters, digits and underscores, or texts that may become some.
    pub fn identifier(self) -> String {
        match self.has_params {
            true => format!("^(?:{}|{})$", reference(), name_with_tokens()),
            false => format!("^{NAME}$"),
        }
    }

    /// References to params; `None` if there are no params.
    pub fn reference(self) -> Option<String> {
        self.has_params.then(|| format!("^{}$", reference()))
    }
}

/// The names of params.
pub(super) fn name() -> String {
    format!("^{NAME}$")
}

/// Texts that a param can have: without tokens.
pub(super) fn of_param() -> String {
    format!(r"^(?![\s\S]*{})", token())
}

/// A text that is a token and nothing else.
pub(super) fn whole_token() -> String {
    format!("^{}$", token())
}

/// Names of tokens, which may have tokens of repeats around them.
pub(super) fn token_name() -> String {
    format!("^{}$", name_with_tokens())
}

/// Distances of scenes.
pub(super) const DISTANCE: &str = r"^-?[0-9]+(?:\.[0-9]+)?(?:cm|m|in|ft)?$";

fn reference() -> String {
    format!(r"\${NAME}")
}

fn token() -> String {
    format!(r"\$\{{{NAME}\}}")
}

fn name_with_tokens() -> String {
    format!("[A-Za-z_](?:[A-Za-z0-9_]|{})*", token())
}
