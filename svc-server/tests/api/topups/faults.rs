//! A facilitator that lies or breaks, and a chain that is slow, down, talks nonsense, or changes its mind.

use svc_client::types::Code;
use svc_server::testing::{Engine, until};
use svc_store::sql;

use super::{Answer, SOON, ask, offer, purchases, purse, purse_of, sign, work};
use crate::app::chain::{START, Settles, Silent, encode, signed};
use crate::app::{Member, TestApp};
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::payments::events::told;
use crate::payments::reconcile::reconcile;

/// Signs a payment and sends it.
async fn pay(app: &TestApp, who: &Member, nonce: u64) -> (String, Answer) {
    let payment = sign(app, who, "500", nonce).await;
    let answer = ask(app, who, "500", Some(&payment)).await;
    (payment, answer)
}

on_both_engines! {
    async fn the_chain_is_believed_and_not_the_facilitator(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1",
        "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        for (nonce, settles, answered, has) in [
            (1, Settles::Lies, (202, "open"), "0"),
            (2, Settles::Denies, (200, "paid"), "500"),
            (3, Settles::Breaks, (200, "paid"), "1000"),
        ] {
            app.chain().books().settles = settles;
            let (_, answer) = pay(&app, &ada, nonce).await;
            assert_eq!(answer.short(), answered, "{settles:?}: {answer:?}");
            assert_eq!(purse(&ada).await.0, has, "{settles:?}");
        }
        is_consistent(&app).await;
    }

    async fn a_payment_is_found_after_the_chain_was_down(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1",
        "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        // Nothing is begun as long as nobody could see the tokens come.
        app.chain().books().has_node = false;
        let offered = offer(&app, &ada, "500").await;
        let payment = encode(&signed(&offered, 1, SOON));
        let refused = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!(refused.short(), (503, "provider_unavailable"), "{refused:?}");
        assert_eq!(app.chain().books().verified, 0);
        {
            let mut books = app.chain().books();
            (books.has_node, books.has_facilitator) = (true, false);
        }
        let refused = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!(refused.short(), (503, "provider_unavailable"), "{refused:?}");
        {
            let mut books = app.chain().books();
            (books.has_facilitator, books.settles) = (true, Settles::Lies);
        }
        let begun = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!(begun.short(), (202, "open"), "{begun:?}");
        app.chain().books().has_node = false;
        work(&app).await;
        let known = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!(known.short(), (202, "open"), "an unknown payment is never asked for again");
        assert_eq!(purchases(&app).await, 0);
    }

    async fn nonsense_from_chain_or_facilitator_decides_nothing(
        app: TestApp, "x402.facilitator" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let payment = sign(&app, &ada, "500", 1).await;
        let head = r#"{"result":{"number":"7","timestamp":"?"}}"#;
        for nonsense in ["", "<html>", "{}", "[1]", head] {
            app.chain().books().node_says = Some(nonsense);
            let refused = ask(&app, &ada, "500", Some(&payment)).await;
            assert_eq!(refused.short(), (503, "provider_unavailable"), "{nonsense}: {refused:?}");
            {
                let mut books = app.chain().books();
                (books.node_says, books.facilitator_says) = (None, Some(nonsense));
            }
            let refused = ask(&app, &ada, "500", Some(&payment)).await;
            assert_eq!(refused.short(), (503, "provider_unavailable"), "{nonsense}: {refused:?}");
            app.chain().books().facilitator_says = None;
        }
        assert_eq!(app.chain().books().settled, 0, "nothing was begun");
        let begun = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!(begun.short(), (202, "open"), "{begun:?}");
        app.chain().books().node_says = Some("<html>");
        work(&app).await;
        assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.short(), (202, "open"));
        {
            let mut books = app.chain().books();
            books.node_says = None;
            books.mine(2);
        }
        work(&app).await;
        assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.short(), (200, "paid"));
        assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("500", "0"), 1));
        is_consistent(&app).await;
    }

    async fn chain_and_facilitator_that_do_not_answer_are_left_in_time_and_asked_again(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1",
        "x402.timeout" = "1s", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let payment = sign(&app, &ada, "500", 1).await;
        let silence = |silent: Option<Silent>| app.chain().books().silent = silent;
        for silent in [Silent::Node, Silent::Facilitator] {
            silence(Some(silent));
            let refused = ask(&app, &ada, "500", Some(&payment)).await;
            assert_eq!(refused.short(), (503, "provider_unavailable"), "{refused:?}");
        }
        assert_eq!(purchases(&app).await, 0, "nothing was begun");
        silence(None);
        app.chain().books().settles = Settles::Hangs;
        let begun = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!(begun.short(), (202, "open"), "{begun:?}");
        silence(Some(Silent::Node));
        work(&app).await;
        assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.short(), (202, "open"));
        silence(None);
        app.chain().books().settles = Settles::Honestly;
        work(&app).await;
        assert_eq!(app.chain().books().settled, 3, "it was sent until that was answered");
        assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.short(), (200, "paid"));
        assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("500", "0"), 1));
        is_consistent(&app).await;
    }

    async fn what_takes_longer_than_a_request_leaves_a_payment_open_or_begins_none(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1",
        "limits.request_timeout" = "3s", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let payment = sign(&app, &ada, "500", 1).await;
        app.chain().books().silent = Some(Silent::Node);
        let refused = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!(refused.short(), (503, "provider_unavailable"), "{refused:?}");
        {
            let mut books = app.chain().books();
            (books.silent, books.settles) = (None, Settles::Hangs);
        }
        let begun = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!(begun.short(), (202, "open"), "{begun:?}");
        app.chain().books().settles = Settles::Honestly;
        work(&app).await;
        assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.short(), (200, "paid"));
        assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("500", "0"), 1));
        is_consistent(&app).await;
    }

    async fn what_the_facilitator_did_not_answer_is_sent_again_by_the_worker(
        app: TestApp, "x402.facilitator" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        app.chain().books().settles = Settles::Breaks;
        let (payment, begun) = pay(&app, &ada, 1).await;
        assert_eq!(begun.short(), (202, "open"));
        // A reorganization takes the tokens back; what was sent once is sent again.
        {
            let mut books = app.chain().books();
            books.forget(1);
            books.settles = Settles::Honestly;
        }
        work(&app).await;
        assert_eq!(app.chain().books().settled, 2);
        app.chain().books().mine(2);
        work(&app).await;
        assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.short(), (200, "paid"));
        assert_eq!(app.chain().books().settled, 2, "once it was answered, nothing is sent");
        assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("500", "0"), 1));
        is_consistent(&app).await;
    }

    async fn a_payment_for_which_the_facilitator_had_no_time_is_sent_again(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1",
        "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        app.chain().books().settles = Settles::Limits;
        let (payment, begun) = pay(&app, &ada, 1).await;
        assert_eq!(begun.short(), (202, "open"), "{begun:?}");
        app.chain().books().settles = Settles::Honestly;
        work(&app).await;
        assert_eq!(app.chain().books().settled, 2, "the first time it was not taken");
        assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.short(), (200, "paid"));
        assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("500", "0"), 1));
        is_consistent(&app).await;
    }

    async fn a_payment_that_a_clock_far_ahead_postponed_is_looked_up_again(
        app: TestApp, "x402.facilitator" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let (_, begun) = pay(&app, &ada, 1).await;
        assert_eq!(begun.short(), (202, "open"), "{begun:?}");
        app.chain().books().mine(2);
        let year = sql!("update payment set look_at = look_at + 31536000000");
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        app.sweep_expired().await;
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("500", "0"));
        is_consistent(&app).await;
    }

    async fn an_account_is_not_deleted_while_its_tokens_are_on_their_way(
        app: TestApp, "x402.facilitator" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let (payment, begun) = pay(&app, &ada, 1).await;
        assert_eq!(begun.short(), (202, "open"), "{begun:?}");
        let deleted = ada.client.users().delete_me("ada").await.unwrap_err();
        assert_eq!(deleted.code(), Some(&Code::OpenObligations));
        assert_eq!(deleted.hint(), begun.body["payment"]["paymentId"].as_str());
        app.chain().books().mine(2);
        work(&app).await;
        assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.short(), (200, "paid"));
        ada.client.users().delete_me("ada").await.unwrap();
    }

    async fn tokens_are_on_their_way_until_the_chain_can_bring_them_no_more(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1",
        "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        app.chain().books().settles = Settles::Lies;
        let (payment, begun) = pay(&app, &ada, 1).await;
        assert_eq!(begun.short(), (202, "open"), "{begun:?}");
        // The chain stands still, and may bring them late.
        app.advance(3_600);
        work(&app).await;
        let deleted = ada.client.users().delete_me("ada").await.unwrap_err();
        assert_eq!(deleted.code(), Some(&Code::OpenObligations));
        app.chain().books().time = START + 300 + 600;
        work(&app).await;
        let ended = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!(ended.short(), (402, "payment_required"), "{ended:?}");
        ada.client.users().delete_me("ada").await.unwrap();
    }

    async fn a_chain_that_stands_still_keeps_an_account_for_a_day(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1",
        "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        app.chain().books().settles = Settles::Lies;
        let (_, begun) = pay(&app, &ada, 1).await;
        assert_eq!(begun.short(), (202, "open"), "{begun:?}");
        // The payment ends after 300 s, and its tokens are looked for 600 s longer.
        app.advance(86_400 + 899);
        let deleted = ada.client.users().delete_me("ada").await.unwrap_err();
        assert_eq!(deleted.code(), Some(&Code::OpenObligations));
        app.advance(1);
        ada.client.users().delete_me("ada").await.unwrap();
    }

    async fn a_payment_fails_only_ten_minutes_of_the_chain_after_its_end(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1",
        "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        app.chain().books().settles = Settles::Lies;
        let (payment, _) = pay(&app, &ada, 1).await;
        let bob = app.agent("bob").await;
        pay(&app, &bob, 2).await;
        let left = ada.client.billing().get().await.unwrap().billing.left;
        // Our own clock decides nothing.
        app.advance(3_600);
        work(&app).await;
        assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.short(), (202, "open"));
        app.chain().books().time = START + 300 + 599;
        work(&app).await;
        assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.short(), (202, "open"));
        app.chain().books().time = START + 300 + 600;
        work(&app).await;
        let ended = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!(ended.short(), (402, "payment_required"), "{ended:?}");
        assert!(ended.header("payment-required").is_some());
        let freed = ada.client.billing().get().await.unwrap().billing.left;
        assert_eq!(freed, left + 500, "what never came counts against no cap");
        for buyer in [&ada, &bob] {
            assert_eq!(told(buyer).await, ["payment expired"]);
        }
        is_consistent(&app).await;
    }

    async fn a_payment_waits_for_the_chain_that_it_was_made_on(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1",
        "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        assert_eq!(pay(&app, &ada, 1).await.1.short(), (200, "paid"));
        app.chain().books().settles = Settles::Lies;
        let (payment, begun) = pay(&app, &ada, 2).await;
        assert_eq!(begun.short(), (202, "open"), "{begun:?}");
        // As if the settings had named another chain until now.
        let other = sql!("update payment set network = 'eip155:84532'");
        app.execute(move |ctx| ctx.tx.execute(other, &[])).await;
        app.chain().books().time = START + 300 + 600;
        work(&app).await;
        let open = sql!("select count(*) from payment where status = 'open'");
        assert_eq!(app.count(open).await, 1, "this chain can't know it");
        let report = reconcile(&app, false).await;
        assert!(report.agrees(), "{report}");
        let own = sql!("update payment set network = 'eip155:1337'");
        app.execute(move |ctx| ctx.tx.execute(own, &[])).await;
        work(&app).await;
        let ended = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!(ended.short(), (402, "payment_required"), "{ended:?}");
        is_consistent(&app).await;
    }
}

