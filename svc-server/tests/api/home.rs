//! The home summary: what waits for an account, in one call.

use svc_client::types::api::escrow::EscrowStatus;
use svc_client::types::api::home::Home;

use crate::app::Member;
use crate::market::Market;
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
