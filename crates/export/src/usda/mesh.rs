//! An object as a prim of type `Mesh`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::Materials;
use crate::objects::{Export, Object};
use crate::sequence::FrameSurface;
use crate::text::{Names, floats, integers, quoted, vectors};

/// White and opaque, for vertices without a colour among others that have one.
const WHITE: [f32; 4] = [1.0; 4];

/// Writes an object as a prim of this name.
pub fn write(
    export: &Export,
    object: &Object,
    name: &str,
    materials: &Materials,
    out: &mut impl Write,
) -> io::Result<()> {
    let by_material = faces_by_material(export, object);
    writeln!(out, "\ndef Mesh {} (", quoted(name))?;
    writeln!(out, "    prepend apiSchemas = [\"MaterialBindingAPI\"]")?;
    if object.name != name {
        writeln!(out, "    displayName = {}", quoted(&object.name))?;
    }
    writeln!(out, ")\n{{")?;
    faces(export, object, out)?;
    over_time(export, object, out)?;
    coordinates(export, object, out)?;
    colors(export, object, materials, out)?;
    let is_double_sided = by_material.keys().flatten().any(|index| {
        let material = &export.sequence.model().materials[*index];
        material.is_double_sided
    });
    if is_double_sided {
        writeln!(out, "    uniform bool doubleSided = 1")?;
    }
    writeln!(out, "    uniform token subdivisionScheme = \"none\"")?;
    bindings(&by_material, materials, out)?;
    out.write_all(b"}\n")
}

/// Writes the triangles.
fn faces(export: &Export, object: &Object, out: &mut impl Write) -> io::Result<()> {
    let counts = object
        .surfaces
        .iter()
        .map(|s| export.surface(*s).triangles.len());
    out.write_all(b"    int[] faceVertexCounts = ")?;
    integers(out, std::iter::repeat_n(3, counts.sum()))?;
    out.write_all(b"\n    int[] faceVertexIndices = ")?;
    let mut next = 0;
    let corners = object.surfaces.iter().flat_map(|surface| {
        let first = next;
        next += export.vertices(*surface).positions.len() as u32;
        export
            .triangles(*surface)
            .flatten()
            .map(move |corner| first + corner)
    });
    integers(out, corners)?;
    out.write_all(b"\n")
}

/// Writes what changes from frame to frame: positions, normals, and the box around the positions.
fn over_time(export: &Export, object: &Object, out: &mut impl Write) -> io::Result<()> {
    attribute(
        export,
        object,
        "float3[] extent",
        "",
        out,
        |surfaces, out| {
            let bounds = FrameSurface::bounds(surfaces.iter().copied());
            vectors(out, bounds.iter().flatten())
        },
    )?;
    if object.has_normals(export) {
        let metadata = " (\n        interpolation = \"vertex\"\n    )";
        attribute(
            export,
            object,
            "normal3f[] normals",
            metadata,
            out,
            |surfaces, out| {
                let normals = surfaces.iter().flat_map(|surface| &surface.normals);
                vectors(out, normals.flatten())
            },
        )?;
    }
    attribute(
        export,
        object,
        "point3f[] points",
        "",
        out,
        |surfaces, out| vectors(out, surfaces.iter().flat_map(|surface| &surface.positions)),
    )
}

/// Writes an attribute that may change from frame to frame. `value` writes it for the surfaces of the object in a frame.
fn attribute<W: Write>(
    export: &Export,
    object: &Object,
    declaration: &str,
    metadata: &str,
    out: &mut W,
    value: impl Fn(&[&FrameSurface], &mut W) -> io::Result<()>,
) -> io::Result<()> {
    let frames = export.sequence.frames();
    let surfaces = |index: usize| -> Vec<&FrameSurface> {
        object
            .surfaces
            .iter()
            .map(|surface| &frames[index].surfaces[*surface])
            .collect()
    };
    let Some(timing) = export.sequence.timing() else {
        write!(out, "    {declaration} = ")?;
        value(&surfaces(0), out)?;
        return writeln!(out, "{metadata}");
    };
    if !metadata.is_empty() {
        writeln!(out, "    {declaration}{metadata}")?;
    }
    writeln!(out, "    {declaration}.timeSamples = {{")?;
    for index in 0..frames.len() {
        write!(out, "        {}: ", timing.number(index))?;
        value(&surfaces(index), out)?;
        out.write_all(b",\n")?;
    }
    out.write_all(b"    }\n")
}

