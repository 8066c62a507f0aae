//! Accounts that are suspended or deleted, for those who dealt with them before.

use svc_client::types::Code;
use svc_client::types::api::channels::{ListChannelMessages, RemoveChannelMember};
use svc_client::types::api::escrow::ListEscrows;
use svc_client::types::api::lists::RemoveListMember;
use svc_client::types::api::messages::ListMessages;
use svc_client::types::api::moderation::ModerationActionType;
use svc_client::types::api::orders::{ListOrders, ResponseStatus};
use svc_client::types::api::relations::{UnblockUser, Unfollow};
use svc_client::types::api::reports::{ReportReason, Subject};

use crate::app::{all_items, code, fault};
use crate::channels::private;
use crate::counts;
use crate::market::Market;
use crate::moderation::staff;
use crate::on_both_engines;

on_both_engines! {
    async fn deals_and_messages_with_an_account_that_is_gone_are_found_by_its_name(app: TestApp) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        let order = market.placing().max_credits(5).await.unwrap().order.id;
        market.bob.client.orders().answer(&order, ResponseStatus::Completed).await.unwrap();
        let escrow = market.open(10).await.id;
        market.ada.client.escrow().cancel(&escrow).await.unwrap();
        for state in ["there", "suspended", "deleted"] {
            match state {
                "suspended" => market.app.suspend("bob").await,
                "deleted" => {
                    market.app.unsuspend("bob").await;
                    market.bob.client.users().delete_me("bob").await.unwrap();
                }
                _ => {}
            }
            let ada = &market.ada.client;
            for name in ["BOB", market.bob.user.id.as_str()] {
                let messages = all_items(ada.messages().list().with_user(name)).await;
                assert_eq!(messages.len(), 2, "{name}, {state}");
                let orders = all_items(ada.orders().list().counterparty(name)).await;
                assert_eq!(orders.len(), 1, "{name}, {state}");
                let escrows = all_items(ada.escrow().list().counterparty(name)).await;
                assert_eq!(escrows.len(), 1, "{name}, {state}");
            }
            if state == "there" {
                continue;
            }
            let messages = cyd.client.messages().list().with_user("bob").await;
            assert_eq!(fault::<ListMessages>(messages), (Code::NotFound, "with".to_owned()));
            let unknown = (Code::NotFound, "counterparty".to_owned());
            let orders = cyd.client.orders().list().counterparty("bob").await;
            assert_eq!(fault::<ListOrders>(orders), unknown);
            let escrows = cyd.client.escrow().list().counterparty("bob").await;
            assert_eq!(fault::<ListEscrows>(escrows), unknown);
        }
    }

    async fn the_owner_of_a_channel_removes_members_that_are_gone(app: TestApp) {
        let [ada, bob, cyd, eve] = app.agents(["ada", "bob", "cyd", "eve"]).await;
        let channel = private(&ada, "den").await;
        let (channels, id) = (ada.client.channels(), &channel.id);
        channels.add(id, ["bob", "cyd", "eve"]).await.unwrap();
        app.suspend("bob").await;
        eve.client.users().delete_me("eve").await.unwrap();
        bob.client.channels().messages(id).await.expect("a suspended member reads on");
        let of_another = cyd.client.channels().remove(id, "bob").await;
        assert_eq!(code::<RemoveChannelMember>(of_another), Code::NotFound);
        for name in ["bob", "eve"] {
            let left = channels.remove(id, name).await.unwrap().channel;
            assert_eq!(left.members_count, 2, "{name} was not counted any more");
            let again = channels.remove(id, name).await;
            assert_eq!(code::<RemoveChannelMember>(again), Code::NotFound, "{name}");
        }
        let read = bob.client.channels().messages(id).await;
        assert_eq!(code::<ListChannelMessages>(read), Code::NotFound);
        app.unsuspend("bob").await;
        eve.client.auth().restore().await.unwrap();
        assert_eq!(channels.get(id).await.unwrap().channel.members_count, 2);
        counts::are_right(&app).await;
    }

    async fn the_owner_of_a_list_takes_members_off_it_that_are_gone(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        app.agent("bob").await;
        let lists = ada.client.lists();
        let list = lists.create("seen").await.unwrap().list.id;
        lists.add(&list, ["bob", "eve"]).await.unwrap();
        app.suspend("bob").await;
        eve.client.users().delete_me("eve").await.unwrap();
        for name in ["bob", "eve"] {
            assert_eq!(lists.remove(&list, name).await.unwrap().list.members_count, 0, "{name}");
            let again = lists.remove(&list, name).await;
            assert_eq!(code::<RemoveListMember>(again), Code::NotFound, "{name}");
        }
        app.unsuspend("bob").await;
        eve.client.auth().restore().await.unwrap();
        assert_eq!(lists.get(&list).await.unwrap().list.members_count, 0);
        counts::are_right(&app).await;
    }

    async fn who_follows_or_blocks_a_suspended_account_ends_that(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        ada.client.relations().follow("eve").await.unwrap();
        bob.client.relations().block("eve").await.unwrap();
        app.suspend("eve").await;
        assert!(!ada.client.relations().unfollow("eve").await.unwrap().following);
        assert!(!bob.client.relations().unblock("eve").await.unwrap().blocking);
        let again = ada.client.relations().unfollow("eve").await;
        assert_eq!(code::<Unfollow>(again), Code::NotFound, "it is a stranger by now");
        let again = bob.client.relations().unblock("eve").await;
        assert_eq!(code::<UnblockUser>(again), Code::NotFound);
        counts::are_right(&app).await;
        app.unsuspend("eve").await;
        assert_eq!(eve.client.users().me().await.unwrap().user.followers_count, 0);
        bob.client.relations().follow("eve").await.unwrap();
        counts::are_right(&app).await;
    }

    async fn what_a_moderator_did_is_found_by_name_after_the_account_is_deleted(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let [chief, judge] = [staff(&app, "chief", "admin").await, staff(&app, "judge", "moderator").await];
        let of_eve = || Subject::user(&eve.user.id);
        let report = ada.client.reports().create(of_eve(), ReportReason::Spam).await.unwrap().report;
        judge.client.moderation().assign(&report.id).await.unwrap();
        let warning = judge.client.moderation().act(of_eve(), ModerationActionType::Warn, "spam");
        let warned = warning.await.unwrap().action.id;
        judge.client.users().delete_me("judge").await.unwrap();
        let actions = all_items(chief.client.moderation().actions().actor("judge")).await;
        assert_eq!(actions.iter().map(|action| &action.id).collect::<Vec<_>>(), [&warned]);
        let reports = all_items(chief.client.moderation().reports().assignee("JUDGE")).await;
        assert_eq!(reports.iter().map(|found| &found.id).collect::<Vec<_>>(), [&report.id]);
    }
}
