//! The chain compared with our books.

use super::{ask, sign};
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::payments::reconcile::{differences, reconcile};

on_both_engines! {
    async fn reconcile_names_what_is_on_one_side_alone(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1"
    ) {
        let ada = app.agent("ada").await;
        assert!(reconcile(&app, false).await.agrees(), "nothing was sold yet");
        for nonce in [1, 2] {
            let payment = sign(&app, &ada, "500", nonce).await;
            assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.status, 200);
        }
        let report = reconcile(&app, false).await;
        assert!(report.agrees(), "{report}");
        assert_eq!(report.compared, 4, "two payments, two transfers");
        app.chain().books().send(7);
        let report = reconcile(&app, true).await;
        let payer = crate::app::chain::PAYER.to_lowercase();
        assert_eq!(differences(&report), [format!("7 came from {payer}, and no payment counts them")]);
        app.chain().books().forget(2);
        let report = reconcile(&app, false).await;
        assert_eq!(differences(&report), ["paid here, and its tokens are not on the chain"]);
        assert_eq!(report.queued, 0);
        is_consistent(&app).await;
    }
}
