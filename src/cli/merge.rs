//! The `merge-reports` command.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::args::MergeReports;
use super::named::check_ending;
use super::output::{CLOSED, print};
use super::report::ReportTarget;
use super::status::{Result, SUCCESS, bail};
use super::stream;
use crate::io::{IoError, Target, is_one_of};
use crate::run::batch::merge_reports;
use rigy_base::paths::Slashed;

pub fn run(args: &MergeReports) -> Result<u8> {
    open_many();
    let output = args.output.as_deref();
    let target = output.map(|path| check_output(path, &args.reports));
    let target = target
        .transpose()?
        .filter(|target| !target.is_standard_output());
    let open = |path: &PathBuf| -> Result<_> {
        let file = Target::new(path).open()?;
        Ok((path.shown(), BufReader::new(file)))
    };
    let reports = args.reports.iter().map(open).collect::<Result<_, _>>()?;
    // A file appears when it is complete. Standard output cannot be taken back, so it gets the result only when all
    // reports have been merged.
    match (target, output) {
        (Some(target), Some(path)) => {
            let mut out = target.open(false)?;
            merge_reports(reports, &path.shown(), &mut out)?;
            out.commit()?;
        }
        _ => {
            if stream::is_closed(std::io::stdout()) {
                return Err(CLOSED.into());
            }
            let mut file = tempfile::tempfile()?;
            merge_reports(reports, "a temporary file", &mut file)?;
            std::io::Seek::rewind(&mut file)?;
            print(&mut file)?;
        }
    }
    Ok(SUCCESS)
}

/// Asks for as many open files as the system lets this process have: all reports are open at the same time.
fn open_many() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let current = maximum;
        // If it is refused, opening the reports says so where there are too many.
        let _ = setrlimit(Resource::Nofile, Rlimit { current, maximum });
    }
}

/// Refuses to replace one of the reports to be merged, or a file that is not a report.
fn check_output(path: &Path, reports: &[PathBuf]) -> Result<ReportTarget> {
    let is_report = is_one_of(path, reports.iter().map(PathBuf::as_path));
    if is_report.map_err(IoError::at("compare with the reports", path))? {
        let path = path.slashed();
        bail!("`{path}` is one of the reports to be merged; name another file after `-o`");
    }
    let target = ReportTarget::check(path)?;
    check_ending(path, "report", &["json"])?;
    Ok(target)
}
