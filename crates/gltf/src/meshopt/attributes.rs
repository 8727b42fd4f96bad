//! Mode 0, attributes (Appendix A): the bytes at one position in consecutive elements are stored together, as
//! differences from element to element, in groups of 16 codes of few bits each. And the filters, which convert attributes after
//! decoding (Appendix B), in single precision as specified there.

use super::encoding::Filter;
use super::input::{Input, Malformed};

/// Number of elements in a group.
const GROUP: usize = 16;

/// Most elements in a block of any stride.
const MAX_BLOCK: usize = 256;

/// Length of a channel in bytes: the part of an element whose differences are coded in one way in version 1.
const CHANNEL: usize = 4;

/// The number of elements in a block, a multiple of 16; only the last block may have fewer.
fn block_len(stride: usize) -> usize {
    ((8192 / stride) & !15).min(MAX_BLOCK)
}

/// The length of the tail in bytes: padding, the element before the first, and in version 1 a mode for each
/// channel.
fn tail_len(stride: usize, version: u8) -> usize {
    match version {
        0 => stride.max(32),
        _ => (stride + stride / CHANNEL).max(24),
    }
}

/// The fewest bytes of a stream: every block has at least its control bytes, or in version 0 its header bits.
pub fn least_len(count: u64, stride: u64, version: u8) -> u64 {
    let stride_len = stride as usize; // It is at most 256.
    let blocks = count.div_ceil(block_len(stride_len) as u64);
    let per_block = if version == 0 {
        stride
    } else {
        stride / CHANNEL as u64
    };
    blocks
        .saturating_mul(per_block)
        .saturating_add(1 + tail_len(stride_len, version) as u64)
}

/// The form in which the bytes at one position are stored in a block.
enum Control {
    /// Groups of codes; the header of each group selects one of these four widths in bits.
    Groups([u32; 4]),
    /// Nothing is stored; all bytes are zero.
    Zero,
    /// One byte after the other.
    Literal,
}

impl Control {
    /// The form of byte `position` of the element, given the control bytes of the block; version 0 has none.
    fn of(controls: &[u8], position: usize) -> Self {
        let Some(byte) = controls.get(position / CHANNEL) else {
            return Self::Groups([0, 2, 4, 8]);
        };
        match byte >> (2 * (position % CHANNEL)) & 3 {
            0 => Self::Groups([0, 1, 2, 4]),
            1 => Self::Groups([1, 2, 4, 8]),
            2 => Self::Zero,
            _ => Self::Literal,
        }
    }
}

/// The kind of the differences of a channel.
#[derive(Clone, Copy)]
enum Delta {
    /// Zigzag codes of 8 bits, added to bytes.
    Bytes,
    /// Zigzag codes of 16 bits, added to pairs of bytes.
    Pairs,
    /// 32 bits, combined by exclusive or, which the encoder has rotated to the left by this number of bits.
    Xor(u32),
}

impl Delta {
    /// The kind that a channel's mode byte selects; `None` if there is none.
    fn of(mode: u8) -> Option<Self> {
        match (mode & 0x0f, mode >> 4) {
            (0, 0) => Some(Self::Bytes),
            (1, 0) => Some(Self::Pairs),
            (2, rotation) => Some(Self::Xor(u32::from(rotation))),
            _ => None,
        }
    }

    /// The channel of an element, given that of the element before and their difference.
    fn apply(self, before: [u8; 4], delta: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Bytes => std::array::from_fn(|i| {
                let code = delta[i];
                before[i].wrapping_add(code >> 1 ^ (code & 1).wrapping_neg())
            }),
            Self::Pairs => {
                let half = |i: usize| {
                    let code = u16::from_le_bytes([delta[i], delta[i + 1]]);
                    u16::from_le_bytes([before[i], before[i + 1]])
                        .wrapping_add(code >> 1 ^ (code & 1).wrapping_neg())
                        .to_le_bytes()
                };
                let [a, b] = half(0);
                let [c, d] = half(2);
                [a, b, c, d]
            }
            Self::Xor(rotation) => {
                let delta = u32::from_le_bytes(delta).rotate_right(rotation);
                (u32::from_le_bytes(before) ^ delta).to_le_bytes()
            }
        }
    }
}

/// Decodes a whole stream into elements of `stride` bytes, a multiple of 4 up to 256.
pub fn decode(
    data: &[u8],
    version: u8,
    stride: usize,
    elements: &mut [u8],
) -> Result<(), Malformed> {
    let mut input = Input::between(data, tail_len(stride, version))?;
    let channel_count = if version == 0 { 0 } else { stride / CHANNEL };
    let (head, modes) = data.split_at(data.len() - channel_count);
    let mut deltas = [Delta::Bytes; 64];
    for (at, (delta, mode)) in deltas.iter_mut().zip(modes).enumerate() {
        *delta = Delta::of(*mode).ok_or(Malformed {
            offset: head.len() + at,
            message: "an unknown mode of a channel",
        })?;
    }
    let mut before = [0; 256];
    before[..stride].copy_from_slice(&head[head.len() - stride..]);
    for block in elements.chunks_mut(stride * block_len(stride)) {
        decode_block(
            &mut input,
            channel_count,
            &deltas,
            &mut before[..stride],
            block,
        )?;
    }
    input.finished()
}

