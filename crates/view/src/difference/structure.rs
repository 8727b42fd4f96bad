//! Differences of structure, in words: counts, names, the tree of nodes, indices, materials, and all numbers that are not
//! the vertices' positions and normals.

use std::collections::{BTreeMap, BTreeSet};

use super::Findings;
use super::matching::Matched;
use super::vertices::{apart, largest};
use rigy_base::meter::{Cost, Meter, Overspent};
use rigy_gltf::json::Value;
use rigy_gltf::{Accessor, Channel, File, Mesh, Primitive, inverse_bind, local_matrix};
use rigy_kernel::math::{Affine, IDENTITY};
use rigy_models::mesh::shown_nodes;

/// The lists of a file whose lengths are compared, with the word for one element.
const LISTS: [(&str, &str); 12] = [
    ("scenes", "scene"),
    ("nodes", "node"),
    ("meshes", "mesh"),
    ("materials", "material"),
    ("textures", "texture"),
    ("images", "image"),
    ("samplers", "sampler"),
    ("cameras", "camera"),
    ("skins", "skin"),
    ("animations", "animation"),
    ("extensionsUsed", "extension in use"),
    ("extensionsRequired", "required extension"),
];

/// Adds all differences of structure to the findings.
pub fn compare(a: &File, b: &File, findings: &mut Findings) {
    let matched = Matched::new(a, b);
    for (list, one) in LISTS {
        let of = (a.tree.list(list), b.tree.list(list));
        findings.compare(format!("{list}: "), [of.0.len(), of.1.len()], "");
        let pairs = matched.of_list(list, [of.0.len(), of.1.len()]);
        names(one, &pairs, of, findings);
        let moved = pairs.iter().filter(|(a, b)| a != b).count();
        if moved > 0 {
            findings.add(format!("{list} with another number: {moved}"));
        }
    }
    let primitives =
        [a, b].map(|file| -> usize { file.meshes.iter().map(|mesh| mesh.primitives.len()).sum() });
    findings.compare("primitives: ".to_owned(), primitives, "");
    let accessors_a = a.accessor_count();
    let accessors_b = b.accessor_count();
    if accessors_a != accessors_b {
        findings.add_amount(
            format!("{accessors_b} accessors instead of {accessors_a}"),
            0.0,
        ); // Two layouts of the same data.
    }
    for (list, one) in [
        ("materials", "material"),
        ("textures", "texture"),
        ("samplers", "sampler"),
        ("cameras", "camera"),
    ] {
        for (index, (a, b)) in a.tree.list(list).iter().zip(b.tree.list(list)).enumerate() {
            // Names are compared above.
            if !is_same(a, b, true) {
                findings.add(format!("{one} {index} has other properties"));
            }
        }
    }
    images(a, b, findings);
    // A short file may have one accessor for many primitives, and for instances of many nodes.
    let mut meter = a.meter;
    nodes(a, b, &matched, &mut meter, findings);
    skins(a, b, &matched, findings);
    for index in 0..a.animations.len().min(b.animations.len()) {
        let is_same = match (a.channels(index), b.channels(index)) {
            (Ok(a), Ok(b)) => are_same_channels(a.value, b.value, &matched),
            (Err(_), Err(_)) => true,
            _ => false,
        };
        if !is_same {
            findings.add(format!("animation {index} has other channels or keys"));
        }
    }
    let (shown_a, shown_b) = (shown_meshes(a), shown_meshes(b));
    for (of_a, of_b) in matched.meshes.pairs() {
        let mesh_a = &a.meshes[of_a];
        let mesh_b = &b.meshes[of_b];
        // Distances of what both show are measured in the space of the scene.
        let is_measured = shown_a.contains(&of_a) && shown_b.contains(&of_b);
        let sides = ((a, mesh_a), (b, mesh_b));
        meshes(sides, of_a, is_measured, &mut meter, findings);
    }
}

/// The meshes of the nodes that a file shows.
fn shown_meshes(file: &File) -> BTreeSet<usize> {
    shown_nodes(file)
        .into_iter()
        .filter_map(|node| file.nodes[node].mesh)
        .collect()
}

/// True if two lists of channels are the same, apart from the numbers of nodes.
fn are_same_channels(a: &[Channel], b: &[Channel], matched: &Matched) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            matched.nodes.are(Some(a.node), Some(b.node))
                && (a.property, a.interpolation, a.width) == (b.property, b.interpolation, b.width)
                && a.times == b.times
                && a.values == b.values
        })
}

