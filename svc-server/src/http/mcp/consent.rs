//! Consent: the person is asked before credits are spent by an API key, which nobody gave caps for
//! this, or above the setting `oauth.ask_above`.
//!
//! The question carries a state that only this server can make. It binds the account, the arguments and
//! the price, and names the id under which the spending is carried out, so that a consent that is sent
//! twice spends once. No node keeps anything of it.

use std::time::Duration;

use rmcp::model::{InputRequests, InputRequiredResult, RequestStateCodec, SealOptions};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use svc_core::app::App;
use svc_core::html::is_invisible;
use svc_core::identity::SignedBy;
use svc_core::ids;
use svc_store::error::Error;
use svc_types::api::users::{GetUser, UserEnvelope};
use svc_types::{Credits, Id, Timestamp, UserId};

use super::session::{Failure, Session, failure};

/// How long a question can be answered.
const LIFE: Duration = Duration::from_mins(5);

/// The name of the question.
const QUESTION: &str = "consent";

/// What a person agrees to.
pub(super) struct Spending<'a> {
    /// The tool that spends.
    pub(super) tool: &'a str,
    /// The arguments that the consent is for.
    pub(super) arguments: Value,
    /// Who is paid.
    pub(super) provider: &'a str,
    /// What is paid for, in words that may be a stranger's.
    pub(super) what: String,
    pub(super) credits: Credits,
}

/// What the host keeps between the question and the answer.
#[derive(Serialize, Deserialize)]
struct State {
    id: String,
    credits: Credits,
    until: Timestamp,
}

/// What the person said.
enum Answer {
    Agreed,
    Declined,
    Missing,
}

impl Session {
    /// Lets a spending pass that needs no consent or has it; otherwise asks for it. The id is one for
    /// this spending.
    pub(super) fn agree(&self, spending: &Spending<'_>) -> Result<String, Failure> {
        if !self.needs_consent(spending.credits) {
            return Ok(new_id());
        }
        let binding = self.binding(spending)?;
        let Some(state) = &self.state else { return Err(self.ask(spending, &binding, new_id())) };
        let state: State = open(&self.app, state, &binding).ok_or_else(|| {
            let hint = "call the tool again without requestState";
            failure("spend_consent_required", "requestState is not of this call", hint)
        })?;
        if state.until <= self.app.clock.now() || state.credits != spending.credits {
            return Err(self.ask(spending, &binding, state.id));
        }
        match self.answer() {
            Answer::Agreed => Ok(state.id),
            Answer::Missing => Err(self.ask(spending, &binding, state.id)),
            Answer::Declined => {
                let hint = "do not ask again unless the person wants it";
                Err(failure("spend_declined", "the person did not agree; nothing was spent", hint))
            }
        }
    }

    /// The username of who is paid. An agent may name them by an id, which tells a person nothing.
    pub(super) async fn payee(&self, named: &str) -> Result<String, Failure> {
        if !named.starts_with(UserId::PREFIX) {
            return Ok(named.to_owned());
        }
        let request = GetUser { username: named.into() };
        let UserEnvelope { user, .. } = self.call(&request, None).await?;
        Ok(user.username)
    }

    /// Whether the person is asked before these credits are spent, and has not been asked yet.
    pub(super) fn will_ask(&self, credits: Credits) -> bool {
        self.state.is_none() && self.needs_consent(credits)
    }

    /// Caps are what the person gave a program; an API key says nothing of who uses it.
    fn needs_consent(&self, credits: Credits) -> bool {
        let is_key = !matches!(self.visit.account.method, SignedBy::Token(_));
        !credits.is_zero() && (is_key || credits > self.app.config.oauth.ask_above)
    }

