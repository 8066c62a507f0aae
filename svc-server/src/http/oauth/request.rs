//! A client's request for an authorization code, checked.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use svc_core::services::oauth::code::CHALLENGE_LENGTH;
use svc_core::services::oauth::redirect::Redirect;
use svc_core::services::oauth::{Client, Denied, GrantScopes, OauthError, Resource};
use svc_types::UserId;

use super::parameters::Parameters;
use crate::app::ServerApp;

/// Most bytes of a query.
pub(super) const QUERY_MAX: usize = 6_000;

/// Longest nonce, which is stored.
const NONCE_MAX: usize = 512;

/// A request whose client and redirect URI are known, so that its refusals go to the client.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// What may be done.
    pub(super) scopes: GrantScopes,
    /// Where the tokens work.
    pub(super) resource: Resource,
    /// Hash of the verifier.
    pub(super) challenge: String,
    /// What the client repeats to itself.
    pub(super) nonce: Option<String>,
    /// What the person is asked.
    pub(super) prompt: Prompt,
    /// The longest time since the person signed in.
    pub(super) max_age: Option<Duration>,
    /// The account that the client has signed in so far.
    hinted: Option<String>,
}

/// What the person is asked (OpenID Connect Core, 3.1.2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Prompt {
    /// Nothing: refuse instead.
    pub(super) none: bool,
    /// To confirm who they are.
    pub(super) login: bool,
    /// To agree, even if they did before.
    pub(super) consent: bool,
}

impl Asked {
    /// Checks what a client asks for.
    pub(super) fn of(
        app: &ServerApp,
        parameters: &Parameters,
        client: &Client,
    ) -> Result<Self, Denied> {
        parameters.refuse_repeated()?;
        refuse_unsupported(parameters)?;
        let challenge = challenge(parameters)?;
        let nonce = parameters.get("nonce").map(str::to_owned);
        if nonce.as_ref().is_some_and(|nonce| nonce.len() > NONCE_MAX || nonce.contains('\0')) {
            return Err(Denied::request("nonce must have at most 512 characters"));
        }
        Ok(Self {
            scopes: GrantScopes::asked(parameters.get("scope"), client)?,
            resource: parameters.resource(app)?.unwrap_or(Resource::Api),
            challenge,
            nonce,
            prompt: Prompt::of(parameters.get("prompt").unwrap_or_default())?,
            max_age: max_age(parameters)?,
            hinted: hinted(parameters),
        })
    }

    /// Whether the client expects another account than the one that is signed in.
    pub(super) fn expects_other(&self, account: &UserId) -> bool {
        self.hinted.as_ref().is_some_and(|hinted| hinted != account.as_str())
    }

    /// The account that the client expects, which may be an agent of the person.
    pub(super) fn expected(&self) -> Option<&str> {
        self.hinted.as_deref()
    }

    /// The account that the client expects to sign in without a question.
    pub(super) fn expected_silently(&self) -> Option<&str> {
        self.expected().filter(|_| self.prompt.none)
    }

    /// Whether the person has to confirm who they are, who signed in so long ago.
    pub(super) fn wants_sign_in(&self, ago: Duration) -> bool {
        self.prompt.login || self.max_age.is_some_and(|most| ago > most)
    }
}

fn refuse_unsupported(parameters: &Parameters) -> Result<(), Denied> {
    for (name, error) in [
        ("request", OauthError::RequestNotSupported),
        ("request_uri", OauthError::RequestUriNotSupported),
    ] {
        if parameters.get(name).is_some() {
            return Err(Denied::new(error, format!("{name} is not supported")));
        }
    }
    if parameters.need("response_type")? != "code" {
        let message = "response_type must be code";
        return Err(Denied::new(OauthError::UnsupportedResponseType, message));
    }
    match parameters.get("response_mode") {
        None | Some("query") => Ok(()),
        Some(_) => Err(Denied::request("response_mode must be query")),
    }
}

/// The challenge of PKCE, without which no code is given.
fn challenge(parameters: &Parameters) -> Result<String, Denied> {
    let challenge = parameters.need("code_challenge")?;
    if parameters.get("code_challenge_method") != Some("S256") {
        return Err(Denied::request("code_challenge_method must be S256"));
    }
    let is_base64url = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if challenge.len() == CHALLENGE_LENGTH && challenge.bytes().all(is_base64url) {
        return Ok(challenge.to_owned());
    }
    Err(Denied::request("code_challenge must be a SHA-256 in base64url: 43 characters"))
}

fn max_age(parameters: &Parameters) -> Result<Option<Duration>, Denied> {
    let Some(text) = parameters.get("max_age") else { return Ok(None) };
    let seconds = text.parse().map_err(|_| Denied::request("max_age must be whole seconds"))?;
    Ok(Some(Duration::from_secs(seconds)))
}

/// The account that an earlier ID token names (`id_token_hint`). A forged one gains nothing: it makes the server ask or
/// refuse, and a refusal reveals the account only to programs that the person has allowed something.
fn hinted(parameters: &Parameters) -> Option<String> {
    let claims = parameters.get("id_token_hint")?.split('.').nth(1)?;
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()?;
    claims["sub"].as_str().map(str::to_owned)
}

impl Prompt {
    fn of(text: &str) -> Result<Self, Denied> {
        let mut prompt = Self::default();
        let mut words = 0;
        for word in text.split_ascii_whitespace() {
            words += 1;
            match word {
                "none" => prompt.none = true,
                "login" => prompt.login = true,
                // There is one account to choose: the one that is signed in.
                "consent" | "select_account" => prompt.consent = true,
                _ => {
                    let message = "prompt must be none, or some of login, consent, select_account";
                    return Err(Denied::request(message));
                }
            }
        }
        if prompt.none && words > 1 {
            return Err(Denied::request("prompt=none stands alone"));
        }
        Ok(prompt)
    }
}

/// The URL that sends a refusal to the client.
pub(super) fn refusal(
    app: &ServerApp,
    to: &Redirect,
    state: Option<&str>,
    denied: &Denied,
) -> String {
    let mut parameters = vec![
        ("error", denied.error.as_str()),
        ("error_description", &*denied.description),
        ("iss", &*app.public_url),
    ];
    parameters.extend(state.map(|state| ("state", state)));
    to.with(&parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_of_none_stands_alone() {
        assert_eq!(Prompt::of("").unwrap(), Prompt::default());
        let both = Prompt::of("login consent").unwrap();
        assert!(both.login && both.consent && !both.none);
        for wrong in ["none login", "create", "LOGIN"] {
            assert!(Prompt::of(wrong).is_err(), "{wrong}");
        }
    }
}
