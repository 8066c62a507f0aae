//! Blobs: the bytes of avatars, images and exports, in the database or in a store that speaks S3.
//!
//! Bytes go up before the transaction that refers to them, and are read after the one that checked who may see them.
//! What `svc_core` knows of it are the names of objects, and until when they are kept.
//!
//! | module | what it holds |
//! |---|---|
//! | `open` | the store of the settings, tried when the server starts |
//! | `store` | one call of it |
//! | `delete` | the task that deletes objects which no row refers to |
//! | `moving` | moves files to where new ones go |
//! | `archives` | backups in a bucket of the same store |

mod archives;
mod delete;
mod moving;
mod open;
mod store;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt, future};
use svc_core::pictures::{Image, Picture};
use svc_core::services::blob::{self, Blob, File, Kind};
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;

pub(crate) use self::archives::{Archives, is_url, split};
#[cfg(feature = "testing")]
pub(crate) use self::delete::once;
pub(crate) use self::delete::run;
pub use self::moving::move_all;
pub(crate) use self::open::open;
use self::store::Failure;
pub(crate) use self::store::Store;
use crate::app::ServerApp;

/// Most bytes of a file that is read as a whole: an image of 2048 × 2048 pixels has half as many.
const WHOLE_MAX: u64 = 32 * 1024 * 1024;

/// Seconds after which a call of a store that failed can be tried again.
const RETRY_AFTER: u64 = 10;

/// A file that is read.
pub(crate) enum Reading {
    /// All of its bytes.
    Whole(Vec<u8>),
    /// How many it has, and what they are as they arrive.
    Pieces(u64, BoxStream<'static, Result<Bytes>>),
}

/// Puts bytes of this hash where the settings say. A transaction has to refer to them within a day.
pub(crate) async fn keep(app: &ServerApp, kind: Kind, hash: &str, bytes: Vec<u8>) -> Result<Blob> {
    let Some(store) = app.store().filter(|store| store.is_for_new()) else {
        return Ok(Blob::Bytes(bytes));
    };
    let name = blob::name(kind, hash);
    let recorded = name.clone();
    app.write(move |ctx| blob::record(ctx, &recorded)).await?;
    store.put(&name, bytes.into()).await.map_err(|failure| unavailable(&failure))?;
    Ok(Blob::Object(name))
}

/// Puts a picture where the settings say.
pub(crate) async fn keep_picture(app: &ServerApp, kind: Kind, picture: Picture) -> Result<File> {
    let Picture { hash, content_type, bytes } = picture;
    let blob = keep(app, kind, &hash, bytes).await?;
    Ok(File { hash, content_type, blob })
}

/// Puts both sizes of an image where the settings say.
pub(crate) async fn keep_image(app: &ServerApp, image: Image) -> Result<Image<File>> {
    let Image { full, thumb, width, height, bytes } = image;
    let [full, thumb] = [full, thumb].map(|size| keep_picture(app, Kind::Image, size));
    let (full, thumb) = future::try_join(full, thumb).await?;
    Ok(Image { full, thumb, width, height, bytes })
}

/// Reads a file; `None` if it is gone, as it may be from a moment ago.
pub(crate) async fn read(app: &ServerApp, blob: Blob) -> Result<Option<Reading>> {
    let name = match blob {
        Blob::Bytes(bytes) => return Ok(Some(Reading::Whole(bytes))),
        Blob::Object(name) => name,
    };
    let store = app.store().ok_or_else(|| Error::internal("no setting names the bucket"))?;
    match store.get(&name).await {
        Ok((size, pieces)) => {
            let pieces = pieces.map_err(|failure| unavailable(&failure)).boxed();
            Ok(Some(Reading::Pieces(size, pieces)))
        }
        Err(Failure::Missing(_)) => {
            tracing::warn!(name, "the bucket lacks an object, unless that was just deleted");
            Ok(None)
        }
        Err(failure) => Err(unavailable(&failure)),
    }
}

/// Reads all bytes of a file; `None` if it is gone.
pub(crate) async fn read_whole(app: &ServerApp, blob: Blob) -> Result<Option<Vec<u8>>> {
    match read(app, blob).await? {
        None => Ok(None),
        Some(Reading::Whole(bytes)) => Ok(Some(bytes)),
        Some(Reading::Pieces(size, _)) if size > WHOLE_MAX => {
            Err(Error::internal(format!("an object has {size} bytes")))
        }
        Some(Reading::Pieces(_, mut pieces)) => {
            let mut whole = Vec::new();
            while let Some(piece) = pieces.try_next().await? {
                whole.extend_from_slice(&piece);
            }
            Ok(Some(whole))
        }
    }
}

/// 503: the store does not answer, or refuses what it is asked for.
fn unavailable(failure: &Failure) -> Error {
    tracing::warn!(error = %failure, "a call of the store of files failed");
    let message = "the store of files does not answer as it should";
    let refusal = Refusal::new(Code::StorageUnavailable, message);
    refusal.hint("try again in a minute").retry_after(RETRY_AFTER).into()
}
