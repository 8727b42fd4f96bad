use super::*;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};

/// The environment variable with the action of a process that this test starts.
const VARIABLE: &str = "RIGY_BATCH_TEST_OF_SIGBUS";

/// Touches a page behind the end of a file, in a map that is not in the table.
fn fault() {
    let file = tempfile::tempfile().unwrap();
    file.set_len(2 * page_size() as u64).unwrap();
    // SAFETY: no other function has access to the file, and its bytes are not used.
    let map = unsafe { memmap2::Mmap::map(&file).unwrap() };
    file.set_len(0).unwrap();
    std::hint::black_box(map[page_size()]);
}

extern "C" fn count(_: libc::c_int) {
    COUNT.fetch_add(1, Ordering::SeqCst);
}

static COUNT: AtomicUsize = AtomicUsize::new(0);

fn send() {
    // SAFETY: the call has no preconditions.
    unsafe { libc::raise(libc::SIGBUS) };
}

fn install_after(action: libc::sighandler_t) {
    // SAFETY: the action is a constant of the system, or a static function of the right type.
    unsafe { libc::signal(libc::SIGBUS, action) };
    handle_sigbus();
}

/// Executes an action in a process that the test has started. A process that survives its action exits with status 7.
fn act(what: &str) {
    match what {
        "fault" => {
            handle_sigbus();
            fault();
        }
        "sent" => {
            handle_sigbus();
            send();
        }
        "sent by default" => {
            install_after(libc::SIG_DFL);
            send();
        }
        "fault though ignored" => {
            install_after(libc::SIG_IGN);
            fault();
        }
        "sent and ignored" => {
            install_after(libc::SIG_IGN);
            send();
            send();
        }
        "sent to another handler" => {
            install_after(count as *const () as libc::sighandler_t);
            send();
            send();
            assert_eq!(COUNT.load(Ordering::SeqCst), 2);
        }
        _ => panic!("{what}"),
    }
    std::process::exit(7);
}

#[test]
fn a_signal_that_is_about_no_map_has_its_usual_effect() {
    if let Ok(what) = std::env::var(VARIABLE) {
        return act(&what);
    }
    let run = |what: &str| -> ExitStatus {
        let name = "io::sigbus::tests::a_signal_that_is_about_no_map_has_its_usual_effect";
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", name]).env(VARIABLE, what);
        command.output().unwrap().status
    };
    for what in ["fault", "sent", "sent by default", "fault though ignored"] {
        let status = run(what);
        assert_eq!(status.signal(), Some(libc::SIGBUS), "{what}: {status}");
    }
    for what in ["sent and ignored", "sent to another handler"] {
        let status = run(what);
        assert_eq!(status.code(), Some(7), "{what}: {status}");
    }
}
