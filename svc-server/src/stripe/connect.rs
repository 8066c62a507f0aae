//! Stripe Connect: accounts of sellers, and transfers to them.

use serde::Deserialize;
use svc_types::Timestamp;

use super::call::{CallError, Stripe, path};
use super::form::Form;
use super::lists::{After, page};
use super::objects::{BalanceTransaction, Expandable, Metadata, Page, seconds};

const ACCOUNTS: &str = "/v1/accounts";
const LINKS: &str = "/v1/account_links";
const TRANSFERS: &str = "/v1/transfers";

/// An account of a seller.
#[derive(Clone, Debug, Deserialize)]
pub struct Account {
    /// The id (`acct_…`).
    pub id: String,
    /// Whether Stripe pays its balance to a bank.
    #[serde(default)]
    pub payouts_enabled: bool,
    /// What it can do.
    #[serde(default)]
    pub capabilities: Capabilities,
    /// What we attached.
    #[serde(default)]
    pub metadata: Option<Metadata>,
}

/// What an account can do.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Capabilities {
    /// Whether it receives transfers: `active`, `pending` or `inactive`.
    pub transfers: Option<String>,
}

impl Account {
    /// Whether money can be sent to it, and reaches a bank.
    pub fn is_enabled(&self) -> bool {
        self.payouts_enabled && self.capabilities.transfers.as_deref() == Some("active")
    }
}

/// A page on which a seller fills in the form of an account.
#[derive(Clone, Debug, Deserialize)]
pub struct AccountLink {
    /// Its URL, which works once.
    pub url: String,
}

/// A transfer that is to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewTransfer<'a> {
    /// Our id.
    pub payout: &'a str,
    /// The idempotency key.
    pub key: &'a str,
    /// The id of this server.
    pub server: &'a str,
    /// The account (`acct_…`).
    pub account: &'a str,
    /// The currency, in lower case.
    pub currency: &'a str,
    /// The amount.
    pub amount: i64,
}

/// Money sent to the account of a seller.
#[derive(Clone, Debug, Deserialize)]
pub struct Transfer {
    /// The id (`tr_…`).
    pub id: String,
    /// The amount.
    pub amount: i64,
    /// How much of it came back.
    pub amount_reversed: i64,
    /// The currency.
    pub currency: String,
    /// The entry in the balance.
    pub balance_transaction: Option<Expandable<BalanceTransaction>>,
    /// What came back.
    pub reversals: Page<Reversal>,
    /// What we attached; nothing if it was made at Stripe.
    #[serde(default)]
    pub metadata: Option<Metadata>,
    /// When it was made.
    #[serde(deserialize_with = "seconds")]
    pub created: Timestamp,
}

/// A part of a transfer that came back.
#[derive(Clone, Debug, Deserialize)]
pub struct Reversal {
    /// The id (`trr_…`).
    pub id: String,
    /// The entry in the balance.
    pub balance_transaction: Option<Expandable<BalanceTransaction>>,
}

impl Stripe {
    /// Makes an account for a seller, whose form and identity Stripe checks, once per id of ours.
    pub async fn create_account(
        &self,
        ours: &str,
        server: &str,
        country: &str,
    ) -> Result<Account, CallError> {
        let form = Form::default()
            .with("country", country)
            .with("controller[stripe_dashboard][type]", "express")
            .with("controller[fees][payer]", "application")
            .with("controller[losses][payments]", "application")
            .with("capabilities[transfers][requested]", true)
            .with("metadata[svc]", ours)
            .with("metadata[server]", server);
        self.post(ACCOUNTS, &form, ours).await
    }

    /// An account.
    pub async fn account(&self, id: &str) -> Result<Account, CallError> {
        self.get(&path(ACCOUNTS, id)?, &Form::default()).await
    }

    /// Accounts.
    pub async fn accounts(&self, after: After<'_>) -> Result<Page<Account>, CallError> {
        self.get(ACCOUNTS, &after.form()).await
    }

    /// A page for the form of an account. Each call makes another one.
    pub async fn create_account_link(
        &self,
        account: &str,
        return_url: &str,
        refresh_url: &str,
        idempotency_key: &str,
    ) -> Result<AccountLink, CallError> {
        let form = Form::default()
            .with("account", account)
            .with("return_url", return_url)
            .with("refresh_url", refresh_url)
            .with("type", "account_onboarding");
        self.post(LINKS, &form, idempotency_key).await
    }

    /// Sends money to a seller, once per payout.
    pub async fn create_transfer(&self, transfer: &NewTransfer<'_>) -> Result<Transfer, CallError> {
        let form = Form::default()
            .with("amount", transfer.amount)
            .with("currency", transfer.currency)
            .with("destination", transfer.account)
            .with("transfer_group", transfer.payout)
            .with("metadata[svc]", transfer.payout)
            .with("metadata[server]", transfer.server);
        self.post(TRANSFERS, &form, transfer.key).await
    }

    /// A transfer, with what it did to the balance.
    pub async fn transfer(&self, id: &str) -> Result<Transfer, CallError> {
        let expand = ["balance_transaction", "reversals.data.balance_transaction"];
        self.get(&path(TRANSFERS, id)?, &Form::default().with_list("expand", &expand)).await
    }

    /// Transfers of a payout.
    pub async fn transfers_of(&self, payout: &str) -> Result<Page<Transfer>, CallError> {
        self.get(TRANSFERS, &page(None).with("transfer_group", payout)).await
    }

    /// All transfers.
    pub async fn transfers(&self, after: After<'_>) -> Result<Page<Transfer>, CallError> {
        self.get(TRANSFERS, &after.form()).await
    }
}
