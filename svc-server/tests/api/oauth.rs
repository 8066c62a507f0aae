//! The authorization server: programs that act for accounts.

mod clients;
mod codes;
mod consent;
mod device;
mod ends;
pub(crate) mod foreign;
mod id_tokens;
mod origins;
mod redeeming;
mod refusals;
mod tokens;

use http::{Method, StatusCode};
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use url::{Url, form_urlencoded};

use crate::app::{Member, SEC_FETCH_SITE, TestApp};
use crate::raw::{Raw, answer};

pub(crate) const PASSWORD: &str = "correct horse";

/// Verifier and challenge of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// Where the programs of tests are returned to.
pub(crate) const DONE: &str = "https://gate.example.org/done";

/// The parameters of a request for a code.
type Parameters<'a> = Vec<(&'a str, String)>;

/// A person with a browser.
pub(crate) struct Visitor {
    pub(crate) member: Member,
    pub(crate) cookie: String,
}

/// Bodies of forms.
pub(crate) trait Forms {
    fn form<N: AsRef<str>, V: AsRef<str>>(self, fields: &[(N, V)]) -> Self;
}

impl Forms for RequestBuilder {
    fn form<N: AsRef<str>, V: AsRef<str>>(self, fields: &[(N, V)]) -> Self {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.header("content-type", "application/x-www-form-urlencoded").body(body)
    }
}

impl TestApp {
    /// A request of a client for a code.
    pub(crate) fn ask(&self, method: Method, asked: &Parameters<'_>) -> RequestBuilder {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(asked).finish();
        self.raw(method, &format!("/../oauth/authorize?{query}"))
    }

    /// The base URL of the server.
    pub(crate) fn root(&self) -> String {
        self.server.url().trim_end_matches("/api").to_owned()
    }

    /// A person who is signed in.
    pub(crate) async fn visitor(&self, name: &str) -> Visitor {
        let member = self.person(name, PASSWORD).await;
        Visitor { member, cookie: self.sign_in(name, PASSWORD).await }
    }

    /// Gets a document outside of `/api`.
    pub(crate) async fn document(&self, path: &str) -> Value {
        answer(self.raw(Method::GET, &format!("/..{path}"))).await.json()
    }

    /// Sends a form to a route of OAuth.
    pub(crate) async fn form(&self, path: &str, fields: &[(&str, &str)]) -> Raw {
        answer(self.raw(Method::POST, &format!("/..{path}")).form(fields)).await
    }

    /// Registers a client that returns to these places; the answer is its id.
    pub(crate) async fn register_client(&self, redirects: &[&str]) -> String {
        let body = json!({ "client_name": "Gate", "redirect_uris": redirects });
        let registered = self.raw(Method::POST, "/../oauth/register").json(&body);
        answer(registered).await.json()["client_id"].as_str().unwrap().to_owned()
    }

    /// Exchanges a code of the client, by its verifier.
    pub(crate) async fn redeem(&self, client: &str, code: &str) -> Raw {
        let fields = [
            ("grant_type", "authorization_code"),
            ("client_id", client),
            ("code", code),
            ("code_verifier", VERIFIER),
        ];
        self.form("/oauth/token", &fields).await
    }

    /// Exchanges a refresh token of the client.
    pub(crate) async fn refresh(&self, client: &str, token: &str) -> Raw {
        let fields =
            [("grant_type", "refresh_token"), ("client_id", client), ("refresh_token", token)];
        self.form("/oauth/token", &fields).await
    }

    /// The status of a request to the API with an access token.
    pub(crate) async fn status_with(&self, token: &str, path: &str) -> StatusCode {
        answer(self.raw(Method::GET, path).bearer_auth(token)).await.status
    }

    /// The tokens of a registered client for these scopes, all steps taken.
    pub(crate) async fn tokens(&self, visitor: &Visitor, client: &str, scope: &str) -> Value {
        let code = visitor.agree(self, &asking(client, scope)).await;
        self.redeem(client, &code).await.json()
    }
}