/// On SQLite, where a trigger is a fault of the database.
#[tokio::test]
async fn a_payment_that_fails_keeps_no_other_from_its_buyer() {
    let settings = [("x402.facilitator", "its own"), ("exchange.signup_grant", "0")];
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    for (who, credits, nonce) in [(&ada, "500", 1), (&bob, "700", 2)] {
        let payment = sign(&app, who, credits, nonce).await;
        let begun = ask(&app, who, credits, Some(&payment)).await;
        assert_eq!(begun.short(), (202, "open"), "{begun:?}");
    }
    let [fail, mend] = [
        sql!(
            "create trigger fails before update on payment
             when new.status = 'paid'
                and old.account = (select id from account where username = 'ada')
             begin select raise(abort, 'a test'); end"
        ),
        sql!("drop trigger fails"),
    ];
    let server = app.server.app();
    server.write(move |ctx| ctx.tx.execute(fail, &[])).await.unwrap();
    app.chain().books().mine(3);
    let paid = async |who: &Member, credits: &str| {
        app.advance(61);
        purse(who).await.0 == credits
    };
    until("bob has the credits", async || paid(&bob, "700").await).await;
    assert_eq!(purse(&ada).await.0, "0");
    server.write(move |ctx| ctx.tx.execute(mend, &[])).await.unwrap();
    until("ada has the credits", async || paid(&ada, "500").await).await;
    is_consistent(&app).await;
}
