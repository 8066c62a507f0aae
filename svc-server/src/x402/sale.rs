//! A sale: what is asked for, and how a signed payment is handled.

use std::sync::Arc;

use http::HeaderValue;
use svc_core::app::{App, Ctx};
use svc_core::identity::Account;
use svc_core::services::billing::topup::{self, Authorized, Signed, Topup};
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::billing::PaymentStatus;
use svc_types::{Code, Credits, PaymentId};
use tokio::time::{Instant, timeout_at};

use super::facilitator::Verdict;
use super::worker::{Work, work_on};
use super::{X402, offer};
use crate::app::ServerApp;
use crate::billing::{outlive, wait_max};

/// What a request for credits comes to.
pub(crate) enum Sale {
    /// This amount of tokens must be paid first, and why an earlier payment was not enough.
    Asked { amount: i64, refusal: Box<Refusal> },
    /// A payment that may have been sent to the chain, or was.
    Taken(Box<Topup>),
}

/// 503 where no tokens are taken.
pub(crate) fn require(app: &App) -> Result<()> {
    if app.config.x402.is_on() {
        return Ok(());
    }
    let refusal =
        Refusal::new(Code::FeatureNotConfigured, "this server takes no tokens for credits");
    Err(refusal.hint("its operator turns this on by the settings x402.*").into())
}

/// Sells credits to an account that may spend.
pub(crate) async fn sell(
    app: &Arc<ServerApp>,
    buyer: Account,
    credits: Credits,
    payment: Option<&HeaderValue>,
) -> Result<Sale> {
    let x402 = app.x402().ok_or_else(|| Error::internal("x402 is not connected"))?;
    let until = Instant::now() + wait_max(app);
    let customer = Customer { app, x402, buyer, credits, until };
    match payment {
        None => customer.ask().await,
        Some(payment) => customer.pay(payment).await,
    }
}

/// An account that buys credits.
struct Customer<'a> {
    app: &'a Arc<ServerApp>,
    x402: &'a X402,
    buyer: Account,
    credits: Credits,
    /// When the request has to be answered.
    until: Instant,
}

impl Customer<'_> {
    /// Asks for a payment, if the account can buy the credits now.
    async fn ask(&self) -> Result<Sale> {
        let amount = self.price().await?;
        let message = "pay for the credits first";
        let hint = "the header PAYMENT-REQUIRED says what to sign; skill.md shows how";
        Ok(asked(amount, message, hint))
    }

    async fn price(&self) -> Result<i64> {
        let (buyer, credits) = (self.buyer.clone(), self.credits);
        self.app.read(move |ctx| topup::price(ctx, &buyer, credits)).await
    }

    async fn pay(&self, payment: &HeaderValue) -> Result<Sale> {
        let (app, settings) = (self.app, &self.app.config.x402);
        let given = offer::decode(payment)?;
        let authorized = given.authorization();
        // First of all: the facilitator calls a payment invalid that was made, and its time may be over.
        if let Some(known) = self.known(&authorized).await? {
            self.work(&known.record.id, Work::Look).await?;
            return self.found(known.record.id).await;
        }
        let amount = match self.price().await {
            Ok(amount) => amount,
            // Another request may have begun this payment since, and the cap counts it.
            Err(refusal) => return self.known_or(&authorized, Err(refusal)).await,
        };
        let signed = given.checked(settings, amount, app.clock.now())?;
        let head = self.in_time(self.x402.chain.head()).await?;
        match self.in_time(self.x402.facilitator.verify(&signed.text)).await? {
            Verdict::Valid => self.begin(signed, head.number).await,
            // Another request may have paid with it since.
            Verdict::Invalid(why) => {
                let refused = asked(amount, "the payment would fail, and was not sent", &why);
                self.known_or(&authorized, Ok(refused)).await
            }
        }
    }

    /// What facilitator or chain answer before anything is begun; 503 if that takes too long.
    async fn in_time<T>(&self, call: impl Future<Output = Result<T, String>>) -> Result<T> {
        let answered = timeout_at(self.until, call).await;
        let answered = answered.unwrap_or_else(|_| Err("no answer came in time".to_owned()));
        answered.map_err(|why| unavailable(&why))
    }

    /// Works on a payment, and waits for that as long as the request can. The work goes on when the request
    /// ends before.
    async fn work(&self, id: &PaymentId, work: Work) -> Result<()> {
        let (app, id) = (Arc::clone(self.app), id.clone());
        let working = async move {
            match app.x402() {
                Some(x402) => work_on(&app, x402, &id, work).await,
                None => Ok(()),
            }
        };
        match outlive(self.until, working).await {
            Some(worked) => worked.map_err(Error::internal)?,
            // What is not decided by then is open.
            None => Ok(()),
        }
    }

    /// Keeps a payment, and sends it to the chain unless another request has just begun it.
    async fn begin(&self, signed: Signed, block: u64) -> Result<Sale> {
        let block = i64::try_from(block).map_err(Error::internal)?;
        let (buyer, credits, ours) = (self.buyer.clone(), self.credits, signed.clone());
        let job = move |ctx: &mut Ctx<'_, '_>| topup::begin(ctx, &buyer, credits, &ours, block);
        if let Some(id) = self.app.write(job).await? {
            self.work(&id, Work::Send).await?;
            return self.found(id).await;
        }
        let known = self.known(&signed.authorized).await?;
        known
            .map(|known| Sale::Taken(Box::new(known)))
            .ok_or_else(|| Error::internal("a payment was begun and is not there"))
    }

    /// The payment that was begun with an authorization; 409 if it is another account's.
    async fn known(&self, authorized: &Authorized) -> Result<Option<Topup>> {
        let (buyer, credits, authorized) = (self.buyer.clone(), self.credits, authorized.clone());
        self.app.read(move |ctx| topup::known(ctx, &buyer, credits, &authorized)).await
    }

    /// The payment that was begun with an authorization, or else this.
    async fn known_or(&self, authorized: &Authorized, otherwise: Result<Sale>) -> Result<Sale> {
        match self.known(authorized).await? {
            Some(known) => Ok(Sale::Taken(Box::new(known))),
            None => otherwise,
        }
    }

    async fn found(&self, id: PaymentId) -> Result<Sale> {
        let topup = self.app.read(move |ctx| topup::find(ctx, &id)).await?;
        if topup.record.status == PaymentStatus::Expired {
            let message = "the tokens of this payment never came";
            return Ok(asked(topup.record.amount, message, "sign another payment"));
        }
        Ok(Sale::Taken(Box::new(topup)))
    }
}

fn asked(amount: i64, message: &'static str, hint: &str) -> Sale {
    let refusal = Refusal::new(Code::PaymentRequired, message).hint(hint);
    Sale::Asked { amount, refusal: Box::new(refusal) }
}

/// 503 where the facilitator or the chain does not answer, and nothing was begun.
fn unavailable(why: &str) -> Error {
    tracing::warn!(why, "a payment with tokens could not be begun");
    let message = "payments with tokens can't be taken at present";
    let hint = "nothing was paid; send the same request later";
    Refusal::new(Code::ProviderUnavailable, message).hint(hint).into()
}
