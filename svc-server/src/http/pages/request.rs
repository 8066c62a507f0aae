//! The request of a page: path, query and form fields.

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
use svc_types::{Code, Cursor, Endpoint, FieldCode, UserId};
use url::form_urlencoded;

use super::form_key;
use super::theme::Theme;
use crate::http::cookie;
use crate::language::{Language, Message};

/// The longest path to redirect back to.
const PATH_LENGTH_MAX: usize = 8000;

/// Hidden fields, whose problems are shown above the form.
const UNSEEN: [&str; 8] = [
    "price",
    "expectedAmount",
    "deliverableVersion",
    "subject.type",
    "subject.id",
    "reportId",
    "ceremonyId",
    "credential",
];

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

/// The submitted fields of a refused form.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) of: &'static str,
    pub(super) fields: Fields,
    pub(super) refusal: Option<Refusal>,
    /// Problems of other fields.
    pub(super) also: Vec<Rejected>,
}

/// The content of a form: empty, or the submitted fields and their problems.
#[derive(Clone, Copy, Debug)]
pub struct Form<'a>(Option<&'a Typed>);

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

impl<'a> Form<'a> {
    /// An empty form.
    pub const EMPTY: Self = Self(None);

    /// The submitted value of a field.
    pub fn value(&self, name: &str) -> &'a str {
        self.or(name, "")
    }

    /// The submitted value of a field, or `before` in a form that was not submitted.
    pub fn or(&self, name: &str, before: &'a str) -> &'a str {
        let Some(typed) = self.0 else { return before };
        let found = typed.fields.iter().rev().find(|(own, _)| own == name);
        found.map_or("", |(_, text)| text)
    }

    /// All submitted values of a field.
    pub fn all(self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let fields = self.0.map(|typed| typed.fields.as_slice()).unwrap_or_default().iter();
        fields.filter(move |(own, _)| own == name).map(|(_, text)| text.as_str())
    }

    /// Whether a field was submitted with this value, for lists of choices.
    pub fn chose(&self, name: &str, text: &str) -> bool {
        self.0.is_some_and(|typed| {
            typed.fields.iter().any(|(own, typed)| own == name && typed == text)
        })
    }

    /// Whether the form was submitted before.
    pub const fn is_typed(&self) -> bool {
        self.0.is_some()
    }

    /// Whether a field was submitted whose value no page repeats.
    pub fn has_secrets(&self) -> bool {
        self.0.is_some_and(|typed| typed.fields.iter().any(|(name, _)| is_secret_field(name)))
    }

    /// The refusal of the form.
    pub fn refusal(&self) -> Option<&'a Refusal> {
        self.0.and_then(|typed| typed.refusal.as_ref())
    }

    /// What is wrong with a field.
    pub fn problem(&self, name: &str) -> Option<FieldProblem<'a>> {
        self.problems().find(|wrong| wrong.is_at(name))
    }

    /// The number of fields marked as wrong. Their messages are shown at the fields only.
    pub fn marked(&self) -> usize {
        self.wrong_fields().len()
    }

    /// Each wrong field that the form shows, and what is wrong with it. They are in the order of the page, in which
    /// browsers send them; what is missing is found after what is wrong.
    pub fn wrong_fields(&self) -> Vec<FieldProblem<'a>> {
        let sent = self.0.map(|typed| typed.fields.as_slice()).unwrap_or_default();
        let shown = self.problems().filter(|wrong| !UNSEEN.contains(&&*wrong.field));
        let mut wrong: Vec<_> = shown.collect();
        wrong.sort_by_key(|wrong| {
            sent.iter().position(|(name, _)| wrong.is_at(name)).unwrap_or(sent.len())
        });
        wrong
    }

    /// What is wrong with each field.
    fn problems(self) -> impl Iterator<Item = FieldProblem<'a>> + use<'a> {
        let first = self.refusal().and_then(FieldProblem::of_refusal);
        let also = self.0.map(|typed| typed.also.as_slice()).unwrap_or_default().iter();
        first.into_iter().chain(also.filter_map(FieldProblem::of_rejected))
    }
}

/// What is wrong with a field of a form.
#[derive(Clone, Debug)]
pub struct FieldProblem<'a> {
    /// The name of the field.
    pub field: String,
    /// What is wrong and what would be right.
    pub message: &'a str,
    /// What is wrong, for programs.
    pub code: &'a Code,
    /// Whether the field is required, and empty.
    pub is_missing: bool,
    /// Whether the message is in the language of the page.
    pub is_translated: bool,
}

impl<'a> FieldProblem<'a> {
    /// What is wrong with the field that a refusal names.
    pub fn of_refusal(refusal: &'a Refusal) -> Option<Self> {
        let Refusal { message, code, is_translated, .. } = refusal;
        let field = field_of(refusal.field.as_deref()?);
        let is_missing =
            refusal.errors.first().is_some_and(|error| error.code == FieldCode::Missing);
        Some(Self { field, message, code, is_missing, is_translated: *is_translated })
    }

    /// Whether it is what is wrong with this field, or with a part of it.
    fn is_at(&self, name: &str) -> bool {
        let part = self.field.strip_prefix(name);
        part.is_some_and(|part| part.is_empty() || part.starts_with('.'))
    }

    fn of_rejected(rejected: &'a Rejected) -> Option<Self> {
        let Rejected { message, code, is_missing, .. } = rejected;
        let field = field_of(rejected.field.as_deref()?);
        Some(Self { field, message, code, is_missing: *is_missing, is_translated: false })
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

/// The name of a field by the member of a request.
fn field_of(member: &str) -> String {
    member.trim_start_matches('/').replace('/', ".")
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
pub(super) fn is_local(path: &str) -> bool {
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
