//! Credits that agents pay with tokens on a chain, by the protocol x402, version 2.
//!
//! The facilitator sends signed payments to the chain, and a node of the chain reports their outcome. Only
//! the chain is believed: the facilitator's yes may be a lie, and its no may be about a second attempt.
//!
//! | module | what it holds |
//! |---|---|
//! | `offer` | what is asked for, and payments as their payers sign them |
//! | `facilitator` | checks payments and sends them to the chain |
//! | `chain` | what a node of the chain says |
//! | `sale` | how a request for credits is handled |
//! | `worker` | payments that are not decided |
//! | `reconcile` | the chain, compared with our books |

mod chain;
mod facilitator;
pub(crate) mod offer;
mod reconcile;
mod sale;
mod worker;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use http::header::HeaderValue;
use svc_core::data_dir::refuse_open_file;
use svc_core::services::billing::state;
use svc_store::error::{Error, Result};
use tokio::sync::Mutex;

use self::chain::Chain;
use self::facilitator::Facilitator;
pub(crate) use self::reconcile::reconcile;
pub(crate) use self::sale::{Sale, require, sell};
pub use self::worker::{once, run};
use crate::app::ServerApp;
use crate::outbound::resolve::SystemNames;
use crate::outbound::{Limits, Outbound, Rules};

/// Time for a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// The connections to the facilitator and to a node of the chain.
#[derive(Debug)]
pub struct X402 {
    facilitator: Facilitator,
    chain: Chain,
    /// Held by a round of the worker, so that another one finds its work done.
    round: Mutex<()>,
}

/// Connects the server, if the settings name a facilitator.
pub async fn open(app: &Arc<ServerApp>) -> Result<()> {
    let settings = &app.config.x402;
    if !settings.is_on() {
        return Ok(());
    }
    let in_test = settings.in_test();
    if app.config.billing.is_on() && app.read(state::in_test).await? != in_test {
        let message =
            "x402.network and billing.stripe.key_file must both be of tests or both be live";
        return Err(Error::setup(message));
    }
    let cause = format!("x402.network is a {} network", if in_test { "test" } else { "live" });
    app.write(move |ctx| state::open(ctx, in_test, &cause)).await?;
    if in_test {
        tracing::warn!("payments are not real: x402.network is a test network");
    }
    let token = bearer(&settings.token_file)?;
    let facilitator =
        Facilitator::new(&settings.facilitator, token, outbound(app, &settings.facilitator));
    let chain =
        Chain::new(&settings.rpc_url, settings.confirmations, outbound(app, &settings.rpc_url));
    app.connect_x402(X402 { facilitator, chain, round: Mutex::default() });
    Ok(())
}

/// A client for one host; the settings permit plain http on this machine only.
fn outbound(app: &ServerApp, url: &str) -> Outbound {
    let rules = Rules { loopback: url.starts_with("http:"), networks: Vec::new() };
    let proxy = Some(app.config.webhooks.proxy.clone()).filter(|proxy| !proxy.is_empty());
    let proxy = proxy.filter(|_| !rules.loopback);
    let limits = Limits { connect: CONNECT, total: app.config.x402.timeout, proxy };
    Outbound::new(rules, limits, Arc::new(SystemNames))
}

/// The Authorization for the facilitator, from a file that nobody else can read.
fn bearer(file: &str) -> Result<Option<HeaderValue>> {
    if file.is_empty() {
        return Ok(None);
    }
    let wrong = |why: String| Error::setup(format!("x402.token_file: {file}: {why}"));
    let text = fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    refuse_open_file("x402.token_file", Path::new(file))?;
    let mut value = HeaderValue::try_from(format!("Bearer {}", text.trim()))
        .map_err(|_| wrong("must hold one token, without line breaks".to_owned()))?;
    value.set_sensitive(true);
    Ok(Some(value))
}
