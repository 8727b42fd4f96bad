//! A copy of a glTF file with bounds in its `extras`; all other bytes are those of the file.

use super::moving_bounds::{MovingBounds, Volume};
use crate::bake::gltf::json::{Value, parse};

/// The bounds of a file's animations.
pub struct FileBounds<'b> {
    /// For each measured animation, its index and its bounds; without an index, those of nodes as they are stored.
    pub clips: Vec<(Option<usize>, &'b MovingBounds)>,
    /// The bounds of everything.
    pub all: Option<Volume>,
    /// Samples a second.
    pub fps: f64,
}

/// Length of the headers before the JSON text of a GLB, in bytes.
const JSON_OFFSET: usize = 20;

/// Returns a copy of a file, which must have been read as glTF before. Animations get the member `bounds` of `extras` with their
/// bounds, meshes that with their bounds over all animations, and `asset` that of everything.
///
/// # Errors
/// A message if `extras` of one of these is no object, or the copy would exceed 4 GiB.
pub fn with_bounds(bytes: &[u8], bounds: &FileBounds<'_>) -> Result<Vec<u8>, String> {
    let is_glb = bytes.starts_with(b"glTF");
    let (text, rest) = match is_glb {
        true => {
            let len = bytes
                .get(12..16)
                .and_then(|len| Some(u32::from_le_bytes(len.try_into().ok()?)));
            let json = bytes
                .get(JSON_OFFSET..)
                .and_then(|all| all.split_at_checked(len? as usize));
            json.ok_or("it is no GLB")?
        }
        false => (
            bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
            &[][..],
        ),
    };
    let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
    let mut tree = parse(text).map_err(|error| error.to_string())?;
    edit(&mut tree, bounds)?;
    let mut json = tree.to_text().into_bytes();
    if !is_glb {
        return Ok(json);
    }
    json.resize(json.len().next_multiple_of(4), b' ');
    let len = JSON_OFFSET + json.len() + rest.len();
    let len = u32::try_from(len).map_err(|_| "the copy would exceed 4 GiB")?;
    let mut copy = Vec::with_capacity(len as usize);
    copy.extend(&bytes[..8]);
    copy.extend(len.to_le_bytes());
    copy.extend((json.len() as u32).to_le_bytes());
    copy.extend(&bytes[16..JSON_OFFSET]);
    copy.extend(json);
    copy.extend(rest);
    Ok(copy)
}

fn edit(tree: &mut Value<'_>, bounds: &FileBounds<'_>) -> Result<(), String> {
    let mut of_meshes: Vec<(usize, Volume)> = Vec::new();
    for (animation, clip) in &bounds.clips {
        for mesh in &clip.meshes {
            match of_meshes.iter_mut().find(|(index, _)| *index == mesh.index) {
                Some((_, known)) => *known = known.with(&mesh.volume),
                None => of_meshes.push((mesh.index, mesh.volume)),
            }
        }
        if let (Some(index), Some(all)) = (animation, clip.all) {
            set(tree, "animations", *index, &all, bounds.fps)?;
        }
    }
    for (index, volume) in of_meshes {
        set(tree, "meshes", index, &volume, bounds.fps)?;
    }
    match (tree.get_mut("asset"), bounds.all) {
        (Some(asset), Some(all)) => set_extras(asset, "asset", &all, bounds.fps),
        _ => Ok(()),
    }
}

/// Sets the bounds of an element of a list.
fn set(
    tree: &mut Value<'_>,
    list: &str,
    index: usize,
    volume: &Volume,
    fps: f64,
) -> Result<(), String> {
    let path = format!("{list}[{index}]");
    let element = tree.list_mut(list).get_mut(index);
    let element = element.ok_or_else(|| format!("there is no `{path}`"))?;
    set_extras(element, &path, volume, fps)
}

fn set_extras(object: &mut Value<'_>, path: &str, volume: &Volume, fps: f64) -> Result<(), String> {
    if object.get("extras").is_none() {
        object.set("extras", Value::Object(Vec::new()));
    }
    match object.get_mut("extras") {
        Some(extras @ Value::Object(_)) => {
            extras.set("bounds", json(volume, fps));
            Ok(())
        }
        _ => Err(format!(
            "`{path}.extras` is no object, so it can have no bounds"
        )),
    }
}

fn json<'a>(volume: &Volume, fps: f64) -> Value<'a> {
    let object = |members: Vec<(&'static str, Value<'a>)>| {
        Value::Object(
            members
                .into_iter()
                .map(|(key, value)| (key.into(), value))
                .collect(),
        )
    };
    let sphere = object(vec![
        ("center", Value::numbers(&volume.sphere.center)),
        ("radius", Value::number(volume.sphere.radius)),
    ]);
    object(vec![
        ("min", Value::numbers(&volume.extremes.min)),
        ("max", Value::numbers(&volume.extremes.max)),
        ("sphere", sphere),
        ("fps", Value::number(fps)),
    ])
}
