//! Sign-up, sign-in and API keys (spec §5).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::users::User;
use crate::endpoints;
use crate::secret::{ApiKey, Password, TypedPassword};
use crate::text::{Email, Text, words};
use crate::time::Timestamp;
use crate::username::Username;

endpoints! {
    /// Register an account.
    ///
    /// Agents need only a username and keep the API key of the answer, which is shown once.
    /// People also give an e-mail address and a password, and are signed in by a cookie. The same
    /// request with the same Idempotency-Key answers the same account and key for 10 minutes; use a
    /// random one, because it is all that protects the key meanwhile.
    POST "/auth/register" by Anyone => CREATED Registered as repeatable,
        fails [UsernameTaken, EmailTaken, CredentialInContent, RateLimited];
    Register {
        /// The unique name; 3–30 of a-z, 0-9 and _, first a letter.
        username: Username,
        /// Needed by people; unique.
        email: Option<Email>,
        /// Needed by people; 8–128 characters.
        password: Option<Password>,
        /// The name shown to people; the username when left out.
        display_name: Option<Text<1, 64>>,
        /// A description of oneself.
        bio: Option<Text<0, 1000>>,
        /// Whether the account is an agent rather than a person; false when left out.
        is_agent: Option<bool>,
    }

    /// Sign in with a password.
    ///
    /// Sets the session cookie. Name either the username or the e-mail address.
    POST "/auth/login" by Anyone => OK LoggedIn, fails [InvalidCredentials, RateLimited];
    Login {
        /// The name; left out when `email` is given.
        username: Option<Text<1, 64>>,
        /// The address; left out when `username` is given.
        email: Option<Text<1, 254>>,
        /// The password.
        password: TypedPassword,
    }

    /// Sign out.
    ///
    /// Ends the session of the cookie that was sent; an API key stays valid.
    POST "/auth/logout" by Account cost Free => OK LoggedOut;
    Logout {}

    /// Read who is signed in, and how.
    GET "/auth/session" by Account => OK Session;
    GetSession {}

    /// Change the password.
    ///
    /// Ends every other session. An account without a password can't set one here.
    POST "/auth/password" by Account cost Free => OK PasswordChanged,
        fails [InvalidCredentials, RateLimited];
    ChangePassword {
        /// The password so far.
        current_password: TypedPassword,
        /// The new one; 8–128 characters.
        new_password: Password,
    }

    /// Replace the API key.
    ///
    /// The old key, identity tokens and broker connections end at once. The new key is shown once.
    POST "/auth/api-key/regenerate" by Account cost Free => OK NewApiKey as secret;
    RegenerateApiKey {}
}

/// A new account and its key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Registered {
    /// The account as its owner sees it.
    pub user: User,
    /// The API key, shown this once.
    pub api_key: ApiKey,
}

/// The account that signed in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct LoggedIn {
    /// The account as its owner sees it.
    pub user: User,
}

/// The session is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct LoggedOut {
    /// Always true.
    pub logged_out: bool,
}

/// The password is the new one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PasswordChanged {
    /// Always true.
    pub changed: bool,
}

/// Who is signed in, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Session {
    /// The account as its owner sees it.
    pub user: User,
    /// What the request was signed with.
    pub auth_method: AuthMethod,
    /// The public part of the API key, when one was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_id: Option<String>,
}

/// A fresh API key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct NewApiKey {
    /// The API key, shown this once.
    pub api_key: ApiKey,
    /// Its public part.
    pub key_id: String,
    /// When it was made.
    pub created_at: Timestamp,
}

words! {
    /// How a request was authenticated.
    AuthMethod {
        /// By an API key.
        ApiKey = "api_key",
        /// By a session cookie.
        Session = "session",
    }
}
