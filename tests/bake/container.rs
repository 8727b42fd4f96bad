//! The container of an output: header and chunks, one buffer without a URI, views and accessors in their bounds, and
//! nothing that is not referred to (`bake.md` §6, glTF 2.0 §3.6 and §4).

use std::collections::BTreeSet;

use super::reader::{Gltf, component_size, width};
use super::references;
use super::tree::Tree;

pub type Problems = Vec<String>;

macro_rules! need {
    ($problems:expr, $holds:expr, $($what:tt)*) => {
        if !$holds {
            $problems.push(format!($($what)*));
        }
    };
}
pub(crate) use need;

/// The bytes of an output, which stands alone.
pub fn check(glb: &[u8], problems: &mut Problems) {
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    need!(
        problems,
        &glb[..4] == b"glTF" && word(4) == 2,
        "magic or version"
    );
    need!(
        problems,
        word(8) == glb.len(),
        "length {} of {}",
        word(8),
        glb.len()
    );
    need!(
        problems,
        &glb[16..20] == b"JSON" && word(12) % 4 == 0,
        "first chunk"
    );
    let file = Gltf::read(glb, "nowhere".as_ref());
    let json = file.text.trim_end_matches(' ');
    need!(
        problems,
        json.starts_with('{') && json.ends_with('}'),
        "JSON or its padding"
    );
    need!(
        problems,
        file.text.len() - json.len() < 4,
        "too much padding"
    );
    let tree = &file.tree;
    let end = 20 + word(12);
    match tree.list("buffers") {
        [] => need!(problems, end == glb.len(), "a chunk without a buffer"),
        [buffer] => {
            let len = buffer.index_of("byteLength").unwrap();
            let chunk = word(end);
            need!(problems, &glb[end + 4..end + 8] == b"BIN\0", "second chunk");
            need!(
                problems,
                chunk % 4 == 0 && end + 8 + chunk == glb.len(),
                "its length"
            );
            need!(
                problems,
                len <= chunk && chunk - len < 4,
                "buffer {len}, chunk {chunk}"
            );
            let padding = &glb[end + 8 + len.min(chunk)..];
            need!(
                problems,
                padding.iter().all(|b| *b == 0),
                "padding of zeros"
            );
            need!(problems, buffer.get("uri").is_none(), "a buffer with a URI");
        }
        more => problems.push(format!("{} buffers", more.len())),
    }
    for (index, image) in tree.list("images").iter().enumerate() {
        need!(
            problems,
            image.get("uri").is_none(),
            "image {index} has a URI"
        );
        let is_whole = image.get("bufferView").is_some() && image.get("mimeType").is_some();
        need!(problems, is_whole, "image {index} is not in the buffer");
    }
    views(tree, problems);
    accessors(tree, problems);
    everything_is_used(tree, problems);
}

fn views(tree: &Tree, problems: &mut Problems) {
    for (index, view) in tree.list("bufferViews").iter().enumerate() {
        let number = |key: &str| view.index_of(key).unwrap_or(0);
        let len = tree.at("buffers.0").and_then(|b| b.index_of("byteLength"));
        let end = number("byteOffset") + number("byteLength");
        let fits = number("buffer") == 0 && Some(end) <= len && number("byteLength") > 0;
        need!(problems, fits, "view {index} ends at {end} of {len:?}");
        if let Some(stride) = view.index_of("byteStride") {
            let fits = stride % 4 == 0 && (4..=252).contains(&stride);
            need!(problems, fits, "stride {stride} of view {index}");
        }
    }
}

fn accessors(tree: &Tree, problems: &mut Problems) {
    let of_vertices = references::of_vertices(tree);
    let mut users = vec![BTreeSet::new(); tree.list("bufferViews").len()];
    for (index, accessor) in tree.list("accessors").iter().enumerate() {
        let size = component_size(accessor.index_of("componentType").unwrap());
        let element = size * width(accessor.text_of("type").unwrap());
        let count = accessor.index_of("count").unwrap();
        let Some(view_index) = accessor.index_of("bufferView") else {
            continue;
        };
        let view = &tree.list("bufferViews")[view_index];
        let is_attribute = of_vertices.contains(&index);
        let own = accessor.index_of("byteOffset").unwrap_or(0);
        let start = own + view.index_of("byteOffset").unwrap_or(0);
        let stride = view.index_of("byteStride").unwrap_or(element);
        let end = own + stride * (count - 1) + element;
        let len = view.index_of("byteLength").unwrap();
        need!(
            problems,
            end <= len,
            "accessor {index} ends at {end} of {len}"
        );
        let unit = if is_attribute { 4.max(size) } else { size };
        need!(
            problems,
            own.is_multiple_of(unit),
            "offset {own} of accessor {index}"
        );
        need!(
            problems,
            start.is_multiple_of(size),
            "accessor {index} begins at {start}"
        );
        need!(
            problems,
            stride.is_multiple_of(unit),
            "accessor {index} has stride {stride}"
        );
        if is_attribute {
            users[view_index].insert(index);
        } else {
            let has_stride = view.get("byteStride").is_some();
            need!(
                problems,
                !has_stride,
                "accessor {index} of no vertices has a stride"
            );
        }
    }
    for (index, users) in users.iter().enumerate() {
        let has_stride = tree.list("bufferViews")[index].get("byteStride").is_some();
        need!(
            problems,
            has_stride || users.len() < 2,
            "{users:?} share view {index} without a stride"
        );
    }
}

fn everything_is_used(tree: &Tree, problems: &mut Problems) {
    for (list, used) in [
        ("accessors", references::accessors(tree)),
        ("bufferViews", references::views(tree)),
    ] {
        let used: BTreeSet<usize> = used.into_iter().collect();
        let there: BTreeSet<usize> = (0..tree.list(list).len()).collect();
        need!(
            problems,
            used == there,
            "{list}: {there:?} are there, {used:?} used"
        );
    }
}
