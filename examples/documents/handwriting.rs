//! From model to text: `serde_yaml` writes the document, and random habits of an author rewrite parts of it.
//!
//! Every rewriting keeps the meaning: other spellings of a number, quotes, flow style, anchors, merge keys, comments.

use serde::Serialize;
use serde_yaml::{Mapping, Value};

use super::random::{Draw, Random};
use super::verbatim::Verbatim;
use super::{flow, spelling};

/// Habits of the imagined author of a file, in per cent.
#[derive(Default)]
pub struct Hand {
    numbers: usize,
    whole_as_integers: bool,
    strings: usize,
    flow: usize,
    anchors: usize,
    shuffled_keys: bool,
    all_flow: bool,
    comments: bool,
    frame: Frame,
}

/// Text around the document.
#[derive(Default)]
struct Frame {
    byte_order_mark: bool,
    carriage_returns: bool,
    markers: bool,
    directive: bool,
}

impl Hand {
    /// The plain hand of `serde_yaml`.
    pub fn plain() -> Hand {
        Hand::default()
    }

    pub fn draw(random: &mut Random) -> Hand {
        let mut hand = Hand {
            whole_as_integers: random.chance(50),
            ..Hand::plain()
        };
        if random.chance(45) {
            return hand;
        }
        hand.numbers = *random.pick(&[0, 10, 40]);
        hand.strings = *random.pick(&[0, 10, 40]);
        hand.flow = *random.pick(&[0, 30, 100]);
        hand.anchors = *random.pick(&[0, 0, 60]);
        hand.shuffled_keys = random.chance(20);
        hand.all_flow = random.chance(10);
        hand.comments = random.chance(30);
        hand.frame = Frame {
            byte_order_mark: random.chance(10),
            carriage_returns: random.chance(12),
            markers: random.chance(20),
            directive: random.chance(5),
        };
        hand
    }

    /// A hand that leaves numbers as numbers, which preprocessing asks for.
    pub fn with_plain_numbers(random: &mut Random) -> Hand {
        Hand {
            numbers: 0,
            ..Hand::draw(random)
        }
    }

    pub fn write(&self, random: &mut Random, document: &impl Serialize) -> String {
        let mut tree = serde_yaml::to_value(document).expect("plain data has a YAML form");
        let mut page = Page::default();
        self.rewrite(random, &mut page, &mut tree, "");
        let text = if self.all_flow {
            flow::text(&tree, &page.verbatim) + "\n"
        } else {
            let text = serde_yaml::to_string(&tree).expect("a value can be written");
            page.verbatim.reveal(&text)
        };
        self.finish(random, text)
    }

    /// Rewrites a value in place, depth first, in the order in which it will be written.
    fn rewrite(&self, random: &mut Random, page: &mut Page, value: &mut Value, field: &str) {
        match value {
            Value::Mapping(mapping) => self.rewrite_mapping(random, page, mapping),
            Value::Sequence(items) => {
                for item in items {
                    self.rewrite(random, page, item, field);
                }
            }
            scalar => return self.rewrite_scalar(random, page, scalar, field),
        }
        if is_leaf(value) {
            self.rewrite_leaf(random, page, value);
        } else if random.chance(self.flow / 6) {
            *value = page.in_flow_style("", value);
        }
    }

    fn rewrite_mapping(&self, random: &mut Random, page: &mut Page, mapping: &mut Mapping) {
        let mut pairs: Vec<(Value, Value)> = std::mem::take(mapping).into_iter().collect();
        if self.shuffled_keys {
            random.shuffle(&mut pairs);
        }
        for (mut key, mut value) in pairs {
            let field = key.as_str().unwrap_or_default().to_string();
            self.rewrite(random, page, &mut value, &field);
            self.rewrite_scalar(random, page, &mut key, "");
            mapping.insert(key, value);
        }
    }

    /// Another spelling for a scalar, at random or where plain text would be misread.
    fn rewrite_scalar(
        &self,
        random: &mut Random,
        page: &mut Page,
        scalar: &mut Value,
        field: &str,
    ) {
        let spelt = match &*scalar {
            Value::String(text) => {
                let fancy = random.chance(self.strings);
                (fancy || spelling::needs_quotes(text))
                    .then(|| spelling::string(random, text, fancy))
            }
            Value::Number(number) if random.chance(self.numbers) => Some(match field {
                "vertices" => spelling::integer(random, number.as_u64().unwrap_or_default()),
                _ => spelling::number(random, number.as_f64().unwrap_or_default()),
            }),
            Value::Null => random
                .chance(self.strings)
                .then(|| (*random.pick(&["~", "Null", "NULL"])).into()),
            _ => None,
        };
        if let Some(text) = spelt {
            *scalar = page.verbatim.hide(text);
        } else if self.whole_as_integers
            && let Some(integer) = scalar.as_f64().and_then(spelling::as_integer)
        {
            *scalar = integer.into();
        }
    }

