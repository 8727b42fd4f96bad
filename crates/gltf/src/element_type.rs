//! The types of an accessor: the component type, and the element type.

use super::json::Value;

/// The type in which components are stored, with its `componentType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComponentType {
    /// Signed integer of 8 bits.
    I8 = 5120,
    /// Unsigned integer of 8 bits.
    U8 = 5121,
    /// Signed integer of 16 bits.
    I16 = 5122,
    /// Unsigned integer of 16 bits.
    U16 = 5123,
    /// Unsigned integer of 32 bits.
    U32 = 5125,
    /// Float of 32 bits.
    F32 = 5126,
}

impl ComponentType {
    /// Returns the type with this `componentType`; `None` if there is none.
    pub fn of(number: u64) -> Option<Self> {
        use ComponentType::{F32, I8, I16, U8, U16, U32};
        [I8, U8, I16, U16, U32, F32]
            .into_iter()
            .find(|kind| kind.number() == number)
    }

    /// Returns the `componentType` of the type.
    pub fn number(self) -> u64 {
        self as u64
    }

    /// Returns the name of the type in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::I8 => "i8",
            Self::U8 => "u8",
            Self::I16 => "i16",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::F32 => "f32",
        }
    }

    /// Returns the length of a component in bytes: 1, 2 or 4.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The component at the start of `bytes`, of which there are at least [`size`](Self::size), as a number.
    /// Integers of a `normalized` accessor are converted as in `bake.md` §1.
    #[inline]
    pub(super) fn real(self, bytes: &[u8], normalized: bool) -> f64 {
        let (value, largest) = match self {
            Self::I8 => (f64::from(bytes[0] as i8), 127.0),
            Self::U8 => (f64::from(bytes[0]), 255.0),
            Self::I16 => (f64::from(i16::from_le_bytes([bytes[0], bytes[1]])), 32767.0),
            Self::U16 => (f64::from(u16::from_le_bytes([bytes[0], bytes[1]])), 65535.0),
            Self::U32 => (f64::from(word(bytes)), 4294967295.0),
            Self::F32 => return f64::from(f32::from_bits(word(bytes))),
        };
        if normalized {
            f64::max(value / largest, -1.0)
        } else {
            value
        }
    }

    /// The component at the start of `bytes` as an index; `None` for signed integers and floats.
    #[inline]
    pub(super) fn index(self, bytes: &[u8]) -> Option<u32> {
        match self {
            Self::U8 => Some(bytes[0].into()),
            Self::U16 => Some(u16::from_le_bytes([bytes[0], bytes[1]]).into()),
            Self::U32 => Some(word(bytes)),
            Self::I8 | Self::I16 | Self::F32 => None,
        }
    }
}

/// The little-endian word at the start of `bytes`.
#[inline]
fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

rigy_base::named! {
    /// The type of an element; `type` in files.
    #[derive(Hash)]
    pub enum ElementType {
        /// One component.
        Scalar = "SCALAR",
        /// Two components.
        Vec2 = "VEC2",
        /// Three components.
        Vec3 = "VEC3",
        /// Four components.
        Vec4 = "VEC4",
        /// A 2×2 matrix, column by column.
        Mat2 = "MAT2",
        /// A 3×3 matrix, column by column.
        Mat3 = "MAT3",
        /// A 4×4 matrix, column by column.
        Mat4 = "MAT4",
    }
}

impl ElementType {
    /// The type with this `type`; `None` if there is none.
    pub(super) fn of(value: &Value) -> Option<Self> {
        Self::named(value.as_str()?)
    }

    /// The number of columns of an element, and the number of components of a column.
    pub(super) fn shape(self) -> (usize, usize) {
        match self {
            Self::Scalar => (1, 1),
            Self::Vec2 => (1, 2),
            Self::Vec3 => (1, 3),
            Self::Vec4 => (1, 4),
            Self::Mat2 => (2, 2),
            Self::Mat3 => (3, 3),
            Self::Mat4 => (4, 4),
        }
    }

    /// Returns the number of components of an element: 1 to 16.
    pub fn component_count(self) -> usize {
        let (columns, rows) = self.shape();
        columns * rows
    }

    /// The distance from one column of a matrix to the next in bytes: each begins at a multiple of 4 (glTF 2.0
    /// §3.6.2.4). For other types it is the length of the element.
    pub(super) fn column_len(self, component: ComponentType) -> usize {
        match self.shape() {
            (1, rows) => rows * component.size(),
            (_, rows) => (rows * component.size()).next_multiple_of(4),
        }
    }

    /// Returns the length of an element in bytes, padding of columns included.
    pub fn size(self, component: ComponentType) -> usize {
        self.shape().0 * self.column_len(component)
    }
}
