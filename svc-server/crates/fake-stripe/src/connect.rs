//! Accounts of sellers, and transfers to them.

use serde_json::{Value, json};

use crate::books::{Books, number, text};
use crate::checkout::metadata;
use crate::failure::Failure;

/// How long the form of an account can be opened.
const LINK_SECONDS: i64 = 5 * 60;

/// Countries without accounts, for tests of a refusal.
const NOWHERE: &str = "XX";

impl Books {
    /// POST /v1/accounts.
    pub(crate) fn create_account(&mut self, params: &Value) -> Result<Value, Failure> {
        if params["country"] == NOWHERE {
            return Err(Failure::state(Some("country_unsupported"), "Country is not supported."));
        }
        let controller = &params["controller"];
        if controller["stripe_dashboard"]["type"] != "express" {
            return Err(Failure::parameter("parameter_missing", "controller[stripe_dashboard]"));
        }
        let id = self.add(
            "acct",
            json!({
                "object": "account", "country": params["country"], "email": params["email"],
                "charges_enabled": false, "payouts_enabled": false, "details_submitted": false,
                "capabilities": { "transfers": "inactive" }, "type": "none",
                "metadata": metadata(&params["metadata"]),
                "controller": {
                    "type": "application", "is_controller": true,
                    "stripe_dashboard": controller["stripe_dashboard"],
                    "fees": controller["fees"], "losses": controller["losses"],
                    "requirement_collection": "stripe",
                },
            }),
        );
        Ok(self.object(&id).clone())
    }

    /// POST `/v1/account_links`.
    pub(crate) fn create_account_link(&mut self, params: &Value) -> Result<Value, Failure> {
        let missing = |name: &str| Failure::parameter("parameter_missing", name);
        for name in ["account", "refresh_url", "return_url", "type"] {
            params[name].as_str().ok_or_else(|| missing(name))?;
        }
        let account = text(params, "account");
        self.named("account", account)?;
        Ok(json!({
            "object": "account_link", "created": self.now, "expires_at": self.now + LINK_SECONDS,
            "url": format!("https://connect.stripe.com/setup/e/{account}/{}", self.now),
        }))
    }

    pub(crate) fn enable_account(&mut self, id: &str) {
        self.set(
            id,
            json!({
                "payouts_enabled": true, "details_submitted": true,
                "capabilities": { "transfers": "active" },
            }),
        );
        self.emit("account.updated", id);
    }

    /// POST /v1/transfers.
    pub(crate) fn create_transfer(&mut self, params: &Value) -> Result<Value, Failure> {
        let missing = |name: &str| Failure::parameter("parameter_missing", name);
        let account = params["destination"].as_str().ok_or_else(|| missing("destination"))?;
        params["currency"].as_str().ok_or_else(|| missing("currency"))?;
        let amount = params["amount"].as_str().and_then(|text| text.parse::<i64>().ok());
        let amount = amount.filter(|amount| *amount > 0).ok_or_else(|| missing("amount"))?;
        if self.named("account", account)?["capabilities"]["transfers"] != "active" {
            let message = "Your destination account needs to have the transfers capability.";
            let code = "insufficient_capabilities_for_transfer";
            return Err(Failure::state(Some(code), message));
        }
        if self.is_short {
            let message = "You have insufficient available funds in your Stripe account.";
            return Err(Failure::state(Some("balance_insufficient"), message));
        }
        let id = self.send(account, amount, params);
        Ok(self.object(&id).clone())
    }

    /// The operator sends money at the dashboard.
    pub(crate) fn transfer_at_dashboard(
        &mut self,
        account: &str,
        amount: i64,
        metadata: &Value,
    ) -> String {
        self.send(account, amount, &json!({ "currency": "usd", "metadata": metadata }))
    }

    fn send(&mut self, account: &str, amount: i64, params: &Value) -> String {
        let id = self.add(
            "tr",
            json!({
                "object": "transfer", "amount": amount, "amount_reversed": 0, "reversed": false,
                "currency": params["currency"], "destination": account, "livemode": false,
                "description": params["description"], "transfer_group": params["transfer_group"],
                "metadata": metadata(&params["metadata"]), "source_transaction": null,
                "balance_transaction": null,
                "reversals": { "object": "list", "data": [], "has_more": false, "url": "" },
            }),
        );
        let entry = self.enter("transfer", &id, -amount, 0);
        self.set(&id, json!({ "balance_transaction": entry }));
        self.emit("transfer.created", &id);
        id
    }

    pub(crate) fn reverse(&mut self, id: &str, amount: i64) {
        let transfer = self.object(id).clone();
        let reversed = number(&transfer, "amount_reversed") + amount;
        assert!(reversed <= number(&transfer, "amount"), "a transfer is reversed once");
        let reversal = self.add(
            "trr",
            json!({
                "object": "transfer_reversal", "amount": amount, "currency": transfer["currency"],
                "transfer": id, "metadata": {}, "balance_transaction": null,
            }),
        );
        let entry = self.enter("transfer_refund", &reversal, amount, 0);
        self.set(&reversal, json!({ "balance_transaction": entry }));
        let reversal = self.object(&reversal).clone();
        let is_whole = reversed == number(&transfer, "amount");
        self.set(id, json!({ "amount_reversed": reversed, "reversed": is_whole }));
        self.change(id, |it| {
            it["reversals"]["data"].as_array_mut().expect("it is a list").push(reversal);
        });
        self.emit("transfer.reversed", id);
    }
}
