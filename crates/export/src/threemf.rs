//! 3MF: a ZIP archive with a model in XML, in millimetres, one object for each node.
//!
//! The corners of triangles at one position are one vertex, because programs find edges by the numbers of vertices.

use std::io::{self, Write};

use super::format::Format;
use super::objects::Export;
use super::zip;
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
    let parts = [
        ("[Content_Types].xml", TYPES.as_bytes()),
        ("_rels/.rels", RELATIONSHIPS.as_bytes()),
        ("3D/3dmodel.model", &model),
    ];
    zip::write(parts.map(|(name, part)| (name.into(), part.into())), out)
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
