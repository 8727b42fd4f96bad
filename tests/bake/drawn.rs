//! Beside the GLB, everything shows what the GLB shows: each instance of a mesh, and nothing that is hidden. A file is compared with a twin
//! that has nodes in the place of instances, and no mesh in the place of a hidden one.

use std::time::{Duration, Instant};

use rigy_batch::export::Format;
use serde_json::{Value, json};

use super::builder::{FLOAT, I16, Made, arm, floats};
use crate::support::{Dir, Ran, assert_contains, published};

const PLACES: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.5, 0.0, -2.0], [-3.0, 0.25, 1.0]];
const TURNS: [[i16; 4]; 3] = [
    [0, 0, 0, 32767],
    [0, 23170, 0, 23170],
    [-20000, 0, 9000, 7000],
];
/// The second instance is mirrored.
const SIZES: [[f32; 3]; 3] = [[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [2.0, 0.5, 2.0]];

fn far(spread: f32) -> [[f32; 3]; 3] {
    PLACES.map(|place| place.map(|number| number * spread))
}

/// An arm that carries a leaf, node 4, which is no part of its skin.
pub fn with_leaf() -> Made {
    let mut made = arm();
    made.add_leaf();
    made
}

impl Made {
    fn add_leaf(&mut self) {
        let corners = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.75, 0.125f32]];
        let positions = self.floats("VEC3", corners.as_flattened());
        let normals = self.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
        let primitive = json!({"attributes": {"POSITION": positions, "NORMAL": normals}});
        let mesh = self.push("meshes", json!({"name": "leaf", "primitives": [primitive]}));
        let node = json!({"name": "leaf", "mesh": mesh, "translation": [0.25, 0, 0.5], "scale": [1, 2, 1]});
        let node = self.push("nodes", node);
        self.json["nodes"][1]["children"] = json!([node]);
    }

    /// Gives a node the three instances, so many times as far apart.
    fn instanced(mut self, node: usize, spread: f32) -> Self {
        let turns: Vec<u8> = TURNS
            .as_flattened()
            .iter()
            .flat_map(|n| n.to_le_bytes())
            .collect();
        let turns = self.accessor("VEC4", I16, 3, &turns);
        self.json["accessors"][turns]["normalized"] = json!(true);
        let attributes = json!({
            "TRANSLATION": self.floats("VEC3", far(spread).as_flattened()),
            "ROTATION": turns,
            "SCALE": self.floats("VEC3", SIZES.as_flattened()),
        });
        self.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
        self.json["nodes"][node]["extensions"]["EXT_mesh_gpu_instancing"] =
            json!({"attributes": attributes});
        self
    }

    /// Gives a node a child in the place of each instance.
    fn with_children(mut self, node: usize, spread: f32) -> Self {
        let (mesh, name) = (
            self.json["nodes"][node]["mesh"].take(),
            self.json["nodes"][node]["name"].clone(),
        );
        self.remove(&format!("/nodes/{node}/mesh"));
        let children = (0..3).map(|index| {
            let rotation = TURNS[index].map(|number| f64::from(number) / 32767.0);
            let child = json!({"name": name, "mesh": mesh, "translation": far(spread)[index], "rotation": rotation, "scale": SIZES[index]});
            self.push("nodes", child)
        });
        let children: Vec<usize> = children.collect();
        self.json["nodes"][node]["children"] = json!(children);
        self
    }

    pub fn hidden(mut self, node: usize) -> Self {
        let visibility = json!({"visible": false});
        self.json["nodes"][node]["extensions"]["KHR_node_visibility"] = visibility;
        self
    }
}

pub fn good(dir: &Dir, arguments: &str) -> Ran {
    let ran = dir.run(arguments);
    assert_eq!(ran.status(), 0, "{arguments}: {}", ran.stderr());
    ran
}

/// Everything that is made of a file, by what makes it.
fn shown(made: &Made) -> Vec<(String, Vec<u8>)> {
    let dir = Dir::with("a.glb", made.glb());
    let mut all = Vec::new();
    for ending in Format::ALL.map(Format::name) {
        let is_array = ["npz", "pc2", "mdd"].contains(&ending);
        for join in if is_array {
            &["all"][..]
        } else {
            &["all", "node"]
        } {
            let file = format!("{join}/a.{ending}");
            good(
                &dir,
                &format!("bake a.glb -o {file} --time 0.7 --join {join}"),
            );
            all.push((file.clone(), dir.read(&file)));
        }
    }
    good(&dir, "bake a.glb -o clip.usda --animation wave --frames @4");
    all.push(("clip".into(), dir.read("clip.usda")));
    good(
        &dir,
        "bake a.glb -o vat --as vat --frames @4 --allow-warnings all",
    );
    for file in [".glb", "_vat.exr", "-remap_info.json"] {
        all.push((file.into(), dir.read(&format!("vat/a{file}"))));
    }
    good(&dir, "preview a.glb -o a.png --time 0.7 -q");
    all.push(("preview".into(), dir.read("a.png")));
    let described = good(&dir, "inspect a.glb --over-time --fps 5 --format json").stdout();
    let described: Value = serde_json::from_str(&described).unwrap();
    for part in ["bounds", "over_time"] {
        all.push((part.into(), described[part].to_string().into_bytes()));
    }
    all
}

