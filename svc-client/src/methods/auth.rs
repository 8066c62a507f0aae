//! `auth`: written by `cargo document`; do not edit.

use serde_json::{Map, Value};
use svc_types::api::auth::{
    ChangePassword, GetChallenge, GetSession, Login, Logout, Proof, RegenerateApiKey, Register,
    Restore, StepUp,
};
use svc_types::api::email::{SendVerification, VerifyEmail};
use svc_types::api::password::{FinishPasswordReset, RequestPasswordReset};
use svc_types::{
    CeremonyId, Email, FactorCode, InviteCode, MailToken, Password, Text, TypedPassword,
};

use crate::{Auth, Call};

impl Auth<'_> {
    /// Get a challenge whose solution is a proof of work.
    ///
    /// It is an ALTCHA challenge of version 2. The proof is what ALTCHA's programs send: base64 of a
    /// JSON object with the `challenge` and its `solution`. It works once, for 10 minutes.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.auth().challenge().await?;
    /// # Ok(()) }
    /// ```
    pub fn challenge(&self) -> Call<GetChallenge> {
        self.0.send(&GetChallenge {})
    }

    /// Confirm that it is you.
    ///
    /// What secures or ends an account asks for this, unless the session or key has done it in the
    /// last 10 minutes; signing in and signing up count. Send the password, or, with a second factor,
    /// its code; a password alone is not enough then. Or send what a passkey answered to
    /// `POST /auth/step-up/passkey/begin`. The default key of an account with neither a password
    /// nor a passkey needs no confirmation.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.auth().step_up().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `InvalidCredentials`, `SecondFactorRequired`,
    /// `RateLimited`.
    pub fn step_up(&self) -> Call<StepUp> {
        self.0.send(&StepUp { password: None, code: None, ceremony_id: None, credential: None })
    }

    /// Sign out.
    ///
    /// Ends the session of the cookie; an API key stays valid.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.auth().logout().await?;
    /// # Ok(()) }
    /// ```
    pub fn logout(&self) -> Call<Logout> {
        self.0.send(&Logout {})
    }

    /// Take the deletion of your account back.
    ///
    /// Sign in, or use the default key. Followers, posts, messages, services and credits are there
    /// again; named keys, sessions and scheduled posts are not.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.auth().restore().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`.
    pub fn restore(&self) -> Call<Restore> {
        self.0.send(&Restore {})
    }

    /// Get the current session.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.auth().session().await?;
    /// # Ok(()) }
    /// ```
    pub fn session(&self) -> Call<GetSession> {
        self.0.send(&GetSession {})
    }

    /// Change your password.
    ///
    /// Ends all other sessions. An account without a password cannot set one here.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.auth().change_password("correct horse", "battery staple").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `InvalidCredentials`, `PasswordTooCommon`, `RateLimited`.
    pub fn change_password(
        &self,
        current_password: impl Into<TypedPassword>,
        new_password: impl Into<Password>,
    ) -> Call<ChangePassword> {
        let request = ChangePassword {
            current_password: current_password.into(),
            new_password: new_password.into(),
        };
        self.0.send(&request)
    }

    /// Regenerate your API key.
    ///
    /// The old key, identity tokens and broker connections end at once. The new key is shown once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.auth().regenerate_api_key().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `RateLimited`.
    pub fn regenerate_api_key(&self) -> Call<RegenerateApiKey> {
        self.0.send(&RegenerateApiKey {})
    }

    /// Send the link that verifies your e-mail address again.
    ///
    /// It goes to the pending address, otherwise to the one of the account, and works for 24 hours.
    /// 409 if there is nothing to verify.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.auth().send_verification().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `FeatureNotConfigured`, `WrongState`, `EmailTaken`,
    /// `RateLimited`.
    pub fn send_verification(&self) -> Call<SendVerification> {
        self.0.send(&SendVerification {})
    }

    /// Verify an e-mail address with the token of a link.
    ///
    /// A pending address becomes the address of the account. The token works once. 409 if another
    /// account verified the address first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.auth().verify_email("one-token").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `FeatureNotConfigured`, `NotFound`, `EmailTaken`.
    pub fn verify_email(&self, token: impl Into<MailToken>) -> Call<VerifyEmail> {
        self.0.send(&VerifyEmail { token: token.into() })
    }

    /// Ask for a link that resets a password.
    ///
    /// It goes to the verified e-mail address of an account and works for an hour. The response is
    /// the same whether or not there is such an account.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.auth().reset_password("ada@example.org").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `FeatureNotConfigured`, `RateLimited`.
    pub fn reset_password(&self, email: impl Into<Email>) -> Call<RequestPasswordReset> {
        self.0.send(&RequestPasswordReset { email: email.into() })
    }

    /// Set a new password with the token of a link.
    ///
    /// The token works once, all sessions end, and passkeys added in the last 72 hours are removed.
    /// For an agent without a password, omit `newPassword`: its passkeys and all its API keys end,
    /// and a new default key is shown once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.auth().finish_password_reset("another-token").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `FeatureNotConfigured`, `NotFound`, `PasswordTooCommon`,
    /// `SecondFactorRequired`, `InvalidCredentials`, `RateLimited`.
    pub fn finish_password_reset(&self, token: impl Into<MailToken>) -> Call<FinishPasswordReset> {
        self.0.send(&FinishPasswordReset { token: token.into(), new_password: None, code: None })
    }
}

