//! Passkeys: keys on a device, by which an account signs in without a password (`WebAuthn`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Deleted;
use super::auth::LoggedIn;
use crate::endpoints;
use crate::id::{CeremonyId, PasskeyId};
use crate::text::Text;
use crate::time::Timestamp;

/// Maximum number of passkeys of an account.
pub const PASSKEYS_MAX: usize = 25;

/// Maximum size of a credential, in bytes of JSON.
pub const CREDENTIAL_BYTES_MAX: usize = 16 * 1024;

endpoints! {
    /// Begin to add a passkey.
    ///
    /// Give `options` to `navigator.credentials.create()` of a browser on this server's pages. The
    /// ceremony lasts 10 minutes, works once, and ends when you begin another. A key that may not do
    /// everything can't add a passkey. 503 if the server's public address has no host name.
    POST "/auth/passkeys/begin" as passkeys.begin by Account scope Account cost Free
        => OK PasskeyCeremony as guarded, fails [FeatureNotConfigured, LimitReached];
    BeginPasskey {}

    /// Add a passkey with what the browser answered.
    ///
    /// From now on it is enough to sign in, because the device verifies who uses it. 401 if the
    /// answer does not belong to the ceremony.
    POST "/auth/passkeys" as passkeys.create by Account scope Account cost Free
        => CREATED PasskeyEnvelope as strict,
        fails [FeatureNotConfigured, InvalidCredentials, LimitReached];
    CreatePasskey {
        /// Id of the ceremony.
        ceremony_id: CeremonyId,
        /// The `PublicKeyCredential` of the browser, as its `toJSON()` returns it.
        credential: Map<String, Value>,
        /// A name by which you recognize it: 1–64 characters.
        name: Text<1, 64>,
    }

    /// Rename a passkey.
    PATCH "/auth/passkeys/{passkeyId}" as passkeys.update by Account scope Account cost Free
        => OK PasskeyEnvelope as guarded, fails [NotFound];
    UpdatePasskey {
        /// Id of the passkey.
        passkey_id: PasskeyId,
        /// The new name: 1–64 characters.
        name: Text<1, 64>,
    }

    /// Remove a passkey.
    ///
    /// 409 if it is the only way left into the account.
    DELETE "/auth/passkeys/{passkeyId}" as passkeys.delete by Account scope Account cost Free
        => OK Deleted as guarded, fails [NotFound, LastCredential];
    DeletePasskey {
        /// Id of the passkey.
        passkey_id: PasskeyId,
    }

    /// Begin to sign in with a passkey.
    ///
    /// Give `options` to `navigator.credentials.get()`. They are the same for every account, and
    /// for names without one: the device knows its passkeys for this server. The ceremony lasts
    /// 10 minutes and works once.
    POST "/auth/login/passkey/begin" as passkeys.begin_login by Anyone
        => OK PasskeyCeremony, fails [FeatureNotConfigured, RateLimited];
    BeginPasskeyLogin {
        /// The account to sign in to. A passkey of another account is then refused.
        username: Option<Text<1, 64>>,
    }

    /// Sign in with a passkey.
    ///
    /// Sets the session cookie. A passkey is two factors, so no code is asked for.
    POST "/auth/login/passkey" as passkeys.login by Anyone
        => OK LoggedIn, fails [FeatureNotConfigured, InvalidCredentials, RateLimited];
    LoginWithPasskey {
        /// Id of the ceremony.
        ceremony_id: CeremonyId,
        /// The `PublicKeyCredential` of the browser, as its `toJSON()` returns it.
        credential: Map<String, Value>,
    }

    /// Begin to confirm that it is you with a passkey.
    ///
    /// Give `options` to `navigator.credentials.get()`, and what it answers to `POST /auth/step-up`.
    /// The ceremony lasts 10 minutes, works once, and ends when you begin another. 409 if you have
    /// no passkey.
    POST "/auth/step-up/passkey/begin" as passkeys.begin_step_up by Account scope Any cost Free
        => OK PasskeyCeremony, fails [FeatureNotConfigured, WrongState];
    BeginPasskeyStepUp {}
}

/// A ceremony that a browser takes part in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PasskeyCeremony {
    /// Id of the ceremony.
    pub ceremony_id: CeremonyId,
    /// What the browser is asked for: `{"publicKey": …}` in the JSON form of `WebAuthn`.
    pub options: Map<String, Value>,
}

/// A passkey of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Passkey {
    /// Id of the passkey.
    pub passkey_id: PasskeyId,
    /// Its name.
    pub name: String,
    /// Whether its device copies it to other devices, as it said when it was last used.
    pub is_synced: bool,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
}

/// A passkey.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PasskeyEnvelope {
    /// The passkey.
    pub passkey: Passkey,
}
