//! The calls, and the parameters that each of them has.

use serde_json::Value;

use crate::books::Books;
use crate::failure::Failure;

type Act = fn(&mut Books, &str, &Value) -> Result<Value, Failure>;

/// One call of the API.
pub(crate) struct Endpoint {
    /// Method and path, with `{id}` for an id.
    pub(crate) name: &'static str,
    /// The parameters, besides `expand`. Their own members are checked by the types of npm's `stripe`.
    parameters: &'static [&'static str],
    act: Act,
}

const PAGE: [&str; 4] = ["limit", "starting_after", "ending_before", "created"];

macro_rules! list {
    ($path:literal, $kind:literal, $filters:expr) => {
        Endpoint {
            name: concat!("GET ", $path),
            parameters: &$filters,
            act: |books, _, params| books.page($kind, &$filters, params),
        }
    };
}

macro_rules! get {
    ($path:literal, $kind:literal) => {
        Endpoint {
            name: concat!("GET ", $path, "/{id}"),
            parameters: &[],
            act: |books, id, _| books.named($kind, id).cloned(),
        }
    };
}

const ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        name: "POST /v1/checkout/sessions",
        parameters: &[
            "mode",
            "client_reference_id",
            "success_url",
            "cancel_url",
            "expires_at",
            "customer_email",
            "line_items",
            "invoice_creation",
            "adaptive_pricing",
            "automatic_tax",
            "metadata",
            "payment_intent_data",
            "customer",
            "customer_update",
            "subscription_data",
        ],
        act: |books, _, params| books.create_session(params),
    },
    Endpoint {
        name: "POST /v1/checkout/sessions/{id}/expire",
        parameters: &[],
        act: |books, id, _| books.expire_session(id),
    },
    get!("/v1/checkout/sessions", "checkout.session"),
    list!("/v1/checkout/sessions", "checkout.session", ["payment_intent", "status", "customer"]),
    get!("/v1/payment_intents", "payment_intent"),
    get!("/v1/charges", "charge"),
    list!("/v1/charges", "charge", ["payment_intent", "customer"]),
    Endpoint {
        name: "POST /v1/refunds",
        parameters: &["charge", "payment_intent", "amount", "reason", "metadata"],
        act: |books, _, params| books.create_refund(params),
    },
    Endpoint {
        name: "POST /v1/refunds/{id}",
        parameters: &["metadata"],
        act: |books, id, params| books.update_refund(id, params),
    },
    get!("/v1/refunds", "refund"),
    list!("/v1/refunds", "refund", ["charge", "payment_intent"]),
    get!("/v1/disputes", "dispute"),
    list!("/v1/disputes", "dispute", ["charge", "payment_intent"]),
    get!("/v1/balance_transactions", "balance_transaction"),
    list!("/v1/balance_transactions", "balance_transaction", ["type", "source", "currency"]),
    Endpoint {
        name: "GET /v1/invoices/{id}",
        parameters: &[],
        act: |books, id, params| books.invoice(id, params),
    },
    list!("/v1/invoices", "invoice", ["status", "customer"]),
    get!("/v1/subscriptions", "subscription"),
    list!("/v1/subscriptions", "subscription", ["status", "customer"]),
    Endpoint {
        name: "POST /v1/subscriptions/{id}",
        parameters: &[
            "items",
            "proration_behavior",
            "payment_behavior",
            "cancel_at_period_end",
            "cancel_at",
        ],
        act: |books, id, params| books.update_subscription(id, params),
    },
    Endpoint {
        name: "DELETE /v1/subscriptions/{id}",
        parameters: &[],
        act: |books, id, _| books.cancel_subscription(id),
    },
    Endpoint {
        name: "POST /v1/billing_portal/sessions",
        parameters: &["customer", "return_url"],
        act: |books, _, params| books.create_portal(params),
    },
    Endpoint {
        name: "POST /v1/accounts",
        parameters: &["controller", "country", "email", "capabilities", "metadata"],
        act: |books, _, params| books.create_account(params),
    },
    get!("/v1/accounts", "account"),
    list!("/v1/accounts", "account", []),
    Endpoint {
        name: "POST /v1/account_links",
        parameters: &["account", "refresh_url", "return_url", "type"],
        act: |books, _, params| books.create_account_link(params),
    },
    Endpoint {
        name: "POST /v1/transfers",
        parameters: &[
            "amount",
            "currency",
            "destination",
            "transfer_group",
            "description",
            "metadata",
        ],
        act: |books, _, params| books.create_transfer(params),
    },
    get!("/v1/transfers", "transfer"),
    list!("/v1/transfers", "transfer", ["destination", "transfer_group"]),
    get!("/v1/events", "event"),
    list!("/v1/events", "event", ["type"]),
];

impl Endpoint {
    /// The endpoint of a call, and the id in its path.
    pub(crate) fn find<'a>(method: &str, path: &'a str) -> Option<(&'static Self, &'a str)> {
        ENDPOINTS.iter().find_map(|endpoint| Some((endpoint, endpoint.id(method, path)?)))
    }

    /// The id in a path of this endpoint; empty if the path has none.
    fn id<'a>(&self, method: &str, path: &'a str) -> Option<&'a str> {
        let pattern = self.name.strip_prefix(method)?.strip_prefix(' ')?;
        let Some((before, after)) = pattern.split_once("{id}") else {
            return (path == pattern).then_some("");
        };
        let id = path.strip_prefix(before)?.strip_suffix(after)?;
        (!id.is_empty() && !id.contains('/')).then_some(id)
    }

    /// Answers a call.
    pub(crate) fn answer(
        &self,
        books: &mut Books,
        id: &str,
        params: &Value,
    ) -> Result<Value, Failure> {
        let members = params.as_object().expect("parameters are an object");
        let is_list = self.name.starts_with("GET ") && !self.name.ends_with("{id}");
        for name in members.keys().map(String::as_str) {
            let is_general = name == "expand" || is_list && PAGE.contains(&name);
            let is_types = name == "types" && self.name == "GET /v1/events";
            if !is_general && !is_types && !self.parameters.contains(&name) {
                return Err(Failure::parameter("parameter_unknown", name));
            }
        }
        let mut answer = (self.act)(books, id, params)?;
        books.expand(&mut answer, params)?;
        Ok(answer)
    }
}
