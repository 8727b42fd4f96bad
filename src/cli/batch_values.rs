//! Values of the arguments of commands that write outputs: how they are read, and what they stand for.

use std::path::PathBuf;

use rigy_base::diag::Code;
use rigy_base::limits::size;

/// Reads a number of bytes as [`size`] does, or 0.
pub fn size_or_none(text: &str) -> Result<u64, String> {
    match text {
        "0" => Ok(0),
        text => size(text),
    }
}

/// An item of `--warn-as-error` or `--allow-warnings`.
#[derive(Clone, Copy, Debug)]
pub enum Warnings {
    All,
    One(Code),
}

/// Reads the code of a warning.
pub fn warnings(name: &str) -> Result<Warnings, String> {
    if name == "all" {
        return Ok(Warnings::All);
    }
    Code::named(name)
        .filter(|code| code.is_warning())
        .map(Warnings::One)
        .ok_or_else(|| {
            let names: Vec<&str> = Code::warnings().map(Code::name).collect();
            format!("there is no such warning; there are {}", names.join(", "))
        })
}

impl Warnings {
    /// Returns the codes of a list.
    pub fn codes(list: &[Self]) -> Vec<Code> {
        list.iter()
            .flat_map(|one| -> Vec<Code> {
                match one {
                    Self::All => Code::warnings().collect(),
                    Self::One(code) => vec![*code],
                }
            })
            .collect()
    }
}

/// Reads the name of a file with rules.
pub fn dependency_file(name: &str) -> Result<PathBuf, &'static str> {
    if name.ends_with(".d") || name == "-" || name.starts_with("/dev/") {
        Ok(name.into())
    } else {
        Err("the name of a dependency file ends in `.d`, so that no other is replaced")
    }
}
