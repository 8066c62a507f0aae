//! Answers submitted forms: runs what they do, and shows refusals where the visitor can mend them.

use std::sync::Arc;

use axum::extract::Request;
use axum::response::Response;
use http::header::{COOKIE, HeaderValue, RETRY_AFTER, SET_COOKIE};
use http::request::Parts;
use svc_core::app::App;
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;
use svc_types::wire::Rejected;
use url::form_urlencoded;

use super::act::{Next, Outcome, Submission};
use super::images::{self, Sent};
use super::reply::{self, Done, Kept};
use super::request::{Fields, PageRequest, Typed, is_secret_field};
use super::{Entry, Serves, Show, Site, context};
use crate::app::ServerApp;
use crate::http::cookie;
use crate::http::incoming::{self, Accepts, Allows, Incoming};
use crate::http::multipart;
use crate::http::refuse::{Reader, carry};

/// The fields of the sign-in form that carry another form: its fields and its path.
const KEPT: &str = "kept";
const KEPT_OF: &str = "of";

/// Most bytes carried through a sign-in: the longest post in any script, percent-encoded.
const KEPT_BYTES_MAX: usize = 512 * 1024;

/// Most fields of a form that are read: ten times those of any form.
const FIELDS_MAX: usize = 1_000;

/// Answers the form of a page.
pub(super) async fn post(
    site: Arc<Site>,
    app: Arc<ServerApp>,
    index: usize,
    params: Fields,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    let read = if site.entries[index].takes_images && is_upload(&incoming.parts) {
        images::read(&app, incoming).await
    } else {
        fields(&app, incoming).await
    };
    let Sent { parts, fields, refusal } = match read {
        Ok(sent) => sent,
        Err(error) => return carry(error),
    };
    let request = PageRequest::of(&app.config, &parts, params).sent(fields);
    match refusal {
        Some(refusal) => {
            let form = Submission { site: &site, app: &app, parts: &parts, request: &request };
            refused(form, &site.entries[index], refusal).await
        }
        None => submit(&site, &app, Carried { index, parts, request }).await,
    }
}

/// A form with the request that submits it.
struct Carried {
    index: usize,
    parts: Parts,
    request: PageRequest,
}

/// Runs the act of a form and answers it.
async fn submit(site: &Arc<Site>, app: &Arc<ServerApp>, form: Carried) -> Response {
    let Carried { index, parts, request } = form;
    let entry = &site.entries[index];
    let Serves::Form(act) = &entry.serves else { unreachable!("only forms are submitted") };
    let form = Submission { site, app, parts: &parts, request: &request };
    let Outcome { next, cookies } = match act.run(form).await {
        Ok(outcome) => outcome,
        Err(Error::Refused(refusal)) => {
            let gone = entry.gone.filter(|_| refusal.code == Code::NotFound && !is_program(&parts));
            return match gone {
                Some(to) => go(app, &to(&request)),
                None => refused(form, entry, *refusal).await,
            };
        }
        Err(error) => return carry(error),
    };
    let done = match next {
        Next::Show(html) => return with_cookies(reply::page(&app.config, &request, html), cookies),
        // The script of a page shows it in place.
        Next::Go(_, answer) if entry.show.is_none() && is_program(&parts) => return answer.into(),
        Next::Go(done, _) => done,
    };
    let response = if entry.signs_in {
        restore_form(form, &cookies).await
    } else if let Some(form) = carried(form).filter(|_| entry.confirms) {
        // It was confirmed just now, by the visitor who sent it.
        Some(Box::pin(submit(site, app, form)).await)
    } else {
        None
    };
    with_cookies(response.unwrap_or_else(|| go(app, &done)), cookies)
}

/// Whether a form may have files.
fn is_upload(parts: &Parts) -> bool {
    multipart::is_form(incoming::content_type(parts))
}

fn is_program(parts: &Parts) -> bool {
    Reader::of(parts.uri.path(), &parts.headers) == Reader::Program
}

