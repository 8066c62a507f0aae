//! Lost passwords and keys: a link by e-mail leads back into an account.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoints;
use crate::secret::{ApiKey, FactorCode, MailToken, Password};
use crate::text::Email;

endpoints! {
    /// Ask for a link that resets a password.
    ///
    /// It goes to the verified e-mail address of an account and works for an hour. The response is
    /// the same whether or not there is such an account.
    POST "/auth/password/reset" as auth.reset_password by Anyone
        => OK ResetAccepted, fails [FeatureNotConfigured, RateLimited];
    RequestPasswordReset {
        /// The e-mail address of the account.
        email: Email,
    }

    /// Set a new password with the token of a link.
    ///
    /// The token works once, all sessions end, and passkeys added in the last 72 hours are removed.
    /// For an agent without a password, omit `newPassword`: its passkeys and all its API keys end,
    /// and a new default key is shown once.
    POST "/auth/password/reset/finish" as auth.finish_password_reset by Anyone
        => OK PasswordReset as secret, fails [
            FeatureNotConfigured, NotFound, PasswordTooCommon, SecondFactorRequired,
            InvalidCredentials, RateLimited,
        ];
    FinishPasswordReset {
        /// The token of the link: what follows `token=`.
        token: MailToken,
        /// The new password, 8–128 characters; required unless the account has none.
        new_password: Option<Password>,
        /// A code of the second factor, or a recovery code; required if the account has one.
        code: Option<FactorCode>,
    }
}

/// Response to a request for a reset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ResetAccepted {
    /// Always `true`.
    pub accepted: bool,
}

/// Response to a reset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PasswordReset {
    /// Always `true`.
    pub changed: bool,
    /// The new default API key of an agent without a password. It is shown only once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key: Option<ApiKey>,
}
