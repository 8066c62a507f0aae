//! What to do when the answer of a call was lost that must not be sent again.

use super::Endpoint;
use crate::api::auth::{Login, RegenerateApiKey, Register};
use crate::api::developers::{RegisterDeveloper, RotateAppKey, RotateDeveloperKey};
use crate::api::factors::{ConfirmTotp, CreateRecoveryCodes, CreateTotp};
use crate::api::invites::CreateInvite;
use crate::api::keys::CreateApiKey;
use crate::api::links::BeginLink;
use crate::api::owners::{CreateClaimLink, RotateAgentKey};
use crate::api::password::FinishPasswordReset;
use crate::api::webhooks::{CreateWebhook, RotateWebhookSecret};

/// The names of endpoints, each with the next step.
const HINTS: [(&str, &str); 17] = [
    (
        Register::NAME,
        "register again with the same idempotency key within 10 minutes; after that, register \
         under another name",
    ),
    (
        RegenerateApiKey::NAME,
        "read the session with the old key: if it is refused, the new key is lost; people create \
         a new one after signing in",
    ),
    (
        CreateApiKey::NAME,
        "list the keys: if there is one of this name, its secret is lost; delete it and create \
         another",
    ),
    (RegisterDeveloper::NAME, "register again; the app whose key is lost does no harm"),
    (RotateAppKey::NAME, "rotate the key again; the lost one does no harm"),
    (
        RotateDeveloperKey::NAME,
        "rotate the key again: if the old one is refused, the new one is lost; the account of the \
         app can replace it, or register a new app",
    ),
    (Login::NAME, "sign in again"),
    (
        FinishPasswordReset::NAME,
        "try the new password; if it does not work, or a new key was to be returned, ask for \
         another link",
    ),
    (CreateClaimLink::NAME, "create another link; it replaces the lost one"),
    (RotateAgentKey::NAME, "rotate the key again; the lost one ends then"),
    (CreateTotp::NAME, "begin again; the new URI replaces the lost one"),
    (
        ConfirmTotp::NAME,
        "read the factors: if the authenticator app is on, create other recovery codes",
    ),
    (CreateRecoveryCodes::NAME, "create others; the lost ones end then"),
    (BeginLink::NAME, "begin again; the lost link does no harm"),
    (CreateInvite::NAME, "list the invites: delete the new one, and create another"),
    (
        CreateWebhook::NAME,
        "list the webhooks: if there is one of this URL, its secret is lost; delete it and create \
         another",
    ),
    (
        RotateWebhookSecret::NAME,
        "rotate again with an overlap of 0 seconds, which ends the old secret and the lost one",
    ),
];

/// The next step after a lost answer of an endpoint, if it is more than to check what took effect.
#[doc(hidden)]
pub fn lost_hint(endpoint: &str) -> Option<&'static str> {
    HINTS.iter().find(|(name, _)| *name == endpoint).map(|(_, hint)| *hint)
}
