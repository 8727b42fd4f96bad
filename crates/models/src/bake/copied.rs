//! Accessors that are copied: numbers in them that are not finite are warned of, and bounds that they contradict are corrected
//! (`bake.md` §6).
//!
//! In: the accessors of the input that a baked file keeps. Out: warnings, and `min` and `max` as the elements have them. Each range
//! of elements is read once, whichever accessors share it.

use std::sync::OnceLock;

use super::evaluate::primitive_path;
use super::kept::Kept;
use crate::glb::all_finite;
use rigy_base::diag::{Code, Diagnostic, MOST_FINDINGS};
use rigy_base::maps::HashMap;
use rigy_base::meter::{Cost, Meter};
use rigy_gltf::json::Value;
use rigy_gltf::{Accessor, ComponentType, File, Problem};
use rigy_kernel::executor::Executor;

/// The members of an accessor that hold the least and the greatest number of each component.
const BOUNDS: [&str; 2] = ["min", "max"];

/// The elements of one or more accessors.
struct Elements<'f> {
    accessor: Accessor<'f>,
    /// True if an accessor states their bounds.
    has_bounds: bool,
    contents: OnceLock<Contents>,
}

/// Warns of numbers in kept accessors that are not finite, and corrects bounds in `accessors`, the JSON of these.
///
/// # Errors
/// If accessors overlap so often that reading them takes too much work.
pub fn check(
    file: &File,
    kept: &Kept,
    accessors: &mut [Value],
    executor: &dyn Executor,
    meter: &mut Meter,
) -> Result<Vec<Diagnostic>, Problem> {
    let mut elements: Vec<Elements> = Vec::new();
    let mut known = HashMap::default();
    let mut examined = Vec::new();
    for (index, new) in kept.accessor_indices.iter().enumerate() {
        let Some((new, accessor)) = new.zip(file.accessor(index)) else {
            continue;
        };
        let has_bounds = BOUNDS.iter().any(|key| accessors[new].get(key).is_some());
        if !has_bounds && accessor.component_type() != ComponentType::F32 {
            continue;
        }
        let number = *known.entry(file.elements_key(index)).or_insert_with(|| {
            elements.push(Elements {
                accessor: accessor.unnormalized(),
                has_bounds: false,
                contents: OnceLock::new(),
            });
            elements.len() - 1
        });
        elements[number].has_bounds |= has_bounds;
        examined.push((index, new, number));
    }
    let sizes = elements.iter().map(|elements| {
        let components = elements.accessor.component_count() as u64;
        (elements.accessor.count() as u64).saturating_mul(components)
    });
    meter.spend(Cost::Copied, sizes.fold(0, u64::saturating_add))?;
    executor.for_each(elements.len(), &|number| {
        let Elements {
            accessor,
            has_bounds,
            contents,
        } = &elements[number];
        let _ = contents.set(Contents::of(accessor, *has_bounds));
    });
    let mut places = None;
    let mut warnings = Vec::new();
    for (index, new, number) in examined {
        let Elements {
            accessor, contents, ..
        } = &elements[number];
        let Some(contents) = contents.get() else {
            continue;
        };
        if contents.first.is_some() && warnings.len() < MOST_FINDINGS {
            let places = places.get_or_insert_with(|| attributes(file));
            let place = places.get(&index).map(String::as_str);
            let problem = contents.warning(accessor, index, place);
            warnings.extend(problem.map(|problem| problem.into_diagnostic(&file.name)));
        }
        contents.correct(&mut accessors[new], accessor);
    }
    Ok(warnings)
}

/// For each accessor with vertices the path of the first attribute that it is.
fn attributes(file: &File) -> HashMap<usize, String> {
    let mut places = HashMap::default();
    for (mesh, of_mesh) in file.meshes.iter().enumerate() {
        for (primitive, of_primitive) in of_mesh.primitives.iter().enumerate() {
            for (name, accessor) in &of_primitive.attributes {
                places.entry(*accessor).or_insert_with(|| {
                    format!("{}.attributes.{name}", primitive_path((mesh, primitive)))
                });
            }
        }
    }
    places
}

/// Most components of an element.
const WIDEST: usize = 16;

/// The bounds of elements, and the count of their numbers that are not finite.
struct Contents {
    /// Number of floats that are infinite or NaN.
    non_finite: u64,
    /// Indices of element and component of the first of them.
    first: Option<(usize, usize)>,
    /// The least finite number of each component; infinite if there is none, and if bounds are not wanted.
    min: [f64; WIDEST],
    /// The greatest one; likewise.
    max: [f64; WIDEST],
}

/// Elements that are read at a time; a multiple of [`LANES`], of which four floats each fit the first-level cache.
const ROWS: usize = 128 * LANES;

impl Contents {
    /// Reads all elements of an accessor, whose integers are not normalized.
    fn of(accessor: &Accessor, has_bounds: bool) -> Self {
        let mut contents = Self {
            non_finite: 0,
            first: None,
            min: [f64::INFINITY; WIDEST],
            max: [f64::NEG_INFINITY; WIDEST],
        };
        match accessor.component_count() {
            1 => contents.read::<1>(accessor, has_bounds),
            2 => contents.read::<2>(accessor, has_bounds),
            3 => contents.read::<3>(accessor, has_bounds),
            4 => contents.read::<4>(accessor, has_bounds),
            9 => contents.read::<9>(accessor, has_bounds),
            _ => contents.read::<WIDEST>(accessor, has_bounds),
        }
        contents
    }

