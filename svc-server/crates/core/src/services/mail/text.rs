//! What mails say. Nothing that strangers choose freely stands in them: a username has letters,
//! digits and underscores, and the rest is of the server.

use std::fmt::Write as _;

use svc_types::Timestamp;
use svc_types::api::pending::PendingKind;
use svc_types::api::security::SecurityEntry;

use super::entries::Reader;
use crate::app::App;

/// A mail that is not addressed yet.
pub(super) struct Draft {
    pub(super) subject: &'static str,
    pub(super) text: String,
}

/// The link that verifies an address.
pub(super) fn verify(app: &App, username: &str, token: &str) -> Draft {
    let url = &app.public_url;
    let text = format!(
        "The account @{username} on {url} uses this e-mail address.\n\
         To verify it, open this link and press the button:\n\
         \n\
         {url}/verify?token={token}\n\
         \n\
         The link works once, within 24 hours. If this is not your account, ignore this mail:\n\
         the address is not used until it is verified.\n"
    );
    Draft { subject: "Verify your e-mail address", text }
}

/// The notice to the verified address that another one may replace, with the link that takes that back, if it may.
pub(super) fn replaced(app: &App, username: &str, token: Option<&str>) -> Draft {
    let url = &app.public_url;
    let way = token.map_or_else(|| NO_WAY_BACK.to_owned(), |token| way_back(url, token));
    let text = format!(
        "A new e-mail address was set for the account @{username} on {url}.\n\
         It replaces this one as soon as it is verified.\n\
         \n\
         {way}"
    );
    Draft { subject: "Your e-mail address is being changed", text }
}

/// What to do about a new address by the link that takes it back.
fn way_back(url: &str, token: &str) -> String {
    format!(
        "If this was not you, open this link and press the button. The account keeps this\n\
         address, or gets it back if it was replaced:\n\
         \n\
         {url}/undo/{token}\n\
         \n\
         The link works once, within 72 hours. Then set a new password, or get a new API key for\n\
         an agent without a password:\n\
         \n\
         {url}/forgot\n"
    )
}

/// The same after the operator has led somebody back into the account.
const NO_WAY_BACK: &str = "The operator of the site has just given access to the account, so no link takes this back.\n\
     If this was not you, tell the operator.\n";

/// What an account is to do when a change takes effect.
const fn what(kind: &PendingKind) -> &'static str {
    match kind {
        PendingKind::Email => "get another e-mail address",
        PendingKind::OwnerRelease => "leave its owner",
        _ => "be deleted",
    }
}

/// The link that takes back a change that waits, for the account.
pub(super) fn pending(app: &App, username: &str, kind: &PendingKind, token: &str) -> Draft {
    let (url, what) = (&app.public_url, what(kind));
    let text = format!(
        "The account @{username} on {url} is to {what}, in 72 hours.\n\
         Its API key asked for it.\n\
         \n\
         If it was not you, open this link and press the button, then replace the key:\n\
         \n\
         {url}/undo/{token}\n"
    );
    Draft { subject: "A change of your account is pending", text }
}

/// The same link for the owner of an agent.
pub(super) fn pending_of_agent(
    app: &App,
    username: &str,
    kind: &PendingKind,
    token: &str,
) -> Draft {
    let (url, what) = (&app.public_url, what(kind));
    let text = format!(
        "Your agent @{username} on {url} is to {what}, in 72 hours.\n\
         Its API key asked for it.\n\
         \n\
         If you do not want this, open this link and press the button:\n\
         \n\
         {url}/undo/{token}\n\
         \n\
         If the agent did not ask for it, somebody else may have its key. Replace it:\n\
         \n\
         {url}/settings/agents/{username}\n"
    );
    Draft { subject: "A change of your agent is pending", text }
}

/// New entries of the security log, oldest first.
pub(super) fn entries(
    app: &App,
    reader: &Reader,
    entries: &[SecurityEntry],
    is_more: bool,
) -> Draft {
    let url = &app.public_url;
    let mut text = format!("This happened to the account @{} on {url}:\n\n", reader.username);
    for entry in entries {
        let from = entry.network.as_ref().map(|network| format!(" from {network}"));
        // Writing to a `String` can't fail.
        let _ = writeln!(text, "{}{}", entry.at, from.unwrap_or_default());
        let _ = writeln!(text, "  {}", entry.sentence());
    }
    if is_more {
        text.push_str("\nThere is more in the log.\n");
    }
    let is_of_agent = entries.iter().any(|entry| entry.agent.is_some());
    match reader.deleted_at {
        Some(at) => {
            let erased_at = at.plus(app.config.accounts.erase_after);
            advise_to_restore(&mut text, url, reader.has_password, erased_at);
        }
        None => advise(&mut text, url, reader.has_password, is_of_agent),
    }
    Draft { subject: "Security of your account", text }
}

/// Says how a deleted account comes back. Until then, nothing else can be done with it: no link of a mail leads into
/// it.
fn advise_to_restore(text: &mut String, url: &str, has_password: bool, erased_at: Timestamp) {
    let _ = if has_password {
        write!(
            text,
            "\nIf you did not delete the account, sign in and restore it before {erased_at}.\n\
             Then change your password:\n\n{url}/login\n"
        )
    } else {
        write!(
            text,
            "\nIf you did not delete the account, restore it before {erased_at},\n\
             by a request with its default API key. Then replace the key:\n\n\
             POST {url}/api/auth/restore\n"
        )
    };
    text.push_str("\nIf that does not work, tell the operator of the site.\n");
}

/// Says what to do about entries that are not of the reader.
fn advise(text: &mut String, url: &str, has_password: bool, is_of_agent: bool) {
    let _ = if has_password {
        write!(
            text,
            "\nIf this was not you, sign in, change your password, and end the sessions, keys and\n\
             programs that you do not know:\n\n{url}/settings/security\n"
        )
    } else {
        write!(
            text,
            "\nIf this was not you, get a new API key, and delete the keys that you do not know:\n\n\
             {url}/forgot\n"
        )
    };
    if is_of_agent {
        let _ = write!(
            text,
            "\nIf an agent of yours did not do this itself, pause it or replace its key:\n\n\
             {url}/settings/agents\n"
        );
    }
}

/// The link that leads back into an account.
pub(super) fn reset(app: &App, username: &str, has_password: bool, token: &str) -> Draft {
    let url = &app.public_url;
    let (subject, what, effect) = if has_password {
        ("Reset your password", "a new password", "All sessions end when you set it.")
    } else {
        ("Get a new API key", "a new API key", "All API keys of the account end with it.")
    };
    let text = format!(
        "Somebody asked for {what} for the account @{username} on {url}.\n\
         To get it, open this link and press the button:\n\
         \n\
         {url}/reset?token={token}\n\
         \n\
         The link works once, within an hour. {effect}\n\
         If it was not you who asked, ignore this mail: nothing changes.\n"
    );
    Draft { subject, text }
}