fn assert_same(found: &Made, wanted: &Made) {
    for ((what, found), (_, wanted)) in shown(found).iter().zip(&shown(wanted)) {
        assert!(found == wanted, "{what}");
    }
}

#[test]
fn instances_of_an_animated_node_are_shown_as_nodes_in_their_places() {
    assert_same(
        &with_leaf().instanced(4, 1.0),
        &with_leaf().with_children(4, 1.0),
    );
}

#[test]
fn each_instance_is_marked_that_would_not_be_seen() {
    let picture = |made: Made| {
        let dir = Dir::with("a.glb", made.glb());
        good(&dir, "preview a.glb -o a.png -q");
        dir.read("a.png")
    };
    let instances = picture(with_leaf().instanced(4, 1e4));
    assert!(instances == picture(with_leaf().with_children(4, 1e4)));
}

#[test]
fn what_is_hidden_is_shown_nowhere() {
    let mut without = with_leaf();
    without.remove("/nodes/4/mesh");
    assert_same(&with_leaf().instanced(4, 1.0).hidden(4), &without);
    // Nodes below a hidden one are hidden, too.
    let mut above = with_leaf();
    let top = above.push("nodes", json!({"children": [5]}));
    assert_eq!(top, 5);
    above.json["nodes"][5]["children"] = json!([]);
    let below = json!({"mesh": 1, "translation": [9, 9, 9]});
    let below = above.push("nodes", below);
    above.json["nodes"][5]["children"] = json!([below]);
    above.add("/scenes/0/nodes", 5);
    assert_same(&above.hidden(5), &with_leaf());
}

/// Positions and faces of an OBJ file.
fn obj(dir: &Dir, name: &str) -> (Vec<[f64; 3]>, Vec<[usize; 3]>) {
    let text = String::from_utf8(dir.read(name)).unwrap();
    let words = |start: &str| -> Vec<Vec<String>> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(start));
        lines
            .map(|line| line.split(' ').map(str::to_owned).collect())
            .collect()
    };
    let vector =
        |of: Vec<String>| -> [f64; 3] { std::array::from_fn(|axis| of[axis].parse().unwrap()) };
    let corner = |text: &str| text.split('/').next().unwrap().parse().unwrap();
    (
        words("v ").into_iter().map(vector).collect(),
        words("f ")
            .iter()
            .map(|of| std::array::from_fn(|i| corner(&of[i])))
            .collect(),
    )
}

#[test]
fn instances_of_a_skinned_mesh_are_copies_of_the_posed_one() {
    let dir = Dir::with("one.glb", arm().glb());
    let mut made = arm();
    let places = made.floats("VEC3", &[1.0, 2.0, 3.0, 0.0, 0.0, -4.0]);
    let sizes = made.floats("VEC3", &[1.0, 1.0, 1.0, -1.0, 1.0, 1.0]);
    let attributes = json!({"TRANSLATION": places, "SCALE": sizes});
    made.json["nodes"][2]["extensions"] =
        json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}});
    dir.write("two.glb", made.glb());
    for name in ["one", "two"] {
        good(&dir, &format!("bake {name}.glb -o {name}.obj --time 0.7"));
    }
    let ((one, faces), (two, both)) = (obj(&dir, "one.obj"), obj(&dir, "two.obj"));
    let moved = one.iter().map(|[x, y, z]| [x + 1.0, y + 2.0, z + 3.0]);
    let wanted: Vec<[f64; 3]> = moved
        .chain(one.iter().map(|[x, y, z]| [-x, *y, z - 4.0]))
        .collect();
    assert_eq!(two.len(), wanted.len());
    for (found, wanted) in two.iter().zip(&wanted) {
        assert!(
            (0..3).all(|axis| (found[axis] - wanted[axis]).abs() < 1e-6),
            "{found:?} {wanted:?}"
        );
    }
    let count = one.len();
    let mirrored = faces
        .iter()
        .map(|[a, b, c]| [a + count, c + count, b + count]);
    assert_eq!(
        both,
        faces.iter().copied().chain(mirrored).collect::<Vec<_>>()
    );
    // At rest, the bounds are those of both copies.
    let bounds = |name: &str| -> [[f64; 3]; 2] {
        let text = good(&dir, &format!("inspect {name}.glb --format json")).stdout();
        let found: Value = serde_json::from_str(&text).unwrap();
        ["min", "max"].map(|key| serde_json::from_value(found["bounds"][key].clone()).unwrap())
    };
    let ([least, most], [min, max]) = (bounds("one"), bounds("two"));
    for (found, wanted) in [
        (min[0], (least[0] + 1.0).min(-most[0])),
        (max[0], (most[0] + 1.0).max(-least[0])),
        (min[2], least[2] - 4.0),
        (max[1], most[1] + 2.0),
    ] {
        assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
    }
}

