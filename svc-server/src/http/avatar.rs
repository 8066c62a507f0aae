//! An account's picture over HTTP: the bytes up and down.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, Request, State};
use axum::response::Response;
use http::StatusCode;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH,
};
use svc_core::pictures::{Picture, UPLOAD_BYTES_MAX};
use svc_core::services::account::AVATAR_VERSION_LENGTH;
use svc_store::error::{Error, Result};

use super::answer::Reply;
use super::arrive::{Accepts, Head, too_large};
use super::multipart;
use super::plain::response;
use super::refuse::carry;
use super::routes::no_text;
use super::serve::{self, Incoming};
use crate::app::ServerApp;
use crate::features::users::avatar;

/// Room for what a form puts around its file.
const FORM_BYTES_MAX: usize = 16 * 1024;

const FORM: &str = "multipart/form-data";

/// Longest version of a picture that is looked at; as in the document.
const VERSION_MAX: usize = 64;

/// Takes a picture, as the body itself or as the field `file` of a form.
pub(super) async fn upload(State(app): State<Arc<ServerApp>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let incoming = Incoming { parts, body, path: Vec::new(), suspended: false };
    taken(app, incoming).await.map_or_else(carry, Response::from)
}

/// The same for whoever has the request at hand.
pub(super) async fn taken(app: Arc<ServerApp>, incoming: Incoming) -> Result<Reply> {
    let accepts = Accepts {
        bytes_max: UPLOAD_BYTES_MAX + FORM_BYTES_MAX,
        is_type: |essence| {
            essence.starts_with("image/")
                || ["", "application/octet-stream", FORM].contains(&essence)
        },
        otherwise: [
            "the body must be a picture, or a form with one",
            "send Content-Type: image/png, image/jpeg, image/webp, image/gif or multipart/form-data",
        ],
    };
    serve::upload(app, incoming, accepts, avatar::count, renew, avatar::set).await
}

/// Finds the picture in the body and writes it anew.
async fn renew(app: Arc<ServerApp>, head: Arc<Head>) -> Result<Picture> {
    let upload = file(&head)?;
    if upload.len() > UPLOAD_BYTES_MAX {
        return Err(too_large(UPLOAD_BYTES_MAX));
    }
    app.pictures.renew(upload.to_vec()).await
}

fn file(head: &Head) -> Result<&[u8]> {
    let content_type = head.content_type();
    let is_form =
        content_type.get(..FORM.len()).is_some_and(|kind| kind.eq_ignore_ascii_case(FORM));
    if !is_form {
        return Ok(head.body());
    }
    let found = multipart::field(content_type, head.body(), "file");
    found.map_err(|rule| Error::invalid("file", rule))
}

/// Serves a picture; under the address of this very picture it may be kept for good.
pub(super) async fn read(
    State(app): State<Arc<ServerApp>>,
    username: Result<Path<String>, PathRejection>,
    RawQuery(query): RawQuery,
    asked: HeaderMap,
) -> Response {
    let Ok(Path(username)) = username else {
        return no_text();
    };
    // No name holds it, and PostgreSQL takes no such text.
    if username.contains('\0') {
        return carry(Error::not_found("account"));
    }
    let query = query.unwrap_or_default();
    if versions(&query).any(|version| version.len() > VERSION_MAX) {
        return carry(Error::not_found("picture"));
    }
    match app.read(move |ctx| avatar::picture(ctx, &username)).await {
        Err(error) => carry(error),
        Ok(picture) => show(picture, &query, &asked),
    }
}

/// The versions a query asks for.
fn versions(query: &str) -> impl Iterator<Item = &str> {
    query.split('&').filter_map(|pair| pair.strip_prefix("v="))
}

fn show(picture: Picture, query: &str, asked: &HeaderMap) -> Response {
    let etag = format!("\"{}\"", picture.hash);
    let version = &picture.hash[..AVATAR_VERSION_LENGTH];
    let is_this = versions(query).any(|asked| asked == version);
    let cache = if is_this { "public, max-age=31536000, immutable" } else { "public, max-age=300" };
    let known = asked.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut known = known.flat_map(|value| value.split(',')).map(str::trim);
    let is_known = known.any(|tag| tag == "*" || tag.trim_start_matches("W/") == etag);
    let mut response = if is_known {
        let mut response = Response::default();
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        response(&picture.content_type, picture.bytes)
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(ETAG, HeaderValue::try_from(etag).expect("hexadecimal digits and quotes"));
    let policy = HeaderValue::from_static("default-src 'none'; sandbox");
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    response
}
