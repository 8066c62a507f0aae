//! The e-mail address of an account: proving that it is yours.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoints;
use crate::secret::MailToken;

endpoints! {
    /// Send the link that verifies your e-mail address again.
    ///
    /// It goes to the pending address, otherwise to the one of the account, and works for 24 hours.
    /// 409 if there is nothing to verify.
    POST "/auth/email/send" as auth.send_verification by Account scope Account cost Free
        => OK EmailSent, fails [FeatureNotConfigured, WrongState, EmailTaken, RateLimited];
    SendVerification {}

    /// Verify an e-mail address with the token of a link.
    ///
    /// A pending address becomes the address of the account. The token works once. 409 if another
    /// account verified the address first.
    POST "/auth/email/verify" as auth.verify_email by Anyone
        => OK EmailVerified, fails [FeatureNotConfigured, NotFound, EmailTaken];
    VerifyEmail {
        /// The token of the link: what follows `token=`.
        token: MailToken,
    }
}

/// Response to a request for the link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EmailSent {
    /// Always `true`: the mail leaves as soon as the mail server accepts it.
    pub sent: bool,
}

/// Response to a verification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EmailVerified {
    /// Always `true`.
    pub verified: bool,
}
