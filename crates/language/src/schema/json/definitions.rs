//! The definitions of a schema: mappings of fields, by the id of their record.

use super::forms::typed;
use super::primitives::Patterns;
use super::value::{Json, any_of, list, pair};
use crate::schema::preprocessed::REPEAT;
use crate::schema::transforms::ROTATIONS;
use crate::schema::weights::{MISNAMED, WEIGHT_FILE};
use crate::schema::{Field, Form, Presence, Record, Rule};
use crate::version::{Feature, Version};

/// Where references to definitions lead.
pub const DEFINITIONS: &str = "#/$defs/";

/// The definitions of a schema, in the order in which they were first needed.
pub struct Definitions {
    /// The version of documents; `None` for other files.
    version: Option<Version>,
    /// The versions that a document may declare.
    pub versions: Vec<Version>,
    pub patterns: Patterns,
    /// True if mappings may have other keys.
    is_open: bool,
    made: Vec<(String, Json)>,
}

impl Definitions {
    /// Begins the schema of documents of a version, which may declare one of `versions`.
    pub fn of_documents(version: Version, versions: Vec<Version>) -> Self {
        Self {
            version: Some(version),
            versions,
            patterns: Patterns::of(Some(version)),
            is_open: false,
            made: Vec::new(),
        }
    }

    /// Begins the schema of files without versions; if it is open, mappings may have other keys.
    pub fn of_files(is_open: bool) -> Self {
        Self {
            version: None,
            versions: Vec::new(),
            patterns: Patterns::of(None),
            is_open,
            made: Vec::new(),
        }
    }

    pub fn into_made(self) -> Vec<(String, Json)> {
        self.made
    }

    pub fn version_has(&self, feature: Feature) -> bool {
        self.version.is_none_or(|version| version.has(feature))
    }

    /// Returns a reference to a definition, and makes it if it does not exist.
    pub fn define(&mut self, name: &str, make: impl FnOnce(&mut Self) -> Json) -> Json {
        if !self.made.iter().any(|(made, _)| made == name) {
            let at = self.made.len();
            // It exists from now on, because definitions refer to themselves.
            self.made.push((name.to_owned(), Json::object()));
            self.made[at].1 = make(self);
        }
        pair("$ref", format!("{DEFINITIONS}{name}"))
    }

    /// Returns a reference to the schema of a mapping of fields.
    pub fn record(&mut self, record: &'static Record) -> Json {
        self.define(record.id, |definitions| definitions.fields(record))
    }

    /// Returns the schema of a mapping of fields.
    pub fn fields(&mut self, record: &'static Record) -> Json {
        let mut properties = Json::object();
        let mut required = Vec::new();
        for field in record
            .fields
            .iter()
            .filter(|field| self.takes(field))
            .collect::<Vec<_>>()
        {
            if field.presence == Presence::Required {
                required.push(field.name);
            }
            properties = properties.with(field.name, self.property(field));
        }
        if self.is_open && record.id == WEIGHT_FILE.id {
            properties = properties.with(MISNAMED, false);
        }
        let mut schema = typed("object")
            .with("description", record.about)
            .with("properties", properties);
        if !required.is_empty() {
            schema = schema.with("required", required);
        }
        if !self.is_open {
            schema = schema.with("additionalProperties", false);
        }
        let rules: Vec<Json> = record
            .rules
            .iter()
            .filter_map(|rule| self.rule(rule))
            .collect();
        if rules.is_empty() {
            schema
        } else {
            schema.with("allOf", list(rules))
        }
    }

    /// Returns true if parsing takes a field: the parser accepts its key, and preprocessing does not refuse it.
    fn takes(&self, field: &Field) -> bool {
        self.version.is_none_or(|version| {
            field.accepted <= version && (field.since <= version || !field.is_refused_before)
        })
    }

    /// Returns the schema of a field's value.
    fn property(&mut self, field: &Field) -> Json {
        let value = self.form(field.form);
        let may_be_null = match field.presence {
            Presence::Required | Presence::Optional => false,
            Presence::Nullable | Presence::Dependent => true,
        };
        let value = match field.form {
            Form::Version | Form::Rotation(_) => value,
            _ if may_be_null => any_of([value, null()]),
            _ => value,
        };
        let mut about = field.about.to_owned();
        if field.since > Version::OLDEST {
            about = format!("{about} From version {} on.", field.since);
        }
        let described = pair("description", about).and(value);
        if self.version.is_some_and(|version| version < field.since) {
            described.with("doNotSuggest", true)
        } else {
            described
        }
    }

    /// Returns a reference to the schema of a repeat among items whose record has this id.
    pub fn repeat(&mut self, id: &str, body: Json) -> Json {
        self.define(&format!("repeat_{id}"), |definitions| {
            // A body of which there are no copies may be any mapping.
            let none = pair("count", pair("const", 0));
            let none = pair("properties", none);
            let body = pair("body", body);
            let value = definitions
                .fields(&REPEAT)
                .with("if", none)
                .with("else", pair("properties", body));
            typed("object")
                .with("description", REPEAT.about)
                .with("properties", pair(REPEAT.id, value))
                .with("required", [REPEAT.id])
                .with("additionalProperties", false)
        })
    }

    /// Returns the schema of a rule; `None` if the version has too few of its fields.
    fn rule(&self, rule: &Rule) -> Option<Json> {
        let not = |schema: Json, message: &str| {
            let rule = pair("not", schema);
            Some(rule.with("errorMessage", message))
        };
        let both = |fields: &[&str]| {
            let fields = fields.iter().map(|field| there(field));
            pair("allOf", list(fields.collect::<Vec<_>>()))
        };
        match rule {
            Rule::ExactlyOne(fields) => {
                let fields = fields.iter().map(|field| there(field));
                Some(pair("oneOf", list(fields.collect::<Vec<_>>())))
            }
            Rule::AtMostOne(fields) => not(both(fields), "Leave one of the two fields out."),
            Rule::Needs(field, other) => {
                let rule = pair("if", there(field));
                Some(rule.with("then", there(other)))
            }
            Rule::OneRotation(fields) if !self.version_has(Feature::Expressions) => {
                not(both(fields), ONE_ROTATION)
            }
            Rule::OneRotation(_) => {
                let pairs: Vec<Json> = ROTATIONS
                    .iter()
                    .enumerate()
                    .flat_map(|(at, one)| {
                        ROTATIONS[at + 1..]
                            .iter()
                            .map(move |other| pair("required", [*one, *other]))
                    })
                    .collect();
                not(any_of(pairs), ONE_ROTATION)
            }
        }
    }
}

const ONE_ROTATION: &str = "A transform has one rotation.";

/// Returns the schema of null.
pub fn null() -> Json {
    typed("null")
}

/// Returns the schema of mappings that have a field which is not null.
pub fn there(field: &str) -> Json {
    let not_null = pair("not", null());
    pair("required", [field]).with("properties", pair(field, not_null))
}
