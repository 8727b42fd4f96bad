//! The JSON of compressed buffer views (`EXT_meshopt_compression`).

use super::cursor::Cursor;
use super::meshopt::{Encoding, Filter, Mode};
use super::problem::{Problem, quoted};

/// Names of the extensions by which buffer views may be compressed; the second is the first with more modes and
/// filters.
pub const COMPRESSIONS: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// Returns the extension by which a view is compressed, given the view's extensions; `None` if it is not.
pub(super) fn compression<'s>(extensions: &'s Cursor<'_>) -> Option<Cursor<'s>> {
    let mut names = COMPRESSIONS.into_iter();
    names.find_map(|name| extensions.get(name))
}

/// True if a buffer is a fallback: its extension says that only compressed views refer to it.
pub(super) fn is_fallback(at: &Cursor<'_>) -> Result<bool, Problem> {
    let Some(extensions) = at.optional_object("extensions")? else {
        return Ok(false);
    };
    for name in COMPRESSIONS {
        if let Some(extension) = extensions.optional_object(name)?
            && extension.flag("fallback")?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads the encoding of a compressed view from its extension.
pub(super) fn encoding(at: &Cursor<'_>) -> Result<Encoding, Problem> {
    let mode = match at.required("mode")?.value.as_str() {
        Some("ATTRIBUTES") => Mode::Attributes,
        Some("TRIANGLES") => Mode::Triangles,
        Some("INDICES") => Mode::Indices,
        _ => {
            return Err(at
                .required("mode")?
                .wrong_type("`ATTRIBUTES`, `TRIANGLES` or `INDICES`"));
        }
    };
    let filter = match at.text("filter")? {
        None | Some("NONE") => Filter::None,
        Some("OCTAHEDRAL") => Filter::Octahedral,
        Some("QUATERNION") => Filter::Quaternion,
        Some("EXPONENTIAL") => Filter::Exponential,
        Some("COLOR") => Filter::Color,
        Some(other) => {
            return Err(at.rule_in("filter", format!("{} is no known filter", quoted(other))));
        }
    };
    Ok(Encoding {
        mode,
        filter,
        count: at.required_integer("count")?,
        stride: at.required_integer("byteStride")?,
    })
}
