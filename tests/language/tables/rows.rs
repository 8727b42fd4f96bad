//! Rows of the tables of `language.md`, and how they are checked.

use rigy_batch::base::diag::Code;

use super::{bounds, changed, compile, found};

/// The outcome that a row states.
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    Accepted,
    /// The first mesh has these extents.
    Size([f32; 3]),
    /// The first mesh has this name.
    Name(&'static str),
    /// Exactly these vertices of the first mesh follow the second joint.
    Vertices(&'static [usize]),
    Warned(Code),
    Refused(Code),
}

/// A list of rows of two texts each, and what they come to.
macro_rules! rows {
    ($($first:literal $second:literal => $expected:expr;)*) => { &[$(($first, $second, $expected)),*] };
}

/// A list of scalars, grouped under what they come to.
macro_rules! grouped {
    ($($meaning:expr => $($scalar:expr),+;)*) => { &[$($(($scalar, $meaning)),+),*] };
}

pub(super) use {grouped, rows};

/// A row: its name, the document, what it says.
pub type Row = (String, String, Expected);

/// Says how a document differs from its row, if it does.
pub fn difference(text: &str, expected: Expected, files: &[(&str, &str)]) -> Option<String> {
    use Expected::{Name, Refused, Size, Vertices, Warned};
    let made = match (compile(text, files), expected) {
        (Err(errors), Refused(code)) => {
            let right = errors[0].code == Some(code) && errors[0].category == code.category();
            return (!right).then(|| found(&errors[0]));
        }
        (Err(errors), _) => return Some(found(&errors[0])),
        (Ok(_), Refused(_)) => return Some("it is accepted".into()),
        (Ok(made), _) => made,
    };
    let warnings = match expected {
        Warned(code) => vec![code],
        _ => vec![],
    };
    if made.warnings != warnings {
        return Some(format!("the warnings are {:?}", made.warnings));
    }
    let wrong = match expected {
        Size(wanted) => {
            let [min, max] = bounds(&made.json);
            let size = [0, 1, 2].map(|axis| max[axis] - min[axis]);
            (size != wanted).then(|| format!("{size:?}"))
        }
        Name(wanted) => {
            let name = &made.json["meshes"][0]["name"];
            (*name != *wanted).then(|| name.to_string())
        }
        Vertices(wanted) => {
            let joints = made.meshes[0].joints.iter().enumerate();
            let vertices = joints
                .filter(|(_, joint)| **joint == 1)
                .map(|(vertex, _)| vertex);
            let vertices: Vec<usize> = vertices.collect();
            (vertices != wanted).then(|| format!("{vertices:?}"))
        }
        _ => None,
    };
    wrong.map(|value| format!("the result is {value}"))
}

/// Fails with everything that is wrong.
pub fn none_wrong(wrong: impl Iterator<Item = String>) {
    let wrong: Vec<String> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

pub fn every(rows: impl IntoIterator<Item = Row>) {
    let wrong = rows.into_iter().filter_map(|(name, text, expected)| {
        let difference = difference(&text, expected, &[])?;
        Some(format!("{name}: expected {expected:?}; {difference}"))
    });
    none_wrong(wrong);
}

pub fn changes(section: &str, rows: &[(&str, &str, Expected)]) -> Vec<Row> {
    let row = |(from, to, expected): &(&str, &str, Expected)| {
        (
            format!("{section} `{to}`"),
            changed(&[(from, to)]),
            *expected,
        )
    };
    rows.iter().map(row).collect()
}

pub fn documents(section: &str, rows: &[(&str, &str, Expected)]) -> Vec<Row> {
    let row = |(name, text, expected): &(&str, &str, Expected)| {
        (format!("{section} {name}"), (*text).to_owned(), *expected)
    };
    rows.iter().map(row).collect()
}
