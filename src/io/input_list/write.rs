//! Writing an input list.

use std::io::Write;
use std::path::{Component, Path, PathBuf};

use super::rules::{Checked, check_roots};
use super::{
    End, Head, INPUT_LIST_VERSION, InputListError, InputListFault, Listed, ListedKind,
    MAX_LINE_LEN, Totals,
};

/// Writes an input list. What it writes, [`InputList`](super::InputList) reads.
pub struct InputListWriter<W> {
    name: String,
    out: W,
    checked: Checked,
    line: Vec<u8>,
}

impl<W: Write> InputListWriter<W> {
    /// Begins a list, which messages call `name`, of inputs below `roots`.
    ///
    /// # Errors
    /// If a root lies in another one or is not UTF-8, or the list cannot be written.
    ///
    /// ```
    /// use std::path::{Path, PathBuf};
    /// use rigy_batch::io::{InputList, InputListWriter, ListedKind};
    ///
    /// let roots = [PathBuf::from("models")];
    /// let mut list = InputListWriter::begin("list", Vec::new(), ListedKind::Documents, &roots)?;
    /// list.add(0, Path::new("arm.rigy.yaml"), 1834)?;
    /// let bytes = list.end()?;
    /// let mut list = InputList::new("list".into(), &*bytes)?;
    /// assert_eq!(list.next()?.unwrap().path, "arm.rigy.yaml");
    /// assert!(list.next()?.is_none());
    /// # Ok::<(), rigy_batch::io::InputListError>(())
    /// ```
    pub fn begin(
        name: impl Into<String>,
        out: W,
        kind: ListedKind,
        roots: &[PathBuf],
    ) -> Result<Self, InputListError> {
        let mut list = Self {
            name: name.into(),
            out,
            checked: Checked::default(),
            line: Vec::new(),
        };
        check_roots(roots).map_err(|fault| list.fault(fault))?;
        let text = |root: &PathBuf| {
            let text = root.to_str().map(str::to_owned);
            text.ok_or_else(|| list.fault(InputListFault::NotUtf8(root.clone())))
        };
        let roots = roots.iter().map(text).collect::<Result<_, _>>()?;
        list.write(&Head {
            inputs: kind,
            version: INPUT_LIST_VERSION,
            roots,
        })?;
        Ok(list)
    }

    /// Adds the input at a path below root number `root`, which has `bytes` bytes. Inputs come sorted by root, then by path.
    ///
    /// # Errors
    /// If the path is not UTF-8 or does not come in order, or the list cannot be written.
    pub fn add(&mut self, root: usize, path: &Path, bytes: u64) -> Result<(), InputListError> {
        let not_utf8 = || self.fault(InputListFault::NotUtf8(path.to_owned()));
        let mut text = String::with_capacity(path.as_os_str().len());
        for part in path.components() {
            if !text.is_empty() {
                text.push('/');
            }
            match part {
                Component::Normal(name) => text.push_str(name.to_str().ok_or_else(not_utf8)?),
                _ => {
                    let path = path.display().to_string();
                    return Err(self.fault(InputListFault::Outside(path)));
                }
            }
        }
        let path = text.into();
        let listed = Listed { root, path, bytes };
        let added = self.checked.add(&listed);
        added.map_err(|fault| self.fault(fault))?;
        self.write(&listed)
    }

    /// Writes the end, and returns the writer that was passed to [`begin`](Self::begin).
    ///
    /// # Errors
    /// If the list cannot be written.
    pub fn end(mut self) -> Result<W, InputListError> {
        let end = self.checked.totals;
        self.write(&End { end })?;
        let flushed = self.out.flush();
        flushed.map_err(|error| self.fault(InputListFault::Write(error)))?;
        Ok(self.out)
    }

    /// Returns the number and the bytes of the inputs so far.
    pub fn totals(&self) -> Totals {
        self.checked.totals
    }

    fn write(&mut self, line: &impl serde::Serialize) -> Result<(), InputListError> {
        self.line.clear();
        let json = serde_json::to_writer(&mut self.line, line);
        json.map_err(|error| self.fault(InputListFault::Write(error.into())))?;
        if self.line.len() >= MAX_LINE_LEN {
            return Err(self.fault(InputListFault::Long(MAX_LINE_LEN)));
        }
        self.line.push(b'\n');
        let written = self.out.write_all(&self.line);
        written.map_err(|error| self.fault(InputListFault::Write(error)))
    }

    fn fault(&self, fault: InputListFault) -> InputListError {
        InputListError {
            list: self.name.clone(),
            line: None,
            fault,
        }
    }
}