    /// Reads elements of `N` components. Vectors of floats, all of which are mostly finite, and of unsigned integers are read
    /// without a branch for each number.
    fn read<const N: usize>(&mut self, accessor: &Accessor, has_bounds: bool) {
        let count = accessor.count();
        let len = count.min(ROWS);
        let mut floats = vec![[0.0; N]; len];
        let mut integers = Vec::new();
        let mut reals = Vec::new();
        let mut of_floats = Lanes::new(f32::INFINITY, f32::NEG_INFINITY);
        let mut of_integers = Lanes::new(u32::MAX, 0);
        for first in (0..count).step_by(ROWS) {
            let len = len.min(count - first);
            let floats = &mut floats[..len];
            if accessor.copy_f32(first, floats) && all_finite(floats.as_flattened(), |n| n) {
                if has_bounds {
                    of_floats.add(floats.as_flattened());
                }
            } else if accessor.has_unsigned::<N>() {
                integers.resize(len, [0; N]);
                accessor.copy_u32(first, &mut integers);
                of_integers.add(integers.as_flattened());
            } else {
                reals.resize(len, [0.0; N]);
                accessor.copy(first, &mut reals);
                self.add(first, &reals);
            }
        }
        self.merge(&of_floats, N);
        self.merge(&of_integers, N);
    }

    /// Adds elements, the first of which has the index `first`.
    fn add<const N: usize>(&mut self, first: usize, rows: &[[f64; N]]) {
        for (index, row) in (first..).zip(rows) {
            for (component, number) in row.iter().enumerate() {
                if number.is_finite() {
                    self.widen(component, *number, *number);
                } else {
                    self.non_finite += 1;
                    self.first.get_or_insert((index, component));
                }
            }
        }
    }

    /// Adds the bounds of elements of `width` components, if any were added there.
    fn merge<T: Copy + Into<f64>>(&mut self, lanes: &Lanes<T>, width: usize) {
        if lanes.is_used {
            for (lane, (min, max)) in lanes.min.iter().zip(&lanes.max).enumerate() {
                self.widen(lane % width, (*min).into(), (*max).into());
            }
        }
    }

    fn widen(&mut self, component: usize, min: f64, max: f64) {
        self.min[component] = lesser(min, self.min[component]);
        self.max[component] = greater(max, self.max[component]);
    }

    /// The warning about numbers that are not finite, if there are any; `place` is the path of the attribute that the
    /// accessor of this index is, if it is one.
    fn warning(&self, accessor: &Accessor, index: usize, place: Option<&str>) -> Option<Problem> {
        let (element, component) = self.first?;
        let number = accessor.real(element, component);
        let noun = if place.is_some() { "vertex" } else { "element" };
        let first = format!("component {component} of {noun} {element} is {number}");
        let message = match self.non_finite {
            1 => first,
            count => format!("{first}, the first of {count} numbers that are not finite"),
        };
        let path = place.map_or_else(|| format!("accessors[{index}]"), str::to_owned);
        Some(
            Problem::rule(&path, message)
                .code(Code::W07)
                .help("let the program that the file comes from write finite numbers"),
        )
    }

    /// Replaces bounds in the JSON of an accessor with these elements if they are others. A component without a finite number
    /// has the bounds 0.
    fn correct(&self, json: &mut Value, accessor: &Accessor) {
        let component = accessor.component_type();
        for (key, bounds) in BOUNDS.iter().zip([&self.min, &self.max]) {
            let bounds = &bounds[..accessor.component_count()];
            let bounds: Vec<f64> = bounds
                .iter()
                .map(|n| if n.is_finite() { n + 0.0 } else { 0.0 })
                .collect();
            if json
                .get(key)
                .is_some_and(|given| !are(given, &bounds, component))
            {
                json.set(*key, Value::numbers(&bounds));
            }
        }
    }
}

/// True if a JSON value is an array of these numbers, floats to the precision of f32.
fn are(value: &Value, numbers: &[f64], component: ComponentType) -> bool {
    let is = |(given, number): (&Value, &f64)| match (given.as_f64(), component) {
        (Some(given), ComponentType::F32) => given as f32 == *number as f32,
        (given, _) => given == Some(*number),
    };
    let given = value.elements();
    given.len() == numbers.len() && given.iter().zip(numbers).all(is)
}

/// Numbers that are compared at once: a multiple of 1, 2, 3 and 4 components.
const LANES: usize = 12;

/// The bounds of numbers, by their index modulo [`LANES`].
struct Lanes<T> {
    min: [T; LANES],
    max: [T; LANES],
    is_used: bool,
}

impl<T: Copy + PartialOrd> Lanes<T> {
    /// The bounds of no numbers: the greatest and the least number of the type.
    fn new(greatest: T, least: T) -> Self {
        Self {
            min: [greatest; LANES],
            max: [least; LANES],
            is_used: false,
        }
    }

    /// Adds numbers, the first of which belongs to lane 0.
    fn add(&mut self, numbers: &[T]) {
        self.is_used = true;
        let mut min = self.min;
        let mut max = self.max;
        let (rows, rest) = numbers.as_chunks::<LANES>();
        for row in rows {
            for lane in 0..LANES {
                min[lane] = lesser(row[lane], min[lane]);
                max[lane] = greater(row[lane], max[lane]);
            }
        }
        for (lane, number) in rest.iter().enumerate() {
            min[lane] = lesser(*number, min[lane]);
            max[lane] = greater(*number, max[lane]);
        }
        (self.min, self.max) = (min, max);
    }
}

fn lesser<T: PartialOrd>(number: T, known: T) -> T {
    if number < known { number } else { known }
}

fn greater<T: PartialOrd>(number: T, known: T) -> T {
    if number > known { number } else { known }
}
