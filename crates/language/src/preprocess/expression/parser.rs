//! From tokens to a value, in one pass from left to right. A value that is not finite is told of only once the rest has been parsed.

use super::{Fault, Token};
use rigy_base::diag::Code;
use rigy_kernel::math::trig;

/// Most brackets and signs that are open at a time.
const MAX_DEPTH: usize = 64;

/// Returns the value of an expression.
///
/// # Errors
/// V68 for grammar, V69 for params, V70 for values that are not finite, V71 for roots, U10 for depth.
pub fn value(
    tokens: &[Token],
    parameter: &dyn Fn(&str) -> Result<f64, Fault>,
) -> Result<f64, Fault> {
    let mut parser = Parser {
        tokens,
        next: 0,
        depth: 0,
        beyond: None,
        parameter,
    };
    let value = parser.sum().and_then(|value| match parser.peek() {
        None => Ok(value),
        Some(token) => Err(unexpected(Some(token), "an operator or the end")),
    });
    match (value, parser.beyond) {
        (Err(fault), _) if !matches!(fault.code, Code::V70 | Code::V71) => Err(fault),
        (_, Some(beyond)) => Err(beyond),
        (value, None) => value,
    }
}

struct Parser<'t> {
    tokens: &'t [Token<'t>],
    /// Index of the next token.
    next: usize,
    depth: usize,
    /// The first value that is not finite.
    beyond: Option<Fault>,
    parameter: &'t dyn Fn(&str) -> Result<f64, Fault>,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.next).copied()
    }

    fn take(&mut self) -> Option<Token<'t>> {
        let token = self.peek();
        self.next += 1;
        token
    }

    /// Takes the next token if it is one of some signs.
    fn sign(&mut self, signs: &[char]) -> Option<char> {
        match self.peek() {
            Some(Token::Sign(sign)) if signs.contains(&sign) => {
                self.next += 1;
                Some(sign)
            }
            _ => None,
        }
    }

    fn expect(&mut self, sign: char) -> Result<(), Fault> {
        match self.sign(&[sign]) {
            Some(_) => Ok(()),
            None => Err(unexpected(self.peek(), &format!("`{sign}`"))),
        }
    }

    fn deeper(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            Err(Fault::new(
                Code::U10,
                format!("the expression is nested more than {MAX_DEPTH} levels deep"),
            ))
        } else {
            Ok(())
        }
    }

    fn sum(&mut self) -> Result<f64, Fault> {
        let mut value = self.product()?;
        while let Some(sign) = self.sign(&['+', '-']) {
            let right = self.product()?;
            value = self.noted(if sign == '+' {
                value + right
            } else {
                value - right
            });
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<f64, Fault> {
        let mut value = self.signed()?;
        while let Some(sign) = self.sign(&['*', '/']) {
            let right = self.signed()?;
            if sign == '/' && right == 0.0 {
                return Err(Fault::new(Code::V70, "division by zero"));
            }
            value = self.noted(if sign == '*' {
                value * right
            } else {
                value / right
            });
        }
        Ok(value)
    }

    fn signed(&mut self) -> Result<f64, Fault> {
        match self.sign(&['+', '-']) {
            Some(sign) => {
                self.deeper()?;
                let value = self.signed()?;
                self.depth -= 1;
                Ok(if sign == '-' { -value } else { value })
            }
            None => self.atom(),
        }
    }

    fn atom(&mut self) -> Result<f64, Fault> {
        match self.take() {
            // Digits, a point and an exponent always parse; the value may be infinite.
            Some(Token::Number(text)) => Ok(self.noted(text.parse().unwrap_or(f64::NAN))),
            Some(Token::Param(name)) => {
                let value = (self.parameter)(name)?;
                Ok(self.noted(value))
            }
            Some(Token::Name(name)) => self.call(name),
            Some(Token::Sign('(')) => {
                self.deeper()?;
                let value = self.sum()?;
                self.expect(')')?;
                self.depth -= 1;
                Ok(value)
            }
            other => Err(unexpected(other, "a number, a param, a function or `(`")),
        }
    }

    fn call(&mut self, name: &str) -> Result<f64, Fault> {
        let found = FUNCTIONS.iter().find(|(known, ..)| *known == name);
        if self.peek() != Some(Token::Sign('(')) {
            let message = match found {
                Some(_) => format!("`{name}` needs its arguments in brackets"),
                None => format!("there is no constant `{name}`"),
            };
            let is_param = found.is_none() && (self.parameter)(name).is_ok();
            return Err(Fault {
                meant: is_param.then(|| (name.to_owned(), name.to_owned())),
                ..Fault::new(Code::V68, message)
            });
        }
        let Some((_, arity, function)) = found else {
            let names: Vec<_> = functions().collect();
            let message = format!(
                "there is no function `{name}`; there are {}",
                names.join(", ")
            );
            return Err(Fault::new(Code::V68, message));
        };
        let arguments = self.arguments()?;
        if arguments.len() != *arity {
            let found = arguments.len();
            let message = format!("`{name}` has {arity} arguments, found {found}");
            return Err(Fault::new(Code::V68, message));
        }
        if name == "sqrt" && arguments[0] < 0.0 {
            let message = format!("the root of {}, which is negative", arguments[0]);
            return Err(Fault::new(Code::V71, message));
        }
        Ok(self.noted(function(&arguments)))
    }

    /// Reads the arguments of a function with their brackets.
    fn arguments(&mut self) -> Result<Vec<f64>, Fault> {
        self.next += 1;
        self.deeper()?;
        let mut arguments = Vec::new();
        if self.peek() != Some(Token::Sign(')')) {
            arguments.push(self.sum()?);
            while self.sign(&[',']).is_some() {
                arguments.push(self.sum()?);
            }
        }
        self.expect(')')?;
        self.depth -= 1;
        Ok(arguments)
    }

    /// Returns a value, which is noted if it is the first that is not finite (V70).
    fn noted(&mut self, value: f64) -> f64 {
        if !value.is_finite() && self.beyond.is_none() {
            self.beyond = Some(Fault::new(Code::V70, format!("a value is {value}")));
        }
        value
    }
}

/// Returns the names of the functions that an expression may call.
pub fn functions() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, ..)| *name)
}

fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

fn smaller(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

type Value = fn(&[f64]) -> f64;

/// The functions of the language: name, number of arguments, value for so many.
const FUNCTIONS: [(&str, usize, Value); 11] = [
    ("min", 2, |a| smaller(a[0], a[1])),
    ("max", 2, |a| larger(a[0], a[1])),
    ("clamp", 3, |a| larger(a[1], smaller(a[2], a[0]))),
    ("abs", 1, |a| a[0].abs()),
    ("sqrt", 1, |a| a[0].sqrt()),
    ("sin", 1, |a| trig::sin(a[0])),
    ("cos", 1, |a| trig::cos(a[0])),
    ("tan", 1, |a| trig::tan(a[0])),
    ("atan2", 2, |a| trig::atan2(a[0], a[1])),
    ("deg2rad", 1, |a| trig::radians(a[0])),
    ("rad2deg", 1, |a| trig::degrees(a[0])),
];

fn unexpected(found: Option<Token>, wanted: &str) -> Fault {
    let found = match found {
        None => "the end".to_owned(),
        Some(Token::Number(text)) => format!("the number {text}"),
        Some(Token::Param(name)) => format!("`${name}`"),
        Some(Token::Name(name)) => format!("`{name}`"),
        Some(Token::Sign(sign)) => format!("`{sign}`"),
    };
    Fault::new(Code::V68, format!("expected {wanted}, found {found}"))
}
