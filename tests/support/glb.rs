//! The frame of a GLB, for files that are made on the spot. The fuzz crate uses it too.

/// A GLB of a JSON text and a binary chunk.
pub fn glb(json: &[u8], bin: Option<&[u8]>) -> Vec<u8> {
    let mut body = Vec::new();
    for (kind, data, pad) in [(b"JSON", Some(json), b' '), (b"BIN\0", bin, 0)] {
        let Some(data) = data else { continue };
        let len = data.len().next_multiple_of(4);
        body.extend((len as u32).to_le_bytes());
        body.extend(kind);
        body.extend(data);
        body.resize(body.len() + len - data.len(), pad);
    }
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((12 + body.len() as u32).to_le_bytes());
    file.extend(body);
    file
}
