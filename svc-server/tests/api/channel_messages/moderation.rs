//! Reports of channels and their messages, and what moderators remove.

use serde_json::json;
use svc_client::types::Code;
use svc_client::types::api::channels::{ChannelMessage, ListChannelMessages};
use svc_client::types::api::messages::Order;
use svc_client::types::api::moderation::{CreateModerationAction, ModerationActionType};
use svc_client::types::api::reports::{CreateReport, ReportReason, Subject, SubjectType};
use svc_core::services::channel;
use svc_core::tasks::sweep;
use svc_store::sql;

use super::{post, published, read, unread};
use crate::app::{Member, all_items, code, fault};
use crate::channels::{private, public};
use crate::counts;
use crate::moderation::staff;
use crate::on_both_engines;

on_both_engines! {
    async fn a_channel_is_reported_and_removed(app: TestApp) {
        let [ada, bob, eve, judge] = app.agents(["ada", "bob", "eve", "judge"]).await;
        app.grant_role("judge", "moderator").await;
        let channel = private(&ada, "den").await;
        ada.client.channels().add(&channel.id, ["bob"]).await.unwrap();
        let subject = || Subject::channel(&channel.id);
        let report = |member: &Member| member.client.reports().create(subject(), ReportReason::Scam);
        assert_eq!(code::<CreateReport>(report(&eve).await), Code::NotFound);
        assert_eq!(code::<CreateReport>(report(&ada).await), Code::SelfAction);
        let id = report(&bob).await.unwrap().report.id;
        let staff = judge.client.moderation();
        let snapshot = staff.report(&id).await.unwrap().report.snapshot.unwrap();
        assert_eq!((&snapshot["name"], snapshot.contains_key("viewer")), (&json!("den"), false));
        post(&bob, &channel, "psst").await;
        let open = public(&bob, "open").await;
        post(&bob, &open, "hello").await;
        staff.act(subject(), ModerationActionType::Remove, "a scam").await.unwrap();
        let gone = bob.client.channels().messages(&channel.id).await;
        assert_eq!(code::<ListChannelMessages>(gone), Code::NotFound);
        let again = staff.act(subject(), ModerationActionType::Remove, "a scam").await;
        assert_eq!(again.unwrap_err().code(), Some(&Code::WrongState));
        let events = ada.client.events().list().await.unwrap().events;
        assert_eq!(events[0].event, "moderation");
        assert_eq!(events[0].data["subject"], json!({ "type": "channel", "id": channel.id }));
        // The next sweep deletes the rest of it, and keeps the messages of the other channel.
        sweep::once(app.server.app()).await.unwrap();
        for table in [
            sql!("select count(*) from channel"),
            sql!("select count(*) from channel_member"),
            sql!("select count(*) from channel_message"),
            sql!("select count(*) from event_head where stream like 'chan%'"),
        ] {
            assert_eq!(app.count(table).await, 1);
        }
        assert_eq!(read(&bob.client, &open, Order::Desc).await, ["hello"]);
    }

    async fn sweeps_of_one_row_at_a_time_leave_nothing_of_closed_channels(app: TestApp) {
        let ada = app.agent("ada").await;
        for name in ["den", "attic"] {
            let closed = private(&ada, name).await;
            post(&ada, &closed, "psst").await;
            ada.client.channels().delete(&closed.id).await.unwrap();
        }
        for sweep in channel::SWEEPS {
            while app.server.app().write(move |ctx| sweep(ctx, 1)).await.unwrap() > 0 {}
        }
        for table in [
            sql!("select count(*) from channel"),
            sql!("select count(*) from channel_message"),
            sql!("select count(*) from event_head where stream like 'chan%'"),
        ] {
            assert_eq!(app.count(table).await, 0);
        }
    }

    async fn a_message_is_reported_by_those_who_can_read_it_and_kept(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let channel = private(&ada, "den").await;
        ada.client.channels().add(&channel.id, ["bob"]).await.unwrap();
        let said = post(&bob, &channel, "psst, tokens").await;
        let subject = || Subject::channel_message(&said.message_id);
        let report = |member: &Member| member.client.reports().create(subject(), ReportReason::Scam);
        let unknown = (Code::NotFound, "/subject/id".to_owned());
        for stranger in [&eve, &judge] {
            assert_eq!(fault::<CreateReport>(report(stranger).await), unknown);
        }
        let direct = Subject::message(&said.message_id);
        let direct = ada.client.reports().create(direct, ReportReason::Scam).await;
        assert_eq!(fault::<CreateReport>(direct), unknown, "it is no direct message");
        assert_eq!(code::<CreateReport>(report(&bob).await), Code::SelfAction);
        let made = report(&ada).await.unwrap().report;
        assert_eq!(made.subject, subject());
        assert_eq!(code::<CreateReport>(report(&ada).await), Code::AlreadyExists);
        bob.client.channels().delete_message(&channel.id, &said.message_id).await.unwrap();
        app.advance(24 * 3600);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from channel_message")).await, 0);
        let moderation = judge.client.moderation();
        let snapshot = moderation.report(&made.id).await.unwrap().report.snapshot.unwrap();
        assert_eq!((&snapshot["content"], &snapshot["sender"]["username"]), (&json!("psst, tokens"), &json!("bob")));
        assert_eq!(snapshot["channelId"], json!(channel.id));
        let gone = moderation.act(subject(), ModerationActionType::Remove, "a scam").await;
        assert_eq!(fault::<CreateModerationAction>(gone), unknown);
    }

    async fn a_moderator_removes_a_reported_message(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let channel = private(&ada, "den").await;
        ada.client.channels().add(&channel.id, ["bob"]).await.unwrap();
        let message = post(&bob, &channel, "psst, tokens").await;
        let subject = || Subject::channel_message(&message.message_id);
        let moderation = judge.client.moderation();
        let act = |kind| moderation.act(subject(), kind, "a scam");
        let unknown = act(ModerationActionType::Remove).await;
        let unknown = fault::<CreateModerationAction>(unknown);
        assert_eq!(unknown, (Code::NotFound, "/subject/id".to_owned()), "nobody reported it");
        ada.client.reports().create(subject(), ReportReason::Scam).await.unwrap();
        let hidden = fault::<CreateModerationAction>(act(ModerationActionType::Hide).await);
        assert_eq!(hidden, (Code::ValidationFailed, "type".to_owned()));
        assert_eq!(unread(&ada, &channel).await, 1);
        let action = act(ModerationActionType::Remove).await.unwrap().action;
        assert_eq!(unread(&ada, &channel).await, 0);
        assert_eq!(read(&bob.client, &channel, Order::Desc).await, [""; 0]);
        let published = published(&app, &channel).await;
        let [_, (2, kind, body)] = &*published else { panic!("{published:?}") };
        let id = json!({ "channelId": channel.id, "messageId": message.message_id });
        assert_eq!((&**kind, &body["data"]), ("channel_message_deleted", &id));
        let told = bob.client.events().list().await.unwrap().events;
        assert_eq!((told.len(), &*told[0].event), (1, "moderation"));
        let what = json!({ "type": "channel_message", "id": message.message_id });
        assert_eq!(told[0].data["subject"], what);
        let told = bob.client.notifications().list().await.unwrap().notifications.remove(0);
        assert_eq!(told.text.as_deref(), Some("your message was removed: a scam"));
        let again = act(ModerationActionType::Remove).await.unwrap_err();
        assert_eq!((again.code(), again.hint()), (Some(&Code::WrongState), Some("removed")));
        let log = moderation.actions().subject_type(SubjectType::ChannelMessage);
        assert_eq!(all_items(log).await, [action]);
        let logged = sql!("select count(*) from audit_log where action = 'channel_message_remove'");
        assert_eq!(app.count(logged).await, 1);
        counts::are_right(&app).await;
    }

    async fn moderators_remove_messages_that_they_can_read_but_not_those_of_moderators(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let [judge, peer] = [staff(&app, "judge", "moderator").await, staff(&app, "peer", "moderator").await];
        let [open, den] = [public(&ada, "open").await, private(&ada, "den").await];
        for member in [&bob, &judge, &peer] {
            member.client.channels().join(&open.id).await.unwrap();
        }
        ada.client.channels().add(&den.id, ["bob", "judge"]).await.unwrap();
        let [first, second] = [post(&bob, &open, "a").await, post(&bob, &den, "b").await];
        let act = |by: &Member, message: &ChannelMessage| {
            let subject = Subject::channel_message(&message.message_id);
            by.client.moderation().act(subject, ModerationActionType::Remove, "the rules")
        };
        let refused = act(&peer, &second).await;
        assert_eq!(code::<CreateModerationAction>(refused), Code::NotFound, "it is private");
        for message in [&first, &second] {
            act(&judge, message).await.unwrap();
        }
        for message in [post(&peer, &open, "mine").await, post(&judge, &open, "own").await] {
            let refused = act(&judge, &message).await;
            assert_eq!(code::<CreateModerationAction>(refused), Code::Forbidden);
        }
        assert_eq!(read(&ada.client, &open, Order::Asc).await, ["mine", "own"]);
        let last = post(&bob, &open, "c").await;
        ada.client.channels().delete(&open.id).await.unwrap();
        let refused = act(&judge, &last).await;
        assert_eq!(code::<CreateModerationAction>(refused), Code::WrongState);
        counts::are_right(&app).await;
    }
}
