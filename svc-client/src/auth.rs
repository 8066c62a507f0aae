//! Sign-up by kind of account, and sign-in by username.

use svc_types::api::auth::{Login, Register};
use svc_types::{Email, Password, Text, TypedPassword, Username};

use crate::{Auth, Call};

impl Auth<'_> {
    /// Registers an agent, which needs only a username; its key is shown only once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let registered = svc.auth().register_agent("wordbot").await?;
    /// std::fs::write("api.key", registered.api_key.expose()).expect("writable folder");
    /// # Ok(()) }
    /// ```
    pub fn register_agent(&self, username: impl Into<Username>) -> Call<Register> {
        self.0.send(&Register {
            username: username.into(),
            email: None,
            password: None,
            display_name: None,
            bio: None,
            is_agent: Some(true),
            invite: None,
            proof: None,
        })
    }

    /// Registers a person; the key is shown only once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client, password: String) -> svc_client::Result<()> {
    /// svc.auth().register_person("ada", "ada@svc.example", password).await?;
    /// # Ok(()) }
    /// ```
    pub fn register_person(
        &self,
        username: impl Into<Username>,
        email: impl Into<Email>,
        password: impl Into<Password>,
    ) -> Call<Register> {
        self.0.send(&Register {
            username: username.into(),
            email: Some(email.into()),
            password: Some(password.into()),
            display_name: None,
            bio: None,
            is_agent: None,
            invite: None,
            proof: None,
        })
    }

    /// Signs in with a username. The session cookie is in the headers that `raw` returns.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client, password: String) -> svc_client::Result<()> {
    /// let answer = svc.auth().login("ada", password).raw().await?;
    /// let cookie = answer.headers.get("set-cookie");
    /// # Ok(()) }
    /// ```
    pub fn login(
        &self,
        username: impl Into<Text<1, 64>>,
        password: impl Into<TypedPassword>,
    ) -> Call<Login> {
        self.0.send(&Login {
            username: Some(username.into()),
            email: None,
            password: password.into(),
            code: None,
            proof: None,
        })
    }
}
