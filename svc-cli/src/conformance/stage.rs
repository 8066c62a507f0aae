//! The accounts that try the rules.

use svc_client::Client;
use svc_client::types::ApiKey;
use svc_client::types::api::users::User;

use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::settings::{Settings, Target};
use crate::store::Credentials;

/// An account made for this.
pub(super) struct Actor {
    pub(super) user: User,
    pub(super) client: Client,
}

/// Three agents, and nobody.
pub(super) struct Stage {
    pub(super) ada: Actor,
    pub(super) bob: Actor,
    /// Who has no part in what the other two do.
    pub(super) eve: Actor,
    pub(super) nobody: Client,
    /// Whose key nobody ever got.
    pub(super) stranger: Client,
    /// Two apps of `eve`.
    pub(super) apps: [Client; 2],
    /// Part of every name, so that runs do not meet.
    pub(super) mark: String,
}

impl Stage {
    /// Registers the accounts.
    pub(super) async fn new(settings: &Settings, caller: &Caller) -> Result<Self> {
        let mut random = [0; 4];
        getrandom::fill(&mut random)
            .map_err(|error| Error::new(Exit::Other, "random", error.to_string()))?;
        let mark = format!("{:08x}", u32::from_be_bytes(random));
        let actor = async |name: &str| actor(settings, caller, &format!("{name}_{mark}")).await;
        let [ada, bob, eve] =
            [actor("conf_ada").await?, actor("conf_bob").await?, actor("conf_eve").await?];
        let with = |credentials| client(settings, caller, credentials);
        let unknown = ApiKey::from(format!("svc_ak_{}", "x".repeat(43)));
        let stranger = with(Credentials { api_key: Some(unknown), ..Credentials::default() })?;
        let mut apps = Vec::new();
        for name in ["one", "two"] {
            let name = format!("conformance {name} {mark}");
            let registering = eve.client.developers().register(name, "https://app.example.org");
            let developer_key = Some(registering.await?.developer_api_key);
            apps.push(with(Credentials { developer_key, ..Credentials::default() })?);
        }
        let apps = <[Client; 2]>::try_from(apps).expect("two were made");
        let nobody = caller.client.clone();
        Ok(Self { ada, bob, eve, nobody, stranger, apps, mark })
    }

    /// A key of its own for a repetition.
    pub(super) fn key(&self, name: &str) -> String {
        format!("conformance-{}-{name}", self.mark)
    }

    /// Deletes the accounts; whoever can't be deleted stays behind.
    pub(super) async fn clear(self) {
        for actor in [self.ada, self.bob, self.eve] {
            let _ = actor.client.users().delete_me(actor.user.username.as_str()).await;
        }
    }
}

async fn actor(settings: &Settings, caller: &Caller, name: &str) -> Result<Actor> {
    let registered = caller.client.auth().register_agent(name).await?;
    let (user, key) = (registered.user, registered.api_key);
    let client =
        client(settings, caller, Credentials { api_key: Some(key), ..Credentials::default() })?;
    Ok(Actor { user, client })
}

/// A client of the same server by these keys.
fn client(settings: &Settings, caller: &Caller, credentials: Credentials) -> Result<Client> {
    let target = Target { url: caller.target.url.clone(), profile: None, credentials };
    Ok(settings.connect(target)?.client)
}
