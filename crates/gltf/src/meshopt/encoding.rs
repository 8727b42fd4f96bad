//! The encoding of a view, as its extension declares it.

use crate::cursor::Cursor;
use crate::problem::{Result, quoted};

/// The encoding of a compressed view. [`Encoding::check`] defines the valid combinations.
pub struct Encoding {
    pub mode: Mode,
    pub filter: Filter,
    /// Number of elements.
    pub count: u64,
    /// Length of an element in bytes.
    pub stride: u64,
}

rigy_base::named! {
    /// The bitstream.
    pub enum Mode {
        Attributes = "ATTRIBUTES",
        Triangles = "TRIANGLES",
        Indices = "INDICES",
    }
}

rigy_base::named! {
    /// The conversion of attributes after decoding.
    pub enum Filter {
        None = "NONE",
        Octahedral = "OCTAHEDRAL",
        Quaternion = "QUATERNION",
        Exponential = "EXPONENTIAL",
        Color = "COLOR",
    }
}

impl Encoding {
    /// Checks that mode, filter, count and stride are a valid combination ("Specifying compressed views").
    ///
    /// # Errors
    /// The message of the error.
    pub fn check(&self) -> Result<(), &'static str> {
        let Self {
            mode,
            filter,
            count,
            stride,
        } = *self;
        let fits = match mode {
            Mode::Attributes if stride % 4 != 0 || !(4..=256).contains(&stride) => {
                return Err("`byteStride` of attributes must be a multiple of 4 from 4 to 256");
            }
            Mode::Triangles if count % 3 != 0 => {
                return Err("`count` of triangles must be a multiple of 3");
            }
            Mode::Triangles | Mode::Indices if stride != 2 && stride != 4 => {
                return Err("`byteStride` of indices must be 2 or 4");
            }
            Mode::Triangles | Mode::Indices => filter == Filter::None,
            Mode::Attributes => match filter {
                Filter::None | Filter::Exponential => true,
                Filter::Octahedral | Filter::Color => stride == 4 || stride == 8,
                Filter::Quaternion => stride == 8,
            },
        };
        fits.then_some(())
            .ok_or("`filter` does not go with this `mode` and `byteStride`")
    }
}

/// Names of the extensions by which buffer views may be compressed; the second is the first with more modes and
/// filters.
pub const COMPRESSIONS: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// The extension by which a view is compressed, given the view's extensions; `None` if it is not.
pub fn compression<'s>(extensions: &'s Cursor) -> Option<Cursor<'s>> {
    COMPRESSIONS
        .into_iter()
        .find_map(|name| extensions.get(name))
}

/// True if a buffer is a fallback: its extension says that only compressed views refer to it.
pub fn is_fallback(at: &Cursor) -> Result<bool> {
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
pub fn encoding(at: &Cursor) -> Result<Encoding> {
    let mode = at.required("mode")?;
    let mode = (mode.value.as_str())
        .and_then(Mode::named)
        .ok_or_else(|| mode.wrong_type("`ATTRIBUTES`, `TRIANGLES` or `INDICES`"))?;
    let filter = at.text("filter")?.unwrap_or(Filter::None.name());
    let filter = Filter::named(filter)
        .ok_or_else(|| at.rule_in("filter", format!("{} is no known filter", quoted(filter))))?;
    Ok(Encoding {
        mode,
        filter,
        count: at.required_integer("count")?,
        stride: at.required_integer("byteStride")?,
    })
}
