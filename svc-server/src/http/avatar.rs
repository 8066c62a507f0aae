//! Upload and download of an account's picture.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, Request, State};
use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, ETAG, HeaderMap,
    HeaderValue,
};
use svc_core::app::Ctx;
use svc_core::due;
use svc_core::identity::Account;
use svc_core::ids;
use svc_core::pictures::Picture;
use svc_core::services::account::AVATAR_VERSION_LENGTH;
use svc_core::services::avatar;
use svc_core::services::blob::{File, Kind};
use svc_store::error::{Error, Result};
use svc_types::api::users::{AVATAR_BYTES_MAX, DeleteAvatar};
use svc_types::{Who, by};

use super::answer::{Answer, Reply};
use super::idempotency;
use super::incoming::{self, Accepts, Allows, Incoming, Received, Rules, too_large};
use super::multipart::{self, BESIDE_FILE_BYTES_MAX, FORM, Field};
use super::pages::{PageRequest, form_key};
use super::pipeline::{self, Identity, Stop};
use super::plain::response;
use super::prebuilt::is_known;
use super::refuse::carry;
use super::routes::invalid_path;
use crate::app::ServerApp;
use crate::blobs::{self, Reading};

/// An upload asks for what a removal does.
const RULES: Rules = Rules::of::<DeleteAvatar>();

/// The longest version of a picture, as documented.
const VERSION_MAX: usize = 64;

/// Receives a picture, as the body itself or as the field `file` of a form.
pub(super) async fn upload(State(app): State<Arc<ServerApp>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    receive(app, incoming, None).await.map_or_else(carry, Response::from)
}

/// Takes a picture through the stages of a write; `page` is the request with the form of a page.
pub(super) async fn receive(
    app: Arc<ServerApp>,
    incoming: Incoming,
    page: Option<&PageRequest>,
) -> Result<Reply> {
    write(app, incoming, page).await.or_else(Stop::into_result)
}

async fn write(
    app: Arc<ServerApp>,
    incoming: Incoming,
    page: Option<&PageRequest>,
) -> Result<Reply, Stop> {
    let accepts = Accepts {
        bytes_max: AVATAR_BYTES_MAX + BESIDE_FILE_BYTES_MAX,
        is_type: |essence| {
            essence.starts_with("image/")
                || ["", "application/octet-stream", FORM].contains(&essence)
        },
        refusal: [
            "the body must be a picture, or a form with one",
            "send Content-Type: image/png, image/jpeg, image/webp, image/gif or multipart/form-data",
        ],
    };
    let received = Arc::new(incoming::receive(&app, incoming, &accepts, Who::Account).await?);
    let Identity { caller, key } =
        pipeline::authenticate::<by::Account>(&app, &received, RULES).await?;
    match page {
        Some(page) => refuse_other_account(page, &received, &caller).await?,
        None => received.refuse_query("the body is the picture, or a form with the field file")?,
    }
    count_upload(&app, &caller, received.bytes()).await?;
    let turn = app.turns.take(Some(caller.id.as_str())).await;
    let picture = recode(&app, &received).await?;
    drop(turn);
    let picture = blobs::keep_picture(&app, Kind::Avatar, picture).await?;
    let job = move |ctx: &mut Ctx<'_, '_>| {
        idempotency::once(ctx, key.as_ref(), false, &|ctx| {
            Answer::from(avatar::set(ctx, &caller, &picture)?).reply(StatusCode::OK)
        })
    };
    Ok(due::write(&app, job).await?)
}

/// Counts an upload of this many bytes by an account, before its picture is decoded.
pub(super) async fn count_upload(app: &Arc<ServerApp>, caller: &Account, bytes: u64) -> Result<()> {
    let caller = caller.clone();
    let count = move |ctx: &mut Ctx<'_, '_>| {
        ctx.request_bytes = bytes;
        avatar::count(ctx, &caller)
    };
    app.write(count).await
}

