//! Messages on standard error.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, Ordering};

use rigy_base::sync::Mutex;

use super::{render, stream, width};

/// Writes to standard error. Text that cannot be written is lost. Once a write has timed out because nothing reads the
/// other end, all later text is lost, too.
pub fn print_stderr(text: &str) {
    static UNREAD: AtomicBool = AtomicBool::new(false);
    if !UNREAD.load(Ordering::Relaxed) {
        let is_unread = stream::write_all(std::io::stderr().lock(), text.as_bytes())
            .is_err_and(|error| error.kind() == ErrorKind::TimedOut);
        UNREAD.store(is_unread, Ordering::Relaxed);
    }
}

/// Prints findings for people, if there are any.
pub fn print_findings(findings: &[rigy_base::diag::Diagnostic]) {
    if !findings.is_empty() {
        print_stderr(&render::render(findings));
    }
}

/// A message that belongs to no input, as text for standard error. Control characters in it are escaped, and it fits the terminal.
pub fn message(message: &dyn std::fmt::Display) -> String {
    let text: String = message
        .to_string()
        .lines()
        .map(|line| format!("rigy-batch: {}\n", render::printable(line)))
        .collect();
    width::wrapped(&text, width::of_standard_error(), 2)
}

/// Prints a message that belongs to no input.
pub fn print_message(text: &dyn std::fmt::Display) {
    print_stderr(&message(text));
}

/// Prints a message that does not change from one run of this process to the next, once.
pub fn print_note(message: &str) {
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut printed = PRINTED.lock();
    if printed.insert(message.to_owned()) {
        print_message(&message);
    }
}
