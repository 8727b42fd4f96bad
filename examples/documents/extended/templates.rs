//! Params, expressions and repeats in the place of plain values.

use serde_yaml::{Mapping, Value};

use super::super::random::{Draw, Random};
use super::{Context, mapping, shapes};

/// Keys below which a number may change by a billionth, and stand in an expression.
const ROUGH: [&str; 21] = [
    "translation",
    "x",
    "y",
    "z",
    "radius",
    "height",
    "depth",
    "thickness",
    "base_y",
    "offset",
    "strength",
    "iso",
    "degrees",
    "axis",
    "rotation_degrees",
    "rotation_quat",
    "length",
    "origin",
    "base_color",
    "min",
    "max",
];

/// Rewrites a document in place, as far as its version has templates.
pub fn apply(random: &mut Random, context: &mut Context, tree: &mut Value) {
    if context.minor < 10 {
        return;
    }
    let mut templates = Templates {
        minor: context.minor,
        often: *random.pick(&[0, 5, 25]),
        params: Mapping::new(),
    };
    let root = tree.as_mapping_mut().expect("a mapping");
    for (key, value) in root.iter_mut() {
        if key != "version" {
            templates.rewrite(random, value, "");
        }
    }
    if context.minor >= 10 && random.chance(30) {
        more_meshes(random, context, root);
    }
    let mut params = templates.params;
    if random.chance(30) {
        params.insert(
            "unused".into(),
            (*random.pick(&["$a", "=1", "US$5"])).into(),
        );
    }
    if !params.is_empty() {
        root.insert("params".into(), Value::Mapping(params));
    }
}

/// True if a value has text that no version from 0.10 on can write: `${name}`.
pub fn has_token(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("${"),
        Value::Sequence(items) => items.iter().any(has_token),
        Value::Mapping(mapping) => mapping.values().any(has_token),
        _ => false,
    }
}

/// A mesh for each number, with as many primitives: a repeat in a repeat, counted by the outer one.
fn more_meshes(random: &mut Random, context: &mut Context, root: &mut Mapping) {
    let id = context.id(random, false);
    let item = mapping([
        ("type", "box".into()),
        ("id", "b${m}${n}".into()),
        ("dimensions", mapping([("x", 0.5.into())])),
    ]);
    let mut inner = shapes::repeated(0, "n", item);
    inner["repeat"]["count"] = "${m}".into();
    let primitives = vec![inner].into();
    let mut mesh = mapping([
        ("id", format!("{id}${{m}}").into()),
        ("primitives", primitives),
    ]);
    if let Some(material) = context.materials.first() {
        let of_item = &mut mesh["primitives"][0]["repeat"]["body"];
        of_item["material"] = material.clone().into();
    }
    let meshes = root
        .entry("meshes".into())
        .or_insert_with(|| Vec::<Value>::new().into());
    let meshes = meshes.as_sequence_mut().expect("a list");
    meshes.push(shapes::repeated(random.below(4), "m", mesh));
}

struct Templates {
    minor: u32,
    /// Percentage of the values that are replaced.
    often: usize,
    params: Mapping,
}

impl Templates {
    fn rewrite(&mut self, random: &mut Random, value: &mut Value, field: &str) {
        match value {
            Value::Sequence(items) => self.rewrite_list(random, items, field),
            Value::Mapping(mapping) => {
                for (key, value) in mapping.iter_mut() {
                    let key = key.as_str().unwrap_or_default();
                    if key != "count" && key != "as" {
                        self.rewrite(random, value, key);
                    }
                }
            }
            Value::String(text) => {
                let text = text.clone();
                if self.must_hide(&text) || self.may_hide(random, &text) {
                    *value = self.param(value.clone());
                }
            }
            Value::Number(number) => {
                let number = number.as_f64().unwrap_or_default();
                let rough = ROUGH.contains(&field) && (1e-3..1e4).contains(&number.abs());
                if self.minor >= 12 && rough && random.chance(self.often) {
                    *value = self.expression(random, number).into();
                } else if random.chance(self.often) {
                    *value = self.param(value.clone());
                }
            }
            _ => {}
        }
    }

    fn rewrite_list(&mut self, random: &mut Random, items: &mut Vec<Value>, field: &str) {
        for item in items.iter_mut() {
            self.rewrite(random, item, field);
            if item.is_mapping() && item.get("repeat").is_none() && random.chance(self.often) {
                *item = shapes::repeated(1, "once", std::mem::take(item));
            }
        }
        let mappings = items.iter().all(Value::is_mapping) && !items.is_empty();
        if mappings && random.chance(self.often / 2) {
            let body = mapping([("never", "$read =".into())]);
            items.push(shapes::repeated(0, "zero", body));
        }
    }

    /// True for text that would be taken for something else.
    fn must_hide(&self, text: &str) -> bool {
        let named = |(at, _): (usize, &str)| {
            text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        };
        let token = text.contains("${");
        !token && (text.match_indices('$').any(named) || (text.starts_with('=') && text.len() > 1))
    }

    fn may_hide(&self, random: &mut Random, text: &str) -> bool {
        !text.contains("${") && !text.starts_with('=') && random.chance(self.often / 2)
    }

    /// Declares a value; the answer stands for it.
    fn param(&mut self, value: Value) -> Value {
        let name = format!("p_{}", self.params.len());
        self.params.insert(name.clone().into(), value);
        format!("${name}").into()
    }

    /// Text that comes to nearly the number.
    fn expression(&mut self, random: &mut Random, number: f64) -> String {
        let plain = format!("{number:?}");
        let param = self.param(number.into());
        let param = param.as_str().expect("a string");
        match random.below(9) {
            0 => format!("={plain}"),
            1 => format!("={param}"),
            2 => format!("= {param}/2 + {param} / 2"),
            3 => format!("=max({plain}, {param} - 1)"),
            4 => format!("=clamp({plain},-1e6,1E6)"),
            5 => format!("=-(-{param}) + (atan2(0, 1) - sin(0)) * cos({param}) + tan(0.)"),
            6 => format!("=deg2rad(rad2deg({plain}))"),
            7 if number > 0.0 => format!("=sqrt({param} * {plain})"),
            _ => format!("=min(+{param},abs({param})) + 0e5"),
        }
    }
}
