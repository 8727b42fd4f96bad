//! A store in memory that fails as servers and networks do, at moments that a test chooses.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, GetResultPayload, ListResult, MultipartUpload,
    ObjectMeta, ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

/// A store in memory.
#[derive(Debug, Default)]
pub struct Flaky {
    pub inner: InMemory,
    /// Every request of this number fails; 0 for none.
    pub every: u64,
    asked: AtomicU64,
    /// An object that another program writes just before this one is put, and whether the answer to that put is lost.
    pub rival: Mutex<Option<(Path, PutPayload)>>,
}

impl Flaky {
    /// A store of which every request of this number fails, in one way after the other.
    pub fn every(every: u64) -> Self {
        Self {
            every,
            ..Self::default()
        }
    }

    /// Counts a request. Returns the number of the failure that it is to meet, if any.
    fn failure(&self) -> Option<u64> {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        (self.every > 0 && asked.is_multiple_of(self.every)).then(|| asked / self.every)
    }
}

fn unavailable() -> Error {
    let source = "Server returned non-2xx status code: 503 Service Unavailable: ".into();
    Error::Generic {
        store: "test",
        source,
    }
}

/// An answer that ends too early: by an error, or, as some proxies do it, by nothing.
fn cut(mut answer: GetResult, with_error: bool) -> GetResult {
    let end = with_error.then(|| Err(unavailable()));
    answer.payload = GetResultPayload::Stream(stream::iter(end).boxed());
    answer
}

#[async_trait]
impl ObjectStore for Flaky {
    async fn put_opts(&self, at: &Path, bytes: PutPayload, how: PutOptions) -> Result<PutResult> {
        let rival = self.rival.lock().unwrap().take_if(|(path, _)| path == at);
        if let Some((path, bytes)) = rival {
            self.inner
                .put_opts(&path, bytes, PutOptions::default())
                .await?;
        }
        match self.failure() {
            Some(number) if number % 2 == 0 => {
                // The object is there, and the answer is lost.
                self.inner.put_opts(at, bytes, how).await?;
                Err(unavailable())
            }
            Some(_) => Err(unavailable()),
            None => self.inner.put_opts(at, bytes, how).await,
        }
    }

    async fn put_multipart_opts(
        &self,
        _: &Path,
        _: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        panic!("a killed run would leave an upload");
    }

    async fn get_opts(&self, at: &Path, how: GetOptions) -> Result<GetResult> {
        assert_ne!(at.as_ref(), "", "a bucket is no object");
        let is_head = how.head;
        match self.failure() {
            Some(number) if number % 3 == 0 || is_head => Err(unavailable()),
            Some(number) => Ok(cut(self.inner.get_opts(at, how).await?, number % 3 == 1)),
            None => self.inner.get_opts(at, how).await,
        }
    }

    fn delete_stream(
        &self,
        _: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        panic!("nothing is deleted on a store");
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        let all = self.inner.list(prefix);
        match self.failure() {
            // The page after some objects fails.
            Some(_) => all
                .take(3)
                .chain(stream::iter([Err(unavailable())]))
                .boxed(),
            None => all,
        }
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        panic!("nothing is copied on a store");
    }
}

impl fmt::Display for Flaky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a store in memory that fails at times")
    }
}
