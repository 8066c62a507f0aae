//! One call of the store.

mod upload;

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryFutureExt, TryStreamExt, future};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::list::{PaginatedListOptions, PaginatedListStore};
use object_store::path::Path;
use object_store::{
    BackoffConfig, GetOptions, ObjectStore, PutOptions, PutPayload, Result as StoreResult,
    RetryConfig,
};
use svc_core::config::Bucket;
use thiserror::Error;
use tokio::time::{Instant, timeout};

use crate::outbound::objects::StoreConnector;

/// How often the library repeats a request that failed, within the time of a call.
const RETRIES: usize = 2;

/// An access key.
pub(super) struct AccessKey {
    pub(super) id: String,
    pub(super) secret: String,
}

/// The bucket that has files.
pub(crate) struct Store {
    objects: AmazonS3,
    bucket: Bucket,
    /// Time for a call.
    time: Duration,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Store").field(&self.bucket).finish_non_exhaustive()
    }
}

/// Why a call failed.
#[derive(Debug, Error)]
pub(super) enum Failure {
    /// There is no such object, or no such bucket.
    #[error("{0}")]
    Missing(String),
    /// The access key may not do this, or is none.
    #[error("{0}")]
    Refused(String),
    /// The store does not answer, or not as it should.
    #[error("{0}")]
    Silent(String),
}

impl From<object_store::Error> for Failure {
    fn from(error: object_store::Error) -> Self {
        use object_store::Error::{NotFound, PermissionDenied, Unauthenticated};
        match error {
            NotFound { source, .. } => Self::Missing(source.to_string()),
            PermissionDenied { source, .. } | Unauthenticated { source, .. } => {
                Self::Refused(source.to_string())
            }
            other => Self::Silent(other.to_string()),
        }
    }
}

impl Store {
    /// The store of a bucket; nothing is asked of it yet.
    pub(super) fn new(bucket: Bucket, key: AccessKey, time: Duration) -> StoreResult<Self> {
        let retry = RetryConfig {
            backoff: BackoffConfig::default(),
            max_retries: RETRIES,
            retry_timeout: time,
        };
        let builder = AmazonS3Builder::new()
            .with_bucket_name(&bucket.name)
            .with_region(&bucket.region)
            .with_virtual_hosted_style_request(!bucket.has_path_style)
            .with_access_key_id(key.id)
            .with_secret_access_key(key.secret)
            .with_retry(retry)
            // Not every store has the call that deletes several.
            .with_disable_bulk_delete(true)
            .with_http_connector(StoreConnector { time });
        let builder = bucket.endpoint.iter().fold(builder, AmazonS3Builder::with_endpoint);
        Ok(Self { objects: builder.build()?, bucket, time })
    }

    /// Whether new files go here.
    pub(super) const fn is_for_new(&self) -> bool {
        self.bucket.is_for_new
    }

    /// Where it is, for people.
    pub(super) fn place(&self) -> String {
        let Bucket { name, endpoint, .. } = &self.bucket;
        format!("{name} at {}", endpoint.as_deref().unwrap_or("AWS"))
    }

    /// Makes an object.
    pub(super) async fn put(&self, name: &str, bytes: Bytes) -> Result<(), Failure> {
        let path = self.path(name);
        let putting = self.objects.put_opts(&path, PutPayload::from(bytes), PutOptions::default());
        self.in_time("put", putting).await.map(drop)
    }

    /// The size of an object, and its bytes as they arrive.
    pub(super) async fn get(
        &self,
        name: &str,
    ) -> Result<(u64, BoxStream<'static, Result<Bytes, Failure>>), Failure> {
        let path = self.path(name);
        let getting = self.objects.get_opts(&path, GetOptions::default());
        // A proxy may answer in place of the store, but every object has an ETag.
        let getting = getting.map_ok(|found| found.meta.e_tag.is_some().then_some(found));
        let found = self.in_time("get", getting).await?;
        let found = found.ok_or_else(|| Failure::Silent("the answer has no ETag".to_owned()))?;
        Ok((found.meta.size, found.into_stream().map_err(Failure::from).boxed()))
    }

    /// The names of objects that begin so.
    pub(super) async fn list(&self, beginning: &str) -> Result<Vec<String>, Failure> {
        let full = self.full(beginning);
        let (mut names, mut page_token) = (Vec::new(), None);
        loop {
            let options = PaginatedListOptions { page_token, ..PaginatedListOptions::default() };
            let page =
                self.in_time("list", self.objects.list_paginated(Some(&full), options)).await?;
            let paths = page.result.objects.iter().map(|object| object.location.as_ref());
            let ends = paths.filter_map(|path| path.strip_prefix(&*full));
            names.extend(ends.map(|end| beginning.to_owned() + end));
            page_token = page.page_token;
            if page_token.is_none() {
                return Ok(names);
            }
        }
    }

    /// Deletes an object, if it is there.
    pub(super) async fn delete(&self, name: &str) -> Result<(), Failure> {
        let path = self.path(name);
        let deleting = self.objects.delete_stream(stream::iter([Ok(path)]).boxed());
        match self.in_time("delete", deleting.try_for_each(|_| future::ready(Ok(())))).await {
            Err(Failure::Missing(_)) => Ok(()),
            done => done,
        }
    }

    fn path(&self, name: &str) -> Path {
        Path::from(self.full(name))
    }

    /// A name behind the prefix.
    fn full(&self, name: &str) -> String {
        let prefix = &self.bucket.prefix;
        if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") }
    }

    async fn in_time<T>(
        &self,
        call: &'static str,
        calling: impl Future<Output = StoreResult<T>>,
    ) -> Result<T, Failure> {
        let began = Instant::now();
        let done = match timeout(self.time, calling).await {
            Ok(done) => done.map_err(Failure::from),
            Err(_) => Err(Failure::Silent(format!("no answer to a {call} in time"))),
        };
        let outcome = match &done {
            Ok(_) => "ok",
            Err(Failure::Missing(_)) => "missing",
            Err(_) => "failed",
        };
        metrics::counter!("svc_blob_calls_total", "call" => call, "outcome" => outcome)
            .increment(1);
        let took = began.elapsed().as_secs_f64();
        metrics::histogram!("svc_blob_call_seconds", "call" => call).record(took);
        done
    }
}
