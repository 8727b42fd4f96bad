//! A JSON Schema of the file, made from clap's definitions of the options.

use std::any::TypeId;

use serde_json::{Map, Value, json};

use super::keys::{Form, Key, Target};

/// Returns the schema as text.
pub fn text() -> String {
    let [documents, bake] = Target::ALL.map(Target::keys);
    let is_common = |key: &&Key| bake.iter().any(|other| other.name == key.name);
    let mut properties = properties(documents.iter().filter(is_common));
    let table = |keys: &[Key], description: &str| {
        json!({
            "type": "object",
            "description": description,
            "properties": self::properties(keys.iter()),
            "additionalProperties": false,
        })
    };
    let of_bake = table(&bake, "Options of `rigy-batch bake`");
    let several = json!({
        "type": "array",
        "description": "Options of `rigy-batch bake`: each table makes outputs of its own",
        "items": of_bake,
    });
    properties.insert(
        "documents".into(),
        table(&documents, "Options of `rigy-batch PATH…`, for documents"),
    );
    properties.insert("bake".into(), json!({ "anyOf": [of_bake, several] }));
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "rigy-batch.toml",
        "description": "Options of rigy-batch: each key is the long name of an option",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    format!("{schema:#}")
}

fn properties<'k>(keys: impl Iterator<Item = &'k Key>) -> Map<String, Value> {
    keys.map(|key| (key.name.clone(), property(key))).collect()
}

/// Returns the schema of a key.
fn property(key: &Key) -> Value {
    let one = one(key);
    let list = json!({ "type": "array", "items": one });
    let mut schema = match key.form {
        Form::Flag => json!({ "type": "boolean" }),
        Form::Value => one,
        Form::List | Form::Joined => json!({ "anyOf": [one, list] }),
        Form::Pairs => {
            let table = json!({ "type": "object", "additionalProperties": { "type": NUMBER } });
            json!({ "anyOf": [table, one, list] })
        }
    };
    let fields = schema.as_object_mut().expect("all forms are objects");
    if let Some(help) = key.arg.get_help() {
        fields.insert("description".into(), help.to_string().into());
    }
    let defaults = key.arg.get_default_values();
    if let (Form::Value | Form::Joined, [default]) = (key.form, defaults) {
        fields.insert("default".into(), default.to_string_lossy().into());
    }
    schema
}

/// The types of values that may be texts or numbers.
const NUMBER: [&str; 2] = ["string", "number"];

/// Returns the schema of one value of a key.
fn one(key: &Key) -> Value {
    let names = key.arg.get_possible_values();
    let names: Vec<&str> = names.iter().map(|name| name.get_name()).collect();
    if !names.is_empty() && key.form != Form::Flag {
        return json!({ "enum": names });
    }
    let parsed = key.arg.get_value_parser().type_id();
    let whole = [
        TypeId::of::<u16>(),
        TypeId::of::<u32>(),
        TypeId::of::<u64>(),
    ];
    match key.is_path {
        true => json!({ "type": "string" }),
        false if whole.iter().any(|whole| parsed == *whole) => {
            json!({ "type": ["string", "integer"] })
        }
        false => json!({ "type": NUMBER }),
    }
}
