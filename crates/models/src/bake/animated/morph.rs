//! Morph targets: one for each content of a mesh but the first, and weights that go from one to the next.

use super::contents::{Contents, MeshUse, PartUse, Place, PrimitiveUse, Timeline};
use super::data::Added;
use super::frames::Frame;
use super::nodes::{LINEAR, Play};
use crate::bake::evaluate::primitive_path;
use crate::bake::streams::Stream;
use crate::glb::first_not_finite;
use rigy_base::maps::HashMap;
use rigy_base::meter::{Cost, Meter};
use rigy_gltf::json::{Value, object};
use rigy_gltf::{ElementType, Problem, Result};

/// The inputs of the form.
pub struct Morphs<'m> {
    pub uses: &'m [MeshUse],
    pub contents: &'m Contents,
    pub timeline: &'m Timeline,
    /// The frames that are keys, ascending, the first frame among them.
    pub kept: &'m [usize],
}

/// About as many values of JSON has an attribute of a morph target, with its accessor.
const VALUES_OF_ATTRIBUTE: usize = 16;

/// Checks that the handedness of tangents stays as it is, which morph targets cannot change.
///
/// # Errors
/// If it changes.
pub fn check_handedness(streams: &[Stream], frames: &[Frame]) -> Result<()> {
    for (index, stream) in streams.iter().enumerate() {
        let tangents = stream.parts.iter().position(|part| part.name == "TANGENT");
        let Some(part) = tangents else { continue };
        let hands = |frame: usize| {
            frames[frame].vertices[index][part]
                .as_chunks::<4>()
                .0
                .iter()
                .map(|[.., w]| *w)
        };
        if (0..frames.len()).any(|frame| !hands(frame).eq(hands(0))) {
            let path = primitive_path(stream.users[0]);
            let message = "joints mirror its vertices in some frames only; morph targets cannot change the handedness of tangents";
            return Err(Problem::rule(&path, message)
                .help("use `--as step`, or bake single files with `--as frames`"));
        }
    }
    Ok(())
}

/// A target of a mesh: the frame that it shows.
type Target = usize;

