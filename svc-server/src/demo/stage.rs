//! The acting accounts, the clock, and the dice.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use svc_core::due;
use svc_core::tasks::flush;
use svc_store::error::{Error, Result};
use svc_types::api::auth::Register;
use svc_types::{ApiKey, ChannelId, Endpoint, MediaId, PostId, ServiceId, Timestamp};

use super::script::At;
use crate::admin::{self, Command};
use crate::app::ServerApp;
use crate::http::InProcessClient;
use crate::webhooks;

/// Longest time that passes without a look at deadlines and webhooks, and once webhooks fail.
const PACE: Duration = Duration::from_hours(6);
const PACE_WITH_FAILURES: Duration = Duration::from_mins(30);

/// What the script names, by its name there, and the client that the accounts use.
pub(super) struct Stage {
    pub(super) client: InProcessClient,
    start: Timestamp,
    keys: HashMap<String, ApiKey>,
    pub(super) posts: HashMap<String, PostId>,
    pub(super) channels: HashMap<String, ChannelId>,
    pub(super) services: HashMap<String, ServiceId>,
    pub(super) dice: Dice,
    pace: Duration,
}

impl Stage {
    pub(super) fn new(app: Arc<ServerApp>) -> Self {
        Self {
            start: app.clock.now(),
            client: InProcessClient::of(app),
            keys: HashMap::new(),
            posts: HashMap::new(),
            channels: HashMap::new(),
            services: HashMap::new(),
            dice: Dice(0x5eed),
            pace: PACE,
        }
    }

    /// From now on webhooks fail, and are called again.
    pub(super) const fn expect_failures(&mut self) {
        self.pace = PACE_WITH_FAILURES;
    }

    /// The key of an account.
    pub(super) fn key(&self, name: &str) -> Result<&ApiKey> {
        found(&self.keys, name)
    }

    /// Advances the clock.
    pub(super) fn later(&self, time: Duration) {
        self.client.app().clock.advance(time);
    }

    /// An instant of the script.
    pub(super) fn instant(&self, [day, hour]: At) -> Timestamp {
        self.start.plus(Duration::from_hours(day * 24 + hour))
    }

    /// Advances the clock to an instant, unless it is later already. Meanwhile deadlines pass, and
    /// webhooks are called, as on a running server.
    pub(super) async fn until(&self, instant: Timestamp) -> Result<()> {
        let app = self.client.app();
        // Before the clock moves on, so that analytics have the right time.
        flush::once(app).await?;
        while app.clock.now() < instant {
            self.later(instant.since(app.clock.now()).min(self.pace));
            due::sweep(app).await?;
            webhooks::send_due(Arc::clone(app)).await?;
        }
        Ok(())
    }

    /// Calls an endpoint as an account, a minute later.
    pub(super) async fn does<E: Endpoint>(
        &self,
        name: &str,
        members: Value,
    ) -> Result<E::Response> {
        self.later(Duration::from_mins(1));
        self.client.ask::<E>(Some(self.key(name)?), members).await
    }

    /// Registers an account, ten minutes later, to stay within the sign-up limits.
    pub(super) async fn joins(&mut self, name: &str, members: Value) -> Result<()> {
        self.later(Duration::from_mins(10));
        let joined = self.client.ask::<Register>(None, members).await?;
        self.keys.insert(name.to_owned(), joined.api_key);
        Ok(())
    }

    /// Uploads an image as an account.
    pub(super) async fn uploads(&self, name: &str, png: &[u8], alt: &str) -> Result<MediaId> {
        Ok(self.client.upload(self.key(name)?, png, alt).await?.media.id)
    }

    /// Calls an endpoint as the operator.
    pub(super) async fn operates(&self, command: Command) -> Result<()> {
        admin::run(self.client.app(), &command).await.map(drop)
    }
}

/// What the script names.
pub(super) fn found<'a, T>(known: &'a HashMap<String, T>, name: &str) -> Result<&'a T> {
    known.get(name).ok_or_else(|| Error::internal(format!("the script names {name} too early")))
}

/// Numbers that look random and are the same in each run (`SplitMix64`).
pub(super) struct Dice(u64);

impl Dice {
    /// A number below `sides`; 0 without any.
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed >> 33).unwrap_or_default().checked_rem(sides).unwrap_or_default()
    }

    /// Brings a list into another order.
    pub(super) fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            let other = self.roll(at + 1);
            list.swap(at, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dice_fall_alike_in_each_run() {
        let mut list = [1, 2, 3, 4, 5, 6];
        Dice(0x5eed).shuffle(&mut list);
        let mut again = [1, 2, 3, 4, 5, 6];
        Dice(0x5eed).shuffle(&mut again);
        assert_eq!(list, again);
        assert_ne!(list, [1, 2, 3, 4, 5, 6]);
        assert_eq!(Dice(1).roll(0), 0);
    }
}