    /// What a state is valid for.
    fn binding(&self, spending: &Spending<'_>) -> Result<Vec<u8>, Failure> {
        let Spending { tool, arguments, .. } = spending;
        let account = &self.visit.account.id;
        let whole = json!({ "account": account, "tool": tool, "arguments": arguments });
        let canonical = serde_json_canonicalizer::to_vec(&whole).map_err(Error::internal);
        canonical.map_err(|error| self.refused(&error))
    }

    fn answer(&self) -> Answer {
        let Some(answer) = self.answers.get(QUESTION) else { return Answer::Missing };
        let agrees = answer["action"] == "accept" && answer["content"]["agree"] == true;
        if agrees { Answer::Agreed } else { Answer::Declined }
    }

    /// The question to the person, or what to do where the host can't ask it.
    fn ask(&self, spending: &Spending<'_>, binding: &[u8], id: String) -> Failure {
        let Spending { provider, what, credits, .. } = spending;
        if !self.can_ask {
            return self.cannot_ask(*credits);
        }
        let price = credits.in_words();
        let message = format!("Pay {price} to @{provider} for {}?", plain(what));
        let until = self.app.clock.now().plus(LIFE);
        let state = State { id, credits: *credits, until };
        match (seal(&self.app, &state, binding), question(&message)) {
            (Some(state), Ok(asked)) => {
                Failure::Ask(Box::new(InputRequiredResult::new(Some(asked), Some(state))))
            }
            _ => self.refused(&Error::internal("a question about credits could not be made")),
        }
    }

    fn cannot_ask(&self, credits: Credits) -> Failure {
        let message = format!(
            "the person has to agree to spend {}, and this host cannot ask (MCP 2026-07-28 with \
             elicitation)",
            credits.in_words()
        );
        let most = self.app.config.oauth.ask_above;
        let step = if credits > most {
            format!("use a host that can ask the person, as it has to above {}", most.in_words())
        } else {
            "connect this host by OAuth instead of an API key, with caps that cover it".to_owned()
        };
        let url = format!("{}/settings/security", self.app.public_url);
        let hint = format!("{step}; the person sees at {url} what may spend");
        failure("spend_consent_required", message, hint)
    }
}

/// A form with one choice.
fn question(message: &str) -> serde_json::Result<InputRequests> {
    let agree = json!({
        "type": "boolean", "title": "I agree", "description": "Pay these credits.", "default": false,
    });
    let schema = json!({
        "type": "object", "properties": { "agree": agree }, "required": ["agree"],
    });
    let params = json!({ "mode": "form", "message": message, "requestedSchema": schema });
    let request = json!({ "method": "elicitation/create", "params": params });
    serde_json::from_value(json!({ QUESTION: request }))
}

/// A stranger's text on one line and in one direction, in quotation marks that it can't end.
fn plain(text: &str) -> String {
    let breaks = |c: char| c.is_control() || is_invisible(c) || "\u{2028}\u{2029}\"".contains(c);
    let kept = text.chars().filter(|c| !breaks(*c));
    format!("\"{}\"", kept.take(100).collect::<String>())
}

/// A fresh id of a spending: letters and digits.
fn new_id() -> String {
    ids::random::<16>().iter().fold("mcp-".to_owned(), |id, byte| format!("{id}{byte:02x}"))
}

fn seal(app: &App, state: &State, binding: &[u8]) -> Option<String> {
    let options = SealOptions::new().associated_data(binding);
    codecs(app).next()?.seal_json_with(state, &options).ok()
}

fn open(app: &App, sealed: &str, binding: &[u8]) -> Option<State> {
    codecs(app).find_map(|codec| codec.open_json_with(sealed, binding).ok())
}

/// A key for each sealing key, that of the newest first: every node has the same.
fn codecs(app: &App) -> impl Iterator<Item = RequestStateCodec> {
    app.encrypt.challenge_secrets().filter_map(|secret| {
        let key = Sha256::new().chain_update("the state of questions of svc").chain_update(secret);
        RequestStateCodec::try_new(key.finalize().to_vec()).ok()
    })
}