/// Refuses the form of a page that another account filled in.
async fn refuse_other_account(
    page: &PageRequest,
    received: &Received,
    sender: &Account,
) -> Result<()> {
    let fields = fields(received).await?.unwrap_or_default();
    let key = fields.iter().find(|field| field.name == form_key::FIELD);
    let key = key.and_then(|field| std::str::from_utf8(&field.content).ok());
    match key.and_then(form_key::account) {
        Some(filled_in_by) => page.refuse_other_account(filled_in_by, sender),
        None => Ok(()),
    }
}

/// Finds the picture in the body and recodes it.
async fn recode(app: &ServerApp, received: &Received) -> Result<Picture> {
    let upload = file(received).await?;
    if upload.len() > AVATAR_BYTES_MAX {
        return Err(too_large(AVATAR_BYTES_MAX));
    }
    app.pictures.renew(upload.to_vec()).await
}

/// The picture's bytes: the body itself, or the field `file` of a form.
async fn file(received: &Received) -> Result<Bytes> {
    match fields(received).await? {
        Some(fields) => multipart::only(&fields, "file"),
        None => Ok(received.body().clone()),
    }
}

/// The fields of a form; `None` of a body that is the picture itself.
async fn fields(received: &Received) -> Result<Option<Vec<Field>>> {
    let content_type = received.content_type();
    if !multipart::is_form(content_type) {
        return Ok(None);
    }
    multipart::fields(content_type, received.body().clone(), "file").await.map(Some)
}

/// Serves a picture. The URL with its version may be cached forever.
pub(super) async fn read(
    State(app): State<Arc<ServerApp>>,
    username: Result<Path<String>, PathRejection>,
    RawQuery(query): RawQuery,
    asked: HeaderMap,
) -> Response {
    let Ok(Path(username)) = username else {
        return invalid_path();
    };
    if !ids::can_exist(&username) {
        return carry(Error::not_found("account"));
    }
    let query = query.unwrap_or_default();
    if versions(&query).any(|version| version.len() > VERSION_MAX) {
        return carry(Error::not_found("picture"));
    }
    show(&app, username, &query, &asked).await.unwrap_or_else(carry)
}

/// The versions in a query.
fn versions(query: &str) -> impl Iterator<Item = &str> {
    query.split('&').filter_map(|pair| pair.strip_prefix("v="))
}

async fn show(
    app: &ServerApp,
    username: String,
    query: &str,
    asked: &HeaderMap,
) -> Result<Response> {
    let picture = app.read(move |ctx| avatar::picture(ctx, &username)).await?;
    let version = &picture.hash[..AVATAR_VERSION_LENGTH];
    let is_this = versions(query).any(|asked| asked == version);
    let cache = if is_this { "public, max-age=31536000, immutable" } else { "public, max-age=300" };
    picture_response(app, picture, cache, asked).await
}

/// A picture with its hash as the `ETag`, which browsers show and never run.
pub(super) async fn picture_response(
    app: &ServerApp,
    picture: File,
    cache: &'static str,
    asked: &HeaderMap,
) -> Result<Response> {
    let etag = HeaderValue::try_from(format!("\"{}\"", picture.hash));
    let etag = etag.expect("hexadecimal digits and quotes");
    let mut response = if is_known(asked, &etag) {
        let mut response = Response::default();
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        whole(app, picture).await?
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(ETAG, etag);
    let policy = HeaderValue::from_static("default-src 'none'; sandbox");
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static("inline"));
    Ok(response)
}

/// The bytes of a picture. What a store has is passed on as it arrives.
async fn whole(app: &ServerApp, picture: File) -> Result<Response> {
    let File { content_type, blob, .. } = picture;
    match blobs::read(app, blob).await?.ok_or_else(|| Error::not_found("picture"))? {
        Reading::Whole(bytes) => Ok(response(&content_type, bytes)),
        Reading::Pieces(size, pieces) => {
            let mut response = response(&content_type, Body::from_stream(pieces));
            response.headers_mut().insert(CONTENT_LENGTH, size.into());
            Ok(response)
        }
    }
}
