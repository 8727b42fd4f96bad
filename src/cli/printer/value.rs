//! Values as text.

use super::numbers::significant;
use rigy_view::description::Extremes;

/// Implemented by the values that a cell of a table can have.
pub trait Shows {
    fn shown(&self) -> String;
}

impl Shows for str {
    fn shown(&self) -> String {
        self.to_owned()
    }
}

impl Shows for String {
    fn shown(&self) -> String {
        self.clone()
    }
}

impl<V: Shows + ?Sized> Shows for &V {
    fn shown(&self) -> String {
        (**self).shown()
    }
}

impl Shows for usize {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shows for u64 {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shows for f64 {
    fn shown(&self) -> String {
        significant(*self)
    }
}

impl<const N: usize> Shows for [f64; N] {
    fn shown(&self) -> String {
        self.map(significant).join(", ")
    }
}

/// A dash stands for what is not there.
impl<V: Shows> Shows for Option<V> {
    fn shown(&self) -> String {
        self.as_ref().map_or("-".to_owned(), Shows::shown)
    }
}

pub fn bounds(extremes: &Extremes) -> String {
    format!("({}) to ({})", extremes.min.shown(), extremes.max.shown())
}
