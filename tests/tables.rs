//! The tables of `language.md`, row by row: what a scalar means (§1.1), how versions are spelled (§1.2), what each
//! type accepts (§1.3), what later versions brought (§7), and the probe set (§10).
//!
//! Where a row says which value results, the value is read from the exported GLB or from the scene behind it.

use rigy_batch::base::diag::{Category, Code, Diagnostic};
use rigy_batch::base::executor::Sequential;
use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::base::output::OutputFile;
use rigy_batch::compile::{Files, Input, check, decode};
use rigy_batch::kernel::simd::Isa;
use rigy_batch::language::model::Solver;
use serde_json::Value;

/// What a document was compiled to.
struct Made {
    /// The JSON chunk of the ordinary export.
    json: Value,
    /// The JSON chunks of its bakes, in pose order.
    baked: Vec<Value>,
    meshes: Vec<MadeMesh>,
    warnings: Vec<Code>,
}

struct MadeMesh {
    positions: Vec<[f64; 3]>,
    /// The heaviest joint of each vertex; empty for a mesh that is not bound.
    joints: Vec<u16>,
    solver: Option<Solver>,
}

/// Compiles a document and all its outputs, with other files beside it.
fn compile(text: &str, files: &[(&str, &str)]) -> Result<Made, Vec<Diagnostic>> {
    let mut loader = MemoryLoader::default();
    for (name, content) in files {
        loader.files.insert((*name).into(), (*content).into());
    }
    let loaded = Files::new(loader);
    let checked = check(Input::new("d.rigy.yaml", text), &loaded)?;
    let compiled = checked.value.build()?;
    let warnings = checked.warnings.iter().chain(&compiled.warnings);
    let warnings = warnings.filter_map(|warning| warning.code).collect();
    let compiled = compiled.value;
    let json = json_chunk(&compiled.export()?.to_bytes());
    let mut baked = Vec::new();
    for id in compiled.pose_ids() {
        let posed = compiled.pose(id, Isa::best(), &Sequential).unwrap();
        baked.push(json_chunk(&posed.bake()?.to_bytes()));
    }
    let meshes = compiled.assembly().root.meshes.iter().map(|mesh| {
        let runs = mesh.skin.iter().flat_map(|skin| &skin.runs);
        let slots = runs.flat_map(|run| std::iter::repeat_n(run.slots, run.vertex_count));
        MadeMesh {
            positions: mesh.geometry.positions.iter().collect(),
            joints: slots.map(|slots| slots[0].0).collect(),
            solver: mesh.skin.as_ref().map(|skin| skin.solver),
        }
    });
    let meshes = meshes.collect();
    Ok(Made {
        json,
        baked,
        meshes,
        warnings,
    })
}

/// Compiles a document that is good.
fn good(text: &str) -> Made {
    compile(text, &[]).unwrap_or_else(|errors| panic!("{}", found(&errors[0])))
}

fn json_chunk(glb: &[u8]) -> Value {
    let len = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&glb[20..20 + len]).unwrap()
}

