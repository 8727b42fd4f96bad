//! Meshes and instances, with their numbers as arrays of NumPy.
//!
//! An array takes over the vector that holds its numbers: nothing is copied, and the vector is freed with the last array that
//! refers to it. Arrays cannot be written to, because all who ask for one share it.

use std::collections::HashMap;
use std::ptr;
use std::sync::Arc;

use numpy::ndarray::{Array, Dimension, IntoDimension};
use numpy::{Element, IntoPyArray, PyArray, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use rigy_batch::Compiled;
use rigy_batch::geometry::scene;
use rigy_batch::glb::Posed;
use rigy_batch::kernel::math::Affine;

/// Returns an array of rows of `WIDTH` numbers, which takes over the vector.
pub fn rows<'py, T: Element, const WIDTH: usize>(
    py: Python<'py>,
    numbers: Vec<T>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    array(py, (numbers.len() / WIDTH, WIDTH), numbers)
}

/// Returns an array of this shape, which takes over the vector.
pub fn array<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    shape: impl IntoDimension<Dim = D>,
    numbers: Vec<T>,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let array = Array::from_shape_vec(shape.into_dimension(), numbers);
    let array = array.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let array = array.into_pyarray(py);
    array.readwrite().make_nonwriteable();
    Ok(array)
}

/// The scene that a mesh is in.
#[derive(Clone, Copy)]
pub enum Place {
    /// The document itself.
    Root,
    /// A part that it imports.
    Part(usize),
}

/// The arrays of a mesh, once they are asked for.
struct Arrays {
    /// Positions and normals.
    vertices: PyOnceLock<[Py<PyArray2<f32>>; 2]>,
    indices: PyOnceLock<Py<PyArray2<u32>>>,
    uvs: PyOnceLock<Py<PyTuple>>,
}

/// A mesh of a compiled document at rest, in model space. All primitives of the mesh are merged, in document order.
#[pyclass(frozen, module = "rigy_batch")]
pub struct Mesh {
    compiled: Arc<Compiled>,
    place: Place,
    index: usize,
    arrays: Arrays,
}

impl Mesh {
    /// Returns all meshes of a scene.
    pub fn all(compiled: &Arc<Compiled>, place: Place) -> Vec<Self> {
        let count = meshes(compiled, place).len();
        let mesh = |index| Self {
            compiled: compiled.clone(),
            place,
            index,
            arrays: Arrays {
                vertices: PyOnceLock::new(),
                indices: PyOnceLock::new(),
                uvs: PyOnceLock::new(),
            },
        };
        (0..count).map(mesh).collect()
    }

    fn mesh(&self) -> &scene::Mesh {
        &meshes(&self.compiled, self.place)[self.index]
    }

    /// Returns the arrays of positions and normals.
    fn vertices(&self, py: Python<'_>) -> PyResult<&[Py<PyArray2<f32>>; 2]> {
        self.arrays.vertices.get_or_try_init(py, || {
            let at_rest = py.detach(|| Posed::at_rest(&self.mesh().geometry));
            let positions = rows::<_, 3>(py, at_rest.positions)?;
            let normals = rows::<_, 3>(py, at_rest.normals)?;
            Ok([positions.unbind(), normals.unbind()])
        })
    }
}

fn meshes(compiled: &Compiled, place: Place) -> &[scene::Mesh] {
    let assembly = compiled.assembly();
    match place {
        Place::Root => &assembly.root.meshes,
        Place::Part(part) => &assembly.parts[part].meshes,
    }
}

#[pymethods]
impl Mesh {
    /// The name of the mesh and of its node in GLBs.
    #[getter]
    fn name(&self) -> &str {
        &self.mesh().name
    }

    /// True if poses move the mesh: it is bound to an armature.
    #[getter]
    fn is_skinned(&self) -> bool {
        self.mesh().skin.is_some()
    }

    /// The number of vertices.
    #[getter]
    fn vertex_count(&self) -> usize {
        self.mesh().geometry.positions.len()
    }

    /// The number of triangles.
    #[getter]
    fn triangle_count(&self) -> usize {
        self.mesh().geometry.indices.len() / 3
    }

    /// The primitives in document order: of each, its vertices and its triangles as ranges of rows of the arrays.
    #[getter]
    fn primitives(&self) -> Vec<((usize, usize), (usize, usize))> {
        let geometry = &self.mesh().geometry;
        let ranges = geometry.primitives.iter().zip(&geometry.primitive_indices);
        let rows = ranges.map(|(vertices, indices)| {
            let triangles = (indices.start / 3, indices.end / 3);
            ((vertices.start, vertices.end), triangles)
        });
        rows.collect()
    }

