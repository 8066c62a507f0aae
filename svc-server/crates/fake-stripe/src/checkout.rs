//! Sessions: pages on which a person pays.

use serde_json::{Value, json};

use crate::books::{Books, number, text};
use crate::failure::Failure;

/// How long a session may be open.
const OPEN_MIN: i64 = 30 * 60;
const OPEN_MAX: i64 = 24 * 3600;

/// Stripe's price for a charge: a part of it, and an amount.
const FEE_PER_MILLE: i64 = 29;
const FEE: i64 = 30;

/// The amount of the lines, and their currency.
fn subtotal(lines: &Value) -> Result<(i64, String), Failure> {
    let missing = |name: &str| Failure::parameter("parameter_missing", name);
    let lines = lines.as_array().filter(|lines| !lines.is_empty());
    let (mut sum, mut currency) = (0_i64, None);
    for line in lines.ok_or_else(|| missing("line_items"))? {
        let price = &line["price_data"];
        let whole = |value: &Value| value.as_str().and_then(|text| text.parse::<i64>().ok());
        let amount = whole(&price["unit_amount"]).filter(|amount| *amount >= 0);
        let amount = amount.ok_or_else(|| missing("line_items[0][price_data][unit_amount]"))?;
        let quantity =
            whole(&line["quantity"]).ok_or_else(|| missing("line_items[0][quantity]"))?;
        if !price["product_data"]["name"].is_string() && !price["product"].is_string() {
            return Err(missing("line_items[0][price_data][product_data][name]"));
        }
        sum += amount * quantity;
        let named = price["currency"]
            .as_str()
            .ok_or_else(|| missing("line_items[0][price_data][currency]"))?;
        if currency.replace(named.to_owned()).is_some_and(|other| other != named) {
            return Err(Failure::parameter("parameter_invalid", "line_items"));
        }
    }
    Ok((sum, currency.expect("there is a line")))
}

impl Books {
    /// POST /v1/checkout/sessions.
    pub(crate) fn create_session(&mut self, params: &Value) -> Result<Value, Failure> {
        let missing = |name: &str| Failure::parameter("parameter_missing", name);
        if params["mode"] == "subscription" {
            return self.create_subscription_session(params);
        }
        if params["mode"] != "payment" {
            return Err(Failure::parameter("parameter_invalid", "mode"));
        }
        params["success_url"].as_str().ok_or_else(|| missing("success_url"))?;
        let (subtotal, currency) = subtotal(&params["line_items"])?;
        let expires_at = self.session_end(params)?;
        let is_on = |name: &str| params[name]["enabled"] == "true";
        let id = self.add("cs_test", json!({
            "object": "checkout.session", "mode": "payment", "status": "open",
            "payment_status": "unpaid", "livemode": false, "currency": currency,
            "amount_subtotal": subtotal, "amount_total": subtotal,
            "total_details": { "amount_tax": 0, "amount_discount": 0, "amount_shipping": 0 },
            "automatic_tax": { "enabled": is_on("automatic_tax"), "status": null, "liability": null },
            "adaptive_pricing": { "enabled": is_on("adaptive_pricing") },
            "invoice_creation": { "enabled": is_on("invoice_creation"), "invoice_data": {
                "metadata": params["invoice_creation"]["invoice_data"]["metadata"],
            } },
            "client_reference_id": params["client_reference_id"],
            "customer_email": params["customer_email"], "customer": null, "subscription": null,
            "metadata": metadata(&params["metadata"]), "payment_intent": null, "invoice": null,
            "success_url": params["success_url"], "cancel_url": params["cancel_url"],
            "expires_at": expires_at,
        }));
        // Stripe does not show what it will attach to the payment.
        self.payment_metadata
            .insert(id.clone(), metadata(&params["payment_intent_data"]["metadata"]));
        self.set(&id, json!({ "url": format!("https://checkout.stripe.com/c/pay/{id}") }));
        Ok(self.object(&id).clone())
    }

    /// When a new session ends.
    pub(crate) fn session_end(&self, params: &Value) -> Result<i64, Failure> {
        let expires_at = match params["expires_at"].as_str() {
            None => self.now + OPEN_MAX,
            Some(text) => text.parse().unwrap_or(0),
        };
        if !(OPEN_MIN..=OPEN_MAX).contains(&(expires_at - self.now)) {
            return Err(Failure::parameter("parameter_invalid_integer", "expires_at"));
        }
        Ok(expires_at)
    }

    /// POST /v1/checkout/sessions/{id}/expire.
    pub(crate) fn expire_session(&mut self, id: &str) -> Result<Value, Failure> {
        if self.named("checkout.session", id)?["status"] != "open" {
            let message = "Only Checkout Sessions with a status in [\"open\"] can be expired.";
            return Err(Failure::state(None, message));
        }
        self.end_session(id);
        Ok(self.object(id).clone())
    }

