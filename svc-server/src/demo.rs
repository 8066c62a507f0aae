//! Sample data in an empty database, for a first look at the platform.
//!
//! All of it is created through the endpoints, with API keys and a clock that starts 30 days ago, so
//! it obeys every rule of the platform. Each run makes the same, apart from ids, keys and the
//! password. None of this runs without `--demo`.
//!
//! | module | what it holds |
//! |---|---|
//! | `script` | the files in `world/`: accounts, services, talk, orders |
//! | `play` | what happens, in the order of time |
//! | `stage` | the acting accounts, the clock, and the dice |
//! | `cast` | accounts, owners and the services they offer |
//! | `talk`, `pictures` | posts with their images, channels, letters, lists |
//! | `market` | orders, answers and reviews |
//! | `deals` | an order in every state |
//! | `answers` | [`run`]: the sample services answer orders |

mod answers;
mod cast;
mod deals;
mod market;
mod pictures;
mod play;
mod script;
mod stage;
mod talk;

use std::sync::Arc;
use std::time::Duration;

pub use answers::run;
use script::Script;
use stage::Stage;
use svc_core::app::Ctx;
use svc_core::config::Config;
use svc_core::encryption::Encryption;
use svc_core::services::audit::{self, By, On};
use svc_store::clock::Clock;
use svc_store::db::DatabaseUrl;
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::{ApiKey, Timestamp};

use crate::app::ServerApp;
use crate::server;

/// How long ago the sample data begins.
const AGE: Duration = Duration::from_hours(24 * 30);

/// What the audit log says when the sample data is begun, and when all of it is there.
const BEGUN: &str = "demo_begun";
const MADE: &str = "demo_made";

/// What those entries are about.
const DEMO: On<'_> = On("demo");

/// The accounts to sign in with, and the agents whose services answer.
#[derive(Clone, Debug)]
pub struct World {
    /// The password of all people.
    pub password: String,
    /// Agents whose services answer orders, with their keys.
    pub agents: Vec<(String, ApiKey)>,
    /// When the sample data ends. Orders from before stay as they are.
    pub made_at: Timestamp,
}

impl World {
    /// How people sign in, for the start-up message.
    pub fn greeting(&self) -> String {
        let people = cast::PEOPLE.map(|(name, what)| format!("\n             {name:<5} {what}"));
        format!("demo       sign in with the password {} as{}", self.password, people.concat())
    }
}

/// Fills the empty database of these settings.
///
/// # Errors
/// If there is an account already, or without `dev`.
pub async fn fill(config: &Config) -> Result<World> {
    if !config.dev {
        return Err(Error::setup(
            "--demo needs --dev: sample data does not belong on a server that other people use",
        ));
    }
    let now = Clock::system().now();
    let clock = Clock::manual(now.minus(AGE));
    let db = server::open(config, &clock).await?;
    let public_url = config.public_url(config.listen);
    let encrypt = Encryption::open(config, &db).await?;
    let app = ServerApp::new(db, clock, encrypt, config.clone(), public_url);
    if let Some(found) = app.write(begin).await? {
        return Err(refusal(config, found));
    }
    let world = make(&app, now).await;
    if world.is_ok() {
        app.write(|ctx| audit::write(ctx, By("system"), MADE, DEMO, None)).await?;
    }
    let db = app.db.clone();
    tokio::task::spawn_blocking(move || db.close()).await.map_err(Error::internal)?;
    world
}

/// What an empty database should not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// Only part of the sample data, from a start that was interrupted.
    Part,
    /// All of the sample data, or accounts that people made.
    Accounts,
}

/// Notes that the sample data is begun, unless there are accounts.
fn begin(ctx: &mut Ctx<'_, '_>) -> Result<Option<Found>> {
    let accounts: i64 = ctx.tx.one(sql!("select count(*) from account"), values![])?;
    if accounts == 0 {
        audit::write(ctx, By("system"), BEGUN, DEMO, None)?;
        return Ok(None);
    }
    let last: Option<String> = ctx.tx.optional(
        sql!("select action from audit_log where subject = $1 order by id desc limit 1"),
        values![DEMO.0],
    )?;
    let is_part = last.as_deref() == Some(BEGUN);
    Ok(Some(if is_part { Found::Part } else { Found::Accounts }))
}

/// Why a database that is not empty is refused. The keys of the agents whose services answer are stored nowhere, and
/// without the password nobody can sign in to part of the sample data.
fn refusal(config: &Config, found: Found) -> Error {
    let is_in_folder = matches!(
        config.database_url(),
        Ok(DatabaseUrl::Sqlite(file)) if file.starts_with(&config.data_dir)
    );
    let other = if is_in_folder {
        "name an empty folder by --data-dir"
    } else {
        "name an empty database by --database-url"
    };
    let advice = match found {
        Found::Part => format!(
            "this one has only part of the sample data, because an earlier start with --demo was interrupted, and its \
             password was never shown. For a new demo, {other}"
        ),
        Found::Accounts => format!(
            "this one has accounts. Leave --demo out to start the server with them, where the sample services no \
             longer answer, or {other} for a new demo"
        ),
    };
    Error::setup(format!("--demo needs an empty database; {advice}"))
}

async fn make(app: &Arc<ServerApp>, now: Timestamp) -> Result<World> {
    let (script, password) = (Script::read()?, cast::password());
    let mut stage = Stage::new(Arc::clone(app));
    play::all(&mut stage, &script, &password).await?;
    if app.clock.now() > now {
        return Err(Error::internal("the world of the demo reaches into the future"));
    }
    stage.until(now).await?;
    let agents = script.accounts.iter().filter(|account| account.is_agent());
    let agents = agents.map(|one| Ok((one.name.clone(), stage.key(&one.name)?.clone())));
    Ok(World { password, agents: agents.collect::<Result<_>>()?, made_at: now })
}
