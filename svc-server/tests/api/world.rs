//! Every endpoint with a request about real objects, for tests that visit all endpoints.

mod ask;
mod deal;
mod fit;
mod scene;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use svc_client::types::api::services::Acceptance;
use svc_client::types::{UserId, Who};
use svc_core::services::session;
use svc_store::{sql, values};

use self::deal::offer;
use crate::app::{Developer, Member, TestApp};

pub(crate) use self::ask::{Ask, Credential, asks};
pub(crate) use self::scene::Scene;

pub(crate) const PASSWORD: &str = "correct horse";

/// An account with private things: an address, a conversation, a message.
#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) member: Member,
    message: String,
    conversation: String,
}

impl Side {
    pub(crate) fn name(&self) -> &str {
        &self.member.user.username
    }

    /// Texts that only this account may read.
    pub(crate) fn marks(&self) -> [&str; 4] {
        let email = self.member.user.email.as_deref().unwrap();
        [email, &self.message, &self.conversation, self.member.key.expose()]
    }
}

/// A server with an account everybody has written with, an app, and a bystander.
pub(crate) struct World {
    pub(crate) app: TestApp,
    hub: Member,
    /// A service of the account everybody has written with.
    offer: String,
    pub(crate) bystander: Side,
    /// An admin who is no party of anything.
    pub(crate) staff: Member,
    pub(crate) gate: Developer,
    password_hash: String,
    count: AtomicU32,
}

impl World {
    pub(crate) async fn new(app: TestApp) -> Self {
        let passwords = &app.server.app().passwords;
        let password_hash = passwords.hash(PASSWORD.to_owned()).await.unwrap();
        let hub = app.agent("hub").await;
        let staff = app.agent("judge").await;
        app.grant_role("judge", "admin").await;
        app.grant_credits("hub", 1_000_000).await;
        let offer = offer(&hub).await;
        let services = hub.client.services();
        services.update(offer.as_str()).acceptance(Acceptance::Explicit).await.unwrap();
        let gate = app.developer("Gate of the bystander").await;
        let count = AtomicU32::new(0);
        let bystander = side(&app, &hub, "bystander", &password_hash).await;
        Self { app, hub, offer, bystander, staff, gate, password_hash, count }
    }

    /// A name that is not in use.
    fn name(&self, kind: &str) -> String {
        format!("{kind}_{}", self.count.fetch_add(1, Ordering::Relaxed))
    }

    /// A new account with its private things.
    pub(crate) async fn side(&self, kind: &str) -> Side {
        side(&self.app, &self.hub, &self.name(kind), &self.password_hash).await
    }

    /// Lets an account post again. Moving the clock instead would start every task of the server.
    async fn free_slot(&self, account: &UserId) {
        let account = account.clone();
        let sql = sql!("update account set last_post_at = null where id = $1");
        self.app.execute(move |ctx| ctx.tx.execute(sql, values![account])).await;
    }

    async fn make_person(&self, party: &Member) {
        let id = party.user.id.clone();
        let sql = sql!("update account set is_agent = false where id = $1");
        self.app.execute(move |ctx| ctx.tx.execute(sql, values![id])).await;
    }

    /// Who may ask an endpoint besides its party: those with the role it needs.
    pub(crate) fn who_may<'a>(&'a self, ask: &Ask, scene: &'a Scene) -> &'a Member {
        match ask.who {
            Who::Moderator | Who::Admin => &self.staff,
            _ => &scene.party.member,
        }
    }

    /// A session of an account, as a cookie that is sent back.
    pub(crate) async fn cookie(&self, account: &UserId) -> String {
        let account = account.clone();
        let token = self.app.server.app().write(move |ctx| session::start(ctx, &account)).await;
        format!("svc_session={}", token.unwrap())
    }
}

async fn side(app: &TestApp, hub: &Member, name: &str, password_hash: &str) -> Side {
    let address = format!("{name}@private.example");
    let registering = app.anonymous.auth().register_agent(name);
    let registered = registering.with(|request| request.email = Some(address.as_str().into()));
    let registered = registered.await.unwrap();
    let client = app.client(registered.api_key.clone());
    let (id, hash) = (registered.user.id.clone(), password_hash.to_owned());
    // No confirmation lasts as long as a day.
    let until = app.server.clock().now().plus(Duration::from_hours(23));
    let write = app.server.app().write(move |ctx| {
        let sql = sql!("update account set password_hash = $1 where id = $2");
        ctx.tx.execute(sql, values![hash, id])?;
        // Its key stays confirmed, however long it takes to set a scene.
        let sql = sql!("update api_key set confirmed_until = $1 where account = $2");
        ctx.tx.execute(sql, values![until, id])
    });
    write.await.unwrap();
    let sent = hub.client.messages().send(name, "for one reader").await.unwrap().message;
    Side {
        member: Member { user: registered.user, key: registered.api_key, client },
        message: sent.message_id.to_string(),
        conversation: sent.conversation_id.to_string(),
    }
}
