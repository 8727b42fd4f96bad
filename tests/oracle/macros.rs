//! Boxes given by corners, and the two macros (`extensions.md` 2.9-2.11), in the lists of primitives of a document.

use serde_yaml::{Mapping, Value};

use super::arithmetic::{Vec3, divide};
use super::yaml::{field, filled_string, list, number, string, tuple};

pub fn expand(root: &mut Value) {
    let meshes = root.get_mut("meshes").and_then(Value::as_sequence_mut);
    for mesh in meshes.into_iter().flatten() {
        let Some(primitives) = mesh.get_mut("primitives").and_then(Value::as_sequence_mut) else {
            continue;
        };
        *primitives = primitives.drain(..).flat_map(expanded).collect();
    }
}

fn expanded(item: Value) -> Vec<Value> {
    if item.get("aabb").is_some() {
        return vec![box_of_corners(item)];
    }
    match item.get("macro").and_then(Value::as_str) {
        None => vec![item],
        Some("box_decompose") => decomposed(&item),
        Some("triangle_prism_on_plane") => vec![prism(&item)],
        Some(name) => panic!("no macro {name}"),
    }
}

fn box_of_corners(mut item: Value) -> Value {
    let corners = item["aabb"].clone();
    let min: Vec3 = tuple(&corners, "min").expect("min");
    let max: Vec3 = tuple(&corners, "max").expect("max");
    let mapping = item.as_mapping_mut().expect("a mapping");
    mapping.shift_remove("aabb");
    let size: Vec3 = std::array::from_fn(|i| max[i] - min[i]);
    let middle: Vec3 = std::array::from_fn(|i| (min[i] + max[i]) / 2.0);
    mapping.insert("dimensions".into(), box_dimensions(size));
    mapping.insert(
        "transform".into(),
        object([("translation", numbers(&middle))]),
    );
    item
}

fn box_dimensions([width, height, depth]: Vec3) -> Value {
    let (width, height, depth) = (width.into(), height.into(), depth.into());
    object([("width", width), ("height", height), ("depth", depth)])
}

fn object<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    let pairs = pairs.into_iter().map(|(key, value)| (key.into(), value));
    Value::Mapping(pairs.collect::<Mapping>())
}

fn numbers(values: &[f64]) -> Value {
    values.iter().copied().map(Value::from).collect()
}

/// A generated primitive, with what the macro passes on.
fn generated(kind: &str, id: String, dimensions: Value, transform: Value, of: &Value) -> Value {
    let mut item = object([
        ("type", kind.into()),
        ("id", id.into()),
        ("dimensions", dimensions),
        ("transform", transform),
    ]);
    for key in ["tags", "material"] {
        if let Some(value) = field(of, key) {
            item[key] = value.clone();
        }
    }
    item
}

#[derive(Clone)]
struct Cutout {
    id: String,
    span: [f64; 2],
    bottom: f64,
    top: f64,
}

/// A wall as boxes: pieces over the full height beside the cutouts, then what is below and above each cutout.
fn decomposed(item: &Value) -> Vec<Value> {
    let height = number(&item["height"]);
    let wall = Wall::of(item);
    let [start, end] = tuple(item, "span").expect("a span");
    let mut cutouts: Vec<Cutout> = list(item, "cutouts")
        .iter()
        .map(|c| cutout(c, height))
        .collect();
    let key = |c: &Cutout| [c.span[0], c.span[1], c.bottom, c.top];
    cutouts.sort_by(|a, b| key(a).partial_cmp(&key(b)).expect("finite numbers"));
    let mut ends: Vec<f64> = cutouts.iter().flat_map(|c| c.span).collect();
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    let ends = [vec![start], ends, vec![end]].concat();
    let mut boxes = Vec::new();
    for pair in ends.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let covered = cutouts.iter().any(|c| c.span[0] <= a && b <= c.span[1]);
        if a < b && !covered {
            let suffix = format!("gap_{}", boxes.len());
            boxes.push(wall.piece(&suffix, [a, b], [0.0, height]));
        }
    }
    for c in &cutouts {
        if c.bottom > 0.0 {
            boxes.push(wall.piece(&format!("{}_below", c.id), c.span, [0.0, c.bottom]));
        }
        if c.top < height {
            boxes.push(wall.piece(&format!("{}_above", c.id), c.span, [c.top, height]));
        }
    }
    boxes
}

fn cutout(value: &Value, height: f64) -> Cutout {
    Cutout {
        id: string(value, "id"),
        span: tuple(value, "span").expect("a span"),
        bottom: field(value, "bottom").map_or(0.0, number),
        top: field(value, "top").map_or(height, number),
    }
}

