//! Reading typed fields out of the tree by a cursor that knows where it is.

use std::fmt;

use super::json::Value;
use super::problem::{Problem, shown};

/// A way from the root of the tree to a value, as a chain through the cursors on the way: costs nothing until an
/// error prints it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Path<'p> {
    Root,
    Field(&'p Path<'p>, &'p str),
    Item(&'p Path<'p>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root => Ok(()),
            Path::Field(Path::Root, name) => f.write_str(name),
            Path::Field(parent, name) => write!(f, "{parent}.{name}"),
            Path::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// A value and the way to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<'t> {
    pub value: &'t Value<'t>,
    pub path: Path<'t>,
}

static NOTHING: Value<'static> = Value::Array(Vec::new());

impl<'t> At<'t> {
    /// The root of a tree.
    pub fn root(value: &'t Value<'t>) -> Self {
        let path = Path::Root;
        Self { value, path }
    }

    /// Breaks a rule here.
    pub fn rule(&self, message: impl Into<String>) -> Problem {
        Problem::rule(&self.path, message)
    }

    /// Breaks a rule in a member.
    pub fn rule_in(&self, key: &str, message: impl Into<String>) -> Problem {
        Problem::rule(&Path::Field(&self.path, key), message)
    }

    /// Is of the wrong JSON type.
    pub fn no(&self, expected: &str) -> Problem {
        let found = shown(self.value);
        Problem::structure(&self.path, format!("{found} is not {expected}"))
    }

    /// This value, which must be an object.
    pub fn object(self) -> Result<Self, Problem> {
        match self.value {
            Value::Object(_) => Ok(self),
            _ => Err(self.no("an object")),
        }
    }

    /// A member, if it is there.
    pub fn get<'s>(&'s self, key: &'s str) -> Option<At<'s>> {
        let value = self.value.get(key)?;
        let path = Path::Field(&self.path, key);
        Some(At { value, path })
    }

    /// A member that must be there.
    pub fn need<'s>(&'s self, key: &'s str) -> Result<At<'s>, Problem> {
        let missing = || Problem::structure(&self.path, format!("`{key}` is missing"));
        self.get(key).ok_or_else(missing)
    }

    /// A member that must be an object if it is there.
    pub fn inner<'s>(&'s self, key: &'s str) -> Result<Option<At<'s>>, Problem> {
        self.get(key).map(At::object).transpose()
    }

    /// A member that must be an array if it is there; an empty one if it is not.
    pub fn list<'s>(&'s self, key: &'s str) -> Result<At<'s>, Problem> {
        let path = Path::Field(&self.path, key);
        let value = &NOTHING;
        let member = self.get(key).unwrap_or(At { value, path });
        match member.value {
            Value::Array(_) => Ok(member),
            _ => Err(member.no("an array")),
        }
    }

    /// The elements of an array.
    pub fn items<'s>(&'s self) -> impl ExactSizeIterator<Item = At<'s>> {
        let elements = self.value.elements().iter().enumerate();
        elements.map(|(index, value)| At {
            value,
            path: Path::Item(&self.path, index),
        })
    }

    /// One element of an array.
    pub fn item(&self, index: usize) -> Option<At<'_>> {
        let value = self.value.elements().get(index)?;
        let path = Path::Item(&self.path, index);
        Some(At { value, path })
    }

    /// The members of an object.
    pub fn members<'s>(&'s self) -> impl Iterator<Item = (&'s str, At<'s>)> {
        let members: &[_] = match self.value {
            Value::Object(members) => members,
            _ => &[],
        };
        members.iter().map(|(key, value)| {
            let path = Path::Field(&self.path, key);
            (&**key, At { value, path })
        })
    }

    /// This value as an integer from 0 to 2⁵³.
    pub fn as_integer(&self) -> Result<u64, Problem> {
        let integer = self.value.as_u64();
        integer.ok_or_else(|| self.no("an integer from 0 to 2^53"))
    }

    /// This value as an index into a list of `len` things.
    pub fn as_index(&self, len: usize, things: &str) -> Result<usize, Problem> {
        let index = self.as_integer()?;
        match usize::try_from(index) {
            Ok(index) if index < len => Ok(index),
            _ => Err(self.rule(format!("{index} is beyond the {len} {things} of the file"))),
        }
    }

    /// This value as a finite number.
    pub fn as_number(&self) -> Result<f64, Problem> {
        let number = self.value.as_f64().ok_or_else(|| self.no("a number"))?;
        match number.is_finite() {
            true => Ok(number),
            false => Err(self.rule(format!(
                "{} is beyond the range of doubles",
                shown(self.value)
            ))),
        }
    }

    /// A member that is an integer from 0 to 2⁵³.
    pub fn integer(&self, key: &str) -> Result<Option<u64>, Problem> {
        self.get(key).map(|member| member.as_integer()).transpose()
    }

    /// A member that must be such an integer.
    pub fn needed_integer(&self, key: &str) -> Result<u64, Problem> {
        self.need(key)?.as_integer()
    }

    /// A member that is an index into a list of `len` things.
    pub fn index(&self, key: &str, len: usize, things: &str) -> Result<Option<usize>, Problem> {
        let member = self.get(key);
        member
            .map(|member| member.as_index(len, things))
            .transpose()
    }

    /// A member that is a boolean.
    pub fn flag(&self, key: &str) -> Result<bool, Problem> {
        match self.get(key) {
            None => Ok(false),
            Some(member) => match member.value {
                Value::Bool(value) => Ok(*value),
                _ => Err(member.no("true or false")),
            },
        }
    }

    /// A member that is a string.
    pub fn text<'s>(&'s self, key: &'s str) -> Result<Option<&'s str>, Problem> {
        let Some(member) = self.get(key) else {
            return Ok(None);
        };
        match member.value {
            Value::String(text) => Ok(Some(text)),
            _ => Err(member.no("a string")),
        }
    }

    /// The `name` of this object.
    pub fn name(&self) -> Result<Option<String>, Problem> {
        Ok(self.text("name")?.map(str::to_owned))
    }

    /// A member that is an array of `N` finite numbers.
    pub fn numbers<const N: usize>(&self, key: &str) -> Result<Option<[f64; N]>, Problem> {
        let Some(member) = self.get(key) else {
            return Ok(None);
        };
        let numbers = member.all_numbers()?;
        let wrong = |_| member.no(&format!("an array of {N} numbers"));
        numbers.try_into().map(Some).map_err(wrong)
    }

    /// This value as an array of finite numbers.
    pub fn all_numbers(&self) -> Result<Vec<f64>, Problem> {
        match self.value {
            Value::Array(_) => self.items().map(|item| item.as_number()).collect(),
            _ => Err(self.no("an array of numbers")),
        }
    }
}
