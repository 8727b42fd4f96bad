//! Reading meshes: their primitives, attributes and morph targets.

use std::collections::HashMap;

use super::data::Data;
use crate::accessor::Accessor;
use crate::accessor_checks::{described, referenced_accessor};
use crate::cursor::Cursor;
use crate::element_type::{ComponentType, ElementType};
use crate::model::{Mesh, Primitive};
use crate::problem::{Findings, Result};

use ComponentType::{F32, I8, I16, U8, U16, U32};
use ElementType::{Scalar, Vec3, Vec4};

/// The types that an attribute may have: component types, with `true` for normalized ones.
type Allowed = &'static [(ComponentType, bool)];

const FLOAT: Allowed = &[(F32, false)];
const FRACTIONS: Allowed = &[(F32, false), (U8, true), (U16, true)];
const JOINTS: Allowed = &[(U8, false), (U16, false)];
const INDICES: Allowed = &[(U8, false), (U16, false), (U32, false)];
const SIGNED: Allowed = &[(F32, false), (I8, true), (I16, true)];
const ANY_SMALL: Allowed = &[
    (F32, false),
    (I8, false),
    (I8, true),
    (U8, false),
    (U8, true),
    (I16, false),
    (I16, true),
    (U16, false),
    (U16, true),
];
const SIGNED_SMALL: Allowed = &[
    (F32, false),
    (I8, false),
    (I8, true),
    (I16, false),
    (I16, true),
];

/// For each accessor of vertex indices that has been read, the largest index in it and the position of that index.
type Largest = HashMap<usize, (u32, usize)>;

/// Reads all meshes.
pub fn read(root: &Cursor, data: Data, findings: &mut Findings) -> Vec<Mesh> {
    let Some(list) = findings.keep(root.list("meshes")) else {
        return Vec::new();
    };
    let mut materials = 0;
    if let Some(list) = findings.keep(root.list("materials")) {
        materials = list.items().len();
    }
    let mut meshes = Vec::new();
    let mut largest = Largest::new();
    for item in list.items() {
        let mesh = mesh(&item, materials, data, &mut largest, findings);
        meshes.extend(findings.keep(mesh));
    }
    meshes
}

/// Reads one mesh.
fn mesh(
    at: &Cursor,
    materials: usize,
    data: Data,
    largest: &mut Largest,
    findings: &mut Findings,
) -> Result<Mesh> {
    at.object()?;
    let list = at
        .required("primitives")
        .and_then(|_| at.list("primitives"))?;
    let mut primitives: Vec<Primitive> = Vec::with_capacity(list.items().len());
    for item in list.items() {
        let primitive = primitive(&item, materials, data, largest, findings)?;
        if let Some(first) = primitives.first() {
            let own = primitive.targets.len();
            let others = first.targets.len();
            if own != others {
                return Err(item.rule(format!(
                    "{own} morph targets, where the first primitive has {others}"
                )));
            }
        }
        primitives.push(primitive);
    }
    let Some(first) = primitives.first() else {
        return Err(list.rule("a mesh without primitives"));
    };
    let targets = first.targets.len();
    let weights = weights(at, targets)?.unwrap_or_else(|| vec![0.0; targets]);
    Ok(Mesh {
        name: at.name()?,
        primitives,
        weights,
    })
}

/// Reads the morph weights of a mesh or a node, one for each morph target; `None` if it has none.
pub fn weights(at: &Cursor, targets: usize) -> Result<Option<Vec<f64>>> {
    let Some(member) = at.get("weights") else {
        return Ok(None);
    };
    let weights = member.all_numbers()?;
    if weights.len() != targets {
        let given = weights.len();
        return Err(member.rule(format!("{given} weights for {targets} morph targets")));
    }
    Ok(Some(weights))
}

