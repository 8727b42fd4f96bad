//! The version that a document declares, and what it permits.

use std::fmt;

use crate::yaml::{Entry, Kind, Tree, curly_quotes};
use rigy_base::diag::{Code, Diagnostic, Mend, Span, nearest};

/// A version of the language, from 0.1 to 0.13.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Hash)]
pub struct Version(u32);

/// The newest.
impl Default for Version {
    fn default() -> Self {
        Self::NEWEST
    }
}

/// A feature that documents may use from some version on (`extensions.md` §1).
#[derive(Clone, Copy, Debug)]
pub enum Feature {
    /// Dual quaternion skinning and poses.
    Poses,
    /// A table of materials; with it, everything that `extensions.md` describes and does not gate further.
    Materials,
    /// `uv_sets` of a mesh.
    UvSets,
    /// The shape `wedge`.
    Wedge,
    /// `params`, `repeat`, `$name`, `${name}`; and the codes V56, V57 and V66.
    Params,
    /// `tags` of a primitive.
    Tags,
    /// Expressions, rotations in four forms, and one glTF primitive for each primitive.
    Expressions,
    /// The shape `implicit_surface`.
    ImplicitSurfaces,
}

impl Feature {
    /// Returns the version that introduced the feature.
    pub const fn since(self) -> Version {
        Version(match self {
            Self::Poses => 5,
            Self::Materials => 6,
            Self::UvSets => 8,
            Self::Wedge => 9,
            Self::Params => 10,
            Self::Tags => 11,
            Self::Expressions => 12,
            Self::ImplicitSurfaces => 13,
        })
    }
}

impl Version {
    /// The oldest version.
    pub const OLDEST: Self = Self(1);
    /// The newest version.
    pub const NEWEST: Self = Self(13);

    /// Returns the version 0.`minor`; `None` if there is no such version.
    pub fn of_minor(minor: u32) -> Option<Self> {
        (1..=Self::NEWEST.0).contains(&minor).then_some(Self(minor))
    }

    /// Returns all versions, the oldest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (Self::OLDEST.0..=Self::NEWEST.0).map(Self)
    }

    /// Returns its second number: 5 for 0.5.
    pub fn minor(self) -> u32 {
        self.0
    }

    /// Returns the version that is spelled so: `0.5`.
    pub fn named(text: &str) -> Option<Self> {
        Self::all().find(|version| *text == *version.to_string())
    }

    /// Returns true if documents of this version have a feature.
    pub fn has(self, feature: Feature) -> bool {
        self >= feature.since()
    }

    fn choose(self, feature: Feature, with: Code, without: Code) -> Code {
        if self.has(feature) { with } else { without }
    }

    /// Returns the code of a key that is not a field.
    pub fn unknown_field(self) -> Code {
        self.choose(Feature::Params, Code::V57, Code::V33)
    }

    /// Returns the code of a key that a mapping has twice.
    pub fn duplicate_key(self) -> Code {
        self.choose(Feature::Params, Code::V56, Code::U10)
    }

    /// Returns the code of two elements with one id: V66 from 0.10 on, `plain` before.
    pub fn same_id(self, plain: Code) -> Code {
        self.choose(Feature::Params, Code::V66, plain)
    }

    /// Returns the code of a material that does not exist.
    pub fn unknown_material(self) -> Code {
        self.choose(Feature::Expressions, Code::V75, Code::V38)
    }

    /// Reads `version`, or its synonym `rigy_version`, of a document.
    ///
    /// # Errors
    /// A ParseError if it is missing, misspelt or not a version.
    pub fn read(tree: &Tree) -> Result<Self, Diagnostic> {
        let root = tree.node(tree.root).span;
        let find = |key: &str| tree.entry(tree.root, key);
        match (find("version"), find("rigy_version")) {
            (Some(_), Some(again)) => Err(Diagnostic::new(
                Code::U10,
                again.key_span,
                "`rigy_version` is another name for `version`; a document has one of them",
            )
            .help("remove one of the two")),
            (None, None) => Err(missing(tree.entries(tree.root).unwrap_or(&[]), root)),
            (Some(entry), None) | (None, Some(entry)) => read_value(tree, entry),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "0.{}", self.0)
    }
}