/// Compares the names of pairs of elements of two lists.
fn names(
    one: &str,
    pairs: &[(usize, usize)],
    (a, b): (&[Value], &[Value]),
    findings: &mut Findings,
) {
    let name = |value: &'_ Value| {
        let name = value.text("name");
        name.map_or("without a name".to_owned(), |name| {
            format!("named `{name}`")
        })
    };
    for (index, other) in pairs {
        let names = [name(&a[*index]), name(&b[*other])];
        findings.compare(format!("{one} {index} is "), names, "");
    }
}

/// True if two JSON values are equal, whatever the order of members and the spelling of numbers.
fn is_same(a: &Value, b: &Value, ignores_name: bool) -> bool {
    match (a, b) {
        (Value::Number(_), Value::Number(_)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b, false))
        }
        (Value::Object(_), Value::Object(_)) => {
            let a = sorted(a, ignores_name);
            let b = sorted(b, ignores_name);
            a.keys().eq(b.keys())
                && a.values()
                    .zip(b.values())
                    .all(|(a, b)| is_same(a, b, false))
        }
        _ => a == b,
    }
}

/// The members of an object by key.
fn sorted<'v, 'a>(object: &'v Value<'a>, ignores_name: bool) -> BTreeMap<&'v str, &'v Value<'a>> {
    object
        .members()
        .iter()
        .filter(|(key, _)| !(ignores_name && key == "name"))
        .map(|(key, value)| (&**key, value))
        .collect()
}

/// Compares the data of images that are in buffer views. Images in files of their own are compared by name only.
fn images(a: &File, b: &File, findings: &mut Findings) {
    fn data<'f>(file: &'f File, image: &Value) -> Option<&'f [u8]> {
        file.view(image.get("bufferView")?.as_index()?)
    }
    for (index, (of_a, of_b)) in a
        .tree
        .list("images")
        .iter()
        .zip(b.tree.list("images"))
        .enumerate()
    {
        let same_uri = of_a.get("uri") == of_b.get("uri");
        if data(a, of_a) != data(b, of_b) || !same_uri {
            findings.add(format!("image {index} has other data"));
        }
    }
}

/// Compares the tree of nodes and their transforms.
fn nodes(a: &File, b: &File, matched: &Matched, meter: &mut Meter, findings: &mut Findings) {
    let files = [a, b];
    let hidden = files.map(|file| file.hidden_nodes(|node| file.is_visible(node)));
    let mut compared = Ok(());
    for (index, other) in matched.nodes.pairs() {
        let a = &a.nodes[index];
        let b = &b.nodes[other];
        for (is_same, word) in [
            (
                matched.nodes.are_all(&a.children, &b.children),
                "other children",
            ),
            (matched.meshes.are(a.mesh, b.mesh), "another mesh"),
            (matched.skins.are(a.skin, b.skin), "another skin"),
            (a.weights == b.weights, "other weights of morph targets"),
            (
                hidden[0][index] == hidden[1][other]
                    && a.visible.unwrap_or(true) == b.visible.unwrap_or(true),
                "another visibility",
            ),
        ] {
            if !is_same {
                findings.add(format!("node {index} has {word}"));
            }
        }
        if compared.is_ok() {
            compared = instances(files, (index, other), meter, findings);
        }
        let amount = matrices_apart(&local_matrix(&a.transform), &local_matrix(&b.transform));
        if amount > 0.0 {
            findings.add_amount(
                format!("the matrix of node {index} differs by up to {amount:.2e}"),
                amount,
            );
        }
    }
    if let Err(over) = compared {
        findings.add(format!("instances are not compared: {}", over.message));
    }
}

/// Compares the transforms of the instances of a node, wherever the node is.
fn instances(
    [a, b]: [&File; 2],
    (index, other): (usize, usize),
    meter: &mut Meter,
    findings: &mut Findings,
) -> Result<(), Overspent> {
    let of = |file: &File, node: usize| file.nodes[node].instances.map(|them| them.count);
    let count = of(a, index);
    if count != of(b, other) {
        findings.add(format!("node {index} has another number of instances"));
        return Ok(());
    }
    let count = count.unwrap_or(0);
    meter.spend(Cost::Instances, count as u64)?;
    let amount = (0..count)
        .map(|instance| {
            let matrices =
                [(a, index), (b, other)].map(|(file, node)| file.placed(&IDENTITY, node, instance));
            matrices_apart(&matrices[0], &matrices[1])
        })
        .fold(0.0, f64::max);
    if amount > 0.0 {
        let text = format!("matrices of instances of node {index} differ by up to {amount:.2e}");
        findings.add_amount(text, amount);
    }
    Ok(())
}

