//! The objects of one bucket: listing, reading and writing them.

use std::future::Future;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::StreamExt;
use object_store::path::Path as Key;
use object_store::{GetOptions, ObjectMeta, ObjectStore};
use tokio::time::timeout;

use super::index::{Bytes, Index, Known};
use super::mirror::{Mirror, Mirrored};
use super::requests::{Fault, Requests, STALL, delay};
use crate::io::system::ObjectStat;

/// A bucket.
#[derive(Debug)]
pub(super) struct Store {
    /// The scheme and the bucket, as `s3://bucket`.
    pub base: String,
    pub(super) client: Arc<dyn ObjectStore>,
    pub(super) requests: Arc<Requests>,
    mirror: Arc<Mirror>,
    index: Mutex<Index>,
}

/// What is done about an object of which nothing is known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// Its bytes are read, because they will be needed.
    Bytes,
    /// The store is asked for its length and version alone.
    Head,
}

impl Store {
    pub fn new(
        base: String,
        client: Arc<dyn ObjectStore>,
        (requests, mirror): (Arc<Requests>, Arc<Mirror>),
    ) -> Self {
        Self {
            base,
            client,
            requests,
            mirror,
            index: Mutex::default(),
        }
    }

    pub(super) fn index(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists the objects below a prefix and passes their keys, relative to it, to `visit`, which returns false to end the
    /// listing. They are noted in the index, as far as it takes them.
    ///
    /// # Errors
    /// If the store cannot be asked, or has a key that is no path.
    pub async fn list(&self, prefix: &str, visit: &mut dyn FnMut(&str) -> bool) -> io::Result<()> {
        let (mut after, mut failures) = (None, 0);
        loop {
            let before = after.clone();
            let mut is_sorted = true;
            match self
                .list_from(prefix, (&mut after, &mut is_sorted), visit)
                .await
            {
                Ok(is_ended) => {
                    let mut index = self.index();
                    if is_ended && !index.is_full() {
                        index.set_whole(prefix);
                    }
                    return Ok(());
                }
                // What has been listed is not listed again, which takes keys in order.
                Err(fault) => {
                    failures = if before == after { failures } else { 0 };
                    if !is_sorted || !self.requests.is_to_be_repeated(&fault, failures) {
                        return Err(unlistable(fault));
                    }
                }
            }
            tokio::time::sleep(delay(failures)).await;
            failures += 1;
        }
    }

    /// Lists the objects that come after `after`, and moves it. Clears `is_sorted` if keys come in no order. Returns false if
    /// `visit` has ended the listing.
    async fn list_from(
        &self,
        prefix: &str,
        (after, is_sorted): (&mut Option<Key>, &mut bool),
        visit: &mut dyn FnMut(&str) -> bool,
    ) -> Result<bool, Fault> {
        let directory = key(prefix)?;
        let mut objects = match &*after {
            Some(after) => self.client.list_with_offset(Some(&directory), after),
            None => self.client.list(Some(&directory)),
        };
        while let Some(object) = in_time(objects.next()).await? {
            let object = object?;
            let key = object.location.as_ref();
            self.index().add_listed(key, Known::new(&object));
            let below = key.strip_prefix(prefix).unwrap_or(key);
            let goes_on = visit(below.trim_start_matches('/'));
            *is_sorted &= after.as_ref().is_none_or(|after| *after < object.location);
            *after = Some(object.location);
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns what the store says about an object, asking it only if nothing is known; `None` if there is none.
    ///
    /// # Errors
    /// If the store cannot be asked.
    pub async fn look(self: &Arc<Self>, name: &str, ask: Ask) -> io::Result<Option<ObjectStat>> {
        let stat_of = |known: Option<&Known>| known.map(|known| known.stat);
        if let Some(known) = self.index().get(name) {
            return Ok(stat_of(known));
        }
        match ask {
            Ask::Head => {
                let known = self.head(name).await?;
                let stat = stat_of(known.as_ref());
                self.index().note(name, known);
                Ok(stat)
            }
            Ask::Bytes => match self.read(name).await {
                Ok((_, stat)) => Ok(Some(stat)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            },
        }
    }

    /// Asks for the length and the version of an object.
    pub(super) async fn head(&self, name: &str) -> io::Result<Option<Known>> {
        let object = key(name)?;
        let ask = || async {
            let options = GetOptions {
                head: true,
                ..GetOptions::default()
            };
            Ok(in_time(self.client.get_opts(&object, options)).await??.meta)
        };
        match self.requests.send(ask).await {
            Ok(meta) => Ok(Some(Known::new(&meta))),
            Err(fault) if fault.is_absence() => Ok(None),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Returns a file with the bytes of an object, which are fetched if the mirror does not have them, and its metadata.
    ///
    /// # Errors
    /// `NotFound` if there is no object. If it cannot be read, or has changed since it was read before.
    pub async fn read(self: &Arc<Self>, name: &str) -> io::Result<(Arc<Mirrored>, ObjectStat)> {
        let fetched = self.fetch(name, true).await?;
        let index = self.index();
        match index.get(name) {
            Some(Some(known)) => Ok((fetched, known.stat)),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Fetches the bytes of an object, unless the mirror has them. With `is_spare` the mirror may remove them as soon as nothing
    /// has them open.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub async fn fetch(self: &Arc<Self>, name: &str, is_spare: bool) -> io::Result<Arc<Mirrored>> {
        if let Some(None) = self.index().get(name) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let bytes: Bytes = self.index().bytes(name);
        let fetched = bytes.get_or_try_init(|| async {
            let (fetched, known) = self.get(name).await?;
            self.index().note_read(name, known);
            if is_spare {
                self.mirror.may_go(self, name.to_owned());
            }
            Ok(Arc::new(fetched))
        });
        fetched.await.cloned()
    }

    /// Says that no input in progress needs the bytes of an object.
    pub fn may_go(self: &Arc<Self>, name: &str) {
        self.mirror.may_go(self, name.to_owned());
    }

    /// Makes the mirror forget the bytes of an object. Its file is removed when nothing has it open.
    pub fn forget_bytes(&self, name: &str) {
        self.index().forget_bytes(name);
    }

    /// Gets an object into a new file of the mirror.
    pub(super) async fn get(&self, name: &str) -> io::Result<(Mirrored, Known)> {
        let object = key(name)?;
        let before = self.index().tag_read(name);
        let get = || async {
            let options = GetOptions {
                if_match: before.clone(),
                ..GetOptions::default()
            };
            let answer = in_time(self.client.get_opts(&object, options)).await??;
            self.write_down(answer).await
        };
        self.requests.send(get).await.map_err(|fault| {
            if fault.is_absence() {
                self.index().note(name, None);
            }
            match fault.is_conflict() {
                true => io::Error::other("it has changed since it was read before"),
                false => fault.into(),
            }
        })
    }

    /// Writes the bytes of an answer to a new file of the mirror.
    async fn write_down(
        &self,
        answer: object_store::GetResult,
    ) -> Result<(Mirrored, Known), Fault> {
        let known = Known::new(&answer.meta);
        let (mut handle, file) = self.mirror.file().map_err(Fault::Disk)?;
        let mut received = 0;
        let mut parts = answer.into_stream();
        while let Some(part) = in_time(parts.next()).await? {
            let part = part?;
            received += part.len() as u64;
            io::Write::write_all(&mut handle, &part).map_err(Fault::Disk)?;
        }
        match received == known.stat.len {
            true => Ok((self.mirror.keep(file, received), known)),
            false => Err(Fault::Cut),
        }
    }
}

/// Waits for an answer, but no longer than [`STALL`].
pub(super) async fn in_time<T>(answer: impl Future<Output = T>) -> Result<T, Fault> {
    timeout(STALL, answer).await.map_err(|_| Fault::Stalled)
}

/// Returns a key in the form that requests take.
pub(super) fn key(name: &str) -> Result<Key, Fault> {
    Key::parse(name).map_err(|source| Fault::Store(object_store::Error::InvalidPath { source }))
}

/// Returns the error of a listing. The message about a key that is no path says what to do about it.
fn unlistable(fault: Fault) -> io::Error {
    match &fault {
        Fault::Store(object_store::Error::InvalidPath { source }) => io::Error::new(
            io::ErrorKind::InvalidData,
            format!("a key there is no path: {source}; rename that object, or name another prefix"),
        ),
        _ => fault.into(),
    }
}

/// Returns what is known of an object after it has been written.
pub(super) fn written(len: u64, result: object_store::PutResult) -> Known {
    Known::new(&ObjectMeta {
        location: Key::default(),
        last_modified: std::time::SystemTime::now().into(),
        size: len,
        e_tag: result.e_tag,
        version: result.version,
    })
}