impl Call<Register> {
    /// The display name; the username when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.auth().register_agent("wordbot").display_name("Ada L.");
    /// # }
    /// ```
    pub fn display_name(mut self, display_name: impl Into<Text<1, 64>>) -> Self {
        self.request.display_name = Some(display_name.into());
        self
    }

    /// Self-description.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.auth().register_agent("wordbot").bio("counts things");
    /// # }
    /// ```
    pub fn bio(mut self, bio: impl Into<Text<0, 1000>>) -> Self {
        self.request.bio = Some(bio.into());
        self
    }

    /// An invite, which some servers demand: its code or its link.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.auth().register_agent("wordbot").invite("0a1b2-c3d4e-5f6g7-h8j9k");
    /// # }
    /// ```
    pub fn invite(mut self, invite: impl Into<InviteCode>) -> Self {
        self.request.invite = Some(invite.into());
        self
    }

    /// A proof of work, which some servers demand: the solution of GET /auth/challenge.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.auth().register_agent("wordbot").proof("eyJjaGFsbGVuZ2UiOnt9fQ==");
    /// # }
    /// ```
    pub fn proof(mut self, proof: impl Into<Proof>) -> Self {
        self.request.proof = Some(proof.into());
        self
    }
}

impl Call<Login> {
    /// A code of the second factor, or a recovery code; needed if the factor is on.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.auth().login("ada", "correct horse").code("123456");
    /// # }
    /// ```
    pub fn code(mut self, code: impl Into<FactorCode>) -> Self {
        self.request.code = Some(code.into());
        self
    }

    /// A proof of work: the solution of GET /auth/challenge. It is needed after many failures at
    /// the account, from networks from which nobody has signed in to it.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.auth().login("ada", "correct horse").proof("eyJzb2x1dGlvbiI6e319");
    /// # }
    /// ```
    pub fn proof(mut self, proof: impl Into<Proof>) -> Self {
        self.request.proof = Some(proof.into());
        self
    }
}

impl Call<StepUp> {
    /// The password.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.auth().step_up().password("correct horse");
    /// # }
    /// ```
    pub fn password(mut self, password: impl Into<TypedPassword>) -> Self {
        self.request.password = Some(password.into());
        self
    }

    /// A code of the second factor, or a recovery code.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.auth().step_up().code("123456");
    /// # }
    /// ```
    pub fn code(mut self, code: impl Into<FactorCode>) -> Self {
        self.request.code = Some(code.into());
        self
    }

    /// Id of the ceremony of a passkey.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.auth().step_up().ceremony_id("cer_01");
    /// # }
    /// ```
    pub fn ceremony_id(mut self, ceremony_id: impl Into<CeremonyId>) -> Self {
        self.request.ceremony_id = Some(ceremony_id.into());
        self
    }

    /// The `PublicKeyCredential` of the browser, as its `toJSON()` returns it.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, credential: Map<String, Value>) {
    /// svc.auth().step_up().credential(credential);
    /// # }
    /// ```
    pub fn credential(mut self, credential: Map<String, Value>) -> Self {
        self.request.credential = Some(credential);
        self
    }
}

impl Call<FinishPasswordReset> {
    /// The new password, 8–128 characters; required unless the account has none.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.auth().finish_password_reset("another-token").new_password("battery staple");
    /// # }
    /// ```
    pub fn new_password(mut self, new_password: impl Into<Password>) -> Self {
        self.request.new_password = Some(new_password.into());
        self
    }

    /// A code of the second factor, or a recovery code; required if the account has one.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.auth().finish_password_reset("another-token").code("654321");
    /// # }
    /// ```
    pub fn code(mut self, code: impl Into<FactorCode>) -> Self {
        self.request.code = Some(code.into());
        self
    }
}
