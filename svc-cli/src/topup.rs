//! `svc credits topup`: credits that are paid with tokens on a chain, by x402.
//!
//! The command has no wallet: it prints what a wallet must sign, and sends what was signed.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use clap::Args;
use serde_json::{Map, Value, json};
use svc_client::Answer;
use svc_client::types::api::billing::{PaymentEnvelope, PaymentStatus};
use svc_client::types::{PositiveCredits, Who};

use crate::billing::row;
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::input;
use crate::settings::Settings;

/// Flags of `svc credits topup`.
#[derive(Clone, Debug, Args)]
pub(crate) struct TopupFlags {
    /// How many credits to buy.
    #[arg(value_parser = input::positive_credits, allow_negative_numbers = true)]
    credits: PositiveCredits,
    /// The signed payment, JSON or base64 of it: a file, or - for stdin. Without it, what to sign is
    /// printed.
    #[arg(long, value_name = "FILE|-")]
    payment: Option<String>,
}

/// Prints what to sign, or pays with what was signed.
pub(crate) async fn run(flags: &TopupFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let payment = flags.payment.as_deref().map(read).transpose()?;
    let path = format!("/v1/credits/x402?credits={}", flags.credits);
    if caller.is_shown("POST", &path, None)? {
        return Ok(());
    }
    caller.require_key(Who::Account)?;
    let is_asking = payment.is_none();
    match send(&caller, flags.credits, payment).await {
        Ok(answer) => {
            let payment = &answer.value.payment;
            caller.out.local(&answer.value, &row(payment))?;
            if payment.status == PaymentStatus::Open {
                caller
                    .out
                    .note("the chain has not decided yet: repeat this, and sign no other payment");
            }
            Ok(())
        }
        Err(error) => match &error.offer {
            Some(offer) if is_asking => {
                caller.out.local(offer, &format!("{:#}", json!(offer)))?;
                caller.out.note("sign this with a wallet, then pass it by --payment FILE");
                Ok(())
            }
            _ => Err(error),
        },
    }
}

/// Buys credits; an error with an offer says what to sign.
pub(crate) async fn send(
    caller: &Caller,
    credits: PositiveCredits,
    payment: Option<String>,
) -> Result<Answer<PaymentEnvelope>> {
    let call = caller.with_cookie(caller.client.billing().topup(credits))?;
    let call = payment.into_iter().fold(call, svc_client::Call::payment);
    Ok(call.raw().await?)
}

/// A payment as its header has it.
fn read(path: &str) -> Result<String> {
    let text = input::file(path)?;
    match serde_json::from_str::<Value>(&text) {
        Ok(payment) if payment.is_object() => Ok(encode(&payment)),
        _ if decode(&text).is_some() => Ok(text.trim().to_owned()),
        _ => {
            Err(Error::usage("a payment is JSON, or base64 of JSON, as libraries of x402 sign it"))
        }
    }
}

/// What a header of x402 says: what must be paid, or the outcome.
pub(crate) fn decode(header: &str) -> Option<Map<String, Value>> {
    serde_json::from_slice(&BASE64_STANDARD.decode(header.trim()).ok()?).ok()
}

/// What is to be paid, beside the message of an error.
pub(crate) fn offer(header: &str) -> Option<Map<String, Value>> {
    let mut offer = decode(header)?;
    offer.remove("error");
    Some(offer)
}

/// JSON as a header of x402 has it.
pub(crate) fn encode(value: &Value) -> String {
    BASE64_STANDARD.encode(value.to_string())
}
