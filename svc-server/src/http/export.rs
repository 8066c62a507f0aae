//! Download of an export, piece by piece.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use bytes::Bytes;
use futures_util::{Stream, stream};
use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue,
    X_CONTENT_TYPE_OPTIONS,
};
use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::export::{self, File};
use svc_store::error::{Error, Result};
use svc_types::api::export::GetExport;
use svc_types::{Endpoint, UserId};

use super::incoming::{self, Allows, Incoming, Rules};
use super::refuse::carry;
use crate::app::ServerApp;
use crate::blobs;

/// Serves the file of the calling account.
pub(super) async fn download(State(app): State<Arc<ServerApp>>, request: Request) -> Response {
    open(app, request).await.unwrap_or_else(carry)
}

async fn open(app: Arc<ServerApp>, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    let (received, request) = incoming::decode_as::<GetExport>(&app, incoming).await?;
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let caller: Account =
            received.authenticate::<<GetExport as Endpoint>::By>(ctx, Rules::of::<GetExport>())?;
        request.as_ref().map_err(|rejected| Error::from(rejected.clone()))?;
        export::require_reader(&caller)?;
        let file = export::file(ctx, &caller.id)?;
        Ok((caller, file))
    };
    let (caller, file) = app.read(job).await?;
    // So that a store which does not answer is no broken file.
    let first = piece(&app, &caller.id, &file, 0).await?;
    let name = format!("attachment; filename=\"svc-export-{}.zip\"", caller.username);
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    headers.insert(CONTENT_LENGTH, file.bytes.into());
    let name = HeaderValue::try_from(name).expect("usernames are a-z, 0-9 and _");
    headers.insert(CONTENT_DISPOSITION, name);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    *response.body_mut() = Body::from_stream(pieces(app, caller.id, file, first));
    Ok(response)
}

async fn piece(app: &ServerApp, account: &UserId, file: &File, n: i64) -> Result<Bytes> {
    let (account, file) = (account.clone(), file.clone());
    let piece = match app.read(move |ctx| export::piece(ctx, &account, &file, n)).await? {
        Some(blob) => blobs::read_whole(app, blob).await?,
        None => None,
    };
    piece.map(Bytes::from).ok_or_else(|| Error::internal("the export has expired"))
}

/// The pieces of a file. If it is deleted meanwhile, the connection breaks, so that the client does not
/// take a part for the whole.
fn pieces(
    app: Arc<ServerApp>,
    account: UserId,
    file: File,
    first: Bytes,
) -> impl Stream<Item = Result<Bytes, Error>> + Send + 'static {
    stream::try_unfold((0, 0, Some(first)), move |(n, sent, first)| {
        let (app, account, file) = (Arc::clone(&app), account.clone(), file.clone());
        async move {
            if sent >= file.bytes {
                return Ok(None);
            }
            let next = match first {
                Some(first) => first,
                None => piece(&app, &account, &file, n).await?,
            };
            let sent = sent + i64::try_from(next.len()).map_err(Error::internal)?;
            Ok(Some((next, (n + 1, sent, None))))
        }
    })
}
