//! Messages that are reported and moderated, by forms.

use std::slice;

use http::StatusCode;
use svc_client::types::api::channels::ChannelVisibility;
use svc_client::types::api::reports::{ReportReason, Subject};

use super::{acts, links, offered, reports};
use crate::browser::{Browser, PASSWORD};
use crate::on_both_engines;

on_both_engines! {
    async fn a_message_is_moderated_from_its_report(app: TestApp) {
        let [bob, eve] = app.agents(["bob", "eve"]).await;
        let sent = eve.write(&bob, "send me your <key>").await;
        let reporting = bob.client.reports().create(Subject::message(&sent.message_id), ReportReason::Scam);
        let report = reporting.await.unwrap().report.id;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let browser = Browser::of(&app, "mia").await;
        let page = browser.get(&format!("/moderation/reports/{report}")).await;
        let act = format!("/moderation/act?subject.type=message&subject.id={}&reportId={report}", sent.message_id);
        assert!(page.text.contains(&act.replace('&', "&amp;")), "{}", page.text);
        let question = browser.get(&act).await;
        assert!(question.text.contains("send me your &#60;key&#62;") && question.text.contains("@eve"), "{}", question.text);
        assert_eq!(offered(&question), ["hide", "remove"]);
        let other = browser.get(&act.replace(sent.message_id.as_str(), "msg_none")).await;
        assert_eq!(other.status, StatusCode::OK);
        assert!(!other.text.contains("send me your"), "the report is of another message: {}", other.text);
        acts(&browser, &act, &[("type", "remove")]).await;
        assert!(offered(&browser.get(&act).await).is_empty());
        let page = browser.get(&format!("/moderation/reports/{report}")).await;
        assert!(links(&page, "/moderation/act").is_empty() && page.text.contains("nothing left to do"), "{}", page.text);
    }

    async fn a_moderator_moderates_a_message_from_where_it_was_received(app: TestApp) {
        let bob = app.agent("bob").await;
        let mia = app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let eve = app.person("eve", PASSWORD).await;
        app.follow(&mia, &bob).await;
        let [of_mia, of_eve] = [Browser::of(&app, "mia").await, Browser::of(&app, "eve").await];
        let sent = bob.write(&mia, "send me your <key>").await;
        let act = format!("/moderation/act?subject.type=message&subject.id={}", sent.message_id);
        let link = format!("href=\"{}\"", act.replace('&', "&amp;"));
        let talk = format!("/messages/{}", sent.conversation_id);
        assert!(of_mia.get(&talk).await.text.contains(&link));
        let question = of_mia.get(&act).await;
        assert!(question.text.contains("send me your &#60;key&#62;") && question.text.contains("@bob"), "{}", question.text);
        assert!(question.text.contains(&talk), "it leads back: {}", question.text);
        assert_eq!(offered(&question), ["hide", "remove"]);
        acts(&of_mia, &act, &[("type", "hide")]).await;
        assert!(!of_mia.get(&talk).await.text.contains("send me your"));
        assert_eq!(offered(&of_mia.get(&act).await), ["restore", "remove"]);
        acts(&of_mia, &act, &[("type", "restore")]).await;
        assert!(of_mia.get(&talk).await.text.contains("send me your"));

        let own = mia.write(&bob, "no").await;
        assert_eq!(of_mia.get(&talk).await.text.matches("/moderation/act").count(), 1, "{}", own.message_id);
        let other = bob.write(&eve, "and yours?").await;
        let talk = format!("/messages/{}", other.conversation_id);
        assert!(!of_eve.get(&talk).await.text.contains("/moderation/act"), "eve is no moderator");
        let act = format!("/moderation/act?subject.type=message&subject.id={}", other.message_id);
        assert!(offered(&of_mia.get(&act).await).is_empty(), "nobody reported it to mia");
        let fields = [
            ("subject.type", "message"), ("subject.id", other.message_id.as_str()), ("type", "hide"), ("reason", "a test"),
        ];
        assert_eq!(of_mia.post("/moderation/act", &fields).await.status, StatusCode::NOT_FOUND);
    }

    async fn a_received_message_is_reported_and_removed(app: TestApp) {
        let bob = app.agent("bob").await;
        let ada = app.person("ada", PASSWORD).await;
        app.follow(&ada, &bob).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let [of_ada, of_mia] = [Browser::of(&app, "ada").await, Browser::of(&app, "mia").await];
        let sent = bob.write(&ada, "send me your <key>").await;
        ada.write(&bob, "no").await;
        let talk = format!("/messages/{}", sent.conversation_id);
        assert!(links(&of_ada.get(&talk).await, "/moderation").is_empty(), "ada is no moderator");
        let there = reports(&of_ada, &talk, "message").await;
        assert_eq!(there, format!("{talk}#{}", sent.message_id));
        let deleting = of_ada.get(&format!("{talk}/delete/{}", sent.message_id)).await;
        assert!(links(&deleting, "/report").is_empty(), "{}", deleting.text);

        let queue = of_mia.get("/moderation").await;
        assert!(queue.text.contains("Fraud: a message"), "{}", queue.text);
        let report = ada.client.reports().list().await.unwrap().reports.remove(0).id;
        let page = of_mia.get(&format!("/moderation/reports/{report}")).await;
        let act = links(&page, "/moderation/act").remove(0);
        assert_eq!(offered(&of_mia.get(&act).await), ["hide", "remove"]);
        acts(&of_mia, &act, &[("type", "remove")]).await;
        assert!(!of_ada.get(&talk).await.text.contains("send me your"));
        assert!(of_mia.get("/moderation/log").await.text.contains(sent.message_id.as_str()));
    }

    async fn a_message_of_a_private_channel_is_reported_and_removed(app: TestApp) {
        let bob = app.agent("bob").await;
        let ada = app.person("ada", PASSWORD).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let [of_ada, of_mia] = [Browser::of(&app, "ada").await, Browser::of(&app, "mia").await];
        let channels = bob.client.channels();
        let making = channels.create("den").visibility(ChannelVisibility::Private);
        let den = making.await.unwrap().channel.id;
        channels.add(&den, ["ada"]).await.unwrap();
        let message = channels.post(&den, "send me your <key>").await.unwrap().message.message_id;
        ada.client.channels().post(&den, "no").await.unwrap();
        let path = format!("/channels/{den}");
        assert_eq!(reports(&of_ada, &path, "channel_message").await, format!("{path}#{message}"));
        assert_eq!(of_mia.get(&path).await.status, StatusCode::NOT_FOUND);

        let report = ada.client.reports().list().await.unwrap().reports.remove(0).id;
        let page = of_mia.get(&format!("/moderation/reports/{report}")).await;
        for shown in ["Fraud: a message", "send me your &#60;key&#62;", "@bob", "Written <time"] {
            assert!(page.text.contains(shown), "{shown}: {}", page.text);
        }
        let act = links(&page, "/moderation/act").remove(0);
        let question = of_mia.get(&act).await;
        assert!(question.text.contains("send me your &#60;key&#62;") && question.text.contains("@bob"), "{}", question.text);
        assert!(links(&question, "/channels/").is_empty(), "mia can't read it there: {}", question.text);
        assert_eq!(offered(&question), ["remove"]);
        for field in ["label", "expiresIn"] {
            assert!(!question.text.contains(&format!("name=\"{field}\"")), "{field}: {}", question.text);
        }
        let second = channels.post(&den, "or your password").await.unwrap().message.message_id;
        let reporting = Subject::channel_message(&second);
        ada.client.reports().create(reporting, ReportReason::Scam).await.unwrap();
        channels.delete_message(&den, &second).await.unwrap();
        let act_on_second = format!("/moderation/act?subject.type=channel_message&subject.id={second}&of={den}");
        let deleted = of_mia.get(&act_on_second).await;
        assert!(offered(&deleted).is_empty(), "bob deleted it where mia can't look: {}", deleted.text);
        acts(&of_mia, &act, &[("type", "remove")]).await;
        assert!(!of_ada.get(&path).await.text.contains("send me your"));
        let done = of_mia.get(&act).await;
        assert!(offered(&done).is_empty() && done.text.contains("nothing left to do"), "{}", done.text);
        assert!(of_mia.get("/moderation/log").await.text.contains(message.as_str()));
    }

    async fn a_moderator_removes_a_message_of_a_public_channel(app: TestApp) {
        let bob = app.agent("bob").await;
        let mia = app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        app.person("eve", PASSWORD).await;
        let [of_mia, of_eve] = [Browser::of(&app, "mia").await, Browser::of(&app, "eve").await];
        let channels = bob.client.channels();
        let room = channels.create("the-room").await.unwrap().channel.id;
        mia.client.channels().join(&room).await.unwrap();
        let message = channels.post(&room, "buy <this>").await.unwrap().message.message_id;
        mia.client.channels().post(&room, "don't").await.unwrap();
        let (path, of_messages) = (format!("/channels/{room}"), "/moderation/act?subject.type=channel_message&");
        let seen_by_eve = of_eve.get(&path).await;
        assert_eq!(links(&seen_by_eve, "/report?subject.type=channel_message&").len(), 2);
        assert!(seen_by_eve.text.contains("buy &lt;this&gt;"), "{}", seen_by_eve.text);
        assert!(links(&seen_by_eve, "/moderation").is_empty(), "eve is no moderator");
        let guest = Browser::new(&app).get(&path).await;
        assert!(links(&guest, "/report").is_empty() && links(&guest, "/moderation").is_empty());

        let act = format!("{of_messages}subject.id={message}&of={room}");
        assert_eq!(links(&of_mia.get(&path).await, of_messages), slice::from_ref(&act), "not their own");
        let question = of_mia.get(&act).await;
        assert!(question.text.contains("buy &#60;this&#62;") && question.text.contains("@bob"), "{}", question.text);
        assert_eq!(links(&question, "/channels/")[0], format!("{path}#{message}"), "it leads back");
        assert_eq!(offered(&question), ["remove"]);
        acts(&of_mia, &act, &[("type", "remove")]).await;
        assert!(!of_eve.get(&path).await.text.contains("buy &lt;this&gt;"));
        assert!(of_mia.get(&act).await.text.contains("nothing left to do"));

        let message = channels.post(&room, "or that").await.unwrap().message.message_id;
        let act = format!("{of_messages}subject.id={message}&of={room}");
        assert_eq!(offered(&of_mia.get(&act).await), ["remove"]);
        channels.delete_message(&room, &message).await.unwrap();
        let gone = of_mia.get(&act).await;
        assert!(gone.text.contains("nothing left to do") && offered(&gone).is_empty(), "{}", gone.text);
    }
}
