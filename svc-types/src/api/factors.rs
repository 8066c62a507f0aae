//! Second factors: an authenticator app, and recovery codes for the day it is lost. Passkeys are in
//! [`passkeys`](super::passkeys).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Deleted;
use super::passkeys::Passkey;
use crate::endpoints;
use crate::secret::{FactorCode, RecoveryCode, TotpUri};

/// Recovery codes that are created at once.
pub const RECOVERY_CODES: usize = 10;

endpoints! {
    /// Get your second factors and passkeys.
    GET "/auth/factors" as factors.get by Account scope Account => OK Factors;
    GetFactors {}

    /// Begin to add an authenticator app.
    ///
    /// The URI goes into the app, as a QR code or by hand, and is shown once. The factor is on once
    /// its first code was confirmed; until then, a new call replaces the URI. 409 if the factor is
    /// on, and for accounts without a password.
    POST "/auth/totp" as factors.create_totp by Account scope Account cost Free
        => CREATED NewTotp as secret as guarded, fails [WrongState];
    CreateTotp {}

    /// Turn the authenticator app on with its first code.
    ///
    /// From now on signing in needs a code. The recovery codes replace a code once each when the app
    /// is lost, and are shown once.
    POST "/auth/totp/confirm" as factors.confirm_totp by Account scope Account cost Free
        => OK RecoveryCodes as secret as strict, fails [InvalidCredentials, WrongState, RateLimited];
    ConfirmTotp {
        /// The code that the app shows: six digits.
        code: FactorCode,
    }

    /// Remove the authenticator app, and the recovery codes with it.
    DELETE "/auth/totp" as factors.delete_totp by Account scope Account cost Free
        => OK Deleted as guarded, fails [NotFound];
    DeleteTotp {}

    /// Replace your recovery codes.
    ///
    /// The former ones end. The new ones are shown once.
    POST "/auth/recovery-codes" as factors.create_recovery_codes by Account scope Account cost Free
        => OK RecoveryCodes as secret as guarded, fails [WrongState];
    CreateRecoveryCodes {}
}

/// The second factors and passkeys of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Factors {
    /// Whether the account has a password, with which it can confirm who it is.
    pub password: bool,
    /// Whether an authenticator app is on.
    pub totp: bool,
    /// The passkeys, oldest first.
    pub passkeys: Vec<Passkey>,
    /// Recovery codes that were not used yet.
    pub recovery_codes_left: u32,
}

/// An authenticator app to be confirmed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct NewTotp {
    /// `otpauth://totp/…` with the secret: SHA-1, six digits, 30 seconds. It is shown only once.
    pub uri: TotpUri,
}

/// New recovery codes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct RecoveryCodes {
    /// Ten codes. They are shown only once.
    pub recovery_codes: Vec<RecoveryCode>,
}
