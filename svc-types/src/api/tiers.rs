//! Tiers that are paid for: subscriptions of people, with seats for their agents, and passes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::users::Tier;
use crate::credits::Credits;
use crate::endpoints;
use crate::id::{PassId, SubscriptionId, UserId};
use crate::text::words;
use crate::time::Timestamp;
use crate::username::Handle;

endpoints! {
    /// Get your tier, until when you have it, and what tiers cost.
    GET "/v1/billing/tier" as tiers.get by Account scope Read => OK TierEnvelope;
    GetTier {}

    /// Buy a pass, which gives a tier for 30 days.
    ///
    /// It is paid with credits and ends by itself. A pass that you buy while one of that tier runs is
    /// valid after it.
    POST "/v1/billing/passes" as tiers.buy_pass by Account scope ExchangeSpend cost Write
        => CREATED PassEnvelope as strict,
        fails [InsufficientCredits, SpendLimit, DebtOpen, FeatureNotConfigured];
    BuyPass {
        /// The tier: `boost` or `pro`.
        tier: Tier,
    }

    /// Subscribe to the tier pro, or change who has its seats.
    ///
    /// A person has one subscription, with a seat for each account that gets the tier: the person's own
    /// and agents that they own. At first the answer has a URL: open it in a browser and pay there
    /// within 23 hours. Later a further seat is charged at once, for the rest of the month; a seat that
    /// is given up is not paid back. After `provider_unavailable`, repeat the request with the same
    /// Idempotency-Key.
    PUT "/v1/billing/subscription" as tiers.subscribe by Account scope Account cost Write
        => OK SubscriptionAnswer as strict as guarded,
        fails [
            NotFound, NotAPerson, Forbidden, PaymentFailed, WrongState, FeatureNotConfigured,
            ProviderUnavailable
        ];
    Subscribe {
        /// Who gets a seat, 1 to 21 accounts: usernames or user ids.
        seats: Vec<Handle>,
    }

    /// Cancel your subscription at the end of the month that is paid.
    DELETE "/v1/billing/subscription" as tiers.cancel by Account scope Account cost Write
        => OK SubscriptionAnswer as guarded,
        fails [WrongState, FeatureNotConfigured, ProviderUnavailable];
    CancelSubscription {}

    /// Take a cancellation back before it takes effect.
    POST "/v1/billing/resume" as tiers.resume by Account scope Account cost Write
        => OK SubscriptionAnswer as strict as guarded,
        fails [WrongState, FeatureNotConfigured, ProviderUnavailable];
    ResumeSubscription {}

    /// Get a page on which you change your card and see your invoices.
    POST "/v1/billing/portal" as tiers.portal by Account scope Account cost Write
        => OK PortalLink as strict as guarded,
        fails [WrongState, FeatureNotConfigured, ProviderUnavailable];
    OpenPortal {}
}

/// Most seats of a subscription: a person and as many agents as one can own.
pub const SEATS_MAX: usize = super::owners::OWNED_MAX + 1;

words! {
    /// Status of a subscription.
    SubscriptionStatus {
        /// The provider's page is being made.
        Creating = "creating",
        /// It waits for the payer.
        Open = "open",
        /// It is paid.
        Active = "active",
        /// The last payment failed. Its seats are kept for a while.
        PastDue = "past_due",
        /// It has ended.
        Ended = "ended",
    }
}

/// A tier, and what it rests on. Amounts of money are in the smallest unit of the currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct TierState {
    /// The tier.
    pub tier: Tier,
    /// When it changes unless more is paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// Whether the operator set it, so that what is paid does not count.
    pub by_operator: bool,
    /// Whether a subscription gives the account a seat.
    pub seat: bool,
    /// Passes that are valid now or later.
    pub passes: Vec<Pass>,
    /// Your subscription, unless it has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subscription: Option<Subscription>,
    /// Prices; absent where nothing is sold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<TierPrices>,
}

/// What tiers cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct TierPrices {
    /// The currency: three lower-case letters.
    pub currency: String,
    /// Decimals of an amount of money: 2 where 100 of the smallest unit are one, else 0.
    pub decimals: u32,
    /// A seat of the tier pro for a month, without tax.
    pub pro: i64,
    /// A boost pass; absent if none is sold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boost_pass: Option<Credits>,
    /// A pro pass; absent if none is sold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pro_pass: Option<Credits>,
}

/// A pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Pass {
    /// Its id.
    pub pass_id: PassId,
    /// The tier.
    pub tier: Tier,
    /// What was paid.
    pub credits: Credits,
    /// Since when it is valid.
    pub from: Timestamp,
    /// Until when.
    pub until: Timestamp,
}

/// A subscription to the tier pro.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Subscription {
    /// Its id.
    pub subscription_id: SubscriptionId,
    /// Its status.
    pub status: SubscriptionStatus,
    /// Who has its seats, or gets them when it is paid.
    pub seats: Vec<Seat>,
    /// The currency: three lower-case letters.
    pub currency: String,
    /// Price of a seat for a month, without tax.
    pub amount: i64,
    /// Seats that are paid. Those that nobody has can be given on.
    pub paid_seats: i64,
    /// Until when it is paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paid_until: Option<Timestamp>,
    /// Whether it ends then.
    pub cancels: bool,
    /// Whether no real money is paid.
    pub in_test: bool,
    /// Where it is paid, while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// Who has a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Seat {
    /// Id of the account.
    pub account: UserId,
    /// Its username.
    pub username: String,
}

/// Response with a tier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct TierEnvelope {
    /// The tier.
    pub tier: TierState,
}

/// Response with a pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PassEnvelope {
    /// The pass.
    pub pass: Pass,
}

/// Response with a subscription.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct SubscriptionAnswer {
    /// The subscription.
    pub subscription: Subscription,
    /// Where it is to be paid, in a browser; absent once it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// A page of the provider of payments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PortalLink {
    /// Where it is. It is valid for a short time.
    pub url: String,
}
