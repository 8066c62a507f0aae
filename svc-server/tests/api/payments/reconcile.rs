//! Stripe's books compared with ours.

use serde_json::json;
use svc_server::billing::{self, Report};

use super::{buy, page, purse, purse_of, waiting, work};
use crate::app::TestApp;
use crate::market::is_consistent;
use crate::on_both_engines;

pub(crate) async fn reconcile(app: &TestApp, fix: bool) -> Report {
    let since = svc_server::testing::START;
    billing::reconcile(app.server.app(), since, fix).await.unwrap()
}

/// Differences as `what`, sorted.
pub(crate) fn differences(report: &Report) -> Vec<&str> {
    report.differences.iter().map(|difference| difference.what.as_str()).collect()
}

on_both_engines! {
    async fn reconcile_names_what_differs_and_fixes_what_was_lost(
        app: TestApp, "billing.stripe.key_file" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let (_, intent) = buy(&app, &ada, 500).await;
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        // Nobody reports these.
        let (_, session) = page(&app, &ada, 700).await;
        app.stripe().pay(&session);
        app.stripe().refund(&intent, 100);
        let report = reconcile(&app, false).await;
        assert_eq!(differences(&report)[..2], ["paid at Stripe, and open here", "unknown here"]);
        let entries = &differences(&report)[2..];
        assert_eq!(entries.len(), 2, "what arrived and what left: {report}");
        assert!(entries[0].ends_with(" of -1.00 USD is not counted here"), "{report}");
        assert!(entries[1].ends_with(" of 7.00 USD is not counted here"), "{report}");
        assert_eq!((report.queued, waiting(&app).await), (0, 0));
        assert_eq!(reconcile(&app, true).await.queued, 4);
        work(&app).await;
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        assert_eq!(purse(&ada).await, purse_of("1100", "0"));
        // A refund beside one that is known.
        app.stripe().refund(&intent, 50);
        assert_eq!(differences(&reconcile(&app, true).await)[0], "unknown here");
        work(&app).await;
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        // What no look settles is for people.
        app.stripe().change(&session, |it| it["amount_subtotal"] = json!(800));
        let report = reconcile(&app, true).await;
        assert_eq!(differences(&report), ["8.00 USD at Stripe, and 7.00 USD here"]);
        assert_eq!(report.queued, 0);
        is_consistent(&app).await;
    }
}