/// What a row says.
#[derive(Clone, Copy, Debug)]
enum Expected {
    Accepted,
    /// The first mesh has these extents.
    Size([f32; 3]),
    /// The first mesh has this name.
    Name(&'static str),
    /// Exactly these vertices of the first mesh follow the second joint.
    Vertices(&'static [usize]),
    /// Accepted with this warning and no other.
    Warned(Code),
    Refused(Code),
}
use Expected::*;

/// A list of rows of two texts each, and what they come to.
macro_rules! rows {
    ($($first:literal $second:literal => $expected:expr;)*) => { &[$(($first, $second, $expected)),*] };
}

/// A list of scalars, grouped under what they come to.
macro_rules! grouped {
    ($($meaning:expr => $($scalar:expr),+;)*) => { &[$($(($scalar, $meaning)),+),*] };
}

/// A row: its name, the document, what it says.
type Row = (String, String, Expected);

/// A bound of an accessor, which baked files round to single precision and others do not.
fn bound(accessor: &Value, end: &str, axis: usize) -> f32 {
    accessor[end][axis].as_f64().unwrap() as f32
}

/// Smallest and largest position of the first mesh, as its accessor says.
fn bounds(json: &Value) -> [[f32; 3]; 2] {
    let accessor = &json["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
    let accessor = &json["accessors"][accessor.as_u64().unwrap() as usize];
    ["min", "max"].map(|end| [0, 1, 2].map(|axis| bound(accessor, end, axis)))
}

/// Says how a document differs from its row, if it does.
fn difference(text: &str, expected: Expected, files: &[(&str, &str)]) -> Option<String> {
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

fn found(error: &Diagnostic) -> String {
    format!("{} {:?}: {}", error.category, error.code, error.message)
}

/// Fails with everything that is wrong.
fn none_wrong(wrong: impl Iterator<Item = String>) {
    let wrong: Vec<String> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Checks every row, and reports all that are wrong.
fn every(rows: impl IntoIterator<Item = Row>) {
    let wrong = rows.into_iter().filter_map(|(name, text, expected)| {
        let difference = difference(&text, expected, &[])?;
        Some(format!("{name}: expected {expected:?}; {difference}"))
    });
    none_wrong(wrong);
}

/// A box `p` in a mesh `m`, bound to the bones `r` and its child `s`.
const BASE: &str = r#"version: "0.5"
meshes:
  - id: m
    primitives:
      - {type: box, id: p, dimensions: {x: 1}}
armatures:
  - id: a
    bones:
      - {id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0], roll: 0}
      - {id: s, parent: r, head: [0, 0, 0], tail: [0, 2, 0]}
bindings:
  - mesh_id: m
    armature_id: a
    weights: []
    weight_maps:
      - primitive_id: p
        gradients: [{axis: x, range: [-1, 1], from: {bone_id: r, weight: 1}, to: []}]
        overrides: [{vertices: [0], bones: [{bone_id: s, weight: 1}]}]
poses:
  - {id: t, bones: {r: {rotation: [1, 0, 0, 0]}}}
anchors:
  - {id: c, translation: [0, 0, 0]}
  - {id: d, translation: [1, 0, 0]}
  - {id: e, translation: [2, 0, 0]}
  - {id: f, translation: [0, 1, 0]}
"#;

/// The base with the first occurrence of each text changed.
fn changed(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(BASE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from:?} is in the document");
        text.replacen(from, to, 1)
    })
}

/// Rows that change the base in one place.
fn changes(section: &str, rows: &[(&str, &str, Expected)]) -> Vec<Row> {
    let row = |(from, to, expected): &(&str, &str, Expected)| {
        (
            format!("{section} `{to}`"),
            changed(&[(from, to)]),
            *expected,
        )
    };
    rows.iter().map(row).collect()
}

/// Rows that are whole documents.
fn documents(section: &str, rows: &[(&str, &str, Expected)]) -> Vec<Row> {
    let row = |(name, text, expected): &(&str, &str, Expected)| {
        (format!("{section} {name}"), (*text).to_owned(), *expected)
    };
    rows.iter().map(row).collect()
}

#[test]
fn the_base_is_good() {
    every([("base".into(), BASE.into(), Vertices(&[0]))]);
}

// ------------------------------------------------------------------------------------------------ scalars

/// What fields make of a scalar.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Null,
    /// Booleans are 1 and 0.
    Number(f64),
    Text,
    /// Text that number fields can read.
    Both(f64),
    /// No field accepts it.
    Nothing,
}
use Meaning::*;

impl PartialEq for Meaning {
    /// Tells -0.0 from 0.0, and holds one not-a-number equal to another.
    fn eq(&self, other: &Self) -> bool {
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        match (*self, *other) {
            (Number(a), Number(b)) | (Both(a), Both(b)) => same(a, b),
            (Null, Null) | (Text, Text) | (Nothing, Nothing) => true,
            _ => false,
        }
    }
}

/// Compiles; `None` if it is refused as malformed.
fn well_formed(text: &str) -> Option<Result<Made, Code>> {
    match compile(text, &[]) {
        Ok(made) => Some(Ok(made)),
        Err(errors) if errors[0].code == Some(Code::U10) => {
            assert_eq!(errors[0].category, Category::ParseError);
            None
        }
        Err(errors) => Some(Err(errors[0].code.unwrap())),
    }
}

/// The number that a field makes of a scalar: the head of a bone, whose node has it in full precision.
fn number(scalar: &str) -> Option<f64> {
    let with = |from: &str, to: &str| well_formed(&changed(&[(from, to)]));
    let head = "head: [0, 0, 0], tail: [0, 1, 0], roll: 0}";
    let bone = format!("{{id: r, parent: none, {head}");
    let in_block = "id: r\n        parent: none\n        tail: [0, 1, 0]\n        head:\n";
    let in_block = format!("{in_block}          - {scalar}\n          - 0\n          - 0");
    match with(&bone, &in_block)? {
        Ok(made) => {
            let nodes = made.json["nodes"].as_array().unwrap();
            let node = nodes.iter().find(|node| node["name"] == "r").unwrap();
            Some(node["translation"][0].as_f64().unwrap())
        }
        Err(Code::V32) => Some(not_finite(scalar)),
        Err(code) => panic!("{scalar}: {code}"),
    }
}

/// Which of the numbers that are not finite a scalar is.
fn not_finite(scalar: &str) -> f64 {
    let code = |text: &str| well_formed(text).and_then(Result::err);
    let dimension = changed(&[("{x: 1}", &format!("{{x: {scalar}}}"))]);
    let range = changed(&[("range: [-1, 1]", &format!("range: [{scalar}, 1]"))]);
    match (code(&dimension), code(&range)) {
        (Some(Code::V07), _) => f64::NEG_INFINITY,
        (_, Some(Code::U04)) => f64::INFINITY,
        (Some(Code::V32), Some(Code::V32)) => f64::NAN,
        codes => panic!("{scalar}: {codes:?}"),
    }
}

fn meaning(scalar: &str) -> Meaning {
    // `name` takes text and null, `symmetry` a mapping and null.
    let named = format!(
        "version: '0.5'\nmeshes:\n  - id: m\n    name: {scalar}\n    primitives: [{BOX}]\n"
    );
    let named = well_formed(&named).is_some();
    let null = well_formed(&format!("version: '0.5'\nsymmetry: {scalar}\n")).is_some();
    match (null, named, number(scalar)) {
        (true, true, None) => Null,
        (false, true, None) => Text,
        (false, true, Some(value)) => Both(value),
        (false, false, Some(value)) => Number(value),
        (false, false, None) => Nothing,
        strange => panic!("{scalar}: {strange:?}"),
    }
}

const BOX: &str = "{type: box, id: p, dimensions: {x: 1}}";

/// Checks what scalars mean.
fn scalars(section: &str, rows: &[(&str, Meaning)]) {
    let wrong = rows.iter().filter_map(|(scalar, expected)| {
        let found = meaning(scalar);
        (found != *expected)
            .then(|| format!("{section} `{scalar}`: expected {expected:?}, found {found:?}"))
    });
    none_wrong(wrong);
}

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

#[test]
fn section_1_1_plain_scalars() {
    scalars(
        "1.1 null",
        grouped! {
            Null => "", "~", "null", "Null", "NULL";
            Text => "nULL", "none";
        },
    );
    scalars(
        "1.1 bool",
        grouped! {
            Number(1.0) => "true", "True", "TRUE";
            Number(0.0) => "false", "False", "FALSE";
            Text => "tRUE", "yes", "Yes", "no", "NO", "on", "off", "y", "n";
        },
    );
    scalars(
        "1.1 int",
        grouped! {
            Number(7.0) => "7", "+7";
            Number(-7.0) => "-7";
            Number(0.0) => "-0";
            Number(10.0) => "010";
            Number(9.0) => "09";
            Number(1000.0) => "1_000";
            Number(31.0) => "0x1F";
            Number(-16.0) => "-0x10";
            Number(15.0) => "0o17";
            Number(5.0) => "0b101";
            Text => "0o8", "0b2", "0xG", "_1";
        },
    );
    scalars(
        "1.1 float",
        grouped! {
            Number(1.5) => "1.5";
            Number(-0.0) => "-0.0";
            Number(1.0) => "1.";
            Number(150.0) => "1.5e2";
            Number(0.015) => "1.5e-2";
            Number(100.0) => "1.e+2";
            Number(1000.0) => "1e3", "1e+3";
            Number(-0.001) => "-1E-3";
            Number(0.5) => ".5";
            Number(-0.5) => "-.5";
            Number(5.0) => ".5e+1";
            Number(0.05) => ".5e-1";
            Both(5.0) => ".5e1";
            Number(10.25) => "1_0.2_5";
            Number(INF) => ".inf", "+.Inf";
            Number(-INF) => "-.INF";
            Number(NAN) => ".nan", ".NaN", ".NAN";
            Text => "-.nan", ".iNF", "1e", ".";
        },
    );
    scalars(
        "1.1 date",
        grouped! {
            Nothing => "2024-02-29", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43", "2001-12-15T02:59:43.1Z";
            Text => "2024-02";
        },
    );
    scalars(
        "1.1 error",
        grouped! {
            Nothing => "=", "<<";
            Text => "==", "<";
        },
    );
    scalars(
        "1.1 string",
        grouped! {
            Text => "bone", "1:30", "1.2.3", "v0.5";
            Both(INF) => "inf";
            Both(NAN) => "nan";
            Both(7.0) => "'7'";
            Text => "'true'", "'~'", "\"\"", "'='", "'2024-02-29'";
        },
    );
    scalars(
        "1.1 tags",
        grouped! {
            Both(7.0) => "!!str 7";
            Text => "!!str true", "!!str 2024-02-29";
            Number(7.0) => "!!int '7'", "!!float 7";
            Number(0.5) => "!!float '.5'";
            Number(1.0) => "!!bool 'true'";
            Null => "!!null ''";
            Both(7.0) => "!<tag:yaml.org,2002:str> 7";
            Nothing => "!!int x", "!!bool 1", "!!timestamp 2024-02-29", "!!binary aGk=", "!mine 7";
        },
    );
}

#[test]
fn section_1_1_text_stays_as_it_was_written() {
    let named = |scalar: &str, name: &'static str| {
        let text = format!("version: '0.5'\nmeshes:\n  - id: {scalar}\n    primitives: [{BOX}]\n");
        (format!("1.1 `{scalar}`"), text, Name(name))
    };
    every([
        named("yes", "yes"),
        named("1:30", "1:30"),
        named(".5e1", ".5e1"),
        named("!!str 0x1F", "0x1F"),
        named("' two words '", " two words "),
        named("\"\\u00e9\"", "é"),
        named("|-\n      7", "7"),
        named(">-\n      folded\n      text", "folded text"),
    ]);
}

