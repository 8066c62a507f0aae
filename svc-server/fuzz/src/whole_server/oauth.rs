//! OAuth. People are sent to the places of the client and nowhere else, and tokens are given for a code
//! with its verifier.
//!
//! `$code`, `$refresh`, `$device` and `$typed` are made for an input that has them: a code, a refresh token,
//! and the codes of a device.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderName;
use http::header::COOKIE;
use reqwest::Url;
use serde_json::{Value, json};
use url::form_urlencoded;

use super::answer::Answer;
use super::request::{Request, Route};
use super::server::{DONE, HOST, WholeServer, with_server};

const ROUTES: [Route; 10] = [
    ("POST", "/oauth/token"),
    ("POST", "/oauth/introspect"),
    ("POST", "/oauth/revoke"),
    ("POST", "/oauth/register"),
    ("POST", "/oauth/device"),
    ("GET", "/oauth/userinfo"),
    ("GET", "/oauth/authorize"),
    ("POST", "/oauth/authorize"),
    ("GET", "/device"),
    ("POST", "/device"),
];

/// Verifier and challenge of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// How a browser says which site a request comes from.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

const FORM: &str = "content-type: application/x-www-form-urlencoded";

/// The parameters of a request, of its query and its form.
struct Parameters(Vec<(String, String)>);

impl Parameters {
    fn of(texts: &[&[u8]]) -> Self {
        let pairs = texts.iter().flat_map(|text| form_urlencoded::parse(text));
        let pairs = pairs.map(|(name, text)| (name.into_owned(), text.into_owned()));
        Self(pairs.collect())
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(own, _)| own == name).map(|(_, text)| text.as_str())
    }

    fn has(&self, name: &str, text: &str) -> bool {
        self.all(name).any(|own| own == text)
    }
}

pub(crate) fn judge(input: &[u8]) {
    with_server(|server| {
        let text = String::from_utf8_lossy(input);
        if !make_words(server, &text) {
            return server.wear_out();
        }
        let request = Request::read(input, &ROUTES, &server.words);
        let query = Parameters::of(&[request.query().as_bytes()]);
        let asked = Parameters::of(&[request.query().as_bytes(), &request.body]);
        if names_document(&request, &asked) {
            return;
        }
        let Some(answer) = server.send_input(request) else { return };
        if answer.status.is_redirection() {
            judge_redirect(server, &query, answer.header("location"));
        }
        judge_body(server, &asked, &answer);
    });
}

/// Makes what an input names. False where the server wants its person to confirm who they are, after a
/// long time.
fn make_words(server: &mut WholeServer, input: &str) -> bool {
    if input.contains("$code") || input.contains("$refresh") {
        let Some(code) = code(server) else { return false };
        server.words.set("$code", code);
    }
    if input.contains("$refresh") {
        let form = format!(
            "grant_type=authorization_code&client_id=$client&code=$code&code_verifier={VERIFIER}"
        );
        let form = server.words.fill(&form);
        let tokens = server.made(Request::form("/oauth/token", &form));
        server.words.set("$refresh", word(&tokens["refresh_token"]));
    }
    if input.contains("$device") || input.contains("$typed") {
        let form = server.words.fill("client_id=$client&scope=openid+read");
        let begun = server.made(Request::form("/oauth/device", &form));
        server.words.set("$device", word(&begun["device_code"]));
        server.words.set("$typed", word(&begun["user_code"]));
    }
    true
}

/// A code of the client, to which the person agrees.
fn code(server: &mut WholeServer) -> Option<String> {
    let path = server.words.fill(&format!("/oauth/authorize?{}", asking()));
    let request = Request::form(&path, "decision=allow").with(COOKIE, server.words.of("$cookie"));
    let answer = server.send(request.with(SEC_FETCH_SITE, "same-origin"))?;
    let url = Url::parse(answer.header("location")).ok()?;
    let mut pairs = url.query_pairs();
    pairs.find(|(name, _)| name == "code").map(|(_, code)| code.into_owned())
}

fn word(value: &Value) -> String {
    value.as_str().expect("it is a text").to_owned()
}

/// Whether a client is named whose document the server would fetch from elsewhere.
fn names_document(request: &Request, asked: &Parameters) -> bool {
    let header = request.headers.get("authorization").and_then(|value| value.to_str().ok());
    let header = header.and_then(|text| STANDARD.decode(text.split_once(' ')?.1.trim()).ok());
    let header = header.unwrap_or_default();
    asked.all("client_id").any(|id| id.contains("://"))
        || header.windows(3).any(|part| part == b"://" || part == b"%2F" || part == b"%2f")
}

