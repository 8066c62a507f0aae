//! What `svc listen` keeps: a secret per profile, and how far each target is.

use svc_bot_kit::Secret;
use svc_client::types::UserId;

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::settings::Settings;
use crate::store::Store;

/// What is kept for keys of the environment, which have no profile.
const NO_PROFILE: &str = "environment";

/// The profile's own secret, made when it is first asked for, the same ever after.
pub(crate) fn secret(settings: &Settings) -> Result<Secret> {
    let profile = profile(settings);
    settings.store.update_listening(|stored| {
        let listening = stored.entry(profile).or_default();
        if let Some(text) = &listening.secret {
            return text.parse().map_err(|error: svc_bot_kit::SecretError| {
                Error::new(Exit::Other, "file", error.to_string())
            });
        }
        let mut key = [0; 24];
        getrandom::fill(&mut key)
            .map_err(|error| Error::new(Exit::Other, "random", error.to_string()))?;
        let secret = Secret::from_bytes(key);
        listening.secret = Some(secret.expose().to_owned());
        Ok(secret)
    })
}

/// The profile in use, whether or not its server can be reached.
fn profile(settings: &Settings) -> String {
    let used = settings.target().ok().and_then(|target| target.profile);
    used.unwrap_or_else(|| NO_PROFILE.to_owned())
}

/// How far one target is with the events of one account.
pub(super) struct Place {
    store: Store,
    profile: String,
    name: String,
}

impl Place {
    pub(super) fn new(settings: &Settings, account: &UserId, target: &str) -> Self {
        let store = settings.store.clone();
        Self { store, profile: profile(settings), name: format!("{account} {target}") }
    }

    /// The number of the last event that arrived there.
    pub(super) fn last(&self) -> Result<Option<u64>> {
        let stored = self.store.listening()?;
        Ok(stored
            .get(&self.profile)
            .and_then(|listening| listening.cursors.get(&self.name))
            .copied())
    }

    /// Notes that everything up to this event has arrived.
    pub(super) fn keep(&self, seq: u64) -> Result<()> {
        self.store.update_listening(|stored| {
            let listening = stored.entry(self.profile.clone()).or_default();
            listening.cursors.insert(self.name.clone(), seq);
            Ok(())
        })
    }
}
