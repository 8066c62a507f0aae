//! Subscriptions, their bills, and the pages for customers.

use serde_json::{Value, json};

use crate::books::{Books, number, text};
use crate::checkout::metadata;
use crate::failure::Failure;

/// A month; Stripe's have the days of the calendar.
const MONTH: i64 = 30 * 24 * 3600;

/// How long a bill of a renewal is a draft before it is to be paid.
const DRAFT: i64 = 3600;

/// What a bill is for.
#[derive(Clone, Copy)]
enum Reason {
    Create,
    Cycle,
    Update,
}

impl Reason {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "subscription_create",
            Self::Cycle => "subscription_cycle",
            Self::Update => "subscription_update",
        }
    }
}

fn whole(value: &Value) -> Option<i64> {
    value.as_str().and_then(|text| text.parse().ok())
}

impl Books {
    /// POST /v1/checkout/sessions with mode `subscription`.
    pub(crate) fn create_subscription_session(&mut self, params: &Value) -> Result<Value, Failure> {
        let missing = |name: &str| Failure::parameter("parameter_missing", name);
        params["success_url"].as_str().ok_or_else(|| missing("success_url"))?;
        if let Some(customer) = params["customer"].as_str() {
            self.refuse_unknown(customer)?;
        }
        let line = &params["line_items"][0];
        let price = &line["price_data"];
        let amount = whole(&price["unit_amount"]).ok_or_else(|| missing("unit_amount"))?;
        let quantity = whole(&line["quantity"]).ok_or_else(|| missing("quantity"))?;
        if price["recurring"]["interval"] != "month" {
            return Err(missing("line_items[0][price_data][recurring]"));
        }
        let expires_at = self.session_end(params)?;
        let has_tax = params["automatic_tax"]["enabled"] == "true";
        // No customer here has an address.
        let is_known = params["customer"].is_string();
        if has_tax && is_known && params["customer_update"]["address"] != "auto" {
            let message = "Automatic tax calculation requires a valid address on the Customer.";
            return Err(Failure::state(Some("customer_tax_location_invalid"), message));
        }
        let id = self.add(
            "cs_test",
            json!({
                "object": "checkout.session", "mode": "subscription", "status": "open",
                "payment_status": "unpaid", "livemode": false, "currency": price["currency"],
                "amount_subtotal": amount * quantity, "amount_total": amount * quantity,
                "total_details": { "amount_tax": 0, "amount_discount": 0, "amount_shipping": 0 },
                "automatic_tax": { "enabled": has_tax, "status": null, "liability": null },
                "client_reference_id": params["client_reference_id"],
                "customer": params["customer"], "subscription": null, "payment_intent": null,
                "invoice": null, "metadata": metadata(&params["metadata"]),
                "success_url": params["success_url"], "cancel_url": params["cancel_url"],
                "expires_at": expires_at,
            }),
        );
        // Stripe does not show what it will make of the page.
        self.wanted.insert(
            id.clone(),
            json!({
                "metadata": metadata(&params["subscription_data"]["metadata"]), "amount": amount,
                "quantity": quantity, "name": price["product_data"]["name"],
            }),
        );
        self.set(&id, json!({ "url": format!("https://checkout.stripe.com/c/pay/{id}") }));
        Ok(self.object(&id).clone())
    }

