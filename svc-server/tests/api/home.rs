//! The home summary: what waits for an account, in one call.

use serde_json::json;
use svc_client::types::Scope;
use svc_client::types::api::escrow::EscrowStatus;
use svc_client::types::api::home::Home;
use svc_client::types::api::orders::ProgressState;
use svc_client::types::service_message::ResponseStatus;

use crate::app::Member;
use crate::market::{Market, offer, work};
use crate::on_both_engines;

async fn home(member: &Member) -> Home {
    member.client.home().await.unwrap().home
}

/// States of the escrows that wait for a member.
async fn waiting(member: &Member) -> Vec<EscrowStatus> {
    let escrows = home(member).await.escrows_needing_action;
    escrows.into_iter().map(|escrow| escrow.status).collect()
}

on_both_engines! {
    async fn the_escrows_that_wait_for_an_account_are_newest_first(app: TestApp) {
        use EscrowStatus::{Created, Delivered, Disputed, Funded, Refunded, Released};
        let market = Market::new(app).await;
        for status in [Created, Funded, Delivered, Disputed, Released, Refunded] {
            market.escrow(&status).await;
        }
        assert_eq!(waiting(&market.ada).await, [Delivered, Created], "to be accepted and paid");
        assert_eq!(waiting(&market.bob).await, [Disputed, Funded], "to be answered and delivered");
    }

    async fn the_newest_ten_escrows_of_both_sides_are_in_one_order(app: TestApp) {
        let market = Market::new(app).await;
        let service = offer(&market.ada, "more", 5).await;
        let mut newest = Vec::new();
        for _ in 0..6 {
            newest.insert(0, market.open(5).await.id);
            let bought = market.bob.client.escrow().create("ada", &service, 5, "a report");
            let bought = bought.await.unwrap().escrow.id;
            market.ada.client.escrow().deliver(&bought, work()).await.unwrap();
            newest.insert(0, bought);
        }
        let shown = home(&market.bob).await.escrows_needing_action;
        let shown: Vec<_> = shown.into_iter().map(|escrow| escrow.id).collect();
        assert_eq!(shown, newest[..10]);
    }

    async fn an_escrow_that_waits_names_the_order_that_it_pays_for(app: TestApp) {
        let market = Market::new(app).await;
        let (mut escrows, mut orders) = (Vec::new(), Vec::new());
        for _ in 0..2 {
            let escrow = market.open(10).await.id;
            let order = market.placing().escrow_id(&escrow).await.unwrap().order;
            escrows.push(escrow);
            orders.insert(0, Some(order.id));
        }
        let named = async |member: &Member| {
            let escrows = home(member).await.escrows_needing_action;
            escrows.into_iter().map(|escrow| escrow.request_id).collect::<Vec<_>>()
        };
        assert_eq!(named(&market.bob).await, orders, "to be delivered");
        for escrow in &escrows {
            market.deliver(escrow).await;
        }
        assert_eq!(named(&market.ada).await, orders, "to be accepted");
    }

    async fn the_newest_ten_open_orders_are_shown_to_their_provider(app: TestApp) {
        let market = Market::new(app).await;
        let mut orders = Vec::new();
        for _ in 0..11 {
            orders.push(market.ordered(5).await);
        }
        let open = async |member: &Member| {
            let pending = home(member).await.pending_service_requests;
            pending.into_iter().map(|message| message.message_id).collect::<Vec<_>>()
        };
        let newest: Vec<_> = orders[1..].iter().rev().cloned().collect();
        assert_eq!(open(&market.bob).await, newest);
        assert!(open(&market.ada).await.is_empty(), "she waits for answers, and gives none");
        market.bob.client.orders().answer(&orders[10], ResponseStatus::Completed).await.unwrap();
        assert_eq!(open(&market.bob).await, orders[..10].iter().rev().cloned().collect::<Vec<_>>());
    }

    async fn an_order_that_waits_for_its_buyer_does_not_await_its_provider(app: TestApp) {
        let market = Market::new(app).await;
        let asked = market.ordered(5).await;
        let escrow = market.open(10).await.id;
        let paid = market.placing().escrow_id(&escrow).await.unwrap().order.id;
        let waiting = async || {
            let pending = home(&market.bob).await.pending_service_requests;
            let unread = market.bob.client.messages().unread_count().await.unwrap().unread;
            assert_eq!(unread.service_requests, i64::try_from(pending.len()).unwrap());
            pending.into_iter().map(|message| message.message_id).collect::<Vec<_>>()
        };
        assert_eq!(waiting().await, [paid.clone(), asked.clone()]);
        let asking = market.bob.client.orders().progress(&asked, ProgressState::InputRequired);
        asking.prompt("Which font?").await.unwrap();
        assert_eq!(waiting().await, std::slice::from_ref(&paid), "the buyer has to answer");
        market.ada.client.orders().input(&asked, "1", json!("serif")).await.unwrap();
        assert_eq!(waiting().await, [paid, asked.clone()]);
        market.deliver(&escrow).await;
        assert_eq!(waiting().await, std::slice::from_ref(&asked), "the buyer has to accept");
        market.dispute(&escrow).await;
        assert_eq!(waiting().await, [asked], "a moderator has to decide");
    }

    async fn a_key_sees_of_messages_and_orders_what_its_scopes_allow(app: TestApp) {
        let market = Market::new(app).await;
        market.ordered(5).await;
        let unread = home(&market.bob).await.unread_messages;
        assert_eq!(unread, 1, "the order");
        for (scopes, messages, orders) in [
            (vec![Scope::Read], 0, 0),
            (vec![Scope::Read, Scope::ExchangeSell], 0, 1),
            (vec![Scope::Read, Scope::Dm], unread, 1),
        ] {
            let name = format!("{messages} and {orders}");
            let made = market.bob.client.keys().create(name, scopes).await.unwrap();
            let seen = market.app.client(made.api_key).home().await.unwrap().home;
            assert_eq!((seen.unread_messages, seen.pending_service_requests.len()), (messages, orders));
        }
    }

    async fn what_is_unread_and_the_first_posts_of_the_feed_are_shown(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        ada.client.relations().follow("bob").await.unwrap();
        bob.client.relations().follow("ada").await.unwrap();
        let followed = bob.post("of one that ada follows").await;
        cyd.post("of another").await;
        bob.write(&ada, "one").await;
        bob.write(&ada, "two").await;
        let summary = home(&ada).await;
        assert_eq!(summary.user, ada.client.users().me().await.unwrap().user);
        let latest: Vec<_> = summary.latest_from_followed.iter().map(|post| &post.id).collect();
        assert_eq!(latest, [&followed.id]);
        let unread = ada.client.notifications().unread_count().await.unwrap().unread_count;
        assert_eq!((summary.unread_messages, summary.unread_notifications), (2, unread));
        assert_eq!(unread, 3, "a follow and two messages");
    }

    async fn what_others_did_with_your_posts_is_shown_up_to_ten(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("the first").await;
        bob.client.relations().follow("ada").await.unwrap();
        bob.write(&ada, "psst").await;
        bob.client.reactions().like(&post.id).await.unwrap();
        bob.client.reactions().repost(&post.id).await.unwrap();
        bob.reply(&post, "so do I").await;
        let quote = bob.client.posts().create("see").quote(&post.id).await.unwrap().post;
        bob.reply(&quote, "dear @ada").await;
        let activity = async || home(&ada).await.activity_on_your_posts;
        let types: Vec<String> = activity().await.iter().map(|one| one.r#type.to_string()).collect();
        assert_eq!(types, ["mention", "quote", "reply", "repost", "like"], "neither follows nor messages");
        for n in 0..6 {
            bob.reply(&post, &n.to_string()).await;
        }
        assert_eq!(activity().await.len(), 10);
    }
}
