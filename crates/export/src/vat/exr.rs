//! OpenEXR files: scan lines of the channels R, G and B, compressed by ZIP, which every reader knows.
//! `https://openexr.com/en/latest/OpenEXRFileLayout.html` describes the layout.

use miniz_oxide::deflate::compress_to_vec_zlib;
use rigy_kernel::executor::Executor;

/// Rows that are compressed together.
const BLOCK: usize = 16;

/// The file of a texture with a width and a height. `texel` gives red, green and blue of a column and a row, each as the bytes of a
/// float in little-endian order.
pub fn file(
    size: [u32; 2],
    executor: &dyn Executor,
    texel: impl Fn(usize, usize) -> [[u8; 4]; 3] + Sync,
) -> Vec<u8> {
    let [width, height] = size.map(|side| side as usize);
    let blocks = executor.results(height.div_ceil(BLOCK), |block| {
        let mut samples = Vec::new();
        for row in (block * BLOCK..height).take(BLOCK) {
            let row: Vec<_> = (0..width).map(|x| texel(x, row)).collect();
            // Channels are in the order of their names: B, G, R.
            for channel in [2, 1, 0] {
                samples.extend(row.iter().flat_map(|texel| texel[channel]));
            }
        }
        let packed = packed(&samples);
        // Readers know by its size that a block is not compressed.
        if packed.len() < samples.len() {
            packed
        } else {
            samples.into()
        }
    });
    let mut file = header(size, blocks.len() as u32);
    let mut offset = file.len() + 8 * blocks.len();
    for block in &blocks {
        file.extend((offset as u64).to_le_bytes());
        offset += 8 + block.len();
    }
    for (index, block) in blocks.into_iter().enumerate() {
        file.extend(((index * BLOCK) as u32).to_le_bytes());
        file.extend((block.len() as u32).to_le_bytes());
        file.extend(block);
    }
    file
}

/// Everything before the offsets of blocks.
fn header([width, height]: [u32; 2], blocks: u32) -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let window: Vec<u8> = words(&[0, 0, width - 1, height - 1]);
    let one = 1f32.to_bits();
    let mut channels = Vec::new();
    for name in [b"B\0", b"G\0", b"R\0"] {
        channels.extend(name);
        // Floats, which need not be linear, one for each texel.
        channels.extend::<Vec<u8>>(words(&[2, 0, 1, 1]));
    }
    channels.push(0);
    let attributes: [(&str, &str, Vec<u8>); 10] = [
        ("chunkCount", "int", words(&[blocks])),
        ("channels", "chlist", channels),
        ("compression", "compression", vec![3]), // ZIP in blocks of 16 rows
        ("lineOrder", "lineOrder", vec![0]),     // downwards
        ("displayWindow", "box2i", window.clone()),
        ("pixelAspectRatio", "float", words(&[one])),
        ("screenWindowCenter", "v2f", words(&[0, 0])),
        ("screenWindowWidth", "float", words(&[one])),
        ("dataWindow", "box2i", window),
        ("type", "string", b"scanlineimage".to_vec()),
    ];
    let mut header: Vec<u8> = words(&[20_000_630, 2]); // the magic number, and version 2 with scan lines
    for (name, kind, value) in attributes {
        header.extend([name, "\0", kind, "\0"].concat().bytes());
        header.extend((value.len() as u32).to_le_bytes());
        header.extend(value);
    }
    header.push(0);
    header
}

/// ZIP as OpenEXR has it: bytes at even places before those at odd ones, each as the difference from the one before plus 128, by zlib.
fn packed(samples: &[u8]) -> Box<[u8]> {
    let (pairs, _) = samples.as_chunks();
    let even = pairs.iter().map(|[even, _]| *even);
    let bytes = even.chain(pairs.iter().map(|[_, odd]| *odd));
    let mut before = 128;
    let differences = bytes.map(|byte| {
        let before = std::mem::replace(&mut before, byte);
        byte.wrapping_sub(before).wrapping_add(128)
    });
    let bytes: Vec<u8> = differences.collect();
    compress_to_vec_zlib(&bytes, 1).into() // level 4 takes four times as long for a twentieth fewer bytes
}
