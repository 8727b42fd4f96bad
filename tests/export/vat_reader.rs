//! A reader of textures, written from the descriptions of OpenEXR and PNG: scanlines of R, G and B compressed by ZIP, and
//! RGBA of 16 bits.

use miniz_oxide::inflate::decompress_to_vec_zlib as inflate;

pub struct Texture<T> {
    pub width: usize,
    pub height: usize,
    pub texels: Vec<[T; 3]>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    Half(u16),
    Float(u32),
}

struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> &'b [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes(self.take(4).try_into().unwrap())
    }

    fn name(&mut self) -> &'b str {
        let end = self.0.iter().position(|byte| *byte == 0).unwrap();
        let name = std::str::from_utf8(self.take(end)).unwrap();
        self.take(1);
        name
    }
}

/// Reads an EXR file. Fails if it has any attribute that could differ from run to run.
pub fn exr(file: &[u8]) -> Texture<Sample> {
    const KNOWN: [&str; 10] = [
        "chunkCount",
        "type",
        "channels",
        "compression",
        "dataWindow",
        "displayWindow",
        "lineOrder",
        "pixelAspectRatio",
        "screenWindowCenter",
        "screenWindowWidth",
    ];
    let mut bytes = Bytes(file);
    assert_eq!(bytes.word(), 20_000_630, "the magic number");
    assert_eq!(bytes.word(), 2, "version 2, scanlines");
    let (mut is_half, mut size) = (None, [0, 0]);
    loop {
        let name = bytes.name();
        if name.is_empty() {
            break;
        }
        assert!(KNOWN.contains(&name), "attribute {name}");
        bytes.name();
        let length = bytes.word() as usize;
        let mut value = Bytes(bytes.take(length));
        match name {
            "channels" => is_half = Some(channels(&mut value)),
            "compression" => assert_eq!(value.0, [3], "ZIP in blocks of 16 lines"),
            "lineOrder" => assert_eq!(value.0, [0], "increasing y"),
            "dataWindow" => {
                let window = [(); 4].map(|()| value.word() as usize);
                assert_eq!(window[..2], [0, 0]);
                size = [window[2] + 1, window[3] + 1];
            }
            _ => {}
        }
    }
    let [width, height] = size;
    let sample = if is_half.unwrap() { 2 } else { 4 };
    let blocks = height.div_ceil(16);
    let offsets = bytes.take(8 * blocks);
    let mut texels = Vec::new();
    for block in 0..blocks {
        let offset = u64::from_le_bytes(offsets[8 * block..8 * block + 8].try_into().unwrap());
        let mut chunk = Bytes(&file[offset as usize..]);
        assert_eq!(chunk.word() as usize, 16 * block);
        let length = chunk.word() as usize;
        let rows = (height - 16 * block).min(16);
        let raw = unpacked(chunk.take(length), rows * width * 3 * sample);
        for row in raw.chunks_exact(width * 3 * sample) {
            // The channels are in the order of their names: B, G, R.
            let at = |channel: usize, x: usize| {
                let at = (channel * width + x) * sample;
                match sample {
                    2 => Sample::Half(u16::from_le_bytes(row[at..at + 2].try_into().unwrap())),
                    _ => Sample::Float(u32::from_le_bytes(row[at..at + 4].try_into().unwrap())),
                }
            };
            texels.extend((0..width).map(|x| [2, 1, 0].map(|channel| at(channel, x))));
        }
    }
    Texture {
        width,
        height,
        texels,
    }
}

/// Reads the list of channels, which are B, G and R. Returns true if they are half floats.
fn channels(bytes: &mut Bytes<'_>) -> bool {
    let kinds = ["B", "G", "R"].map(|name| {
        assert_eq!(bytes.name(), name);
        let kind = bytes.word();
        bytes.take(4);
        assert_eq!(
            (bytes.word(), bytes.word()),
            (1, 1),
            "samples at every texel"
        );
        kind
    });
    assert_eq!(bytes.0, [0]);
    assert!(kinds == [1; 3] || kinds == [2; 3], "{kinds:?}");
    kinds[0] == 1
}

/// Undoes ZIP: the two halves of the bytes are interleaved, and each byte is a difference from the one before.
fn unpacked(block: &[u8], size: usize) -> Vec<u8> {
    if block.len() == size {
        return block.to_vec();
    }
    let mut bytes = inflate(block).unwrap();
    assert_eq!(bytes.len(), size);
    for index in 1..size {
        bytes[index] = bytes[index]
            .wrapping_add(bytes[index - 1])
            .wrapping_sub(128);
    }
    let (first, second) = bytes.split_at(size.div_ceil(2));
    (0..size)
        .map(|index| [first, second][index % 2][index / 2])
        .collect()
}

/// The number of a half float.
pub fn half(bits: u16) -> f64 {
    let exponent = i32::from(bits >> 10 & 31);
    let fraction = f64::from(bits & 1023);
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 => f64::INFINITY,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// Reads a PNG file. The opacity must be 1 everywhere.
pub fn png(file: &[u8]) -> Texture<u16> {
    let mut rest = file.strip_prefix(b"\x89PNG\r\n\x1a\n").unwrap();
    let (mut header, mut packed) = (&[][..], Vec::new());
    while !rest.is_empty() {
        let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
        let (kind, data) = (&rest[4..8], &rest[8..8 + length]);
        match kind {
            b"IHDR" => header = data,
            b"IDAT" => packed.extend(data),
            b"IEND" => {}
            _ => panic!("chunk {kind:?}"),
        }
        rest = &rest[12 + length..];
    }
    let side = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().unwrap()) as usize;
    let (width, height) = (side(0), side(4));
    assert_eq!(header[8..], [16, 6, 0, 0, 0], "RGBA of 16 bits");
    let lines = inflate(&packed).unwrap();
    assert_eq!(lines.len(), height * (1 + 8 * width));
    let mut above = vec![0; 8 * width];
    let mut texels = Vec::new();
    for line in lines.chunks_exact(1 + 8 * width) {
        above = unfiltered(line[0], &line[1..], &above);
        texels.extend(above.chunks_exact(8).map(|texel| {
            let word = |at: usize| u16::from_be_bytes([texel[at], texel[at + 1]]);
            assert_eq!(word(6), 65_535);
            [word(0), word(2), word(4)]
        }));
    }
    Texture {
        width,
        height,
        texels,
    }
}

/// Undoes a filter of eight bytes a texel.
fn unfiltered(filter: u8, line: &[u8], above: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (index, byte) in line.iter().enumerate() {
        let left = if index < 8 { 0 } else { bytes[index - 8] };
        let corner = if index < 8 { 0 } else { above[index - 8] };
        let top = above[index];
        let [a, b, c] = [left, top, corner].map(i32::from);
        let guess = a + b - c;
        let nearest = [a, b, c].into_iter().min_by_key(|n| (guess - n).abs());
        let predicted = match filter {
            0 => 0,
            1 => a,
            2 => b,
            3 => (a + b) / 2,
            4 => nearest.unwrap(),
            _ => panic!("filter {filter}"),
        };
        bytes.push(byte.wrapping_add(predicted as u8));
    }
    bytes
}