/// Reads one primitive.
fn primitive(
    at: &Cursor,
    materials: usize,
    data: Data,
    largest: &mut Largest,
    findings: &mut Findings,
) -> Result<Primitive> {
    at.object()?;
    let members = at.required("attributes")?.object()?;
    let vertex_count = match members.get("POSITION") {
        Some(position) => referenced_accessor(&position, data.accessors, data.buffers)?
            .1
            .count(),
        None => 0,
    };
    if vertex_count == 0 {
        return without_vertices(at, &members, materials, data);
    }
    let attributes = attributes(&members, vertex_count, expected_of_vertices, data, findings)?;
    let targets = at
        .list("targets")?
        .items()
        .map(|target| {
            target.object()?;
            self::attributes(&target, vertex_count, expected_of_targets, data, findings)
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mode = at.integer("mode")?.unwrap_or(4);
    if mode > 6 {
        return Err(at.rule_in("mode", format!("{mode} is no mode from 0 to 6")));
    }
    Ok(Primitive {
        influences: influences(&members, &attributes)?,
        indices: indices(at, vertex_count, data, largest)?,
        material: at.index("material", materials, "materials")?,
        mode: mode as u8,
        attributes,
        targets,
        vertex_count,
    })
}

/// Reads a primitive that is not drawn, because it has no positions (glTF 2.0 §3.7.2.1) or no vertices. Its JSON stays as it is.
fn without_vertices(
    at: &Cursor,
    members: &Cursor,
    materials: usize,
    data: Data,
) -> Result<Primitive> {
    let targets = at.list("targets")?;
    for target in targets.items() {
        target.object()?;
    }
    let indices = at.get("indices");
    let attributes = members.members().map(|(_, member)| member);
    for member in attributes.chain(indices) {
        referenced_accessor(&member, data.accessors, data.buffers)?;
    }
    Ok(Primitive {
        attributes: Vec::new(),
        indices: None,
        material: at.index("material", materials, "materials")?,
        mode: 0,
        targets: vec![Vec::new(); targets.items().len()],
        vertex_count: 0,
        influences: Vec::new(),
    })
}

/// A function from the name of an attribute to the types that it may have; `None` if this program does not read it.
type Expected = fn(&str) -> Option<(ElementType, Allowed)>;

/// The types of an attribute of vertices: those of glTF 2.0 §3.7.2.1, and for positions, normals and tangents
/// those of `KHR_mesh_quantization`.
fn expected_of_vertices(name: &str) -> Option<(ElementType, Allowed)> {
    match name {
        "POSITION" => Some((Vec3, ANY_SMALL)),
        "NORMAL" => Some((Vec3, SIGNED)),
        "TANGENT" => Some((Vec4, SIGNED)),
        _ if name.starts_with("JOINTS_") => Some((Vec4, JOINTS)),
        _ if name.starts_with("WEIGHTS_") => Some((Vec4, FRACTIONS)),
        _ => None,
    }
}

/// The types of an attribute of morph targets: those of glTF 2.0 §3.7.2.2 and of `KHR_mesh_quantization`.
fn expected_of_targets(name: &str) -> Option<(ElementType, Allowed)> {
    match name {
        "POSITION" => Some((Vec3, SIGNED_SMALL)),
        "NORMAL" | "TANGENT" => Some((Vec3, SIGNED)),
        _ => None,
    }
}

/// Reads the names and accessor indices of attributes, all of which must have `count` elements.
fn attributes(
    at: &Cursor,
    count: usize,
    expected: Expected,
    data: Data,
    findings: &mut Findings,
) -> Result<Vec<(String, usize)>> {
    let mut attributes = Vec::new();
    for (name, member) in at.members() {
        let (index, accessor) = referenced_accessor(&member, data.accessors, data.buffers)?;
        if accessor.count() != count {
            let found = accessor.count();
            return Err(member.rule(format!(
                "accessor {index} has {found} elements; POSITION has {count}"
            )));
        }
        if let Some((element, allowed)) = expected(name) {
            check_type(&member, index, &accessor, element, allowed)?;
        }
        let quantized = matches!(name, "POSITION" | "NORMAL" | "TANGENT")
            && !FLOAT.contains(&(accessor.component_type(), false));
        if quantized && !data.quantization {
            findings.warn(member.rule(format!(
                "accessor {index} has {}, but KHR_mesh_quantization is not among extensionsUsed",
                described(&accessor)
            )));
        }
        attributes.push((name.to_owned(), index));
    }
    Ok(attributes)
}

/// Checks that an accessor has the element type, and one of the component types, of an attribute.
fn check_type(
    at: &Cursor,
    index: usize,
    accessor: &Accessor,
    element: ElementType,
    allowed: Allowed,
) -> Result<()> {
    // Floats are never normalized; the flag is ignored, with a warning when accessors are checked.
    let component = accessor.component_type();
    let normalized = accessor.is_normalized() && component != F32;
    if accessor.element_type() == element && allowed.contains(&(component, normalized)) {
        return Ok(());
    }
    let names = allowed
        .iter()
        .map(|(component, normalized)| {
            let normalized = if *normalized { "normalized " } else { "" };
            format!("{normalized}{}", component.name())
        })
        .collect::<Vec<_>>()
        .join(", ");
    let found = described(accessor);
    Err(at.rule(format!(
        "accessor {index} has {found}, not {} of {names}",
        element.name()
    )))
}

/// The accessors of the pairs `JOINTS_n` and `WEIGHTS_n`, which must be complete and numbered from 0 without gaps.
fn influences(at: &Cursor, attributes: &[(String, usize)]) -> Result<Vec<(usize, usize)>> {
    let by_name: HashMap<&str, usize> = attributes
        .iter()
        .map(|(name, accessor)| (&**name, *accessor))
        .collect();
    let sets: Vec<_> = (0..)
        .map_while(|set: usize| {
            let of = |name: &str| by_name.get(&*format!("{name}_{set}")).copied();
            Some((of("JOINTS")?, of("WEIGHTS")?))
        })
        .collect();
    let number = |name: &str| {
        name.strip_prefix("JOINTS_")
            .or(name.strip_prefix("WEIGHTS_"))
            .map(|digits| digits.parse().unwrap_or(usize::MAX))
    };
    match by_name
        .keys()
        .filter(|name| number(name).is_some_and(|number| number >= sets.len()))
        .min()
    {
        None => Ok(sets),
        Some(name) => Err(at
            .rule(format!(
                "{name:?} is not part of a pair JOINTS_n, WEIGHTS_n numbered from 0 on"
            ))
            .help("give every JOINTS_n a WEIGHTS_n")),
    }
}

/// Reads the index of the accessor of vertex indices, all of which must be below `vertex_count`; `None` if there is
/// none.
fn indices(
    at: &Cursor,
    vertex_count: usize,
    data: Data,
    largest: &mut Largest,
) -> Result<Option<usize>> {
    let Some(member) = at.get("indices") else {
        return Ok(None);
    };
    let (index, accessor) = referenced_accessor(&member, data.accessors, data.buffers)?;
    check_type(&member, index, &accessor, Scalar, INDICES)?;
    let (value, position) = *largest
        .entry(index)
        .or_insert_with(|| largest_of(&accessor));
    if value as usize >= vertex_count {
        return Err(member.rule(format!(
            "index {position} in accessor {index} is {value}; there are {vertex_count} vertices"
        )));
    }
    Ok(Some(index))
}

/// The largest index in an accessor and its position, the first if there are several.
fn largest_of(accessor: &Accessor) -> (u32, usize) {
    let mut largest = (0, 0);
    let mut block = [[0]; 1024];
    for start in (0..accessor.count()).step_by(block.len()) {
        let block = &mut block[..(accessor.count() - start).min(1024)];
        accessor.copy_u32(start, block);
        let [value] = block.iter().copied().fold([0], <[u32; 1]>::max);
        if value > largest.0 {
            let at = block.iter().position(|index| *index == [value]);
            largest = (value, start + at.unwrap_or(0));
        }
    }
    largest
}
