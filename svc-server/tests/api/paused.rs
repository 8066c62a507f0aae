//! Paused agents: what they may still do, and what others may do with them.

use std::time::Duration;

use svc_client::types::Code;
use svc_client::types::api::agents::VerifyIdentity;
use svc_client::types::api::batch::RunBatch;
use svc_client::types::api::escrow::{CreateEscrow, Deliverable};
use svc_client::types::api::messages::SendMessage;
use svc_client::types::api::owners::ReleaseAgent;
use svc_client::types::api::posts::CreatePost;
use svc_client::types::api::reactions::LikePost;
use svc_client::types::api::scheduled::ScheduledStatus;
use svc_client::types::api::users::DeleteMe;
use svc_client::types::service_message::ResponseStatus;

use crate::app::{Member, TestApp, code};
use crate::market::{self, Market};
use crate::on_both_engines;
use crate::owners::{PASSWORD, own, pair};

/// A market whose provider, bob, has the owner ann.
async fn owned_market(app: TestApp) -> (Market, Member) {
    let market = Market::new(app).await;
    let ann = market.app.person("ann", PASSWORD).await;
    own(&ann, &market.bob).await;
    (market, ann)
}

on_both_engines! {
    async fn a_paused_agent_writes_nothing_until_it_is_resumed(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        let post = bot.post("before").await;
        let paused = ann.client.agents().pause("bot").await.unwrap().agent;
        assert!(paused.paused);
        assert!(ann.client.agents().pause("bot").await.unwrap().agent.paused, "twice is as once");
        let refused = bot.client.posts().create("more").await.unwrap_err();
        assert_eq!((refused.code(), refused.hint()), (Some(&Code::AccountPaused), Some("its owner can resume it")));
        let batch = bot.client.batch().operation(LikePost { post_id: post.id.clone() }).await;
        assert_eq!(code::<RunBatch>(batch), Code::AccountPaused);
        let sent = bot.client.messages().send("ann", "hello").await;
        assert_eq!(code::<SendMessage>(sent), Code::AccountPaused);
        let gone = bot.client.users().delete_me("bot").await;
        assert_eq!(code::<DeleteMe>(gone), Code::AccountPaused);
        let released = bot.client.agents().release("bot").await;
        assert_eq!(code::<ReleaseAgent>(released), Code::AccountPaused, "that would lift the pause");
        assert_eq!(bot.client.users().me().await.unwrap().user.username, "bot");
        assert_eq!(app.anonymous.posts().get(&post.id).await.unwrap().post.content, "before");
        assert_eq!(app.anonymous.users().get("bot").await.unwrap().user.id, bot.user.id);
        ann.client.messages().send("bot", "are you well?").await.unwrap();
        assert!(!ann.client.agents().resume("bot").await.unwrap().agent.paused);
        app.advance(3_600);
        bot.client.posts().create("more").await.unwrap();
    }

    async fn the_identity_of_a_paused_agent_is_not_verified_and_old_tokens_stay_invalid(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        let door = app.developer("Door").await;
        let door = app.developer_client(door.key);
        let token = bot.client.agents().create_identity_token().await.unwrap().token;
        door.agents().verify_identity(token.clone()).await.unwrap();
        let verify = || door.agents().verify_identity(token.clone());
        ann.client.agents().pause("bot").await.unwrap();
        assert_eq!(code::<VerifyIdentity>(verify().await), Code::AgentDeactivated);
        ann.client.agents().resume("bot").await.unwrap();
        assert_eq!(code::<VerifyIdentity>(verify().await), Code::InvalidToken);
        let token = bot.client.agents().create_identity_token().await.unwrap().token;
        door.agents().verify_identity(token).await.unwrap();
    }

    async fn tokens_from_before_a_pause_stay_invalid_when_the_ownership_ends(app: TestApp) {
        let [ann, bot] = [app.person("ann", PASSWORD).await, app.agent("bot").await];
        let gate = app.developer("Gate").await.client;
        for is_deleted in [false, true] {
            own(&ann, &bot).await;
            let token = bot.client.agents().create_identity_token().await.unwrap().token;
            gate.agents().verify_identity(token.clone()).await.unwrap();
            ann.client.agents().pause("bot").await.unwrap();
            if is_deleted {
                ann.client.users().delete_me("ann").await.unwrap();
            } else {
                ann.client.agents().release("bot").await.unwrap();
            }
            let verified = gate.agents().verify_identity(token).await;
            assert_eq!(code::<VerifyIdentity>(verified), Code::InvalidToken);
        }
    }

    async fn nobody_orders_from_a_paused_agent_and_it_is_not_offered(app: TestApp) {
        let (market, ann) = owned_market(app).await;
        let offered = async || {
            market.app.index().await;
            let svc = &market.app.anonymous;
            let bots = svc.bots().discover("work").await.unwrap().bots.len();
            let all = svc.bots().discover_all().await.unwrap().bots.len();
            let services = svc.bots().capabilities("bob").await.unwrap().capabilities.len();
            let found = svc.search().services("work").await.unwrap();
            [bots, all, services, found.services.unwrap_or_default().len()]
        };
        assert_eq!(offered().await, [1, 1, 1, 1]);
        ann.client.agents().pause("bob").await.unwrap();
        assert_eq!(offered().await, [0, 0, 0, 0]);
        assert_eq!(code::<SendMessage>(market.ordering(market.order(5)).await), Code::ServiceNotFound);
        assert_eq!(code::<CreateEscrow>(market.opening(10).await), Code::ServiceNotFound);
        assert_eq!(market.have().await[0], "100+0");
        ann.client.agents().resume("bob").await.unwrap();
        assert_eq!(offered().await, [1, 1, 1, 1]);
        market.ordered(5).await;
    }

    async fn a_paused_agent_finishes_what_is_open_and_orders_nothing(app: TestApp) {
        let (market, ann) = owned_market(app).await;
        let order = market.ordered(5).await;
        let escrow = market.open(10).await.id;
        let bought = market::offer(&market.ada, "counting", 3).await;
        let own = market.bob.client.escrow().create("ada", &bought, 4, "a count").await.unwrap().escrow.id;
        ann.client.agents().pause("bob").await.unwrap();
        let mut answer = market::response(&order, ResponseStatus::Completed);
        answer.charged_credits = Some(5.into());
        market.answer(answer).await;
        market.deliver(&escrow).await;
        market.ada.client.escrow().release(&escrow).await.unwrap();
        market.ada.client.escrow().deliver(&own, Deliverable::new("text")).await.unwrap();
        market.bob.client.escrow().release(&own).await.unwrap();
        assert_eq!(market.have().await, ["89+0", "111+0"]);
        let more = market.bob.client.messages().request_service("ada", market::order(&bought, 3)).await;
        assert_eq!(code::<SendMessage>(more), Code::AccountPaused);
        let more = market.bob.client.escrow().create("ada", &bought, 4, "a count").await;
        assert_eq!(code::<CreateEscrow>(more), Code::AccountPaused);
        market.is_consistent().await;
    }

    async fn a_scheduled_post_of_a_paused_agent_fails(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        let at = app.server.clock().now().plus(Duration::from_hours(1));
        let scheduled = bot.client.scheduled_posts().create("later", at).await.unwrap().scheduled_post;
        ann.client.agents().pause("bot").await.unwrap();
        app.advance(3_601);
        let found = bot.client.scheduled_posts().get(&scheduled.id).await.unwrap().scheduled_post;
        assert_eq!(found.status, ScheduledStatus::Failed);
        assert_eq!(found.failure.as_deref(), Some("the agent's owner had paused it"));
        ann.client.agents().resume("bot").await.unwrap();
        bot.client.posts().create("by hand").await.unwrap();
    }

    async fn a_suspended_agent_that_is_paused_stays_so_after_its_suspension(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        ann.client.agents().pause("bot").await.unwrap();
        app.suspend("bot").await;
        let refused = bot.client.posts().create("hi").await;
        assert_eq!(code::<CreatePost>(refused), Code::AccountSuspended);
        app.unsuspend("bot").await;
        assert_eq!(code::<CreatePost>(bot.client.posts().create("hi").await), Code::AccountPaused);
    }

    async fn a_suspended_owner_stops_and_releases_an_agent_and_does_not_let_it_go_on(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        app.suspend("ann").await;
        assert!(ann.client.agents().pause("bot").await.unwrap().agent.paused);
        ann.client.agents().sign_out("bot").await.unwrap();
        let key = ann.client.agents().rotate_key("bot").await.unwrap().api_key;
        bot.client.users().me().await.unwrap_err();
        let resumed = ann.client.agents().resume("bot").await.unwrap_err();
        assert_eq!(resumed.code(), Some(&Code::AccountSuspended));
        let capped = ann.client.agents().set_caps("bot").per_day(1).await.unwrap_err();
        assert_eq!(capped.code(), Some(&Code::AccountSuspended));
        ann.client.agents().release("bot").await.unwrap();
        app.client(key).posts().create("free").await.unwrap();
    }
}
