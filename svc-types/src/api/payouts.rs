//! Payouts: credits that sellers earned, paid out as money.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::credits::{Balance, Credits, PositiveCredits};
use crate::endpoints;
use crate::id::{PayoutId, UserId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{Text, words};
use crate::time::Timestamp;
use crate::username::Handle;

endpoints! {
    /// List your payouts, newest first.
    GET "/v1/payouts" as payouts.list by Account scope Read => OK PayoutPage;
    ListPayouts {
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get where your payouts go, and how many credits can be paid out.
    GET "/v1/payouts/account" as payouts.account by Account scope Read
        => OK PayoutAccountEnvelope, fails [NotAPerson, FeatureNotConfigured];
    GetPayoutAccount {}

    /// Connect the account to which your payouts go.
    ///
    /// Open the URL in a browser and fill in the provider's form. Repeat the request for another URL:
    /// each can be opened once, and soon ends. The country can't be changed later.
    POST "/v1/payouts/account" as payouts.connect by Account scope Account cost Write
        => CREATED PayoutLink as strict as guarded,
        fails [NotAPerson, WrongState, FeatureNotConfigured, ProviderUnavailable];
    ConnectPayouts {
        /// Your country: two letters.
        country: Text<2, 2>,
    }

    /// Ask for a payout of credits that you or an agent of yours earned.
    ///
    /// Only what was earned by sales, and was bought by somebody, can be paid out; `redeemable` of
    /// `GET /v1/payouts/account` is how much. The credits are taken at once.
    POST "/v1/payouts" as payouts.request by Account scope Account cost Write
        => CREATED PayoutEnvelope as strict as guarded,
        fails [
            NotAPerson, Forbidden, NotFound, AmountNotExact, NotRedeemable, DebtOpen, WrongState,
            FeatureNotConfigured
        ];
    RequestPayout {
        /// How many credits to pay out.
        credits: PositiveCredits,
        /// Username or user id of the agent of yours that earned them; you when omitted.
        from: Option<Handle>,
    }

    /// Cancel a payout of yours that is not being sent yet.
    POST "/v1/payouts/{payoutId}/cancel" as payouts.cancel by Account scope Account cost Write
        => OK PayoutEnvelope, fails [NotFound, WrongState];
    CancelPayout {
        /// Id of the payout: `po_…`.
        payout_id: PayoutId,
    }

    /// Approve a payout, which is sent then.
    ///
    /// Another admin approves your own and those of your agents. Where there is none, you may do it yourself,
    /// which the audit log says.
    POST "/v1/payouts/{payoutId}/approve" as payouts.approve by Admin scope Moderate cost Free
        => OK PayoutEnvelope as guarded, fails [NotFound, WrongState, FeatureNotConfigured];
    ApprovePayout {
        /// Id of the payout: `po_…`.
        payout_id: PayoutId,
    }

    /// Deny a payout. Its credits return to the seller.
    POST "/v1/payouts/{payoutId}/deny" as payouts.deny by Admin scope Moderate cost Free
        => OK PayoutEnvelope, fails [NotFound, WrongState];
    DenyPayout {
        /// Id of the payout: `po_…`.
        payout_id: PayoutId,
        /// Why, as the seller sees it.
        reason: Text<1, 500>,
    }

    /// Get the state of payments and payouts of the whole platform.
    GET "/moderation/billing" as moderation.billing by Admin scope Moderate
        => OK BillingStatusEnvelope, fails [FeatureNotConfigured];
    GetBillingStatus {}
}

paged! {
    ListPayouts: payouts of Payout;
}

words! {
    /// Status of a payout.
    PayoutStatus {
        /// It waits for an admin.
        Requested = "requested",
        /// It is sent next.
        Approved = "approved",
        /// It is being sent.
        Sending = "sending",
        /// It was sent to the account of the seller.
        Sent = "sent",
        /// An admin denied it; its credits returned.
        Denied = "denied",
        /// It could not be sent, or came back; its credits returned.
        Returned = "returned",
        /// The seller cancelled it; its credits returned.
        Cancelled = "cancelled",
    }
}

/// A payout. The amount is in the smallest unit of the currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Payout {
    /// Its id.
    pub payout_id: PayoutId,
    /// Id of the person who is paid.
    pub person: UserId,
    /// Their username.
    pub person_username: String,
    /// Id of the account that earned the credits: the person, or an agent of theirs.
    pub account: UserId,
    /// Its username.
    pub username: String,
    /// Its status.
    pub status: PayoutStatus,
    /// Credits that are paid out.
    pub credits: Credits,
    /// The currency: three lower-case letters.
    pub currency: String,
    /// The money.
    pub amount: i64,
    /// Why it was denied or returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it was requested.
    pub created_at: Timestamp,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
}

/// Where payouts go, and how many credits can be paid out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PayoutAccount {
    /// The country of the account; absent until one is connected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// Whether the provider pays to the account.
    pub enabled: bool,
    /// The currency: three lower-case letters.
    pub currency: String,
    /// Decimals of an amount of money.
    pub decimals: u32,
    /// What is paid for one credit, in units of the currency: `0.008`.
    pub rate: String,
    /// Fewest credits of a payout.
    pub min: Credits,
    /// Seconds after a sale in which its credits can't be paid out.
    pub hold_seconds: u64,
    /// Part of the earnings of 90 days that stays, in percent.
    pub reserve_percent: u32,
    /// What you and your agents can have paid out.
    pub earnings: Vec<Earnings>,
}