#[test]
fn section_1_1_documents() {
    every(documents(
        "1.1",
        rows! {
            "byte order mark" "\u{feff}version: '0.5'\n" => Accepted;
            "two byte order marks" "\u{feff}\u{feff}version: '0.5'\n" => Refused(Code::U10);
            "carriage returns" "version: '0.5'\r\nmeshes: []\r\n" => Accepted;
            "markers and comments" "# one\n---\nversion: '0.5' # two\n...\n# three\n" => Accepted;
            "second document" "version: '0.5'\n---\nversion: '0.5'\n" => Refused(Code::U10);
            "empty second document" "version: '0.5'\n---\n" => Refused(Code::U10);
            "empty file" "" => Refused(Code::U10);
            "only a comment" "# nothing\n" => Refused(Code::U10);
            "root is a list" "- version: '0.5'\n" => Refused(Code::U10);
            "root is a flow list" "[version, '0.5']\n" => Refused(Code::U10);
            "root is a scalar" "version\n" => Refused(Code::U10);
            "root is null" "~\n" => Refused(Code::U10);
            "root in braces" "{version: '0.5', meshes: []}\n" => Accepted;
            "YAML 1.1 directive, 010"
                "%YAML 1.1\n---\nversion: '0.5'\nmeshes: [{id: yes, primitives: \
                    [{type: box, id: p, dimensions: {x: 010}}]}]\n" => Size([10.0, 1.0, 1.0]);
            "YAML 1.1 directive, yes"
                "%YAML 1.1\n---\nversion: '0.5'\nmeshes: [{id: yes, primitives: \
                    [{type: box, id: p, dimensions: {x: 010}}]}]\n" => Name("yes");
        },
    ));
    let not_utf8 = decode("d.rigy.yaml", b"version: '0.5' # \xff\n").unwrap_err();
    assert_eq!(not_utf8[0].code, Some(Code::U10), "1.1 not UTF-8");
}

