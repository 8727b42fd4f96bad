//! The context of a run of `bake` or of the main command: signals, threads and the destinations of its report and page.

use std::sync::Arc;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::batch_args::Batch;
use super::interrupt::Interrupt;
use super::page::PageTarget;
use super::rendered::Rendered;
use super::report::ReportTarget;
use super::status::{Result, bail};
use super::watch::Told;
use crate::io::{identity, memory_limit};
use crate::run::batch::MemoryLimit;
use rigy_base::paths::Slashed;

/// The signals, threads and destinations of a run.
pub struct RunContext<'t> {
    pub interrupt: Interrupt,
    pub pool: Arc<rayon::ThreadPool>,
    /// Destination of the report, if there is to be one.
    pub report: Option<ReportTarget>,
    /// Destination of the report page, if there is to be one.
    pub page: Option<PageTarget>,
    /// The messages of earlier rounds of `--watch`; `None` for a run by itself.
    told: Option<&'t mut Told>,
}

impl<'t> RunContext<'t> {
    /// Begins a run.
    ///
    /// # Errors
    /// If there are no threads, or a report or a page cannot go where it is to go.
    pub fn begin(args: &Batch, told: Option<&'t mut Told>) -> Result<Self> {
        let interrupt = Interrupt::new()?;
        let pool = Arc::new(args.common.threads.pool()?);
        let report = args
            .report
            .as_deref()
            .map(ReportTarget::check)
            .transpose()?;
        let page = args.html.as_deref().map(PageTarget::check).transpose()?;
        refuse_one_file(report.as_ref(), page.as_ref())?;
        Ok(Self {
            interrupt,
            pool,
            report,
            page,
            told,
        })
    }

    /// Returns true if an outcome is to be printed.
    pub fn is_new(&mut self, rendered: &Rendered) -> bool {
        let told = self.told.as_mut();
        told.is_none_or(|told| told.is_new(rendered))
    }

    /// Returns true if the run has an end to print even if no outcome is new.
    pub fn always_ends(&self) -> bool {
        self.told.as_ref().is_none_or(|told| told.is_first())
    }

    /// Returns true if the run is one of several, each of which says how long it took.
    pub fn is_round(&self) -> bool {
        self.told.is_some()
    }
}

/// Refuses a report and a page that would be one file.
fn refuse_one_file(report: Option<&ReportTarget>, page: Option<&PageTarget>) -> Result<()> {
    match (report.and_then(ReportTarget::file), page) {
        (Some(report), Some(page)) if identity(report) == identity(&page.file) => {
            let shown = page.path.slashed();
            bail!(
                "`--report` and `--html` both name `{shown}`; name another file after one of them"
            )
        }
        _ => Ok(()),
    }
}

/// Returns the limit on the memory of a run: the bytes that were requested or else half of what there is.
pub fn memory_or_half(requested: Option<u64>) -> MemoryLimit {
    requested.map_or(MemoryLimit::Found(half_of_memory), MemoryLimit::Bytes)
}

/// Returns half of the memory of this machine in bytes, or half of the smallest limit on the memory of this process and of
/// its control groups, if that is less.
fn half_of_memory() -> u64 {
    let ram = MemoryRefreshKind::nothing().with_ram();
    let system = System::new_with_specifics(RefreshKind::nothing().with_memory(ram));
    let machine = match system.total_memory() {
        0 => 4 << 30, // the system does not tell
        total => total,
    };
    let limit = memory_limit().unwrap_or(u64::MAX);
    (machine.min(limit) / 2).max(1)
}
