//! Who may approve a payout.

use svc_client::types::Code;
use svc_client::types::api::payouts::{ApprovePayout, PayoutStatus};
use svc_store::sql;

use super::{PAUSE, admin, fill_in, owes, round, seller, sendable, status};
use crate::app::code;
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::payout::earn;
use crate::stripe::PAYING_OUT;

on_both_engines! {
    async fn admins_approve_their_own_payouts_only_where_there_is_no_other_admin(
        app: TestApp, ..PAYING_OUT, "payouts.reserve" = "0"
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

    async fn a_payout_whose_seller_is_suspended_is_not_sent_before_another_approval(
        app: TestApp, ..PAYING_OUT
    ) {
        let (owner, id) = sendable(&app).await;
        let olga = admin(&app).await;
        let approve = || olga.client.payouts().approve(&id);
        approve().await.unwrap();
        app.suspend("owner").await;
        round(&app).await;
        assert!(app.stripe().objects("transfer").is_empty());
        assert_eq!(status(&owner, &id).await, PayoutStatus::Requested);
        assert_eq!(code::<ApprovePayout>(approve().await), Code::WrongState);
        app.unsuspend("owner").await;
        // While there is too little money, nothing is on its way.
        app.stripe().set_short(true);
        approve().await.unwrap();
        round(&app).await;
        app.suspend("owner").await;
        app.advance(PAUSE);
        round(&app).await;
        assert_eq!(status(&owner, &id).await, PayoutStatus::Requested);
        app.stripe().set_short(false);
        app.unsuspend("owner").await;
        approve().await.unwrap();
        app.advance(PAUSE);
        round(&app).await;
        assert_eq!(status(&owner, &id).await, PayoutStatus::Sent);
        assert_eq!(app.stripe().objects("transfer").len(), 1);
        is_consistent(&app).await;
    }

    async fn a_payout_of_what_an_agent_earned_is_returned_if_the_agent_owes_credits(
        app: TestApp, ..PAYING_OUT
    ) {
        let (owner, bot) = seller(&app).await;
        fill_in(&app, &owner).await;
        earn(&app, &bot.user.id, 1_000).await;
        let payout = owner.client.payouts().request(100).from("bot").await.unwrap().payout;
        admin(&app).await.client.payouts().approve(&payout.payout_id).await.unwrap();
        // More than the 900 that are left.
        owes(&app, &bot, 2_000).await;
        round(&app).await;
        assert_eq!(status(&owner, &payout.payout_id).await, PayoutStatus::Returned);
        assert!(app.stripe().objects("transfer").is_empty());
    }
}