    /// A person pays the first month.
    pub(crate) fn subscribe(&mut self, session: &str) -> String {
        let page = self.object(session).clone();
        assert_eq!(page["status"], "open", "only an open session is paid");
        let wanted = self.wanted[session].clone();
        let customer = page["customer"].as_str().map(str::to_owned);
        let customer = customer.unwrap_or_else(|| {
            self.add("cus", json!({ "object": "customer", "livemode": false, "metadata": {} }))
        });
        let price = self.price(&page["currency"], &wanted);
        let id = self.add("sub", json!({
            "object": "subscription", "status": "active", "customer": customer, "livemode": false,
            "currency": page["currency"], "cancel_at_period_end": false, "cancel_at": null,
            "canceled_at": null, "ended_at": null, "metadata": wanted["metadata"],
            "collection_method": "charge_automatically", "start_date": self.now,
            "latest_invoice": null, "automatic_tax": { "enabled": page["automatic_tax"]["enabled"],
                "disabled_reason": null, "liability": null },
        }));
        let item = self.add(
            "si",
            json!({
                "object": "subscription_item", "price": price, "quantity": wanted["quantity"],
                "subscription": id, "metadata": {},
                "current_period_start": self.now, "current_period_end": self.now + MONTH,
            }),
        );
        self.set_item(&id, &item);
        let amount = number(&wanted, "amount") * number(&wanted, "quantity");
        let invoice = self.bill(&id, Reason::Create, amount);
        self.pay_invoice(&invoice);
        self.set(
            session,
            json!({
                "status": "complete", "payment_status": "paid", "url": null, "customer": customer,
                "subscription": id, "invoice": invoice,
            }),
        );
        self.emit("customer.subscription.created", &id);
        self.emit("checkout.session.completed", session);
        id
    }

    fn price(&mut self, currency: &Value, wanted: &Value) -> Value {
        let product = self.add(
            "prod",
            json!({
                "object": "product", "name": wanted["name"], "active": true, "livemode": false,
                "metadata": {},
            }),
        );
        let price = self.add("price", json!({
            "object": "price", "product": product, "currency": currency, "livemode": false,
            "unit_amount": wanted["amount"], "type": "recurring", "active": true, "metadata": {},
            "recurring": { "interval": "month", "interval_count": 1, "usage_type": "licensed" },
        }));
        self.object(&price).clone()
    }

    /// Shows an item, as it is now, in its subscription.
    fn set_item(&mut self, subscription: &str, item: &str) {
        let item = self.object(item).clone();
        self.set(
            subscription,
            json!({ "items": {
            "object": "list", "data": [item], "has_more": false, "url": "/v1/subscription_items",
        } }),
        );
    }

    fn item_of(&self, subscription: &str) -> Value {
        let shown = &self.object(subscription)["items"]["data"][0];
        self.object(text(shown, "id")).clone()
    }

    /// A bill that waits for its payment.
    fn bill(&mut self, subscription: &str, reason: Reason, amount: i64) -> String {
        let of = self.object(subscription).clone();
        let has_tax = of["automatic_tax"]["enabled"] == true;
        let tax = if has_tax { amount * self.tax_percent / 100 } else { 0 };
        let id = self.add(
            "in",
            json!({
                "object": "invoice", "status": "draft", "currency": of["currency"],
                "customer": of["customer"], "livemode": false, "metadata": {},
                "billing_reason": reason.as_str(), "subtotal": amount, "total": amount + tax,
                "amount_due": amount + tax, "amount_paid": 0,
                "total_taxes": [{ "amount": tax, "tax_behavior": "exclusive" }],
                "parent": { "type": "subscription_details", "subscription_details": {
                    "subscription": subscription, "metadata": of["metadata"],
                } },
            }),
        );
        let empty = json!({ "object": "list", "data": [], "has_more": false, "url": "" });
        self.set(&id, json!({ "payments": empty }));
        self.set(subscription, json!({ "latest_invoice": id }));
        self.emit("invoice.created", &id);
        id
    }

    /// Takes the amount of a bill from the card. For a bill of nothing there is no payment.
    fn pay_invoice(&mut self, invoice: &str) {
        let total = number(self.object(invoice), "total");
        if total > 0 {
            self.take_from_card(invoice, total);
        }
        self.set(invoice, json!({ "status": "paid", "amount_paid": total }));
        self.emit("invoice.paid", invoice);
    }

