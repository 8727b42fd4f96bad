//! The values that steps of preprocessing read: numbers, ids, and the fields of mappings (`extensions.md` §2.1).

use super::draft::Draft;
use crate::schema::{Presence, Record};
use crate::yaml::{Kind, NodeId, is_identifier};
use rigy_base::diag::{Code, Diagnostic, quoted};

pub type Result<T> = std::result::Result<T, Diagnostic>;

/// A primitive that a macro makes.
pub struct Made {
    pub shape: &'static str,
    pub id: String,
    pub dimensions: [(&'static str, f64); 3],
    /// The quaternion x, y, z, w, if it is rotated.
    pub rotation: Option<[f64; 4]>,
    pub translation: [f64; 3],
}

/// Returns an error without a code of its own about a value.
pub fn fault(id: NodeId, message: impl Into<String>, draft: &Draft) -> Diagnostic {
    let error = Diagnostic::new(Code::U10, draft.span(id), message);
    match draft.kind(id) {
        Kind::Str(text) => error.unmarked_param(text, &draft.params),
        _ => error,
    }
}

/// Returns the error of a value that is not what stands there.
pub fn unexpected(id: NodeId, wanted: &str, draft: &Draft) -> Diagnostic {
    let found = draft.kind(id).describe();
    fault(id, format!("expected {wanted}, found {found}"), draft)
}

/// Reports the first key of a mapping that is not a field.
pub fn check_fields(id: NodeId, record: &'static Record, draft: &Draft) -> Result<()> {
    let (name, version) = (record.name, draft.version);
    let Kind::Map(entries) = draft.kind(id) else {
        let found = draft.kind(id).describe();
        return Err(fault(
            id,
            format!("{name} is a mapping, not {found}"),
            draft,
        ));
    };
    match entries.iter().find(|e| !record.accepts(&e.key, version)) {
        None => Ok(()),
        Some(entry) => {
            let message = format!("{name} has no field `{}`", entry.key);
            let error = Diagnostic::new(version.unknown_field(), entry.key_span, message);
            let names = record.names(version);
            let near = draft.findings.nearest(&entry.key, names.iter().copied());
            Err(match (record.called(entries, entry, version), near) {
                (Some(field), _) => error.called(&entry.key, field),
                (None, Some(near)) => error.did_you_mean(&entry.key, near),
                (None, None) => {
                    error.help(format!("its fields are {}", quoted(names.iter().copied())))
                }
            })
        }
    }
}

/// Returns the value of a field that must be there.
pub fn required(id: NodeId, record: &'static Record, field: &str, draft: &Draft) -> Result<NodeId> {
    check_presence(record, field, Presence::Required);
    draft.value(id, field).ok_or_else(|| {
        let message = format!("{} has no `{field}`", record.name);
        Diagnostic::new(Code::V34, draft.span(id), message)
    })
}

/// Returns the value of a field that may be left out.
pub fn optional(id: NodeId, record: &'static Record, field: &str, draft: &Draft) -> Option<NodeId> {
    check_presence(record, field, Presence::Optional);
    draft.value(id, field)
}

/// Checks, in debug builds, that the table has the field with this presence.
fn check_presence(record: &'static Record, field: &str, presence: Presence) {
    debug_assert!(
        record.field(field).is_some_and(|f| f.presence == presence),
        "the table of {} has another `{field}`",
        record.name
    );
}

/// Reads a number: an integer or a float, which may be infinite or not a number (`extensions.md` §2.1).
pub fn number(id: NodeId, draft: &Draft) -> Result<f64> {
    match draft.kind(id) {
        Kind::Int(int) => Ok(int.nearest),
        Kind::Float(value) => Ok(*value),
        _ => Err(unexpected(id, "a number", draft)),
    }
}

/// Reads a number that is finite.
pub fn finite(id: NodeId, draft: &Draft) -> Result<f64> {
    match number(id, draft)? {
        value if value.is_finite() => Ok(value),
        value => Err(fault(
            id,
            format!("expected a finite number, found {value}"),
            draft,
        )),
    }
}

/// Reads a number that is finite and positive.
pub fn positive(id: NodeId, draft: &Draft) -> Result<f64> {
    match finite(id, draft)? {
        value if value > 0.0 => Ok(value),
        value => Err(fault(
            id,
            format!("expected a number above 0, found {value}"),
            draft,
        )),
    }
}

/// Reads a list of `N` finite numbers.
pub fn numbers<const N: usize>(id: NodeId, draft: &Draft) -> Result<[f64; N]> {
    let items: [NodeId; N] = draft
        .items(id)
        .try_into()
        .map_err(|_| unexpected(id, &format!("a list of {N} numbers"), draft))?;
    let mut values = [0.0; N];
    for (value, item) in values.iter_mut().zip(items) {
        *value = finite(item, draft)?;
    }
    Ok(values)
}

/// Reads an id, which the ids of primitives begin with.
pub fn identifier(id: NodeId, draft: &Draft) -> Result<String> {
    match draft.kind(id) {
        Kind::Str(text) if is_identifier(text) => Ok(text.clone().into_owned()),
        _ => {
            let wanted = "an id of ASCII letters, digits and `_`, no digit first";
            Err(unexpected(id, wanted, draft))
        }
    }
}

/// Checks the labels that are copied to every primitive: `tags` is a list.
pub fn check_labels(item: NodeId, draft: &Draft) -> Result<()> {
    match draft.value(item, "tags") {
        Some(tags) if !matches!(draft.kind(tags), Kind::Null | Kind::Seq(_)) => {
            Err(unexpected(tags, "a list of tags", draft))
        }
        _ => Ok(()),
    }
}
