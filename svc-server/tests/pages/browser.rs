//! A browser without scripts.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use http::header::{ACCEPT, CONTENT_TYPE, COOKIE, HeaderMap, SET_COOKIE};
use http::{Method, StatusCode};
use reqwest::RequestBuilder;
use url::form_urlencoded::Serializer;

use crate::app::{SEC_FETCH_SITE, TestApp};
use crate::html::{Element, Html};

pub(crate) const PASSWORD: &str = "correct horse";

/// A browser with its cookies.
pub(crate) struct Browser<'a> {
    app: &'a TestApp,
    cookies: Mutex<BTreeMap<String, String>>,
}

/// What a browser was answered.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

/// A form with the fields a page gives it.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    pub(crate) action: String,
    pub(crate) fields: Vec<(String, String)>,
}

/// A request with the fields of a form.
pub(crate) fn typed(request: RequestBuilder, fields: &[(&str, &str)]) -> RequestBuilder {
    let body = Serializer::new(String::new()).extend_pairs(fields).finish();
    request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(body)
}

impl<'a> Browser<'a> {
    /// The browser of a visitor.
    pub(crate) fn new(app: &'a TestApp) -> Self {
        Self { app, cookies: Mutex::default() }
    }

    /// The browser of a person who is signed in.
    pub(crate) async fn of(app: &'a TestApp, username: &str) -> Self {
        let browser = Self::new(app);
        let cookie = app.sign_in(username, PASSWORD).await;
        browser.keep(&cookie);
        browser
    }

    fn keep(&self, cookie: &str) {
        let pair = cookie.split(';').next().unwrap();
        let (name, value) = pair.split_once('=').unwrap();
        let mut cookies = self.cookies.lock().unwrap_or_else(PoisonError::into_inner);
        if cookie.contains("Max-Age=0") {
            cookies.remove(name);
        } else {
            cookies.insert(name.to_owned(), value.to_owned());
        }
    }

    /// Sets a cookie, as the script does.
    pub(crate) fn set(&self, name: &str, value: &str) {
        self.cookies.lock().unwrap().insert(name.to_owned(), value.to_owned());
    }

    /// Forgets all cookies.
    pub(crate) fn forget(&self) {
        self.cookies.lock().unwrap().clear();
    }

    /// A request as this browser makes it.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let pairs = self.cookies.lock().unwrap().clone();
        let pairs: Vec<_> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = self.app.raw(method, &format!("/..{path}"));
        request.header(ACCEPT, "text/html,*/*;q=0.8").header(COOKIE, pairs.join("; "))
    }

    /// Sends a request and keeps the cookies of its answer.
    pub(crate) async fn answer(&self, request: RequestBuilder) -> Page {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        for cookie in headers.get_all(SET_COOKIE) {
            self.keep(cookie.to_str().unwrap());
        }
        Page { status, headers, text: response.text().await.unwrap() }
    }

    /// Opens a page.
    pub(crate) async fn get(&self, path: &str) -> Page {
        self.answer(self.request(Method::GET, path)).await
    }

    /// Sends fields to a page, as a form of ours does.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        let request = self.request(Method::POST, path).header(SEC_FETCH_SITE, "same-origin");
        self.answer(typed(request, fields)).await
    }

    /// Sends a form.
    pub(crate) async fn send(&self, sheet: &Sheet) -> Page {
        let fields: Vec<(&str, &str)> =
            sheet.fields.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        self.post(&sheet.action, &fields).await
    }
}

impl Page {
    /// The elements of the page, which must be HTML without a fault.
    #[track_caller]
    pub(crate) fn html(&self) -> Html {
        Html::read(&self.text)
    }

    /// Where it sends the browser.
    #[track_caller]
    pub(crate) fn to(&self) -> &str {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.text);
        self.headers["location"].to_str().unwrap()
    }

    /// The form with this action, as the page fills it in.
    #[track_caller]
    pub(crate) fn form(&self, action: &str) -> Sheet {
        let html = self.html();
        let of = |one: &Element, name: &str| one.attributes.get(name).cloned().unwrap_or_default();
        let is_form = |one: &Element| one.name == "form" && of(one, "action") == action;
        let start = html
            .0
            .iter()
            .position(is_form)
            .unwrap_or_else(|| panic!("no form {action}: {}", self.text));
        let rest = html.0[start + 1..].iter().take_while(|one| one.name != "form");
        let mut sheet = Sheet { action: action.to_owned(), fields: Vec::new() };
        let mut select = String::new();
        for one in rest {
            let is_chosen = one.attributes.contains_key("checked");
            match (one.name.as_str(), of(one, "type").as_str()) {
                ("input", "radio" | "checkbox") if !is_chosen => {}
                ("input", _) => sheet.set(&of(one, "name"), &of(one, "value")),
                ("textarea", _) => {
                    sheet.set(&of(one, "name"), one.text.strip_prefix('\n').unwrap_or(&one.text));
                }
                ("select", _) => select = of(one, "name"),
                ("option", _) if one.attributes.contains_key("selected") => {
                    sheet.set(&select, &of(one, "value"));
                }
                _ => {}
            }
        }
        sheet
    }
}

impl Sheet {
    /// Types into a field.
    pub(crate) fn set(&mut self, name: &str, text: &str) {
        self.fields.retain(|(own, _)| own != name);
        self.fields.push((name.to_owned(), text.to_owned()));
    }

    /// The same with something typed into a field.
    pub(crate) fn with(mut self, name: &str, text: &str) -> Self {
        self.set(name, text);
        self
    }

    /// The value of a field.
    #[track_caller]
    pub(crate) fn value(&self, name: &str) -> &str {
        let found = self.fields.iter().find(|(own, _)| own == name);
        &found.unwrap_or_else(|| panic!("no field {name}: {self:?}")).1
    }
}
