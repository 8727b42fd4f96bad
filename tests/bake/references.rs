//! The accessors and buffer views that a file refers to, and the places of the references.

use super::tree::Tree;

/// Extensions whose members refer to accessors or views, as they are known to these tests.
const INSTANCING: &str = "EXT_mesh_gpu_instancing";
const METADATA: &str = "EXT_structural_metadata";

fn members(tree: Option<&Tree>) -> impl Iterator<Item = &Tree> {
    tree.map_or(&[][..], Tree::members)
        .iter()
        .map(|(_, value)| value)
}

/// Accessors of vertices: attributes and morph targets.
pub fn of_vertices(tree: &Tree) -> Vec<usize> {
    let mut found = Vec::new();
    for primitive in tree
        .list("meshes")
        .iter()
        .flat_map(|m| m.list("primitives"))
    {
        let targets = primitive.list("targets").iter().map(Some);
        for attributes in targets.chain([primitive.get("attributes")]) {
            found.extend(members(attributes).map(Tree::index));
        }
    }
    found
}

pub fn accessors(tree: &Tree) -> Vec<usize> {
    let mut found = of_vertices(tree);
    for primitive in tree
        .list("meshes")
        .iter()
        .flat_map(|m| m.list("primitives"))
    {
        found.extend(primitive.index_of("indices"));
    }
    for node in tree.list("nodes") {
        let extension = node.get("extensions").and_then(|e| e.get(INSTANCING));
        found.extend(members(extension.and_then(|e| e.get("attributes"))).map(Tree::index));
    }
    for skin in tree.list("skins") {
        found.extend(skin.index_of("inverseBindMatrices"));
    }
    for sampler in tree
        .list("animations")
        .iter()
        .flat_map(|a| a.list("samplers"))
    {
        found.extend(
            ["input", "output"]
                .iter()
                .filter_map(|k| sampler.index_of(k)),
        );
    }
    found
}

pub fn views(tree: &Tree) -> Vec<usize> {
    let mut found = Vec::new();
    for accessor in tree.list("accessors") {
        found.extend(accessor.index_of("bufferView"));
        for part in ["sparse.indices", "sparse.values"] {
            found.extend(accessor.at(part).and_then(|p| p.index_of("bufferView")));
        }
    }
    found.extend(
        tree.list("images")
            .iter()
            .filter_map(|i| i.index_of("bufferView")),
    );
    let metadata = tree.get("extensions").and_then(|e| e.get(METADATA));
    for table in metadata.map_or(&[][..], |m| m.list("propertyTables")) {
        for property in members(table.get("properties")) {
            let keys = ["values", "arrayOffsets", "stringOffsets"];
            found.extend(keys.iter().filter_map(|key| property.index_of(key)));
        }
    }
    found
}

pub fn extensions(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    tree.walk("", &mut |path, value| {
        let is_below_extras = path.split('.').any(|step| step == "extras");
        if !is_below_extras && (path == "extensions" || path.ends_with(".extensions")) {
            found.extend(value.keys().iter().map(|key| (*key).to_owned()));
        }
    });
    found
}

/// True if a vertex attribute has a type that only `KHR_mesh_quantization` allows.
pub fn needs_quantization(tree: &Tree) -> bool {
    let is_extra = |name: &str, accessor: &Tree| {
        let component = accessor.index_of("componentType").unwrap();
        let normalized = accessor.flag("normalized");
        match name.split('_').next().unwrap() {
            "POSITION" | "NORMAL" | "TANGENT" => component != 5126,
            "TEXCOORD" => match component {
                5120 | 5122 => true,
                5121 | 5123 => !normalized,
                _ => false,
            },
            _ => false,
        }
    };
    let primitives = tree
        .list("meshes")
        .iter()
        .flat_map(|m| m.list("primitives"));
    let mut attributes = primitives.flat_map(|primitive| {
        let targets = primitive.list("targets").iter();
        let own = primitive.get("attributes").into_iter();
        own.chain(targets).flat_map(Tree::members)
    });
    attributes.any(|(name, index)| is_extra(name, &tree.list("accessors")[index.index()]))
}