#[test]
fn section_1_1_keys_aliases_and_merges() {
    every(changes(
        "1.1 duplicate key",
        rows! {
            "poses:" "meshes:" => Refused(Code::U10);
            "id: m\n" "id: m\n    id: m\n" => Refused(Code::U10);
            "id: m\n" "id: m\n    \"id\": m\n" => Refused(Code::U10);
            "{x: 1}" "{x: 1, x: 1}" => Refused(Code::U10);
            "{x: 1}" "{x: 1, !!str x: 1}" => Refused(Code::U10);
            "bones: {r:" "bones: {r: {}, 'r':" => Refused(Code::U10);
        },
    ));
    every(changes(
        "1.1 key",
        rows! {
            "{x: 1}" "{'x': 3}" => Size([3.0, 1.0, 1.0]);
            "{x: 1}" "{!!str x: 3}" => Size([3.0, 1.0, 1.0]);
            "{x: 1}" "{7: 1}" => Refused(Code::U10);
            "{x: 1}" "{1.5: 1}" => Refused(Code::U10);
            "{x: 1}" "{true: 1}" => Refused(Code::U10);
            "{x: 1}" "{~: 1}" => Refused(Code::U10);
            "{x: 1}" "{2024-02-29: 1}" => Refused(Code::U10);
            "{x: 1}" "{[x]: 1}" => Refused(Code::U10);
            "{x: 1}" "{'7': 1}" => Refused(Code::V33);
            "poses:" "7: []\nposes:" => Refused(Code::U10);
            "poses:" "~: []\nposes:" => Refused(Code::U10);
        },
    ));
    every(changes(
        "1.1 alias",
        rows! {
            "{x: 1}" "{x: &w 3, y: *w}" => Size([3.0, 3.0, 1.0]);
            "{x: 1}}"
                "&d {x: 3}}\n      - {type: box, id: q, dimensions: *d, transform: {translation: [0, 4, 0]}}"
                    => Size([3.0, 5.0, 1.0]);
            "{x: 1}" "*d" => Refused(Code::U10);
        },
    ));
    every(changes(
        "1.1 merge",
        rows! {
            "{x: 1}" "{<<: {x: 3, y: 2}}" => Size([3.0, 2.0, 1.0]);
            "{x: 1}" "{x: 4, <<: {x: 3, y: 2}}" => Size([4.0, 2.0, 1.0]);
            "{x: 1}" "{<<: {x: 3, y: 2}, x: 4}" => Size([4.0, 2.0, 1.0]);
            "{x: 1}" "{<<: [{x: 3}, {x: 5, y: 2}]}" => Size([3.0, 2.0, 1.0]);
            "{x: 1}" "{<<: 3}" => Refused(Code::U10);
            "{x: 1}" "{<<: [3]}" => Refused(Code::U10);
        },
    ));
    every(changes(
        "1.1 tag",
        rows! {
            "tail: [0, 1, 0]" "tail: !!seq [0, 1, 0]" => Accepted;
            "{x: 1}" "!!map {x: 3}" => Size([3.0, 1.0, 1.0]);
            "{x: 1}" "!!seq {x: 3}" => Refused(Code::U10);
            "tail: [0, 1, 0]" "tail: !!map [0, 1, 0]" => Refused(Code::U10);
            "vertices: [0]" "vertices: !!set {0}" => Refused(Code::U10);
            "{x: 1}" "!box {x: 3}" => Refused(Code::U10);
        },
    ));
    every(changes(
        "1.1 syntax",
        rows! {
            "  - id: m" "\t- id: m" => Refused(Code::U10);
            "id: m\n" "id: m: n\n" => Refused(Code::U10);
            "id: m\n" "id: 'm\n" => Refused(Code::U10);
            "{x: 1}" "{x: 1" => Refused(Code::U10);
            "{x: 1}" "{x: 1}]" => Refused(Code::U10);
            "id: m\n" "id: @m\n" => Refused(Code::U10);
            "id: m\n" "id: \"\\q\"\n" => Refused(Code::U10);
        },
    ));
}

// ----------------------------------------------------------------------------------------------- versions

#[test]
fn section_1_2_versions() {
    let row = |spelling: &str, expected| {
        (
            format!("1.2 `{spelling}`"),
            format!("version: {spelling}\nmeshes: []\n"),
            expected,
        )
    };
    let rows: &[(&str, Expected)] = grouped! {
        Accepted => "\"0.1\"", "\"0.2\"", "\"0.3\"", "\"0.4\"", "\"0.5\"", "'0.5'", "!!str 0.5", "\"0\\u002e5\"";
        Refused(Code::U10) => "0.5", "0.1", ".5", "5e-1", "0.50", "0.10", "1", "true", ".inf", "[0.5]", "['0.5']";
        Refused(Code::U10) => "'1.0'", "'0.14'", "'0.15'", "'0'", "'0.5.0'", "'v0.5'", "v0.5", "''", "2024-02-29";
        Refused(Code::U10) => "' 0.5'", "'0.5 '", "'+0.5'", "'00.5'", "'0.05'", "'0.50'", "'0.-5'", "'-1.5'", "'0.0'";
        Refused(Code::U10) => "'0,5'", "'0.٥'", "{'0.5': 1}";
        Refused(Code::V34) => "", "null", "~";
    };
    every(
        rows.iter()
            .map(|(spelling, expected)| row(spelling, *expected)),
    );
    every(documents(
        "1.2",
        rows! {
            "missing" "meshes: []\n" => Refused(Code::V34);
            "misspelt" "Version: '0.5'\nmeshes: []\n" => Refused(Code::V34);
            "synonym" "rigy_version: '0.5'\nmeshes: []\n" => Accepted;
            "synonym as a number" "rigy_version: 0.5\nmeshes: []\n" => Refused(Code::U10);
            "both" "version: '0.5'\nrigy_version: '0.5'\nmeshes: []\n" => Refused(Code::U10);
            "before the schema" "version: '0.9'\nmeshes: 7\nnonsense: 1\n" => Refused(Code::U10);
        },
    ));
}

#[test]
fn section_1_2_versions_to_come_are_told_from_nonsense() {
    let message = |version: &str| {
        let refused = compile(&format!("version: \"{version}\"\n"), &[])
            .err()
            .unwrap();
        refused[0].message.clone()
    };
    for minor in 6..=13 {
        let expected = format!("version 0.{minor} is not supported yet");
        assert_eq!(message(&format!("0.{minor}")), expected);
    }
    assert!(!message("0.14").contains("yet"));
}

// ----------------------------------------------------------------------------------------------- coercion

#[test]
fn section_1_3_numbers() {
    let beyond = format!("1{}", "0".repeat(400));
    scalars(
        "1.3 number",
        grouped! {
            Number(9_007_199_254_740_992.0) => "9007199254740993";
            Number(2.5) => "2.5";
            Number(1.0) => "true";
            Number(0.0) => "false";
            Number(INF) => "1e400";
            Number(0.0) => "1e-400";
            Number(-0.0) => "-1e-400";
            Number(5e-324) => "5e-324";
            Nothing => &beyond;
            Null => "null";
            Nothing => "2024-02-29", "[1]";
            Both(1000.0) => "'1_000'";
            Both(1.0) => "'1.'";
            Both(0.5) => "'.5'";
            Both(1000.0) => "' 1e3 '";
            Both(0.15) => "'+1.5E-1'";
            Both(-0.0) => "'-0'";
            Both(10.0) => "'010'";
            Both(10.25) => "'1_0.2_5'";
            Both(INF) => "'1e400'", "'inf'";
            Both(-INF) => "'-INF'";
            Both(INF) => "'Infinity'", "'+infinity'";
            Both(NAN) => "'NaN'", "'-nan'";
            Both(7.0) => "\"\\u2003 7\\u00a0\"";
            Text => "'_1'", "'1_'", "'1__0'", "''", "' '", "'.'", "'1e'", "'e1'", "'--1'", "'1 2'", "'0x10'";
            Text => "'0o7'", "'0b1'", "'.inf'", "'one'";
        },
    );
}

