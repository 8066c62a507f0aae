//! The request of a page: path, query and form fields.

mod form;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::HeaderMap;
use http::header::{ACCEPT_LANGUAGE, COOKIE};
use http::request::Parts;
use svc_core::config::Config;
use svc_core::identity::Account;
use svc_core::ids;
use svc_store::error::{Error, Refusal, Result};
use svc_types::wire::{self, Rejected};
use svc_types::{Code, Cursor, Endpoint, UserId};
use url::form_urlencoded;

pub(super) use self::form::Typed;
pub use self::form::{FieldProblem, Form};

use super::form_key;
use super::theme::Theme;
use crate::http::cookie;
use crate::language::{Language, Message};

/// The longest path to redirect back to.
const PATH_LENGTH_MAX: usize = 8000;

/// Fields with the name of an account, as people type it.
const NAMES: [&str; 4] = ["username", "recipientUsername", "usernames", "confirm"];

/// Whether a field of this name holds a password or a one-time code, whose value no page repeats.
pub(crate) fn is_secret_field(name: &str) -> bool {
    name == "code" || name.to_ascii_lowercase().contains("password")
}

/// Field names and values, in order.
pub(super) type Fields = Vec<(String, String)>;

/// The request of a page.
#[derive(Clone, Debug)]
pub struct PageRequest {
    /// Path and query, for links back to this page.
    pub path: String,
    /// Where a choice of colours or language leads back to, if there is no page at its path.
    pub back: Option<String>,
    /// A random value for the Idempotency-Keys of the page's forms.
    key: String,
    /// The flash message's name, from a cookie and so untrusted.
    pub flash: Option<String>,
    /// The visitor's time zone, from a cookie and so untrusted.
    pub zone: Option<String>,
    /// Whether the visitor chose it.
    pub has_chosen_zone: bool,
    /// The colours that the visitor chose.
    pub theme: Option<Theme>,
    /// The language of the page.
    pub language: Language,
    /// Path parameters, then fields of the query or the form.
    pub(super) fields: Fields,
    /// The number of path parameters.
    in_path: usize,
    query: Fields,
    pub(super) typed: Option<Typed>,
}

impl PageRequest {
    pub(in crate::http) fn of(config: &Config, parts: &Parts, params: Fields) -> Self {
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        let flash = cookie::flash(config, parts.headers.get_all(COOKIE)).map(str::to_owned);
        let chosen = cookie::chosen_zone(parts.headers.get_all(COOKIE));
        let zone = chosen.or_else(|| cookie::zone(parts.headers.get_all(COOKIE)));
        let (zone, has_chosen_zone) = (zone.map(str::to_owned), chosen.is_some());
        let theme = cookie::theme(parts.headers.get_all(COOKIE)).and_then(Theme::named);
        let key = URL_SAFE_NO_PAD.encode(ids::random::<12>());
        let in_path = params.len();
        let query = form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
        let query: Fields =
            query.map(|(name, text)| (name.into_owned(), text.into_owned())).collect();
        let fields = joined(params, query.clone());
        let language = language(config, parts, &query);
        Self {
            path,
            back: None,
            key,
            flash,
            zone,
            has_chosen_zone,
            theme,
            language,
            fields,
            in_path,
            query,
            typed: None,
        }
    }

