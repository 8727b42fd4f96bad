//! Reading typed members of the JSON tree by cursors: values that know their path, so that errors can name it.

use std::fmt;

use super::json::Value;
use super::problem::{Problem, Result, shown};

/// The path from the root of the tree to a value. Each path borrows that of its parent, so nothing is allocated until
/// an error prints it.
#[derive(Clone, Copy)]
pub enum Path<'p> {
    /// The root of the tree.
    Root,
    /// A member of an object: the object's path, and the key.
    Field(&'p Path<'p>, &'p str),
    /// An element of an array: the array's path, and the index.
    Item(&'p Path<'p>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Path::Root => Ok(()),
            Path::Field(Path::Root, name) => f.write_str(name),
            Path::Field(parent, name) => write!(f, "{parent}.{name}"),
            Path::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// A value of the tree and its path.
#[derive(Clone, Copy)]
pub struct Cursor<'t> {
    pub value: &'t Value<'t>,
    pub path: Path<'t>,
}

static EMPTY_ARRAY: Value<'static> = Value::Array(Vec::new());

impl<'t> Cursor<'t> {
    /// Returns the root of a tree.
    pub fn root(value: &'t Value<'t>) -> Self {
        Self {
            value,
            path: Path::Root,
        }
    }

    /// Returns the problem that this value breaks a rule.
    pub fn rule(&self, message: impl Into<String>) -> Problem {
        Problem::rule(&self.path, message)
    }

    /// Returns the problem that the member `key` of this object breaks a rule.
    pub fn rule_in(&self, key: &str, message: impl Into<String>) -> Problem {
        Problem::rule(&Path::Field(&self.path, key), message)
    }

    /// Returns the problem that this value is not `expected`, such as "an array".
    pub fn wrong_type(&self, expected: &str) -> Problem {
        let found = shown(self.value);
        Problem::structure(&self.path, format!("{found} is not {expected}"))
    }

    /// Returns this value, which must be an object.
    pub fn object(self) -> Result<Self> {
        match self.value {
            Value::Object(_) => Ok(self),
            _ => Err(self.wrong_type("an object")),
        }
    }

    /// Returns a member; `None` if there is none.
    #[inline]
    pub fn get<'s>(&'s self, key: &'s str) -> Option<Cursor<'s>> {
        let value = self.value.get(key)?;
        Some(Cursor {
            value,
            path: Path::Field(&self.path, key),
        })
    }

    /// Returns a member, which must exist.
    #[inline]
    pub fn required<'s>(&'s self, key: &'s str) -> Result<Cursor<'s>> {
        self.get(key)
            .ok_or_else(|| Problem::structure(&self.path, format!("`{key}` is missing")))
    }

    /// Returns a member, which must be an object if it exists.
    pub fn optional_object<'s>(&'s self, key: &'s str) -> Result<Option<Cursor<'s>>> {
        self.get(key).map(Cursor::object).transpose()
    }

    /// Returns a member, which must be an array if it exists; an empty array if it does not.
    pub fn list<'s>(&'s self, key: &'s str) -> Result<Cursor<'s>> {
        let path = Path::Field(&self.path, key);
        let value = &EMPTY_ARRAY;
        let member = self.get(key).unwrap_or(Cursor { value, path });
        match member.value {
            Value::Array(_) => Ok(member),
            _ => Err(member.wrong_type("an array")),
        }
    }

    /// Returns the elements of an array; none for other values.
    pub fn items(&self) -> impl ExactSizeIterator<Item = Cursor<'_>> {
        self.value
            .elements()
            .iter()
            .enumerate()
            .map(|(index, value)| Cursor {
                value,
                path: Path::Item(&self.path, index),
            })
    }

    /// Returns one element of an array; `None` if there is no such element.
    pub fn item(&self, index: usize) -> Option<Cursor<'_>> {
        let value = self.value.elements().get(index)?;
        Some(Cursor {
            value,
            path: Path::Item(&self.path, index),
        })
    }

    /// Returns the members of an object with their keys; none for other values.
    pub fn members(&self) -> impl Iterator<Item = (&str, Cursor<'_>)> {
        let members: &[_] = match self.value {
            Value::Object(members) => members,
            _ => &[],
        };
        members.iter().map(|(key, value)| {
            (
                &**key,
                Cursor {
                    value,
                    path: Path::Field(&self.path, key),
                },
            )
        })
    }

    /// Returns this value as an integer from 0 to 2⁵³.
    pub fn as_integer(&self) -> Result<u64> {
        self.value
            .as_u64()
            .ok_or_else(|| self.wrong_type("an integer from 0 to 2^53"))
    }

    /// Returns this value as an index into a list of length `len`; `things` names its elements in the error.
    pub fn as_index(&self, len: usize, things: &str) -> Result<usize> {
        let index = self.as_integer()?;
        match usize::try_from(index) {
            Ok(index) if index < len => Ok(index),
            _ => Err(self.rule(format!("{index} is beyond the {len} {things} of the file"))),
        }
    }

    /// Returns this value as a finite number.
    fn as_number(&self) -> Result<f64> {
        let number = self
            .value
            .as_f64()
            .ok_or_else(|| self.wrong_type("a number"))?;
        if number.is_finite() {
            Ok(number)
        } else {
            Err(self.rule(format!(
                "{} is beyond the range of doubles",
                shown(self.value)
            )))
        }
    }

    /// Returns a member as an integer from 0 to 2⁵³; `None` if it does not exist.
    pub fn integer(&self, key: &str) -> Result<Option<u64>> {
        self.get(key).map(|member| member.as_integer()).transpose()
    }

    /// Returns a member, which must exist, as an integer from 0 to 2⁵³.
    pub fn required_integer(&self, key: &str) -> Result<u64> {
        self.required(key)?.as_integer()
    }

    /// Returns a member as an index into a list of length `len`; `None` if it does not exist.
    pub fn index(&self, key: &str, len: usize, things: &str) -> Result<Option<usize>> {
        let member = self.get(key);
        member
            .map(|member| member.as_index(len, things))
            .transpose()
    }

    /// Returns a member as a boolean; `false` if it does not exist.
    pub fn flag(&self, key: &str) -> Result<bool> {
        match self.get(key) {
            None => Ok(false),
            Some(member) => match member.value {
                Value::Bool(value) => Ok(*value),
                _ => Err(member.wrong_type("true or false")),
            },
        }
    }

    /// Returns a member as a string; `None` if it does not exist.
    pub fn text<'s>(&'s self, key: &'s str) -> Result<Option<&'s str>> {
        let Some(member) = self.get(key) else {
            return Ok(None);
        };
        match member.value {
            Value::String(text) => Ok(Some(text)),
            _ => Err(member.wrong_type("a string")),
        }
    }

    /// Returns the `name` of this object; `None` if it has none.
    pub fn name(&self) -> Result<Option<String>> {
        Ok(self.text("name")?.map(str::to_owned))
    }

    /// Returns a member as an array of `N` finite numbers; `None` if it does not exist.
    pub fn numbers<const N: usize>(&self, key: &str) -> Result<Option<[f64; N]>> {
        let Some(member) = self.get(key) else {
            return Ok(None);
        };
        member
            .all_numbers()?
            .try_into()
            .map(Some)
            .map_err(|_| member.wrong_type(&format!("an array of {N} numbers")))
    }

    /// Returns this value as an array of finite numbers.
    pub fn all_numbers(&self) -> Result<Vec<f64>> {
        match self.value {
            Value::Array(_) => self.items().map(|item| item.as_number()).collect(),
            _ => Err(self.wrong_type("an array of numbers")),
        }
    }
}
