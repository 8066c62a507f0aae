//! Settings of real money: what a provider of payments needs, and what credits cost.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use svc_store::error::SetupError;
use svc_types::credits::SCALE;
use svc_types::{Credits, money};

use super::{links, span};
use crate::services::trust::Trust;

/// Currencies with three decimals, which are not supported.
const THREE_DECIMALS: [&str; 5] = ["bhd", "jod", "kwd", "omn", "tnd"];

/// Real money.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Billing {
    /// The one currency, in lower case.
    pub currency: String,
    /// Whether the provider adds taxes.
    pub tax: bool,
    /// Whether a test key is taken without `dev`.
    pub allow_test: bool,
    /// Stripe.
    pub stripe: StripeSettings,
}

/// Credits that are paid out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PayoutSettings {
    /// Whether earned credits are paid out.
    enabled: bool,
    /// What is paid for one credit, in units of the currency with at most six decimals; empty if
    /// nothing is paid out.
    rate: String,
    /// Fewest credits of a payout.
    pub min: Credits,
    /// Time after a sale in which its credits are not paid out.
    #[serde(deserialize_with = "span")]
    pub hold: Duration,
    /// Part of the earnings of 90 days that stays, in percent.
    pub reserve: u32,
    /// Whether an admin approves each payout.
    pub review: bool,
}

impl PayoutSettings {
    /// Whether earned credits are paid out.
    pub const fn is_on(&self, billing: &Billing) -> bool {
        self.enabled && billing.is_on()
    }

    /// What is paid for one credit, as the operator wrote it.
    pub fn rate(&self) -> &str {
        &self.rate
    }

    /// What is paid for credits, in the smallest unit of the currency; none if it is not whole.
    pub fn amount_of(&self, credits: Credits, billing: &Billing) -> Option<i64> {
        exact(micros_of(&self.rate)?, credits, billing)
    }

    /// The most credits up to these for which a whole amount is paid.
    pub fn nearest(&self, credits: Credits, billing: &Billing) -> Option<Credits> {
        let step = step(micros_of(&self.rate)?, billing);
        let micros = i128::from(credits.micros()) / step * step;
        i64::try_from(micros).ok().filter(|micros| *micros > 0).map(Credits::from_micros)
    }

    /// Checks what the types can't express. Credits that are paid out for more than they cost would be
    /// bought to be paid out.
    pub(super) fn check(
        &self,
        billing: &Billing,
        credits: &CreditSettings,
    ) -> Result<(), SetupError> {
        let wrong = |message: &str| Err(SetupError::new(message.to_owned()));
        if !self.enabled {
            return Ok(());
        }
        if !billing.is_on() {
            return wrong("payouts.enabled needs billing.stripe.key_file");
        }
        let Some(rate) = micros_of(&self.rate) else {
            return wrong("payouts.rate must be a number above 0 with at most 6 decimals");
        };
        if credits.price_micros().is_none_or(|price| rate > price) {
            return wrong("payouts.rate must not be above credits.price");
        }
        if self.min.is_zero() {
            return wrong("payouts.min must be above 0");
        }
        if self.reserve > 100 {
            return wrong("payouts.reserve must be a percentage from 0 to 100");
        }
        Ok(())
    }
}

/// What Stripe needs.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StripeSettings {
    /// The file with the API key; empty if Stripe is not used.
    pub key_file: String,
    /// Files with the secrets of webhooks; several while one is replaced.
    pub webhook_secret_files: Vec<PathBuf>,
    /// A stand-in on this machine; empty for Stripe itself.
    pub api_url: String,
    /// Time between two looks for events that no webhook brought.
    #[serde(deserialize_with = "span")]
    pub poll: Duration,
}

impl fmt::Debug for StripeSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StripeSettings").field("key_file", &self.key_file).finish_non_exhaustive()
    }
}

impl Billing {
    /// Whether credits can be bought.
    pub const fn is_on(&self) -> bool {
        !self.stripe.key_file.is_empty()
    }

    /// Smallest units of one unit of the currency.
    pub fn minor_units(&self) -> i64 {
        10_i64.pow(self.decimals())
    }

    /// Decimals of an amount of money.
    pub fn decimals(&self) -> u32 {
        money::decimals(&self.currency)
    }

    /// Checks what the types can't express.
    pub(super) fn check(&self, credits: &CreditSettings) -> Result<(), SetupError> {
        let wrong = |message: &str| Err(SetupError::new(message.to_owned()));
        let is_code =
            self.currency.len() == 3 && self.currency.bytes().all(|byte| byte.is_ascii_lowercase());
        if !is_code || THREE_DECIMALS.contains(&self.currency.as_str()) {
            return wrong(
                "billing.currency must be a code of three lower-case letters, of a currency with no \
                 decimals or two",
            );
        }
        if self.is_on() && self.stripe.webhook_secret_files.is_empty() {
            return wrong("billing.stripe.key_file needs billing.stripe.webhook_secret_files");
        }
        if !self.is_on() && !self.stripe.webhook_secret_files.is_empty() {
            return wrong("billing.stripe.webhook_secret_files needs billing.stripe.key_file");
        }
        let url = &self.stripe.api_url;
        let is_local = url.starts_with("http:") && links::is_permitted(url);
        if !url.is_empty() && !is_local {
            return wrong("billing.stripe.api_url must be an http URL of this machine, or empty");
        }
        credits.check(self)
    }
}

