//! Unusual values, quotes, characters and names.

/// Scalars of another type than the replaced one, or of another type than they look like.
#[rustfmt::skip] // several in a line
pub const VALUES: [&str; 96] = [
    "0", "-0", "0.0", "-0.0", "1", "-1", "1.0", "0.5", "1e-320", "5e-324", "2.2250738585072014e-308",
    "1e-45", "1e-160", "1e-20", "1e20", "1e160", "3.4028235677973366e+38", "3.4028235e38", "1e38", "1e39",
    "1e154", "1e308", "1.7976931348623157e308", "1e309", "-1e308", ".nan", ".inf", "-.inf", "nan", "inf",
    "4294967295", "4294967296", "65535", "65536", "9007199254740993", "18446744073709551616",
    "123456789012345678901234567890123456789012345678901234567890", "0x10", "0o17", "012", "0b1", "1_000",
    "190:20:30", "2026-01-01", "true", "no", "on", "~", "null", "\"\"", "''", "none", "[]", "{}",
    "[0, 0, 0]", "[1, 0, 0, 0]", "[0.5, 0.5, 0.5, 0.5]", "[-1, 1e-320, 0, 0]", "[.nan, 0, 1e308]",
    "0.7071067811865476", "0.99988", "\"0.5\"", "\"0.3\"", "?", "\"0.6\"", "\"0.10\"", "\"0.11\"",
    "\"0.12\"", "\"0.13\"", "$p", "$p_0", "\"$a\\n\"", "\"${i}\"", "\"x${i}\"", "\"=\"", "\"=15\"",
    "\"=1/0\"", "\"=1e999\"", "\"=$p*(2-1)\"", "\"=sqrt(-1)\"", "\"=atan2(-0, -1)\"", "\"=((((((((1\"",
    "{repeat: {count: 3, as: i, body: {id: \"${i}\"}}}", "{repeat: {count: 1000000000, as: i, body: {}}}",
    "{axis: [0, 0, 1], degrees: 90}", "{rotation_quat: [0, 0, 0, 1]}",
    "{rotation_degrees: [90, 0, 0], rotation_quat: null}",
    "{type: box, id: b, aabb: {min: [0, 0, 0], max: [1, 1, 1]}}",
    "{macro: box_decompose, id: w, axis: x, span: [0, 4], height: 3, thickness: 0.2, cutouts: []}",
    "{macro: triangle_prism_on_plane, id: t, plane: {origin: [0, 0, 0], normal: [0, 0, 1]}, leg_p: [1, 0, 0], leg_q: [0, 1, 0], length: 1}",
    "{type: wedge, id: w, dimensions: {x: 1}}", "{base_color: [1, 0.5, 0, 1]}",
    "{uv0: {generator: planar_xy@1}}", "implicit_surface",
    "{aabb: {min: [-1, -1, -1], max: [1, 1, 1]}, grid: {nx: 4, ny: 4, nz: 4}}",
    "[{op: add, field: metaball_sphere@1, strength: 1, radius: 1, transform: {scale: [2, 2, 2]}}]",
];

pub const AROUND: [(&str, &str); 22] = [
    ("\"", "\""),
    ("'", "'"),
    ("!!str ", ""),
    ("!!float ", ""),
    ("!!int ", ""),
    ("!!null ", ""),
    ("!!binary ", ""),
    ("!!set ", ""),
    ("!thing ", ""),
    ("!<tag:yaml.org,2002:str> ", ""),
    ("&a ", ""),
    ("&b ", ""),
    ("*", ""),
    ("[", "]"),
    ("{", "}"),
    ("{a: ", "}"),
    ("? ", ""),
    ("|\n  ", "\n"),
    (">-\n    ", "\n"),
    ("- ", ""),
    ("", " #"),
    ("", ": "),
];

/// Characters that readers, editors and terminals treat in different ways.
pub const ODD: [&[u8]; 24] = [
    b"\xef\xbb\xbf",
    b"\0",
    b"\t",
    b"\r",
    b"\r\n",
    b"\x0b",
    b"\x1b[31m",
    b"\x7f",
    "\u{85}".as_bytes(),
    "\u{a0}".as_bytes(),
    "\u{301}".as_bytes(),
    "\u{2028}".as_bytes(),
    "\u{2029}".as_bytes(),
    "\u{202e}".as_bytes(),
    "\u{200d}".as_bytes(),
    "\u{3000}".as_bytes(),
    "\u{1f600}".as_bytes(),
    "\u{ffff}".as_bytes(),
    b"\xff",
    b"\xed\xa0\x80",
    b"---\n",
    b"...\n",
    b"%YAML 1.1\n---\n",
    b": ",
];

/// Names of files, some of which lead somewhere else.
#[rustfmt::skip] // several in a line
pub const NAMES: [&str; 16] = [
    "a.rigy.yaml", "parts/a.part.yaml", "parts/../a.rigy.yaml", "./parts/./a.part.yaml", "../a.rigy.yaml",
    "parts/../../a.rigy.yaml", "/etc/passwd", "C:\\a.yaml", "\\\\server\\share", "http://localhost/a.yaml",
    "file:///etc/passwd", "parts", "parts/", ".", "..", "weights.json",
];