#[test]
fn section_1_3_integers() {
    let rows: &[(&str, Expected)] = grouped! {
        Vertices(&[1]) => "1", "0x1", "1.0", "1e0", "true", "'1'", "'1.0'", "'1.00'", "'+1'", "'01'";
        Vertices(&[0]) => "-0.0", "false", "'-0'";
        Vertices(&[10]) => "'1_0'", "'1_0.0'", "1_0";
        Refused(Code::U10) => "1.5", ".inf", ".nan", "'1.'", "'.0'", "'1e0'", "'1.5'", "'1__0'", "'_1'", "'1_'";
        Refused(Code::U10) => "''", "'0x1'", "one", "~", "[1]", "2024-02-29", "-1", "-1.0", "'-1'";
        Refused(Code::V19) => "24", "99999999999999999999999";
    };
    every(rows.iter().map(|(vertex, expected)| {
        let text = changed(&[("vertices: [0]", &format!("vertices: [{vertex}]"))]);
        (format!("1.3 integer `{vertex}`"), text, *expected)
    }));
}

#[test]
fn section_1_3_text_and_literals() {
    every(changes(
        "1.3 string",
        rows! {
            "- id: m" "- id: m\n    name: ' left '" => Name(" left ");
            "- id: m" "- id: m\n    name: ''" => Name("m");
            "- id: m" "- id: m\n    name: ~" => Name("m");
            "- id: m" "- id: m\n    name: 7" => Refused(Code::U10);
            "id: p" "id: 7" => Refused(Code::U10);
            "id: p" "id: 1.5" => Refused(Code::U10);
            "id: p" "id: true" => Refused(Code::U10);
            "id: p" "id: ~" => Refused(Code::U10);
            "id: p" "id: 2024-02-29" => Refused(Code::U10);
            "id: p" "id: []" => Refused(Code::U10);
            "id: p" "id: {}" => Refused(Code::U10);
            "id: d" "id: ''" => Accepted;
        },
    ));
    every(changes(
        "1.3 literal",
        rows! {
            "type: box" "type: 'box'" => Accepted;
            "type: box" "type: Box" => Refused(Code::U10);
            "type: box" "type: ' box'" => Refused(Code::U10);
            "type: box" "type: ''" => Refused(Code::U10);
            "type: box" "type: 1" => Refused(Code::U10);
            "type: box" "type: ~" => Refused(Code::U10);
            "axis: x" "axis: X" => Refused(Code::U10);
            "poses:" "units: meters\nposes:" => Accepted;
            "poses:" "units: metres\nposes:" => Refused(Code::U10);
            "poses:" "units: ~\nposes:" => Refused(Code::U10);
            "poses:" "coordinate_system: {up: Y, forward: -Z, handedness: right}\nposes:" => Accepted;
            "poses:" "coordinate_system: {up: Z, forward: -Z, handedness: right}\nposes:" => Refused(Code::U10);
            "poses:" "coordinate_system: {up: Y, forward: -Z}\nposes:" => Refused(Code::V34);
            "poses:" "skinning_solver: dqs\nposes:" => Accepted;
            "poses:" "skinning_solver: ~\nposes:" => Accepted;
            "poses:" "skinning_solver: DQS\nposes:" => Refused(Code::U10);
            "weights: []" "weights: []\n    skinning_solver: ~" => Accepted;
            "weights: []" "weights: []\n    skinning_solver: linear" => Refused(Code::U10);
        },
    ));
}

#[test]
fn section_1_3_collections() {
    every(changes(
        "1.3 list",
        rows! {
            "vertices: [0]" "vertices: []" => Vertices(&[]);
            "vertices: [0]" "vertices: [2, 0, 2]" => Vertices(&[0, 2]);
            "vertices: [0]" "vertices: ~" => Refused(Code::U10);
            "vertices: [0]" "vertices: {0: 0}" => Refused(Code::U10);
            "vertices: [0]" "vertices: {}" => Refused(Code::U10);
            "vertices: [0]" "vertices: '0'" => Refused(Code::U10);
            "vertices: [0]" "vertices: 0" => Refused(Code::U10);
            "weights: []" "weights: ~" => Refused(Code::U10);
        },
    ));
    every(changes(
        "1.3 tuple",
        rows! {
            "tail: [0, 1, 0]" "tail: ['0', true, .5]" => Accepted;
            "tail: [0, 1, 0]" "tail: [0, 1]" => Refused(Code::U10);
            "tail: [0, 1, 0]" "tail: [0, 1, 0, 0]" => Refused(Code::U10);
            "tail: [0, 1, 0]" "tail: []" => Refused(Code::U10);
            "tail: [0, 1, 0]" "tail: ~" => Refused(Code::U10);
            "tail: [0, 1, 0]" "tail: {x: 0, y: 1, z: 0}" => Refused(Code::U10);
            "tail: [0, 1, 0]" "tail: 1" => Refused(Code::U10);
            "tail: [0, 1, 0]" "tail: [0, ~, 0]" => Refused(Code::U10);
            "range: [-1, 1]" "range: [-1, 0, 1]" => Refused(Code::U10);
            "rotation: [1, 0, 0, 0]" "rotation: [1, 0, 0]" => Refused(Code::U10);
            "rotation: [1, 0, 0, 0]" "rotation: ~" => Accepted;
            "{x: 1}" "{x: 1}, transform: {translation: ~, rotation_euler: ~}" => Accepted;
        },
    ));
    every(changes(
        "1.3 map",
        rows! {
            "{x: 1}" "{x: 3, z: 2}" => Size([3.0, 1.0, 2.0]);
            "{x: 1}" "{}" => Refused(Code::U10);
            "{x: 1}" "[1, 1, 1]" => Refused(Code::U10);
            "{x: 1}" "~" => Refused(Code::U10);
            "{x: 1}" "1" => Refused(Code::U10);
            "bones: {r: {rotation: [1, 0, 0, 0]}}" "bones: {}" => Accepted;
            "bones: {r: {rotation: [1, 0, 0, 0]}}" "bones: [r]" => Refused(Code::U10);
            "bones: {r: {rotation: [1, 0, 0, 0]}}" "bones: ~" => Refused(Code::U10);
        },
    ));
    every(changes(
        "1.3 object",
        rows! {
            "{rotation: [1, 0, 0, 0]}" "{}" => Accepted;
            "{rotation: [1, 0, 0, 0]}" "~" => Refused(Code::U10);
            "{rotation: [1, 0, 0, 0]}" "[]" => Refused(Code::U10);
            "{rotation: [1, 0, 0, 0]}" "rest" => Refused(Code::U10);
            "{x: 1}" "{x: 1}, transform: {}" => Accepted;
            "{x: 1}" "{x: 1}, transform: ~" => Accepted;
            "{x: 1}" "{x: 1}, transform: []" => Refused(Code::U10);
            "{x: 1}" "{x: 1}, transform: {scale: [1, 1, 1]}" => Refused(Code::V33);
            "roll: 0" "Roll: 0" => Refused(Code::V33);
            "roll: 0" "from_: 0" => Refused(Code::V33);
            ", weight: 1}, to" "}, to" => Refused(Code::V34);
            "    weights: []\n" "" => Vertices(&[0]);
        },
    ));
}

