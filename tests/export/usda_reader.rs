//! A reader of USD text files, as far as the grammar of prims, attributes and values goes.

use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub enum Usd {
    Word(String),
    Text(String),
    Path(String),
    Asset(String),
    List(Vec<Usd>),
    Samples(Vec<(String, Usd)>),
}

#[derive(Debug, Default)]
pub struct Prim {
    pub kind: String,
    pub name: String,
    pub metadata: BTreeMap<String, Usd>,
    pub attributes: BTreeMap<String, Attribute>,
    pub children: Vec<Prim>,
}

#[derive(Debug)]
pub struct Attribute {
    pub kind: String,
    pub value: Option<Usd>,
    pub metadata: BTreeMap<String, Usd>,
}

impl Usd {
    pub fn integers(&self) -> Vec<u32> {
        self.list()
            .iter()
            .map(|number| number.word().parse().unwrap())
            .collect()
    }

    pub fn floats(&self) -> Vec<f32> {
        self.list()
            .iter()
            .map(|number| number.word().parse().unwrap())
            .collect()
    }

    pub fn vectors<const N: usize>(&self) -> Vec<[f32; N]> {
        let vector = |value: &Usd| value.floats().try_into().unwrap();
        self.list().iter().map(vector).collect()
    }

    pub fn word(&self) -> &str {
        match self {
            Self::Word(word) => word,
            other => panic!("no word: {other:?}"),
        }
    }

    fn list(&self) -> &[Self] {
        match self {
            Self::List(list) => list,
            other => panic!("no list: {other:?}"),
        }
    }
}

impl Prim {
    pub fn read(text: &str) -> Self {
        let text = text.strip_prefix("#usda 1.0\n").unwrap();
        let mut reader = Reader(text);
        let mut stage = Self {
            metadata: reader.metadata(),
            ..Self::default()
        };
        while !reader.0.is_empty() {
            stage.children.push(reader.prim());
        }
        stage
    }

    pub fn at(&self, path: &str) -> &Self {
        path.split('/').fold(self, |prim, name| {
            let child = prim.children.iter().find(|child| child.name == name);
            child.unwrap_or_else(|| panic!("{name} of {path}"))
        })
    }

    pub fn get(&self, attribute: &str) -> &Usd {
        let found = self
            .attributes
            .get(attribute)
            .and_then(|a| a.value.as_ref());
        found.unwrap_or_else(|| panic!("{attribute} of {}", self.name))
    }

    pub fn has(&self, attribute: &str) -> bool {
        self.attributes.contains_key(attribute)
    }
}

struct Reader<'t>(&'t str);

impl Reader<'_> {
    fn skip(&mut self) {
        self.0 = self.0.trim_start();
    }

    fn eat(&mut self, text: &str) -> bool {
        match self.0.strip_prefix(text) {
            Some(rest) => {
                self.0 = rest;
                self.skip();
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, text: &str) {
        assert!(self.eat(text), "{text} expected: {:.60}", self.0);
    }

    fn word(&mut self) -> String {
        let is_end = |c: char| !(c.is_ascii_alphanumeric() || "_:.+-[]".contains(c));
        let end = self.0.find(is_end).unwrap();
        let (word, rest) = self.0.split_at(end);
        assert!(!word.is_empty(), "{:.60}", self.0);
        self.0 = rest;
        self.skip();
        word.to_owned()
    }

    /// Text up to a closing character on the same line.
    fn until(&mut self, close: char) -> String {
        let end = self.0[1..].find(close).unwrap() + 1;
        let text = self.0[1..end].to_owned();
        assert!(!text.contains('\n'), "{text}");
        self.0 = &self.0[end + 1..];
        self.skip();
        text
    }

    fn text(&mut self) -> String {
        let mut text = String::new();
        let mut characters = self.0[1..].char_indices();
        loop {
            match characters.next().unwrap() {
                (at, '"') => {
                    self.0 = &self.0[at + 2..];
                    self.skip();
                    return text;
                }
                (_, '\\') => text.push(characters.next().unwrap().1),
                (_, c) => {
                    assert!(!c.is_control(), "{c:?}");
                    text.push(c);
                }
            }
        }
    }

    fn value(&mut self) -> Usd {
        match self.0.as_bytes()[0] {
            b'"' => Usd::Text(self.text()),
            b'<' => Usd::Path(self.until('>')),
            b'@' => Usd::Asset(self.until('@')),
            b'[' => self.list("[", "]"),
            b'(' => self.list("(", ")"),
            b'{' => self.samples(),
            _ => Usd::Word(self.word_of_value()),
        }
    }

    fn word_of_value(&mut self) -> String {
        let end = self.0.find([',', ')', ']', '}', ' ', '\n']).unwrap();
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        self.skip();
        word.to_owned()
    }

    fn list(&mut self, open: &str, close: &str) -> Usd {
        self.expect(open);
        let mut list = Vec::new();
        while !self.eat(close) {
            list.push(self.value());
            if !self.eat(",") {
                self.expect(close);
                break;
            }
        }
        Usd::List(list)
    }

    fn samples(&mut self) -> Usd {
        self.expect("{");
        let mut samples = Vec::new();
        while !self.eat("}") {
            let end = self.0.find(':').unwrap();
            let time = self.0[..end].to_owned();
            self.0 = &self.0[end..];
            self.expect(":");
            samples.push((time, self.value()));
            self.expect(",");
        }
        Usd::Samples(samples)
    }

    fn metadata(&mut self) -> BTreeMap<String, Usd> {
        let mut metadata = BTreeMap::new();
        self.skip();
        if self.eat("(") {
            while !self.eat(")") {
                self.eat("prepend ");
                let name = self.word();
                self.expect("=");
                assert!(metadata.insert(name, self.value()).is_none());
            }
        }
        metadata
    }

    fn prim(&mut self) -> Prim {
        self.expect("def ");
        let mut prim = Prim {
            kind: self.word(),
            name: self.text(),
            ..Prim::default()
        };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        assert!(prim.name.chars().all(is_plain), "{}", prim.name);
        assert!(!prim.name.starts_with(|c: char| c.is_ascii_digit()));
        prim.metadata = self.metadata();
        self.expect("{");
        while !self.eat("}") {
            if self.0.starts_with("def ") {
                let child = self.prim();
                assert!(prim.children.iter().all(|other| other.name != child.name));
                prim.children.push(child);
                continue;
            }
            self.eat("uniform ");
            let kind = self.word();
            let name = self.word();
            let value = self.eat("=").then(|| self.value());
            let metadata = self.metadata();
            let attribute = Attribute {
                kind,
                value,
                metadata,
            };
            assert!(prim.attributes.insert(name, attribute).is_none());
        }
        prim
    }
}