/// The redirect after a form, with the message to show there.
pub(super) fn go(app: &App, done: &Done) -> Response {
    let mut response = if done.is_away { reply::leave(&done.to) } else { reply::see(&done.to) };
    if let Some(flash) = done.flash {
        let cookie = cookie::set_flash(&app.config, flash.word());
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

fn with_cookies(mut response: Response, cookies: Vec<HeaderValue>) -> Response {
    for cookie in cookies {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

/// The fields of a form. Browsers send CR LF line ends, which become LF.
pub(super) async fn fields(app: &App, mut incoming: Incoming) -> Result<Sent> {
    let accepts = Accepts {
        bytes_max: app.config.limits.body_bytes,
        is_type: |essence| essence == "application/x-www-form-urlencoded",
        refusal: ["the body must be a form", "send the form of the page as it is"],
    };
    let body = incoming::read(&mut incoming, &accepts).await?;
    if body.split(|byte| *byte == b'&').nth(FIELDS_MAX).is_some() {
        let message = format!("a form must have at most {FIELDS_MAX} fields");
        return Err(Error::refused(Code::ValidationFailed, message));
    }
    let pairs = form_urlencoded::parse(&body);
    let plain = |text: std::borrow::Cow<'_, str>| text.replace("\r\n", "\n");
    let fields = pairs.map(|(name, text)| (name.into_owned(), plain(text))).collect();
    Ok(Sent { parts: incoming.parts, fields, refusal: None })
}

impl Submission<'_> {
    /// Shows a page with fields of the form, and the way back from where it was sent.
    async fn shown(self, show: Show, typed: Typed) -> Result<Response> {
        let mut asked = self.request.clone();
        asked.back = page_above(self.site, self.parts.uri.path());
        asked.typed = Some(typed);
        let html = context(self.site, self.app, self.parts, asked, show).await?;
        Ok(reply::page(&self.app.config, self.request, html))
    }
}

/// Shows the page again, with the submitted fields and the refusal.
pub(super) async fn refused(form: Submission<'_>, entry: &Entry, refusal: Refusal) -> Response {
    let Submission { site, request, .. } = form;
    if refusal.code == Code::Unauthorized {
        return sign_in_first(form, entry).await;
    }
    if refusal.code == Code::StepUpRequired
        && let Some(confirm) = site.entries.iter().find(|entry| entry.confirms)
    {
        return detour(form, confirm, refusal).await;
    }
    let refusal = explained(request, refusal);
    let kept = Kept(request.typed().to_vec());
    if let Some(show) = entry.show {
        let (of, fields) = (entry.of, request.typed().to_vec());
        let also = also(entry, request, &refusal);
        let typed = Typed { of, fields, refusal: Some(refusal.clone()), also };
        if let Ok(mut response) = form.shown(show, typed).await {
            *response.status_mut() = refusal.code.status();
            if let Some(seconds) = refusal.retry_after {
                response.headers_mut().insert(RETRY_AFTER, seconds.into());
            }
            return response;
        }
    }
    let mut response = carry(refusal.into());
    response.extensions_mut().insert(kept);
    response
}

/// The other invalid fields of a form that was refused for one of its fields.
fn also(entry: &Entry, request: &PageRequest, refusal: &Refusal) -> Vec<Rejected> {
    let problems = entry.problems.map(|problems| problems(request)).unwrap_or_default();
    match problems.split_first() {
        Some((first, rest)) if first.field == refusal.field => rest.to_vec(),
        _ => Vec::new(),
    }
}

/// Rewrites refusals that are written for programs.
fn explained(request: &PageRequest, refusal: Refusal) -> Refusal {
    if refusal.code == Code::OpenObligations {
        // Its hint is ids for programs; the page of the form links them.
        return Refusal { hint: None, ..refusal };
    }
    if refusal.code != Code::IdempotencyConflict {
        return refusal;
    }
    Refusal { message: request.t("form-sent-before").into(), ..refusal }
        .hint(request.t("form-sent-again"))
        .translated()
}

/// Shows the sign-in form, which carries the submitted fields of a form with a page.
async fn sign_in_first(form: Submission<'_>, entry: &Entry) -> Response {
    let sign_in = form.site.entries.iter().find(|entry| entry.signs_in);
    match sign_in.filter(|_| entry.show.is_some()) {
        Some(sign_in) => {
            let message = form.request.t("form-signed-out");
            let refusal = Refusal::new(Code::Unauthorized, message).translated();
            detour(form, sign_in, refusal).await
        }
        None => reply::to_sign_in(form.request.local("back").unwrap_or("/")),
    }
}

/// Shows another form, which carries the submitted fields in hidden ones.
async fn detour(form: Submission<'_>, by: &Entry, refusal: Refusal) -> Response {
    let own = form.parts.uri.path();
    let above = page_above(form.site, own);
    let next = above.as_deref().unwrap_or(own);
    let kept = kept(form.request);
    let pairs = [("next", next), (KEPT_OF, own), (KEPT, &kept)];
    let fields = pairs.map(|(name, text)| (name.to_owned(), text.to_owned())).to_vec();
    let status = refusal.code.status();
    let typed = Typed { of: by.of, fields, refusal: Some(refusal), also: Vec::new() };
    let show = by.show.expect("such a form has a page");
    match form.shown(show, typed).await {
        Ok(mut response) => {
            *response.status_mut() = status;
            response
        }
        Err(error) => carry(error),
    }
}

/// The submitted fields as one text, empty if it is too long: of secrets only their names, so that the
/// form asks for them again.
fn kept(request: &PageRequest) -> String {
    let without_secret = |(name, text): &(String, String)| {
        (name.clone(), if is_secret_field(name) { String::new() } else { text.clone() })
    };
    let fields = request.typed().iter().map(without_secret);
    let text = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    if text.len() <= KEPT_BYTES_MAX { text } else { String::new() }
}

/// The page of the form that was submitted before the sign-in, with its fields, for the new session
/// and in the language, colours and time zone of the visitor. It is not submitted automatically,
/// because time has passed. If another account signed in than the one that filled it in, the page says so.
async fn restore_form(sign_in: Submission<'_>, cookies: &[HeaderValue]) -> Option<Response> {
    let signed_in = cookie::once_set(sign_in.parts.headers.get_all(COOKIE), cookies.first()?)?;
    let mut parts = sign_in.parts.clone();
    parts.headers.insert(COOKIE, signed_in);
    let Carried { index, parts, request } = carried(Submission { parts: &parts, ..sign_in })?;
    let entry = &sign_in.site.entries[index];
    let show = entry.show?;
    let form = Submission { parts: &parts, request: &request, ..sign_in };
    match form.refuse_other_account().await {
        Ok(()) => {}
        Err(Error::Refused(refusal)) => return Some(refused(form, entry, *refusal).await),
        Err(_) => return None,
    }
    let fields = request.typed().to_vec();
    let typed = Typed { of: entry.of, fields, refusal: None, also: Vec::new() };
    form.shown(show, typed).await.ok()
}

/// The form whose fields another form carried.
fn carried(form: Submission<'_>) -> Option<Carried> {
    let Submission { site, app, parts, request } = form;
    let (kept, path) = (request.field(KEPT).unwrap_or_default(), request.local(KEPT_OF)?);
    let forms = site.entries.iter().enumerate();
    let forms =
        forms.filter(|(_, entry)| matches!(entry.serves, Serves::Form(_)) && !entry.confirms);
    let matching = forms.filter_map(|(index, entry)| Some((index, matched(entry.path, path)?)));
    // As the router does: a path that is named before one with a parameter in its place.
    let (index, params) = matching.min_by_key(|(_, params)| params.len())?;
    let mut parts = parts.clone();
    parts.uri = path.parse().ok()?;
    let pairs = form_urlencoded::parse(kept.as_bytes());
    let fields = pairs.map(|(name, text)| (name.into_owned(), text.into_owned())).collect();
    let request = PageRequest::of(&app.config, &parts, params).sent(fields);
    Some(Carried { index, parts, request })
}

/// The nearest page above the path of a form that has no page there, where a GET would be refused.
fn page_above(site: &Site, path: &str) -> Option<String> {
    let mut above = path;
    while !is_page(site, above) {
        above = &above[..above.rfind('/')?];
        if above.is_empty() {
            return Some("/".to_owned());
        }
    }
    (above != path).then(|| above.to_owned())
}

/// Whether a path is that of a page, as the router decides.
fn is_page(site: &Site, path: &str) -> bool {
    let places = site.entries.iter().filter_map(|entry| {
        let params = matched(entry.path, path)?;
        Some((params.len(), entry.is_form()))
    });
    places.min().is_some_and(|(_, is_form)| !is_form)
}

/// The parameters of a path that matches the path of a form.
fn matched(form: &str, path: &str) -> Option<Fields> {
    if form.split('/').count() != path.split('/').count() {
        return None;
    }
    let mut params = Fields::new();
    for (own, given) in form.split('/').zip(path.split('/')) {
        match own.split_once('{') {
            None if own == given => {}
            None => return None,
            Some((before, name)) => {
                let value = given.strip_prefix(before)?;
                let value = percent_encoding::percent_decode_str(value).decode_utf8().ok()?;
                params.push((name.trim_end_matches('}').to_owned(), value.into_owned()));
            }
        }
    }
    Some(params)
}