    /// The positions at rest, in metres: float32 of shape (vertex_count, 3), with the bits of the GLB. It cannot be written to.
    #[getter]
    fn positions(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f32>>> {
        let [positions, _] = self.vertices(py)?;
        Ok(positions.clone_ref(py))
    }

    /// The unit normals at rest: float32 of shape (vertex_count, 3), with the bits of the GLB. It cannot be written to.
    #[getter]
    fn normals(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f32>>> {
        let [_, normals] = self.vertices(py)?;
        Ok(normals.clone_ref(py))
    }

    /// The triangles: uint32 of shape (triangle_count, 3), rows of `positions`. It cannot be written to.
    #[getter]
    fn indices(&self, py: Python<'_>) -> PyResult<Py<PyArray2<u32>>> {
        let make = || rows::<_, 3>(py, self.mesh().geometry.indices.clone()).map(Bound::unbind);
        let array = self.arrays.indices.get_or_try_init(py, make)?;
        Ok(array.clone_ref(py))
    }

    /// The UV sets in order: float32 of shape (vertex_count, 2) each. They cannot be written to.
    #[getter]
    fn uvs(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        let set = |[us, vs]: &[Vec<f64>; 2]| {
            let numbers = us.iter().zip(vs).flat_map(|(u, v)| [*u as f32, *v as f32]);
            rows::<f32, 2>(py, numbers.collect())
        };
        let make = || {
            let sets: PyResult<Vec<_>> = self.mesh().geometry.uvs.iter().map(set).collect();
            PyTuple::new(py, sets?).map(Bound::unbind)
        };
        Ok(self.arrays.uvs.get_or_try_init(py, make)?.clone_ref(py))
    }

    fn __repr__(&self) -> String {
        let (name, vertices) = (&self.mesh().name, self.vertex_count());
        format!("<rigy_batch.Mesh {name:?}, {vertices} vertices>")
    }
}

/// A part or mesh that is placed in a document, or a part that stands on another in a scene.
#[pyclass(frozen, get_all, module = "rigy_batch")]
pub struct Instance {
    /// The id of the instance or child.
    id: String,
    /// The namespace of the import, the id of the mesh, or the alias of the part that is placed.
    base: String,
    /// The transform to the space of the document or the scene: float64 of shape (4, 4), for column vectors. It cannot be written to.
    matrix: Py<PyArray2<f64>>,
    /// The meshes that are placed, at rest in their own space.
    meshes: Py<PyTuple>,
}

#[pymethods]
impl Instance {
    fn __repr__(&self) -> String {
        format!("<rigy_batch.Instance {:?} of {:?}>", self.id, self.base)
    }
}

impl Instance {
    /// Returns everything that is placed. `own` are the meshes of the document itself, and `parts` those of each part.
    pub fn all(
        py: Python<'_>,
        compiled: &Compiled,
        own: &[Py<Mesh>],
        parts: &[Vec<Py<Mesh>>],
    ) -> PyResult<Vec<Self>> {
        let assembly = compiled.assembly();
        // Meshes are recognised by their address, which is their own as long as the document is there.
        let known = std::iter::once((&assembly.root, own)).chain(
            assembly
                .parts
                .iter()
                .map(|part| &**part)
                .zip(parts.iter().map(Vec::as_slice)),
        );
        let known: HashMap<*const scene::Mesh, &Py<Mesh>> = known
            .flat_map(|(scene, meshes)| scene.meshes.iter().map(ptr::from_ref).zip(meshes))
            .collect();
        let instance = |placed: rigy_batch::compile::Placement<'_>| {
            let found = placed.meshes.iter().filter_map(|mesh| {
                let found = known.get(&ptr::from_ref(mesh));
                found.map(|mesh| mesh.clone_ref(py))
            });
            Ok(Self {
                id: placed.id.to_owned(),
                base: placed.base.to_owned(),
                matrix: rows::<_, 4>(py, square(&placed.matrix))?.unbind(),
                meshes: PyTuple::new(py, found.collect::<Vec<_>>())?.unbind(),
            })
        };
        compiled.placements().into_iter().map(instance).collect()
    }
}

/// Returns the 16 numbers of an affine transform, row by row.
fn square(matrix: &Affine) -> Vec<f64> {
    let rows = matrix.iter().flatten().copied();
    rows.chain([0.0, 0.0, 0.0, 1.0]).collect()
}
