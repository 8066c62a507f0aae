//! Upload and download of images of posts.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use http::request::Parts;
use svc_core::app::Ctx;
use svc_core::due;
use svc_core::identity::Account;
use svc_core::ids;
use svc_core::pictures::Image;
use svc_core::services::blob::File;
use svc_core::services::media::{self, Size};
use svc_core::services::post::text::is_blank;
use svc_store::error::{Error, Result};
use svc_types::api::media::{AltText, IMAGE_BYTES_MAX};
use svc_types::api::posts::{CreatePost, GetPost};
use svc_types::{MediaId, Who, by};

use super::answer::{Answer, Reply};
use super::avatar::{count_upload, picture_response};
use super::idempotency;
use super::incoming::{self, Accepts, Allows, Incoming, Rules, too_large};
use super::large_bodies::Room;
use super::multipart::{self, BESIDE_FILE_BYTES_MAX, FORM};
use super::pipeline::{self, Identity, Stop};
use super::refuse::carry;
use super::routes::invalid_path;
use crate::app::ServerApp;
use crate::blobs;

/// A deleted post's image stays no longer in caches.
const PUBLIC: &str = "public, max-age=300";
const PRIVATE: &str = "private, no-store";

/// An upload asks for what a post does.
const RULES: Rules = Rules::of::<CreatePost>();

/// Receives an image and its alternative text: the fields `file` and `alt` of a form.
pub(super) async fn upload(State(app): State<Arc<ServerApp>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    let reply = write(app, incoming).await.or_else(Stop::into_result);
    reply.map_or_else(carry, Response::from)
}

/// Takes an image through the stages of a write.
async fn write(app: Arc<ServerApp>, incoming: Incoming) -> Result<Reply, Stop> {
    let accepts = forms(IMAGE_BYTES_MAX + BESIDE_FILE_BYTES_MAX);
    let uploader = uploader(&app, &incoming.parts, &accepts).await?;
    let _room = room(&app, &incoming.parts, &accepts, uploader.id.as_str()).await;
    let received = Arc::new(incoming::receive(&app, incoming, &accepts, Who::Account).await?);
    let Identity { caller, key } =
        pipeline::authenticate::<by::Account>(&app, &received, RULES).await?;
    received.refuse_query("the body is a form with the fields file and alt")?;
    let body = received.body().clone();
    let fields = multipart::fields(received.content_type(), body, "file").await?;
    let [file, alt] = [multipart::only(&fields, "file")?, multipart::only(&fields, "alt")?];
    let (image, alt) = renew(&app, &caller, &file, &alt).await?;
    let job = move |ctx: &mut Ctx<'_, '_>| {
        idempotency::once(ctx, key.as_ref(), false, &|ctx| {
            Answer::from(media::add(ctx, &caller, &image, &alt)?).reply(StatusCode::CREATED)
        })
    };
    Ok(due::write(&app, job).await?)
}

/// What an upload accepts: forms of at most `bytes_max` bytes.
pub(super) fn forms(bytes_max: usize) -> Accepts {
    let refusal = [
        "the body must be a form with the fields file and alt",
        "send Content-Type: multipart/form-data",
    ];
    Accepts { bytes_max, is_type: |essence| essence == FORM, refusal }
}

/// Authenticates the account before the body is read, so that nobody else takes memory.
pub(super) async fn uploader(
    app: &Arc<ServerApp>,
    parts: &Parts,
    accepts: &Accepts,
) -> Result<Account> {
    let (parts, body) = (parts.clone(), Body::empty());
    let head = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    let head = incoming::receive(app, head, accepts, Who::Account).await?;
    app.read(move |ctx| head.authenticate::<by::Account>(ctx, RULES)).await
}

/// Waits until the body of a request may be read.
pub(super) async fn room(
    app: &ServerApp,
    parts: &Parts,
    accepts: &Accepts,
    sender: &str,
) -> Option<Room> {
    let bytes = incoming::content_length(parts).unwrap_or(accepts.bytes_max);
    app.large_bodies.room(sender, bytes.min(accepts.bytes_max)).await
}

/// Stores an image of a page's form.
pub(super) async fn keep(
    app: &Arc<ServerApp>,
    caller: &Account,
    file: &Bytes,
    alt: &Bytes,
) -> Result<MediaId> {
    let (image, alt) = renew(app, caller, file, alt).await?;
    let caller = caller.clone();
    let job = move |ctx: &mut Ctx<'_, '_>| media::add(ctx, &caller, &image, &alt);
    Ok(due::write(app, job).await?.media.id)
}

/// Counts an upload, re-encodes its image, and puts the files where they are kept.
async fn renew(
    app: &Arc<ServerApp>,
    caller: &Account,
    file: &Bytes,
    alt: &Bytes,
) -> Result<(Image<File>, String)> {
    let alt = alt_text(alt)?;
    if file.len() > IMAGE_BYTES_MAX {
        return Err(too_large(IMAGE_BYTES_MAX));
    }
    count_upload(app, caller, file.len() as u64).await?;
    let turn = app.turns.take(Some(caller.id.as_str())).await;
    let image = app.pictures.renew_image(file.to_vec()).await?;
    drop(turn);
    Ok((blobs::keep_image(app, image).await?, alt))
}

/// What the image shows, in words.
fn alt_text(field: &Bytes) -> Result<String> {
    let text = String::from_utf8(field.to_vec()).ok().filter(|text| !is_blank(text));
    text.filter(|text| AltText::is_valid(text)).ok_or_else(|| {
        let rule = "alt must say in 1 to 1500 characters what the image shows";
        Error::invalid("alt", rule)
    })
}

/// Serves an image.
pub(super) async fn full(
    State(app): State<Arc<ServerApp>>,
    id: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    serve(app, id, request, Size::Full).await
}

/// Serves its small version.
pub(super) async fn thumb(
    State(app): State<Arc<ServerApp>>,
    id: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    serve(app, id, request, Size::Thumb).await
}

async fn serve(
    app: Arc<ServerApp>,
    id: Result<Path<String>, PathRejection>,
    request: Request,
    size: Size,
) -> Response {
    let Ok(Path(id)) = id else {
        return invalid_path();
    };
    if !ids::can_exist(&id) {
        return carry(Error::not_found("image"));
    }
    read(app, MediaId::from(id), request, size).await.unwrap_or_else(carry)
}

async fn read(app: Arc<ServerApp>, id: MediaId, request: Request, size: Size) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let asked = parts.headers.clone();
    let incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    let received = incoming::receive(&app, incoming, &Accepts::json(0), Who::Optional).await?;
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let viewer = received.authenticate::<by::Optional>(ctx, Rules::of::<GetPost>())?;
        media::file(ctx, viewer.account(), &id, size)
    };
    let (picture, is_public) = app.read(job).await?;
    let cache = if is_public { PUBLIC } else { PRIVATE };
    picture_response(&app, picture, cache, &asked).await
}
