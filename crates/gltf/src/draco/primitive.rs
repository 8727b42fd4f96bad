//! The extension of each primitive.

use crate::cursor::Cursor;
use crate::problem::{Findings, Problem, Result};

/// Name of the extension.
pub const DRACO: &str = "KHR_draco_mesh_compression";

/// Advice for data that other decoders may accept.
pub const ADVICE: &str =
    "decode it with another tool first: `npx @gltf-transform/cli copy IN.glb OUT.glb`";

/// `mode` of a list of triangles.
const TRIANGLES: u64 = 4;

/// A primitive whose data are compressed.
pub struct Compressed {
    /// Index of its mesh.
    pub mesh: usize,
    /// Its index in the mesh.
    pub primitive: usize,
    /// Index of the buffer view with the stream.
    pub view: usize,
    /// For each compressed attribute its name, its unique id in the stream and the index of its accessor.
    pub attributes: Vec<(String, u32, usize)>,
    /// Index of the accessor of vertex indices.
    pub indices: Option<usize>,
}

impl Compressed {
    /// Returns the problem that the extension of this primitive breaks a rule.
    pub fn rule(&self, message: impl Into<String>) -> Problem {
        let Self {
            mesh, primitive, ..
        } = self;
        let path = format!("meshes[{mesh}].primitives[{primitive}].extensions.{DRACO}");
        Problem::rule(&path, message)
    }
}

/// All primitives that are to be decoded, of a file with `views` buffer views.
pub fn compressed(root: &Cursor, views: usize, findings: &mut Findings) -> Vec<Compressed> {
    let mut found = Vec::new();
    let is_required = root
        .value
        .list("extensionsRequired")
        .iter()
        .any(|name| name.as_str() == Some(DRACO));
    let Ok(meshes) = root.list("meshes") else {
        return found; // `meshes` is read, and its type reported, later.
    };
    for (mesh, item) in meshes.items().enumerate() {
        let Ok(primitives) = item.list("primitives") else {
            continue;
        };
        for (index, item) in primitives.items().enumerate() {
            let one = read_extension(root, &item, (mesh, index), views, is_required);
            found.extend(findings.keep(one).flatten());
        }
    }
    found
}

/// Reads the extension of one primitive; `None` if it has none, or need not be decoded.
fn read_extension(
    root: &Cursor,
    at: &Cursor,
    (mesh, primitive): (usize, usize),
    views: usize,
    is_required: bool,
) -> Result<Option<Compressed>> {
    let extension = at.get("extensions");
    let extension = extension.as_ref().and_then(|all| all.get(DRACO));
    let Some(extension) = extension else {
        return Ok(None);
    };
    let extension = extension.object()?;
    let accessors = root.list("accessors")?;
    let count = accessors.items().len();
    let all = at.required("attributes")?.object()?;
    let ids = extension.required("attributes")?.object()?;
    let mut attributes = Vec::new();
    for (name, id) in ids.members() {
        let accessor = all
            .get(name)
            .ok_or_else(|| id.rule("the primitive has no attribute of this name"))?
            .as_index(count, "accessors")?;
        let id = u32::try_from(id.as_integer()?).map_err(|_| id.rule("no id has so many bits"))?;
        attributes.push((name.to_owned(), id, accessor));
    }
    let indices = at.index("indices", count, "accessors")?;
    let mut used = attributes
        .iter()
        .map(|attribute| attribute.2)
        .chain(indices);
    let has_data = |index: usize| {
        let accessor = accessors.value.elements().get(index);
        accessor.is_some_and(|accessor| {
            accessor.get("bufferView").is_some() || accessor.get("sparse").is_some()
        })
    };
    if !is_required && used.all(has_data) {
        return Ok(None);
    }
    if at.integer("mode")?.is_some_and(|mode| mode != TRIANGLES) {
        return Err(at
            .rule_in("mode", "Draco data are read as triangles only (mode 4)")
            .help(ADVICE));
    }
    let view = extension.required("bufferView")?;
    Ok(Some(Compressed {
        mesh,
        primitive,
        view: view.as_index(views, "buffer views")?,
        attributes,
        indices,
    }))
}
