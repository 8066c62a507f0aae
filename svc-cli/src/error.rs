//! Why a command failed, for people and for programs.

use std::fmt::Display;
use std::path::Path;

use clap::error::ErrorKind;
use serde::Serialize;
use serde_json::{Map, Value, json};
use svc_client::Error as ClientError;
use svc_client::types::{Code, EscrowId, MessageId};

use crate::exit::Exit;
use crate::untrusted::Untrusted;
use crate::{hint, topup};

/// The hint that leads to the help of the whole command.
pub(crate) const HELP: &str = "svc help";

/// How a text that begins like a flag is typed.
const AFTER_DASHES: &str = "put -- before a value that begins with -, after all flags";

/// A result with a boxed [`Error`], which is large and rare.
pub(crate) type Result<T, E = Box<Error>> = std::result::Result<T, E>;

/// Why a command failed; in JSON mode it is serialized as it is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Error {
    /// What is wrong and what would be right.
    #[serde(rename = "error")]
    pub(crate) message: String,
    /// The same as a stable word: the server's, or one of ours.
    pub(crate) code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// The next command, complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
    /// Whole seconds to wait before trying again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after: Option<u64>,
    /// The order it is about: the name that `--id` takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// The request that was refused; where none was, the message by which the order was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
    /// The escrow that pays for the order.
    #[serde(skip_serializing_if = "Option::is_none")]
    escrow_id: Option<String>,
    /// Repeating the command with this `--idempotency-key` can't act twice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) idempotency_key: Option<String>,
    /// Of several posts or accounts the one it is about, as it was typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<String>,
    /// What is to be paid first, as x402 has it.
    #[serde(flatten)]
    pub(crate) offer: Option<Map<String, Value>>,
    /// Text from other accounts: data, and no part of the message or the hint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) untrusted: Option<Untrusted>,
    #[serde(rename = "exitCode")]
    pub(crate) exit: Exit,
    /// Whether it was printed already.
    #[serde(skip)]
    pub(crate) is_printed: bool,
}

impl Error {
    /// A failure found here.
    pub(crate) fn new(exit: Exit, code: &str, message: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            message: message.into(),
            code: code.to_owned(),
            status: None,
            hint: None,
            retry_after: None,
            id: None,
            request_id: None,
            escrow_id: None,
            idempotency_key: None,
            argument: None,
            offer: None,
            untrusted: None,
            exit,
            is_printed: false,
        })
    }

    /// The command line is invalid.
    pub(crate) fn usage(message: impl Into<String>) -> Box<Self> {
        Self::new(Exit::Usage, "usage", message)
    }

    /// A file could not be read or written.
    pub(crate) fn file(doing: &str, path: &Path, error: impl Display) -> Box<Self> {
        let message = format!("can't {doing} {}: {error}", path.display());
        Self::new(Exit::Other, "file", message)
    }

    /// The reader of stdout is gone: not a failure, and nothing more to do.
    pub(crate) fn closed_pipe() -> Box<Self> {
        Self::new(Exit::Done, "closed_pipe", "")
    }

    /// Names the next command, in place of what the server advised.
    #[must_use]
    pub(crate) fn hint(mut self: Box<Self>, hint: impl Into<String>) -> Box<Self> {
        self.hint = Some(hint.into());
        self
    }

    /// Moves the state from the hint of the server to the message, unless that names it.
    #[must_use]
    pub(crate) fn with_state(mut self: Box<Self>, what: &str) -> Box<Self> {
        let state = self.hint.take();
        if let Some(state) = state.filter(|state| !self.message.contains(state.as_str())) {
            self.message = format!("{}: the {what} is {state}", self.message);
        }
        self
    }

    /// Adds text from other accounts.
    #[must_use]
    pub(crate) fn untrusted(mut self: Box<Self>, text: impl Into<Value>) -> Box<Self> {
        self.untrusted = Some(Untrusted::new(text));
        self
    }

    /// Names the order it is about, and what is known of it.
    #[must_use]
    pub(crate) fn of_order(
        mut self: Box<Self>,
        id: &str,
        request: Option<&MessageId>,
        escrow: Option<&EscrowId>,
    ) -> Box<Self> {
        self.id = Some(id.to_owned());
        self.request_id = self.request_id.or(request.map(ToString::to_string));
        self.escrow_id = escrow.map(ToString::to_string);
        self
    }

    /// Names the one of several arguments it is about.
    #[must_use]
    pub(crate) fn about(mut self: Box<Self>, argument: &str) -> Box<Self> {
        self.message = format!("{argument}: {}", self.message);
        self.argument = Some(argument.to_owned());
        self
    }

    /// The same with what the server quotes of a schema apart: another account published it.
    fn apart(mut self: Box<Self>, refusal: &ClientError) -> Box<Self> {
        "the input does not fit".clone_into(&mut self.message);
        let faults = json!({ "faults": [refusal.hint().unwrap_or_default()] });
        let advice = self.exit.advice();
        self.hint(advice).untrusted(faults)
    }

    /// Whether the server refused this one request, so that others like it may succeed.
    pub(crate) fn is_about_one(&self) -> bool {
        matches!(self.status, Some(400 | 403 | 404 | 409))
    }
}

