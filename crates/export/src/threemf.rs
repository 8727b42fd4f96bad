//! 3MF: a ZIP archive with a model in XML, in millimetres, one object for each node.
//!
//! The corners of triangles at one position are one vertex, because programs find edges by the numbers of vertices. Parts of the archive are
//! stored and not compressed, so that its bytes depend on no compressor.

use std::io::{self, ErrorKind, Write};

use super::format::Format;
use super::objects::Export;
use rigy_base::terminal::xml;
use rigy_models::mesh::Welded;

const TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
</Types>
"#;

const RELATIONSHIPS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="model" Target="/3D/3dmodel.model" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
</Relationships>
"#;

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">
<metadata name="Application">rigy-batch</metadata>
<resources>
"#;

/// Writes the first frame.
pub fn write(export: &Export, out: &mut impl Write) -> io::Result<()> {
    let model = model(export)?;
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    let number = |number: usize| (number as u32).to_le_bytes();
    for (name, part) in [
        ("[Content_Types].xml", TYPES.as_bytes()),
        ("_rels/.rels", RELATIONSHIPS.as_bytes()),
        ("3D/3dmodel.model", &model),
    ] {
        let (len, name_len) = (number(part.len()), number(name.len()));
        let numbers = [crc32fast::hash(part).to_le_bytes(), len, len, name_len];
        // Version 2.0, no flags, stored, at the beginning of 1980.
        let entry = [b"\x14\0\0\0\0\0\0\0\x21\0", numbers.as_flattened()].concat();
        let (at, name) = (number(archive.len()), name.as_bytes());
        let place = [b"\0\0\0\0\0\0\0\0\0\0", &at[..], name].concat();
        directory.extend([b"PK\x01\x02\x14\0", &*entry, &place].concat());
        archive.extend([b"PK\x03\x04", &*entry, name].concat());
        archive.extend(part);
    }
    if u32::try_from(archive.len()).is_err() {
        return Err(ErrorKind::FileTooLarge.into());
    }
    let ends = [number(directory.len()), number(archive.len())];
    out.write_all(&archive)?;
    out.write_all(&directory)?;
    out.write_all(b"PK\x05\x06\0\0\0\0\x03\0\x03\0")?;
    out.write_all(ends.as_flattened())?;
    out.write_all(&[0; 2])
}

fn model(export: &Export) -> io::Result<Vec<u8>> {
    let mut out = HEAD.as_bytes().to_vec();
    let mut items = String::new();
    for (id, object) in export.objects(Format::ThreeMf).into_iter().enumerate() {
        let mut mesh = Welded::default();
        for surface in object.surfaces {
            let positions = &export.vertices(surface).positions;
            mesh.add(positions, export.triangles(surface));
        }
        if mesh.triangles.is_empty() {
            continue;
        }
        let (id, name) = (id + 1, xml(&object.name));
        items += &format!("<item objectid=\"{id}\"/>\n");
        writeln!(
            out,
            "<object id=\"{id}\" type=\"model\" name=\"{name}\"><mesh><vertices>"
        )?;
        for [x, y, z] in mesh.positions {
            writeln!(out, "<vertex x=\"{x}\" y=\"{y}\" z=\"{z}\"/>")?;
        }
        out.extend(b"</vertices><triangles>\n");
        for [a, b, c] in mesh.triangles {
            writeln!(out, "<triangle v1=\"{a}\" v2=\"{b}\" v3=\"{c}\"/>")?;
        }
        out.extend(b"</triangles></mesh></object>\n");
    }
    write!(out, "</resources>\n<build>\n{items}</build>\n</model>\n")?;
    Ok(out)
}