    /// A text of the catalogue in the language of the page.
    pub const fn t<'a>(&self, id: &'a str) -> Message<'a> {
        self.language.message(id)
    }

    /// The beginning of the Idempotency-Keys of the page's forms, as this account sees it.
    pub fn form_key(&self, account: Option<&UserId>) -> String {
        form_key::of_page(&self.key, account)
    }

    /// Refuses a field, in the words of the page.
    pub fn wrong(&self, field: &str, message: impl Into<String>) -> Error {
        Refusal::new(Code::ValidationFailed, message).field(field).translated().into()
    }

    /// Refuses a form that was made for another account than this one, which is signed in by now. It is
    /// shown again, and sent as this one only by another click. Buttons are on the page that they were on.
    pub(in crate::http) fn refuse_other_account(
        &self,
        made_for: &str,
        account: &Account,
    ) -> Result<()> {
        if account.id.as_str() == made_for {
            return Ok(());
        }
        let is_button = self.field(form_key::ACCOUNT).is_some();
        let id = if is_button { "button-other-account" } else { "form-other-account" };
        let message = self.t(id).with("username", &account.username);
        Err(Refusal::new(Code::WrongState, message).translated().into())
    }

    /// Replaces the query by the fields of a form.
    pub(super) fn sent(mut self, typed: Fields) -> Self {
        let typed = typed.into_iter().map(as_meant).collect();
        self.fields.truncate(self.in_path);
        self.fields = joined(self.fields, typed);
        self
    }

    /// The submitted fields, without the path parameters.
    pub(super) fn typed(&self) -> &[(String, String)] {
        &self.fields[self.in_path..]
    }

    /// This request with another value in a field.
    #[must_use]
    pub fn with(&self, name: &str, text: String) -> Self {
        let mut changed = self.clone();
        changed.fields.push((name.to_owned(), text));
        changed
    }

    /// Decodes a request from the path and the query or form, by the travel rule.
    pub fn decode<E: Endpoint>(&self) -> Result<E> {
        Ok(wire::decode_form(&self.given())?)
    }

    /// All problems of the query or form as a request of `E`.
    pub(super) fn problems<E: Endpoint>(&self) -> Vec<Rejected> {
        wire::form_problems::<E>(&self.given())
    }

    /// The last field of this name, of the path, the query or the form; `None` if it is empty.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter().rev();
        let (_, text) = fields.find(|(own, _)| own == name)?;
        Some(text.as_str()).filter(|text| !text.is_empty())
    }

    /// Whether the address of the page holds a secret.
    pub(super) fn holds_secret(&self) -> bool {
        let is_token = |(name, _): &(String, String)| name == "token";
        self.asks_for("token")
            || self.asks_for("invite")
            || self.fields[..self.in_path].iter().any(is_token)
    }

    /// Whether the query has a field of this name.
    pub(super) fn asks_for(&self, name: &str) -> bool {
        self.query.iter().any(|(own, _)| own == name)
    }

    /// The local path in a field; `None` if it leads to another server.
    pub fn local(&self, name: &str) -> Option<&str> {
        self.field(name).filter(|path| is_local(path))
    }

    /// This page from a cursor, for the link to the next page.
    pub fn next(&self, cursor: Option<&Cursor>) -> Option<String> {
        let path = self.path.split('?').next().unwrap_or_default();
        let kept = self.query.iter().filter(|(name, _)| name != "cursor");
        let mut query = form_urlencoded::Serializer::for_suffix(format!("{path}?"), path.len() + 1);
        query.extend_pairs(kept).append_pair("cursor", cursor?.as_str());
        Some(query.finish())
    }

    /// The form of `E`.
    pub fn form<E: Endpoint>(&self) -> Form<'_> {
        self.form_of(E::NAME)
    }

    /// The upload form.
    pub fn uploaded(&self) -> Form<'_> {
        self.form_of(super::upload::OF)
    }

    fn form_of(&self, name: &str) -> Form<'_> {
        Form(self.typed.as_ref().filter(|typed| typed.of == name))
    }
}

/// The parameters of the path and the fields of a query or form. A field named like a parameter is
/// ignored.
fn joined(mut params: Fields, fields: Fields) -> Fields {
    let is_new = |(name, _): &(String, String)| params.iter().all(|(own, _)| own != name);
    let fields: Fields = fields.into_iter().filter(is_new).collect();
    params.extend(fields);
    params
}

/// A field as it is meant: phones add a space to a name, and pages show an `@` before it.
fn as_meant((name, text): (String, String)) -> (String, String) {
    if !NAMES.contains(&&*name) {
        return (name, text);
    }
    let bare = text.trim();
    let bare = bare.strip_prefix('@').unwrap_or(bare).to_owned();
    (name, bare)
}

/// The language that the visitor chose, or that a link names, or that the browser prefers. With
/// `dev` a link may name one for tests.
fn language(config: &Config, parts: &Parts, query: &[(String, String)]) -> Language {
    let known = if config.dev { Language::tested } else { Language::chosen };
    let named = || query.iter().find(|(name, _)| name == "lang").and_then(|(_, tag)| known(tag));
    chosen(&parts.headers).or_else(named).or_else(|| accepted(&parts.headers)).unwrap_or_default()
}

/// The language of a visitor whose request names none.
pub(in crate::http) fn language_of(headers: &HeaderMap) -> Language {
    chosen(headers).or_else(|| accepted(headers)).unwrap_or_default()
}

fn chosen(headers: &HeaderMap) -> Option<Language> {
    cookie::language(headers.get_all(COOKIE)).and_then(Language::chosen)
}

fn accepted(headers: &HeaderMap) -> Option<Language> {
    headers.get(ACCEPT_LANGUAGE)?.to_str().ok().and_then(Language::accepted)
}

/// Whether an address is a page of this server, however a browser reads it.
pub(crate) fn is_local(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'\\';
    path.len() <= PATH_LENGTH_MAX
        && path.starts_with('/')
        && !path.starts_with("//")
        && path.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_this_server_are_gone_to() {
        for path in ["/", "/post/post_1?cursor=a#b", "/@ada"] {
            assert!(is_local(path), "{path}");
        }
        for path in ["", "x", "//evil.example", "/\\evil.example", "/\t/evil", "https://e", "/a b"]
        {
            assert!(!is_local(path), "{path}");
        }
    }
}
