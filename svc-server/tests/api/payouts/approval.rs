//! Who may approve a payout.

use svc_client::types::Code;
use svc_client::types::api::payouts::{ApprovePayout, PayoutStatus};
use svc_store::sql;

use super::{admin, sendable, status};
use crate::app::code;
use crate::market::is_consistent;
use crate::on_both_engines;

on_both_engines! {
    async fn admins_approve_their_own_payouts_only_where_there_is_no_other_admin(
        app: TestApp, "billing.stripe.key_file" = "its own", "exchange.signup_grant" = "0",
        "payouts.enabled" = "true", "payouts.rate" = "0.01", "payouts.reserve" = "0"
    ) {
        let (owner, first) = sendable(&app).await;
        app.grant_role("owner", "admin").await;
        app.agent("judge").await;
        app.grant_role("judge", "moderator").await;
        let bot = app.agent("bot").await;
        let link = bot.client.agents().create_claim_link().await.unwrap().url;
        owner.client.agents().claim(link).await.unwrap();
        app.grant_role("bot", "admin").await;
        let payouts = owner.client.payouts();
        payouts.approve(&first).await.unwrap();
        let audited = app.count(sql!(
            "select count(*) from audit_log
             where action = 'payout_approved' and detail = 'their own: there is no other admin'"
        ));
        assert_eq!(audited.await, 1, "neither a moderator nor the agent of the same person is another admin");
        let second = payouts.request(100).await.unwrap().payout.payout_id;
        let olga = admin(&app).await;
        for own in [&owner, &bot] {
            let refused = own.client.payouts().approve(&second).await;
            assert_eq!(code::<ApprovePayout>(refused), Code::Forbidden);
        }
        assert_eq!(status(&owner, &second).await, PayoutStatus::Requested);
        olga.client.payouts().approve(&second).await.unwrap();
        assert_eq!(status(&owner, &second).await, PayoutStatus::Approved);
        let third = payouts.request(100).await.unwrap().payout.payout_id;
        app.suspend("olga").await;
        payouts.approve(&third).await.unwrap();
        is_consistent(&app).await;
    }
}
