//! The `merge-reports` command.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::args::MergeReports;
use super::report::ReportPlace;
use super::{Fatal, SUCCESS, print};
use crate::io::{Durability, IoError, Target, is_one_file};
use crate::run::batch::merge_reports;

pub fn run(args: &MergeReports) -> Result<u8, Fatal> {
    let output = args.output.as_deref();
    let place = output.map(|path| check_output(path, &args.reports));
    let place = place
        .transpose()?
        .filter(|place| !place.is_standard_output());
    let open = |path: &PathBuf| -> Result<_, Fatal> {
        let file = Target::new(path).open()?;
        Ok((path.display().to_string(), BufReader::new(file)))
    };
    let reports = args.reports.iter().map(open).collect::<Result<_, _>>()?;
    // A file appears when it is whole. Standard output cannot be taken back, so it begins once all is well.
    match (place, output) {
        (Some(place), Some(path)) => {
            let mut out = place.open(Durability::None)?;
            merge_reports(reports, &path.display().to_string(), &mut out)?;
            out.commit()?;
        }
        _ => {
            let mut file = tempfile::tempfile()?;
            merge_reports(reports, "a temporary file", &mut file)?;
            std::io::Seek::rewind(&mut file)?;
            print(&mut file)?;
        }
    }
    Ok(SUCCESS)
}

/// The result replaces none of the reports that it is made from, and nothing that is no report.
fn check_output(path: &Path, reports: &[PathBuf]) -> Result<ReportPlace, Fatal> {
    let mut is_report = false;
    for report in reports {
        let is_one = is_one_file(report, path);
        is_report |=
            is_one.map_err(|error| IoError::new("compare with the reports", path, error))?;
    }
    if is_report {
        let path = path.display();
        return Err(format!(
            "`{path}` is one of the reports to be merged; name another file after `-o`"
        )
        .into());
    }
    ReportPlace::check(path)
}
