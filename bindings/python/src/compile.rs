//! Compiling one document.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyTuple};
use rigy_batch::base::diag::nearest;
use rigy_batch::base::paths::Slashed;
use rigy_batch::glb::{Posed, Style};
use rigy_batch::{
    Diagnostic, Files, Input, Isa, Limits, Location, OutputFile, PosedScene, Sequential, Warned,
    check,
};

use crate::arrays::{Instance, Mesh, Place, rows};
use crate::errors::working;
use crate::files::{directory_of, read};
use crate::loader::PythonLoader;
use crate::options::limits;
use crate::results;

/// The name of a document that is given as text without a name.
const UNNAMED: &str = "document.rigy.yaml";

/// Compiles a document or a scene: the file at `path`, or `text`.
///
/// References of a file stay inside `root`, by default the directory of the file. References of a text are asked of `loader`: a mapping
/// from paths to `bytes` or `str`, or a callable that takes a path and returns one of these, or None if there is no such file. The
/// paths are relative to the directory of the document, with `/` between names. `name` is the name of the text in findings; one that
/// ends in `.rigs.yaml` makes it a scene.
///
/// `with_instances`, `double_sided`, `outward` and `limit` (as in "bytes=4M,vertices=1M") do what the options of the program do.
///
/// Raises RigyError with all findings if the document has errors.
#[pyfunction]
#[pyo3(signature = (path=None, *, text=None, name=None, loader=None, root=None, with_instances=false, double_sided=false, outward=false, limit=None))]
#[allow(clippy::too_many_arguments)] // these are the keyword arguments of Python
pub fn compile(
    py: Python<'_>,
    path: Option<PathBuf>,
    text: Option<PyBackedStr>,
    name: Option<String>,
    loader: Option<Py<PyAny>>,
    root: Option<PathBuf>,
    with_instances: bool,
    double_sided: bool,
    outward: bool,
    limit: Option<&str>,
) -> PyResult<Compiled> {
    let builder = Builder {
        style: Style {
            with_instances,
            double_sided,
        },
        turns_triangles: outward,
        limits: limits(limit)?,
    };
    let message = match (path, text) {
        (Some(path), None) if loader.is_none() && name.is_none() => {
            return builder.file(py, path, root.as_deref());
        }
        (None, Some(text)) if root.is_none() => return builder.text(py, &text, name, loader),
        (Some(_), Some(_)) | (None, None) => "give either `path` or `text`",
        (Some(_), None) => "`name` and `loader` go with `text`; files are found on the disk",
        (None, Some(_)) => "`root` goes with `path`; files of a text are asked of `loader`",
    };
    Err(PyTypeError::new_err(message))
}

/// The way in which a document is built.
#[derive(Clone, Copy)]
struct Builder {
    style: Style,
    turns_triangles: bool,
    limits: Limits,
}

impl Builder {
    fn file(self, py: Python<'_>, path: PathBuf, root: Option<&Path>) -> PyResult<Compiled> {
        let name = path.shown();
        let built = working(py, &name, || {
            let bytes = read(&path, self.limits.bytes)?;
            let files = Files::new(directory_of(&path, root)?).within(self.limits);
            let input = Input {
                name: &name,
                text: rigy_batch::compile::decode(&name, &bytes)?,
                location: Location(path),
            };
            self.build(input, &files)
        });
        Compiled::new(py, name, built?)
    }

    fn text(
        self,
        py: Python<'_>,
        text: &str,
        name: Option<String>,
        loader: Option<Py<PyAny>>,
    ) -> PyResult<Compiled> {
        let name = name.unwrap_or_else(|| UNNAMED.to_owned());
        let loader = PythonLoader::new(loader);
        let files = Files::new(loader.clone()).within(self.limits);
        let built = working(py, &name, || self.build(Input::new(&name, text), &files));
        Compiled::new(py, name, loader.checked(built)?)
    }

    /// Checks and builds a document on the calling thread.
    fn build(
        self,
        input: Input<'_>,
        files: &Files,
    ) -> Result<Warned<rigy_batch::Compiled>, Vec<Diagnostic>> {
        let checked = check(input, files)?;
        let built = checked.value.build_by(Isa::best(), &Sequential)?;
        let value = built.value.styled(self.style);
        Ok(Warned {
            value: if self.turns_triangles {
                value.with_triangles_outward()
            } else {
                value
            },
            warnings: [checked.warnings, built.warnings].concat(),
        })
    }
}

/// The vertices of all meshes in one pose.
#[derive(Clone)]
struct PosedArrays {
    pose_id: String,
    positions: Arc<Py<PyTuple>>,
    normals: Arc<Py<PyTuple>>,
}

/// A document that has been compiled. It does not depend on its files any more.
#[pyclass(frozen, module = "rigy_batch")]
pub struct Compiled {
    name: String,
    compiled: Arc<rigy_batch::Compiled>,
    warnings: Py<PyTuple>,
    meshes: Vec<Py<Mesh>>,
    instances: PyOnceLock<Py<PyTuple>>,
    glb: PyOnceLock<Py<PyBytes>>,
    /// The pose whose arrays were asked for last.
    posed: Mutex<Option<PosedArrays>>,
}

impl Compiled {
    fn new(py: Python<'_>, name: String, built: Warned<rigy_batch::Compiled>) -> PyResult<Self> {
        let Warned { value, warnings } = built;
        let compiled = Arc::new(value);
        let base = match compiled.is_scene() {
            true => Place::Part(0), // the parts are in the order of first use
            false => Place::Root,
        };
        let meshes = Mesh::all(&compiled, base).into_iter();
        Ok(Self {
            name,
            meshes: meshes
                .map(|mesh| Py::new(py, mesh))
                .collect::<PyResult<_>>()?,
            compiled,
            warnings: results::findings(py, &warnings)?.unbind(),
            instances: PyOnceLock::new(),
            glb: PyOnceLock::new(),
            posed: Mutex::default(),
        })
    }

