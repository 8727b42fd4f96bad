//! Expressions (`extensions.md` 2.7): tokens, then a descent that evaluates as it reads. Faults panic.

/// The value of the text after `=`, quantised.
pub fn value(text: &str, param: &dyn Fn(&str) -> f64) -> f64 {
    let mut reader = Reader {
        tokens: tokens(text),
        at: 0,
        param,
    };
    let value = reader.sum();
    assert_eq!(reader.at, reader.tokens.len(), "a stray token in {text:?}");
    quantised(value)
}

/// A multiple of the double nearest to 1e-9, and never -0.0.
fn quantised(value: f64) -> f64 {
    let quotient = value / 1e-9;
    assert!(quotient.is_finite());
    quotient.round_ties_even() * 1e-9 + 0.0
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(f64),
    Param(String),
    Name(String),
    Sign(char),
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start_matches(is_blank);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '0'..='9' => number_length(rest),
            '$' => 1 + word_length(&rest[1..]),
            'A'..='Z' | 'a'..='z' | '_' => word_length(rest),
            _ => 1,
        };
        let (text, after) = rest.split_at(length);
        tokens.push(match first {
            '0'..='9' => Token::Number(text.parse().expect("a number")),
            '$' => Token::Param(text[1..].into()),
            'A'..='Z' | 'a'..='z' | '_' => Token::Name(text.into()),
            sign => Token::Sign(sign),
        });
        rest = after.trim_start_matches(is_blank);
    }
    tokens
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\u{b}' | '\u{c}')
}

fn word_length(text: &str) -> usize {
    let outside = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    text.find(outside).unwrap_or(text.len())
}

fn digits(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len())
}

/// Digits, perhaps a point and digits, perhaps an exponent.
fn number_length(text: &str) -> usize {
    let mut length = digits(text);
    if text[length..].starts_with('.') {
        length += 1 + digits(&text[length + 1..]);
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let exponent = digits(&text[length + 1 + sign..]);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

struct Reader<'a> {
    tokens: Vec<Token>,
    at: usize,
    param: &'a dyn Fn(&str) -> f64,
}

impl Reader<'_> {
    fn take(&mut self, sign: char) -> bool {
        let found = self.tokens.get(self.at) == Some(&Token::Sign(sign));
        self.at += usize::from(found);
        found
    }

    fn sum(&mut self) -> f64 {
        let mut value = self.product();
        loop {
            if self.take('+') {
                value += self.product();
            } else if self.take('-') {
                value -= self.product();
            } else {
                return value;
            }
        }
    }

    fn product(&mut self) -> f64 {
        let mut value = self.factor();
        loop {
            if self.take('*') {
                value *= self.factor();
            } else if self.take('/') {
                value /= self.factor();
            } else {
                return value;
            }
        }
    }

    fn factor(&mut self) -> f64 {
        if self.take('-') {
            return -self.factor();
        }
        if self.take('+') {
            return self.factor();
        }
        if self.take('(') {
            let value = self.sum();
            assert!(self.take(')'), "an open bracket");
            return value;
        }
        let token = self.tokens[self.at].clone();
        self.at += 1;
        match token {
            Token::Number(value) => value,
            Token::Param(name) => (self.param)(&name),
            Token::Name(name) => call(&name, &self.arguments()),
            Token::Sign(sign) => panic!("{sign:?} where a value should be"),
        }
    }

    fn arguments(&mut self) -> Vec<f64> {
        assert!(self.take('('), "a name without a bracket");
        let mut values = Vec::new();
        if self.take(')') {
            return values;
        }
        loop {
            values.push(self.sum());
            if !self.take(',') {
                assert!(self.take(')'), "an open bracket");
                return values;
            }
        }
    }
}

/// The table of functions; both of `min` and `max` keep the first of equal values.
fn call(name: &str, arguments: &[f64]) -> f64 {
    let min = |a: f64, b: f64| if b < a { b } else { a };
    let max = |a: f64, b: f64| if b > a { b } else { a };
    match (name, arguments) {
        ("min", [a, b]) => min(*a, *b),
        ("max", [a, b]) => max(*a, *b),
        ("clamp", [x, lo, hi]) => max(*lo, min(*hi, *x)),
        ("abs", [x]) => x.abs(),
        ("sqrt", [x]) => x.sqrt(),
        ("sin", [x]) => libm::sin(*x),
        ("cos", [x]) => libm::cos(*x),
        ("tan", [x]) => libm::tan(*x),
        ("atan2", [y, x]) => libm::atan2(*y, *x),
        ("deg2rad", [x]) => x * 0.017453292519943295,
        ("rad2deg", [x]) => x * 57.29577951308232,
        _ => panic!("no function {name} of {} numbers", arguments.len()),
    }
}
