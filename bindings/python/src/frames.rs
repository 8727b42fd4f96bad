//! The moments of an animation of a glTF file as arrays of NumPy.

use std::path::PathBuf;

use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use rigy_batch::base::diag::{Category, Diagnosed};
use rigy_batch::export::{Array, Sequence, common_arrays};
use rigy_batch::run::batch::{ClipPlan, MemoryLimit};
use rigy_batch::{Diagnostic, Warned};

use crate::bake::{UNNAMED, job_of_one};
use crate::errors::{warn, working};
use crate::files::PathOrBytes;
use crate::loader::PythonLoader;

/// Returns the moments of an animation of a glTF file as arrays that are made once and not copied: `Frames`.
///
/// `source`, `loader` and `root` are those of `bake`. `fps` is the number of moments a second, from the first key to the last, by default 24;
/// `frames`, in the place of it, names others as "0..47@24". `animation` is a name or a number, by default the first. `memory` is the number of bytes that
/// positions, normals and joints may take, by default half of those of the machine. The other arguments are fields of `Bake` that are not about
/// files.
///
/// Warnings are emitted as RigyWarning. Raises RigyError with all findings if the file cannot be baked, has no such animation or one without
/// keys, if a mesh is hidden at some moments only, or if the arrays would take more memory; ValueError if the options have no such values.
#[pyfunction]
#[pyo3(signature = (source, *, fps=None, frames=None, memory=None, loader=None, root=None, **options))]
#[allow(clippy::too_many_arguments)] // these are the keyword arguments of Python
pub fn frames<'py>(
    py: Python<'py>,
    source: PathOrBytes,
    fps: Option<f64>,
    frames: Option<String>,
    memory: Option<u64>,
    loader: Option<Py<PyAny>>,
    root: Option<PathBuf>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let refused = |message: String| Err(PyValueError::new_err(message));
    let given = PyDict::new(py);
    given.set_item("to", "npz")?;
    given.set_item(
        "frames",
        match (fps, frames) {
            (Some(_), Some(_)) => return refused("fps and frames exclude each other".to_owned()),
            (_, Some(frames)) => frames,
            (fps, None) => format!("@{}", fps.unwrap_or(24.0)),
        },
    )?;
    for (name, value) in options.into_iter().flatten() {
        if name.eq("time")? {
            return refused("time is for `bake`; one moment is frames=\"12..12@24\"".to_owned());
        }
        if given.contains(&name)? {
            return refused(format!("{name} is for files"));
        }
        given.set_item(name, value)?;
    }
    let results = py.import("rigy_batch._results")?;
    let bake = results.getattr("Bake")?.call((), Some(&given))?;
    let job = job_of_one(&bake)?;
    let name = source.name(UNNAMED);
    let loader = PythonLoader::new(loader);
    let mut vectors = Vectors::new(memory);
    let made = working(py, &name, || {
        let opened = source.open_playing(&name, root.as_deref(), &loader, &job.motion)?;
        let (bytes, location) = (opened.bytes(), &opened.location);
        job.with_exporter(bytes, location, &*opened.loader, |exporter, plans, _| {
            let clip = plans.first().unwrap_or(&ClipPlan::STORED).exported();
            let count = clip.moments.len();
            let Some(kind) = job.export else {
                return Err(Vec::new());
            };
            exporter.sequence(&clip, &kind, &[], &mut |sequence| {
                let about = |error: Diagnostic| error.about_file(&name);
                let taken = vectors.take(sequence, count);
                taken.map_err(|errors| errors.into_iter().map(about).collect())
            })
        })
    });
    let Warned {
        value: sequence,
        warnings,
    } = loader.checked(made)?;
    warn(py, &warnings)?;
    let arrays = PyDict::new(py);
    let add = |name: &str, kind: &str, shape: Vec<usize>, array: Bound<'py, PyAny>| {
        array.call_method1("setflags", (false,))?;
        let array = array.call_method1("view", (kind,))?;
        let array = array.call_method1("reshape", (PyTuple::new(py, shape)?,))?;
        arrays.set_item(name, array)
    };
    let joints = sequence.model().joints.len();
    let Vectors {
        count,
        positions,
        normals,
        joints: matrices,
        ..
    } = vectors;
    let shape = vec![count, positions.len() / count.max(1), 3];
    add(
        "positions",
        "<f4",
        shape.clone(),
        positions.into_flattened().into_pyarray(py).into_any(),
    )?;
    add(
        "normals",
        "<f4",
        shape,
        normals.into_flattened().into_pyarray(py).into_any(),
    )?;
    add(
        "joints",
        "<f4",
        vec![count, joints, 4, 4],
        matrices.into_pyarray(py).into_any(),
    )?;
    for Array(name, kind, shape, words) in common_arrays(&sequence) {
        add(name, kind, shape, words.into_pyarray(py).into_any())?;
    }
    results.getattr("Frames")?.call((), Some(&arrays))
}

/// The numbers of all frames.
struct Vectors {
    /// The bytes that they may take; by default half of the memory is found out.
    most: MemoryLimit,
    count: usize,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    joints: Vec<f32>,
}

impl Vectors {
    fn new(memory: Option<u64>) -> Self {
        Self {
            most: rigy_batch::cli::memory_or_half(memory),
            count: 0,
            positions: Vec::new(),
            normals: Vec::new(),
            joints: Vec::new(),
        }
    }

    /// Takes the frames of a sequence that will have `count` of them, for which there is room since the first.
    fn take(&mut self, sequence: &mut Sequence, count: usize) -> Diagnosed<()> {
        for frame in sequence.take_frames() {
            let vertices: usize = frame
                .surfaces
                .iter()
                .map(|surface| surface.positions.len())
                .sum();
            if self.count == 0 {
                self.reserve(count, vertices, frame.joints.len())?;
            }
            self.count += 1;
            for [position, normal] in frame.vertices() {
                self.positions.push(position);
                self.normals.push(normal);
            }
            self.joints.extend(frame.joints);
        }
        Ok(())
    }

    /// Makes room, if there is enough.
    fn reserve(&mut self, count: usize, vertices: usize, numbers: usize) -> Diagnosed<()> {
        let most = match self.most {
            MemoryLimit::Bytes(bytes) => bytes,
            MemoryLimit::Found(find) => find(),
        };
        let bytes = (count as u64).saturating_mul(24 * vertices as u64 + 4 * numbers as u64);
        let fits = bytes <= most
            && self.positions.try_reserve_exact(count * vertices).is_ok()
            && self.normals.try_reserve_exact(count * vertices).is_ok()
            && self.joints.try_reserve_exact(count * numbers).is_ok();
        if fits {
            return Ok(());
        }
        let message = format!(
            "{count} moments of {vertices} vertices and {} joints take {bytes} bytes as arrays; there are {most}",
            numbers / 16
        );
        let error = Diagnostic::without_code(Category::ExportError, message);
        Err(vec![error.help(
            "take fewer moments by `fps` or `frames`, or allow more by `memory`",
        )])
    }
}
