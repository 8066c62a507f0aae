//! Sign-in by a browser (RFC 8628): the tokens it brings, their renewal and their end.

use std::time::Duration;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde_json::Value;
use svc_client::types::api::auth::GetSession;
use svc_client::types::api::users::User;
use svc_client::types::{ApiKey, Timestamp};

use crate::account::{account, unreached};
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::login::save_login;
use crate::output::Output;
use crate::settings::{Settings, Target};
use crate::store::{Credentials, Tokens};
use crate::{time, transport};

/// The client that every server knows.
const CLIENT: &str = "svc";

/// Everything that an account may do, except what its role allows.
const SCOPES: &str = "read write dm exchange:spend exchange:sell identity account";

/// How many seconds before its end an access token is renewed.
const RENEWAL_SECONDS: i64 = 60;

/// Time for one request.
const REQUEST_TIME: Duration = Duration::from_secs(30);

/// How a sign-in begins.
#[derive(Deserialize)]
struct Begun {
    device_code: String,
    user_code: String,
    verification_uri: String,
    verification_uri_complete: String,
    expires_in: u64,
    interval: u64,
}

/// New tokens.
#[derive(Deserialize)]
struct Issued {
    access_token: ApiKey,
    refresh_token: ApiKey,
    expires_in: i64,
}

impl Issued {
    fn tokens(self) -> Tokens {
        let expires_at = time::now_seconds() + self.expires_in;
        Tokens { access: self.access_token, refresh: self.refresh_token, expires_at }
    }
}

/// What a server answers to a form of OAuth.
enum Answered<T> {
    Given(T),
    /// The word of the refusal.
    Refused(String),
}

/// Signs in by a browser, on this machine or any other.
pub(crate) async fn login(settings: &Settings) -> Result<()> {
    let caller = settings.newcomer()?;
    let url = caller.target.url.clone();
    if settings.is_shown(&format!("sign in to {url} by a browser"))? {
        return Ok(());
    }
    let scope = [("client_id", CLIENT), ("scope", SCOPES)];
    let begun: Begun = match send(&url, "device", &scope).await.map_err(unreached)? {
        Answered::Given(begun) => begun,
        Answered::Refused(word) => return Err(refused(&word)),
    };
    Output::ask(&format!(
        "open {}\nor type {} at {}",
        begun.verification_uri_complete, begun.user_code, begun.verification_uri
    ));
    let tokens = wait(&url, &begun).await?;
    let credentials = Credentials { oauth: Some(tokens.clone()), ..Credentials::default() };
    let caller = settings.connect(Target { url, profile: None, credentials })?;
    let Some(answer) = caller.send(GetSession {}).await? else { return Ok(()) };
    let user = &answer.value.value.user;
    keep(settings, &caller, user, &tokens).await?;
    caller.out.answer(&answer.value, |_| account(user))
}

/// Saves the tokens of a sign-in. Those that can't be saved must not stay valid.
async fn keep(settings: &Settings, caller: &Caller, user: &User, tokens: &Tokens) -> Result<()> {
    let saved = save_login(settings, caller, user, |keys| {
        keys.cookie = None;
        keys.oauth = Some(tokens.clone());
    });
    if saved.is_err() {
        let _ = end(&caller.target.url, tokens).await;
    }
    saved
}

/// Waits until the person has decided.
async fn wait(url: &str, begun: &Begun) -> Result<Tokens> {
    let kind = "urn:ietf:params:oauth:grant-type:device_code";
    let form = [("grant_type", kind), ("client_id", CLIENT), ("device_code", &begun.device_code)];
    let (mut interval, mut asked, mut waited) = (begun.interval.max(1), 0, 0);
    while waited < begun.expires_in {
        let pause = interval.max(asked);
        tokio::time::sleep(Duration::from_secs(pause)).await;
        (asked, waited) = (0, waited + pause);
        match send::<Issued>(url, "token", &form).await {
            Ok(Answered::Given(issued)) => return Ok(issued.tokens()),
            Ok(Answered::Refused(word)) if word == "authorization_pending" => {}
            Ok(Answered::Refused(word)) if word == "slow_down" => interval += begun.interval,
            Ok(Answered::Refused(word)) => return Err(refused(&word)),
            // The next attempt may succeed.
            Err(error) if matches!(error.exit, Exit::Network | Exit::RateLimited) => {
                asked = error.retry_after.unwrap_or_default().min(begun.expires_in);
            }
            Err(error) => return Err(error),
        }
    }
    Err(refused("expired_token"))
}

fn refused(word: &str) -> Box<Error> {
    let message = match word {
        "access_denied" => "the sign-in was not allowed",
        "expired_token" => "nobody allowed the sign-in in time",
        _ => "the server refused the sign-in",
    };
    Error::new(Exit::NotAllowed, word, message).hint("svc login")
}

