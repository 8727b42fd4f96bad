//! A reader of textures, written from the description of OpenEXR (scanlines of R, G and B compressed by ZIP), and one of PNG
//! (RGB of 16 bits). Texels are from 0 to 1.

use std::io::Cursor;

use miniz_oxide::inflate::decompress_to_vec_zlib as inflate;

pub struct Texture {
    pub width: usize,
    pub height: usize,
    pub texels: Vec<[f32; 3]>,
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
pub fn exr(file: &[u8]) -> Texture {
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
    let mut size = [0, 0];
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
            "channels" => check_channels(&mut value),
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
    let sample = 4;
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
                f32::from_le_bytes(row[at..at + 4].try_into().unwrap())
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

/// Checks that the channels are B, G and R, and floats.
fn check_channels(bytes: &mut Bytes<'_>) {
    for name in ["B", "G", "R"] {
        assert_eq!(bytes.name(), name);
        assert_eq!(bytes.word(), 2);
        bytes.take(4);
        assert_eq!([bytes.word(), bytes.word()], [1, 1], "of every texel");
    }
    assert_eq!(bytes.0, [0]);
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

/// Reads a PNG file.
pub fn png(file: &[u8]) -> Texture {
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let kind = (info.color_type, info.bit_depth);
    assert_eq!(kind, (png::ColorType::Rgb, png::BitDepth::Sixteen));
    let texel = |bytes: &[u8]| {
        [0, 2, 4].map(|at| f32::from(u16::from_be_bytes([bytes[at], bytes[at + 1]])) / 65_535.0)
    };
    Texture {
        width: info.width as usize,
        height: info.height as usize,
        texels: bytes.chunks_exact(6).map(texel).collect(),
    }
}
