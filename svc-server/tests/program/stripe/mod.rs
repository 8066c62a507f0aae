//! The client of Stripe, the stand-in for Stripe, and npm's `stripe`, which judges both.
//!
//! | module | what it covers |
//! |---|---|
//! | `client` | what our client asks, and how it reports what went wrong |
//! | `judge` | the stand-in driven by npm's `stripe`; parameters and objects checked by its types |

mod client;
mod judge;

use std::time::Duration;

use svc_fake_stripe::{API_KEY, FakeStripe};
use svc_server::outbound::Limits;
use svc_server::stripe::{CheckoutSession, NewCheckout, NewSubscription, Stripe};
use svc_types::Timestamp;

/// A client of the stand-in, which waits a second for an answer.
fn client(fake: &FakeStripe) -> Stripe {
    let time = Duration::from_secs(1);
    let limits = Limits { connect: time, total: time, proxy: None };
    Stripe::with_limits(API_KEY.parse().unwrap(), Some(fake.url()), limits)
}

/// A purchase of 500 credits for 5 dollars.
fn purchase<'a>(fake: &FakeStripe, payment: &'a str) -> NewCheckout<'a> {
    NewCheckout {
        payment,
        server: "srv_1",
        product: "500 credits",
        currency: "usd",
        amount: 500,
        has_tax: true,
        email: Some("ada@example.org"),
        success_url: "https://svc.example.org/credits?paid",
        cancel_url: "https://svc.example.org/credits",
        expires_at: time(fake.now() + 3_600),
    }
}

/// A paid session.
async fn paid(fake: &FakeStripe, stripe: &Stripe, payment: &str) -> CheckoutSession {
    let session = stripe.create_checkout(&purchase(fake, payment)).await.unwrap();
    fake.pay(&session.id);
    stripe.checkout(&session.id).await.unwrap()
}

/// A subscription with two seats of 9.99 dollars.
fn seats<'a>(
    fake: &FakeStripe,
    subscription: &'a str,
    customer: Option<&'a str>,
) -> NewSubscription<'a> {
    NewSubscription {
        subscription,
        key: subscription,
        server: "srv_1",
        customer,
        product: "Pro",
        currency: "usd",
        amount: 999,
        quantity: 2,
        has_tax: true,
        success_url: "https://svc.example.org/settings/billing?paid",
        cancel_url: "https://svc.example.org/settings/billing",
        expires_at: time(fake.now() + 3_600),
    }
}

/// The same, paid; its id at Stripe.
async fn subscribed(fake: &FakeStripe, stripe: &Stripe, subscription: &str) -> String {
    let new = seats(fake, subscription, None);
    let session = stripe.create_subscription_checkout(&new).await.unwrap();
    fake.subscribe(&session.id)
}

/// The id of a session's payment (`pi_…`).
fn payment_of(session: &CheckoutSession) -> String {
    session.payment_intent.as_ref().unwrap().id().to_owned()
}

fn time(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds * 1_000)
}