impl Morphs<'_> {
    /// Adds the targets of all meshes that change, and the animation of their weights.
    ///
    /// # Errors
    /// If there are too many, or a displacement is not finite in single precision.
    pub fn add<'a>(
        &self,
        frames: &mut [Frame],
        added: &mut Added<'a>,
        play: &mut Play<'a>,
        tree: &mut Value<'a>,
        meter: &mut Meter,
    ) -> Result<()> {
        let mut accessors: HashMap<(Place, usize), usize> = HashMap::default();
        let mut samplers: HashMap<Vec<usize>, usize> = HashMap::default();
        let mut times = None;
        for mesh in self.uses {
            let (targets, of_keys) = self.targets(mesh);
            if targets.is_empty() {
                continue;
            }
            let attributes: usize = mesh.primitives.iter().map(|one| 1 + one.parts.len()).sum();
            let of_mesh = attributes.saturating_mul(VALUES_OF_ATTRIBUTE);
            let values = of_mesh.saturating_mul(targets.len()) as u64;
            let weights_of_keys = targets.len().saturating_mul(of_keys.len()) as u64;
            meter.spend(Cost::Repeated, values)?;
            meter.spend(Cost::Weights, weights_of_keys)?;
            for (index, primitive) in mesh.primitives.iter().enumerate() {
                let list = targets.iter().map(|target| {
                    self.target(
                        primitive,
                        *target,
                        (&mut *frames, &mut *added, &mut accessors),
                    )
                });
                let list: Vec<Value> = list.collect::<Result<_, _>>()?;
                let tree = &mut tree.list_mut("meshes")[mesh.mesh];
                tree.list_mut("primitives")[index].set("targets", list);
            }
            let names = targets.iter().map(|frame| format!("{frame:04}").into());
            let tree = &mut tree.list_mut("meshes")[mesh.mesh];
            let mut extras = tree.get("extras").cloned().unwrap_or(object([]));
            extras.set("targetNames", Value::Array(names.collect()));
            tree.set("extras", extras);
            let sampler = samplers.entry(of_keys).or_insert_with_key(|of_keys| {
                let times = *times.get_or_insert_with(|| added.times(self.timeline.of(self.kept)));
                let weights = weights(of_keys, targets.len());
                let values = added.values(ElementType::Scalar, weights);
                play.sampler(times, values, LINEAR)
            });
            for node in &mesh.nodes {
                play.channel(*sampler, *node, "weights");
            }
        }
        Ok(())
    }

    /// The targets of a mesh, and for each key the number of its target, from 1 on; 0 for the mesh as it is in the first
    /// frame.
    fn targets(&self, mesh: &MeshUse) -> (Vec<Target>, Vec<usize>) {
        let first_equal = self
            .contents
            .of_all(&mesh.changing(self.contents), self.kept);
        let mut targets = Vec::new();
        let mut of_keys = Vec::with_capacity(self.kept.len());
        for (position, first) in first_equal.into_iter().enumerate() {
            if first == position && position > 0 {
                targets.push(self.kept[position]);
                of_keys.push(targets.len());
            } else {
                of_keys.push(of_keys.get(first).copied().unwrap_or(0));
            }
        }
        (targets, of_keys)
    }

    /// The JSON of a target of a primitive: displacements of the attributes that change in any key, POSITION among them.
    fn target<'a>(
        &self,
        primitive: &PrimitiveUse,
        target: Target,
        (frames, added, known): (
            &mut [Frame],
            &mut Added<'a>,
            &mut HashMap<(Place, usize), usize>,
        ),
    ) -> Result<Value<'a>> {
        let mut attributes = object([]);
        let changes = |part: &&PartUse| {
            self.kept
                .iter()
                .any(|frame| self.contents.of(part.place, *frame) != 0)
        };
        let count = primitive.vertex_count;
        let parts: Vec<&PartUse> = primitive.parts.iter().filter(changes).collect();
        if !parts.iter().any(|part| part.name == "POSITION") {
            let zeros = added.zeros("POSITION", ElementType::Vec3, count);
            attributes.set("POSITION", zeros);
        }
        for part in parts {
            let frame = self.contents.of(part.place, target);
            let accessor = match known.get(&(part.place, frame)) {
                Some(known) => *known,
                None => {
                    let element = displaced(part);
                    let numbers = displacements(frames, part, frame)?;
                    let accessor = added.displacements(&part.name, element, numbers);
                    known.insert((part.place, frame), accessor);
                    accessor
                }
            };
            attributes.set(part.name.clone(), accessor);
        }
        Ok(attributes)
    }
}

/// The type of the displacements of an attribute: those of tangents have no handedness.
fn displaced(part: &PartUse) -> ElementType {
    match &*part.name {
        "TANGENT" => ElementType::Vec3,
        _ => part.element,
    }
}

/// The displacements of an attribute from the first frame to another, whose numbers are used up unless it is the first.
///
/// # Errors
/// If one of them is not finite.
fn displacements(frames: &mut [Frame], part: &PartUse, frame: usize) -> Result<Vec<f32>> {
    let (stream, index) = part.place;
    let width = displaced(part).component_count();
    let mut numbers = match frame {
        0 => frames[0].vertices[stream][index].clone(),
        _ => std::mem::take(&mut frames[frame].vertices[stream][index]),
    };
    let base = &frames[0].vertices[stream][index];
    for (number, base) in numbers.iter_mut().zip(base) {
        *number -= base;
    }
    if let Some(bad) = first_not_finite(&numbers) {
        let vertex = bad / part.element.component_count();
        let message = format!(
            "vertex {vertex} moves farther from its place in the first frame than single precision has numbers for"
        );
        return Err(Problem::rule(&part.name, message).code(rigy_base::diag::Code::U15));
    }
    if width < part.element.component_count() {
        let rows = numbers.chunks_exact(part.element.component_count());
        numbers = rows.flat_map(|row| &row[..width]).copied().collect();
    }
    Ok(numbers)
}

/// The weights of all keys: each key has 1 for its own target.
fn weights(of_keys: &[usize], targets: usize) -> Vec<f32> {
    let mut weights = vec![0.0; of_keys.len() * targets];
    for (row, target) in weights.chunks_exact_mut(targets).zip(of_keys) {
        if let Some(own) = target.checked_sub(1) {
            row[own] = 1.0;
        }
    }
    weights
}
