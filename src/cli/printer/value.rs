//! Values as text.

use super::numbers::significant;
use crate::view::description::Extremes;

/// What a table can show.
pub trait Value {
    fn shown(&self) -> String;
}

impl Value for str {
    fn shown(&self) -> String {
        self.to_owned()
    }
}

impl Value for String {
    fn shown(&self) -> String {
        self.clone()
    }
}

impl<V: Value + ?Sized> Value for &V {
    fn shown(&self) -> String {
        (**self).shown()
    }
}

impl Value for usize {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Value for u64 {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Value for f64 {
    fn shown(&self) -> String {
        significant(*self)
    }
}

impl<const N: usize> Value for [f64; N] {
    fn shown(&self) -> String {
        self.map(significant).join(", ")
    }
}

/// A dash stands for what is not there.
impl<V: Value> Value for Option<V> {
    fn shown(&self) -> String {
        self.as_ref().map_or("-".to_owned(), Value::shown)
    }
}

pub fn bounds(extremes: &Extremes) -> String {
    format!("({}) to ({})", extremes.min.shown(), extremes.max.shown())
}