/// Decodes one block. `before` is the element before the block; afterwards it is the last element of the block.
fn decode_block(
    input: &mut Input,
    control_len: usize,
    deltas: &[Delta; 64],
    before: &mut [u8],
    block: &mut [u8],
) -> Result<(), Malformed> {
    let stride = before.len();
    let controls = input.take(control_len)?;
    for (channel, delta) in deltas.iter().enumerate().take(stride / CHANNEL) {
        let begin = channel * CHANNEL;
        let mut codes = [[0; MAX_BLOCK]; CHANNEL];
        for (at, codes) in codes.iter_mut().enumerate() {
            let codes = &mut codes[..block.len() / stride];
            decode_bytes(input, Control::of(controls, begin + at), codes)?;
        }
        let before = &mut before[begin..begin + CHANNEL];
        let mut value: [u8; CHANNEL] = std::array::from_fn(|i| before[i]);
        for (at, element) in block.chunks_exact_mut(stride).enumerate() {
            value = delta.apply(value, std::array::from_fn(|i| codes[i][at]));
            element[begin..begin + CHANNEL].copy_from_slice(&value);
        }
        before.copy_from_slice(&value);
    }
    Ok(())
}

/// Decodes the codes of one byte position in a block.
fn decode_bytes(input: &mut Input, control: Control, codes: &mut [u8]) -> Result<(), Malformed> {
    let widths = match control {
        Control::Groups(widths) => widths,
        Control::Zero => return Ok(()),
        Control::Literal => {
            codes.copy_from_slice(input.take(codes.len())?);
            return Ok(());
        }
    };
    let headers = input.take(codes.len().div_ceil(GROUP).div_ceil(4))?;
    for (at, group) in codes.chunks_mut(GROUP).enumerate() {
        let header = headers[at / 4] >> (2 * (at % 4)) & 3;
        let decoded = decode_group(input, widths[usize::from(header)])?;
        group.copy_from_slice(&decoded[..group.len()]);
    }
    Ok(())
}

/// Decodes sixteen codes of 0, 1, 2, 4 or 8 bits; a code of all ones (except of 8 bits) is replaced by a byte that
/// follows the group.
fn decode_group(input: &mut Input, width: u32) -> Result<[u8; GROUP], Malformed> {
    let mut codes = [0; GROUP];
    let packed = input.take(GROUP * width as usize / 8)?;
    if width == 0 {
        return Ok(codes);
    }
    if width == 8 {
        codes.copy_from_slice(packed);
        return Ok(codes);
    }
    let per_byte = 8 / width as usize;
    let ones = (1u8 << width) - 1;
    for (at, code) in codes.iter_mut().enumerate() {
        // Codes of one bit are packed from the lowest bit on, wider codes from the highest.
        let position = if width == 1 {
            at % 8
        } else {
            per_byte - 1 - at % per_byte
        };
        *code = packed[at / per_byte] >> (position * width as usize) & ones;
        if *code == ones {
            *code = input.byte()?;
        }
    }
    Ok(codes)
}

/// Applies a filter to elements in place; it has been checked that the filter allows this stride.
pub fn filter(filter: Filter, stride: usize, elements: &mut [u8]) {
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
    let mut x = x as f32 / one;
    let mut y = y as f32 / one;
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
    let x = part(x);
    let y = part(y);
    let z = part(z);
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
        let exponent = code >> 24;
        let mantissa = code << 8 >> 8;
        // As doubles, both factors and their product are exact, so the result is rounded once, to f32. In f32, 2^-128
        // would not be a normal number.
        let power = f64::from_bits(((1023 + i64::from(exponent)) as u64) << 52);
        let value = (power * f64::from(mantissa)) as f32;
        word.copy_from_slice(&value.to_le_bytes());
    }
}

/// Filter 4: decodes red, green, blue and alpha from luma, two chroma values, and alpha below a marker bit.
fn color([y, co, cg, a]: [i32; 4], max: i32) -> [i32; 4] {
    let y = y & max;
    let a = a & max;
    let scale = (1i32 << (32 - a.leading_zeros())) - 1;
    let alpha = a & scale >> 1;
    let factor = max as f32 / scale as f32;
    [y + co - cg, y + cg, y - co - cg, alpha << 1 | alpha & 1]
        .map(|channel| round(channel as f32 * factor))
}
