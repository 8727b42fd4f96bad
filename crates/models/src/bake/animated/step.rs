//! Meshes in turn: one for each content of a mesh, below the node that shows it, of which the animation scales all but one to zero.

use super::contents::{Contents, MeshUse, Place, Timeline};
use super::data::Added;
use super::frames::Frame;
use super::nodes::{Play, STEP};
use rigy_base::maps::HashMap;
use rigy_base::meter::{Cost, Meter};
use rigy_gltf::json::{Value, object};
use rigy_gltf::{ElementType, Problem, Result};

/// About as many values of JSON has a mesh that is shown in turn, beside the mesh itself: its nodes, its accessors, its keys.
const VALUES_OF_TURN: usize = 64;

/// The extension by which a node shows its mesh in several places.
const INSTANCING: &str = "EXT_mesh_gpu_instancing";

/// The frames at which a mesh appears or disappears, the first frame being the first, with 1 and 0.
type Turns = Vec<(usize, u8)>;

/// Adds the meshes of all frames, and the animation that shows one after the other.
///
/// # Errors
/// If there are too many.
pub fn add<'a>(
    uses: &[MeshUse],
    (contents, timeline): (&Contents, &Timeline),
    frames: &mut [Frame],
    added: &mut Added<'a>,
    play: &mut Play<'a>,
    tree: &mut Value<'a>,
    meter: &mut Meter,
) -> Result<()> {
    let mut accessors: HashMap<(Place, usize), usize> = HashMap::default();
    let mut samplers = Samplers {
        timeline,
        known: HashMap::default(),
        values: HashMap::default(),
    };
    let all: Vec<usize> = (0..frames.len()).collect();
    for mesh in uses {
        let first_equal = contents.of_all(&mesh.changing(contents), &all);
        let turns = turns(&first_equal);
        if turns.len() < 2 {
            continue;
        }
        let of_turn = tree.list("meshes")[mesh.mesh].size() + VALUES_OF_TURN * mesh.nodes.len();
        meter.spend(Cost::Repeated, of_turn.saturating_mul(turns.len()) as u64)?;
        check_instancing(mesh, tree)?;
        let mut children = vec![Vec::new(); mesh.nodes.len()];
        for (frame, turns) in turns {
            let shown = match frame {
                0 => mesh.mesh,
                _ => {
                    let mut copy = tree.list("meshes")[mesh.mesh].clone();
                    let to = (&mut *frames, &mut *added, &mut accessors);
                    set_frame(&mut copy, mesh, frame, contents, to);
                    tree.extend("meshes", vec![copy]);
                    tree.list("meshes").len() - 1
                }
            };
            let sampler = samplers.sampler(turns, added, play);
            for (node, children) in mesh.nodes.iter().zip(&mut children) {
                let mut child = object([("mesh", shown.into())]);
                if let Some(name) = tree.list("nodes")[*node]
                    .get("name")
                    .and_then(Value::as_str)
                {
                    child.set("name", format!("{name}.{frame:04}"));
                }
                if frame > 0 {
                    child.set("scale", vec![0_u64.into(); 3]);
                }
                let node = tree.list("nodes").len();
                tree.extend("nodes", vec![child]);
                play.channel(sampler, node, "scale");
                children.push(node.into());
            }
        }
        for (node, children) in mesh.nodes.iter().zip(children) {
            let node = &mut tree.list_mut("nodes")[*node];
            node.remove("mesh");
            node.extend("children", children);
        }
    }
    Ok(())
}

/// Checks that no node shows several instances of the mesh, which would have to go to the children with it.
fn check_instancing(mesh: &MeshUse, tree: &Value) -> Result<()> {
    let nodes = tree.list("nodes");
    let Some(node) = mesh
        .nodes
        .iter()
        .find(|node| nodes[**node].extension(INSTANCING).is_some())
    else {
        return Ok(());
    };
    Err(Problem::rule(
        &format!("nodes[{node}]"),
        format!("`{INSTANCING}` shows a mesh that changes from frame to frame"),
    )
    .help("use `--as morph`, or bake single files with `--as frames`"))
}

/// For each content of a mesh the first frame that has it, ascending, and its turns.
fn turns(first_equal: &[usize]) -> Vec<(usize, Turns)> {
    let mut found: Vec<(usize, Turns)> = Vec::new();
    let mut place_of = HashMap::default();
    for (frame, first) in first_equal.iter().enumerate() {
        if first == &frame {
            place_of.insert(frame, found.len());
            let hidden_before = (frame > 0).then_some((0, 0));
            found.push((frame, hidden_before.into_iter().collect()));
        }
        let before = frame.checked_sub(1).map(|before| first_equal[before]);
        if before == Some(*first) {
            continue;
        }
        found[place_of[first]].1.push((frame, 1));
        if let Some(before) = before {
            found[place_of[&before]].1.push((frame, 0));
        }
    }
    found
}

/// Gives a copy of the JSON of a mesh the attributes of a frame, which are added.
fn set_frame<'a>(
    copy: &mut Value<'a>,
    mesh: &MeshUse,
    frame: usize,
    contents: &Contents,
    (frames, added, known): (
        &mut [Frame],
        &mut Added<'a>,
        &mut HashMap<(Place, usize), usize>,
    ),
) {
    copy.remove("name");
    for (primitive, from) in copy.list_mut("primitives").iter_mut().zip(&mesh.primitives) {
        let Some(attributes) = primitive.get_mut("attributes") else {
            continue;
        };
        for part in &from.parts {
            let own = contents.of(part.place, frame);
            if own == 0 {
                continue; // the copy has the accessor of the first frame already
            }
            let (stream, index) = part.place;
            let accessor = *known.entry((part.place, own)).or_insert_with(|| {
                let numbers = std::mem::take(&mut frames[own].vertices[stream][index]);
                added.attribute(&part.name, part.element, numbers)
            });
            attributes.set(part.name.clone(), accessor);
        }
    }
}

/// The samplers of scales, which meshes with the same turns share.
struct Samplers<'t> {
    timeline: &'t Timeline,
    known: HashMap<Turns, usize>,
    /// The accessors of values that are known.
    values: HashMap<Vec<u8>, usize>,
}

impl Samplers<'_> {
    fn sampler<'a>(&mut self, turns: Turns, added: &mut Added<'a>, play: &mut Play<'a>) -> usize {
        if let Some(known) = self.known.get(&turns) {
            return *known;
        }
        let (at, scales): (Vec<usize>, Vec<u8>) = turns.iter().copied().unzip();
        let times = added.times(self.timeline.of(&at));
        let values = self.values.entry(scales).or_insert_with_key(|scales| {
            let scales = scales.iter().flat_map(|scale| [f32::from(*scale); 3]);
            added.values(ElementType::Vec3, scales.collect())
        });
        let sampler = play.sampler(times, *values, STEP);
        self.known.insert(turns, sampler);
        sampler
    }
}

#[cfg(test)]
mod tests {
    use super::turns;

    #[test]
    fn equal_frames_are_one_mesh_that_returns() {
        assert_eq!(
            turns(&[0, 0, 2, 0, 4, 4]),
            [
                (0, vec![(0, 1), (2, 0), (3, 1), (4, 0)]),
                (2, vec![(0, 0), (2, 1), (3, 0)]),
                (4, vec![(0, 0), (4, 1)]),
            ]
        );
    }
}
