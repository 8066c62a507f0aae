//! Caps that owners set: what an agent, and all agents of an owner together, may spend.

use std::future::IntoFuture;

use futures_util::future::join_all;
use svc_client::Call;
use svc_client::types::api::escrow::{CreateEscrow, FundEscrow};
use svc_client::types::api::keys::KeySpend;
use svc_client::types::api::messages::SendMessage;
use svc_client::types::api::owners::SpendCaps;
use svc_client::types::api::users::Tier;
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, Credits, Scope};
use svc_core::tasks::sweep;
use svc_store::{sql, values};

use crate::app::{Member, TestApp, code};
use crate::held::{Held, behind};
use crate::market::{self, Market};
use crate::on_both_engines;
use crate::owners::{PASSWORD, own};

/// A market whose buyers, ada and cyd, have the owner ann.
struct Shop {
    market: Market,
    ann: Member,
    cyd: Member,
}

impl Shop {
    async fn new(app: TestApp) -> Self {
        let market = Market::new(app).await;
        let ann = market.app.person("ann", PASSWORD).await;
        let cyd = market.app.agent("cyd").await;
        own(&ann, &market.ada).await;
        own(&ann, &cyd).await;
        Self { market, ann, cyd }
    }

    /// An order of an agent's to bob, still to be sent.
    fn order(&self, buyer: &Member, offered: u32) -> Call<SendMessage> {
        let order = market::order(&self.market.service, offered);
        buyer.client.messages().request_service("bob", order)
    }

    /// The refusal of an order: its code and hint.
    async fn refused(&self, buyer: &Member, offered: u32) -> (Code, String) {
        let error = self.order(buyer, offered).await.unwrap_err();
        let hint = error.hint().unwrap_or_default().to_owned();
        (code::<SendMessage>(Err(error)), hint)
    }

    /// What counts towards the caps of an agent, and towards those of all.
    async fn spent(&self, agent: &str) -> [Option<Credits>; 2] {
        let list = self.ann.client.agents().owned().await.unwrap();
        let agent = list.agents.into_iter().find(|one| one.username == agent).unwrap();
        [agent.caps, list.caps].map(|caps| caps.map(|caps: SpendCaps| caps.spent_today))
    }
}

/// What to do beyond a cap per order.
const CHEAPER: &str = "choose something cheaper, or have the limit raised";

fn limit(hint: &str) -> (Code, String) {
    (Code::SpendLimit, hint.to_owned())
}