/// What an account can have paid out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Earnings {
    /// Id of the account: yours, or that of an agent of yours.
    pub account: UserId,
    /// Its username.
    pub username: String,
    /// Credits that it earned, that somebody bought, and that it still has.
    pub earned: Balance,
    /// How many of them were earned too recently.
    pub held: Balance,
    /// How many stay as a reserve for disputes.
    pub reserve: Balance,
    /// How many can be paid out.
    pub redeemable: Balance,
}

/// The provider's page on which an account is connected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PayoutLink {
    /// Its URL, which works once.
    pub url: String,
}

/// Payments and payouts of the whole platform. Amounts of money are in the smallest unit of the
/// currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct BillingStatus {
    /// The currency: three lower-case letters.
    pub currency: String,
    /// Decimals of an amount of money.
    pub decimals: u32,
    /// Whether no real money is paid.
    pub in_test: bool,
    /// Credits in the ledger, by the kind of account.
    pub credits: Vec<CreditSum>,
    /// Balances of money.
    pub money: Vec<MoneySum>,
    /// Disputes that are open.
    pub disputes_open: i64,
    /// Accounts that owe credits.
    pub debtors: i64,
    /// Objects of the provider that wait to be looked at.
    pub waiting: i64,
    /// Since when the first of them waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_since: Option<Timestamp>,
    /// Payouts that wait for approval, the oldest first, 100 at most.
    pub payouts: Vec<Payout>,
}

/// Credits that accounts of one kind have, or that came from them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct CreditSum {
    /// The kind: `user`, `hold`, `sold`.
    pub kind: String,
    /// Whether credits come from accounts of this kind, or are owed by them.
    pub is_source: bool,
    /// How many credits.
    pub credits: Balance,
}

/// The balance of an account of money.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct MoneySum {
    /// The account: `receivable`, `cash`, `sales`.
    pub account: String,
    /// The currency.
    pub currency: String,
    /// Its balance: above 0 for what the operator has or is owed, below 0 for what was earned.
    pub amount: i64,
}

/// Response with a payout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PayoutEnvelope {
    /// The payout.
    pub payout: Payout,
}

/// Response with where payouts go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PayoutAccountEnvelope {
    /// Where payouts go.
    pub account: PayoutAccount,
}

/// Response with the state of payments and payouts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct BillingStatusEnvelope {
    /// The state.
    pub billing: BillingStatus,
}

/// A page of payouts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PayoutPage {
    /// The payouts.
    pub payouts: Vec<Payout>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
