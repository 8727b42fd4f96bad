//! JSON as it is written: members in their order, numbers as their text. Plain on purpose, so that neither
//! order nor numbers change before tests compare them.

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
        let mut parser = Parser { text, at: 0 };
        let tree = parser.value();
        parser.space();
        assert_eq!(parser.at, text.len(), "something after the JSON");
        tree
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

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> u8 {
        self.text.as_bytes()[self.at]
    }

    fn space(&mut self) {
        let rest = self.text[self.at..].bytes();
        self.at += rest.take_while(|b| b" \t\r\n".contains(b)).count();
    }

    /// Goes over a byte if it is next.
    fn takes(&mut self, byte: u8) -> bool {
        self.space();
        let is_next = self.peek() == byte;
        self.at += usize::from(is_next);
        is_next
    }

    fn needs(&mut self, byte: u8) {
        let at = self.at;
        assert!(self.takes(byte), "no {:?} at {at}", char::from(byte));
    }

    fn value(&mut self) -> Tree {
        if self.takes(b'{') {
            let mut members = Vec::new();
            while !self.takes(b'}') {
                if !members.is_empty() {
                    self.needs(b',');
                }
                self.space();
                let key = self.string();
                self.needs(b':');
                members.push((key, self.value()));
            }
            return Tree::Object(members);
        }
        if self.takes(b'[') {
            let mut items = Vec::new();
            while !self.takes(b']') {
                if !items.is_empty() {
                    self.needs(b',');
                }
                items.push(self.value());
            }
            return Tree::Array(items);
        }
        if self.peek() == b'"' {
            return Tree::String(self.string());
        }
        let rest = self.text[self.at..].bytes();
        let len = rest.take_while(|b| !b" \t\r\n,]}".contains(b)).count();
        let text = &self.text[self.at..][..len];
        assert!(
            serde_json::from_str::<serde_json::Value>(text).is_ok(),
            "{text:?} is no JSON"
        );
        self.at += len;
        Tree::Bare(text.to_owned())
    }

    fn string(&mut self) -> String {
        let start = self.at;
        assert_eq!(self.peek(), b'"');
        self.at += 1;
        while self.peek() != b'"' {
            self.at += 1 + usize::from(self.peek() == b'\\');
        }
        self.at += 1;
        serde_json::from_str(&self.text[start..self.at]).unwrap()
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