#[test]
fn section_1_4_a_binding_may_leave_out_its_weights() {
    // [D7]: the weight map still applies, and without one every vertex follows the root.
    let maps = &BASE[BASE.find("    weight_maps:").unwrap()..BASE.find("poses:").unwrap()];
    for version in ["0.1", "0.2", "0.3", "0.4", "0.5"] {
        let header = ("version: \"0.5\"", &*format!("version: \"{version}\""));
        let text = changed(&[header, WITHOUT_POSE, ("    weights: []\n", "")]);
        let alone = text.replacen(maps, "", 1);
        every([
            (format!("1.4 in {version}"), text, Vertices(&[0])),
            (format!("1.4 in {version}, alone"), alone, Vertices(&[])),
        ]);
    }
}

#[test]
fn section_1_3_null_is_absence_only_where_it_says_so() {
    every(changes(
        "1.3 null",
        rows! {
            "roll: 0" "roll: ~" => Refused(Code::U10);
            "meshes:\n  - id: m\n    primitives:\n      - {type: box, id: p, dimensions: {x: 1}}" "meshes: ~"
                => Refused(Code::U10);
            "primitives:\n      - {type: box, id: p, dimensions: {x: 1}}" "primitives: ~" => Refused(Code::U10);
            "poses:\n  - {id: t, bones: {r: {rotation: [1, 0, 0, 0]}}}" "poses: ~" => Refused(Code::U10);
            "poses:" "units: ~\nposes:" => Refused(Code::U10);
            "poses:" "coordinate_system: ~\nposes:" => Refused(Code::U10);
            "poses:" "tessellation_profile: ~\nposes:" => Refused(Code::U10);
            "poses:" "imports: ~\nposes:" => Refused(Code::U10);
            "poses:" "instances: ~\nposes:" => Refused(Code::U10);
            "poses:" "symmetry: ~\nposes:" => Accepted;
            "poses:" "symmetry: {mirror_x: ~}\nposes:" => Accepted;
            "{x: 1}" "{x: 1}, name: ~, material: ~" => Accepted;
            "- id: a" "- id: a\n    name: ~" => Accepted;
            "id: d" "id: d, scope: ~" => Accepted;
            "gradients: [{axis: x, range: [-1, 1], from: {bone_id: r, weight: 1}, to: []}]"
                "gradients: ~" => Vertices(&[0]);
            "overrides: [{vertices: [0], bones: [{bone_id: s, weight: 1}]}]"
                "overrides: ~\n        source: ~" => Vertices(&[]);
        },
    ));
    let maps = &BASE[BASE.find("    weight_maps:").unwrap()..BASE.find("poses:").unwrap()];
    let without = changed(&[(maps, "    weight_maps: ~\n")]);
    every([("1.3 null `weight_maps`".into(), without, Vertices(&[]))]);
}

// ----------------------------------------------------------------------------------------- later features

/// The pose of the base, and none: what an earlier version has without a warning (W12).
const WITHOUT_POSE: (&str, &str) = (
    "poses:\n  - {id: t, bones: {r: {rotation: [1, 0, 0, 0]}}}",
    "poses: []",
);

/// Runs rows under every version that knows none of these features.
fn in_every_version(section: &str, rows: &[(&str, &str, Expected)]) {
    for version in ["0.1", "0.2", "0.3", "0.4", "0.5"] {
        let row = |(from, to, expected): &(&str, &str, Expected)| {
            let header = ("version: \"0.5\"", &*format!("version: \"{version}\""));
            let text = changed(&[header, WITHOUT_POSE, (from, to)]);
            (format!("{section} in {version} `{to}`"), text, *expected)
        };
        every(rows.iter().map(row));
    }
}

#[test]
fn section_7_nothing_is_gated_by_version() {
    in_every_version(
        "7",
        rows! {
            "poses:" "skinning_solver: lbs\nposes:" => Vertices(&[0]);
            "weights: []" "weights: []\n    skinning_solver: lbs" => Vertices(&[0]);
            "poses:" "symmetry: {mirror_x: {prefix_from: L, prefix_to: R}}\nposes:" => Vertices(&[0]);
        },
    );
    // What came with 0.5 has a warning before, and the same bytes.
    for change in [
        ("anchors:", "skinning_solver: dqs\nanchors:"),
        ("weights: []", "weights: []\n    skinning_solver: dqs"),
        WITHOUT_POSE,
    ] {
        let text = match change {
            WITHOUT_POSE => BASE.to_owned(),
            change => changed(&[WITHOUT_POSE, change]),
        };
        let latest = good(&text);
        assert_eq!(latest.warnings, []);
        for version in ["0.1", "0.2", "0.3", "0.4"] {
            let earlier = good(&text.replacen("0.5", version, 1));
            assert_eq!(earlier.warnings, [Code::W12], "{version}: {change:?}");
            assert!((earlier.json, earlier.baked) == (latest.json.clone(), latest.baked.clone()));
        }
    }
}

