//! Backups in a bucket that the command line names, at the store of `storage.s3`.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt;
use futures_util::stream::BoxStream;
use svc_core::config::Config;
use svc_store::error::{Error, Result};
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use super::open::{connect, refuse_useless, useless};
use super::store::{Failure, Store};

/// Time for a call: a part of a backup takes longer than a picture.
const TIME: Duration = Duration::from_mins(1);

/// A beginning of names that is listed to try whether it may be.
const NONE: &str = "trial-";

/// A place for backups in a bucket.
#[derive(Debug)]
pub(crate) struct Archives {
    store: Store,
    /// Where it is, as the operator wrote it.
    url: String,
}

impl Archives {
    /// The place at a URL, which the operator gave as `what`; nothing is asked of it yet.
    pub(crate) fn at(config: &Config, what: &str, url: &str) -> Result<Self> {
        let settings = &config.storage.s3;
        let bucket = settings.bucket_at(what, url).map_err(Error::internal)?;
        let url = url.trim_end_matches('/').to_owned();
        Ok(Self { store: connect(bucket, settings, TIME)?, url })
    }

    /// Refuses a place that can never work; the answer is why it is silent, if it is.
    pub(crate) async fn refuse_useless(&self, what: &str) -> Result<Option<String>> {
        let silent = refuse_useless(&self.store, what).await?;
        match self.store.list(NONE).await {
            Err(failure @ (Failure::Refused(_) | Failure::Missing(_))) => {
                Err(useless(&self.store, what, &failure))
            }
            Ok(_) | Err(Failure::Silent(_)) => Ok(silent),
        }
    }

    /// Where it is.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The names of objects that begin so.
    pub(crate) async fn list(&self, beginning: &str) -> Result<Vec<String>> {
        self.store.list(beginning).await.map_err(|failure| self.failed("list", &failure))
    }

    /// Makes an object of a file, which appears once it is complete.
    pub(crate) async fn put(&self, name: &str, file: File, stop: &CancellationToken) -> Result<()> {
        let done = self.store.put_file(name, file, stop.cancelled()).await;
        done.map_err(|failure| self.failed("put", &failure))
    }

    /// Deletes an object, if it is there.
    pub(crate) async fn delete(&self, name: &str) -> Result<()> {
        self.store.delete(name).await.map_err(|failure| self.failed("delete", &failure))
    }

    /// Reads an object into a file.
    pub(crate) async fn fetch(&self, name: &str, to: File, stop: &CancellationToken) -> Result<()> {
        let (size, pieces) = self.store.get(name).await.map_err(|failure| match failure {
            Failure::Missing(_) => Error::internal(format!("there is no {}/{name}", self.url)),
            failure => self.failed("get", &failure),
        })?;
        let (runtime, stop) = (Handle::current(), stop.clone());
        let copying = spawn_blocking(move || copy(pieces, to, &runtime, &stop));
        let copied = copying.await.map_err(Error::internal)??;
        if copied == size {
            return Ok(());
        }
        let message = format!("{}/{name} ended after {copied} of {size} bytes", self.url);
        Err(Error::internal(message))
    }

    #[track_caller]
    fn failed(&self, call: &str, failure: &Failure) -> Error {
        Error::internal(format!("{} did not {call} as it should: {failure}", self.url))
    }
}

/// Writes pieces as they arrive, on a thread that may block.
fn copy(
    mut pieces: BoxStream<'static, Result<Bytes, Failure>>,
    mut to: File,
    runtime: &Handle,
    stop: &CancellationToken,
) -> Result<u64> {
    let mut copied = 0;
    while let Some(piece) = runtime.block_on(stop.run_until_cancelled(pieces.try_next())) {
        let Some(bytes) = piece.map_err(Error::internal)? else { return Ok(copied) };
        to.write_all(&bytes).map_err(Error::internal)?;
        copied += bytes.len() as u64;
    }
    Err(Error::internal("stopped before all was read"))
}

/// The place and the name in a URL of one object.
pub(crate) fn split(url: &str) -> (&str, &str) {
    url.rsplit_once('/').unwrap_or((url, ""))
}

/// Whether a text names a place in a bucket, and no file.
pub(crate) fn is_url(text: &Path) -> bool {
    text.to_str().is_some_and(|text| text.starts_with("s3://"))
}
