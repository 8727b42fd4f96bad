//! The findings of a document: those that `rigy-batch PATH` reports about the same text.

use super::document::Document;
use super::host::Host;
use super::overlay::Overlay;
use rigy_base::diag::{Code, Diagnostic, Warned};
use rigy_base::limits::Limits;
use rigy_kernel::executor::Executor;
use rigy_kernel::simd::Isa;
use rigy_models::compile::{self, BuildError, Checked, Compiled, Files, Input};

/// Estimate of the memory for its vertices, in bytes, up to which a document is built. The findings of larger ones are those
/// of the checks that need no geometry.
pub const MAX_BUILT: u64 = 1 << 30;

/// Estimate of the memory from which on the findings of the checks are published before the document is built.
const SLOW: u64 = 4 << 20;

/// Finds the errors and warnings of a document. `publish` gets the findings of the checks when building takes longer, and
/// those of all stages at the end. Returns false if `is_stale` has returned true before the end.
pub fn judge(
    document: &Document,
    overlay: &Overlay,
    host: &dyn Host,
    limits: Limits,
    is_stale: &dyn Fn() -> bool,
    publish: &mut dyn FnMut(Vec<Diagnostic>),
) -> bool {
    let files = Files::new(overlay.clone()).within(limits);
    let name = document.name();
    let input = Input {
        name: &name,
        location: document.location.clone(),
        text: &document.text,
    };
    let Warned { value, warnings } = match compile::check(input, &files) {
        Ok(checked) => checked,
        Err(errors) => {
            publish(errors);
            return true;
        }
    };
    let pose_ids: Vec<String> = value.pose_ids().map(str::to_owned).collect();
    let mut findings = shown(warnings, &pose_ids);
    let memory = value.memory();
    if memory > MAX_BUILT {
        publish(findings);
        return true;
    }
    if memory >= SLOW {
        publish(findings.clone());
    }
    let clashes = host.clashes(&document.location.0, &pose_ids, &name);
    if !clashes.is_empty() {
        findings.extend(clashes);
        publish(findings);
        return true;
    }
    match built(value, &pose_ids, host.executor(), is_stale) {
        None => return false,
        Some((warnings, errors)) => {
            findings.extend(shown(warnings, &pose_ids));
            findings.extend(errors);
        }
    }
    publish(findings);
    true
}

/// Builds a document and poses it; returns the warnings and errors, or `None` if the work is stale before it is done, which
/// is asked before each mesh and each pose.
fn built(
    checked: Checked,
    pose_ids: &[String],
    executor: &dyn Executor,
    is_stale: &dyn Fn() -> bool,
) -> Option<(Vec<Diagnostic>, Vec<Diagnostic>)> {
    let isa = Isa::best();
    let proceed = || if is_stale() { Err(()) } else { Ok(()) };
    let Warned { value, warnings } = match checked.build_while(isa, executor, proceed) {
        Ok(built) => built,
        Err(BuildError::Faulty(errors)) => return Some((Vec::new(), errors)),
        Err(BuildError::Stopped(())) => return None,
    };
    let mut errors = value.export().err().unwrap_or_default();
    for id in pose_ids {
        if is_stale() {
            return None;
        }
        errors.extend(errors_of_pose(&value, id, isa, executor));
    }
    Some((warnings, errors))
}

fn errors_of_pose(
    compiled: &Compiled,
    id: &str,
    isa: Isa,
    executor: &dyn Executor,
) -> Vec<Diagnostic> {
    let posed = compiled.pose(id, isa, executor);
    posed
        .and_then(|posed| posed.bake().err())
        .unwrap_or_default()
}

/// Returns the warnings without W06 if there are no poses: it is about their files.
fn shown(mut warnings: Vec<Diagnostic>, pose_ids: &[String]) -> Vec<Diagnostic> {
    if pose_ids.is_empty() {
        warnings.retain(|warning| warning.code != Some(Code::W06));
    }
    warnings
}
