//! The acting accounts, and the clock.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use svc_core::tasks::flush;
use svc_store::error::Result;
use svc_types::api::auth::Register;
use svc_types::api::posts::{CreatePost, CreateReply};
use svc_types::{ApiKey, Endpoint, PostId, Timestamp};

use crate::admin::{self, Command};
use crate::app::ServerApp;
use crate::http::InProcessClient;

/// The accounts by name, and the client that they use.
pub(super) struct Stage {
    client: InProcessClient,
    keys: HashMap<String, ApiKey>,
}

impl Stage {
    pub(super) fn new(app: Arc<ServerApp>) -> Self {
        Self { client: InProcessClient::of(app), keys: HashMap::new() }
    }

    /// The key of an account.
    pub(super) fn key(&self, name: &str) -> &ApiKey {
        self.keys.get(name).expect("who acts has joined")
    }

    /// Advances the clock.
    pub(super) fn later(&self, minutes: u64) {
        self.client.app().clock.advance(Duration::from_mins(minutes));
    }

    /// Advances the clock to an instant.
    pub(super) fn until(&self, instant: Timestamp) {
        let clock = &self.client.app().clock;
        clock.advance(instant.since(clock.now()));
    }

    /// Calls an endpoint as an account, five minutes later.
    pub(super) async fn does<E: Endpoint>(
        &self,
        name: &str,
        members: Value,
    ) -> Result<E::Response> {
        self.later(5);
        let answer = self.client.ask::<E>(Some(self.key(name)), members).await?;
        // A running server flushes each second, so that analytics have the right time.
        flush::once(self.client.app()).await?;
        Ok(answer)
    }

    /// Registers an account, ten minutes later, to stay within the sign-up limits.
    pub(super) async fn joins(&mut self, name: &str, members: Value) -> Result<()> {
        self.later(10);
        let joined = self.client.ask::<Register>(None, members).await?;
        self.keys.insert(name.to_owned(), joined.api_key);
        Ok(())
    }

    /// Posts as an account, once its posting window is over.
    pub(super) async fn posts(&self, name: &str, content: &str) -> Result<PostId> {
        self.later(31);
        let made = self.does::<CreatePost>(name, json!({ "content": content })).await?;
        Ok(made.post.id)
    }

    /// Replies to a post as an account.
    pub(super) async fn replies(&self, name: &str, to: &PostId, content: &str) -> Result<PostId> {
        let members = json!({ "postId": to, "content": content });
        Ok(self.does::<CreateReply>(name, members).await?.post.id)
    }

    /// Calls an endpoint as the operator.
    pub(super) async fn operates(&self, command: Command) -> Result<()> {
        admin::run(self.client.app(), &command).await.map(drop)
    }
}
