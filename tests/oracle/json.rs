//! JSON text the way the goldens spell it (§9): fixed key order, no white space, nothing empty,
//! Python `repr` numbers, ASCII strings.

#[derive(Default)]
pub struct Object {
    fields: Vec<String>,
}

impl Object {
    /// A value that is already JSON text.
    pub fn raw(&mut self, key: &str, value: &str) -> &mut Self {
        self.fields.push(format!("{}:{value}", string(key)));
        self
    }

    pub fn integer(&mut self, key: &str, value: usize) -> &mut Self {
        self.raw(key, &value.to_string())
    }

    pub fn optional_integer(&mut self, key: &str, value: Option<usize>) -> &mut Self {
        match value {
            Some(value) => self.integer(key, value),
            None => self,
        }
    }

    /// §9: an empty string is never written as a value.
    pub fn text(&mut self, key: &str, value: &str) -> &mut Self {
        if value.is_empty() {
            return self;
        }
        self.raw(key, &string(value))
    }

    /// §9: an empty list is never written as a value.
    pub fn list(&mut self, key: &str, values: &[String]) -> &mut Self {
        if values.is_empty() {
            return self;
        }
        self.raw(key, &format!("[{}]", values.join(",")))
    }

    pub fn integers(&mut self, key: &str, values: &[usize]) -> &mut Self {
        let texts: Vec<String> = values.iter().map(usize::to_string).collect();
        self.list(key, &texts)
    }

    pub fn reals(&mut self, key: &str, values: &[f64]) -> &mut Self {
        let texts: Vec<String> = values.iter().map(|value| real(*value)).collect();
        self.list(key, &texts)
    }

    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    pub fn end(&self) -> String {
        format!("{{{}}}", self.fields.join(","))
    }
}

/// §9.3: ASCII only, four lower-case hex digits, surrogate pairs above U+FFFF.
pub fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            ' '..='~' => quoted.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    quoted.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    quoted.push('"');
    quoted
}

/// §9.1: the shortest digits that round-trip; fixed notation from 1e-4 up to below 1e16.
pub fn real(value: f64) -> String {
    let scientific = shortest(value.abs());
    let (mantissa, exponent) = scientific.split_once('e').expect("a finite number");
    let exponent: i32 = exponent.parse().expect("an exponent");
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if (-4..16).contains(&exponent) {
        format!("{sign}{}", fixed(&mantissa.replace('.', ""), exponent))
    } else {
        let direction = if exponent < 0 { '-' } else { '+' };
        format!("{sign}{mantissa}e{direction}{:02}", exponent.abs())
    }
}

/// The fewest digits that read back as the value, and of those the nearest; as `d.ddde-d`.
/// Plain `{:e}` will not do: where the exact value lies half-way between two candidates it rounds
/// up, while `repr` rounds to even. It does tell how many digits there are.
fn shortest(value: f64) -> String {
    let nearest_up = format!("{value:e}");
    let (mantissa, _) = nearest_up.split_once('e').expect("an exponent");
    let least = mantissa.len().saturating_sub("1.".len());
    for decimals in least..17 {
        let nearest = format!("{value:.decimals$e}");
        for text in [nearest.clone(), one_up(&nearest)] {
            if text.parse() == Ok(value) {
                return text;
            }
        }
    }
    panic!("seventeen digits always read back");
}

/// The next decimal of the same length. Above a power of two the doubles lie wider than below, so
/// it may read back where the nearest one does not.
fn one_up(text: &str) -> String {
    let (mantissa, exponent) = text.split_once('e').expect("an exponent");
    let digits: u64 = mantissa.replace('.', "").parse().expect("digits");
    let mut digits = (digits + 1).to_string();
    if digits.len() > 1 {
        digits.insert(1, '.');
    }
    format!("{digits}e{exponent}")
}

/// `digits` with the point after the first one, times ten to `exponent`, in fixed notation.
fn fixed(digits: &str, exponent: i32) -> String {
    if exponent < 0 {
        let zeros = "0".repeat((-exponent - 1) as usize);
        return format!("0.{zeros}{digits}");
    }
    let whole_len = exponent as usize + 1;
    let padded = format!("{digits:0<width$}", width = whole_len + 1);
    let (whole, fraction) = padded.split_at(whole_len);
    format!("{whole}.{fraction}")
}