    /// Poses the document and makes something of that.
    fn posed<T: Send>(
        &self,
        py: Python<'_>,
        pose_id: &str,
        make: impl Fn(PosedScene<'_>) -> Result<T, Vec<Diagnostic>> + Send,
    ) -> PyResult<T> {
        let posed = working(py, &self.name, || {
            let posed = self.compiled.pose(pose_id, Isa::best(), &Sequential);
            posed.map(make).transpose()
        });
        posed?.ok_or_else(|| self.unknown_pose(pose_id))
    }

    /// Returns the exception about a pose that the document does not have.
    fn unknown_pose(&self, pose_id: &str) -> PyErr {
        let near = nearest(pose_id, self.compiled.pose_ids());
        let near = near.map_or(String::new(), |near| format!("; did you mean {near:?}?"));
        PyKeyError::new_err(format!("there is no pose {pose_id:?}{near}"))
    }

    /// Returns the arrays of a pose. Those of the last pose are kept, so that positions and normals are evaluated together.
    fn arrays(&self, py: Python<'_>, pose_id: &str) -> PyResult<PosedArrays> {
        let lock = || self.posed.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = lock().clone().filter(|kept| kept.pose_id == pose_id);
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let meshes = self.posed(py, pose_id, |posed| posed.into_vertices())?;
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        for mesh in meshes {
            let Posed {
                positions: of_mesh,
                normals: their_normals,
            } = mesh;
            positions.push(rows::<_, 3>(py, of_mesh)?);
            normals.push(rows::<_, 3>(py, their_normals)?);
        }
        let made = PosedArrays {
            pose_id: pose_id.to_owned(),
            positions: Arc::new(PyTuple::new(py, positions)?.unbind()),
            normals: Arc::new(PyTuple::new(py, normals)?.unbind()),
        };
        let replaced = lock().replace(made.clone());
        drop(replaced); // when the lock is free again
        Ok(made)
    }

    /// Returns everything that is placed.
    fn placed(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        let count = self.compiled.assembly().parts.len();
        let of_part = |part| {
            let meshes = Mesh::all(&self.compiled, Place::Part(part)).into_iter();
            meshes
                .map(|mesh| Py::new(py, mesh))
                .collect::<PyResult<_>>()
        };
        let parts: Vec<Vec<Py<Mesh>>> = (0..count).map(of_part).collect::<PyResult<_>>()?;
        let placed = Instance::all(py, &self.compiled, &self.meshes, &parts)?;
        Ok(PyTuple::new(py, placed)?.unbind())
    }
}

#[pymethods]
impl Compiled {
    /// The name of the document in findings.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The warnings of the compilation.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> Py<PyTuple> {
        self.warnings.clone_ref(py)
    }

    /// The ids of the poses, in document order.
    #[getter]
    fn pose_ids(&self) -> Vec<&str> {
        self.compiled.pose_ids().collect()
    }

    /// The GLB at rest, with skins and instances: the bytes that the program writes. It is made once.
    ///
    /// Raises RigyError if a number does not fit single precision, or the file would exceed 4 GiB.
    #[getter]
    fn glb(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        let glb = self.glb.get_or_try_init(py, || {
            let bytes = working(py, &self.name, || Ok(self.compiled.export()?.to_bytes()))?;
            PyResult::Ok(PyBytes::new(py, &bytes).unbind())
        });
        Ok(glb?.clone_ref(py))
    }

    /// Returns the GLB of a pose: plain meshes of posed vertices, the bytes that the program writes.
    ///
    /// Raises KeyError if the document has no such pose, and RigyError as for `glb`.
    fn pose<'py>(&self, py: Python<'py>, pose_id: &str) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.posed(py, pose_id, |posed| Ok(posed.bake()?.to_bytes()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns the posed positions, in metres, one array for each of `meshes`: float32 of shape (vertex_count, 3), with the bits of the
    /// baked GLB. A mesh that is not skinned is at rest. The arrays cannot be written to.
    ///
    /// Raises KeyError if the document has no such pose, and RigyError as for `glb`.
    fn positions(&self, py: Python<'_>, pose_id: &str) -> PyResult<Py<PyTuple>> {
        Ok(self.arrays(py, pose_id)?.positions.clone_ref(py))
    }

    /// Returns the posed unit normals, in the form of `positions`. The arrays of the pose that was asked for last are kept.
    ///
    /// Raises KeyError if the document has no such pose, and RigyError as for `glb`.
    fn normals(&self, py: Python<'_>, pose_id: &str) -> PyResult<Py<PyTuple>> {
        Ok(self.arrays(py, pose_id)?.normals.clone_ref(py))
    }

    /// The meshes of the document itself that have vertices, in the order of GLBs; of a scene those of the part that the others stand on.
    #[getter]
    fn meshes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.meshes.iter().map(|mesh| mesh.bind(py)))
    }

    /// The instances of the document in its order, or the parts of a scene, depth first.
    #[getter]
    fn instances(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        let placed = self.instances.get_or_try_init(py, || self.placed(py))?;
        Ok(placed.clone_ref(py))
    }

    fn __repr__(&self) -> String {
        let poses = self.compiled.pose_ids().count();
        let (name, meshes) = (&self.name, self.meshes.len());
        format!("<rigy_batch.Compiled {name:?}, {meshes} meshes, {poses} poses>")
    }
}
