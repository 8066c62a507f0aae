//! `webhooks reseal`: encrypts stored secrets with the newest key, in batches.

use std::sync::Arc;

use svc_core::app::App;
use svc_core::config::Config;
use svc_core::encryption::Encryption;
use svc_core::services::oauth::signing;
use svc_core::services::webhook::secret;
use svc_core::services::{escrow, factor, mail};
use svc_core::tasks::node;
use svc_store::clock::Clock;
use svc_store::db::Db;
use svc_store::error::{Error, Result};

use crate::app::ServerApp;
use crate::server;

/// Discards secrets whose key is lost, so that the server can start with the keys it has.
pub async fn give_up_lost(config: &Config) -> Result<()> {
    server::find(config)?;
    let db = server::open_as_it_is(config, &Clock::system()).await?;
    Encryption::open_after_loss(config, &db).await?;
    Ok(())
}

/// Encrypts all stored secrets with the newest key; returns the number of webhooks.
pub async fn all(config: Config) -> Result<usize> {
    server::find(&config)?;
    let clock = Clock::system();
    let db = server::open_as_it_is(&config, &clock).await?;
    refuse_unknown_key(&config, &db).await?;
    let encrypt = Encryption::open(&config, &db).await?;
    let public_url = config.public_url(config.listen);
    let app = ServerApp::new(db, clock, encrypt, config, public_url);
    let (mut resealed, mut after) = (0, None);
    loop {
        let from = after.clone();
        let (count, last) = app.write(move |ctx| secret::reencrypt(ctx, from.as_ref())).await?;
        resealed += count;
        if last.is_none() {
            break;
        }
        after = last;
    }
    reseal_tokens(&app).await?;
    reseal_factors(&app).await?;
    reseal_mails(&app).await?;
    app.write(signing::reencrypt).await?;
    app.encrypt.forget_older(&app.db).await?;
    Ok(resealed)
}

/// Refuses a key that servers which run may lack: they would not be ready from then on.
async fn refuse_unknown_key(config: &Config, db: &Db) -> Result<()> {
    if !Encryption::begins_with_new_key(config, db).await? || !node::is_served(config, db).await? {
        return Ok(());
    }
    Err(Error::setup(
        "no server that runs encrypts with the first of exchange.sealing_keys yet; one that lacks it would not be \
         ready: restart each server with `old,new`, then with `new,old`, and repeat this",
    ))
}

/// Encrypts the access tokens of escrows with the newest key.
async fn reseal_tokens(app: &Arc<App>) -> Result<()> {
    let mut after = Some(String::new());
    while let Some(from) = after {
        let last = app.write(move |ctx| escrow::reencrypt(ctx, &from)).await?;
        after = last.map(|id| id.to_string());
    }
    Ok(())
}

/// Encrypts the secrets of authenticator apps with the newest key.
async fn reseal_factors(app: &Arc<App>) -> Result<()> {
    let mut after = Some(String::new());
    while let Some(from) = after {
        let last = app.write(move |ctx| factor::reencrypt(ctx, &from)).await?;
        after = last.map(|account| account.to_string());
    }
    Ok(())
}

/// Encrypts waiting mails with the newest key.
async fn reseal_mails(app: &Arc<App>) -> Result<()> {
    let mut after = Some(String::new());
    while let Some(from) = after {
        after = app.write(move |ctx| mail::reencrypt(ctx, &from)).await?;
    }
    Ok(())
}
