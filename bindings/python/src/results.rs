//! Results as objects of the dataclasses that `rigy_batch/_results.py` defines.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple, PyType};
use rigy_batch::Diagnostic;
use rigy_batch::base::diag::{Code, FullFinding};
use rigy_batch::base::paths::Slashed;
use rigy_batch::run::batch::{Outcome, OutputRecord, Placed, Status, Summary};
use rigy_batch::run::conformance::Verdict;
use rigy_batch::view::difference::{Deviation, Difference, MeshDifference};

/// A dataclass, found once.
struct Class {
    name: &'static str,
    found: PyOnceLock<Py<PyType>>,
}

impl Class {
    const fn new(name: &'static str) -> Self {
        let found = PyOnceLock::new();
        Self { name, found }
    }

    /// Returns an object with these values for its fields, in their order.
    fn make<'py>(
        &self,
        py: Python<'py>,
        fields: impl pyo3::call::PyCallArgs<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = self.found.import(py, "rigy_batch._results", self.name)?;
        class.call1(fields)
    }
}

/// Returns a tuple of what `make` gives for each value.
fn each<'py, T>(
    py: Python<'py>,
    values: &[T],
    make: impl Fn(Python<'py>, &T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    if values.is_empty() {
        return Ok(PyTuple::empty(py));
    }
    let made: PyResult<Vec<_>> = values.iter().map(|value| make(py, value)).collect();
    PyTuple::new(py, made?)
}

/// Returns a `Finding`.
pub fn finding<'py>(py: Python<'py>, finding: &Diagnostic) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = Class::new("Finding");
    let FullFinding {
        finding,
        help,
        importers,
        is_warning,
        is_transient,
    } = FullFinding::new(finding);
    let fields = (
        finding.code.map(Code::name),
        finding.category.name(),
        finding.message,
        help,
        finding.file,
        finding.line,
        finding.column,
        finding.path,
        PyTuple::new(py, importers)?,
        is_warning,
        is_transient,
    );
    CLASS.make(py, fields)
}

/// Returns a tuple of `Finding`.
pub fn findings<'py>(py: Python<'py>, findings: &[Diagnostic]) -> PyResult<Bound<'py, PyTuple>> {
    each(py, findings, finding)
}

fn placed<'py>(py: Python<'py>, findings: &[&Diagnostic]) -> PyResult<Bound<'py, PyTuple>> {
    each(py, findings, |py, it| finding(py, it))
}

fn status(py: Python<'_>, status: Status) -> &Bound<'_, PyString> {
    match status {
        Status::Written => pyo3::intern!(py, "written"),
        Status::Unchanged => pyo3::intern!(py, "unchanged"),
        Status::Failed => pyo3::intern!(py, "failed"),
        Status::Skipped => pyo3::intern!(py, "skipped"),
        Status::Removed => pyo3::intern!(py, "removed"),
    }
}

fn output<'py>(
    py: Python<'py>,
    (record, found): &(&OutputRecord, Placed<'_>),
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = Class::new("Output");
    let moment = record.moment.as_ref();
    let fields = (
        record.path.as_ref().map(|path| path.shown()),
        status(py, record.status),
        &record.pose,
        moment.and_then(|moment| moment.animation.as_ref()),
        moment.and_then(|moment| moment.time),
        moment.and_then(|moment| moment.frame),
        record.is_beside,
        record.bytes,
        &record.sha256,
        placed(py, &found.warnings)?,
        placed(py, &found.errors)?,
    );
    CLASS.make(py, fields)
}

/// Returns an `Outcome`.
pub fn outcome<'py>(py: Python<'py>, outcome: &Outcome) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = Class::new("Outcome");
    let records: Vec<_> = outcome.records.iter().zip(outcome.placed()).collect();
    let fields = (
        outcome.input.shown(),
        each(py, &records, output)?,
        findings(py, &outcome.warnings)?,
        findings(py, &outcome.errors)?,
        outcome.known,
    );
    CLASS.make(py, fields)
}

/// Returns a `Summary`.
fn summary<'py>(py: Python<'py>, counts: &Summary) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = Class::new("Summary");
    let fields = (
        counts.inputs,
        counts.written,
        counts.unchanged,
        counts.failed,
        counts.skipped,
        counts.removed,
        counts.warnings,
    );
    CLASS.make(py, fields)
}

/// Returns a `RunResult`. `errors` are failures that belong to no input.
pub fn run_result<'py>(
    py: Python<'py>,
    outcomes: Vec<Py<PyAny>>,
    counts: &Summary,
    errors: &[Diagnostic],
    is_partial: bool,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = Class::new("RunResult");
    let outcomes = PyTuple::new(py, outcomes)?;
    let fields = (
        outcomes,
        summary(py, counts)?,
        findings(py, errors)?,
        is_partial,
    );
    CLASS.make(py, fields)
}

/// Returns a `Verdict`.
pub fn verdict<'py>(py: Python<'py>, verdict: &Verdict) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = Class::new("Verdict");
    let Verdict {
        id,
        category,
        passed,
        detail,
    } = verdict;
    CLASS.make(py, (id, category, *passed, detail))
}

fn deviation<'py>(py: Python<'py>, deviation: &Deviation) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = Class::new("Deviation");
    CLASS.make(py, (deviation.max, deviation.mean, deviation.vertex))
}

fn mesh_difference<'py>(py: Python<'py>, mesh: &MeshDifference) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = Class::new("MeshDifference");
    let degrees = mesh.normal_degrees.as_ref();
    let fields = (
        &mesh.mesh,
        mesh.primitive,
        mesh.vertices,
        deviation(py, &mesh.position)?,
        degrees.map(|degrees| deviation(py, degrees)).transpose()?,
    );
    CLASS.make(py, fields)
}

/// Returns a `Difference`; `passes` is its field of this name.
pub fn difference<'py>(
    py: Python<'py>,
    difference: &Difference,
    passes: bool,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = Class::new("Difference");
    let fields = (
        difference.equal,
        passes,
        &difference.first_difference,
        PyTuple::new(py, &difference.structure)?,
        each(py, &difference.meshes, mesh_difference)?,
        difference.max_distance,
    );
    CLASS.make(py, fields)
}
