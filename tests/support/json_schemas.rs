//! The published JSON Schemas of what the program prints, in a strict form: an object has no fields beside those of its schema.

use jsonschema::Validator;
use serde_json::{Value, json};

use super::Ran;

/// The files of `docs/src/reference/schemas`.
#[derive(Clone, Copy, Debug)]
pub enum Published {
    Batch,
    Verify,
    Diff,
    Inspect,
    Bindings,
    Page,
}

impl Published {
    pub fn schema(self) -> Value {
        serde_json::from_str(match self {
            Self::Batch => include_str!("../../docs/src/reference/schemas/batch.json"),
            Self::Verify => include_str!("../../docs/src/reference/schemas/verify.json"),
            Self::Diff => include_str!("../../docs/src/reference/schemas/diff.json"),
            Self::Inspect => include_str!("../../docs/src/reference/schemas/inspect.json"),
            Self::Bindings => include_str!("../../docs/src/reference/schemas/bindings.json"),
            Self::Page => include_str!("../../docs/src/reference/schemas/page.json"),
        })
        .unwrap()
    }

    fn validator(self, definition: &str) -> Validator {
        let schema = self.schema();
        assert!(jsonschema::draft202012::meta::is_valid(&schema), "{self:?}");
        let mut definitions = schema["$defs"].clone();
        make_strict(&mut definitions);
        let part = json!({"$defs": definitions, "$ref": format!("#/$defs/{definition}")});
        jsonschema::draft202012::new(&part).unwrap()
    }

    /// Every value is valid by a definition.
    pub fn accepts<'a>(self, definition: &str, values: impl IntoIterator<Item = &'a Value>) {
        let validator = self.validator(definition);
        for value in values {
            let errors: Vec<String> = validator
                .iter_errors(value)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert_eq!(
                errors,
                Vec::<String>::new(),
                "{self:?} {definition}: {value}"
            );
        }
    }
}

/// Forbids fields that a schema does not name.
fn make_strict(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(make_strict);
            if fields.get("properties").is_some_and(Value::is_object)
                && fields.get("type") == Some(&"object".into())
            {
                fields.insert("additionalProperties".into(), false.into());
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(make_strict),
        _ => {}
    }
}

/// The lines of a batch and their summary are as published; returns all of them.
pub fn batch_lines(ran: &Ran) -> Vec<Value> {
    let lines = ran.json();
    let (last, others) = lines.split_last().unwrap();
    assert!(!others.is_empty(), "{}", ran.stderr());
    Published::Batch.accepts("line", others);
    Published::Batch.accepts("summary", [last]);
    lines
}
