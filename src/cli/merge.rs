//! The `merge-reports` command.

use std::io::{BufReader, Write, stdout};

use super::args::MergeReports;
use super::{Fatal, SUCCESS};
use crate::batch::merge_reports;
use crate::io::{Draft, Durability, Target};

pub fn run(args: &MergeReports) -> Result<u8, Fatal> {
    let open = |path: &std::path::PathBuf| -> Result<_, Fatal> {
        let file = Target::new(path).open()?;
        Ok((path.display().to_string(), BufReader::new(file)))
    };
    let reports = args.reports.iter().map(open).collect::<Result<_, _>>()?;
    // A file appears when it is whole. Standard output cannot be taken back, so it begins once all is well.
    match &args.output {
        Some(path) => {
            let mut draft = Draft::beside(path, Durability::None)?;
            merge_reports(reports, &mut draft)?;
            draft.commit()?;
        }
        None => {
            let mut file = tempfile::tempfile()?;
            merge_reports(reports, &mut file)?;
            std::io::Seek::rewind(&mut file)?;
            let mut out = stdout().lock();
            // Nobody reading on is no fault of the reports.
            let _ = std::io::copy(&mut file, &mut out).and_then(|_| out.flush());
        }
    }
    Ok(SUCCESS)
}