    /// Ends what is open for too long.
    pub(crate) fn expire_sessions(&mut self) {
        let is_over = |it: &&Value| it["status"] == "open" && number(it, "expires_at") <= self.now;
        let over = self.newest("checkout.session").filter(is_over);
        let over: Vec<_> = over.map(|session| text(session, "id").to_owned()).collect();
        over.iter().rev().for_each(|id| self.end_session(id));
    }

    fn end_session(&mut self, id: &str) {
        self.set(id, json!({ "status": "expired", "url": null }));
        self.emit("checkout.session.expired", id);
    }

    /// A person pays at once.
    pub(crate) fn pay(&mut self, session: &str) -> String {
        self.complete(session);
        let payment = self.receive(session);
        self.emit("checkout.session.completed", session);
        payment
    }

    /// A person pays by a way that takes days.
    pub(crate) fn pay_later(&mut self, session: &str) {
        self.complete(session);
        self.emit("checkout.session.completed", session);
    }

    /// The money arrives days later.
    pub(crate) fn settle(&mut self, session: &str) -> String {
        let payment = self.receive(session);
        self.emit("checkout.session.async_payment_succeeded", session);
        payment
    }

    /// The money never arrives.
    pub(crate) fn fail(&mut self, session: &str) {
        let payment = text(self.object(session), "payment_intent").to_owned();
        self.set(&payment, json!({ "status": "requires_payment_method" }));
        self.emit("payment_intent.payment_failed", &payment);
        self.emit("checkout.session.async_payment_failed", session);
    }

    /// Completes a session that is open; its payment is in progress.
    fn complete(&mut self, id: &str) {
        let session = self.object(id).clone();
        assert_eq!(session["status"], "open", "only an open session is paid");
        let subtotal = number(&session, "amount_subtotal");
        let has_tax = session["automatic_tax"]["enabled"] == true;
        let tax = if has_tax { subtotal * self.tax_percent / 100 } else { 0 };
        let payment = self.add(
            "pi",
            json!({
                "object": "payment_intent", "status": "processing", "amount": subtotal + tax,
                "amount_received": 0, "currency": session["currency"], "livemode": false,
                "latest_charge": null, "metadata": self.payment_metadata[id],
            }),
        );
        self.set(id, json!({
            "status": "complete", "url": null, "payment_intent": payment, "amount_total": subtotal + tax,
            "total_details": { "amount_tax": tax, "amount_discount": 0, "amount_shipping": 0 },
        }));
    }

    /// The money of a completed session arrives.
    fn receive(&mut self, session: &str) -> String {
        let payment = text(self.object(session), "payment_intent").to_owned();
        let (charge, amount) = self.charge(&payment);
        let members =
            json!({ "status": "succeeded", "amount_received": amount, "latest_charge": charge });
        self.set(&payment, members);
        self.set(session, json!({ "payment_status": "paid" }));
        self.emit("charge.succeeded", &charge);
        self.emit("payment_intent.succeeded", &payment);
        if self.object(session)["invoice_creation"]["enabled"] == true {
            self.receipt(session, amount);
        }
        payment
    }

    pub(crate) fn charge(&mut self, payment: &str) -> (String, i64) {
        let object = self.object(payment).clone();
        let amount = number(&object, "amount");
        let charge = self.add("ch", json!({
            "object": "charge", "amount": amount, "amount_refunded": 0, "amount_captured": amount,
            "currency": object["currency"], "livemode": false, "paid": true, "captured": true,
            "refunded": false, "disputed": false, "status": "succeeded", "payment_intent": payment,
            "metadata": object["metadata"], "balance_transaction": null, "receipt_url": null,
        }));
        let fee = (amount * FEE_PER_MILLE + 500) / 1_000 + FEE;
        let entry = self.enter("charge", &charge, amount, fee);
        let receipt = format!("https://pay.stripe.com/receipts/{charge}");
        self.set(&charge, json!({ "balance_transaction": entry, "receipt_url": receipt }));
        (charge, amount)
    }

    fn receipt(&mut self, session: &str, amount: i64) {
        let of = self.object(session);
        let invoice = json!({
            "object": "invoice", "status": "paid", "amount_due": amount, "amount_paid": amount,
            "subtotal": amount, "total": amount, "total_taxes": [], "parent": null,
            "payments": { "object": "list", "data": [], "has_more": false, "url": "" },
            "currency": of["currency"], "livemode": false,
            "metadata": metadata(&of["invoice_creation"]["invoice_data"]["metadata"]),
        });
        let id = self.add("in", invoice);
        let url = format!("https://invoice.stripe.com/i/{id}");
        self.set(&id, json!({ "hosted_invoice_url": url }));
        self.set(session, json!({ "invoice": id }));
        self.emit("invoice.paid", &id);
    }
}

/// Metadata that is an object even if there is none.
pub(crate) fn metadata(given: &Value) -> Value {
    if given.is_object() { given.clone() } else { json!({}) }
}
