//! Reports: made by accounts, worked by moderators.

mod conflicts;

use http::Method;
use serde_json::json;
use svc_client::Call;
use svc_client::types::api::moderation::{
    ListModerationReports, ModerationActionType, ReportOutcome,
};
use svc_client::types::api::reports::{
    CreateReport, Report, ReportReason, ReportStatus, Subject, SubjectType,
};
use svc_client::types::{Code, ReportId};

use crate::app::{Member, TestApp, all_items, fault};
use crate::on_both_engines;
use crate::raw::answer;

async fn report(by: &Member, subject: Subject) -> Report {
    by.client.reports().create(subject, ReportReason::Spam).await.unwrap().report
}

async fn moderator(app: &TestApp, name: &str) -> Member {
    let member = app.agent(name).await;
    app.grant_role(name, "moderator").await;
    member
}

fn ids(reports: Vec<Report>) -> Vec<ReportId> {
    reports.into_iter().map(|report| report.id).collect()
}

on_both_engines! {
    async fn every_kind_of_subject_can_be_reported_and_is_preserved(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let judge = moderator(&app, "judge").await;
        let post = eve.post("buy my #tokens").await;
        let message = eve.write(&ada, "psst, tokens").await;
        let service = eve.client.services().create("mint", "mints tokens", 5).await.unwrap().service;
        let room = eve.client.channels().create("mints").await.unwrap().channel;
        let said = eve.client.channels().post(&room.id, "free tokens").await.unwrap().message;
        let subjects = [
            (Subject::user("Eve"), eve.user.id.to_string()),
            (Subject::post(&post.id), post.id.to_string()),
            (Subject::message(&message.message_id), message.message_id.to_string()),
            (Subject::service(&service.id), service.id.to_string()),
            (Subject::channel(&room.id), room.id.to_string()),
            (Subject::channel_message(&said.message_id), said.message_id.to_string()),
        ];
        for (subject, id) in subjects {
            let call = ada.client.reports().create(subject.clone(), ReportReason::Scam);
            let made = call.comment("a trick").await.unwrap().report;
            assert!(made.id.as_str().starts_with("rpt_"), "{}", made.id);
            assert_eq!(made.subject, Subject::new(subject.kind, id));
            assert_eq!((made.status, made.comment.as_deref()), (ReportStatus::Open, Some("a trick")));
            assert_eq!((made.reporter, made.snapshot, made.note), (None, None, None));
        }
        eve.client.users().update_me().display_name("Angel").await.unwrap();
        eve.client.posts().edit(&post.id).content("I love you all").await.unwrap();
        eve.client.posts().delete(&post.id).await.unwrap();
        eve.client.messages().delete(&message.message_id).await.unwrap();
        eve.client.services().delete(&service.id).await.unwrap();
        eve.client.channels().delete_message(&room.id, &said.message_id).await.unwrap();
        eve.client.channels().delete(&room.id).await.unwrap();
        let kept = all_items(judge.client.moderation().reports()).await;
        let kept: Vec<_> = kept.into_iter().rev().collect();
        let member = |report: &Report, name: &str| report.snapshot.as_ref().unwrap()[name].clone();
        assert_eq!(member(&kept[0], "displayName"), "eve");
        assert_eq!(member(&kept[1], "content"), "buy my #tokens");
        assert_eq!(member(&kept[2], "content"), "psst, tokens");
        assert_eq!(member(&kept[3], "description"), "mints tokens");
        assert_eq!(member(&kept[3], "username"), "eve");
        assert_eq!(member(&kept[4], "name"), "mints");
        assert_eq!(member(&kept[5], "content"), "free tokens");
        assert_eq!(member(&kept[5], "channelId"), room.id.as_str());
        assert!(kept.iter().all(|report| report.reporter.as_ref().unwrap().username == "ada"));
        for report in [&kept[0], &kept[1], &kept[4]] {
            let copy = report.snapshot.as_ref().unwrap();
            let private = ["viewer", "email", "emailVerified", "role", "status"];
            assert!(private.iter().all(|name| !copy.contains_key(*name)), "{copy:?}");
        }
        let one = judge.client.moderation().report(&kept[1].id).await.unwrap().report;
        assert_eq!(one, kept[1]);
    }

    async fn a_reported_message_is_preserved_without_access_tokens(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let judge = moderator(&app, "judge").await;
        let room = eve.client.channels().create("works").await.unwrap().channel.id;
        let private = json!({ "recipientUsername": "ada" });
        let sayings = [
            ("/messages".to_owned(), private, SubjectType::Message),
            (format!("/channels/{room}/messages"), json!({}), SubjectType::ChannelMessage),
        ];
        for (path, mut said, kind) in sayings {
            said["content"] = "psst".into();
            said["schema"] = "work".into();
            said["payload"] = json!({ "accessToken": "secret-word", "branch": "main" });
            let sent = answer(eve.raw(&app, Method::POST, &path).json(&said)).await.json();
            let id = sent["message"]["messageId"].as_str().unwrap();
            report(&ada, Subject::new(kind, id)).await;
            let kept = judge.client.moderation().reports().await.unwrap().reports;
            let kept = kept[0].snapshot.as_ref().unwrap();
            assert_eq!(kept["content"], "psst");
            assert_eq!(kept["payload"], json!({ "branch": "main" }), "{path}");
        }
    }

    async fn you_cannot_report_yourself_or_a_subject_twice(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let post = eve.post("spam").await;
        for own in [Subject::user("eve"), Subject::user(&eve.user.id), Subject::post(&post.id)] {
            let refused = eve.client.reports().create(own, ReportReason::Spam).await;
            assert_eq!(fault::<CreateReport>(refused), (Code::SelfAction, "/subject/id".into()));
        }
        let first = report(&ada, Subject::post(&post.id)).await;
        let of_eve = report(&ada, Subject::user("eve")).await;
        let again = || ada.client.reports().create(Subject::post(&post.id), ReportReason::Illegal);
        let eve_again = ada.client.reports().create(Subject::user("eve"), ReportReason::Illegal);
        for (again, open) in [(again(), &first), (eve_again, &of_eve)] {
            let refused = again.await.unwrap_err();
            let expected = (Some(&Code::AlreadyExists), Some(open.id.as_str()));
            assert_eq!((refused.code(), refused.hint()), expected);
        }
        let judge = moderator(&app, "judge").await;
        report(&judge, Subject::post(&post.id)).await;
        judge.client.moderation().resolve(&first.id, ReportOutcome::Dismissed).await.unwrap();
        let second = again().await.unwrap().report;
        let refused = judge.client.moderation().reopen(&first.id).await.unwrap_err();
        assert_eq!((refused.code(), refused.hint()), (Some(&Code::WrongState), Some(second.id.as_str())));
    }

    async fn invisible_subjects_cannot_be_reported(app: TestApp) {
        let [ada, eve, bob] = app.agents(["ada", "eve", "bob"]).await;
        let judge = moderator(&app, "judge").await;
        let hidden = eve.post("hidden").await;
        app.hide(&hidden).await;
        let message = eve.write(&ada, "psst").await;
        let gone = eve.write(&ada, "gone").await;
        ada.client.messages().delete(&gone.message_id).await.unwrap();
        let service = eve.client.services().create("mint", "mints", 5).await.unwrap().service;
        eve.client.services().delete(&service.id).await.unwrap();
        app.suspend("bob").await;
        let unknown = [
            (&ada, Subject::user("nobody")),
            (&ada, Subject::user("bob")),
            (&ada, Subject::user(&bob.user.id)),
            (&ada, Subject::post("post_00000000000000000000000000")),
            (&ada, Subject::post(&hidden.id)),
            (&ada, Subject::post(&eve.user.id)),
            (&judge, Subject::message(&message.message_id)),
            (&ada, Subject::message(&gone.message_id)),
            (&ada, Subject::service(&service.id)),
            (&ada, Subject::new(SubjectType::Channel, "chan_00000000000000000000000000")),
            (&ada, Subject::channel_message("msg_00000000000000000000000000")),
            (&ada, Subject::channel_message(&message.message_id)),
        ];
        for (who, subject) in unknown {
            let refused = who.client.reports().create(subject.clone(), ReportReason::Spam).await;
            let expected = (Code::NotFound, "/subject/id".to_owned());
            assert_eq!(fault::<CreateReport>(refused), expected, "{subject:?}");
        }
    }

    async fn a_report_is_checked_like_any_request(app: TestApp) {
        let [ada, _eve] = app.agents(["ada", "eve"]).await;
        let subject = json!({ "type": "user", "id": "eve" });
        let cases = [
            (json!({}), "subject"),
            (json!({ "subject": subject }), "reason"),
            (json!({ "subject": "eve", "reason": "spam" }), "subject"),
            (json!({ "subject": { "type": "user" }, "reason": "spam" }), "/subject/id"),
            (json!({ "subject": { "id": "eve" }, "reason": "spam" }), "/subject/type"),
            (json!({ "subject": { "type": "galaxy", "id": "eve" }, "reason": "spam" }), "/subject/type"),
            (json!({ "subject": { "type": "user", "id": "" }, "reason": "spam" }), "/subject/id"),
            (json!({ "subject": subject, "reason": "ugly" }), "reason"),
            (json!({ "subject": subject, "reason": "spam", "comment": "x".repeat(2001) }), "comment"),
            (json!({ "subject": subject, "reason": "spam", "comment": null }), "comment"),
        ];
        for (members, field) in cases {
            let request = ada.raw(&app, Method::POST, "/reports").json(&members);
            let refused = answer(request).await.refusal();
            assert_eq!((refused.code, refused.field.as_deref()), (Code::ValidationFailed, Some(field)));
        }
        let key = ada.key.expose();
        let call = ada.client.reports().create(Subject::user("eve"), ReportReason::Spam);
        let refused = call.clone().comment(format!("she has {key}")).await;
        assert_eq!(fault::<CreateReport>(refused), (Code::CredentialInContent, "comment".into()));
        let made = call.comment("x".repeat(2000)).await.unwrap().report;
        assert_eq!(made.comment.map(|text| text.len()), Some(2000));
    }

    async fn reporters_see_their_reports_and_outcomes(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let judge = moderator(&app, "judge").await;
        let mut made = Vec::new();
        for text in ["one", "two", "three"] {
            let message = eve.write(&ada, text).await;
            made.insert(0, report(&ada, Subject::message(&message.message_id)).await.id);
        }
        let of_bob = report(&bob, Subject::user("eve")).await;
        assert_eq!(ids(all_items(ada.client.reports().list().limit(2)).await), made);
        assert_eq!(ids(all_items(bob.client.reports().list()).await), [of_bob.id]);
        let moderation = judge.client.moderation();
        moderation.assign(&made[1]).await.unwrap();
        moderation.resolve(&made[1], ReportOutcome::Actioned).note("seen").await.unwrap();
        let open = ada.client.reports().list().status(ReportStatus::Open).await.unwrap().reports;
        assert_eq!(ids(open), [made[0].clone(), made[2].clone()]);
        let done = ada.client.reports().list().status(ReportStatus::Resolved).await.unwrap().reports;
        assert_eq!((done[0].note.clone(), done[0].resolved_at.is_some()), (None, true));
        assert!(done[0].assignee.is_none() && done[0].snapshot.is_none(), "nor who decided");
    }

    async fn the_queue_supports_each_filter(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let [judge, other] = [moderator(&app, "judge").await, moderator(&app, "other").await];
        let post = eve.post("spam").await;
        let first = report(&ada, Subject::post(&post.id)).await.id;
        let call = bob.client.reports().create(Subject::user("eve"), ReportReason::Scam);
        let second = call.await.unwrap().report.id;
        let third = report(&bob, Subject::post(&post.id)).await.id;
        let queue = || judge.client.moderation().reports();
        judge.client.moderation().assign(&second).await.unwrap();
        judge.client.moderation().assign(&third).username("other").await.unwrap();
        other.client.moderation().resolve(&third, ReportOutcome::Dismissed).await.unwrap();
        let found = |call: Call<ListModerationReports>| async { ids(all_items(call.limit(1)).await) };
        // The newest first.
        let all = [third, second, first];
        assert_eq!(found(queue()).await, all);
        assert_eq!(found(queue().status(ReportStatus::Open)).await, all[1..]);
        assert_eq!(found(queue().status(ReportStatus::Dismissed)).await, all[..1]);
        assert_eq!(found(queue().reason(ReportReason::Scam)).await, all[1..2]);
        let spam = queue().reason(ReportReason::Spam).limit(1);
        let page = spam.clone().page().await.unwrap();
        let next = spam.after(page.next_cursor.unwrap()).page().await.unwrap();
        assert_eq!(ids([page.items, next.items].concat()), [all[0].clone(), all[2].clone()]);
        assert_eq!(found(queue().subject_type(SubjectType::User)).await, all[1..2]);
        assert_eq!(found(queue().assignee("judge")).await, all[1..2]);
        assert_eq!(found(queue().assignee("OTHER")).await, all[..1]);
        let both = queue().assignee("judge").reason(ReportReason::Scam);
        assert_eq!(found(both.subject_type(SubjectType::User)).await, all[1..2]);
        let both = queue().reason(ReportReason::Spam).status(ReportStatus::Open);
        assert_eq!(found(both).await, all[2..]);
        let both = queue().reason(ReportReason::Spam).status(ReportStatus::Dismissed);
        assert_eq!(found(both.subject_type(SubjectType::Post)).await, all[..1]);
        let none = queue().assignee("judge").status(ReportStatus::Resolved);
        assert_eq!(found(none).await, all[..0]);
        for empty in [
            queue().assignee("judge").reason(ReportReason::Spam),
            queue().assignee("judge").subject_type(SubjectType::Post),
            queue().status(ReportStatus::Open).reason(ReportReason::Scam).subject_type(SubjectType::Post),
            queue().reason(ReportReason::Spam).subject_type(SubjectType::User),
            queue().subject_type(SubjectType::User).status(ReportStatus::Dismissed),
        ] {
            assert_eq!(found(empty).await, all[..0]);
        }
        let refused = queue().assignee("nobody").await.unwrap_err();
        assert_eq!((refused.code(), refused.field()), (Some(&Code::NotFound), Some("assignee")));
    }

    async fn a_report_goes_from_open_to_its_end_and_back(app: TestApp) {
        let [ada, _eve] = app.agents(["ada", "eve"]).await;
        let [judge, other] = [moderator(&app, "judge").await, moderator(&app, "other").await];
        let id = report(&ada, Subject::user("eve")).await.id;
        let moderation = judge.client.moderation();
        let seen = moderation.assign(&id).await.unwrap().report;
        assert_eq!(seen.assignee.unwrap().username, "judge");
        let seen = moderation.assign(&id).username(&other.user.id).await.unwrap().report;
        assert_eq!(seen.assignee.unwrap().username, "other");
        let refused = moderation.assign(&id).username("ada").await.unwrap_err();
        assert_eq!((refused.code(), refused.field()), (Some(&Code::ValidationFailed), Some("username")));
        let refused = moderation.assign(&id).username("nobody").await.unwrap_err();
        assert_eq!((refused.code(), refused.field()), (Some(&Code::NotFound), Some("username")));
        moderator(&app, "third").await;
        app.suspend("third").await;
        let refused = moderation.assign(&id).username("third").await.unwrap_err();
        assert_eq!((refused.code(), refused.field()), (Some(&Code::ValidationFailed), Some("username")));
        let refused = moderation.reopen(&id).await.unwrap_err();
        assert_eq!((refused.code(), refused.hint()), (Some(&Code::WrongState), Some("open")));
        let done = moderation.resolve(&id, ReportOutcome::Actioned).note("warned").await.unwrap().report;
        assert_eq!((done.status, done.note.as_deref()), (ReportStatus::Resolved, Some("warned")));
        assert_eq!(done.resolved_at, Some(app.server.clock().now()));
        for refused in [
            moderation.assign(&id).await.unwrap_err(),
            moderation.resolve(&id, ReportOutcome::Dismissed).await.unwrap_err(),
        ] {
            assert_eq!((refused.code(), refused.hint()), (Some(&Code::WrongState), Some("resolved")));
        }
        let open = moderation.reopen(&id).await.unwrap().report;
        assert_eq!((open.status, open.resolved_at, open.note.as_deref()), (ReportStatus::Open, None, Some("warned")));
        let done = moderation.resolve(&id, ReportOutcome::Dismissed).await.unwrap().report;
        assert_eq!((done.status, done.note.as_deref()), (ReportStatus::Dismissed, Some("warned")));
        let note = moderation.reopen(&id).note(judge.key.expose());
        assert_eq!(note.await.unwrap_err().code(), Some(&Code::CredentialInContent));
        let logged = svc_store::sql!(
            "select count(*) from audit_log l join account a on a.id = l.actor
             where a.username = 'judge' and l.action like 'report%'"
        );
        assert_eq!(app.count(logged).await, 5, "two assignments, two ends, one return");
        let missing = moderation.report("rpt_00000000000000000000000000").await.unwrap_err();
        assert_eq!(missing.code(), Some(&Code::NotFound));
    }

    async fn a_report_that_is_reopened_leaves_the_others_closed(app: TestApp) {
        let [ada, bob, _eve] = app.agents(["ada", "bob", "eve"]).await;
        let judge = moderator(&app, "judge").await;
        let by_ada = report(&ada, Subject::user("eve")).await.id;
        let by_bob = report(&bob, Subject::user("eve")).await.id;
        let other = report(&ada, Subject::user("bob")).await.id;
        let moderation = judge.client.moderation();
        for id in [&by_ada, &by_bob] {
            moderation.resolve(id, ReportOutcome::Actioned).await.unwrap();
        }
        moderation.reopen(&by_ada).await.unwrap();
        let open = moderation.reports().status(ReportStatus::Open).await.unwrap().reports;
        assert_eq!(ids(open), [other, by_ada]);
        // Another report about the same account, and another by the same one, are not in the way.
        moderation.reopen(&by_bob).await.unwrap();
    }

    async fn an_action_links_a_report_and_does_not_end_it(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let judge = moderator(&app, "judge").await;
        let post = eve.post("spam").await;
        let id = report(&ada, Subject::post(&post.id)).await.id;
        let moderation = judge.client.moderation();
        let act = |report: &str| {
            let subject = Subject::post(&post.id);
            moderation.act(subject, ModerationActionType::Hide, "spam").report(report)
        };
        let done = act(id.as_str()).await.unwrap().action;
        assert_eq!(done.report_id.as_ref(), Some(&id));
        assert_eq!(moderation.report(&id).await.unwrap().report.status, ReportStatus::Open);
        let refused = act("rpt_00000000000000000000000000").await.unwrap_err();
        assert_eq!((refused.code(), refused.field()), (Some(&Code::NotFound), Some("reportId")));
    }
}