    fn take_from_card(&mut self, invoice: &str, total: i64) {
        let bill = self.object(invoice).clone();
        let payment = self.add(
            "pi",
            json!({
                "object": "payment_intent", "status": "processing", "amount": total,
                "amount_received": 0, "currency": bill["currency"], "livemode": false,
                "latest_charge": null, "metadata": {},
            }),
        );
        let (charge, _) = self.charge(&payment);
        self.set(
            &payment,
            json!({ "status": "succeeded", "amount_received": total, "latest_charge": charge }),
        );
        self.emit("charge.succeeded", &charge);
        let paid = self.add("inpay", json!({
            "object": "invoice_payment", "status": "paid", "amount_paid": total,
            "amount_requested": total, "currency": bill["currency"], "invoice": invoice,
            "livemode": false, "payment": { "type": "payment_intent", "payment_intent": payment },
        }));
        let paid = self.object(&paid).clone();
        self.change(invoice, |it| it["payments"]["data"] = json!([paid]));
    }

    /// GET /v1/invoices/{id}: payments are shown if the caller wants them.
    pub(crate) fn invoice(&self, id: &str, params: &Value) -> Result<Value, Failure> {
        let mut invoice = self.named("invoice", id)?.clone();
        let is_wanted =
            params["expand"].as_array().is_some_and(|it| it.contains(&"payments".into()));
        if !is_wanted && let Some(members) = invoice.as_object_mut() {
            members.remove("payments");
        }
        Ok(invoice)
    }

    /// POST /v1/subscriptions/{id}: seats, or whether it ends with the month.
    pub(crate) fn update_subscription(
        &mut self,
        id: &str,
        params: &Value,
    ) -> Result<Value, Failure> {
        if self.named("subscription", id)?["status"] == "canceled" {
            let message = "A canceled subscription can only update its metadata.";
            return Err(Failure::state(None, message));
        }
        if params["cancel_at"] == "" && params["cancel_at_period_end"].is_null() {
            self.set(id, json!({ "cancel_at_period_end": false, "cancel_at": null }));
        } else if !params["cancel_at"].is_null() {
            return Err(Failure::state(None, "Only one end can be set or taken back at once."));
        }
        if let Some(cancels) = params["cancel_at_period_end"].as_str() {
            self.set_cancels(id, cancels == "true");
        }
        let item = &params["items"][0];
        if let Some(quantity) = whole(&item["quantity"]) {
            self.named("subscription_item", item["id"].as_str().unwrap_or_default())?;
            self.set_quantity(id, quantity, params)?;
        }
        self.emit("customer.subscription.updated", id);
        Ok(self.object(id).clone())
    }

    /// Sets or takes back the end with the month. A time that was set otherwise stays.
    fn set_cancels(&mut self, id: &str, cancels: bool) {
        if cancels || self.object(id)["cancel_at_period_end"] == true {
            let end = number(&self.item_of(id), "current_period_end");
            let at = cancels.then_some(end);
            self.set(id, json!({ "cancel_at_period_end": cancels, "cancel_at": at }));
        }
    }

    /// A person cancels on the page for customers, which sets the time at which the month ends.
    pub(crate) fn cancel_on_page(&mut self, id: &str) {
        let end = number(&self.item_of(id), "current_period_end");
        self.set(id, json!({ "cancel_at_period_end": false, "cancel_at": end }));
        self.emit("customer.subscription.updated", id);
    }

    fn set_quantity(&mut self, id: &str, quantity: i64, params: &Value) -> Result<(), Failure> {
        let item = self.item_of(id);
        let added = quantity - number(&item, "quantity");
        let is_charged = params["proration_behavior"] == "always_invoice" && added > 0;
        let customer = text(self.object(id), "customer").to_owned();
        if is_charged && self.declined.contains(&customer) {
            assert_eq!(params["payment_behavior"], "error_if_incomplete", "others are not played");
            return Err(Failure::declined());
        }
        self.set(text(&item, "id"), json!({ "quantity": quantity }));
        self.set_item(id, text(&item, "id"));
        if is_charged {
            let left = number(&item, "current_period_end") - self.now;
            let amount = number(&item["price"], "unit_amount") * added * left / MONTH;
            let invoice = self.bill(id, Reason::Update, amount);
            self.pay_invoice(&invoice);
        }
        Ok(())
    }

