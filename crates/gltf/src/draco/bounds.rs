//! The least and the greatest components of decoded elements.

use crate::element_type::ComponentType;
use crate::json::Value;

/// Most components of an element of a stream: matrices are not read.
const MOST: usize = 4;

/// The bounds of elements, as `min` and `max` of their accessor say them: integers are not divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    width: usize,
    min: [f64; MOST],
    max: [f64; MOST],
}

impl Bounds {
    /// Returns the bounds of elements of `width` components, which begin `stride` bytes apart; `None` if there are no elements, or
    /// a component is infinite or undefined.
    pub fn of(bytes: &[u8], component: ComponentType, width: usize, stride: usize) -> Option<Self> {
        if bytes.is_empty() || width > MOST {
            return None;
        }
        let (mut min, mut max) = ([f64::INFINITY; MOST], [f64::NEG_INFINITY; MOST]);
        for element in bytes.chunks_exact(stride) {
            for (at, bytes) in element
                .chunks_exact(component.size())
                .take(width)
                .enumerate()
            {
                let value = component.real(bytes, false);
                if !value.is_finite() {
                    return None;
                }
                // Of equal zeros the first: `f64::min` may return either.
                if value < min[at] {
                    min[at] = value;
                }
                if value > max[at] {
                    max[at] = value;
                }
            }
        }
        Some(Self { width, min, max })
    }

    /// Returns the least components.
    pub fn min<'a>(&self) -> Value<'a> {
        Value::numbers(&self.min[..self.width])
    }

    /// Returns the greatest components.
    pub fn max<'a>(&self) -> Value<'a> {
        Value::numbers(&self.max[..self.width])
    }
}
