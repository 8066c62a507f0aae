//! Limits on what the orders of an account may cost.

use serde::{Deserialize, Serialize};
use svc_client::types::Credits;

use crate::environment::Environment;
use crate::error::{Error, Result};

const PER_DAY: &str = "SVC_MAX_CREDITS_PER_DAY";
const PER_ORDER: &str = "SVC_MAX_CREDITS_PER_ORDER";

/// What the orders of an account may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Limits {
    /// Most that orders of 24 hours may cost together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) per_day: Option<Credits>,
    /// Most that one order may cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) per_order: Option<Credits>,
}

impl Limits {
    /// Whether nothing is limited.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The same with what the environment says instead.
    pub(crate) fn or_environment(self, environment: &Environment) -> Result<Self> {
        let read = |name: &str, text: &Option<String>| {
            let wrong = |error| Error::usage(format!("{name}: {error}"));
            text.as_ref().map(|text| text.parse().map_err(wrong)).transpose()
        };
        let per_day = read(PER_DAY, &environment.per_day)?;
        let per_order = read(PER_ORDER, &environment.per_order)?;
        Ok(Self { per_day: per_day.or(self.per_day), per_order: per_order.or(self.per_order) })
    }

    /// The limits as variables of the environment, those that are set.
    pub(crate) fn variables(self) -> impl Iterator<Item = (&'static str, String)> {
        let limits = [(PER_DAY, self.per_day), (PER_ORDER, self.per_order)];
        limits.into_iter().filter_map(|(name, most)| Some((name, most?.to_string())))
    }

    /// The limits in words.
    pub(crate) fn people(self) -> String {
        let limit = |limit: Option<Credits>, what| {
            limit.map_or_else(
                || format!("no limit {what}"),
                |most| format!("{} {what}", most.in_words()),
            )
        };
        format!("{}  {}", limit(self.per_order, "per order"), limit(self.per_day, "per day"))
    }
}
