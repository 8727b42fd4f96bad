//! Explanations of the code, the name or the field at an offset.

use std::fmt::Write as _;
use std::ops::Range;

use super::explanation;
use super::links::names_at;
use super::names::touches;
use super::project::{NameId, Project};
use super::question::{Files, Source};
use super::sketch::Value;
use super::walk::{NodePlace, Reading, version_of};
use rigy_base::diag::{Code, quoted};
use rigy_language::model::Shape;
use rigy_language::schema::names::NameKind;
use rigy_language::schema::{Field, Form, Presence, Record};
use rigy_language::version::Version;

/// An explanation.
#[derive(Debug)]
pub struct Hover {
    /// The bytes that it is about.
    pub range: Range<usize>,
    /// The explanation, in Markdown. What files bring stands in code spans.
    pub text: String,
}

/// Returns an explanation of the code at an offset, such as V11, of the element that a name there refers to, or of the field.
pub fn hover(source: Source, offset: usize, files: &Files) -> Option<Hover> {
    if let Some(hover) = code_at(source.text, offset) {
        return Some(hover);
    }
    let project = Project::of(source, files);
    element_at(&project, offset).or_else(|| field_at(&project, offset))
}

/// Returns the explanation of a code, such as V11, in Markdown: that of `rigy-batch explain`, without the example. `None` if
/// there is no such code.
pub fn code_text(code: &str) -> Option<String> {
    let code = Code::named(code)?;
    let explanation = explanation::of(code)?;
    let (title, meaning, mend) = (code.title(), explanation.meaning, explanation.mend);
    let name = code.name();
    Some(format!("**{name}** {title}\n\n{meaning}\n\nMend: {mend}"))
}

/// Returns the explanation of the code at an offset, if it stands there in capital letters.
fn code_at(text: &str, offset: usize) -> Option<Hover> {
    let bytes = text.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let at = offset.min(bytes.len());
    // Codes are short, so longer words are not looked at.
    let before = bytes[..at].iter().rev().take(8).take_while(|b| is_word(b));
    let start = at - before.count();
    let len = bytes[start..].iter().take(16).take_while(|b| is_word(b));
    let range = start..start + len.count();
    let word = text.get(range.clone())?;
    let text = word
        .starts_with(|c: char| c.is_ascii_uppercase())
        .then(|| code_text(word))
        .flatten()?;
    Some(Hover { range, text })
}

/// Returns the element that the name at an offset refers to, with its line.
fn element_at(project: &Project, offset: usize) -> Option<Hover> {
    let names = names_at(project, offset);
    let first = project.name(*names.first()?);
    // The id of an element in its own mapping is a field, which has more to say.
    if first.is_definition && first.kind != NameKind::Import {
        return None;
    }
    let mut text = String::new();
    let resolved = names.iter().flat_map(|name| project.resolve(*name));
    for resolved in resolved.take(3) {
        if !text.is_empty() {
            text.push_str("\n\n---\n\n");
        }
        text += &described(project, resolved.definition);
        if !resolved.by.is_empty() {
            let made = code_span(&first.text);
            let _ = write!(text, "\n\n{made} is made from it.");
        }
    }
    let range = first.range.clone();
    (!text.is_empty()).then_some(Hover { range, text })
}

/// Returns the kind and the name of an element, its file and line, and the line itself.
fn described(project: &Project, id: NameId) -> String {
    let name = project.name(id);
    let file = &project.files[id.file];
    let start = name.range.start.min(file.read.text.len());
    let before = &file.read.text.as_bytes()[..start];
    let number = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let first = before.iter().rposition(|byte| *byte == b'\n');
    let rest = &file.read.text[first.map_or(0, |at| at + 1)..];
    let line: String = rest
        .lines()
        .next()
        .unwrap_or_default()
        .trim()
        .chars()
        .take(160)
        .collect();
    let place = match id.file {
        0 => format!("line {number}"),
        _ => {
            let path = file.location.0.file_name().unwrap_or_default();
            format!("{}, line {number}", code_span(&path.to_string_lossy()))
        }
    };
    let (kind, shown) = (name.kind.name(), code_span(&name.text));
    format!("{kind} {shown}, {place}\n\n{}", code_span(&line))
}