/// The request of a client for a code.
pub(crate) fn asking<'a>(client: &str, scope: &str) -> Parameters<'a> {
    vec![
        ("response_type", "code".to_owned()),
        ("client_id", client.to_owned()),
        ("redirect_uri", DONE.to_owned()),
        ("scope", scope.to_owned()),
        ("state", "s 1".to_owned()),
        ("code_challenge", CHALLENGE.to_owned()),
        ("code_challenge_method", "S256".to_owned()),
    ]
}

/// The request with another value of a parameter; an empty one removes it.
pub(crate) fn with<'a>(mut asked: Parameters<'a>, name: &'a str, value: &str) -> Parameters<'a> {
    asked.retain(|(own, _)| *own != name);
    if !value.is_empty() {
        asked.push((name, value.to_owned()));
    }
    asked
}

impl Visitor {
    /// Opens the page of a request.
    pub(crate) async fn open(&self, app: &TestApp, asked: &Parameters<'_>) -> Raw {
        let request = app.ask(Method::GET, asked);
        answer(request.header("cookie", &self.cookie).header("accept", "text/html")).await
    }

    /// Sends the form of the page.
    pub(crate) async fn decide(
        &self,
        app: &TestApp,
        asked: &Parameters<'_>,
        fields: &[(&str, &str)],
    ) -> Raw {
        let request = app.ask(Method::POST, asked).form(fields);
        let request = request.header(SEC_FETCH_SITE, "same-origin");
        answer(request.header("cookie", &self.cookie).header("accept", "text/html")).await
    }

    /// Agrees, and returns the code.
    pub(crate) async fn agree(&self, app: &TestApp, asked: &Parameters<'_>) -> String {
        let fields = [("decision", "allow"), ("perOrder", "10"), ("perDay", "50")];
        let sent = self.decide(app, asked, &fields).await;
        returned(&sent, "code").unwrap_or_else(|| panic!("no code in {sent:?}"))
    }

    /// A page of the server, for the visitor.
    pub(crate) async fn page(&self, app: &TestApp, path: &str) -> Raw {
        let request = app.raw(Method::GET, &format!("/..{path}"));
        answer(request.header("cookie", &self.cookie).header("accept", "text/html")).await
    }

    /// A form of the server, sent by the visitor.
    pub(crate) async fn send(&self, app: &TestApp, path: &str, fields: &[(&str, &str)]) -> Raw {
        let request = app.raw(Method::POST, &format!("/..{path}")).form(fields);
        let request = request.header(SEC_FETCH_SITE, "same-origin");
        answer(request.header("cookie", &self.cookie).header("accept", "text/html")).await
    }

    /// Confirms the session by the password.
    pub(crate) async fn confirm(&self, app: &TestApp) {
        app.browser(&self.cookie).auth().step_up().password(PASSWORD).await.unwrap();
    }
}

/// A parameter of the URL that a response redirects to.
pub(crate) fn returned(response: &Raw, name: &str) -> Option<String> {
    assert_eq!(response.status, StatusCode::SEE_OTHER, "{}", response.text);
    let url = Url::parse(response.header("location")?).ok()?;
    url.query_pairs().find(|(own, _)| own == name).map(|(_, value)| value.into_owned())
}

/// The key of the form on a page, which says for whom it was made.
pub(crate) fn form_key(page: &Raw) -> String {
    let (_, key) = page.text.split_once("name=\"idempotency_key\" value=\"").unwrap();
    key.split('"').next().unwrap().to_owned()
}

/// The path on this server that a response redirects to.
pub(crate) fn led_to(response: &Raw) -> &str {
    assert_eq!(response.status, StatusCode::SEE_OTHER, "{}", response.text);
    response.header("location").unwrap()
}

/// The word of a refusal of OAuth, which nobody stores.
#[track_caller]
pub(crate) fn refused(response: &Raw) -> String {
    assert!(response.status.is_client_error(), "{} {}", response.status, response.text);
    assert_eq!(response.header("cache-control"), Some("no-store"));
    let body: Value = serde_json::from_str(&response.text).unwrap();
    assert!(!body["error_description"].as_str().unwrap().is_empty());
    body["error"].as_str().unwrap().to_owned()
}

/// A member of an answer.
#[track_caller]
pub(crate) fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_else(|| panic!("no {name} in {value}")).to_owned()
}