struct Wall<'a> {
    item: &'a Value,
    along_x: bool,
    base_y: f64,
    thickness: f64,
    offset: f64,
}

impl Wall<'_> {
    fn of(item: &Value) -> Wall<'_> {
        let thickness = number(&item["thickness"]);
        let offset = match filled_string(item, "offset_mode").as_deref() {
            None => field(item, "offset").map_or(0.0, number),
            Some("centerline") => 0.0,
            Some("neg_face") => thickness / 2.0,
            Some("pos_face") => -thickness / 2.0,
            Some(mode) => panic!("no offset mode {mode}"),
        };
        Wall {
            item,
            along_x: string(item, "axis") == "x",
            base_y: field(item, "base_y").map_or(0.0, number),
            thickness,
            offset,
        }
    }

    fn piece(&self, suffix: &str, [a, b]: [f64; 2], [p, q]: [f64; 2]) -> Value {
        let (along, middle) = (b - a, (a + b) / 2.0);
        let y = self.base_y + (p + q) / 2.0;
        let (size, at) = if self.along_x {
            ([along, q - p, self.thickness], [middle, y, self.offset])
        } else {
            ([self.thickness, q - p, along], [self.offset, y, middle])
        };
        let id = format!("{}_{suffix}", string(self.item, "id"));
        let transform = object([("translation", numbers(&at))]);
        generated("box", id, box_dimensions(size), transform, self.item)
    }
}

fn dot(a: Vec3, b: Vec3) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn norm(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// A wedge between two legs on a plane. Its quaternion is made canonical where transforms are read.
fn prism(item: &Value) -> Value {
    let vector = |of: &Value, key: &str| -> Vec3 { tuple(of, key).expect("three numbers") };
    let origin = vector(&item["plane"], "origin");
    let normal = vector(&item["plane"], "normal");
    let n = divide(&normal, norm(normal));
    let [mut p, mut q] = [vector(item, "leg_p"), vector(item, "leg_q")];
    if dot(cross(divide(&p, norm(p)), n), divide(&q, norm(q))) < 0.0 {
        (p, q) = (q, p);
    }
    let length = number(&item["length"]);
    let (dp, dq) = (divide(&p, norm(p)), divide(&q, norm(q)));
    let at: Vec3 =
        std::array::from_fn(|i| ((origin[i] + p[i] / 2.0) + q[i] / 2.0) + (n[i] * length) / 2.0);
    let rows: [Vec3; 3] = std::array::from_fn(|row| [dp[row], n[row], dq[row]]);
    let (x, y, z) = (norm(p).into(), length.into(), norm(q).into());
    let transform = object([
        ("rotation_quat", numbers(&shepperd(rows))),
        ("translation", numbers(&at)),
    ]);
    let dimensions = object([("x", x), ("y", y), ("z", z)]);
    generated("wedge", string(item, "id"), dimensions, transform, item)
}

/// The quaternion x, y, z, w of a matrix given by rows.
fn shepperd(r: [Vec3; 3]) -> [f64; 4] {
    let trace = r[0][0] + r[1][1] + r[2][2];
    if trace > 0.0 {
        let s = 0.5 / (trace + 1.0).sqrt();
        let [x, y, z] = [(2, 1), (0, 2), (1, 0)].map(|(i, j)| (r[i][j] - r[j][i]) * s);
        return [x, y, z, 0.25 / s];
    }
    if r[0][0] > r[1][1] && r[0][0] > r[2][2] {
        let s = 2.0 * (1.0 + r[0][0] - r[1][1] - r[2][2]).sqrt();
        return [
            0.25 * s,
            (r[0][1] + r[1][0]) / s,
            (r[0][2] + r[2][0]) / s,
            (r[2][1] - r[1][2]) / s,
        ];
    }
    if r[1][1] > r[2][2] {
        let s = 2.0 * (1.0 + r[1][1] - r[0][0] - r[2][2]).sqrt();
        return [
            (r[0][1] + r[1][0]) / s,
            0.25 * s,
            (r[1][2] + r[2][1]) / s,
            (r[0][2] - r[2][0]) / s,
        ];
    }
    let s = 2.0 * (1.0 + r[2][2] - r[0][0] - r[1][1]).sqrt();
    [
        (r[0][2] + r[2][0]) / s,
        (r[1][2] + r[2][1]) / s,
        0.25 * s,
        (r[1][0] - r[0][1]) / s,
    ]
}