/// Returns a text as a code span of Markdown.
fn code_span(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c: char| if c.is_control() { ' ' } else { c })
        .collect();
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    match fence.len() {
        1 => format!("`{text}`"),
        _ => format!("{fence} {text} {fence}"),
    }
}

/// Returns the explanation of the field at an offset.
fn field_at(project: &Project, offset: usize) -> Option<Hover> {
    let file = &project.files[0];
    let reading = file.read.reading();
    let mut place = reading.root();
    let mut found = None;
    loop {
        match &file.read.sketch.raw(place.node).value {
            Value::Map(entries) => {
                let entry = entries
                    .iter()
                    .filter(|entry| !entry.is_merged)
                    .find(|entry| {
                        let end = file.read.sketch.raw(entry.value).range.end;
                        let key = &entry.key.range;
                        touches(&(key.start..end.max(key.end)), offset)
                    })?;
                let field = place
                    .record
                    .and_then(|record| record.field(entry.key.value(&file.read.text)));
                let inner = reading.value_of(&place, entry);
                if let Some(field) = field {
                    let text = field_text(
                        field,
                        place.record,
                        version_of(&file.read.sketch, &file.read.text),
                    );
                    found = Some((entry.key.range.clone(), text));
                } else if let Some(record) = inner.record {
                    found = Some((entry.key.range.clone(), record.about.to_owned()));
                }
                if touches(&entry.key.range, offset) {
                    break;
                }
                place = inner;
            }
            Value::List(_) => place = item_at(reading, &place, offset)?,
            _ => break,
        }
    }
    let (range, text) = found?;
    Some(Hover { range, text })
}

/// Returns the item of a list at an offset.
fn item_at(reading: Reading, place: &NodePlace, offset: usize) -> Option<NodePlace> {
    let item = reading
        .sketch
        .items(place.node)
        .iter()
        .find(|node| touches(&reading.sketch.raw(**node).range, offset))?;
    Some(reading.item_of(place, *item))
}

/// Returns the explanation of a field: its sentence, its type, whether it can be left out, and since when it exists.
pub fn field_text(field: &Field, record: Option<&'static Record>, version: Version) -> String {
    let of = record.map_or(String::new(), |record| format!(" of {}", record.name));
    let mut text = format!("**{}**{of}\n\n{}", field.name, field.about);
    let presence = match field.presence {
        Presence::Required => "It has to be there.",
        Presence::Optional => "It may be left out.",
        Presence::Nullable => "It may be left out or null.",
        Presence::Dependent => "Other fields decide whether it has to be there.",
    };
    let _ = write!(text, "\n\nType: {}. {presence}", form_text(field.form));
    if field.since > Version::OLDEST {
        let _ = write!(text, " Since version {}.", field.since);
        if field.since > version {
            let _ = write!(text, " This document has version {version}.");
        }
    }
    text
}

/// Returns the words for a type.
fn form_text(form: Form) -> String {
    match form {
        Form::Any => "any value".into(),
        Form::Version => "a version in quotes".into(),
        Form::Number | Form::Plain => "a number".into(),
        Form::Positive => "a number above 0".into(),
        Form::Whole | Form::Vertex | Form::Count | Form::Repetitions => "a whole number".into(),
        Form::Fraction => "a number from 0 to 1".into(),
        Form::Distance => "a distance, such as `20cm`".into(),
        Form::Text | Form::OwnMesh => "text".into(),
        Form::Known(words) => format!("text, such as {}", quoted(words.iter().copied())),
        Form::Identifier | Form::Token => "an identifier".into(),
        Form::Word(words) => format!("one of {}", quoted(words.iter().copied())),
        Form::Shape => format!("one of {}", quoted(Shape::NAMES)),
        Form::Tuple(count, item) => format!("a list of {count}: {}", form_text(*item)),
        Form::Different => "three different texts".into(),
        Form::List(item) => format!("a list: {}", form_text(*item)),
        Form::Map(value) => format!("a mapping from names to {}", form_text(*value)),
        Form::Record(record) => format!("a mapping ({})", record.name),
        Form::OneOrMore(record) => format!("a mapping ({}), or a list of them", record.name),
        Form::Primitive => "a primitive or a macro".into(),
        Form::Dimensions => "sizes by name".into(),
        Form::Rotation(form) => form_text(*form),
        Form::Params => "a mapping from names to numbers, booleans and texts".into(),
        Form::Body => "the mapping that is repeated".into(),
    }
}
