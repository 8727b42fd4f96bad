//! Changed copies of a file, and the verdicts about them.

use rigy_batch::base::diag::{Code, Diagnostic};
use serde_json::{Value, json};

use super::codes;

/// Values in the place of others.
fn probes() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(7),
        json!(-3),
        json!(0.5),
        json!("1_0"),
        json!("1."),
        json!("-2.0"),
        json!("text"),
        json!("a b"),
        json!("=1"),
        json!("=\n"),
        json!("US$a"),
        json!([]),
        json!([1]),
        json!({}),
        json!({"zzz": 1}),
    ]
}

/// Codes that compare values of different places: of a range, of a macro and its mesh, of a param and its use (V61), and
/// those of rotations without a direction.
const COMPARING: [Code; 5] = [Code::U04, Code::V61, Code::V67, Code::V76, Code::V78];

/// Fields whose numbers preprocessing compares with 0 or with each other.
#[rustfmt::skip] // several in a line
const COMPARED: [&str; 10] = [
    "aabb", "cutouts", "span", "plane", "leg_p", "leg_q", "height", "thickness", "length", "range",
];

struct Change {
    path: String,
    /// The value that was there, unless a key was added.
    before: Option<Value>,
    after: Option<Value>,
}

impl Change {
    fn is_unsaid(&self, errors: &[Diagnostic]) -> bool {
        let is_number = |value: &Value| match value {
            Value::String(text) => text.starts_with('=') || text.starts_with("${"),
            other => other.is_number(),
        };
        let numbers = self.before.as_ref().is_some_and(Value::is_number)
            && self.after.as_ref().is_some_and(is_number);
        let found = codes(errors);
        let is_rotation = self.path.contains("/rotation_");
        let is_any = is_rotation || self.path.ends_with("/mesh");
        let is_comparing = |code: &Code| COMPARING.contains(code);
        (numbers && COMPARED.iter().any(|key| self.path.contains(key)))
            || (!found.is_empty() && found.iter().all(is_comparing))
            // Below 0.12 these take any value, but no text that preprocessing refuses everywhere.
            || (is_any && (found == [Code::V60] || found == [Code::V77]))
    }

    /// True if the parser accepts what the schema refuses: a macro passes over labels that are an empty list.
    fn is_unread(&self) -> bool {
        let label = ["/material", "/surface"]
            .iter()
            .any(|key| self.path.ends_with(key));
        label && self.after.as_ref().is_some_and(|value| *value == json!([]))
    }
}

pub fn pointers(value: &Value) -> Vec<String> {
    let mut all = Vec::new();
    let mut open = vec![(String::new(), value)];
    while let Some((path, value)) = open.pop() {
        let children: Vec<(String, &Value)> = match value {
            Value::Object(entries) => {
                let entries = entries.iter();
                entries
                    .map(|(key, value)| (format!("{path}/{key}"), value))
                    .collect()
            }
            Value::Array(items) => {
                let items = items.iter().enumerate();
                items
                    .map(|(at, value)| (format!("{path}/{at}"), value))
                    .collect()
            }
            _ => Vec::new(),
        };
        all.extend(children.iter().map(|(path, _)| path.clone()));
        open.extend(children);
    }
    all
}

fn each_change(file: &Value, mut judge: impl FnMut(&Value, &Change)) {
    for path in pointers(file) {
        if path == "/version" || path == "/rigy_version" {
            continue;
        }
        let before = file.pointer(&path).unwrap().clone();
        let mut values = probes();
        if path.contains("/body/") {
            values.extend([json!("${i}"), json!("a${i}"), json!("1${i}")]);
        }
        for after in values {
            let mut changed = file.clone();
            *changed.pointer_mut(&path).unwrap() = after.clone();
            let (path, before) = (path.clone(), Some(before.clone()));
            judge(
                &changed,
                &Change {
                    path,
                    before,
                    after: Some(after),
                },
            );
        }
        let (parent, key) = path.rsplit_once('/').unwrap();
        let mut without = file.clone();
        match without.pointer_mut(parent).unwrap() {
            Value::Object(entries) => drop(entries.remove(key)),
            Value::Array(items) => drop(items.remove(key.parse().unwrap())),
            _ => unreachable!(),
        }
        judge(
            &without,
            &Change {
                path: path.clone(),
                before: Some(before),
                after: None,
            },
        );
        let mut more = file.clone();
        if let Some(Value::Object(entries)) = more.pointer_mut(&path) {
            entries.insert("zzz".into(), json!(1));
            judge(
                &more,
                &Change {
                    path: format!("{path}/zzz"),
                    before: None,
                    after: None,
                },
            );
        }
    }
}

pub fn differences(
    file: &Value,
    errors: &dyn Fn(&Value) -> Vec<Diagnostic>,
    accepts: &dyn Fn(&Value) -> bool,
) -> Vec<String> {
    let found = errors(file);
    assert!(found.is_empty(), "{file}: {found:?}");
    assert!(accepts(file), "the schema accepts {file}");
    let mut all = Vec::new();
    each_change(file, |changed, change| {
        let (found, accepted) = (errors(changed), accepts(changed));
        let explained = match accepted {
            true => found.is_empty() || change.is_unsaid(&found),
            false => !found.is_empty() || change.is_unread(),
        };
        if !explained {
            let says = found.first().map_or("nothing", |error| &error.message);
            let (path, after) = (&change.path, &change.after);
            all.push(format!(
                "{path} = {after:?}: schema {accepted}, parser: {says}"
            ));
        }
    });
    all
}
