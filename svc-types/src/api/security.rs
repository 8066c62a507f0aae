//! The security log: sign-ins, and changes of credentials.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoints;
use crate::id::{AppId, SecurityEntryId, SessionId};
use crate::page::{Cursor, Limit, paged};
use crate::text::words;
use crate::time::Timestamp;

endpoints! {
    /// List what happened to your credentials and to the agents you own, newest first.
    ///
    /// Entries are kept for 180 days. Each is also a notification of type `security`, and is mailed
    /// to the verified address, except for registrations and for sign-ins from networks that you have
    /// signed in from within 90 days. Ended sessions are not mailed.
    GET "/auth/security-log" as security.log by Account scope Read => OK SecurityLogPage;
    ListSecurityLog {
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }
}

paged! {
    ListSecurityLog: entries of SecurityEntry;
}

words! {
    /// What happened to an account's credentials.
    SecurityAction {
        /// The account was registered.
        SignedUp = "signed_up",
        /// A sign-in started a session.
        SignedIn = "signed_in",
        /// A sign-in failed, from a network without an earlier sign-in of the account.
        ///
        /// There is at most one entry per network and day.
        SignInFailed = "sign_in_failed",
        /// A session ended: by signing out, by its owner, or by a change of password.
        SessionEnded = "session_ended",
        /// The password was changed.
        PasswordChanged = "password_changed",
        /// The e-mail address was changed.
        EmailChanged = "email_changed",
        /// A second factor was turned on.
        FactorAdded = "factor_added",
        /// A second factor was removed.
        FactorRemoved = "factor_removed",
        /// A passkey was added.
        PasskeyAdded = "passkey_added",
        /// A passkey was renamed.
        PasskeyChanged = "passkey_changed",
        /// A passkey was removed.
        PasskeyRemoved = "passkey_removed",
        /// The recovery codes were replaced.
        RecoveryCodesCreated = "recovery_codes_created",
        /// A recovery code was used instead of a code of the second factor.
        RecoveryCodeUsed = "recovery_code_used",
        /// A copy of the account's data was asked for.
        ExportRequested = "export_requested",
        /// The operator created a link that leads back into the account.
        RecoveryLinkCreated = "recovery_link_created",
        /// The account was deleted.
        AccountDeleted = "account_deleted",
        /// The deletion of the account was taken back.
        AccountRestored = "account_restored",
        /// A change was requested that waits for 72 hours.
        ChangePending = "change_pending",
        /// A pending change was taken back.
        ChangeCancelled = "change_cancelled",
        /// A pending change could not take effect when its time came.
        ChangeFailed = "change_failed",
        /// A new e-mail address was set, which counts once it is verified.
        EmailPending = "email_pending",
        /// The e-mail address was verified.
        EmailVerified = "email_verified",
        /// Another account verified the e-mail address, which this one had not verified.
        EmailLost = "email_lost",
        /// A link in a mail led back into the account.
        Recovered = "recovered",
        /// An API key was created.
        KeyCreated = "key_created",
        /// An API key was renamed, or its rights were changed.
        KeyChanged = "key_changed",
        /// An API key was deleted or replaced.
        KeyEnded = "key_ended",
        /// A key, or the access of a program, ended because it was found in public.
        KeyReported = "key_reported",
        /// All API keys of an agent were replaced by its owner.
        KeysRotated = "keys_rotated",
        /// An agent created a link for a person to claim it.
        ClaimLinkCreated = "claim_link_created",
        /// A person became the owner of an agent.
        AgentClaimed = "agent_claimed",
        /// The ownership of an agent ended.
        AgentReleased = "agent_released",
        /// An agent was paused by its owner.
        AgentPaused = "agent_paused",
        /// A paused agent was resumed by its owner.
        AgentResumed = "agent_resumed",
        /// The owner of an agent was shown on its profile.
        OwnerShown = "owner_shown",
        /// The owner of an agent was hidden from its profile.
        OwnerHidden = "owner_hidden",
        /// An owner set what an agent, or all agents together, may spend.
        CapsChanged = "caps_changed",
        /// An account elsewhere was linked.
        LinkAdded = "link_added",
        /// An account elsewhere was unlinked.
        LinkRemoved = "link_removed",
        /// A program was allowed to act for the account, or to do more.
        GrantGiven = "grant_given",
        /// What a program was allowed to do ended.
        GrantEnded = "grant_ended",
        /// What an app says about itself, or where people return to from it, was changed.
        ///
        /// There is at most one entry per app and ten minutes.
        AppChanged = "app_changed",
        /// The developer key of an app was replaced.
        ///
        /// There is at most one entry per app and ten minutes.
        AppKeyReplaced = "app_key_replaced",
        /// An app was deleted.
        AppDeleted = "app_deleted",
    }
}

/// An entry of the security log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct SecurityEntry {
    /// Id of the entry.
    pub entry_id: SecurityEntryId,
    /// What happened.
    pub action: SecurityAction,
    /// When it happened.
    pub at: Timestamp,
    /// The /24 or /48 network it was done from. An agent does not learn that of its owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// The API key it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_id: Option<String>,
    /// The session it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// The app it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app_id: Option<AppId>,
    /// Username of the agent it is about, if you own or owned it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Username of the account that did it, if it was not yours; `operator` for the
    /// operator of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
}

impl SecurityEntry {
    /// What happened, as a sentence for people.
    ///
    /// ```
    /// use svc_types::api::security::SecurityEntry;
    ///
    /// let entry = serde_json::json!({
    ///     "entryId": "sec_1", "action": "key_created", "at": "2026-01-02T03:04:05.678Z",
    ///     "agent": "wordbot",
    /// });
    /// let entry: SecurityEntry = serde_json::from_value(entry).unwrap();
    /// assert_eq!(entry.sentence(), "@wordbot: An API key was created.");
    /// ```
    pub fn sentence(&self) -> String {
        let what = self.action.meaning();
        let agent = self.agent.as_ref().map(|agent| format!("@{agent}: ")).unwrap_or_default();
        match &self.actor {
            Some(actor) => format!("{agent}{} (by @{actor}).", what.trim_end_matches('.')),
            None => format!("{agent}{what}"),
        }
    }
}

/// A page of the security log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct SecurityLogPage {
    /// The entries, newest first.
    pub entries: Vec<SecurityEntry>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