    /// DELETE /v1/subscriptions/{id}.
    pub(crate) fn cancel_subscription(&mut self, id: &str) -> Result<Value, Failure> {
        if self.named("subscription", id)?["status"] == "canceled" {
            return Err(Failure::missing(id));
        }
        self.end_subscription(id);
        Ok(self.object(id).clone())
    }

    fn end_subscription(&mut self, id: &str) {
        self.set(
            id,
            json!({
                "status": "canceled", "ended_at": self.now, "canceled_at": self.now,
            }),
        );
        self.emit("customer.subscription.deleted", id);
    }

    /// 400 for a customer who does not exist, or was deleted.
    fn refuse_unknown(&self, customer: &str) -> Result<(), Failure> {
        let found = self.named("customer", customer);
        found.map(|_| ()).map_err(|_| Failure::missing_in("customer", customer))
    }

    /// `POST /v1/billing_portal/sessions`.
    pub(crate) fn create_portal(&mut self, params: &Value) -> Result<Value, Failure> {
        let customer = params["customer"].as_str().unwrap_or_default();
        self.refuse_unknown(customer)?;
        let id = self.add(
            "bps",
            json!({
                "object": "billing_portal.session", "customer": customer, "livemode": false,
                "configuration": "bpc_fake", "return_url": params["return_url"], "locale": null,
                "flow": null, "on_behalf_of": null, "customer_account": null,
            }),
        );
        self.set(&id, json!({ "url": format!("https://billing.stripe.com/p/session/{id}") }));
        Ok(self.object(&id).clone())
    }

    /// The next time at which something happens to a subscription, and what it is about.
    pub(crate) fn next_due(&self, until: i64) -> Option<(i64, String)> {
        let drafts = self.newest("invoice").filter(|it| it["status"] == "draft");
        let drafts = drafts.map(|it| (number(it, "created") + DRAFT, text(it, "id").to_owned()));
        let is_running = |it: &&Value| it["status"] == "active" || it["status"] == "past_due";
        let ends = self.newest("subscription").filter(is_running).map(|it| {
            (number(&it["items"]["data"][0], "current_period_end"), text(it, "id").to_owned())
        });
        drafts.chain(ends).filter(|(at, _)| *at <= until).min()
    }

    /// A month ends, or the bill of a new one is to be paid. The clock is there.
    pub(crate) fn happen(&mut self, id: &str) {
        match self.object(id)["object"].as_str() {
            Some("subscription") if self.is_last_month(id) => self.end_subscription(id),
            Some("subscription") => self.renew(id),
            _ => self.collect(id),
        }
    }

    /// Whether it ends, now that a month is over.
    fn is_last_month(&self, id: &str) -> bool {
        let it = self.object(id);
        let ends = it["cancel_at"].as_i64().is_some_and(|at| at <= self.now);
        ends || it["cancel_at_period_end"] == true
    }

    /// Moves the month, before it is paid.
    fn renew(&mut self, id: &str) {
        let item = self.item_of(id);
        let start = number(&item, "current_period_end");
        self.set(
            text(&item, "id"),
            json!({ "current_period_start": start, "current_period_end": start + MONTH }),
        );
        self.set_item(id, text(&item, "id"));
        let amount = number(&item["price"], "unit_amount") * number(&item, "quantity");
        self.bill(id, Reason::Cycle, amount);
        self.emit("customer.subscription.updated", id);
    }

    /// Tries to take the amount of a bill from the card.
    pub(crate) fn collect(&mut self, invoice: &str) {
        let bill = self.object(invoice).clone();
        let subscription = text(&bill["parent"]["subscription_details"], "subscription").to_owned();
        if self.declined.contains(text(&bill, "customer")) {
            self.set(invoice, json!({ "status": "open" }));
            self.set(&subscription, json!({ "status": "past_due" }));
            self.emit("invoice.payment_failed", invoice);
        } else {
            self.pay_invoice(invoice);
            self.set(&subscription, json!({ "status": "active" }));
        }
        self.emit("customer.subscription.updated", &subscription);
    }
}
