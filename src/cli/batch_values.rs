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

/// Reads an item of `--warn-as-error` or `--allow-warnings`: the code of a warning, or `all`.
pub fn warnings(name: &str) -> Result<Vec<Code>, String> {
    if name == "all" {
        return Ok(Code::warnings().collect());
    }
    Code::named(name)
        .filter(|code| code.is_warning())
        .map(|code| vec![code])
        .ok_or_else(|| {
            let names: Vec<&str> = Code::warnings().map(Code::name).collect();
            format!("there is no such warning; there are {}", names.join(", "))
        })
}

/// Reads the name of a file with rules.
pub fn dependency_file(name: &str) -> Result<PathBuf, &'static str> {
    if name.ends_with(".d") || name == "-" || name.starts_with("/dev/") {
        Ok(name.into())
    } else {
        Err("the name of a dependency file ends in `.d`, so that no other is replaced")
    }
}
