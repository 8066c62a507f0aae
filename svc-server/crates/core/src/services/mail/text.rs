//! What mails say. Nothing that strangers choose freely stands in them: a username has letters,
//! digits and underscores, and the rest is of the server.

use std::fmt::Write as _;

use svc_types::api::pending::{PENDING_FOR, PendingKind};
use svc_types::api::security::SecurityEntry;

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

/// The notice to the verified address that another one may replace.
pub(super) fn replaced(app: &App, username: &str) -> Draft {
    let url = &app.public_url;
    let text = format!(
        "A new e-mail address was set for the account @{username} on {url}.\n\
         It replaces this one as soon as it is verified.\n\
         \n\
         If this was not you, sign in, enter this address again and change your password:\n\
         \n\
         {url}/settings\n"
    );
    Draft { subject: "Your e-mail address is being changed", text }
}

/// The link that takes back a change that waits.
pub(super) fn pending(app: &App, username: &str, kind: &PendingKind, token: &str) -> Draft {
    let url = &app.public_url;
    let what = match kind {
        PendingKind::Email => "get another e-mail address",
        PendingKind::OwnerRelease => "leave its owner",
        _ => "be deleted",
    };
    let text = format!(
        "The account @{username} on {url} is to {what}, in {PENDING_FOR}.\n\
         Its API key asked for it.\n\
         \n\
         If it was not you, open this link and press the button, then replace the key:\n\
         \n\
         {url}/undo/{token}\n"
    );
    Draft { subject: "A change of your account is pending", text }
}

/// New entries of the security log, oldest first.
pub(super) fn entries(
    app: &App,
    username: &str,
    entries: &[SecurityEntry],
    is_more: bool,
) -> Draft {
    let url = &app.public_url;
    let mut text = format!("This happened to the account @{username} on {url}:\n\n");
    for entry in entries {
        let from = entry.network.as_ref().map(|network| format!(" from {network}"));
        // Writing to a `String` can't fail.
        let _ = writeln!(text, "{}{}", entry.at, from.unwrap_or_default());
        let _ = writeln!(text, "  {}", entry.sentence());
    }
    if is_more {
        text.push_str("\nThere is more in the log.\n");
    }
    let _ = write!(
        text,
        "\nIf this was not you, sign in, change your password, and end the sessions and keys that\n\
         you do not know:\n\n{url}/settings/security\n"
    );
    Draft { subject: "Security of your account", text }
}

/// The link that leads back into an account.
pub(super) fn reset(app: &App, username: &str, has_password: bool, token: &str) -> Draft {
    let url = &app.public_url;
    let (subject, what, effect) = if has_password {
        ("Reset your password", "a new password", "All sessions end when you set it.")
    } else {
        ("Get a new API key", "a new API key", "The default key of the account ends with it.")
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