#[test]
fn section_7_later_features_are_unknown() {
    let v33 = Refused(Code::V33);
    let u10 = Refused(Code::U10);
    in_every_version(
        "7",
        rows! {
            "poses:" "materials: {}\nposes:" => v33;
            "poses:" "materials: ~\nposes:" => v33;
            "- id: m" "- id: m\n    material: skin" => v33;
            "- id: m" "- id: m\n    material: ~" => v33;
            "- id: m" "- id: m\n    uv_sets: {}" => v33;
            "- id: m" "- id: m\n    uv_roles: {}" => v33;
            "{x: 1}" "{x: 1}, surface: skin" => v33;
            "{x: 1}" "{x: 1}, tags: [soft]" => v33;
            "{x: 1}" "{x: 1}, tags: []" => v33;
            "{x: 1}" "{x: 1}, tags: ~" => v33;
            "type: box" "type: wedge" => u10;
            "type: box" "type: implicit_surface" => u10;
            "{x: 1}" "{x: 1}, domain: ~" => v33;
            "{x: 1}" "{x: 1}, iso: 0.5" => v33;
            "{x: 1}" "{x: 1}, ops: []" => v33;
            "{x: 1}" "{x: 1}, extraction: {}" => v33;
            "{x: 1}" "{x: 1}, transform: {rotation_axis_angle: {axis: [0, 1, 0], degrees: 90}}" => v33;
            "{x: 1}" "{x: 1}, transform: {rotation_axis_angle: ~}" => v33;
            "{x: 1}" "{x: 1}, transform: {rotation_quat: [1, 0, 0, 0]}" => v33;
            "{x: 1}" "{x: 1}, transform: {rotation_quat: ~}" => v33;
            "poses:" "params: {width: 2}\nposes:" => v33;
            "poses:" "geometry_checks: {}\nposes:" => v33;
            "- id: m" "- id: m\n    repeat: {count: 2, as: i}" => v33;
            "{x: 1}" "{x: 1}, aabb: {min: [0, 0, 0], max: [1, 1, 1]}" => v33;
            "{x: 1}" "{x: 1}, macro: fin" => v33;
        },
    );
}

#[test]
fn section_7_what_is_accepted_keeps_its_old_meaning() {
    in_every_version(
        "7",
        rows! {
            "{x: 1}" "{x: 3}, transform: {rotation_degrees: [0, 0, 90]}" => Size([1.0, 3.0, 1.0]);
            "{x: 1}" "{x: 3}, transform: {rotation_degrees: ['0', false, -90.0]}" => Size([1.0, 3.0, 1.0]);
            "{x: 1}" "{x: 3}, transform: {rotation_degrees: ~, rotation_euler: ~}" => Size([3.0, 1.0, 1.0]);
            "{x: 1}" "{x: 3}, transform: {rotation_degrees: [0, 0, 90], rotation_euler: [0, 0, 0]}"
                => Refused(Code::U10);
            "- id: m" "- id: m\n    name: $name" => Name("$name");
            "- id: m" "- id: m\n    name: a$name" => Name("a$name");
            "- id: m" "- id: m\n    name: ${name}" => Name("${name}");
            "- id: m" "- id: m\n    name: =text" => Name("=text");
            "{x: 1}" "{x: $width}" => Refused(Code::U10);
            "{x: 1}" "{x: '=1 + 1'}" => Refused(Code::U10);
        },
    );
}

#[test]
fn section_7_2_symbolic_materials() {
    let text = "version: '0.4'\nmeshes:\n  \
        - {id: a, primitives: [{type: box, id: p, dimensions: {x: 1}, material: cloth}, \
           {type: box, id: q, dimensions: {x: 1}, material: skin}]}\n  \
        - {id: b, primitives: [{type: box, id: p, dimensions: {x: 1}, material: skin}]}\n  \
        - {id: c, primitives: [{type: box, id: p, dimensions: {x: 1}, material: ''}]}\n  \
        - {id: d, primitives: [{type: box, id: p, dimensions: {x: 1}}]}\n";
    let json = good(text).json;
    let names: Vec<&str> = json["materials"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["cloth", "skin"]);
    let meshes = json["meshes"].as_array().unwrap().iter();
    let used: Vec<Option<u64>> = meshes
        .map(|mesh| mesh["primitives"][0]["material"].as_u64())
        .collect();
    assert_eq!(used, [Some(0), Some(1), None, None]);
}

// --------------------------------------------------------------------------------------------- probe set

#[test]
fn section_10_a_mirrored_box() {
    let text = "version: \"0.3\"\nmeshes:\n  - id: rig\n    primitives:\n      \
        - {type: box, id: L.fin, dimensions: {width: 2}, transform: {translation: [3, 0, 0]}}\n\
        symmetry: {mirror_x: {prefix_from: \"L.\", prefix_to: \"R.\"}}\n";
    let made = good(text);
    assert_eq!(bounds(&made.json), [[-4.0, -0.5, -0.5], [4.0, 0.5, 0.5]]);
    let positions = &made.meshes[0].positions;
    assert_eq!(positions.len(), 48);
    assert!(positions[..24].iter().all(|p| (2.0..=4.0).contains(&p[0])));
    assert!(
        positions[24..]
            .iter()
            .all(|p| (-4.0..=-2.0).contains(&p[0]))
    );
}

#[test]
fn section_10_two_solvers_and_a_pose_at_rest() {
    let text = r#"
version: "0.5"
skinning_solver: dqs
meshes:
  - {id: skin, primitives: [{type: capsule, id: c, dimensions: {radius: 0.2}}]}
  - {id: coat, primitives: [{type: capsule, id: c, dimensions: {radius: 0.3}}]}
armatures:
  - id: spine
    bones:
      - {id: lo, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}
      - {id: hi, parent: lo, head: [0, 1, 0], tail: [0, 2, 0]}
bindings:
  - mesh_id: skin
    armature_id: spine
    weights: []
    weight_maps:
      - primitive_id: c
        gradients:
          - {axis: y, range: [-0.2, 0.2], from: {bone_id: lo, weight: 1}, to: {bone_id: hi, weight: 1}}
  - {mesh_id: coat, armature_id: spine, weights: [], skinning_solver: lbs}
poses:
  - {id: rest, bones: {hi: {translation: [0, 1, 0]}}}
"#;
    let made = good(text);
    let solvers: Vec<Option<Solver>> = made.meshes.iter().map(|mesh| mesh.solver).collect();
    assert_eq!(solvers, [Some(Solver::Dqs), Some(Solver::Lbs)]);
    assert_eq!(bounds(&made.baked[0]), bounds(&made.json));
    let moved = text.replace("translation: [0, 1, 0]", "translation: [0, 3, 0]");
    let made = good(&moved);
    assert_eq!(bounds(&made.baked[0])[1][1], bounds(&made.json)[1][1] + 2.0);
}