/// The largest difference of two matrices' elements.
fn matrices_apart(a: &Affine, b: &Affine) -> f64 {
    a.as_flattened()
        .iter()
        .zip(b.as_flattened())
        .map(|(a, b)| apart(*a, *b))
        .fold(0.0, f64::max)
}

/// Compares joints and inverse bind matrices.
fn skins(a: &File, b: &File, matched: &Matched, findings: &mut Findings) {
    for (index, other) in matched.skins.pairs() {
        let a = &a.skins[index];
        let b = &b.skins[other];
        if !matched.nodes.are_all(&a.joints, &b.joints) {
            findings.add(format!("skin {index} has other joints"));
            continue;
        }
        let amount = (0..a.joints.len())
            .map(|joint| matrices_apart(&inverse_bind(a, joint), &inverse_bind(b, joint)))
            .fold(0.0, f64::max);
        if amount > 0.0 {
            findings.add_amount(
                format!("inverse bind matrices of skin {index} differ by up to {amount:.2e}"),
                amount,
            );
        }
    }
}

/// Compares the primitives of two meshes.
fn meshes(
    ((file_a, a), (file_b, b)): ((&File, &Mesh), (&File, &Mesh)),
    index: usize,
    is_measured: bool,
    meter: &mut Meter,
    findings: &mut Findings,
) {
    let counts = [a.primitives.len(), b.primitives.len()];
    findings.compare(format!("mesh {index} has "), counts, " primitives");
    if a.weights != b.weights {
        findings.add(format!("mesh {index} has other weights of morph targets"));
    }
    for (number, (a, b)) in a.primitives.iter().zip(&b.primitives).enumerate() {
        let place = format!("mesh {index}, primitive {number}");
        findings.compare(format!("{place} has mode "), [a.mode, b.mode], "");
        if a.material != b.material {
            findings.add(format!("{place} has another material"));
        }
        let a = fields(a);
        let b = fields(b);
        let names = [&a, &b].map(|fields| {
            fields
                .keys()
                .map(|name| &**name)
                .collect::<Vec<&str>>()
                .join(", ")
        });
        findings.compare(format!("{place} has "), names, "");
        for (name, accessor) in a {
            let is_measured = is_measured && (name == "POSITION" || name == "NORMAL");
            let other = b.get(&name).and_then(|index| file_b.accessor(*index));
            if let (Some(a), Some(b)) = (file_a.accessor(accessor), other)
                && !is_measured
            {
                field((&a, &b), &format!("{name} of {place}"), meter, findings);
            }
        }
    }
}

/// The accessors of a primitive by name: attributes, those of morph targets, and indices.
fn fields(primitive: &Primitive) -> BTreeMap<String, usize> {
    let attributes = primitive.attributes.iter().cloned();
    let of_targets = primitive
        .targets
        .iter()
        .enumerate()
        .flat_map(|(target, attributes)| {
            attributes.iter().map(move |(name, accessor)| {
                (format!("{name} of morph target {target}"), *accessor)
            })
        });
    let indices = primitive.indices.map(|index| ("indices".to_owned(), index));
    attributes.chain(of_targets).chain(indices).collect()
}

/// Compares two accessors.
fn field((a, b): (&Accessor, &Accessor), place: &str, meter: &mut Meter, findings: &mut Findings) {
    let components = a.count().saturating_mul(a.component_count());
    if let Err(over) = meter.spend(Cost::Compared, components as u64) {
        findings.add(format!("{place}: not compared, {}", over.message));
        return;
    }
    match largest(a, b) {
        None => findings.add(format!("{place} has another type or length")),
        Some((0.0, _)) => {}
        Some((_, element)) if place.starts_with("indices") || place.starts_with("JOINTS_") => {
            findings.add(format!("{place} differ, most at element {element}"));
        }
        Some((amount, element)) => {
            let text = format!("{place} differs by up to {amount:.2e}, at element {element}");
            findings.add_amount(text, amount);
        }
    }
}