/// Writes texture coordinates, if a surface has them; those of others are 0.
fn coordinates(export: &Export, object: &Object, out: &mut impl Write) -> io::Result<()> {
    if !object.any(|surface| export.coordinates(surface)) {
        return Ok(());
    }
    out.write_all(b"    texCoord2f[] primvars:st = ")?;
    let all = object.surfaces.iter().flat_map(|surface| {
        let count = export.vertices(*surface).positions.len();
        let list = export.coordinates(*surface);
        (0..count).map(move |vertex| list.map_or(&[0.0; 2], |list| &list[vertex]))
    });
    vectors(out, all)?;
    out.write_all(b" (\n        interpolation = \"vertex\"\n    )\n")
}

/// Writes vertex colours, if a surface or its material needs them, and their opacity where it counts and is not 1. Those of materials
/// that take them are times the base colour; others without a colour are white and opaque.
fn colors(
    export: &Export,
    object: &Object,
    materials: &Materials,
    out: &mut impl Write,
) -> io::Result<()> {
    let tinted = |surface: usize| {
        export
            .material(surface)
            .filter(|index| materials.is_tinted(*index))
    };
    let has_colors = object.any(|surface| export.surface(surface).colors.as_ref());
    if !has_colors && !object.any(tinted) {
        return Ok(());
    }
    let mut colors = Vec::new();
    for surface in &object.surfaces {
        let count = export.vertices(*surface).positions.len();
        let list = export.surface(*surface).colors.as_ref();
        let factor =
            tinted(*surface).map(|index| export.sequence.model().materials[index].base_color);
        let is_opaque = export.is_opaque(*surface);
        colors.extend((0..count).map(|vertex| {
            let given = list.map_or(WHITE, |list| list[vertex]);
            let [red, green, blue, opacity] = factor.map_or(given, |factor| {
                std::array::from_fn(|k| (factor[k] * f64::from(given[k])) as f32)
            });
            [red, green, blue, if is_opaque { 1.0 } else { opacity }]
        }));
    }
    let end = b" (\n        interpolation = \"vertex\"\n    )\n";
    out.write_all(b"    color3f[] primvars:displayColor = ")?;
    let without_opacity = colors
        .iter()
        .map(|color| color.first_chunk::<3>().unwrap_or(&[1.0; 3]));
    vectors(out, without_opacity)?;
    out.write_all(end)?;
    if colors.iter().all(|[.., opacity]| *opacity == 1.0) {
        return Ok(());
    }
    out.write_all(b"    float[] primvars:displayOpacity = ")?;
    floats(out, colors.iter().map(|[.., opacity]| *opacity))?;
    out.write_all(end)
}

/// The numbers of the faces of each material.
fn faces_by_material(export: &Export, object: &Object) -> BTreeMap<Option<usize>, Vec<u32>> {
    let mut faces: BTreeMap<Option<usize>, Vec<u32>> = BTreeMap::new();
    let mut next = 0;
    for surface in &object.surfaces {
        let end = next + export.surface(*surface).triangles.len() as u32;
        faces
            .entry(export.material(*surface))
            .or_default()
            .extend(next..end);
        next = end;
    }
    faces
}

/// Binds the material of all faces; of several materials each to a subset of the faces.
fn bindings(
    faces: &BTreeMap<Option<usize>, Vec<u32>>,
    materials: &Materials,
    out: &mut impl Write,
) -> io::Result<()> {
    let binding = |index: usize| format!("rel material:binding = <{}>", materials.path(index));
    if faces.len() > 1 {
        writeln!(
            out,
            "    uniform token subsetFamily:materialBind:familyType = \"nonOverlapping\""
        )?;
    }
    let mut names = Names::default();
    for (material, faces_of) in faces {
        match material {
            Some(index) if faces.len() == 1 => writeln!(out, "    {}", binding(*index))?,
            Some(index) => {
                let name = quoted(&names.unique(materials.name(*index).to_owned()));
                writeln!(out, "\n    def GeomSubset {name} (")?;
                writeln!(
                    out,
                    "        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )\n    {{"
                )?;
                writeln!(out, "        uniform token elementType = \"face\"")?;
                writeln!(out, "        uniform token familyName = \"materialBind\"")?;
                out.write_all(b"        int[] indices = ")?;
                integers(out, faces_of.iter().copied())?;
                writeln!(out, "\n        {}\n    }}", binding(*index))?;
            }
            None => {}
        }
    }
    Ok(())
}
