//! What a visitor chooses for the pages: colours, language and time zone, in cookies.

use axum::extract::Request;
use axum::response::Response;
use http::header::{HeaderValue, SET_COOKIE};
use svc_core::config::Config;
use svc_store::error::{Error, Refusal};
use svc_types::Code;

use super::images::Sent;
use super::reply::{self, Done};
use super::request::PageRequest;
use super::submit;
use super::theme::{AUTO, Theme};
use crate::app::ServerApp;
use crate::http::cookie;
use crate::http::incoming::{Allows, Incoming};
use crate::http::refuse::carry;
use crate::language::Language;

/// A choice.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The form's field.
    field: &'static str,
    /// What is said of a value that can't be chosen.
    refusal: &'static str,
    /// The cookie for a value; `None` if it can't be chosen.
    cookie: fn(&Config, &str) -> Option<HeaderValue>,
}

impl Choice {
    /// The colours.
    pub const THEME: Self = Self {
        field: "theme",
        refusal: "theme must be auto, light or dark",
        cookie: |config, name| match Theme::named(name) {
            Some(theme) => Some(cookie::set_theme(config, Some(theme.name()))),
            None => (name == AUTO).then(|| cookie::set_theme(config, None)),
        },
    };

    /// The language.
    pub const LANGUAGE: Self = Self {
        field: "language",
        refusal: "language must be en or de",
        cookie: |config, tag| {
            Language::chosen(tag).map(|language| cookie::set_language(config, language.tag()))
        },
    };

    /// The time zone: one of the database's names.
    pub const ZONE: Self = Self {
        field: "zone",
        refusal: "zone must be auto or the name of a time zone",
        cookie: |config, name| {
            let mut zones = jiff::tz::db().available();
            let chosen = zones.any(|zone| zone.as_str() == name).then_some(name);
            (chosen.is_some() || name == AUTO).then(|| cookie::set_zone(config, chosen))
        },
    };
}

/// Stores a choice in the visitor's browser, and redirects back.
pub(super) async fn post(app: &ServerApp, choice: &Choice, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    let Sent { parts, fields, .. } = match submit::fields(app, incoming).await {
        Ok(sent) => sent,
        Err(error) => return carry(error),
    };
    let request = PageRequest::of(&app.config, &parts, Vec::new()).sent(fields);
    let value = request.field(choice.field).unwrap_or_default();
    let Some(cookie) = (choice.cookie)(&app.config, value) else {
        let refusal = Refusal::new(Code::ValidationFailed, choice.refusal);
        return carry(Error::from(refusal.field(choice.field)));
    };
    let mut response = reply::see(&Done::back(&request).to);
    response.headers_mut().append(SET_COOKIE, cookie);
    response
}
