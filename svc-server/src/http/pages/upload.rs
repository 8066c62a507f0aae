//! The form that uploads an account's picture.

use std::sync::Arc;

use axum::extract::Request;
use axum::response::Response;
use svc_store::error::Error;
use svc_types::Code;

use super::act::Submission;
use super::reply;
use super::request::{Fields, PageRequest};
use super::{Serves, Site, submit};
use crate::app::ServerApp;
use crate::http::avatar;
use crate::http::incoming::{Allows, Incoming};
use crate::http::refuse::carry;

/// Replaces the name of an endpoint, which an upload does not have.
pub(super) const OF: &str = "UploadAvatar";

/// Uploads through the API's own route. Of the form's key only the account counts: the same picture twice has
/// one effect.
pub(super) async fn post(
    site: Arc<Site>,
    app: Arc<ServerApp>,
    index: usize,
    params: Fields,
    request: Request,
) -> Response {
    let entry = &site.entries[index];
    let Serves::Upload(done) = entry.serves else { unreachable!("only files are uploaded") };
    let (parts, body) = request.into_parts();
    let asked = PageRequest::of(&app.config, &parts, params);
    let incoming =
        Incoming { parts: parts.clone(), body, path: Vec::new(), allows: Allows::default() };
    match avatar::receive(Arc::clone(&app), incoming, Some(&asked)).await {
        Err(Error::Refused(refusal)) if refusal.code == Code::Unauthorized => {
            // A form can't be refilled with a file, so there is nothing to carry.
            reply::to_sign_in(&done(&asked).to)
        }
        Err(Error::Refused(refusal)) => {
            let form = Submission { site: &site, app: &app, parts: &parts, request: &asked };
            submit::refused(form, entry, *refusal).await
        }
        Err(error) => carry(error),
        Ok(_) => submit::go(&app, &done(&asked)),
    }
}
