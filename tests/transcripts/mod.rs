//! Commands and all that they say. CONTRIBUTING.md says how a transcript is written; `scripts/bless.sh` fills it in.

use crate::support::transcript::Transcript;

/// A test for each transcript, and one that there is no other.
macro_rules! transcripts {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            let page = concat!("tests/transcripts/", stringify!($name), ".md");
            let transcript = Transcript { page, is_divided: true, ..Transcript::default() };
            assert!(transcript.check().commands > 0);
        })*

        #[test]
        fn all_are_run() {
            let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts");
            let names = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
            let pages = names.filter(|name| name.extension().is_some_and(|end| end == "md"));
            let mut stems: Vec<String> = pages.map(|page| page.file_stem().unwrap().to_string_lossy().into()).collect();
            stems.sort();
            assert_eq!(stems, [$(stringify!($name)),*]);
        }
    };
}

transcripts! {
    bakes
    clips
    configuration
    dependencies
    differences
    excludes
    expanded
    fmt
    init
    inputs
    lists
    options
    outputs
    pictures
    printing
    prune
    reports
    streams
    verify
    warnings
}