on_both_engines! {
    async fn an_agent_spends_within_the_caps_of_its_owner_on_every_route(app: TestApp) {
        let shop = Shop::new(app).await;
        let Shop { market, ann, .. } = &shop;
        let caps = ann.client.agents().set_caps("ada").per_order(6).per_day(10).await.unwrap().caps;
        assert_eq!((caps.per_order, caps.per_day, caps.spent_today), (Some(6.into()), Some(10.into()), 0.into()));
        assert_eq!(shop.refused(&market.ada, 7).await, limit(CHEAPER));
        let refused = shop.order(&market.ada, 7).await.unwrap_err();
        assert_eq!(refused.message(), "this agent may spend at most 6 an order");
        let first = shop.order(&market.ada, 6).await.unwrap().message.message_id;
        assert_eq!(shop.refused(&market.ada, 5).await, limit("4 are left"));
        assert_eq!(code::<CreateEscrow>(market.opening(5).await), Code::SpendLimit);
        // A session of the agent spends from the same caps, and a key without caps as well.
        let hash = market.app.server.app().passwords.hash(PASSWORD.to_owned()).await.unwrap();
        let id = market.ada.user.id.clone();
        let sql = sql!("update account set password_hash = $1 where id = $2");
        market.app.execute(move |ctx| ctx.tx.execute(sql, values![hash, id])).await;
        let browser = market.app.browser(&market.app.sign_in("ada", PASSWORD).await);
        let ordered = browser.messages().request_service("bob", market.order(5)).await;
        assert_eq!(code::<SendMessage>(ordered), Code::SpendLimit);
        // What came back counts no longer: 4 of the 6 that were offered.
        let mut answer = market::response(&first, ResponseStatus::Completed);
        answer.charged_credits = Some(2.into());
        market.answer(answer).await;
        assert_eq!(shop.spent("ada").await, [Some(2.into()), None]);
        let escrow = market.open(6).await.id;
        assert_eq!(shop.refused(&market.ada, 3).await, limit("2 are left"));
        market.ada.client.escrow().cancel(&escrow).await.unwrap();
        shop.order(&market.ada, 6).await.unwrap();
        market.app.advance(24 * 3_600 - 1);
        assert_eq!(shop.refused(&market.ada, 3).await, limit("2 are left"));
        market.app.advance(1);
        shop.order(&market.ada, 6).await.unwrap();
        // Caps of one agent are no caps of another.
        shop.order(&shop.cyd, 50).await.unwrap();
        market.is_consistent().await;
    }

    async fn what_a_clock_far_ahead_dated_counts_towards_no_cap(app: TestApp) {
        let shop = Shop::new(app).await;
        let Shop { market, ann, .. } = &shop;
        ann.client.agents().set_caps("ada").per_day(10).await.unwrap();
        ann.client.agents().set_owned_caps().per_day(20).await.unwrap();
        shop.order(&market.ada, 10).await.unwrap();
        assert_eq!(shop.refused(&market.ada, 1).await, limit("0 are left"));
        let year = sql!("update agent_hold set at = at + 31536000000");
        market.app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        assert_eq!(shop.spent("ada").await, [Some(0.into()), Some(0.into())]);
        shop.order(&market.ada, 10).await.unwrap();
        assert_eq!(shop.spent("ada").await, [Some(10.into()), Some(10.into())]);
    }

    async fn caps_of_one_agent_or_owner_are_none_of_another(app: TestApp) {
        let shop = Shop::new(app).await;
        let Shop { market, ann, cyd } = &shop;
        let (eve, dan) = (market.app.person("eve", PASSWORD).await, market.app.agent("dan").await);
        own(&eve, &dan).await;
        eve.client.agents().set_owned_caps().per_day(20).await.unwrap();
        ann.client.agents().set_owned_caps().per_day(20).await.unwrap();
        for name in ["ada", "cyd"] {
            ann.client.agents().set_caps(name).per_order(6).await.unwrap();
        }
        shop.order(&dan, 15).await.unwrap();
        ann.client.agents().set_caps("ada").await.unwrap();
        assert_eq!(shop.refused(cyd, 7).await, limit(CHEAPER), "hers hold on");
        shop.order(&market.ada, 20).await.unwrap();
        assert_eq!(shop.refused(cyd, 1).await, limit("0 are left"));
        ann.client.agents().set_owned_caps().await.unwrap();
        assert_eq!(shop.refused(&dan, 6).await, limit("5 are left"), "of the other owner");
        assert_eq!(shop.refused(cyd, 7).await, limit(CHEAPER));
        market.is_consistent().await;
    }

    async fn an_unpaid_escrow_counts_when_it_is_funded(app: TestApp) {
        let shop = Shop::new(app).await;
        let Shop { market, ann, .. } = &shop;
        ann.client.agents().set_caps("ada").per_day(60).await.unwrap();
        let unpaid = market.open(200).await.id;
        market.app.grant_credits("ada", 500).await;
        let fund = || market.ada.client.escrow().fund(&unpaid);
        assert_eq!(code::<FundEscrow>(fund().await), Code::SpendLimit);
        ann.client.agents().set_caps("ada").await.unwrap();
        ann.client.agents().set_owned_caps().per_order(199).await.unwrap();
        assert_eq!(code::<FundEscrow>(fund().await), Code::SpendLimit);
        ann.client.agents().set_owned_caps().per_order(200).await.unwrap();
        fund().await.unwrap();
        market.is_consistent().await;
    }

    async fn the_agents_of_an_owner_share_a_cap(app: TestApp) {
        let shop = Shop::new(app).await;
        let Shop { market, ann, cyd } = &shop;
        let returned = market.open(6).await.id;
        market.ada.client.escrow().cancel(&returned).await.unwrap();
        shop.order(&market.ada, 4).await.unwrap();
        let caps = ann.client.agents().set_owned_caps().per_day(10).per_order(8).await.unwrap().caps;
        assert_eq!(caps.spent_today, 4.into(), "what was held before the cap counts, and what came back doesn't");
        assert_eq!(shop.refused(cyd, 9).await, limit(CHEAPER));
        let refused = shop.order(cyd, 9).await.unwrap_err();
        assert_eq!(refused.message(), "the agents of this owner together may spend at most 8 an order");
        assert_eq!(shop.refused(cyd, 7).await, limit("6 are left"));
        shop.order(cyd, 6).await.unwrap();
        assert_eq!(shop.refused(&market.ada, 1).await, limit("0 are left"));
        // The caps of an agent and of the owner apply both.
        ann.client.agents().set_owned_caps().per_day(30).await.unwrap();
        ann.client.agents().set_caps("cyd").per_day(7).await.unwrap();
        assert_eq!(shop.refused(cyd, 2).await, limit("1 are left"));
        assert_eq!(shop.spent("cyd").await, [Some(6.into()), Some(10.into())]);
        // What an agent of another owner spends counts for that owner.
        let (dan, eve) = (market.app.person("dan", PASSWORD).await, market.app.agent("eve").await);
        own(&dan, &eve).await;
        shop.order(&eve, 5).await.unwrap();
        // The owner's own orders are no orders of agents.
        market.app.grant_credits("ann", 100).await;
        shop.order(ann, 50).await.unwrap();
        // A released agent spends freely; what it spent before still counts for its owner.
        ann.client.agents().release("cyd").await.unwrap();
        shop.order(cyd, 40).await.unwrap();
        assert_eq!(ann.client.agents().owned().await.unwrap().caps.unwrap().spent_today, 10.into());
    }

    async fn what_an_expired_deal_of_one_agent_held_can_be_spent_by_another(
        app: TestApp, "exchange.request_life" = "1m", "database.connections" = "4"
    ) {
        let shop = Shop::new(app).await;
        let Shop { market, ann, cyd } = &shop;
        ann.client.agents().set_owned_caps().per_day(10).await.unwrap();
        let expires = shop.order(cyd, 10).await.unwrap().message.message_id;
        assert_eq!(shop.refused(&market.ada, 10).await, limit("0 are left"));
        // The server itself can't expire it before the order is judged.
        let lock = sql!("select id from service_request where id = $1 for update");
        let held = Held::by(&market.app, move |ctx| {
            ctx.tx.lock(lock, values![expires])?;
            ctx.tx.one::<i64>(sql!("select cast(1 as bigint)"), &[]).map(|_| 1)
        })
        .await;
        market.app.advance(60);
        let order = shop.order(&market.ada, 10).into_future();
        behind(&market.app, held, 2, order).await.unwrap();
        assert_eq!(shop.spent("ada").await, [None, Some(10.into())]);
        market.is_consistent().await;
    }

    async fn passes_count_towards_the_cap_that_agents_share(
        app: TestApp, "billing.stripe.key_file" = "its own", "passes.boost" = "4"
    ) {
        let shop = Shop::new(app).await;
        let Shop { market, ann, cyd } = &shop;
        let pass = |buyer: &Member| buyer.client.tiers().buy_pass(Tier::Boost);
        pass(&market.ada).await.unwrap();
        ann.client.agents().set_owned_caps().per_day(10).await.unwrap();
        shop.order(cyd, 3).await.unwrap();
        let refused = pass(cyd).await.unwrap_err();
        assert_eq!((refused.code(), refused.hint()), (Some(&Code::SpendLimit), Some("3 are left")));
        assert_eq!(shop.spent("ada").await, [None, Some(7.into())]);
        market.is_consistent().await;
    }

    async fn the_caps_of_a_key_apply_together_with_those_of_the_owner(app: TestApp) {
        let shop = Shop::new(app).await;
        let Shop { market, ann, .. } = &shop;
        let spend = KeySpend { per_order: None, per_day: Some(5.into()) };
        let scopes = [Scope::Read, Scope::ExchangeSpend];
        let key = market.ada.client.keys().create("buyer", scopes).spend(spend).await.unwrap();
        let buyer = market.app.client(key.api_key);
        let order = |offered: u32| buyer.messages().request_service("bob", market.order(offered));
        ann.client.agents().set_caps("ada").per_day(8).await.unwrap();
        order(4).await.unwrap();
        assert_eq!(order(2).await.unwrap_err().hint(), Some("1 are left"), "of the key");
        shop.order(&market.ada, 4).await.unwrap();
        let refused = order(1).await.unwrap_err();
        assert_eq!(refused.hint(), Some("0 are left"), "of the agent");
        assert!(refused.to_string().contains("this agent may spend"), "{refused}");
        ann.client.agents().set_caps("ada").await.unwrap();
        order(1).await.unwrap();
    }

    async fn of_concurrent_orders_of_two_agents_no_more_pass_than_the_shared_cap_allows(
        app: TestApp, "database.connections" = "8"
    ) {
        let shop = Shop::new(app).await;
        let Shop { market, ann, cyd } = &shop;
        ann.client.agents().set_owned_caps().per_day(7).await.unwrap();
        // Orders to one provider would wait for each other, whatever the caps do.
        let dan = market.app.agent("dan").await;
        let other = market::offer(&dan, "other work", 2).await;
        for _ in 0..5 {
            let orders = (0..8).map(|number| {
                if number % 2 == 0 {
                    return shop.order(&market.ada, 2).into_future();
                }
                let order = market::order(&other, 2);
                cyd.client.messages().request_service("dan", order).into_future()
            });
            let sent = join_all(orders).await;
            assert_eq!(sent.iter().filter(|sent| sent.is_ok()).count(), 3);
            for refused in sent.into_iter().filter(Result::is_err) {
                assert_eq!(code::<SendMessage>(refused), Code::SpendLimit);
            }
            assert_eq!(shop.spent("ada").await, [None, Some(6.into())]);
            market.app.advance(86_401);
        }
        market.is_consistent().await;
    }

    async fn of_concurrent_orders_and_escrows_of_an_agent_no_more_pass_than_its_cap_allows(
        app: TestApp, "database.connections" = "8"
    ) {
        let shop = Shop::new(app).await;
        let Shop { market, ann, .. } = &shop;
        ann.client.agents().set_caps("ada").per_day(5).await.unwrap();
        ann.client.agents().set_owned_caps().per_day(50).await.unwrap();
        let orders = join_all((0..4).map(|_| shop.order(&market.ada, 2).into_future()));
        let escrows = join_all((0..4).map(|_| market.opening(2).into_future()));
        let (orders, escrows) = tokio::join!(orders, escrows);
        let passed = orders.iter().filter(|one| one.is_ok()).count()
            + escrows.iter().filter(|one| one.is_ok()).count();
        assert_eq!(passed, 2);
        for refused in orders.into_iter().filter(Result::is_err) {
            assert_eq!(code::<SendMessage>(refused), Code::SpendLimit);
        }
        for refused in escrows.into_iter().filter(Result::is_err) {
            assert_eq!(code::<CreateEscrow>(refused), Code::SpendLimit);
        }
        assert_eq!(shop.spent("ada").await, [Some(4.into()), Some(4.into())]);
        market.is_consistent().await;
    }

    async fn what_no_cap_counts_any_more_is_swept(app: TestApp) {
        let shop = Shop::new(app).await;
        let Shop { market, .. } = &shop;
        shop.order(&market.ada, 4).await.unwrap();
        let holds = async || market.app.count(sql!("select count(*) from agent_hold")).await;
        market.app.advance(24 * 3_600 - 1);
        sweep::once(market.app.server.app()).await.unwrap();
        assert_eq!(holds().await, 1);
        market.app.advance(1);
        sweep::once(market.app.server.app()).await.unwrap();
        assert_eq!(holds().await, 0);
    }
}
