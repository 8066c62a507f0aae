//! The store of the settings, tried when the server starts: what can never work ends the program with 78.

use std::env;
use std::fmt::Display;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use svc_core::config::{Bucket, S3Settings};
use svc_core::data_dir::refuse_open_file;
use svc_core::services::blob;
use svc_store::error::{Error, Result};

use super::store::{AccessKey, Failure, Store};
use crate::app::ServerApp;

/// What is made, read and deleted to try a store.
const TRIAL: &str = "trial";

/// Connects the server to its store, if the settings name one; the answer is why it is silent, if it is.
pub(crate) async fn open(app: &Arc<ServerApp>) -> Result<Option<String>> {
    let Some(bucket) = app.config.storage.bucket().map_err(Error::internal)? else {
        return refuse_lost(app).await.map(|()| None);
    };
    let settings = &app.config.storage.s3;
    let store = connect(bucket, settings, settings.timeout)?;
    let setting = if store.is_for_new() { "storage.blobs" } else { "storage.s3.older" };
    let place = store.place();
    let silence = refuse_useless(&store, setting).await?;
    match &silence {
        None => tracing::info!(place, is_for_new = store.is_for_new(), "files are in a bucket"),
        Some(why) => {
            tracing::warn!(place, error = why, "the store of files does not answer yet");
        }
    }
    app.connect_store(store);
    Ok(silence)
}

/// The store of a bucket by these settings; nothing is asked of it yet.
pub(super) fn connect(bucket: Bucket, settings: &S3Settings, time: Duration) -> Result<Store> {
    let store = Store::new(bucket, access_key(settings)?, time);
    store.map_err(|error| Error::setup(format!("storage.s3: {error}")))
}

/// Tries a store that `setting` names, and refuses what can never work; the answer is why it is silent, if it is.
pub(super) async fn refuse_useless(store: &Store, setting: &str) -> Result<Option<String>> {
    match attempt(store).await {
        Ok(()) => Ok(None),
        Err(Failure::Silent(why)) => Ok(Some(why)),
        Err(failure) => Err(useless(store, setting, &failure)),
    }
}

/// The error for a bucket that is missing, or that the access key may not use.
pub(super) fn useless(store: &Store, setting: &str, failure: &Failure) -> Error {
    let place = store.place();
    if let Failure::Missing(why) = failure {
        return Error::setup(format!("{setting}: there is no bucket {place}: {why}"));
    }
    let what = "storage.s3.access_key must be allowed to put, get, list and delete objects in";
    Error::setup(format!("{what} {place}, and is refused: {failure}"))
}

/// Refuses to start without the bucket that has files, or has still to lose some.
async fn refuse_lost(app: &Arc<ServerApp>) -> Result<()> {
    if !app.read(blob::is_any).await? {
        return Ok(());
    }
    Err(Error::setup(
        "files are in a bucket, so storage.s3.older must name it while storage.blobs is \"database\"",
    ))
}

/// Makes an object, reads and deletes it. Another node may do the same, so that it is gone earlier.
async fn attempt(store: &Store) -> Result<(), Failure> {
    store.put(TRIAL, Bytes::from_static(TRIAL.as_bytes())).await?;
    match store.get(TRIAL).await {
        Ok(_) | Err(Failure::Missing(_)) => {}
        Err(failure) => return Err(failure),
    }
    store.delete(TRIAL).await
}

/// The access key of the settings, or else of the environment.
#[expect(clippy::disallowed_methods, reason = "programs that speak S3 share these two variables")]
fn access_key(settings: &S3Settings) -> Result<AccessKey> {
    let file = &settings.secret_key_file;
    if settings.access_key.is_empty() {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let key = variable("AWS_ACCESS_KEY_ID").zip(variable("AWS_SECRET_ACCESS_KEY"));
        let (id, secret) = key.ok_or_else(|| {
            Error::setup(
                "storage.s3.access_key and secret_key_file are empty, so the environment must have \
                 AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
            )
        })?;
        return Ok(AccessKey { id, secret });
    }
    let wrong = |why: &dyn Display| {
        Error::setup(format!("storage.s3.secret_key_file: {}: {why}", file.display()))
    };
    let secret = fs::read_to_string(file).map_err(|error| wrong(&error))?;
    refuse_open_file("storage.s3.secret_key_file", file)?;
    let secret = secret.trim().to_owned();
    if secret.is_empty() {
        return Err(wrong(&"it is empty"));
    }
    Ok(AccessKey { id: settings.access_key.clone(), secret })
}
