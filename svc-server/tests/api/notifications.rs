//! In-app notifications: lists, counts, read state, preferences.

use http::Method;
use serde_json::json;
use svc_client::types::api::notifications::{
    ChannelsUpdate, CountUnreadNotifications, DeleteNotification, GetNotification,
    ListNotifications, Notification, NotificationType, NotifyFrom, ReadNotification,
    ReadNotifications,
};
use svc_client::types::{Code, EventId, Id, NotificationId, UserId};
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items, code, fault};
use crate::market::is_consistent;
use crate::raw::answer;
use crate::{on_both_engines, past};

fn ids(notices: &[Notification]) -> Vec<&str> {
    notices.iter().map(|notice| notice.id.as_str()).collect()
}

async fn listed(member: &Member) -> Vec<Notification> {
    all_items(member.client.notifications().list().limit(2)).await
}

async fn unread(member: &Member) -> u32 {
    member.client.notifications().unread_count().await.unwrap().unread_count
}

/// Notifications of an account as they might have arrived, numbered from 1: type and post of each.
async fn assert_notified(
    app: &TestApp,
    to: &UserId,
    notices: &'static [(&'static str, Option<&'static str>)],
) {
    let to = to.clone();
    let write = app.server.app().write(move |ctx| {
        for (index, (kind, post)) in notices.iter().enumerate() {
            let seq = i64::try_from(index).unwrap() + 1;
            let (id, now): (EventId, _) = (ctx.id(), ctx.now());
            ctx.tx.execute(
                sql!(
                    "insert into account_event
                        (account, seq, event, type, listed, read, post, created_at)
                     values ($1, $2, $3, $4, true, false, $5, $6)"
                ),
                values![to, seq, id, *kind, *post, now],
            )?;
        }
        past::complete(ctx, &to)
    });
    write.await.unwrap();
}