/// People go to pages of this server, or to where the client that is named has said.
fn judge_redirect(server: &WholeServer, asked: &Parameters, location: &str) {
    let home = Url::parse(&format!("https://{HOST}")).expect("it is a URL");
    let url = home.join(location).expect("a place is a URL");
    if url.origin() == home.origin() {
        return;
    }
    let is_own = location.starts_with(&format!("{DONE}?"))
        && asked.has("client_id", server.words.of("$client"));
    let is_loopback = url.scheme() == "http"
        && url.host_str().is_some_and(|host| ["127.0.0.1", "[::1]", "localhost"].contains(&host))
        && asked.has("client_id", "svc");
    assert!(is_own || is_loopback, "{location}");
    let answered = |name: &str| url.query_pairs().find(|(own, _)| own == name);
    assert_eq!(answered("iss").expect("the server says who it is").1, format!("https://{HOST}"));
    assert!(answered("code").is_some() != answered("error").is_some(), "{location}");
    let state = asked.all("state").find(|state| !state.is_empty());
    assert_eq!(answered("state").map(|(_, text)| text).as_deref(), state, "{location}");
}

/// A refusal has the form of RFC 6749 or is one of the API, or a page. Tokens are for what was shown.
fn judge_body(server: &WholeServer, asked: &Parameters, answer: &Answer) {
    let Some(body) = answer.json() else { return };
    if answer.status.is_client_error() || answer.status.is_server_error() {
        if body.get("code").is_some() {
            answer.judge_form();
            return;
        }
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
        for name in ["error", "error_description"] {
            let text = body[name].as_str().unwrap_or_default();
            assert!(!text.is_empty() && text.bytes().all(is_plain), "{body}");
        }
        assert!(body.get("access_token").is_none(), "{body}");
    }
    if body.get("access_token").is_some() {
        assert_eq!(answer.header("cache-control"), "no-store");
        let shows = |name: &str, word: &str| asked.has(name, server.words.of(word));
        assert!(shows("client_id", "$client"), "{body}");
        let is_code = shows("code", "$code") && asked.has("code_verifier", VERIFIER);
        assert!(is_code || shows("refresh_token", "$refresh"), "{body}");
    }
}

/// The request of the client for a code.
fn asking() -> String {
    let redirect: String = form_urlencoded::byte_serialize(DONE.as_bytes()).collect();
    format!(
        "response_type=code&client_id=$client&redirect_uri={redirect}&scope=openid+read&state=s\
         &nonce=n&code_challenge={CHALLENGE}&code_challenge_method=S256"
    )
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let asked = asking();
    let by_person = "cookie: $cookie\nsec-fetch-site: same-origin\naccept: text/html";
    let token =
        |kind: &str| format!("POST /oauth/token\n{FORM}\n\ngrant_type={kind}&client_id=$client");
    let client = json!({
        "client_name": "a", "redirect_uris": ["http://127.0.0.1:1/x", "app.example:/x"],
        "grant_types": ["authorization_code", "refresh_token"], "scope": "read",
        "token_endpoint_auth_method": "none", "client_uri": "https://a.example",
        "application_type": "native", "response_types": ["code"], "contacts": ["a@b.example"],
    });
    let texts = [
        format!("GET /oauth/authorize?{asked}\naccept: text/html\n\n"),
        format!("GET /oauth/authorize?{asked}&prompt=consent&max_age=6000\n{by_person}\n\n"),
        format!("GET /oauth/authorize?{asked}&prompt=none\n{by_person}\n\n"),
        format!(
            "POST /oauth/authorize?{asked}\n{by_person}\n{FORM}\n\ndecision=allow&perOrder=5&perDay=10"
        ),
        format!("POST /oauth/authorize?{asked}\n{by_person}\n{FORM}\n\ndecision=deny"),
        format!("POST /oauth/authorize\n{FORM}\n\n{asked}"),
        token("authorization_code") + &format!("&code=$code&code_verifier={VERIFIER}"),
        token("refresh_token") + "&refresh_token=$refresh&scope=read",
        token("urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code") + "&device_code=$device",
        format!(
            "POST /oauth/introspect\n{FORM}\n\ntoken=x&token_type_hint=access_token&client_id=$client"
        ),
        format!("POST /oauth/revoke\n{FORM}\n\ntoken=$refresh&client_id=$client"),
        format!(
            "POST /oauth/device\n{FORM}\n\nclient_id=$client&scope=read+write&resource=https%3A%2F%2F{HOST}%2Fmcp"
        ),
        format!("GET /device?user_code=$typed\n{by_person}\n\n"),
        format!("POST /device\n{by_person}\n{FORM}\n\nuser_code=$typed&decision=deny"),
        "GET /oauth/userinfo\nauthorization: Bearer $key\n\n".to_owned(),
        format!("POST /oauth/register\ncontent-type: application/json\n\n{client}"),
    ];
    texts.map(String::into_bytes).to_vec()
}
