//! Schemas of values that are no mappings of fields.

use super::definitions::{Definitions, null};
use super::primitives::{self, DISTANCE};
use super::value::{Json, any_of, pair};
use crate::model::Shape;
use crate::schema::meshes::SHAPES_CORE;
use crate::schema::{Form, Record, VECTOR};
use crate::version::{Feature, Version};

/// The least number besides 0 that is a distance: smaller ones are written with an exponent.
const LEAST_DISTANCE: f64 = 1e-4;

impl Definitions {
    /// Returns the schema of a form.
    pub fn form(&mut self, form: Form) -> Json {
        match form {
            Form::Any => Json::object(),
            Form::Body => typed("object"),
            Form::Record(record) => self.record(record),
            Form::OneOrMore(record) => {
                let list = self.list(Form::Record(record));
                any_of([list, self.record(record)])
            }
            Form::List(item) => self.list(*item),
            Form::Tuple(count, item) => tuple(count, self.form(*item)),
            Form::Different => tuple(3, self.form(Form::Text)).with("uniqueItems", true),
            Form::Map(value) => {
                let value = self.form(*value);
                typed("object").with("additionalProperties", value)
            }
            Form::Primitive => any_of(self.primitives()),
            Form::Dimensions => self.dimensions(),
            Form::Rotation(form) => self.rotation(*form),
            Form::OwnMesh => {
                if self.version_has(Feature::Expressions) {
                    self.form(Form::Text)
                } else {
                    Json::object()
                }
            }
            Form::Known(words) => self.form(Form::Text).with("examples", words),
            Form::Word(words) => self.word(words),
            Form::Shape => {
                if self.version_has(Feature::Materials) {
                    self.word(&Shape::NAMES)
                } else {
                    self.word(&Shape::NAMES[..SHAPES_CORE])
                }
            }
            Form::Version => {
                let versions = self.versions.iter().map(Version::to_string);
                pair("enum", versions.collect::<Vec<_>>())
            }
            Form::Params => params(),
            scalar => self.scalar(scalar),
        }
    }

    /// Returns a reference to the schema of a number or a text.
    fn scalar(&mut self, form: Form) -> Json {
        let texts = self.patterns;
        let numeric = |kind: &str, pattern: String, wanted: &str| {
            typed([kind, "boolean", "string"]).and(matching(pattern, wanted))
        };
        let plain = || match texts.plain() {
            Some(pattern) => {
                typed(["number", "string"]).and(matching(pattern, "Expected a number."))
            }
            None => typed("number"),
        };
        let whole = "Expected a whole number.";
        let (name, schema) = match form {
            Form::Number => {
                let schema = numeric("number", texts.number(), "Expected a number.");
                ("number", schema)
            }
            Form::Whole => ("whole", numeric("integer", texts.whole(), whole)),
            Form::Vertex => {
                let wanted = "Expected a whole number of 0 or more.";
                let schema = numeric("integer", texts.vertex(), wanted);
                ("vertex", schema.with("minimum", 0))
            }
            Form::Plain => ("plain_number", plain()),
            Form::Positive => ("positive_number", plain().with("exclusiveMinimum", 0)),
            Form::Count => ("count", typed("integer").with("minimum", 0)),
            Form::Fraction => {
                let schema = typed("number").with("minimum", 0).with("maximum", 1);
                ("fraction", schema)
            }
            Form::Distance => ("distance", distance()),
            Form::Identifier => {
                let wanted = "Expected letters, digits and `_`, no digit first.";
                let schema = typed("string").and(matching(texts.identifier(), wanted));
                ("identifier", schema)
            }
            Form::Repetitions => {
                let schema = typed(["integer", "string"]).with("minimum", 0);
                let wanted = "Expected a whole number of 0 or more.";
                (
                    "repetitions",
                    schema.and(matching(primitives::whole_token(), wanted)),
                )
            }
            Form::Token => {
                let wanted = "Expected letters, digits and `_`, no digit first.";
                let schema = typed("string").and(matching(primitives::token_name(), wanted));
                ("token", schema)
            }
            _ => {
                let wanted =
                    "A param (`$name`), a token (`${name}`) or an expression cannot stand here so.";
                let pattern = texts.text().map(|pattern| matching(pattern, wanted));
                (
                    "text",
                    typed("string").and(pattern.unwrap_or(Json::object())),
                )
            }
        };
        self.define(name, |_| schema)
    }

    fn word(&self, words: &[&str]) -> Json {
        let words = pair("enum", words);
        match self.patterns.reference() {
            None => words,
            Some(pattern) => {
                let reference = typed("string").with("pattern", pattern);
                any_of([words, reference])
            }
        }
    }

    /// Returns the schema of a list. Lists of mappings may hold repeats.
    fn list(&mut self, item: Form) -> Json {
        let items = match item {
            Form::Record(record) => {
                let items = vec![self.record(record)];
                self.or_repeat(record, items)
            }
            Form::Primitive => {
                let items = self.primitives();
                self.or_repeat(&super::primitives::PRIMITIVE, items)
            }
            other => self.form(other),
        };
        typed("array").with("items", items)
    }

    /// Returns the schema of items of a list that are one of some mappings, or a repeat of one.
    fn or_repeat(&mut self, record: &Record, mut items: Vec<Json>) -> Json {
        if self.patterns.has_params {
            let body = any_of(items.clone());
            items.push(self.repeat(record.id, body));
        }
        any_of(items)
    }

    fn rotation(&mut self, form: Form) -> Json {
        match (self.version_has(Feature::Expressions), form) {
            (true, Form::Tuple(count, _)) => tuple(count, self.form(Form::Plain)),
            (true, other) => self.form(other),
            (false, Form::Tuple(3, _)) => {
                let vector = self.form(VECTOR);
                any_of([vector, null()])
            }
            // The parser reads only Euler angles then.
            (false, _) => Json::object(),
        }
    }
}

/// Returns a schema of one of these types.
pub fn typed(types: impl Into<Json>) -> Json {
    pair("type", types)
}

/// Returns the keys that restrict texts. Editors show the message; other programs pass it over.
fn matching(pattern: String, message: &str) -> Json {
    pair("pattern", pattern).with("patternErrorMessage", message)
}

fn tuple(count: usize, item: Json) -> Json {
    typed("array")
        .with("items", item)
        .with("minItems", count)
        .with("maxItems", count)
}

fn params() -> Json {
    let value = typed(["boolean", "number", "string"]);
    let wanted = "A param cannot contain the token of a repeat.";
    let value = value.and(matching(primitives::of_param(), wanted));
    let name = pair("pattern", primitives::name());
    typed("object")
        .with("propertyNames", name)
        .with("additionalProperties", value)
}

fn distance() -> Json {
    let range = |from: f64, to: f64| {
        typed("number")
            .with("exclusiveMinimum", from)
            .with("exclusiveMaximum", to)
    };
    let small = [range(0.0, LEAST_DISTANCE), range(-LEAST_DISTANCE, 0.0)];
    let schema = typed(["number", "string"]);
    let wanted = "Expected a distance such as `20cm`, `1ft`, `-0.5` or `3in`.";
    schema
        .and(matching(DISTANCE.to_owned(), wanted))
        .with("not", any_of(small))
}