#[test]
fn section_10_one_line_variations() {
    every(changes(
        "10",
        rows! {
            "version: \"0.5\"" "version: 0.5" => Refused(Code::U10);
            "{x: 1}" "{x: \"1_0\"}" => Size([10.0, 1.0, 1.0]);
            "{x: 1}" "{x: true}" => Size([1.0, 1.0, 1.0]);
            "{x: 1}" "{x: yes}" => Refused(Code::U10);
            "{x: 1}" "{x: .nan}" => Refused(Code::V32);
            "{x: 1}" "{x: -.inf}" => Refused(Code::V07);
            "id: m\n" "id: 7\n" => Refused(Code::U10);
            "vertices: [0]" "vertices: [1.0, \"2.0\", true]" => Vertices(&[1, 2]);
            "vertices: [0]" "vertices: [-1]" => Refused(Code::U10);
            "vertices: [0]" "vertices: [24]" => Refused(Code::V19);
            "vertices: [0]" "vertices: [23]" => Vertices(&[23]);
            "range: [-1, 1]" "range: [1, 1]" => Refused(Code::U04);
            "parent: r, " "" => Refused(Code::V34);
            "parent: r," "parent: ghost," => Refused(Code::U01);
            "tail: [0, 1, 0]" "tail: [0, 1.0e-9, 0]" => Accepted;
            "tail: [0, 1, 0]" "tail: [0, 9.0e-10, 0]" => Refused(Code::V06);
            "bones: {r:" "bones: {ghost: {}, r:" => Refused(Code::U02);
            "{rotation: [1, 0, 0, 0]}" "{scale: [2, 2, 2]}" => Refused(Code::V33);
            "id: c" "id: m" => Refused(Code::V28);
            "id: c" "id: p" => Accepted;
            "id: c" "id: r" => Accepted;
        },
    ));
    let on = changed(&[("id: m\n", "id: on\n"), ("mesh_id: m", "mesh_id: on")]);
    every([("10 `id: on`".into(), on, Name("on"))]);
    let maps = &BASE[BASE.find("      - primitive_id: p").unwrap()..BASE.find("poses:").unwrap()];
    let empty = changed(&[(maps, "      - {primitive_id: p, gradients: []}\n")]);
    every([("10 `gradients: []`".into(), empty, Refused(Code::V23))]);
}

#[test]
fn section_10_rotations_near_unit_length() {
    // The squared norm may be off by 1e-6 silently and by 2.5e-4 with a warning.
    let rows = [
        ("1.00000049", Accepted),
        ("1.0000005", Warned(Code::W04)),
        ("0.9999995", Accepted),
        ("0.99999949", Warned(Code::W04)),
        ("-1", Accepted),
        ("1.000124", Warned(Code::W04)),
        ("1.000126", Refused(Code::V36)),
        ("0.999876", Warned(Code::W04)),
        ("0.999874", Refused(Code::V36)),
        (".inf", Refused(Code::V36)),
        (".nan", Refused(Code::V36)),
    ];
    every(rows.map(|(w, expected)| {
        let text = changed(&[("rotation: [1,", &format!("rotation: [{w},"))]);
        (format!("10 w = {w}"), text, expected)
    }));
    every(changes(
        "10",
        rows! {
            "[1, 0, 0, 0]" "[0.9239, 0, 0.3827, 0]" => Warned(Code::W04);
        },
    ));
}

/// Files beside a document that imports.
const FILES: [(&str, &str); 6] = [
    (
        "d.rigy.yaml",
        "version: '0.2'\nimports: {me: {source: d.rigy.yaml}}\n",
    ),
    (
        "part.yaml",
        "version: '0.2'\nanchors: [{id: hub, translation: [0, 0, 0]}]\n",
    ),
    (
        "kept.yaml",
        "contract_version: '1'\nrequired_anchors: [hub]\n",
    ),
    (
        "broken.yaml",
        "contract_version: '1'\nrequired_anchors: [hub, rim]\n",
    ),
    ("number.yaml", "contract_version: 1\n"),
    (
        "twice.yaml",
        "contract_version: '1'\n\"contract_version\": '1'\n",
    ),
];

#[test]
fn section_10_composition() {
    let rows: &[(&str, Expected)] = grouped! {
        Accepted => "instances: [{id: i, mesh_id: m}]",
            "instances: [{id: i, mesh_id: m, attach3: {from: [c, d, f], to: [c, d, f], mode: rigid}}]",
            "imports: {part: {source: part.yaml}}",
            "imports: {part: {source: part.yaml, contract: kept.yaml}}";
        Refused(Code::U09) =>
            "instances: [{id: i, mesh_id: m, attach3: {from: [c, d, ghost], to: [c, d, f], mode: rigid}}]";
        Refused(Code::V30) =>
            "instances: [{id: i, mesh_id: m, attach3: {from: [c, d, f], to: [c, d, ghost], mode: rigid}}]";
        Refused(Code::U08) =>
            "instances: [{id: i, mesh_id: m, attach3: {from: [c, d, e], to: [c, d, f], mode: rigid}}]",
            "instances: [{id: i, mesh_id: m, attach3: {from: [c, d, f], to: [c, d, e], mode: rigid}}]";
        Refused(Code::U05) => "imports: {me: {source: d.rigy.yaml}}";
        Refused(Code::U06) => "imports: {part: {source: absent.yaml}}",
            "imports: {part: {source: part.yaml, contract: absent.yaml}}";
        // A contract binds without any instance; §1.1 [D3] reads it with the same rules as documents.
        Refused(Code::V31) => "imports: {part: {source: part.yaml, contract: broken.yaml}}",
            "imports: {part: {source: part.yaml, contract: number.yaml}}",
            "imports: {part: {source: part.yaml, contract: twice.yaml}}";
    };
    // Without the pose, whose bake would lack the instance (W06).
    let pose = "poses:\n  - {id: t, bones: {r: {rotation: [1, 0, 0, 0]}}}\n";
    none_wrong(rows.iter().filter_map(|(line, expected)| {
        let text = changed(&[(pose, &format!("{line}\n"))]);
        let difference = difference(&text, *expected, &FILES)?;
        Some(format!("10 `{line}`: expected {expected:?}; {difference}"))
    }));
}
