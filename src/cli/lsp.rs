//! The `lsp` command: a language server over standard streams.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::common_args::LimitArgs;
use super::output::ignore_closed_reader;
use super::status::{FAILED, Result, SUCCESS};
use crate::io::{DirectoryLoader, Skips, discover, identity, len_for_estimate};
use crate::run::Parallel;
use crate::run::batch::pose_clashes;
use crate::server::frame::{self, Received, Sent};
use crate::server::{Host, Queue, Server};
use rigy_base::diag::Diagnostic;
use rigy_base::loader::{Loader, Location};
use rigy_kernel::executor::Executor;

/// Run a language server, with which editors show findings while you write
///
/// It speaks the Language Server Protocol over standard input and output, and is started by an editor, not by hand. Open
/// documents are checked as `rigy-batch PATH` does, after each edit and without being saved, with all that they import;
/// formatting does what `rigy-batch fmt` does; and fields, codes, names and their references are explained, proposed, found and
/// renamed. The directory `editors` of the repository has settings for
/// VS Code, Neovim and Helix.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status: 0 the editor has shut it down, 1 the input has ended before.")]
pub struct Lsp {
    /// Accepted for editors that say so; there are no other ways to connect
    #[arg(long)]
    pub stdio: bool,

    #[command(flatten)]
    pub limit: LimitArgs,
}

/// Frames that wait between the threads. More stay in the pipe.
const MOST_WAITING: usize = 256;

/// Answers messages until the client ends the exchange, or its input ends.
pub(super) fn run(args: &Lsp) -> Result<u8> {
    let input = Input::start()?;
    let (mut server, mut queue) = (
        Server::new(&Machine, args.limit.limits()?),
        Queue::default(),
    );
    let mut out = Out::default();
    while server.ended().is_none() && !out.is_closed {
        // All messages that have arrived are queued first, so that a request that the client has cancelled is not begun.
        while let Some(frame) = input.arrived()? {
            accept(frame, &mut queue, &server, &mut out)?;
        }
        if let Some(message) = queue.pop() {
            server
                .receive(message)
                .iter()
                .try_for_each(|answer| out.send(answer))?;
        } else if server.has_work() {
            work(&mut server, &input, &mut out)?;
        } else if let Some(frame) = input.wait()? {
            accept(frame, &mut queue, &server, &mut out)?;
        } else {
            break;
        }
    }
    Ok(match server.ended() {
        Some(true) => SUCCESS,
        _ => FAILED,
    })
}

/// Puts a message into the queue; for a frame that is no message, sends the client a warning.
fn accept(frame: Received, queue: &mut Queue, server: &Server, out: &mut Out) -> Result<()> {
    let answer = match frame {
        Received::Message(message) => queue.push(message),
        Received::Unusable(reason) => Some(server.unusable(reason)),
    };
    answer.map_or(Ok(()), |answer| out.send(&Sent::Message(answer)))
}

/// Judges one document, until another frame arrives.
fn work(server: &mut Server, input: &Input, out: &mut Out) -> Result<()> {
    let mut sent = Ok(());
    server.work(&|| input.is_waiting(), &mut |message| {
        if sent.is_ok() {
            sent = out.send(&Sent::Message(message));
        }
    });
    sent
}

/// The messages of the client. A thread reads them from standard input while the server works, so that the server can see
/// that another message waits.
struct Input {
    frames: Receiver<io::Result<Received>>,
    /// The number of frames that have been read and not been taken.
    waiting: Arc<AtomicUsize>,
}

impl Input {
    /// Starts to read standard input.
    fn start() -> Result<Self> {
        let (sender, frames) = sync_channel(MOST_WAITING);
        let waiting = Arc::new(AtomicUsize::new(0));
        let counter = waiting.clone();
        thread::Builder::new()
            .name("input".to_owned())
            .spawn(move || read_all(&sender, &counter))
            .map_err(|error| format!("cannot start a thread that reads: {error}"))?;
        Ok(Self { frames, waiting })
    }

    /// Returns a frame that has arrived, if there is one.
    fn arrived(&self) -> Result<Option<Received>> {
        self.taken(self.frames.try_recv().ok())
    }

    /// Waits for the next frame; returns `None` at the end of the input.
    fn wait(&self) -> Result<Option<Received>> {
        self.taken(self.frames.recv().ok())
    }

    fn is_waiting(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    fn taken(&self, read: Option<io::Result<Received>>) -> Result<Option<Received>> {
        if read.is_some() {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
        }
        read.transpose()
            .map_err(|error| format!("standard input: {error}").into())
    }
}

/// Reads frames until the input ends, or nothing takes them any more.
fn read_all(frames: &SyncSender<io::Result<Received>>, waiting: &AtomicUsize) {
    let mut input = io::stdin().lock();
    while let Some(frame) = frame::read(&mut input).transpose() {
        let is_last = frame.is_err();
        waiting.fetch_add(1, Ordering::Relaxed);
        if frames.send(frame).is_err() || is_last {
            break;
        }
    }
}

/// Standard output.
#[derive(Default)]
struct Out {
    /// True if the client has closed the other end.
    is_closed: bool,
}

impl Out {
    fn send(&mut self, message: &Sent) -> Result<()> {
        let Err(error) = message.write(&mut io::stdout().lock()) else {
            return Ok(());
        };
        self.is_closed = true;
        ignore_closed_reader(error)
    }
}

/// This machine, as the server needs it.
pub struct Machine;

impl Host for Machine {
    fn directory(&self, root: &Path) -> Option<Arc<dyn Loader + Send>> {
        Some(Arc::new(DirectoryLoader::new(root).ok()?))
    }

    fn identity(&self, path: &Path) -> PathBuf {
        identity(path)
    }

    fn len(&self, path: &Path) -> u64 {
        len_for_estimate(path)
    }

    fn files_below(
        &self,
        root: &Path,
        fits: &dyn Fn(&OsStr) -> bool,
    ) -> Result<Vec<Location>, String> {
        let skips = Skips {
            ignored: true,
            ..Skips::default()
        };
        let found = discover(&[root.to_owned()], fits, &skips);
        let found = found.map_err(|error| error.to_string())?.found;
        Ok(found.into_iter().map(|it| Location(it.path)).collect())
    }

    fn executor(&self) -> &dyn Executor {
        &Parallel
    }

    fn clashes(&self, document: &Path, pose_ids: &[String], name: &str) -> Vec<Diagnostic> {
        pose_clashes(document, pose_ids, name)
            .err()
            .unwrap_or_default()
    }
}
