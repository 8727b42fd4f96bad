//! What the JSON says of compressed buffer views (`EXT_meshopt_compression`).

use super::cursor::At;
use super::meshopt::{Filter, Layout, Mode};
use super::problem::{Problem, quoted};

/// Names of the extensions by which buffer views may be compressed (the second is the first with more modes).
pub const COMPRESSIONS: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// The extension of a compressed view, among the view's extensions.
pub(super) fn compression<'s>(extensions: &'s At<'_>) -> Option<At<'s>> {
    let mut names = COMPRESSIONS.into_iter();
    names.find_map(|name| extensions.get(name))
}

/// Whether only compressed views refer to a buffer.
pub(super) fn is_fallback(at: &At<'_>) -> Result<bool, Problem> {
    let Some(extensions) = at.inner("extensions")? else {
        return Ok(false);
    };
    for name in COMPRESSIONS {
        if let Some(extension) = extensions.inner(name)?
            && extension.flag("fallback")?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What the extension says of a compressed view.
pub(super) fn layout(at: &At<'_>) -> Result<Layout, Problem> {
    let mode = match at.need("mode")?.value.as_str() {
        Some("ATTRIBUTES") => Mode::Attributes,
        Some("TRIANGLES") => Mode::Triangles,
        Some("INDICES") => Mode::Indices,
        _ => {
            return Err(at
                .need("mode")?
                .no("`ATTRIBUTES`, `TRIANGLES` or `INDICES`"));
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
    Ok(Layout {
        mode,
        filter,
        count: at.needed_integer("count")?,
        stride: at.needed_integer("byteStride")?,
    })
}
