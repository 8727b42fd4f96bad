//! Reasons why an input list cannot be used.

use std::io;
use std::path::PathBuf;

use super::INPUT_LIST_VERSION;

/// The reason why an input list cannot be read or written, with the line that it is about.
#[derive(Debug, thiserror::Error)]
#[error("the input list `{list}`{}: {fault}", .line.map(|line| format!(", line {line}")).unwrap_or_default())]
pub struct InputListError {
    /// The path of the list.
    pub list: String,
    /// The line, from 1; `None` if the fault is about the whole list.
    pub line: Option<u64>,
    /// The fault.
    #[source]
    pub fault: InputListFault,
}

/// A fault of an input list.
#[derive(Debug, thiserror::Error)]
pub enum InputListFault {
    /// The list cannot be read.
    #[error("{0}")]
    Read(#[source] io::Error),
    /// The list cannot be written.
    #[error("it cannot be written: {0}")]
    Write(#[source] io::Error),
    /// The file does not begin as a list does.
    #[error("this is no input list; `rigy-batch plan --inputs-to FILE` writes one")]
    NoList,
    /// The list is of a newer version than those that are read.
    #[error(
        "it has version {0}, which is newer than {INPUT_LIST_VERSION}; read it with the rigy-batch that has written it, or a later one"
    )]
    Newer(u32),
    /// A line has a form that this program does not write.
    #[error("this is no line of an input list: {0}")]
    Malformed(String),
    /// A line is longer than any path needs.
    #[error("the line has more than {0} bytes")]
    Long(usize),
    /// The last line is missing, or a part of it.
    #[error("it ends before its last line; write it again with `rigy-batch plan`")]
    Cut,
    /// There are lines after the end.
    #[error("it goes on after its end")]
    Longer,
    /// The entries do not add up to the end.
    #[error("its entries do not add up to its end; write it again with `rigy-batch plan`")]
    Sum,
    /// An entry leads out of its root.
    #[error("`{0}` is no path below a root: its parts must be names, without `..`")]
    Outside(String),
    /// An entry is there twice.
    #[error("`{0}` is there twice")]
    Twice(String),
    /// Entries are not in order.
    #[error(
        "`{0}` does not come in order: entries are sorted by root and by the parts of their paths"
    )]
    Disorder(String),
    /// An entry names a root that the head does not have.
    #[error("there is no root number {0}")]
    Root(usize),
    /// A root lies in another one.
    #[error("the root `{}` lies in `{}`; leave one of them out", inner.display(), outer.display())]
    Nested {
        /// The root that lies in the other.
        inner: PathBuf,
        /// The other root.
        outer: PathBuf,
    },
    /// Other roots are given than the list has.
    #[error("it has {listed} roots, and {given} are given; give one PATH for each, or none")]
    RootCount {
        /// The number of PATHs.
        given: usize,
        /// The number of roots in the list.
        listed: usize,
    },
    /// A path cannot be written as JSON.
    #[error("`{}` is not UTF-8, which a list cannot hold; rename it, or run without a list", .0.display())]
    NotUtf8(PathBuf),
}
