//! JSON that passes through unchanged: everything that a bake does not understand or need not touch, with its
//! order and the text of its numbers (`bake.md` §6).

use super::container::{Problems, need};
use super::reader::Gltf;
use super::tree::Tree;

/// Lists that are rebuilt, or compared in more detail elsewhere.
#[rustfmt::skip] // several in a line
const REBUILT: &[&str] = &[
    "accessors", "bufferViews", "buffers", "animations", "skins", "nodes", "meshes", "scenes", "images",
    "extensionsUsed", "extensionsRequired", "asset",
];

/// The top level and its unchanged members.
pub fn check(input: &Gltf, output: &Gltf, problems: &mut Problems) {
    let (from, to) = (&input.tree, &output.tree);
    let new = |key: &&str| from.get(key).is_some();
    let kept = |key: &&str| to.get(key).is_some();
    let before: Vec<&str> = from.keys().into_iter().filter(kept).collect();
    let after: Vec<&str> = to.keys().into_iter().filter(new).collect();
    need!(
        problems,
        before == after,
        "members were {before:?}, are {after:?}"
    );
    for (key, value) in from.members() {
        if !REBUILT.contains(&&**key) {
            same(key, value, to.get(key), problems);
        }
    }
    for key in to.keys() {
        let is_data = ["accessors", "bufferViews", "buffers"].contains(&key);
        need!(
            problems,
            is_data || from.get(key).is_some(),
            "a new member {key}"
        );
    }
    for key in ["animations", "skins"] {
        need!(problems, to.get(key).is_none(), "there are {key}");
    }
    for (key, value) in to.members() {
        let was_empty = from.get(key) == Some(value);
        let is_empty = *value == Tree::Array(Vec::new());
        need!(problems, was_empty || !is_empty, "{key} is empty");
    }
    asset(
        from.get("asset").unwrap(),
        to.get("asset").unwrap(),
        problems,
    );
    let (images, posed_images) = (from.list("images"), to.list("images"));
    need!(
        problems,
        images.len() == posed_images.len(),
        "number of images"
    );
    for (index, (image, posed)) in images.iter().zip(posed_images).enumerate() {
        let place = format!("images.{index}");
        object(
            &place,
            image,
            posed,
            &["uri"],
            &["bufferView", "mimeType"],
            problems,
        );
        let mime = image.get("mimeType");
        need!(
            problems,
            mime.is_none() || mime == posed.get("mimeType"),
            "{place}.mimeType"
        );
    }
    let (scenes, posed_scenes) = (from.list("scenes"), to.list("scenes"));
    need!(
        problems,
        scenes.len() == posed_scenes.len(),
        "number of scenes"
    );
    for (index, (scene, posed)) in scenes.iter().zip(posed_scenes).enumerate() {
        object(
            &format!("scenes.{index}"),
            scene,
            posed,
            &["nodes"],
            &["nodes"],
            problems,
        );
    }
}

fn asset(from: &Tree, to: &Tree, problems: &mut Problems) {
    object("asset", from, to, &["generator"], &["generator"], problems);
    let generator = to.text_of("generator").unwrap_or_default();
    need!(
        problems,
        generator.starts_with("rigy-batch"),
        "generator {generator:?}"
    );
}

pub fn same(path: &str, from: &Tree, to: Option<&Tree>, problems: &mut Problems) {
    need!(problems, Some(from) == to, "{path} was {from:?}, is {to:?}");
}

/// An object in which only the named members may have gone or come; the others are unchanged and in their order.
pub fn object(
    path: &str,
    from: &Tree,
    to: &Tree,
    may_go: &[&str],
    may_come: &[&str],
    problems: &mut Problems,
) {
    let is_free = |key: &str| may_go.contains(&key) || may_come.contains(&key);
    let rest = |tree: &Tree| -> Vec<String> {
        let keys = tree.keys().into_iter().filter(|key| !is_free(key));
        keys.map(str::to_owned).collect()
    };
    let (before, after) = (rest(from), rest(to));
    need!(
        problems,
        before == after,
        "{path} had {before:?}, has {after:?}"
    );
    for key in before {
        same(
            &format!("{path}.{key}"),
            from.get(&key).unwrap(),
            to.get(&key),
            problems,
        );
    }
    for key in to.keys() {
        let is_new = from.get(key).is_none();
        need!(
            problems,
            !is_new || may_come.contains(&key),
            "{path} has a new {key}"
        );
    }
}

/// The bytes and the description of an accessor that is not deformed. The view, the offset and whether it is sparse
/// may be others.
pub fn accessor(
    path: &str,
    input: &Gltf,
    was: usize,
    output: &Gltf,
    is: usize,
    problems: &mut Problems,
) {
    let place = ["bufferView", "byteOffset", "sparse"];
    let (from, to) = (
        &input.tree.list("accessors")[was],
        &output.tree.list("accessors")[is],
    );
    object(path, from, to, &place, &place, problems);
    let equal = input.elements(was) == output.elements(is);
    need!(
        problems,
        equal,
        "{path}: other bytes in accessor {is} than in {was}"
    );
}
