//! Keys, secrets and the mode, checked at the start: what is wrong ends the program with 78.

use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use svc_core::config::Config;
use svc_core::data_dir::refuse_open_file;
use svc_core::services::billing::state;
use svc_store::error::{Error, Result};
use tokio::sync::Mutex;

use super::Billing;
use crate::app::ServerApp;
use crate::stripe::{ApiKey, Mode, Stripe, WebhookSecret};

/// Connects the server to its provider of payments, if the settings name one.
pub async fn open(app: &Arc<ServerApp>) -> Result<()> {
    if !app.config.billing.is_on() {
        return Ok(());
    }
    let key = key(&app.config)?;
    let secrets = secrets(&app.config)?;
    let in_test = key.mode() == Mode::Test;
    let word = if in_test { "test" } else { "live" };
    let cause = format!("billing.stripe.key_file holds a {word} key");
    let server = app.write(move |ctx| state::open(ctx, in_test, &cause)).await?;
    let settings = &app.config.billing.stripe;
    let api_url = Some(settings.api_url.as_str()).filter(|url| !url.is_empty());
    let proxy = Some(app.config.webhooks.proxy.clone()).filter(|proxy| !proxy.is_empty());
    let stripe = Stripe::new(key, api_url, proxy);
    if in_test {
        tracing::warn!("payments are not real: billing.stripe.key_file holds a test key");
    }
    app.connect_billing(Billing { stripe, secrets, server, working: Mutex::default() });
    Ok(())
}

/// The key; one of the test mode only where the operator allows it.
fn key(config: &Config) -> Result<ApiKey> {
    let key: ApiKey = read("billing.stripe.key_file", Path::new(&config.billing.stripe.key_file))?;
    if key.mode() == Mode::Test && !config.dev && !config.billing.allow_test {
        let message =
            "billing.stripe.key_file holds a test key, which needs billing.allow_test = true";
        return Err(Error::setup(message));
    }
    Ok(key)
}

fn secrets(config: &Config) -> Result<Vec<WebhookSecret>> {
    let files = &config.billing.stripe.webhook_secret_files;
    files.iter().map(|file| read("billing.stripe.webhook_secret_files", file)).collect()
}

/// Reads a secret from a file that nobody else can read.
fn read<T>(setting: &str, file: &Path) -> Result<T>
where
    T: FromStr,
    T::Err: Display,
{
    let wrong = |why: &dyn Display| Error::setup(format!("{setting}: {}: {why}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| wrong(&error))?;
    refuse_open_file(setting, file)?;
    text.parse().map_err(|error| wrong(&error))
}