#[test]
fn attributes_of_instances_that_do_not_fit_are_told() {
    let mut made = with_leaf();
    let places = made.floats("VEC3", PLACES.as_flattened());
    let sizes = made.floats("VEC3", SIZES[..2].as_flattened());
    let turns = made.accessor("VEC3", FLOAT, 3, &floats(&[0.0; 9]));
    let attributes =
        json!({"TRANSLATION": places, "SCALE": sizes, "ROTATION": turns, "_ID": places});
    made.json["nodes"][4]["extensions"] =
        json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}});
    let dir = Dir::with("a.glb", made.glb());
    let ran = good(&dir, "bake a.glb -o a.stl");
    let words = [
        "have 2 to 3 elements; the first 2",
        "ROTATION has elements of another type",
        "W07",
    ];
    assert_contains(ran.stderr(), &words);
    assert_eq!(dir.read("a.stl")[80], 3 + 2);
    // Attributes of no elements draw the mesh nowhere.
    made.json["nodes"][4]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["_ID"] =
        json!(made.accessor("SCALAR", FLOAT, 0, &floats(&[0.0])));
    dir.write("a.glb", made.glb());
    good(&dir, "bake a.glb -o a.stl --allow-warnings all");
    assert_eq!(dir.read("a.stl")[80], 3);
}

#[test]
fn bounds_that_are_not_finite_are_none() {
    let mut made = with_leaf().instanced(4, 1.0);
    made.json["nodes"][4]["scale"] = json!([1e300, 1, 1]);
    made.json["nodes"][1]["scale"] = json!([1e300, 1, 1]);
    let dir = Dir::with("a.glb", made.glb());
    let ran = dir.run("inspect a.glb --format json").exits(1);
    let found: serde_json::Value = serde_json::from_str(&ran.stdout()).unwrap();
    assert_eq!(found["bounds"], json!(null), "{found}");
    assert_contains(ran.stdout(), &["where numbers are not finite"]);
}

#[test]
fn more_instances_than_can_be_shown_are_refused_at_once() {
    let mut made = with_leaf();
    // Zeros need no data.
    let zeros = made.push(
        "accessors",
        json!({"componentType": 5126, "count": 1 << 16, "type": "VEC3"}),
    );
    let extensions = json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": zeros}}});
    let nodes = (0..5000).map(|_| {
        let node = json!({"mesh": 1, "extensions": extensions});
        made.push("nodes", node)
    });
    made.json["scenes"][0]["nodes"] = nodes.collect();
    let dir = Dir::with("a.glb", made.glb());
    let start = Instant::now();
    for arguments in [
        "preview a.glb -o a.png",
        "inspect a.glb --over-time",
        "view a.glb -o page --no-open",
    ] {
        dir.run(arguments).exits(1);
    }
    let ran = dir.run("bake a.glb -o a.obj").exits(1);
    assert_contains(
        ran.stderr(),
        &["U17", "too much work on vertices, triangles and names"],
    );
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn the_cases_show_three_trees_and_one_tube() {
    for (name, triangles) in [("instances", 96u8), ("hidden", 32)] {
        let Some(path) = published(&format!("cases/gltf/{name}.glb")) else {
            return;
        };
        let dir = Dir::with("a.glb", std::fs::read(path).unwrap());
        good(&dir, "bake a.glb -o a.stl --allow-warnings all");
        assert_eq!(dir.read("a.stl")[80..84], [triangles, 0, 0, 0]);
        good(&dir, "bake a.glb -o a.obj --allow-warnings all");
        let (positions, faces) = obj(&dir, "a.obj");
        assert_eq!(faces.len(), usize::from(triangles));
        // Every tree is open at its ends and wound outward, so that the volume below its walls is positive.
        let volume = |of: &[[usize; 3]]| -> f64 {
            let corner = |number: usize| positions[number - 1];
            let first = corner(of[0][0]);
            let from_first = |number| -> [f64; 3] {
                std::array::from_fn(|axis| corner(number)[axis] - first[axis])
            };
            let six = of.iter().map(|corners| {
                let [a, b, c] = corners.map(from_first);
                a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                    + a[2] * (b[0] * c[1] - b[1] * c[0])
            });
            six.sum()
        };
        assert!(faces.chunks(32).all(|tree| volume(tree) > 0.0));
    }
}