on_both_engines! {
    async fn a_message_notification_has_a_number(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        assert_eq!(listed(&bob).await, []);
        let message = ada.write(&bob, "psst").await;
        let read = answer(bob.raw(&app, Method::GET, "/notifications")).await.json();
        let number = message.message_id.as_str().strip_prefix("msg_").unwrap();
        assert_eq!(read, json!({ "unreadCount": 1, "notifications": [{
            "id": format!("ntf_{number}"), "eventId": format!("evt_{number}"), "type": "direct_message",
            "actor": { "id": ada.user.id, "username": "ada", "displayName": "ada",
                "avatar": ada.user.avatar, "isAgent": true, "tier": "free" },
            "messageId": message.message_id, "groupKey": format!("direct_message:{}", ada.user.id),
            "read": false, "createdAt": "2026-01-31T09:30:00.000Z",
        }] }));
        assert_eq!(listed(&ada).await, [], "no account is notified of its own acts");
        let notice = bob.client.notifications().get(format!("ntf_{number}")).await.unwrap().notification;
        assert_eq!(bob.client.events().list().await.unwrap().events[0].id, notice.event_id);
    }

    async fn the_list_is_filtered_and_paged(app: TestApp) {
        let ada = app.agent("ada").await;
        assert_notified(&app, &ada.user.id, &[
            ("like", Some("post_1")), ("follow", None), ("like", Some("post_2")), ("reply", Some("post_1")),
            ("direct_message", None), ("like", Some("post_1")), ("system", None),
        ]).await;
        let all = listed(&ada).await;
        let kinds = |notices: &[Notification]| notices.iter().map(|notice| notice.r#type.to_string()).collect::<Vec<_>>();
        assert_eq!(kinds(&all), ["system", "like", "direct_message", "reply", "like", "follow", "like"]);
        let keys: Vec<&str> = all.iter().map(|notice| notice.group_key.as_str()).collect();
        let own = format!("system:{}", all[0].event_id);
        assert_eq!(keys[..2], [own.as_str(), "like:post_1"], "the text of each says something else");
        assert_eq!(keys[3..6], ["reply:post_1", "like:post_2", "follow"]);
        let list = || ada.client.notifications().list().limit(1);
        let likes = all_items(list().types(vec![NotificationType::Like, NotificationType::Reply])).await;
        assert_eq!(kinds(&likes), ["like", "reply", "like", "like"]);
        let rest = all_items(list().exclude_types(vec![NotificationType::Like, NotificationType::System])).await;
        assert_eq!(kinds(&rest), ["direct_message", "reply", "follow"]);
        let both = list().types(vec![NotificationType::Like]).exclude_types(vec![NotificationType::Like]);
        assert_eq!(all_items(both).await, []);
        ada.client.notifications().read(&all[1].id).await.unwrap();
        let new = all_items(list().unread(true)).await;
        assert_eq!(kinds(&new), ["system", "direct_message", "reply", "like", "follow", "like"]);
        let new = all_items(list().unread(true).types(vec![NotificationType::Like])).await;
        assert_eq!(ids(&new), [&*all[4].id.to_string(), all[6].id.as_str()]);
        assert_eq!(all_items(list().types(vec![NotificationType::Like])).await.len(), 3, "read ones among them");
        let page = list().types(vec![NotificationType::Like]).await.unwrap();
        assert_eq!(page.unread_count, 2, "of the types asked for");
        let other = list().after(page.next_cursor.clone().unwrap()).await;
        assert_eq!(code::<ListNotifications>(other), Code::InvalidCursor, "a cursor belongs to its filter");
    }

    async fn the_unread_count_stops_at_a_thousand(app: TestApp) {
        let ada = app.agent("ada").await;
        let count = || ada.client.notifications().unread_count();
        let read = answer(ada.raw(&app, Method::GET, "/notifications/unread-count")).await.json();
        assert_eq!(read, json!({ "unreadCount": 0, "byType": {} }));
        let id = ada.user.id.clone();
        app.execute(move |ctx| {
            let sql = sql!(
                "with recursive n (i) as (select 1 union all select i + 1 from n where i < 1500)
                 insert into account_event (account, seq, event, type, listed, read, created_at)
                 select $1, i, 'evt_' || cast(i as text),
                    case when i <= 1000 then 'like' when i <= 1400 then 'reply' else 'follow' end,
                    true, i > 1450, 0
                 from n"
            );
            ctx.tx.execute(sql, values![id])?;
            past::complete(ctx, &id)
        }).await;
        let all = count().await.unwrap();
        assert_eq!((all.unread_count, all.capped), (1000, Some(true)));
        assert_eq!(all.by_type, [("follow".into(), 50), ("like".into(), 1000), ("reply".into(), 400)].into());
        let some = count().types(vec![NotificationType::Like]).await.unwrap();
        assert_eq!((some.unread_count, some.capped, some.by_type.len()), (1000, None, 1), "exact to 1000");
        let some = count().types(vec![NotificationType::Reply, NotificationType::Follow]).await.unwrap();
        assert_eq!((some.unread_count, some.capped), (450, None));
        assert_eq!(ada.client.notifications().list().await.unwrap().unread_count, 1000);
        assert_eq!(ada.client.notifications().read_all().await.unwrap().marked, 1450);
        assert_eq!(unread(&ada).await, 0);
    }

    async fn every_type_is_counted_and_marked(app: TestApp) {
        let ada = app.agent("ada").await;
        let id = ada.user.id.clone();
        app.execute(move |ctx| {
            let sql = sql!(
                "insert into account_event (account, seq, event, type, listed, read, created_at)
                 values ($1, $2, $3, $4, true, false, 0)"
            );
            for (seq, word) in (1_i64..).zip(NotificationType::WORDS) {
                ctx.tx.execute(sql, values![id, seq, format!("evt_{seq}"), *word])?;
            }
            past::complete(ctx, &id)
        }).await;
        let all = ada.client.notifications().unread_count().await.unwrap();
        let number = NotificationType::WORDS.len();
        assert_eq!(all.by_type.len(), number);
        assert_eq!(ada.client.notifications().list().unread(true).await.unwrap().notifications.len(), number);
        assert_eq!(ada.client.notifications().read_all().await.unwrap().marked, number as u64);
    }

    async fn notifications_are_marked_as_read_in_four_ways(app: TestApp) {
        let ada = app.agent("ada").await;
        assert_notified(&app, &ada.user.id, &[
            ("like", Some("post_1")), ("follow", None), ("mention", Some("post_2")), ("reply", Some("post_1")),
            ("follow", None), ("repost", Some("post_2")), ("follow", None), ("system", None),
        ]).await;
        let all = listed(&ada).await;
        let id = |number: usize| all[all.len() - number].id.clone();
        let notices = ada.client.notifications();
        let done = |marked: u64, unread_count: u32| (marked, unread_count);
        let of = |answer: svc_client::types::api::notifications::NotificationsRead| (answer.marked, answer.unread_count);
        let strangers = NotificationId::from("ntf_none");
        let marked = notices.read_all_of([id(2), id(2), strangers]).await.unwrap();
        assert_eq!(of(marked), done(1, 7), "once, without the notifications of other accounts");
        assert_eq!(of(notices.read_of_post("post_1").await.unwrap()), done(2, 5));
        assert_eq!(of(notices.read_of_post("post_9").await.unwrap()), done(0, 5));
        assert_eq!(of(notices.read_up_to(id(5)).await.unwrap()), done(2, 3));
        let one = notices.read(id(6)).await.unwrap().notification;
        assert!(one.read);
        assert!(notices.read(id(6)).await.unwrap().notification.read, "twice is once");
        let state: Vec<bool> = listed(&ada).await.iter().rev().map(|notice| notice.read).collect();
        assert_eq!(state, [true, true, true, true, true, true, false, false]);
        assert_eq!(of(notices.read_all().await.unwrap()), done(2, 0));
        assert_eq!(of(notices.read_all().await.unwrap()), done(0, 0));
    }

    async fn marks_count_each_notification_once(app: TestApp) {
        let ada = app.agent("ada").await;
        assert_notified(&app, &ada.user.id, &[
            ("like", Some("post_1")), ("follow", None), ("like", Some("post_2")), ("follow", None), ("system", None),
        ]).await;
        let all = listed(&ada).await;
        let notices = ada.client.notifications();
        let id = |number: usize| &all[all.len() - number].id;
        notices.read(id(2)).await.unwrap();
        notices.delete(id(3)).await.unwrap();
        assert_eq!(unread(&ada).await, 3);
        let marked = notices.read_up_to(id(4)).await.unwrap();
        assert_eq!((marked.marked, marked.unread_count), (2, 1), "without the read and the deleted one");
        assert_eq!(notices.read_up_to(id(2)).await.unwrap().marked, 0, "older ones are read already");
        assert_eq!(notices.read_all_of([id(1), id(4)]).await.unwrap().marked, 0);
        assert_eq!(notices.read_of_post("post_1").await.unwrap().marked, 0);
        notices.delete(id(1)).await.unwrap();
        let counts = notices.unread_count().await.unwrap();
        assert_eq!(counts.by_type, [("system".to_owned(), 1)].into());
        assert_eq!(ids(&all_items(notices.list().unread(true)).await), [id(5).as_str()]);
        is_consistent(&app).await;
    }

    async fn a_rare_type_is_found_behind_many_others(app: TestApp) {
        let ada = app.agent("ada").await;
        let id = ada.user.id.clone();
        app.execute(move |ctx| {
            let sql = sql!(
                "with recursive n (i) as (select 1 union all select i + 1 from n where i < 9000)
                 insert into account_event (account, seq, event, type, listed, read, created_at)
                 select $1, i, 'evt_' || cast(i as text),
                    case when i in (3, 8000) then 'mention' else 'like' end, true, i > 2, 0
                 from n"
            );
            ctx.tx.execute(sql, values![id])?;
            past::complete(ctx, &id)
        }).await;
        let list = || ada.client.notifications().list();
        let first = list().types(vec![NotificationType::Mention]).await.unwrap();
        assert_eq!((first.notifications.len(), first.next_cursor.is_some()), (1, true), "a page scans no more");
        let mentions = all_items(list().types(vec![NotificationType::Mention])).await;
        assert_eq!(ids(&mentions), ["ntf_8000", "ntf_3"]);
        assert_eq!(ids(&all_items(list().unread(true)).await), ["ntf_2", "ntf_1"]);
        ada.client.notifications().read_up_to("ntf_2").await.unwrap();
        let unread = list().unread(true).await.unwrap();
        assert_eq!((unread.notifications, unread.next_cursor), (vec![], None), "older ones need no scan");
        assert_eq!(list().limit(100).await.unwrap().notifications.len(), 100);
    }

    async fn exactly_one_way_to_mark_is_required(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = |body| ada.raw(&app, Method::POST, "/notifications/read").json(&body);
        let many: Vec<String> = (0..101).map(|number| format!("ntf_{number}")).collect();
        for body in [
            json!({}), json!({ "all": false }), json!({ "ids": [] }), json!({ "ids": many }),
            json!({ "ids": ["ntf_1"], "all": true }), json!({ "upTo": "ntf_1", "postId": "post_1" }),
        ] {
            let refusal = answer(post(body.clone())).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some("ids")), "{body}");
        }
        let most = answer(post(json!({ "ids": &many[..100] }))).await.json();
        assert_eq!(most, json!({ "marked": 0, "unreadCount": 0 }));
        for (body, field) in [(json!({ "all": "yes" }), "all"), (json!({ "ids": "ntf_1" }), "ids"), (json!({ "upTo": 1 }), "upTo")] {
            let refusal = answer(post(body)).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some(field)));
        }
        let gone = ada.client.notifications().read_up_to("ntf_1").await;
        assert_eq!(fault::<ReadNotifications>(gone), (Code::NotFound, "upTo".to_owned()));
    }

    async fn notifications_of_other_accounts_are_not_found(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        ada.write(&bob, "psst").await;
        let [notice] = &*listed(&bob).await else { panic!("bob is notified once") };
        for id in [&notice.id, &NotificationId::from_number(1), &NotificationId::from("odd")] {
            let hers = ada.client.notifications();
            assert_eq!(code::<GetNotification>(hers.get(id).await), Code::NotFound);
            assert_eq!(code::<DeleteNotification>(hers.delete(id).await), Code::NotFound);
            assert_eq!(code::<ReadNotification>(hers.read(id).await), Code::NotFound);
            assert_eq!(code::<ReadNotifications>(hers.read_up_to(id).await), Code::NotFound);
            assert_eq!(hers.read_all_of([id]).await.unwrap().marked, 0);
        }
        assert_eq!(unread(&bob).await, 1);
        bob.client.notifications().delete(&notice.id).await.unwrap();
        assert_eq!(code::<GetNotification>(bob.client.notifications().get(&notice.id).await), Code::NotFound);
        assert_eq!((listed(&bob).await, unread(&bob).await), (vec![], 0));
        assert_eq!(bob.client.events().list().await.unwrap().events.len(), 1, "the event stays");
    }

    async fn what_one_account_reads_or_prefers_changes_nothing_for_another(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for member in [&ada, &bob] {
            assert_notified(&app, &member.user.id, &[
                ("like", Some("post_1")), ("reply", Some("post_1")), ("system", None), ("follow", None),
            ]).await;
        }
        let (notices, his) = (ada.client.notifications(), bob.client.notifications());
        let before = (listed(&bob).await, his.preferences().await.unwrap().preferences);
        let all = listed(&ada).await;
        assert_eq!(notices.read_of_post("post_1").await.unwrap().marked, 2);
        assert_eq!(notices.read_up_to(&all[1].id).await.unwrap().marked, 1);
        notices.delete(&all[1].id).await.unwrap();
        assert_eq!(notices.read_all().await.unwrap().marked, 1);
        let off = ChannelsUpdate { in_app: Some(false), webhook: None, mqtt: None };
        let preferring = notices.set_preferences().of(NotificationType::Like, off);
        preferring.from(NotifyFrom::Following).await.unwrap();
        assert_eq!((listed(&bob).await, his.preferences().await.unwrap().preferences), before);
        assert_eq!(unread(&bob).await, 4);
        is_consistent(&app).await;
    }

    async fn unknown_types_are_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        let odd = || vec![NotificationType::Like, NotificationType::from("poke")];
        let list = || ada.client.notifications().list();
        let refused = |field: &str| (Code::ValidationFailed, field.to_owned());
        assert_eq!(fault::<ListNotifications>(list().types(odd()).await), refused("types"));
        assert_eq!(fault::<ListNotifications>(list().exclude_types(odd()).await), refused("excludeTypes"));
        let count = ada.client.notifications().unread_count().types(odd()).await;
        assert_eq!(fault::<CountUnreadNotifications>(count), refused("types"));
        let spaced = "/notifications?types=reply,%20mention";
        let refusal = answer(ada.raw(&app, Method::GET, spaced)).await.refusal();
        assert!(refusal.hint.unwrap().contains("commas only"));
        for (query, field) in [("limit=0", "limit"), ("unread=maybe", "unread"), ("types=", "types"), ("cursor=x", "cursor")] {
            let path = format!("/notifications?{query}");
            let refusal = answer(ada.raw(&app, Method::GET, &path)).await.refusal();
            assert_eq!(refusal.field.as_deref(), Some(field), "{query}");
        }
    }

    async fn unnamed_preferences_stay_unchanged(app: TestApp) {
        let ada = app.agent("ada").await;
        let set = || ada.client.notifications().set_preferences();
        let before = ada.client.notifications().preferences().await.unwrap().preferences;
        assert_eq!((before.types.len(), &before.from), (12, &NotifyFrom::Everyone));
        assert!(before.types.values().all(|ways| ways.in_app && ways.webhook && ways.mqtt));
        let off = |in_app, webhook, mqtt| ChannelsUpdate { in_app, webhook, mqtt };
        set().of(NotificationType::Like, off(Some(false), None, None)).await.unwrap();
        let after = set().of(NotificationType::Like, off(None, None, Some(false))).from(NotifyFrom::Following);
        let after = after.await.unwrap().preferences;
        let like = &after.types["like"];
        assert_eq!([like.in_app, like.webhook, like.mqtt], [false, true, false]);
        assert_eq!(after.from, NotifyFrom::Following);
        assert_eq!(after.types["reply"], before.types["reply"]);
        assert_eq!(ada.client.notifications().preferences().await.unwrap().preferences, after);
        assert_eq!(set().await.unwrap().preferences, after, "nothing is a change of nothing");
        let put = |body| ada.raw(&app, Method::PUT, "/notifications/preferences").json(&body);
        for (preferences, field) in [
            (json!({ "types": { "poke": { "inApp": true } } }), "/preferences/types"),
            (json!({ "types": { "like": { "inApp": 1 } } }), "/preferences/types/like/inApp"),
            (json!({ "types": ["like"] }), "/preferences/types"),
            (json!({ "from": "nobody" }), "/preferences/from"),
            (json!("all"), "preferences"),
        ] {
            let refusal = answer(put(json!({ "preferences": preferences }))).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some(field)));
        }
        assert_eq!(answer(put(json!({}))).await.refusal().field.as_deref(), Some("preferences"));
        assert_eq!(ada.client.notifications().preferences().await.unwrap().preferences, after, "all or nothing");
    }

    async fn old_notifications_are_swept(app: TestApp, "retention.events" = "1d", "retention.notifications" = "2d") {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        ada.write(&bob, "old and read").await;
        bob.client.notifications().read_all().await.unwrap();
        ada.write(&bob, "old").await;
        // What was deleted or read by itself is counted no more, and is not taken off the count again.
        ada.write(&bob, "old and deleted").await;
        let deleted = listed(&bob).await.remove(0).id;
        bob.client.notifications().delete(&deleted).await.unwrap();
        ada.write(&bob, "old and read by itself").await;
        let seen = listed(&bob).await.remove(0).id;
        bob.client.notifications().read(&seen).await.unwrap();
        assert_eq!(unread(&bob).await, 1);
        app.advance(86_400);
        ada.write(&bob, "new").await;
        app.advance(86_401);
        svc_core::tasks::sweep::once(app.server.app()).await.unwrap();
        let left = listed(&bob).await;
        assert_eq!((left.len(), unread(&bob).await), (1, 1));
        is_consistent(&app).await;
    }
}
