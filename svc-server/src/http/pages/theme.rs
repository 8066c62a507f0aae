//! The colours of pages: those of the visitor's system, or those that the visitor chose.

use axum::extract::Request;
use axum::response::Response;
use http::header::SET_COOKIE;
use svc_store::error::{Error, Refusal};
use svc_types::Code;

use super::images::Sent;
use super::reply::{self, Done};
use super::request::PageRequest;
use super::submit;
use crate::app::ServerApp;
use crate::http::cookie;
use crate::http::incoming::{Allows, Incoming};
use crate::http::refuse::carry;

/// The word for the colours of the visitor's system.
pub const AUTO: &str = "auto";

/// Colours that a visitor chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// By its name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Light, Self::Dark].into_iter().find(|theme| theme.name() == name)
    }

    /// Its name: the cookie, the form's field and the class of the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// Stores the choice in the visitor's browser, and redirects back.
pub(super) async fn post(app: &ServerApp, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    let Sent { parts, fields, .. } = match submit::fields(app, incoming).await {
        Ok(sent) => sent,
        Err(error) => return carry(error),
    };
    let request = PageRequest::of(&app.config, &parts, Vec::new()).sent(fields);
    let name = request.field("theme").unwrap_or_default();
    let theme = Theme::named(name);
    if theme.is_none() && name != AUTO {
        let refusal = Refusal::new(Code::ValidationFailed, "theme must be auto, light or dark");
        return carry(Error::from(refusal.field("theme")));
    }
    let mut response = reply::see(&Done::back(&request).to);
    let cookie = cookie::set_theme(&app.config, theme.map(Theme::name));
    response.headers_mut().append(SET_COOKIE, cookie);
    response
}
