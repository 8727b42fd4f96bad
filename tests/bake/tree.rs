//! JSON as it is written: members in their order, numbers as their text. Plain on purpose, so that neither
//! order nor numbers change before tests compare them.

use std::fmt::Formatter;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    Object(Vec<(String, Tree)>),
    Array(Vec<Tree>),
    String(String),
    /// A number, `true`, `false` or `null`, as its text.
    Bare(String),
}

const NOTHING: &[Tree] = &[];

impl Tree {
    pub fn parse(text: &str) -> Self {
        let text = text.trim_ascii();
        let parse = |raw: &RawValue| Self::parse(raw.get());
        match text.as_bytes()[0] {
            b'{' => {
                let Members(members) = serde_json::from_str(text).unwrap();
                Self::Object(
                    members
                        .into_iter()
                        .map(|(key, raw)| (key, parse(raw)))
                        .collect(),
                )
            }
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(text).unwrap();
                Self::Array(items.into_iter().map(parse).collect())
            }
            b'"' => Self::String(serde_json::from_str(text).unwrap()),
            _ => Self::Bare(
                serde_json::from_str::<&RawValue>(text)
                    .unwrap()
                    .get()
                    .to_owned(),
            ),
        }
    }

    pub fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(members) = self else {
            return None;
        };
        members
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// A value some members down: keys and indices with dots between.
    pub fn at(&self, path: &str) -> Option<&Self> {
        path.split('.').try_fold(self, |tree, step| match tree {
            Self::Array(items) => items.get(step.parse::<usize>().ok()?),
            _ => tree.get(step),
        })
    }

    pub fn list(&self, key: &str) -> &[Self] {
        self.get(key).map_or(NOTHING, Self::items)
    }

    pub fn items(&self) -> &[Self] {
        match self {
            Self::Array(items) => items,
            _ => NOTHING,
        }
    }

    pub fn members(&self) -> &[(String, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    pub fn keys(&self) -> Vec<&str> {
        self.members().iter().map(|(key, _)| &**key).collect()
    }

    pub fn number(&self) -> f64 {
        match self {
            Self::Bare(text) => text.parse().unwrap(),
            other => panic!("{other:?} is no number"),
        }
    }

    pub fn index(&self) -> usize {
        match self {
            Self::Bare(text) => text.parse().unwrap(),
            other => panic!("{other:?} is no index"),
        }
    }

    pub fn str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn index_of(&self, key: &str) -> Option<usize> {
        self.get(key).map(Self::index)
    }

    pub fn text_of(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Self::str)
    }

    pub fn flag(&self, key: &str) -> bool {
        self.get(key) == Some(&Self::Bare("true".into()))
    }

    pub fn numbers_of(&self, key: &str) -> Option<Vec<f64>> {
        let items = self.get(key)?.items();
        Some(items.iter().map(Self::number).collect())
    }

    /// Everything below, this included, each with its path.
    pub fn walk<'t>(&'t self, path: &str, visit: &mut dyn FnMut(&str, &'t Self)) {
        visit(path, self);
        let below = |step: &str| match path {
            "" => step.to_owned(),
            _ => format!("{path}.{step}"),
        };
        for (key, value) in self.members() {
            value.walk(&below(key), visit);
        }
        for (index, value) in self.items().iter().enumerate() {
            value.walk(&below(&index.to_string()), visit);
        }
    }
}

/// The members of an object in their order, each as its text.
struct Members<'t>(Vec<(String, &'t RawValue)>);

impl<'t> Deserialize<'t> for Members<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members(Vec::new()))
    }
}

impl<'t> Visitor<'t> for Members<'t> {
    type Value = Self;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some(member) = map.next_entry()? {
            self.0.push(member);
        }
        Ok(self)
    }
}

#[test]
fn text_order_and_numbers_are_kept() {
    let tree = Tree::parse(" {\"b\": [1.0, -0.0 ,1e-3, {}], \"a\\u0041\":{\"x\":null}} ");
    assert_eq!(tree.keys(), ["b", "aA"]);
    assert_eq!(tree.at("b.2"), Some(&Tree::Bare("1e-3".into())));
    assert_eq!(tree.at("aA.x"), Some(&Tree::Bare("null".into())));
    assert!(tree.at("b.1").unwrap().number().is_sign_negative());
    assert_eq!((tree.list("b").len(), tree.at("b.9")), (4, None));
}
