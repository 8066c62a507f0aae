//! Which disputes moderators see and decide, and what others read of that.

use http::Method;
use serde_json::json;
use svc_client::types::Code;
use svc_client::types::api::escrow::{
    DisputeOutcome, EscrowRole, EscrowStatus, GetEscrow, ResolveEscrow,
};
use svc_client::types::api::messages::GetMessage;
use svc_client::types::api::orders::{GetOrder, ListOrderPartials};
use svc_store::sql;

use super::judge;
use crate::app::{Member, code};
use crate::market::{Market, is_consistent, offer};
use crate::on_both_engines;
use crate::owners::own;
use crate::raw::answer;

on_both_engines! {
    async fn the_parties_do_not_read_which_moderator_decided(app: TestApp) {
        let market = Market::new(app).await;
        let judge = judge(&market).await;
        for outcome in [DisputeOutcome::Refund, DisputeOutcome::Release] {
            let id = market.escrow(&EscrowStatus::Disputed).await.id;
            judge.client.escrow().resolve(&id, outcome, "as agreed").await.unwrap();
            let decided = async |reader: &Member| {
                let log = reader.client.escrow().events(&id).await.unwrap().events;
                let last = log.last().unwrap();
                assert_eq!((last.action.as_str(), last.note.as_deref()), ("resolved", Some("as agreed")));
                last.actor_username.clone()
            };
            for party in [&market.ada, &market.bob] {
                assert_eq!(decided(party).await, None);
                let events = party.client.events().after(0).await.unwrap().events;
                let event = events.iter().rfind(|event| event.data.get("action") == Some(&json!("resolved")));
                assert_eq!(event.unwrap().data.get("actorUsername"), None, "nor in an event");
                let notifications = party.client.notifications().list().await.unwrap().notifications;
                let newest = notifications.iter().find(|it| it.escrow_id.as_ref() == Some(&id));
                assert_eq!(newest.unwrap().actor, None, "nor in a notification");
            }
            assert_eq!(decided(&judge).await.as_deref(), Some("judge"), "moderators do");
        }
    }

    async fn the_operators_log_has_who_resolved_a_dispute_and_how(app: TestApp) {
        let market = Market::new(app).await;
        let judge = judge(&market).await;
        let id = market.escrow(&EscrowStatus::Disputed).await.id;
        let logged = async || {
            let logged = sql!(
                "select count(*) from audit_log l join account a on a.id = l.actor
                    join escrow e on e.id = l.subject
                 where l.action = 'escrow_resolved' and l.detail = 'refund' and a.username = 'judge'"
            );
            market.app.count(logged).await
        };
        let refused = market.ada.client.escrow().resolve(&id, DisputeOutcome::Refund, "I want it").await;
        assert_eq!(code::<ResolveEscrow>(refused), Code::Forbidden);
        assert_eq!(logged().await, 0);
        judge.client.escrow().resolve(&id, DisputeOutcome::Refund, "it fails").await.unwrap();
        assert_eq!(logged().await, 1);
    }

    async fn a_suspended_moderator_sees_neither_disputes_nor_hidden_posts(app: TestApp) {
        let market = Market::new(app).await;
        let judge = judge(&market).await;
        let escrow = market.escrow(&EscrowStatus::Delivered).await;
        market.dispute(&escrow.id).await;
        let post = market.ada.post("soon hidden").await;
        market.app.hide(&post).await;
        let read = async |path: String| {
            answer(judge.raw(&market.app, Method::GET, &path)).await.status.as_u16()
        };
        let paths = [format!("/v1/escrow/{}", escrow.id), format!("/posts/{}", post.id)];
        for path in &paths {
            assert_eq!(read(path.clone()).await, 200, "{path}");
        }
        market.app.suspend("judge").await;
        for path in &paths {
            assert_eq!(read(path.clone()).await, 404, "{path}");
        }
    }

    async fn moderators_see_an_escrow_from_its_dispute_on(app: TestApp) {
        let market = Market::new(app).await;
        let judge = judge(&market).await;
        let escrow = market.escrow(&EscrowStatus::Delivered).await;
        let get = || judge.client.escrow().get(&escrow.id);
        let list = || judge.client.escrow().list().role(EscrowRole::Moderator);
        assert_eq!(code::<GetEscrow>(get().await), Code::NotFound);
        assert_eq!(list().await.unwrap().escrows, []);
        let early = judge.client.escrow().resolve(&escrow.id, DisputeOutcome::Refund, "x").await;
        assert_eq!(code::<ResolveEscrow>(early), Code::NotFound);
        let disputed = market.dispute(&escrow.id).await;
        let seen = get().await.unwrap().escrow;
        assert_eq!(list().await.unwrap().escrows, std::slice::from_ref(&seen));
        assert_eq!(list().counterparty("bob").await.unwrap().escrows.len(), 1);
        assert_eq!(list().counterparty("judge").await.unwrap().escrows.len(), 0);
        assert_eq!(list().status(EscrowStatus::Disputed).await.unwrap().escrows.len(), 1);
        assert_eq!(list().status(EscrowStatus::Delivered).await.unwrap().escrows.len(), 0);
        assert_eq!(judge.client.escrow().list().await.unwrap().escrows, [], "a judge's list holds only its own deals");
        assert_eq!(judge.client.escrow().events(&escrow.id).await.unwrap().events.len(), 4);
        assert_eq!(seen, disputed, "neither holds the token");
        market.ada.client.escrow().release(&escrow.id).await.unwrap();
        assert_eq!(list().await.unwrap().escrows, [], "nothing waits for a decision");
        assert_eq!(get().await.unwrap().escrow.status, EscrowStatus::Released);
    }

    async fn moderators_neither_see_nor_resolve_disputes_of_agents_that_they_own(app: TestApp) {
        let market = Market::new(app).await;
        let owner = market.app.person("owner", "correct horse").await;
        own(&owner, &market.bob).await;
        market.app.grant_role("owner", "moderator").await;
        let judge = judge(&market).await;
        let escrow = market.open(10).await.id;
        let ordered = market.ordering(market.with_escrow(10, &escrow)).await.unwrap().message.message_id;
        market.deliver(&escrow).await;
        market.dispute(&escrow).await;
        let (orders, messages, escrows) = (owner.client.orders(), owner.client.messages(), owner.client.escrow());
        let missing = Code::NotFound;
        assert_eq!(code::<GetEscrow>(escrows.get(&escrow).await), missing);
        assert_eq!(code::<GetOrder>(orders.get(&ordered).await), missing);
        assert_eq!(code::<ListOrderPartials>(orders.partials(&ordered).await), missing);
        assert_eq!(code::<GetMessage>(messages.get(&ordered).await), missing);
        assert_eq!(escrows.list().role(EscrowRole::Moderator).await.unwrap().escrows, []);
        let resolved = escrows.resolve(&escrow, DisputeOutcome::Release, "well done").await;
        assert_eq!(code::<ResolveEscrow>(resolved), missing);
        let events = owner.client.events().list().await.unwrap().events;
        assert!(events.iter().all(|event| event.event != "system"), "{events:?}");
        judge.client.orders().get(&ordered).await.unwrap();
        judge.client.messages().get(&ordered).await.unwrap();
        judge.client.escrow().resolve(&escrow, DisputeOutcome::Refund, "it fails").await.unwrap();
        is_consistent(&market.app).await;
    }

    async fn a_moderator_who_released_a_party_does_not_resolve_its_dispute(app: TestApp) {
        let market = Market::new(app).await;
        let owner = market.app.person("owner", "correct horse").await;
        own(&owner, &market.bob).await;
        market.app.grant_role("owner", "moderator").await;
        let escrow = market.escrow(&EscrowStatus::Disputed).await.id;
        owner.client.agents().release("bob").await.unwrap();
        let resolved = owner.client.escrow().resolve(&escrow, DisputeOutcome::Release, "well done").await;
        assert_eq!(code::<ResolveEscrow>(resolved), Code::Forbidden);
        let judge = judge(&market).await;
        judge.client.escrow().resolve(&escrow, DisputeOutcome::Refund, "it fails").await.unwrap();
        market.app.advance(1);
        let later = market.escrow(&EscrowStatus::Disputed).await.id;
        owner.client.escrow().resolve(&later, DisputeOutcome::Refund, "it fails").await.unwrap();
        own(&owner, &market.ada).await;
        let bought = market.escrow(&EscrowStatus::Disputed).await.id;
        owner.client.agents().release("ada").await.unwrap();
        let resolved = owner.client.escrow().resolve(&bought, DisputeOutcome::Refund, "it fails").await;
        assert_eq!(code::<ResolveEscrow>(resolved), Code::Forbidden, "of the buyer, too");
        is_consistent(&market.app).await;
    }

    async fn a_moderator_cannot_resolve_a_dispute_they_are_party_to(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.escrow(&EscrowStatus::Disputed).await.id;
        for name in ["ada", "bob"] {
            market.app.grant_role(name, "admin").await;
        }
        for party in [&market.ada, &market.bob] {
            let refused = party.client.escrow().resolve(&id, DisputeOutcome::Refund, "x").await;
            assert_eq!(code::<ResolveEscrow>(refused), Code::Forbidden);
        }
        let judge = judge(&market).await;
        let work = offer(&judge, "work", 1).await;
        let own = market.ada.client.escrow().create("judge", &work, 1, "x").await.unwrap().escrow.id;
        assert_eq!(code::<ResolveEscrow>(judge.client.escrow().resolve(&own, DisputeOutcome::Release, "x").await), Code::Forbidden);
        is_consistent(&market.app).await;
    }
}