impl From<ClientError> for Box<Error> {
    fn from(error: ClientError) -> Self {
        let exit = Exit::from(&error);
        let code = match error.code() {
            Some(code) => code.as_str(),
            None => local_code(&error),
        };
        let retry_after =
            error.retry_after().map(|wait| wait.as_secs() + u64::from(wait.subsec_nanos() > 0));
        let made = Box::new(Error {
            message: error.message().to_owned(),
            code: code.to_owned(),
            status: error.status().map(|status| status.as_u16()),
            hint: Some(hint::with_wait(&hint(&error, exit), retry_after)),
            retry_after,
            id: None,
            request_id: error.request_id().map(str::to_owned),
            escrow_id: None,
            idempotency_key: error
                .idempotency_key()
                .filter(|_| exit == Exit::Network || is_unread(&error) || asks_for_same_key(&error))
                .map(str::to_owned),
            argument: None,
            offer: error.payment_required().and_then(topup::offer),
            untrusted: None,
            exit,
            is_printed: false,
        });
        if error.code() == Some(&Code::InputSchemaMismatch) { made.apart(&error) } else { made }
    }
}

/// Whether there was an answer that is none of the platform: what the request did is not known.
const fn is_unread(error: &ClientError) -> bool {
    matches!(error, ClientError::Decode { .. })
}

/// Whether the server asks to repeat a request that has begun something: only its key continues that.
fn asks_for_same_key(error: &ClientError) -> bool {
    error.hint().is_some_and(|hint| hint.contains("the same Idempotency-Key"))
}

/// The hint of the server, unless it is for programs.
fn hint(error: &ClientError, exit: Exit) -> String {
    let is_for_programs =
        matches!(error.code(), Some(Code::Unauthorized | Code::SecondFactorRequired));
    match error.hint() {
        Some(text) if !is_for_programs => hint::with_commands(text),
        _ => next_command(error, exit).to_owned(),
    }
}

/// Whether another program answers: the platform names a code with each refusal.
fn is_foreign(error: &ClientError) -> bool {
    let is_refusal = matches!(
        error,
        ClientError::Unauthorized { .. }
            | ClientError::Forbidden { .. }
            | ClientError::NotFound { .. }
    );
    is_refusal && error.code().is_none()
}

