//! Servers that use a stand-in for Stripe: their settings, another node, and what Stripe has.

use svc_server::testing::TestServer;

use crate::app::TestApp;

/// Credits are sold through a stand-in of the test's own, and none are granted.
pub(crate) const SELLING: &[(&str, &str)] =
    &[("billing.stripe.key_file", "its own"), ("exchange.signup_grant", "0")];

/// As `SELLING`, and credits are paid out at a cent each.
pub(crate) const PAYING_OUT: &[(&str, &str)] = &[
    ("billing.stripe.key_file", "its own"),
    ("exchange.signup_grant", "0"),
    ("payouts.enabled", "true"),
    ("payouts.rate", "0.01"),
];

/// Credits are sold through a Stripe that is never called, since the test makes its facts up.
pub(crate) const UNCALLED: &[(&str, &str)] = &[
    ("billing.stripe.key_file", "stripe.key"),
    ("billing.stripe.webhook_secret_files", "stripe.secret"),
    ("exchange.signup_grant", "0"),
];

/// Another node on the same database, which uses the same stand-in.
pub(crate) async fn another_node(
    app: &TestApp,
    database: &str,
    settings: &[(&str, &str)],
) -> TestServer {
    let own = app.selling.iter().flat_map(|selling| selling.settings());
    let settings: Vec<_> = settings.iter().copied().chain(own).collect();
    TestServer::start_with(database, &settings).await
}

/// What Stripe calls the newest object of a kind.
pub(crate) fn newest(app: &TestApp, kind: &str) -> String {
    let object = app.stripe().objects(kind).pop().unwrap();
    object["id"].as_str().unwrap().to_owned()
}
