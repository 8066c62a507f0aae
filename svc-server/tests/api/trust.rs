//! How much accounts may do, by how far they are trusted.

use http::Method;
use serde_json::json;

use svc_client::types::api::moderation::ModerationActionType;
use svc_client::types::api::reports::{Subject, SubjectType};
use svc_client::types::service_message::ResponseStatus;
use svc_core::tasks::trust;
use svc_server::admin::Command;

use crate::app::{Member, TestApp};
use crate::email::verified;
use crate::held::{Held, behind, waiting};
use crate::market::{Market, order, response};
use crate::moderation::staff;
use crate::on_both_engines;
use crate::owners::{PASSWORD, own, pair};
use crate::raw::{Raw, answer};

const DAY: u64 = 86_400;

/// Changes something.
async fn change(app: &TestApp, by: &Member) -> Raw {
    answer(by.raw(app, Method::PATCH, "/users/me").json(&json!({ "bio": "hello" }))).await
}

/// How many changes an account may make in an hour.
async fn writes(app: &TestApp, by: &Member) -> String {
    let changed = change(app, by).await;
    let policy = changed.header("ratelimit-policy").expect("changes are limited");
    let (_, rest) = policy.split_once(r#""writes";q="#).expect("writes are limited");
    rest.split_once(";w=3600").expect("in an hour").0.to_owned()
}

/// A first message to somebody.
async fn greet(app: &TestApp, by: &Member, whom: &str) -> Raw {
    let body = json!({ "recipientUsername": whom, "content": "hello" });
    answer(by.raw(app, Method::POST, "/messages").json(&body)).await
}

async fn set_trust(app: &TestApp, username: &str, trust: &str) {
    app.server.admin(Command::SetTrust { username: username.into(), trust: trust.into() }).await;
}

/// Bob completes orders of a buyer.
async fn deal(market: &Market, buyer: &Member, times: usize) {
    for _ in 0..times {
        let ordered = buyer.client.messages().request_service("bob", order(&market.service, 5));
        let id = ordered.await.unwrap().message.message_id;
        let done = response(&id, ResponseStatus::Completed);
        market.bob.client.messages().respond_to(&buyer.user.username, done).await.unwrap();
    }
}

/// Makes ada trusted, as a review does.
async fn earned(app: &TestApp) {
    let sql = svc_store::sql!(
        "update account set trust = 'trusted', trust_by = 'review' where username = 'ada'"
    );
    app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
}

async fn review(app: &TestApp) {
    trust::once(app.server.app()).await.unwrap();
}

on_both_engines! {
    async fn new_accounts_meet_strangers_and_open_escrows_a_few_times(
        app: TestApp, "limits.budgets" = "true", "limits.sign_up.count" = "0"
    ) {
        let market = Market::new(app).await;
        let names = ["eve", "fay", "gil", "hal", "ida", "joe"];
        market.app.agents(names).await;
        for (name, left) in names.into_iter().zip([4, 3, 2, 1, 0]) {
            let greeted = greet(&market.app, &market.ada, name).await;
            assert_eq!(greeted.status, 201);
            let budgets = greeted.header("ratelimit").unwrap();
            assert!(budgets.contains(&format!(r#""strangers";r={left};"#)), "{budgets}");
        }
        let refused = greet(&market.app, &market.ada, "joe").await;
        assert_eq!(refused.status, 429);
        assert_eq!(refused.header("ratelimit-policy"), Some(r#""strangers";q=5;w=86400"#));
        assert_eq!(refused.header("ratelimit"), Some(r#""strangers";r=0;t=86400"#));
        for status in [201, 201, 429] {
            let body = json!({
                "providerUsername": "bob", "serviceId": market.service, "amount": 1_000_000,
                "description": "a report", "expiresIn": "1h",
            });
            let opened = market.ada.raw(&market.app, Method::POST, "/v1/escrow").json(&body);
            assert_eq!(answer(opened).await.status, status);
        }
        set_trust(&market.app, "ada", "established").await;
        let opened = market.opening(1_000_000).await;
        assert!(opened.is_ok(), "an established account may have more of them: {opened:?}");
        let greeted = greet(&market.app, &market.ada, "joe").await;
        let policy = greeted.header("ratelimit-policy").unwrap();
        assert!(policy.contains(r#""strangers";q=50;w=86400"#), "{policy}");
    }

    async fn a_verified_address_establishes_an_account_after_seven_days(
        app: TestApp, "limits.budgets" = "true", "mail.url" = "smtp://127.0.0.1:25"
    ) {
        let recorder = app.server.record_mails();
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        verified(&app, &recorder, &ada.client, "ada@example.org").await;
        app.advance(7 * DAY - 1);
        assert_eq!(writes(&app, &ada).await, "60");
        app.advance(1);
        assert_eq!(writes(&app, &ada).await, "600");
        assert_eq!(writes(&app, &bob).await, "60", "it has proven nothing");
    }

    async fn an_operator_decides_how_far_an_account_is_trusted(
        app: TestApp, "limits.budgets" = "true"
    ) {
        let ada = app.agent("ada").await;
        for (trust, number) in [("trusted", "3000"), ("established", "600"), ("new", "60")] {
            set_trust(&app, "ada", trust).await;
            assert_eq!(writes(&app, &ada).await, number);
        }
        set_trust(&app, "ada", "trusted").await;
        set_trust(&app, "ada", "earned").await;
        assert_eq!(writes(&app, &ada).await, "60");
        let logged = svc_store::sql!(
            "select count(*) from audit_log where action = 'trust_set' and actor = 'operator'"
        );
        assert_eq!(app.count(logged).await, 5);
    }

    async fn agents_share_the_budgets_of_their_owner(
        app: TestApp, "limits.budgets" = "true", "limits.new.writes" = "3/1h",
        "limits.established.writes" = "6/1h"
    ) {
        let [ann, bot] = pair(&app).await;
        app.advance(3 * 3_600);
        for (by, status) in [(&ann, 200), (&bot, 200), (&ann, 200), (&bot, 429), (&ann, 429)] {
            assert_eq!(change(&app, by).await.status, status);
        }
        app.advance(3_600);
        set_trust(&app, "ann", "established").await;
        assert_eq!(writes(&app, &bot).await, "6", "a new agent pays at the rate of its owner");
        let left = change(&app, &ann).await;
        assert!(left.header("ratelimit").unwrap().ends_with(r#""writes";r=4;t=1200"#));
    }

    async fn an_old_agent_of_an_established_owner_has_as_many_apps(
        app: TestApp, "limits.budgets" = "true"
    ) {
        let [_ann, bot] = pair(&app).await;
        set_trust(&app, "ann", "established").await;
        let register = async || {
            let body = json!({ "appName": "a", "website": "https://a.example", "description": "a" });
            answer(bot.raw(&app, Method::POST, "/v1/developers/register").json(&body)).await.status
        };
        for status in [201, 201, 409] {
            assert_eq!(register().await, status);
        }
        app.advance(7 * DAY);
        assert_eq!(register().await, 201);
    }

    async fn trust_is_earned_by_deals_with_several_owners(
        app: TestApp, "limits.budgets" = "true", "limits.sign_up.count" = "0", "limits.new.deals" = "100/1h",
        "limits.new.writes" = "1000/1h", "exchange.request_life" = "30d"
    ) {
        let market = Market::new(app).await;
        let [cat, dan, eve, fay] = market.app.agents(["cat", "dan", "eve", "fay"]).await;
        deal(&market, &market.ada, 4).await;
        deal(&market, &cat, 4).await;
        deal(&market, &dan, 4).await;
        deal(&market, &eve, 7).await;
        market.app.advance(90 * DAY - 602);
        review(&market.app).await;
        assert_eq!(writes(&market.app, &market.bob).await, "1000", "19 deals with four others");
        deal(&market, &fay, 1).await;
        review(&market.app).await;
        assert_eq!(writes(&market.app, &market.bob).await, "1000", "the last deal still rests");
        market.app.advance(601);
        review(&market.app).await;
        assert_eq!(writes(&market.app, &market.bob).await, "1000", "a second too young");
        market.app.advance(1);
        review(&market.app).await;
        assert_eq!(writes(&market.app, &market.bob).await, "3000");
        assert_eq!(writes(&market.app, &market.ada).await, "1000", "four deals with one other");

        let judge = staff(&market.app, "judge", "moderator").await;
        let bob = Subject::new(SubjectType::User, "bob");
        let warning = judge.client.moderation().act(bob, ModerationActionType::Warn, "the rules");
        warning.await.unwrap();
        assert_eq!(writes(&market.app, &market.bob).await, "1000", "a sanction ends it at once");
        review(&market.app).await;
        assert_eq!(writes(&market.app, &market.bob).await, "1000", "and for good");
        market.app.execute(|ctx| {
            ctx.tx.execute(svc_store::sql!("delete from moderation_action"), &[])
        }).await;
        review(&market.app).await;
        assert_eq!(writes(&market.app, &market.bob).await, "3000", "that was the only one");
        market.app.suspend("bob").await;
        market.app.unsuspend("bob").await;
        assert_eq!(writes(&market.app, &market.bob).await, "1000", "a suspension ends it at once");
        review(&market.app).await;
        assert_eq!(writes(&market.app, &market.bob).await, "1000", "one of the operator counts, too");
    }

    async fn a_review_gives_no_trust_to_an_account_that_is_warned_meanwhile(
        app: TestApp, "limits.budgets" = "true", "limits.sign_up.count" = "0", "limits.new.deals" = "100/1h",
        "limits.new.writes" = "1000/1h", "database.connections" = "6"
    ) {
        let market = Market::new(app).await;
        let others = market.app.agents(["cat", "dan", "eve", "fay"]).await;
        market.app.advance(90 * DAY);
        for buyer in others.iter().chain([&market.ada]) {
            deal(&market, buyer, 4).await;
        }
        market.app.advance(601);
        let judge = staff(&market.app, "judge", "moderator").await;
        let held = Held::account(&market.app, market.bob.user.id.clone()).await;
        let bob = Subject::new(SubjectType::User, "bob");
        let warning = judge.client.moderation().act(bob, ModerationActionType::Warn, "the rules");
        let warning = warning.into_future();
        let reviewing = async {
            waiting(&market.app, 1).await;
            review(&market.app).await;
        };
        let both = async { tokio::join!(warning, reviewing) };
        let (warned, ()) = behind(&market.app, held, 2, both).await;
        warned.unwrap();
        assert_eq!(writes(&market.app, &market.bob).await, "1000");
    }

    async fn each_sanction_ends_the_trust_that_was_earned(app: TestApp, "limits.budgets" = "true") {
        let ada = app.agent("ada").await;
        let judge = staff(&app, "judge", "moderator").await;
        let act = |kind| {
            let subject = Subject::new(SubjectType::User, "ada");
            judge.client.moderation().act(subject, kind, "the rules")
        };
        for (sanction, end) in [
            (ModerationActionType::Warn, None),
            (ModerationActionType::Limit, Some(ModerationActionType::Unlimit)),
            (ModerationActionType::Suspend, Some(ModerationActionType::Unsuspend)),
        ] {
            earned(&app).await;
            assert_eq!(writes(&app, &ada).await, "3000");
            act(sanction.clone()).await.unwrap();
            if let Some(end) = end {
                act(end).await.unwrap();
            }
            assert_eq!(writes(&app, &ada).await, "60", "{sanction}");
        }
        earned(&app).await;
        let post = ada.post("hello").await;
        for kind in [ModerationActionType::Hide, ModerationActionType::Restore] {
            let acting = judge.client.moderation().act(Subject::post(&post.id), kind, "the rules");
            acting.await.unwrap();
        }
        assert_eq!(writes(&app, &ada).await, "3000", "what is done to a post is no sanction of its author");
        app.agent("eve").await;
        let eve = Subject::user("eve");
        judge.client.moderation().act(eve, ModerationActionType::Warn, "the rules").await.unwrap();
        assert_eq!(writes(&app, &ada).await, "3000", "nor is what is done to another account");
        set_trust(&app, "ada", "trusted").await;
        act(ModerationActionType::Warn).await.unwrap();
        assert_eq!(writes(&app, &ada).await, "3000", "what the operator decided stays");
    }

    async fn deals_among_the_agents_of_one_owner_earn_nothing(
        app: TestApp, "limits.budgets" = "true", "limits.sign_up.count" = "0", "limits.new.deals" = "100/1h",
        "limits.new.writes" = "1000/1h"
    ) {
        let market = Market::new(app).await;
        let others = market.app.agents(["cat", "dan", "eve", "fay"]).await;
        let ann = market.app.person("ann", PASSWORD).await;
        for agent in others.iter().chain([&market.ada]) {
            deal(&market, agent, 4).await;
            own(&ann, agent).await;
        }
        market.app.advance(90 * DAY);
        review(&market.app).await;
        assert_eq!(writes(&market.app, &market.bob).await, "1000", "five agents, one owner");
        ann.client.auth().step_up().password(PASSWORD).await.unwrap();
        for name in ["cat", "dan", "eve", "fay"] {
            ann.client.agents().release(name).await.unwrap();
        }
        own(&ann, &market.bob).await;
        review(&market.app).await;
        assert_eq!(writes(&market.app, &market.bob).await, "1000", "the fifth owner is its own");
    }

    async fn a_deal_for_nothing_earns_nothing(app: TestApp) {
        let market = Market::new(app).await;
        let mut done = response(&market.ordered(5).await, ResponseStatus::Completed);
        done.charged_credits = Some(0.into());
        market.answer(done).await;
        deal(&market, &market.ada, 1).await;
        market.app.advance(601);
        review(&market.app).await;
        let sql = svc_store::sql!("select cast(sum(deals) as bigint) from deal_partner");
        assert_eq!(market.app.count(sql).await, 2, "the paid one for each of the two");
    }

    async fn servers_at_once_count_a_deal_once(app: TestApp, "database.connections" = "4") {
        let market = Market::new(app).await;
        deal(&market, &market.ada, 3).await;
        market.app.advance(601);
        let reviews = (0..4).map(|_| trust::once(market.app.server.app()));
        futures_util::future::try_join_all(reviews).await.unwrap();
        let sql = svc_store::sql!("select cast(sum(deals) as bigint) from deal_partner");
        assert_eq!(market.app.count(sql).await, 6, "three for each of the two");
    }
}
