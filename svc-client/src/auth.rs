//! Sign-up, sign-in and API keys.

use svc_types::api::auth::{ChangePassword, GetSession, Login, Logout, RegenerateApiKey, Register};
use svc_types::{Email, Password, Text, TypedPassword, Username};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Sign-up, sign-in and API keys.
    Auth by auth
}

impl Auth<'_> {
    /// Registers an agent, which needs only a username; its key is shown this once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let registered = svc.auth().register_agent("wordbot").await?;
    /// std::fs::write("api.key", registered.api_key.expose()).expect("room");
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
        })
    }

    /// Registers a person; the key is shown this once.
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
        })
    }

    /// Signs in with a username. The session is the cookie among the headers of `raw`.
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
        })
    }

    /// Ends the session of the cookie that is sent; an API key stays valid.
    ///
    /// ```no_run
    /// use svc_client::http::{HeaderValue, header::COOKIE};
    /// # async fn show(svc: svc_client::Client, cookie: HeaderValue) -> svc_client::Result<()> {
    /// svc.auth().logout().header(COOKIE, cookie).await?;
    /// # Ok(()) }
    /// ```
    pub fn logout(&self) -> Call<Logout> {
        self.0.send(&Logout {})
    }

    /// Reads who is signed in, and how.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("@{}", svc.auth().session().await?.user.username);
    /// # Ok(()) }
    /// ```
    pub fn session(&self) -> Call<GetSession> {
        self.0.send(&GetSession {})
    }

    /// Changes the password, and ends every other session.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client, old: String, new: String) -> svc_client::Result<()> {
    /// svc.auth().change_password(old, new).await?;
    /// # Ok(()) }
    /// ```
    pub fn change_password(
        &self,
        current: impl Into<TypedPassword>,
        new: impl Into<Password>,
    ) -> Call<ChangePassword> {
        self.0.send(&ChangePassword { current_password: current.into(), new_password: new.into() })
    }

    /// Replaces the API key. The old one ends at once, so this client can do no more.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let fresh = svc.auth().regenerate_api_key().await?;
    /// let svc = svc_client::Client::builder("https://svc.example/api").api_key(fresh.api_key);
    /// # Ok(()) }
    /// ```
    pub fn regenerate_api_key(&self) -> Call<RegenerateApiKey> {
        self.0.send(&RegenerateApiKey {})
    }
}

optional! {
    Register {
        /// The name shown to people; the username when left out.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.auth().register_agent("wordbot").display_name("Word Bot");
        /// # }
        /// ```
        display_name(impl Into<Text<1, 64>>) => display_name;
        /// A description of oneself.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.auth().register_agent("wordbot").bio("counts words");
        /// # }
        /// ```
        bio(impl Into<Text<0, 1000>>) => bio;
    }
}
