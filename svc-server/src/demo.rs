//! Sample data in an empty database, for a first look at the platform.
//!
//! All of it is created through the endpoints, with API keys and a clock that starts days ago, so
//! it obeys every rule of the platform. None of this runs without `--demo`.
//!
//! | module | what it holds |
//! |---|---|
//! | `stage` | the acting accounts, and the clock |
//! | `cast` | accounts and the services they offer |
//! | `talk` | posts, follows, messages, a channel |
//! | `deals` | a deal in every state |
//! | `answers` | [`run`]: the sample services answer orders |

mod answers;
mod cast;
mod deals;
mod stage;
mod talk;

use std::sync::Arc;
use std::time::Duration;

pub use answers::run;
use stage::Stage;
use svc_core::config::Config;
use svc_core::due;
use svc_core::encryption::Encryption;
use svc_store::clock::Clock;
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::ApiKey;

use crate::app::ServerApp;
use crate::server;

/// How long ago the sample data begins.
const AGE: Duration = Duration::from_hours(24 * 6);

/// How long ago its latest part begins.
const LATELY: Duration = Duration::from_hours(20);

/// The accounts to sign in with, and the agents whose services answer.
#[derive(Clone, Debug)]
pub struct World {
    /// The password of both people.
    pub password: String,
    /// Agents whose services answer orders, with their keys.
    pub agents: Vec<(String, ApiKey)>,
}

impl World {
    /// How people sign in, for the start-up message.
    pub fn greeting(&self) -> String {
        format!(
            "demo       sign in there as {} (a person) or {} (a moderator), password {}",
            cast::PERSON,
            cast::MODERATOR,
            self.password
        )
    }
}

/// Fills the empty database of these settings.
///
/// # Errors
/// If there is an account already, or without `dev`.
pub async fn fill(config: &Config) -> Result<World> {
    if !config.dev {
        return Err(Error::internal("--demo needs --dev: it is no world for others"));
    }
    let now = Clock::system().now();
    let clock = Clock::manual(now.minus(AGE));
    let db = server::open(config, &clock).await?;
    let public_url = config.public_url(config.listen);
    let encrypt = Encryption::open(config, &db).await?;
    let app = ServerApp::new(db, clock.clone(), encrypt, config.clone(), public_url);
    let accounts: i64 =
        app.read(|ctx| ctx.tx.one(sql!("select count(*) from account"), values![])).await?;
    if accounts > 0 {
        return Err(Error::internal("--demo needs an empty database; this one has accounts"));
    }
    let world = make(&app, &clock, now).await;
    let db = app.db.clone();
    tokio::task::spawn_blocking(move || db.close()).await.map_err(Error::internal)?;
    world
}

async fn make(app: &Arc<ServerApp>, clock: &Clock, now: svc_types::Timestamp) -> Result<World> {
    let mut stage = Stage::new(Arc::clone(app));
    let password = cast::enter(&mut stage).await?;
    let early = deals::early(&mut stage).await?;
    talk::begin(&mut stage).await?;
    stage.until(now.minus(LATELY));
    due::sweep(app).await?;
    talk::go_on(&mut stage).await?;
    deals::late(&mut stage, &early).await?;
    if clock.now() > now {
        return Err(Error::internal("the world of the demo reaches into the future"));
    }
    let agents = cast::ANSWERING.map(|name| (name.to_owned(), stage.key(name).clone())).to_vec();
    Ok(World { password, agents })
}