/// What credits cost, and how many can be bought.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreditSettings {
    /// Price of one credit, in units of the currency with at most six decimals.
    price: String,
    /// Fewest credits of a purchase.
    pub min: Credits,
    /// Most credits of a purchase.
    pub max: Credits,
    /// Time in which a purchase can be given back.
    #[serde(deserialize_with = "span")]
    pub refund_window: Duration,
    /// For how much an account can buy in 24 hours, in units of the currency: a new one, an
    /// established one, a trusted one.
    buy_per_day: Vec<String>,
}

impl CreditSettings {
    /// The price of one credit, as the operator wrote it.
    pub fn price(&self) -> &str {
        &self.price
    }

    /// The price of credits in the smallest unit of the currency; none if it is not whole.
    pub fn price_of(&self, credits: Credits, billing: &Billing) -> Option<i64> {
        exact(self.price_micros()?, credits, billing)
    }

    /// The price of credits in millionths of a unit of the currency, as tokens are counted; none if it is
    /// not whole.
    pub fn tokens_of(&self, credits: Credits) -> Option<i64> {
        let exact = i128::from(self.price_micros()?) * i128::from(credits.micros());
        let one = i128::from(SCALE);
        (exact % one == 0).then(|| i64::try_from(exact / one).ok()).flatten()
    }

    /// The closest amount of credits with a whole price: the larger one, unless it exceeds the most.
    pub fn nearest(&self, credits: Credits, billing: &Billing) -> Option<Credits> {
        let step = step(self.price_micros()?, billing);
        let micros = i128::from(credits.micros());
        let above = (micros + step - 1) / step * step;
        let most = i128::from(self.max.micros());
        let nearest = if above <= most { above } else { micros / step * step };
        i64::try_from(nearest).ok().filter(|micros| *micros > 0).map(Credits::from_micros)
    }

    /// For how much an account can buy in 24 hours, in the smallest unit.
    pub fn per_day(&self, trust: Trust, billing: &Billing) -> i64 {
        let place = match trust {
            Trust::New => 0,
            Trust::Established => 1,
            Trust::Trusted => 2,
        };
        let units = self.buy_per_day.get(place).and_then(|text| text.parse::<i64>().ok());
        units.unwrap_or(0).saturating_mul(billing.minor_units())
    }

    /// Millionths of a unit of the currency that a credit costs.
    fn price_micros(&self) -> Option<i64> {
        micros_of(&self.price)
    }

    fn check(&self, billing: &Billing) -> Result<(), SetupError> {
        let wrong = |message: &str| Err(SetupError::new(message.to_owned()));
        if self.price_micros().is_none() {
            return wrong("credits.price must be a number above 0 with at most 6 decimals");
        }
        if self.min.is_zero() || self.min > self.max {
            return wrong("credits.min must be above 0 and at most credits.max");
        }
        for (name, bound) in [("min", self.min), ("max", self.max)] {
            if self.price_of(bound, billing).is_none() {
                return wrong(&format!(
                    "credits.{name} times credits.price must be a whole amount of the smallest unit of \
                     billing.currency"
                ));
            }
        }
        let is_amount = |text: &String| text.parse::<i64>().is_ok_and(|units| units >= 0);
        if self.buy_per_day.len() != 3 || !self.buy_per_day.iter().all(is_amount) {
            return wrong("credits.buy_per_day must be three whole amounts");
        }
        Ok(())
    }
}

/// Millionths of a unit of the currency; none unless the text is a number above 0.
fn micros_of(price: &str) -> Option<i64> {
    let price: Option<Credits> = price.parse().ok();
    price.map(Credits::micros).filter(|micros| *micros > 0)
}

/// The price of credits in the smallest unit of the currency, at `price_micros` millionths of a main unit each; none if
/// it is not whole.
fn exact(price_micros: i64, credits: Credits, billing: &Billing) -> Option<i64> {
    let price = i128::from(price_micros) * i128::from(billing.minor_units());
    let exact = price * i128::from(credits.micros());
    let one = i128::from(SCALE) * i128::from(SCALE);
    (exact % one == 0).then(|| i64::try_from(exact / one).ok()).flatten()
}

/// Micro-credits from one whole price to the next. Credits are whole micro-credits, and so is this.
fn step(price_micros: i64, billing: &Billing) -> i128 {
    let price = i128::from(price_micros) * i128::from(billing.minor_units());
    let one = i128::from(SCALE) * i128::from(SCALE);
    one / greatest_divisor(one, price)
}

fn greatest_divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}
