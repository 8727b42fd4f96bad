//! The rules that reader and writer hold a list to.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use super::{InputListFault, Listed, Totals};

/// What has been checked of a list.
#[derive(Default)]
pub(super) struct Checked {
    /// Root and path of the last entry.
    last: (usize, String),
    pub totals: Totals,
}

impl Checked {
    /// Checks that an entry is a path below a root and comes after the last one.
    pub fn add(&mut self, listed: &Listed<'_>) -> Result<(), InputListFault> {
        if !listed.path.split('/').all(is_name) {
            return Err(InputListFault::Outside(listed.path.to_string()));
        }
        let (root, path) = &mut self.last;
        if self.totals.inputs > 0 {
            match listed
                .root
                .cmp(root)
                .then_with(|| order(&listed.path, path))
            {
                Ordering::Greater => {}
                Ordering::Equal => return Err(InputListFault::Twice(listed.path.to_string())),
                Ordering::Less => return Err(InputListFault::Disorder(listed.path.to_string())),
            }
        }
        *root = listed.root;
        path.clear();
        path.push_str(&listed.path);
        self.totals.inputs += 1;
        let bytes = self.totals.bytes.checked_add(listed.bytes);
        self.totals.bytes = bytes.ok_or(InputListFault::Sum)?;
        Ok(())
    }
}

/// Compares paths part by part, as a run sorts its inputs.
fn order(one: &str, other: &str) -> Ordering {
    Path::new(one).cmp(Path::new(other))
}

/// Returns true if a part of a path is the name of a file or directory.
fn is_name(part: &str) -> bool {
    let is_odd = |c: char| c == '\0' || std::path::is_separator(c) || (cfg!(windows) && c == ':');
    !matches!(part, "" | "." | "..") && !part.contains(is_odd)
}

/// Checks that no root is another one or lies in it: an input would have two places.
pub(super) fn check_roots(roots: &[PathBuf]) -> Result<(), InputListFault> {
    for (index, root) in roots.iter().enumerate() {
        let others = roots.iter().enumerate();
        let mut others = others.filter(|(other, _)| *other != index);
        if let Some((_, outer)) = others.find(|(_, other)| root.starts_with(other)) {
            return Err(InputListFault::Nested {
                inner: root.clone(),
                outer: outer.clone(),
            });
        }
    }
    Ok(())
}
