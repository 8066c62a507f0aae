//! What moderators do to messages, and what of them is counted then.

use svc_client::types::api::messages::RequestStatus;
use svc_client::types::api::moderation::{CreateModerationAction, ModerationActionType as Kind};
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_client::types::{Code, Span};
use svc_core::due;

use super::{act, done, in_the_way, staff};
use crate::app::{Member, all_items, fault};
use crate::counts;
use crate::market::{Market, is_consistent};
use crate::on_both_engines;

on_both_engines! {
    async fn a_message_is_hidden_from_its_recipient_and_removed_from_both(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let message = eve.write(&ada, "psst").await;
        ada.client.conversations().accept(&message.conversation_id).await.unwrap();
        let subject = || Subject::message(&message.message_id);
        let refused = act(&judge, subject(), Kind::Hide).await;
        assert_eq!(fault::<CreateModerationAction>(refused), (Code::NotFound, "/subject/id".into()));
        ada.client.reports().create(subject(), ReportReason::Spam).await.unwrap();
        let seen = |who: &Member| who.client.messages().get(&message.message_id).into_future();
        let unread = async || ada.client.messages().unread_count().await.unwrap().unread.messages;
        assert_eq!(unread().await, 1);
        done(&judge, subject(), Kind::Hide).await;
        let notice = eve.client.notifications().list().await.unwrap().notifications.remove(0);
        assert_eq!(notice.text.as_deref(), Some("your message was hidden: the rules"));
        assert_eq!((seen(&ada).await.unwrap_err().code(), unread().await), (Some(&Code::NotFound), 0));
        assert_eq!(all_items(ada.client.messages().list()).await.len(), 0);
        let of_conversation = ada.client.conversations().messages(&message.conversation_id);
        assert_eq!(all_items(of_conversation).await.len(), 0);
        assert_eq!(ada.client.conversations().list().await.unwrap().conversations[0].last_message, None);
        seen(&eve).await.unwrap();
        counts::are_right(&app).await;
        done(&judge, subject(), Kind::Restore).await;
        assert_eq!((seen(&ada).await.unwrap().message.content, unread().await), ("psst".into(), 1));
        done(&judge, subject(), Kind::Remove).await;
        let stored = svc_store::sql!("select count(*) from message where content <> '' or payload is not null");
        assert_eq!(app.count(stored).await, 0, "its text is deleted");
        for who in [&ada, &eve] {
            assert_eq!(seen(who).await.unwrap_err().code(), Some(&Code::NotFound));
        }
        assert_eq!(in_the_way(act(&judge, subject(), Kind::Restore)).await, "removed");
        assert_eq!(unread().await, 0);
        let stored = judge.client.moderation().reports().await.unwrap().reports;
        assert_eq!(stored[0].snapshot.as_ref().unwrap()["content"], "psst");
        counts::are_right(&app).await;
    }

    async fn a_hidden_message_that_is_removed_is_subtracted_once(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let message = eve.write(&ada, "psst").await;
        ada.client.conversations().accept(&message.conversation_id).await.unwrap();
        eve.write(&ada, "hello").await;
        let subject = || Subject::message(&message.message_id);
        ada.client.reports().create(subject(), ReportReason::Spam).await.unwrap();
        for kind in [Kind::Hide, Kind::Remove] {
            done(&judge, subject(), kind).await;
            assert_eq!(ada.client.messages().unread_count().await.unwrap().unread.messages, 1);
        }
        counts::are_right(&app).await;
    }

    async fn a_hidden_message_is_neither_unread_nor_subtracted_once_it_was_read(app: TestApp) {
        let [ada, eve] = app.friends(["ada", "eve"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let [first, second] = [eve.write(&ada, "one").await, eve.write(&ada, "two").await];
        for message in [&first, &second] {
            let subject = Subject::message(&message.message_id);
            ada.client.reports().create(subject, ReportReason::Spam).await.unwrap();
        }
        let notices = || ada.client.notifications().list().into_future();
        assert_eq!(notices().await.unwrap().unread_count, 2);
        done(&judge, Subject::message(&second.message_id), Kind::Hide).await;
        let left = notices().await.unwrap();
        assert_eq!((left.unread_count, left.notifications.len()), (1, 1), "so is its notification");
        assert_eq!(left.notifications[0].message_id.as_ref(), Some(&first.message_id));
        let reading = ada.client.conversations().read(&first.conversation_id, &first.message_id);
        assert_eq!(reading.await.unwrap().conversation.unread_count, 0, "the other one is hidden");
        done(&judge, Subject::message(&first.message_id), Kind::Hide).await;
        let seen = ada.client.conversations().get(&first.conversation_id).await.unwrap();
        assert_eq!(seen.conversation.unread_count, 0, "it was read before");
        done(&judge, Subject::message(&second.message_id), Kind::Restore).await;
        assert_eq!(ada.client.messages().unread_count().await.unwrap().unread.messages, 1);
        let third = eve.write(&ada, "three").await;
        ada.client.reports().create(Subject::message(&third.message_id), ReportReason::Spam).await.unwrap();
        assert_eq!(notices().await.unwrap().unread_count, 1);
        done(&judge, Subject::message(&third.message_id), Kind::Remove).await;
        let left = notices().await.unwrap();
        assert_eq!((left.unread_count, left.notifications.len()), (0, 0));
        // The same for a recipient whose account is the newer one.
        let fourth = ada.write(&eve, "four").await;
        eve.client.reports().create(Subject::message(&fourth.message_id), ReportReason::Spam).await.unwrap();
        let is_listed = async || {
            let listed = eve.client.notifications().list().await.unwrap().notifications;
            listed.iter().any(|notice| notice.message_id.as_ref() == Some(&fourth.message_id))
        };
        assert!(is_listed().await);
        done(&judge, Subject::message(&fourth.message_id), Kind::Hide).await;
        assert!(!is_listed().await);
        is_consistent(&app).await;
    }

    async fn an_order_whose_text_is_hidden_is_in_no_list_of_its_provider(app: TestApp) {
        let market = Market::new(app).await;
        let judge = staff(&market.app, "judge", "moderator").await;
        let order = market.ordered(5).await;
        let waiting = async || {
            let home = market.bob.client.home().await.unwrap().home;
            let open = market.bob.client.messages().list().request_status(RequestStatus::Open);
            assert_eq!(open.await.unwrap().messages, home.pending_service_requests);
            home.pending_service_requests
        };
        assert_eq!(waiting().await[0].message_id, order);
        market.bob.client.reports().create(Subject::message(&order), ReportReason::Spam).await.unwrap();
        done(&judge, Subject::message(&order), Kind::Hide).await;
        assert_eq!(waiting().await, Vec::new());
        done(&judge, Subject::message(&order), Kind::Restore).await;
        assert_eq!(waiting().await.len(), 1);
    }

    async fn a_moderator_acts_on_a_message_of_their_own_without_a_report(app: TestApp) {
        let eve = app.agent("eve").await;
        let [judge, other] = [staff(&app, "judge", "moderator").await, staff(&app, "other", "moderator").await];
        let message = eve.write(&judge, "psst").await;
        let subject = || Subject::message(&message.message_id);
        let refused = act(&other, subject(), Kind::Hide).await;
        assert_eq!(fault::<CreateModerationAction>(refused), (Code::NotFound, "/subject/id".into()));
        let seen = || judge.client.messages().get(&message.message_id).into_future();
        act(&judge, subject(), Kind::Hide).expires_in(Span::from_secs(60)).await.unwrap();
        assert_eq!(seen().await.unwrap_err().code(), Some(&Code::NotFound));
        app.advance(61);
        due::sweep(app.server.app()).await.unwrap();
        seen().await.unwrap();
        counts::are_right(&app).await;
    }
}