/// The next command where the server names no next step.
fn next_command(error: &ClientError, exit: Exit) -> &'static str {
    match error {
        _ if is_foreign(error) => "svc doctor",
        _ if error.code() == Some(&Code::InsufficientCredits) => "svc credits",
        ClientError::Unauthorized { .. } => unauthorized(error.code()),
        _ if error.code() == Some(&Code::AgentDeactivated) => {
            "refuse the agent; it can prove its identity once its account is active again"
        }
        _ if error.code() == Some(&Code::Blocked) => {
            "svc blocks lists the accounts you block; svc unblock USER unblocks one"
        }
        ClientError::Forbidden { .. } => {
            "svc whoami shows which account acts; another one may be allowed"
        }
        // Perhaps it is another program that answers.
        ClientError::Transport { .. }
        | ClientError::Timeout { .. }
        | ClientError::Decode { .. } => "svc doctor",
        _ => exit.advice(),
    }
}

/// The next step after a 401. Only a wrong key needs a new one: after a wrong password or a bad
/// identity token, a new key would revoke one that works.
fn unauthorized(code: Option<&Code>) -> &'static str {
    match code {
        Some(Code::InvalidCredentials) => {
            "type it again; svc password reset ADDRESS mails a link to a verified e-mail address"
        }
        Some(Code::SecondFactorRequired) => {
            "add --code CODE: the code of the authenticator app, or a recovery code"
        }
        Some(Code::InvalidToken | Code::IdentityTokenExpired) => {
            "refuse the agent, which has to create another token"
        }
        Some(Code::AudienceMismatch) => {
            "refuse the agent, which has to create a token for your app; svc developer show prints \
             the app's id"
        }
        Some(Code::InvalidDeveloperKey) => {
            "the key of the app is wrong or was replaced: svc developer list shows the app's id, svc \
             developer rotate-key APP makes a new key"
        }
        _ => {
            "a key that was sent is wrong or was replaced: svc login --with-key keeps another, svc \
             login NAME signs in with the password, after which svc key regenerate makes a new one"
        }
    }
}

/// The code of a failure without a response of the platform.
fn local_code(error: &ClientError) -> &'static str {
    match error {
        ClientError::Timeout { .. } => "timeout",
        ClientError::Transport { .. } => "network",
        ClientError::Config { .. } => "config",
        ClientError::Decode { .. } => "unexpected_answer",
        ClientError::Invalid { .. } => "usage",
        _ => "foreign_answer",
    }
}

/// The help command for the usage in an error of clap: `svc help escrow` for `svc escrow [OPTIONS] <COMMAND>`.
fn help_of(text: &str) -> String {
    let usage = text.lines().find_map(|line| line.trim().strip_prefix("Usage: svc"));
    let words = usage.unwrap_or_default().split_whitespace();
    let names = words.take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
    names.fold(HELP.to_owned(), |line, name| format!("{line} {name}"))
}

impl From<clap::Error> for Box<Error> {
    /// Reduces the paragraphs of clap to one message and one hint.
    fn from(error: clap::Error) -> Self {
        let text = error.to_string();
        let missing =
            [ErrorKind::MissingSubcommand, ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand];
        if missing.contains(&error.kind()) {
            return Error::usage("a command is missing").hint(help_of(&text));
        }
        let paragraph = text.split("\n\n").next().unwrap_or_default();
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        let joined = words.join(" ");
        let message = joined.strip_prefix("error: ").unwrap_or(&joined);
        let tip = text.lines().find_map(|line| line.trim().strip_prefix("tip: "));
        // The tip repeats a part of the value.
        let tip = tip.map(|tip| if tip.starts_with("to pass '") { AFTER_DASHES } else { tip });
        let usage = text.lines().find_map(|line| line.trim().strip_prefix("Usage: "));
        let failure = Error::usage(message);
        match tip.or(usage) {
            None => failure.hint(HELP),
            // The usage of a command with many below it names none of them.
            Some(_) if tip.is_none() && error.kind() == ErrorKind::InvalidSubcommand => {
                failure.hint(help_of(&text))
            }
            // The output adds profile and server to every hint, in the form they were given in.
            Some(hint) => {
                failure.hint(hint.replace(" --profile <NAME>", "").replace(" --url <URL>", ""))
            }
        }
    }
}
