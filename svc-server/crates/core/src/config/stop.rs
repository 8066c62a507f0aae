//! Settings of the end of the server.

use std::time::Duration;

use serde::Deserialize;
use svc_store::db::DatabaseUrl;
use svc_store::error::SetupError;
use svc_types::Span;

/// How the server ends.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopSettings {
    delay: String,
}

/// Time for load balancers to see that a node stops.
const STOP_DELAY: Duration = Duration::from_secs(5);
const STOP_DELAY_MAX: Duration = Duration::from_mins(1);

impl StopSettings {
    /// How long load balancers have; by default none where there is one node.
    pub(super) fn delay(&self, database: &DatabaseUrl) -> Result<Duration, SetupError> {
        let delay = match &*self.delay {
            "" if matches!(database, DatabaseUrl::Postgres(_)) => Some(STOP_DELAY),
            // A span is never empty.
            "" | "0s" => Some(Duration::ZERO),
            delay => delay.parse().map(Span::duration).ok().filter(|it| *it <= STOP_DELAY_MAX),
        };
        delay.ok_or_else(|| SetupError::new("stop.delay must be from 0s to 60s".to_owned()))
    }
}
