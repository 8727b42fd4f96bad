//! Wavefront OBJ: vertices, texture coordinates and normals as lines of text, which faces name by number; materials as an MTL file
//! beside it.
//!
//! `Pr`, `Pm`, `Pc` and `Pcr`, roughness, metallic and clear coat, are the extension of MTL for physically based materials that the
//! clients of today read; colours are linear factors, as glTF and Blender have them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use super::format::Format;
use super::objects::{Beside, Export};
use super::text::{Names, word, write_all_f32};
use super::textures::Textures;
use rigy_models::mesh::{Alpha, Material, TextureKind};

/// The numbers of lines of each kind so far.
#[derive(Clone, Copy, Default)]
struct Counts {
    positions: u64,
    coordinates: u64,
    normals: u64,
}

/// Writes the first frame.
pub fn write(export: &Export, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"# written by rigy-batch\n")?;
    let materials = Materials::new(export);
    if !materials.is_empty() {
        writeln!(out, "mtllib {}", materials_file_name(export.name))?;
    }
    let mut names = Names::default();
    let mut groups = Names::default();
    let mut counts = Counts::default();
    for object in export.objects(Format::Obj) {
        writeln!(out, "o {}", names.unique(word(&object.name)))?;
        for index in object.surfaces {
            let before = counts;
            vertices(export, index, &mut counts, out)?;
            writeln!(
                out,
                "g {}",
                groups.unique(word(&export.surface(index).name))
            )?;
            if let Some(material) = materials.0.get(&export.material(index)) {
                writeln!(out, "usemtl {material}")?;
            }
            faces(export, index, before, out)?;
        }
    }
    Ok(())
}

/// Writes the vertices of a surface.
fn vertices(
    export: &Export,
    index: usize,
    counts: &mut Counts,
    out: &mut impl Write,
) -> io::Result<()> {
    let vertices = export.vertices(index);
    counts.positions += lines(out, "v ", &vertices.positions)?;
    if let Some(coordinates) = export.coordinates(index) {
        counts.coordinates += lines(out, "vt ", coordinates)?;
    }
    if let Some(normals) = &vertices.normals {
        counts.normals += lines(out, "vn ", normals)?;
    }
    Ok(())
}

/// Writes a line for each vector. Returns their number.
fn lines<const N: usize>(
    out: &mut impl Write,
    keyword: &str,
    vectors: &[[f32; N]],
) -> io::Result<u64> {
    for vector in vectors {
        out.write_all(keyword.as_bytes())?;
        write_all_f32(out, vector, " ")?;
        out.write_all(b"\n")?;
    }
    Ok(vectors.len() as u64)
}

/// Writes the triangles of a surface. `before` has the numbers of lines before its vertices; lines are numbered from 1.
fn faces(export: &Export, index: usize, before: Counts, out: &mut impl Write) -> io::Result<()> {
    let has_coordinates = export.coordinates(index).is_some();
    let has_normals = export.vertices(index).normals.is_some();
    for triangle in export.triangles(index) {
        out.write_all(b"f")?;
        for corner in triangle {
            let number = |before: u64| before + u64::from(corner) + 1;
            write!(out, " {}", number(before.positions))?;
            match (has_coordinates, has_normals) {
                (true, true) => write!(
                    out,
                    "/{}/{}",
                    number(before.coordinates),
                    number(before.normals)
                ),
                (true, false) => write!(out, "/{}", number(before.coordinates)),
                (false, true) => write!(out, "//{}", number(before.normals)),
                (false, false) => Ok(()),
            }?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// The names of the materials in use, `None` for surfaces without one.
struct Materials(BTreeMap<Option<usize>, String>);

impl Materials {
    /// Names the materials of the surfaces of an OBJ file. If some have one and others none, `default` is that of the others.
    fn new(export: &Export) -> Self {
        let mut used: BTreeMap<_, _> = export
            .objects(Format::Obj)
            .iter()
            .flat_map(|object| &object.surfaces)
            .map(|index| (export.material(*index), String::new()))
            .collect();
        if used.keys().all(Option::is_none) {
            return Self(BTreeMap::new());
        }
        let mut names = Names::default();
        for (index, name) in &mut used {
            let wanted = match index.map(|index| (index, export.sequence.model())) {
                Some((index, model)) => match &model.materials[index].name {
                    Some(name) => word(name),
                    None => format!("material_{index}"),
                },
                None => "default".into(),
            };
            *name = names.unique(wanted);
        }
        Self(used)
    }

    /// Returns true if no surface has a material.
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Returns the name of the file of materials beside an OBJ file of this name without its ending.
pub fn materials_file_name(name: &str) -> String {
    format!("{}.mtl", word(name))
}

/// The file of materials; `None` if no surface has any.
pub fn materials_file<'a>(export: &Export) -> Option<Beside<'a>> {
    let materials = Materials::new(export);
    if materials.is_empty() {
        return None;
    }
    let mut text = b"# written by rigy-batch\n".to_vec();
    for (index, name) in &materials.0 {
        let default = Material::default();
        let material = index.map(|index| &export.sequence.model().materials[index]);
        let textures = index.map(|index| (index, &export.textures));
        write_material(&mut text, name, material.unwrap_or(&default), textures)
            .expect("a vector takes every write");
    }
    Some(Beside {
        name: materials_file_name(export.name),
        bytes: Cow::Owned(text),
    })
}

/// Writes a material, which has an index in the scene unless it is that of surfaces without one.
fn write_material(
    out: &mut Vec<u8>,
    name: &str,
    material: &Material,
    textures: Option<(usize, &Textures)>,
) -> io::Result<()> {
    writeln!(out, "newmtl {name}")?;
    let [red, green, blue, opacity] = material.base_color;
    let opacity = match material.alpha {
        Alpha::Blend => opacity,
        // Without a texture it is all there or all away.
        Alpha::Mask(cutoff) if opacity < cutoff => 0.0,
        Alpha::Opaque | Alpha::Mask(_) => 1.0,
    };
    let name_of = |kind: TextureKind| {
        let (index, textures) = textures.filter(|_| Format::Obj.holds(kind))?;
        textures.other(index, kind)
    };
    let (emissive, metallic) = material.factors(|kind| name_of(kind).is_some());
    let mut line = |keyword: &str, numbers: &[f64]| {
        let numbers: Vec<f32> = numbers.iter().map(|number| *number as f32).collect();
        write!(out, "{keyword} ")?;
        write_all_f32(out, &numbers, " ")?;
        out.write_all(b"\n")
    };
    line("Kd", &[red, green, blue])?;
    line("Ke", &emissive)?;
    line("d", &[opacity])?;
    line("Pr", &[material.roughness])?;
    line("Pm", &[metallic])?;
    if material.ior != 1.5 {
        line("Ni", &[material.ior])?;
    }
    if material.clearcoat.factor > 0.0 {
        line("Pc", &[material.clearcoat.factor])?;
        line("Pcr", &[material.clearcoat.roughness])?;
    }
    // There is no `map_d`: some clients would take its green for the opacity.
    let maps = [
        (
            "map_Kd",
            textures.and_then(|(index, textures)| textures.name(index)),
        ),
        ("map_Ke", name_of(TextureKind::Emissive)),
        ("norm", name_of(TextureKind::Normal)),
    ];
    for (keyword, file) in maps {
        if let Some(file) = file {
            writeln!(out, "{keyword} {file}")?;
        }
    }
    Ok(())
}