    /// A leaf may be anchored, repeat an earlier one, merge one, or simply stand in brackets.
    fn rewrite_leaf(&self, random: &mut Random, page: &mut Page, value: &mut Value) {
        if random.chance(self.anchors) {
            *value = if let Some(earlier) =
                page.anchored.iter().find(|earlier| earlier.value == *value)
            {
                page.verbatim.hide(format!("*{}", earlier.name))
            } else if let Some(earlier) = page.anchored.iter().rposition(|earlier| {
                earlier.can_be_merged_into(value) && !page.contains(value, earlier)
            }) {
                let merged = page.merge(earlier, value);
                page.in_flow_style("", &merged)
            } else {
                let name = format!(
                    "{}{}",
                    random.pick(&["a", "v", "base-", "p_"]),
                    page.anchored.len()
                );
                let prefix = format!("&{name} ");
                page.anchored.push(Anchored {
                    name,
                    value: value.clone(),
                });
                page.in_flow_style(&prefix, value)
            };
        } else if random.chance(self.flow) {
            *value = page.in_flow_style("", value);
        }
    }

    fn finish(&self, random: &mut Random, text: String) -> String {
        let mut text = if self.comments {
            commented(random, &text)
        } else {
            text
        };
        if self.frame.directive {
            text = format!("%YAML 1.{}\n---\n{text}", random.pick(&[1, 2]));
        } else if self.frame.markers {
            text = format!("---\n{text}...\n");
        }
        if self.frame.carriage_returns {
            text = text.replace('\n', "\r\n");
        }
        if self.frame.byte_order_mark {
            text.insert(0, '\u{feff}');
        }
        text
    }
}

/// Text that has been written so far.
#[derive(Default)]
struct Page {
    verbatim: Verbatim,
    anchored: Vec<Anchored>,
}

impl Page {
    fn in_flow_style(&mut self, prefix: &str, value: &Value) -> Value {
        let text = flow::text(value, &self.verbatim);
        self.verbatim.hide(format!("{prefix}{text}"))
    }

    /// True if the anchor stands inside a value whose text is finished; there it cannot be merged.
    fn contains(&self, value: &Value, anchored: &Anchored) -> bool {
        let anchor = format!("&{} ", anchored.name);
        let values = value.as_mapping().into_iter().flat_map(Mapping::values);
        let texts = values.filter_map(|value| self.verbatim.hidden(value.as_str()?));
        texts.into_iter().any(|text| text.contains(&anchor))
    }

    /// `value` as a merge of the anchored mapping and the members that differ from it.
    fn merge(&mut self, earlier: usize, value: &Value) -> Value {
        let Anchored { name, value: base } = &self.anchored[earlier];
        let mut merged = Mapping::new();
        merged.insert(
            self.verbatim.hide("<<".into()),
            self.verbatim.hide(format!("*{name}")),
        );
        for (key, value) in value.as_mapping().into_iter().flatten() {
            if base.get(key) != Some(value) {
                merged.insert(key.clone(), value.clone());
            }
        }
        Value::Mapping(merged)
    }
}

/// A leaf that stands in the text behind an anchor.
struct Anchored {
    name: String,
    value: Value,
}

impl Anchored {
    /// True for mappings that bring no key of their own and at least one right value.
    fn can_be_merged_into(&self, value: &Value) -> bool {
        let (Some(base), Some(mapping)) = (self.value.as_mapping(), value.as_mapping()) else {
            return false;
        };
        let contained = base.keys().all(|key| mapping.contains_key(key));
        contained
            && base
                .iter()
                .any(|(key, value)| mapping.get(key) == Some(value))
    }
}

/// A collection of scalars only.
fn is_leaf(value: &Value) -> bool {
    let scalar = |value: &Value| !value.is_mapping() && !value.is_sequence();
    match value {
        Value::Mapping(mapping) => !mapping.is_empty() && mapping.values().all(scalar),
        Value::Sequence(items) => !items.is_empty() && items.iter().all(scalar),
        _ => false,
    }
}

/// Comments and blank lines around the top-level keys, where they cannot become part of a block scalar.
fn commented(random: &mut Random, text: &str) -> String {
    const REMARKS: [&str; 5] = ["TODO: tidy", "key: value", "— ünïcode —", "'quote", "{[&*!"];
    let mut out = String::from("# generated, and none the worse for it\n");
    for line in text.lines() {
        let is_section = line.starts_with(|c: char| c.is_ascii_lowercase()) && line.ends_with(':');
        if is_section && random.chance(50) {
            out.push_str(&format!("\n  # {}\n", random.pick(&REMARKS)));
        }
        out.push_str(line);
        if is_section && random.chance(50) {
            out.push_str(&format!(" # {}", random.pick(&REMARKS)));
        }
        out.push('\n');
    }
    out
}
