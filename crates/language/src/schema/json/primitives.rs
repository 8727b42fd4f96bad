//! Primitives: how their fields depend on their type, and macros among them; and the patterns of texts, which are those of
//! ECMAScript, as JSON Schema prescribes, without features that other engines lack.

use super::definitions::{Definitions, null, there};
use super::forms::typed;
use super::value::{Json, any_of, list, pair};
use crate::model::Shape;
use crate::schema::meshes::{OF_SURFACES, SHAPES_CORE, dimensions_of};
use crate::schema::preprocessed::{BOX_DECOMPOSE, PRISM};
use crate::schema::{Form, Presence};
use crate::version::{Feature, Version};

pub use crate::schema::meshes::PRIMITIVE;

impl Definitions {
    /// Returns references to the mappings that may stand among primitives, repeats left out.
    pub fn primitives(&mut self) -> Vec<Json> {
        let primitive = self.define(PRIMITIVE.id, |definitions| {
            let conditions = definitions.conditions();
            definitions
                .fields(&PRIMITIVE)
                .with("allOf", list(conditions))
        });
        let mut all = vec![primitive];
        if self.version_has(Feature::Materials) {
            all.push(self.record(&BOX_DECOMPOSE));
        }
        if self.version_has(Feature::Expressions) {
            all.push(self.record(&PRISM));
        }
        all
    }

    /// Returns the schema of dimensions of any shape.
    pub fn dimensions(&mut self) -> Json {
        let number = self.form(Form::Number);
        self.define("dimensions", |_| {
            typed("object")
                .with("additionalProperties", number)
                .with("minProperties", 1)
        })
    }

    /// Returns what the type of a primitive decides, and its corners.
    fn conditions(&mut self) -> Vec<Json> {
        let has_surfaces = self.version_has(Feature::Materials);
        let shapes = if has_surfaces {
            &Shape::ALL[..]
        } else {
            &Shape::ALL[..SHAPES_CORE]
        };
        let mut all = Vec::new();
        for shape in shapes {
            let is_shape = pair("required", ["type"])
                .with("properties", pair("type", pair("const", shape.name())));
            let then = match dimensions_of(*shape) {
                Some(_) => self.of_solid(*shape, has_surfaces),
                None => of_surface(),
            };
            all.push(pair("if", is_shape).with("then", then));
        }
        if has_surfaces {
            let empty = typed("object").with("maxProperties", 0);
            let empty = any_of([null(), empty]);
            let fields = pair("dimensions", false);
            let then = pair("properties", fields.with("transform", empty));
            let has_corners = pair("required", ["aabb"]);
            all.push(pair("if", has_corners).with("then", then));
        }
        all
    }

    /// Returns the fields of shapes other than surfaces.
    fn of_solid(&mut self, shape: Shape, has_surfaces: bool) -> Json {
        let sizes = dimensions_of(shape).map_or(Json::object(), |record| {
            self.define(record.id, |definitions| {
                definitions.fields(record).with("minProperties", 1)
            })
        });
        let mut fields = pair("dimensions", sizes);
        if !has_surfaces {
            return pair("required", ["dimensions"]).with("properties", fields);
        }
        for field in OF_SURFACES {
            fields = fields.with(field, null());
        }
        let required = |field: &str| pair("required", [field]);
        match shape {
            Shape::Box => {
                pair("properties", fields).and(any_of([required("dimensions"), required("aabb")]))
            }
            _ => required("dimensions").with("properties", fields.with("aabb", false)),
        }
    }
}

/// Returns the fields of surfaces.
fn of_surface() -> Json {
    let present: Vec<Json> = OF_SURFACES
        .iter()
        .filter(|field| {
            let field = PRIMITIVE.field(field);
            field.is_some_and(|field| field.presence == Presence::Dependent)
        })
        .map(|f| there(f))
        .collect();
    let fields = pair("dimensions", null());
    pair("properties", fields.with("aabb", false)).with("allOf", list(present))
}

/// A name of the language.
const NAME: &str = "[A-Za-z_][A-Za-z0-9_]*";
/// An expression, with one line break after it that is passed over.
const EXPRESSION: &str = r"=[^\n]+\n?";
/// `inf`, `infinity` and `nan` in any case, with single underscores inside.
const NOT_FINITE: &str = "[iI]_?[nN]_?[fF](?:_?[iI]_?[nN]_?[iI]_?[tT]_?[yY])?|[nN]_?[aA]_?[nN]";

/// The meanings that texts have in a file: those of a version of documents, or none (`extensions.md` §2.1).
#[derive(Clone, Copy)]
pub struct Patterns {
    /// `$name` and `${name}`.
    pub has_params: bool,
    /// `=expression`.
    has_expressions: bool,
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
        if self.has_params {
            format!("(?:[0-9]|{})", token())
        } else {
            "[0-9]".to_owned()
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
        if self.has_params {
            format!("^(?:{}|{})$", reference(), name_with_tokens())
        } else {
            format!("^{NAME}$")
        }
    }

    /// References to params; `None` if there are no params.
    pub fn reference(self) -> Option<String> {
        self.has_params.then(|| format!("^{}$", reference()))
    }
}

/// The names of params.
pub fn name() -> String {
    format!("^{NAME}$")
}

/// Texts that a param can have: without tokens.
pub fn of_param() -> String {
    format!(r"^(?![\s\S]*{})", token())
}

/// A text that is a token and nothing else.
pub fn whole_token() -> String {
    format!("^{}$", token())
}

/// Names of tokens, which may have tokens of repeats around them.
pub fn token_name() -> String {
    format!("^{}$", name_with_tokens())
}

/// Distances of scenes.
pub const DISTANCE: &str = r"^-?[0-9]+(?:\.[0-9]+)?(?:cm|m|in|ft)?$";

fn reference() -> String {
    format!(r"\${NAME}")
}

fn token() -> String {
    format!(r"\$\{{{NAME}\}}")
}

fn name_with_tokens() -> String {
    format!("[A-Za-z_](?:[A-Za-z0-9_]|{})*", token())
}
