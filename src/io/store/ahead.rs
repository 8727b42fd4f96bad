//! Reading ahead: objects are fetched while the inputs before them are processed.

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use tokio::sync::Semaphore;

use super::objects::Store;
use super::{Session, lock, object_at};

/// Most objects that are fetched at the same time before they are needed.
const AT_ONCE: usize = 32;
/// Most inputs between the one that a run has begun last and the last one that is fetched.
const DISTANCE: usize = 128;
/// Objects that are fetched and not needed yet have no more than this many bytes together, but for one.
const MOST: u64 = 256 << 20;

/// Fetches the inputs of a run in their order.
pub(crate) struct ReadAhead(Option<Mutex<State>>);

struct State {
    session: Arc<Session>,
    permits: Arc<Semaphore>,
    /// The inputs on stores that have not been asked for, with their numbers.
    waiting: VecDeque<(usize, Arc<Store>, String)>,
    /// The inputs that have been asked for and are not finished, by number.
    asked: HashMap<usize, Asked>,
    /// Bytes of these together.
    bytes: u64,
}

/// An input that has been asked for.
struct Asked {
    store: Arc<Store>,
    key: String,
    /// Its length in bytes.
    len: u64,
    /// True once the work on the input has ended.
    is_finished: Arc<AtomicBool>,
}

impl ReadAhead {
    /// Prepares to read inputs, given in the order in which they are processed.
    pub fn over<'p>(inputs: impl Iterator<Item = &'p Path>) -> Self {
        let mut session = None;
        let mut waiting = VecDeque::new();
        for (number, path) in inputs.enumerate() {
            if let Some(object) = object_at(path)
                && let Some(key) = object.key
            {
                waiting.push_back((number, object.bucket.store, key));
                session = Some(object.session);
            }
        }
        let state = session.map(|session| State {
            session,
            permits: Arc::new(Semaphore::new(AT_ONCE)),
            waiting,
            asked: HashMap::new(),
            bytes: 0,
        });
        Self(state.map(Mutex::new))
    }

    /// Says that the work on an input begins, and asks for those that come soon.
    pub fn reached(&self, number: usize) {
        let Some(state) = &self.0 else {
            return;
        };
        let mut state = lock(state);
        while let Some((next, ..)) = state.waiting.front()
            && *next <= number.saturating_add(DISTANCE)
            && (state.bytes < MOST || state.asked.is_empty())
        {
            state.ask();
        }
    }

    /// Says that an input is finished.
    pub fn finished(&self, number: usize) {
        let Some(state) = &self.0 else {
            return;
        };
        let mut state = lock(state);
        if let Some(asked) = state.asked.remove(&number) {
            state.bytes -= asked.len;
            asked.is_finished.store(true, Relaxed);
            asked.store.may_go(&asked.key);
        } else if let Ok(place) = state.waiting.binary_search_by_key(&number, |next| next.0) {
            // An earlier run has left its outputs, so that its bytes were not needed.
            state.waiting.remove(place);
        }
    }
}

impl State {
    /// Asks for the first input that is waiting. A failure is left to the work on the input, which asks again.
    fn ask(&mut self) {
        let Some((number, store, key)) = self.waiting.pop_front() else {
            return;
        };
        let known = store
            .index()
            .get(&key)
            .flatten()
            .map(|known| known.stat.len);
        let len = known.unwrap_or(0);
        self.bytes += len;
        let is_finished = Arc::new(AtomicBool::new(false));
        let asked = Asked {
            store: store.clone(),
            key: key.clone(),
            len,
            is_finished: is_finished.clone(),
        };
        self.asked.insert(number, asked);
        let permits = self.permits.clone();
        self.session.runtime.spawn(async move {
            let _permit = permits.acquire_owned().await;
            if !is_finished.load(Relaxed) {
                let _ = store.fetch(&key, false).await;
            }
        });
    }
}
