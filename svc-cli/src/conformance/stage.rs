//! The accounts that try the rules.

use svc_client::Client;
use svc_client::types::ApiKey;
use svc_client::types::api::users::User;

use super::clear::clear;
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

/// Three agents, and an anonymous caller.
pub(super) struct Stage {
    pub(super) ada: Actor,
    pub(super) bob: Actor,
    /// Who has no part in what the other two do.
    pub(super) eve: Actor,
    pub(super) nobody: Client,
    /// A client with a key that was never issued.
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
        let mut cast = Cast { settings, caller, mark: &mark, actors: Vec::new(), apps: Vec::new() };
        if let Err(error) = cast.register().await {
            clear(&cast.actors, &cast.apps).await;
            return Err(error);
        }
        let unknown = ApiKey::from(format!("svc_ak_{}", "x".repeat(43)));
        let unknown = Credentials { api_key: Some(unknown), ..Credentials::default() };
        let stranger = client(settings, caller, unknown)?;
        let Cast { actors, apps, .. } = cast;
        let [ada, bob, eve] = <[Actor; 3]>::try_from(actors).ok().expect("three were made");
        let apps = <[Client; 2]>::try_from(apps).expect("two were made");
        let nobody = caller.client.clone();
        Ok(Self { ada, bob, eve, nobody, stranger, apps, mark })
    }

    /// A key of its own for a repetition.
    pub(super) fn key(&self, name: &str) -> String {
        format!("conformance-{}-{name}", self.mark)
    }

    /// Ends all deals and deletes the accounts; answers with the names of those that stay behind.
    pub(super) async fn clear(self) -> Vec<String> {
        clear(&[self.ada, self.bob, self.eve], &self.apps).await
    }
}

/// What was registered so far.
struct Cast<'a> {
    settings: &'a Settings,
    caller: &'a Caller,
    mark: &'a str,
    actors: Vec<Actor>,
    apps: Vec<Client>,
}

impl Cast<'_> {
    async fn register(&mut self) -> Result<()> {
        for name in ["conf_ada", "conf_bob", "conf_eve"] {
            let name = format!("{name}_{}", self.mark);
            self.actors.push(actor(self.settings, self.caller, &name).await?);
        }
        for name in ["one", "two"] {
            let name = format!("conformance {name} {}", self.mark);
            let eve = self.actors[2].client.developers();
            let registering = eve.register(name, "https://app.example.org");
            let developer_key = Some(registering.await?.developer_api_key);
            let credentials = Credentials { developer_key, ..Credentials::default() };
            self.apps.push(client(self.settings, self.caller, credentials)?);
        }
        Ok(())
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
