//! Filters, which convert attributes after decoding (Appendix B), in single precision as specified there.

use super::Filter;

/// Applies a filter to elements in place; it has been checked that the filter allows this stride.
pub(super) fn apply(filter: Filter, stride: usize, elements: &mut [u8]) {
    let elements = elements.chunks_exact_mut(stride);
    match (filter, stride) {
        (Filter::None, _) => {}
        (Filter::Octahedral, 4) => {
            elements.for_each(|e| store_bytes(e, octahedral(load_bytes(e), 127.0)))
        }
        (Filter::Octahedral, _) => {
            elements.for_each(|e| store_pairs(e, octahedral(load_pairs(e), 32767.0)))
        }
        (Filter::Quaternion, _) => elements.for_each(|e| store_pairs(e, quaternion(load_pairs(e)))),
        (Filter::Exponential, _) => elements.for_each(exponential),
        (Filter::Color, 4) => elements.for_each(|e| store_bytes(e, color(load_bytes(e), 0xff))),
        (Filter::Color, _) => elements.for_each(|e| store_pairs(e, color(load_pairs(e), 0xffff))),
    }
}

/// Reads four signed bytes.
fn load_bytes(element: &[u8]) -> [i32; 4] {
    std::array::from_fn(|i| i32::from(element[i] as i8))
}

/// Writes the low eight bits of four numbers.
fn store_bytes(element: &mut [u8], values: [i32; 4]) {
    element.copy_from_slice(&values.map(|value| value as u8));
}

/// Reads four signed 16-bit numbers.
fn load_pairs(element: &[u8]) -> [i32; 4] {
    std::array::from_fn(|i| i32::from(i16::from_le_bytes([element[2 * i], element[2 * i + 1]])))
}

/// Writes the low sixteen bits of four numbers.
fn store_pairs(element: &mut [u8], values: [i32; 4]) {
    for (pair, value) in element.chunks_exact_mut(2).zip(values) {
        pair.copy_from_slice(&(value as u16).to_le_bytes());
    }
}

/// Rounds to the nearest integer, halves away from zero; NaN becomes 0.
fn round(value: f32) -> i32 {
    value.round() as i32
}

/// Filter 1: decodes a unit vector from its octahedral form; `max` is the integer for 1.0 in the result.
fn octahedral([x, y, one, w]: [i32; 4], max: f32) -> [i32; 4] {
    let one = one as f32;
    let (mut x, mut y) = (x as f32 / one, y as f32 / one);
    let z = 1.0 - x.abs() - y.abs();
    let t = z.min(0.0);
    x -= t.copysign(x);
    y -= t.copysign(y);
    let len = (x * x + y * y + z * z).sqrt();
    let part = |v: f32| round(v / len * max);
    [part(x), part(y), part(z), w]
}

/// Filter 2: decodes a unit quaternion from its three smaller components.
fn quaternion([x, y, z, mixed]: [i32; 4]) -> [i32; 4] {
    let range = 1.0 / 2.0f32.sqrt();
    let one = (mixed | 3) as f32;
    let part = |v: i32| v as f32 / one * range;
    let (x, y, z) = (part(x), part(y), part(z));
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let largest = (mixed & 3) as usize;
    let mut components = [0; 4];
    for (at, component) in [w, x, y, z].into_iter().enumerate() {
        components[(largest + at) % 4] = round(component * 32767.0);
    }
    components
}

/// Filter 3: decodes floats from an 8-bit exponent and a 24-bit mantissa.
fn exponential(element: &mut [u8]) {
    for word in element.chunks_exact_mut(4) {
        let code = i32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        let (exponent, mantissa) = (code >> 24, code << 8 >> 8);
        // As doubles, both factors and their product are exact, so the result is rounded once, to f32. In f32, 2^-128
        // would not be a normal number.
        let power = f64::from_bits(((1023 + i64::from(exponent)) as u64) << 52);
        let value = (power * f64::from(mantissa)) as f32;
        word.copy_from_slice(&value.to_le_bytes());
    }
}

/// Filter 4: decodes red, green, blue and alpha from luma, two chroma values, and alpha below a marker bit.
fn color([y, co, cg, a]: [i32; 4], max: i32) -> [i32; 4] {
    let (y, a) = (y & max, a & max);
    let scale = (1i32 << (32 - a.leading_zeros())) - 1;
    let alpha = a & scale >> 1;
    let factor = max as f32 / scale as f32;
    let channels = [y + co - cg, y + cg, y - co - cg, alpha << 1 | alpha & 1];
    channels.map(|channel| round(channel as f32 * factor))
}
