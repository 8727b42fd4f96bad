//! Writing an object whole, and only in the place of what this run has seen there.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use object_store::{ObjectStoreExt, PutMode, PutPayload, PutResult, UpdateVersion};
use tokio::time::timeout;

use super::objects::{Ask, Store, in_time, key, written};
use super::requests::{Fault, STALL, delay};
use crate::io::map::Map;
use crate::io::read::MAP_THRESHOLD;
use crate::io::system::Handle;

/// The slowest way to a store, in bytes a second, for which there is time to send a file.
const SLOWEST: u64 = 64 << 10;
/// How often a file is sent again after something has been written and removed in its place.
const ATTEMPTS: u32 = 5;

impl Store {
    /// Puts a file in the place of an object, or where there is none. If that place is not as it was when this run looked at
    /// it, the object there must have the same bytes.
    ///
    /// The file is sent by one request, so that a store has all of it or nothing.
    ///
    /// # Errors
    /// If the file cannot be read or sent. `ResourceBusy` if another program has written other bytes there.
    pub async fn replace(self: &Arc<Self>, name: &str, file: &Handle) -> io::Result<()> {
        let bytes = bytes_of(file)?;
        for attempt in 0..ATTEMPTS {
            let seen = self.version_seen(name).await?;
            match self.put(name, &bytes, seen).await {
                Ok(result) => {
                    let known = written(bytes.len() as u64, result);
                    self.index().note_written(name, known);
                    return Ok(());
                }
                Err(fault) if fault.is_conflict() => {}
                Err(fault) => return Err(fault.into()),
            }
            match self.has_there(name, &bytes).await? {
                // Another worker was faster, or the answer to an earlier request of this one was lost.
                Some(true) => return Ok(()),
                Some(false) => return Err(overtaken()),
                // It has been removed, or is being written.
                None => tokio::time::sleep(delay(attempt)).await,
            }
        }
        Err(overtaken())
    }

    /// Removes an object, whatever its version.
    ///
    /// # Errors
    /// `NotFound` if the run knows that there is none. If the store cannot be asked, or refuses.
    pub async fn remove(&self, name: &str) -> io::Result<()> {
        if let Some(None) = self.index().get(name) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let object = key(name)?;
        let remove = || async { Ok(in_time(self.client.delete(&object)).await??) };
        match self.requests.send(remove).await {
            Err(fault) if !fault.is_absence() => Err(fault.into()),
            _ => {
                self.index().forget(name);
                self.index().note(name, None);
                Ok(())
            }
        }
    }

    /// Sends bytes, in the place of the version that was seen, or where nothing was seen.
    async fn put(
        &self,
        name: &str,
        bytes: &Bytes,
        seen: Option<UpdateVersion>,
    ) -> Result<PutResult, Fault> {
        let object = key(name)?;
        let limit = STALL + Duration::from_secs(bytes.len() as u64 / SLOWEST);
        let put = || async {
            let mode = match &seen {
                Some(version) => PutMode::Update(version.clone()),
                None => PutMode::Create,
            };
            let payload = PutPayload::from_bytes(bytes.clone());
            let sent = self.client.put_opts(&object, payload, mode.into());
            Ok(timeout(limit, sent).await.map_err(|_| Fault::Stalled)??)
        };
        self.requests.send(put).await
    }

    /// Compares the object that is there now with some bytes; `None` if there is none. The index learns of it.
    async fn has_there(&self, name: &str, bytes: &Bytes) -> io::Result<Option<bool>> {
        self.index().forget(name);
        match self.get(name).await {
            Ok((there, known)) => {
                let is_same = bytes_of(&there.open()?)? == *bytes;
                self.index().note_read(name, known);
                Ok(Some(is_same))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the version of an object that this run has seen; `None` if it has seen that there is none.
    async fn version_seen(self: &Arc<Self>, name: &str) -> io::Result<Option<UpdateVersion>> {
        self.look(name, Ask::Head).await?;
        let seen = self.index().get(name).flatten().cloned();
        let Some(seen) = seen.map(|known| known.version) else {
            return Ok(None);
        };
        // Listings of Google's store lack the generation that it wants to know.
        if !self.base.starts_with("gs:") || seen.version.is_some() {
            return Ok(Some(seen));
        }
        match self.head(name).await? {
            Some(now) if now.version.e_tag == seen.e_tag => Ok(Some(now.version)),
            _ => Err(overtaken()),
        }
    }
}

/// Returns the bytes of a file: mapped if it is large, else read.
fn bytes_of(file: &Handle) -> io::Result<Bytes> {
    let len = file.metadata()?.len();
    if len >= MAP_THRESHOLD
        && let Some(map) = Map::new(file, len, 0)?
    {
        return Ok(Bytes::from_owner(map));
    }
    let len = usize::try_from(len).map_err(|_| io::ErrorKind::OutOfMemory)?;
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(len)
        .map_err(|_| io::ErrorKind::OutOfMemory)?;
    bytes.resize(len, 0);
    file.read_exact_at(&mut bytes, 0)?;
    Ok(bytes.into())
}

fn overtaken() -> io::Error {
    io::Error::new(
        io::ErrorKind::ResourceBusy,
        "another program has written other bytes there since this run looked; start the run again",
    )
}