/// Renews the tokens of the profile that is used, if they are about to end.
pub(crate) async fn renew(settings: &Settings) -> Result<()> {
    if settings.is_dry_run() || ending(settings).is_none() {
        return Ok(());
    }
    // A refresh token works once: of concurrent commands, one renews it and the others use the new one.
    let _lock = settings.store.lock_renewal()?;
    let Some(Ending { url, profile, tokens }) = ending(settings) else { return Ok(()) };
    let old = tokens.refresh.expose();
    let form = [("grant_type", "refresh_token"), ("client_id", CLIENT), ("refresh_token", old)];
    // Without an answer the command itself says why.
    let Ok(answered) = send::<Issued>(&url, "token", &form).await else { return Ok(()) };
    let issued = match answered {
        Answered::Given(issued) => Some(issued.tokens()),
        Answered::Refused(word) if word == "invalid_grant" => None,
        Answered::Refused(_) => return Ok(()),
    };
    settings.store.update(|profiles| {
        if let Some(kept) = profiles.credentials.get_mut(&profile)
            // Another command may have signed in or out meanwhile.
            && kept.oauth.as_ref().is_some_and(|kept| kept.refresh.expose() == old)
        {
            kept.oauth = issued;
        }
        Ok(())
    })
}

/// Says how long a command that keeps running can use a sign-in: tokens are renewed only when a command starts.
pub(crate) fn note_end(caller: &Caller) {
    let keys = &caller.target.credentials;
    if let Some(tokens) = keys.oauth.as_ref().filter(|_| keys.cookie.is_none()) {
        let end = time::clock(Timestamp::from_millis(tokens.expires_at.saturating_mul(1000)));
        caller.out.note(&format!(
            "the sign-in by a browser lasts until {end}; svc login --with-key saves a key, which \
             lasts longer"
        ));
    }
}

/// Tokens that are about to end.
struct Ending {
    url: String,
    profile: String,
    tokens: Tokens,
}

/// The tokens of the profile in use, if they are about to end. A command that needs a profile reports itself what
/// is wrong with it.
fn ending(settings: &Settings) -> Option<Ending> {
    let Target { url, profile, credentials } = settings.target().ok()?;
    let (profile, tokens) = (profile?, credentials.oauth?);
    let is_ending = tokens.expires_at <= time::now_seconds() + RENEWAL_SECONDS;
    is_ending.then_some(Ending { url, profile, tokens })
}

/// Ends the tokens of a profile.
pub(crate) async fn end(url: &str, tokens: &Tokens) -> Result<()> {
    let form = [("client_id", CLIENT), ("token", tokens.refresh.expose())];
    send::<Value>(url, "revoke", &form).await.map(drop)
}

/// A client of the server at this URL.
fn client(root: &str) -> Result<reqwest::Client> {
    let built = transport::client(root).timeout(REQUEST_TIME).build();
    built.map_err(|error| Error::new(Exit::Other, "config", error.to_string()))
}

/// Sends a form to a route of OAuth, beside the API.
async fn send<T: for<'de> Deserialize<'de>>(
    url: &str,
    route: &str,
    form: &[(&str, &str)],
) -> Result<Answered<T>> {
    let root = url.strip_suffix("/api").unwrap_or(url);
    let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let pairs = form.iter().map(|(name, text)| format!("{}={}", encode(name), encode(text)));
    let request = client(root)?
        .post(format!("{root}/oauth/{route}"))
        .header("content-type", "application/x-www-form-urlencoded")
        .body(pairs.collect::<Vec<_>>().join("&"));
    let unreachable = |error: reqwest::Error| {
        let message = format!("no answer from {root}: {}", transport::cause(&error));
        Error::new(Exit::Network, "network", message)
    };
    let answer = request.send().await.map_err(unreachable)?;
    let (status, body) = (answer.status(), answer.bytes().await.map_err(unreachable)?);
    let exit = match status.as_u16() {
        429 => Exit::RateLimited,
        500.. => Exit::Network,
        _ => Exit::Other,
    };
    let unexpected = || {
        let message = format!("{root} does not sign in by a browser: it answered {status}");
        Error::new(exit, "unexpected_answer", message).hint("svc login NAME")
    };
    if status.is_success() {
        return serde_json::from_slice(&body).map(Answered::Given).map_err(|_| unexpected());
    }
    let value: Value = serde_json::from_slice(&body).map_err(|_| unexpected())?;
    let refusal = value["error"].as_str().ok_or_else(unexpected)?;
    // Errors that OAuth has no code for, such as too many requests, have the form of the API.
    let Some(code) = value["code"].as_str() else {
        return Ok(Answered::Refused(refusal.to_owned()));
    };
    let mut error = Error::new(exit, code, refusal);
    error.retry_after = value["retryAfter"].as_u64();
    Err(error)
}
