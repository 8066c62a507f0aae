//! `webhooks reseal`: encrypts stored secrets with the newest key, in batches.

use svc_core::config::Config;
use svc_core::encryption::Encryption;
use svc_core::services::oauth::signing;
use svc_core::services::webhook::secret;
use svc_core::services::{escrow, factor, mail};
use svc_core::tasks::{self, node};
use svc_store::clock::Clock;
use svc_store::db::Db;
use svc_store::error::{Error, Result};

use crate::app::ServerApp;
use crate::server;

/// Discards secrets whose key is lost, so that the server can start with the keys it has.
pub async fn give_up_lost(config: &Config) -> Result<()> {
    server::find(config)?;
    let clock = Clock::system();
    let db = server::open_as_it_is(config, &clock).await?;
    if node::is_served(config, &db).await? {
        return Err(Error::setup(
            "a server that has the keys runs, so they are not lost: take them from its settings, or from sealing.key \
             in its data folder; to give them up all the same, stop it first (10 s after a crash its place is free)",
        ));
    }
    let encrypt = Encryption::open_after_loss(config, &db).await?;
    let public_url = config.public_url(config.listen);
    let app = ServerApp::new(db, clock, encrypt, config.clone(), public_url);
    app.write(signing::give_up_lost).await
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
    // Access tokens of escrows, secrets of authenticator apps, and waiting mails.
    let tokens = tasks::in_batches(&app, |ctx, after| {
        Ok(escrow::reencrypt(ctx, after)?.map(|escrow| escrow.to_string()))
    });
    tokens.await?;
    let factors = tasks::in_batches(&app, |ctx, after| {
        Ok(factor::reencrypt(ctx, after)?.map(|account| account.to_string()))
    });
    factors.await?;
    tasks::in_batches(&app, mail::reencrypt).await?;
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
