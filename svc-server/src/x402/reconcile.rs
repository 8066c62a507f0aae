//! The chain, compared with our books: each payment brought its tokens, and no other tokens came.

use std::collections::BTreeMap;
use std::sync::Arc;

use svc_core::services::billing::topup;
use svc_store::error::{Error, Result};
use svc_types::{Timestamp, money};

use super::X402;
use super::chain::{Head, Received, Seen};
use crate::app::ServerApp;

/// What was compared.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// How many payments and transfers of tokens.
    pub(crate) compared: usize,
    /// What differs: an id, ours or that of a transaction, and how.
    pub(crate) differences: Vec<(String, String)>,
}

/// Compares payments with tokens since a time with the chain. Nothing is changed.
pub(crate) async fn reconcile(app: &Arc<ServerApp>, since: Timestamp) -> Result<Compared> {
    let mut compared = Compared::default();
    if let Some(x402) = app.x402() {
        let head = x402.chain.head().await.map_err(Error::internal)?;
        compared.payments(app, x402, since, head).await?;
        compared.transfers(app, x402, since, head).await?;
    }
    Ok(compared)
}

impl Compared {
    /// Whether each payment brought its tokens.
    async fn payments(
        &mut self,
        app: &Arc<ServerApp>,
        x402: &X402,
        since: Timestamp,
        head: Head,
    ) -> Result<()> {
        for paid in app.read(move |ctx| topup::paid_since(ctx, since)).await? {
            self.compared += 1;
            if x402.chain.find_payment(&paid, head).await.map_err(Error::internal)? == Seen::Nothing
            {
                let what = "paid here, and its tokens are not on the chain";
                self.differences.push((paid.id.to_string(), what.to_owned()));
            }
        }
        Ok(())
    }

    /// Whether tokens came that no payment counts.
    async fn transfers(
        &mut self,
        app: &Arc<ServerApp>,
        x402: &X402,
        since: Timestamp,
        head: Head,
    ) -> Result<()> {
        let first = app.read(move |ctx| topup::block_before(ctx, since)).await?;
        let Some(first) = first.and_then(|block| u64::try_from(block).ok()) else { return Ok(()) };
        let settings = &app.config.x402;
        let blocks = (first, head.number);
        let found = x402.chain.received(&settings.asset, &settings.pay_to, blocks).await;
        let mut came: BTreeMap<Received, i64> = BTreeMap::new();
        for received in found.map_err(Error::internal)? {
            *came.entry(received).or_default() += 1;
        }
        for (received, times) in came {
            self.compared += 1;
            let Received { chain_tx, payer, amount } = received.clone();
            let counted = match i64::try_from(amount) {
                Ok(amount) => {
                    app.read(move |ctx| topup::counted(ctx, &chain_tx, &payer, amount)).await?
                }
                Err(_) => 0,
            };
            if counted < times {
                let Received { chain_tx, payer, amount } = received;
                let tokens = tokens(amount);
                let what = format!("{tokens} came from {payer}, and no payment counts them");
                self.differences.push((chain_tx, what));
            }
        }
        Ok(())
    }
}

/// Tokens as people count them. Of more than any account has, the smallest units.
fn tokens(amount: u128) -> String {
    i64::try_from(amount)
        .map_or_else(|_| amount.to_string(), |amount| money::in_words(amount, money::TOKEN))
}