fn read_value(tree: &Tree, entry: &Entry) -> Result<Version, Diagnostic> {
    let node = tree.node(entry.value);
    let error = |message: String| Diagnostic::new(Code::U10, node.span, message);
    let text = match &node.kind {
        Kind::Null => return Err(missing(&[], entry.key_span)),
        Kind::Str(text) => text,
        Kind::Float(_) | Kind::Int(_) => {
            let version = as_written(&node.kind, node.span);
            let error = error("the version must be a string, not a number".into());
            let help = format!("put quotes around it: `version: \"{version}\"`");
            return Err(error.help(help).mend(Mend::Declare(version.to_string())));
        }
        _ => {
            return Err(error("the version must be a string".into()).help(format!(
                "write for example `version: \"{}\"`",
                Version::NEWEST
            )));
        }
    };
    let newest = Version::NEWEST;
    Version::named(text).ok_or_else(|| {
        let error = error(format!("`{text}` is not a version of Rigy"));
        let help = || format!("one of \"0.1\" to \"{newest}\", spelled exactly so");
        curly_quotes(error, text).unwrap_or_else(|error| error.help(help()))
    })
}

/// Returns the version that a number means; the newest one if it means none. The number 0.10 is that of 0.1, with one more digit.
fn as_written(kind: &Kind, span: Span) -> Version {
    let Kind::Float(value) = kind else {
        return Version::NEWEST;
    };
    let minors = 1..=Version::NEWEST.0;
    minors
        .map(Version)
        .find(|version| {
            let text = version.to_string();
            text.len() == (span.end - span.start) as usize && text.parse() == Ok(*value)
        })
        .unwrap_or(Version::NEWEST)
}

/// Returns the error of a missing version. The key may be misspelt, or the file may be of another kind.
fn missing(entries: &[Entry], span: Span) -> Diagnostic {
    let misspelt = entries
        .iter()
        .find(|e| nearest(&e.key, ["version", "rigy_version"]).is_some());
    let span = misspelt.map_or(span, |entry| entry.key_span);
    if let Some(error) = of_other_kind(entries, "version", DOCUMENT) {
        return error;
    }
    let error = Diagnostic::new(Code::V34, span, "the document has no `version`");
    if let Some(entry) = misspelt {
        return error.did_you_mean(&entry.key, "version");
    }
    let newest = Version::NEWEST;
    let error = error.help(format!("add a line such as `version: \"{newest}\"`"));
    match entries {
        [] => error,
        _ => error.mend(Mend::Insert {
            field: "version".into(),
            value: format!("\"{newest}\""),
        }),
    }
}

const DOCUMENT: &str = "a document";
const DOCUMENTS: &str = "rename the file so that its name ends in `.rigy.yaml`";
const SCENES: &str =
    "rename the file so that its name ends in `.rigs.yaml`; a scene is no part of another file";
const CONTRACTS: &str = "it belongs after `contract:` of an import";
const WEIGHT_FILES: &str = "it belongs after `source:` of a weight map";

/// Keys by which the kinds of files are known, and what to do with a file of each.
const KINDS: [(&str, &str, &str); 7] = [
    ("rigs_version", "a scene", SCENES),
    ("contract_version", "a contract", CONTRACTS),
    ("influences", "a weight file", WEIGHT_FILES),
    ("vertex_count", "a weight file", WEIGHT_FILES),
    ("version", DOCUMENT, DOCUMENTS),
    ("rigy_version", DOCUMENT, DOCUMENTS),
    ("meshes", DOCUMENT, DOCUMENTS),
];

/// Returns the error of a file that is read as one of the kind `wanted`, lacks the key `version` of that kind, and is of another
/// kind by its keys.
pub(crate) fn of_other_kind(entries: &[Entry], version: &str, wanted: &str) -> Option<Diagnostic> {
    let find = |key: &str| entries.iter().find(|entry| entry.key == key);
    let (entry, kind, help) = KINDS
        .iter()
        .filter(|(_, kind, _)| *kind != wanted)
        .find_map(|(key, kind, help)| Some((find(key)?, kind, help)))
        .filter(|_| find(version).is_none())?;
    let key = &entry.key;
    let message = format!("this is {kind}, not {wanted}: it has `{key}`, and no `{version}`");
    Some(Diagnostic::new(Code::V34, entry.key_span, message).help(*help))
}
