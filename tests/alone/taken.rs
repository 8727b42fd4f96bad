//! A place in which another run seems to have made every file and directory first.

use rigy_batch::io::Sink;
use rigy_batch::io::faults::{self, Fault};

use crate::alone::in_own_process;
use crate::support::Dir;

#[test]
fn a_private_directory_that_cannot_be_made_is_given_up_soon() {
    if !in_own_process(a_private_directory_that_cannot_be_made_is_given_up_soon) {
        return;
    }
    let dir = Dir::new();
    faults::plant(Fault::Taken);
    let error = Sink::new(dir.path(), false).unwrap_err();
    let tried = faults::clear().len();
    assert!((2..=100).contains(&tried), "{tried}");
    assert!(
        error.to_string().starts_with("cannot write below"),
        "{error}"
    );
    assert!(dir.files().is_empty() && dir.path().read_dir().unwrap().next().is_none());
}
