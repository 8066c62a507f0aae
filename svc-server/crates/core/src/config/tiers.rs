//! Settings of tiers: what a seat of the tier pro costs, and what passes cost.

use std::time::Duration;

use serde::Deserialize;
use svc_store::error::SetupError;
use svc_types::Credits;
use svc_types::credits::SCALE;

use super::{Billing, span};

/// The tier pro, by subscription.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProSettings {
    /// Price of a seat for a month, in units of the currency.
    price: String,
    /// How long seats are kept that are not paid.
    #[serde(deserialize_with = "span")]
    pub grace: Duration,
}

impl ProSettings {
    /// Price of a seat for a month, in the smallest unit of the currency.
    pub fn amount(&self, billing: &Billing) -> i64 {
        self.exact(billing).unwrap_or(0)
    }

    fn exact(&self, billing: &Billing) -> Option<i64> {
        let price: Credits = self.price.parse().ok()?;
        let micros = price.micros().checked_mul(billing.minor_units())?;
        (micros > 0 && micros % SCALE == 0).then_some(micros / SCALE)
    }

    pub(super) fn check(&self, billing: &Billing) -> Result<(), SetupError> {
        if billing.is_on() && self.exact(billing).is_none() {
            let message = "pro.price must be above 0 and a whole amount of the smallest unit of billing.currency";
            return Err(SetupError::new(message.to_owned()));
        }
        Ok(())
    }
}

/// Prices of passes in credits; empty where none are sold.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PassSettings {
    boost: String,
    pro: String,
}

impl PassSettings {
    /// Price of a boost pass.
    pub fn boost(&self) -> Option<Credits> {
        self.boost.parse().ok()
    }

    /// Price of a pro pass.
    pub fn pro(&self) -> Option<Credits> {
        self.pro.parse().ok()
    }

    pub(super) fn check(&self) -> Result<(), SetupError> {
        for (name, text) in [("boost", &self.boost), ("pro", &self.pro)] {
            let price = text.parse::<Credits>();
            if !text.is_empty() && !price.is_ok_and(|price| !price.is_zero()) {
                let message =
                    format!("passes.{name} must be a number of credits above 0, or empty");
                return Err(SetupError::new(message));
            }
        }
        Ok(())
    }
}
