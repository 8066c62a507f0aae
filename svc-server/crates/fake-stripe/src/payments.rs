//! Refunds, disputes, and the balance that they move.

use serde_json::{Value, json};

use crate::books::{Books, number, text};
use crate::checkout::metadata;
use crate::failure::Failure;

/// What a dispute costs.
const DISPUTE_FEE: i64 = 1_500;

impl Books {
    /// POST /v1/refunds.
    pub(crate) fn create_refund(&mut self, params: &Value) -> Result<Value, Failure> {
        let charge = self.charge_of(params)?.clone();
        if charge["disputed"] == true {
            return Err(Failure::state(Some("charge_disputed"), "The charge is disputed."));
        }
        let left = number(&charge, "amount") - number(&charge, "amount_refunded");
        if left == 0 {
            let message = "The charge has already been refunded.";
            return Err(Failure::state(Some("charge_already_refunded"), message));
        }
        let amount = match params["amount"].as_str() {
            None => left,
            Some(text) => text.parse().unwrap_or(0),
        };
        if amount <= 0 {
            return Err(Failure::parameter("parameter_invalid_integer", "amount"));
        }
        if amount > left {
            let message = "Refund amount is greater than unrefunded amount on charge";
            return Err(Failure::state(None, message));
        }
        let id = self.refund(&charge, amount, params);
        Ok(self.object(&id).clone())
    }

    /// POST /v1/refunds/{id}: only metadata can be changed.
    pub(crate) fn update_refund(&mut self, id: &str, params: &Value) -> Result<Value, Failure> {
        self.named("refund", id)?;
        self.set(id, json!({ "metadata": metadata(&params["metadata"]) }));
        self.emit("refund.updated", id);
        Ok(self.object(id).clone())
    }

    /// The charge that a caller names, itself or by its payment.
    fn charge_of(&self, params: &Value) -> Result<&Value, Failure> {
        if let Some(charge) = params["charge"].as_str() {
            return self.named("charge", charge);
        }
        let payment = params["payment_intent"].as_str();
        let payment = payment.ok_or_else(|| Failure::parameter("parameter_missing", "charge"))?;
        match self.named("payment_intent", payment)?["latest_charge"].as_str() {
            Some(charge) => self.named("charge", charge),
            None => Err(Failure::state(None, "This PaymentIntent has no successful charge.")),
        }
    }

    /// The operator refunds at the dashboard, so no metadata names our refund.
    pub(crate) fn refund_at_dashboard(&mut self, payment: &str, amount: i64) -> String {
        let charge = self.object(text(self.object(payment), "latest_charge")).clone();
        self.refund(&charge, amount, &json!({}))
    }

    fn refund(&mut self, charge: &Value, amount: i64, params: &Value) -> String {
        let charge_id = text(charge, "id");
        let status = if self.holds_refunds { "pending" } else { "succeeded" };
        let id = self.add("re", json!({
            "object": "refund", "amount": amount, "currency": charge["currency"], "status": status,
            "charge": charge_id, "payment_intent": charge["payment_intent"],
            "reason": params["reason"], "metadata": metadata(&params["metadata"]),
            "balance_transaction": null,
        }));
        let entry = self.enter("refund", &id, -amount, 0);
        self.set(&id, json!({ "balance_transaction": entry }));
        self.count_refunded(charge_id, amount);
        self.emit("refund.created", &id);
        self.emit("charge.refunded", charge_id);
        id
    }

    fn count_refunded(&mut self, charge: &str, amount: i64) {
        let object = self.object(charge);
        let refunded = number(object, "amount_refunded") + amount;
        let is_whole = refunded == number(object, "amount");
        self.set(charge, json!({ "amount_refunded": refunded, "refunded": is_whole }));
    }

    pub(crate) fn complete_refund(&mut self, id: &str) {
        assert_eq!(self.object(id)["status"], "pending", "only a pending refund is completed");
        self.set(id, json!({ "status": "succeeded" }));
        self.emit("refund.updated", id);
    }

    pub(crate) fn fail_refund(&mut self, id: &str) {
        let refund = self.object(id).clone();
        assert_ne!(refund["status"], "failed", "a refund fails once");
        let amount = number(&refund, "amount");
        let entry = self.enter("refund_failure", id, amount, 0);
        self.set(
            id,
            json!({
                "status": "failed", "failure_reason": "lost_or_stolen_card",
                "failure_balance_transaction": entry,
            }),
        );
        self.count_refunded(text(&refund, "charge"), -amount);
        self.emit("refund.failed", id);
    }

    pub(crate) fn dispute(&mut self, payment: &str) -> String {
        let charge = self.object(text(self.object(payment), "latest_charge")).clone();
        assert_eq!(charge["disputed"], false, "a charge is disputed once");
        let amount = number(&charge, "amount") - number(&charge, "amount_refunded");
        let id = self.add("du", json!({
            "object": "dispute", "amount": amount, "currency": charge["currency"], "livemode": false,
            "status": "needs_response", "reason": "fraudulent", "charge": charge["id"],
            "payment_intent": payment, "is_charge_refundable": false, "metadata": {},
            "balance_transactions": [],
        }));
        self.set(text(&charge, "id"), json!({ "disputed": true }));
        self.move_disputed(&id, -amount, DISPUTE_FEE);
        self.emit("charge.dispute.created", &id);
        self.emit("charge.dispute.funds_withdrawn", &id);
        id
    }

    pub(crate) fn close_dispute(&mut self, id: &str, status: &str) {
        let dispute = self.object(id).clone();
        // A bank may change its mind for the operator.
        let is_open = dispute["status"] == "needs_response";
        let is_lost = dispute["status"] == "lost" && status == "won";
        assert!(is_open || is_lost, "a dispute is closed once");
        self.set(id, json!({ "status": status }));
        if status == "won" {
            self.move_disputed(id, number(&dispute, "amount"), 0);
            self.emit("charge.dispute.funds_reinstated", id);
        }
        self.emit("charge.dispute.closed", id);
    }

    fn move_disputed(&mut self, dispute: &str, amount: i64, fee: i64) {
        let entry = self.enter("adjustment", dispute, amount, fee);
        let entry = self.object(&entry).clone();
        self.change(dispute, |it| {
            it["balance_transactions"].as_array_mut().expect("it is a list").push(entry);
        });
    }

    /// Enters an amount into the balance.
    pub(crate) fn enter(&mut self, kind: &str, source: &str, amount: i64, fee: i64) -> String {
        let currency = self.object(source)["currency"].clone();
        self.add(
            "txn",
            json!({
                "object": "balance_transaction", "type": kind, "source": source, "amount": amount,
                "fee": fee, "net": amount - fee, "currency": currency, "status": "pending",
                "reporting_category": kind, "available_on": self.now + 2 * 24 * 3600,
            }),
        )
    }
}
