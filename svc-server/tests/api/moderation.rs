//! What moderators do to accounts, posts, messages and services, and what admins set.

mod admins;
mod messages;
mod temporary;

use http::Method;
use serde_json::{Value, json};
use svc_client::Call;
use svc_client::types::api::moderation::{CreateModerationAction, ModerationActionType as Kind};
use svc_client::types::api::notifications::NotifyFrom;
use svc_client::types::api::reports::{ReportReason, Subject, SubjectType};
use svc_client::types::api::users::AccountStatus;
use svc_client::types::{Code, Span};

use crate::app::{Member, TestApp, all_items, code, fault};
use crate::counts;
use crate::on_both_engines;
use crate::owners::pair;
use crate::raw::answer;

const HOUR: Span = Span::from_secs(3_600);

pub(crate) async fn staff(app: &TestApp, name: &str, role: &str) -> Member {
    let member = app.agent(name).await;
    app.grant_role(name, role).await;
    member
}

fn act(by: &Member, subject: Subject, kind: Kind) -> Call<CreateModerationAction> {
    by.client.moderation().act(subject, kind, "the rules")
}

async fn done(by: &Member, subject: Subject, kind: Kind) {
    act(by, subject, kind).await.unwrap();
}

/// The state that was found, for an act it does not allow.
async fn in_the_way(call: Call<CreateModerationAction>) -> String {
    let refused = call.await.unwrap_err();
    assert_eq!(refused.code(), Some(&Code::WrongState), "{refused:?}");
    refused.hint().unwrap().to_owned()
}

async fn status(member: &Member) -> AccountStatus {
    member.client.users().me().await.unwrap().user.status.unwrap()
}

/// The data of the `moderation` events of an account.
async fn notified(member: &Member) -> Vec<Value> {
    let events = member.client.events().list().await.unwrap().events;
    let of_moderation = events.into_iter().filter(|event| event.event == "moderation");
    of_moderation.map(|event| Value::from(event.data)).collect()
}

on_both_engines! {
    async fn a_post_is_hidden_shown_labelled_and_removed(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let post = eve.post("a #trick").await;
        let subject = || Subject::post(&post.id);
        let seen = |who: &Member| who.client.posts().get(&post.id).into_future();
        assert_eq!(in_the_way(act(&judge, subject(), Kind::Restore)).await, "not hidden");
        done(&judge, subject(), Kind::Hide).await;
        assert_eq!(seen(&ada).await.unwrap_err().code(), Some(&Code::NotFound));
        seen(&eve).await.unwrap();
        seen(&judge).await.unwrap();
        done(&judge, subject(), Kind::Hide).await;
        counts::are_right(&app).await;
        done(&judge, subject(), Kind::Restore).await;
        seen(&ada).await.unwrap();
        assert_eq!(in_the_way(act(&judge, subject(), Kind::Restore)).await, "not hidden");
        let unlabel = || act(&judge, subject(), Kind::Unlabel);
        for label in ["satire", "a-1_b", "satire"] {
            act(&judge, subject(), Kind::Label).label(label).await.unwrap();
        }
        assert_eq!(seen(&ada).await.unwrap().post.labels, ["a-1_b", "satire"]);
        unlabel().label("satire").await.unwrap();
        assert_eq!(in_the_way(unlabel().label("satire")).await, "not labelled so");
        assert_eq!(seen(&ada).await.unwrap().post.labels, ["a-1_b"]);
        for number in 0..19 {
            act(&judge, subject(), Kind::Label).label(format!("l{number}")).await.unwrap();
        }
        let more = act(&judge, subject(), Kind::Label).label("more");
        assert!(in_the_way(more).await.contains("20"));
        act(&judge, subject(), Kind::Label).label("l0").await.unwrap();
        done(&judge, subject(), Kind::Remove).await;
        assert_eq!(seen(&eve).await.unwrap_err().code(), Some(&Code::NotFound));
        for kind in [Kind::Remove, Kind::Hide, Kind::Restore] {
            assert_eq!(in_the_way(act(&judge, subject(), kind)).await, "removed");
        }
        counts::are_right(&app).await;
    }

    async fn an_account_is_warned_limited_and_suspended(app: TestApp) {
        let eve = app.agent("eve").await;
        let judge = staff(&app, "judge", "moderator").await;
        let eve_is = || Subject::user("eve");
        done(&judge, eve_is(), Kind::Warn).await;
        assert_eq!(status(&eve).await, AccountStatus::Active);
        assert_eq!(in_the_way(act(&judge, eve_is(), Kind::Unlimit)).await, "not limited");
        assert_eq!(in_the_way(act(&judge, eve_is(), Kind::Unsuspend)).await, "not suspended");
        done(&judge, eve_is(), Kind::Limit).await;
        assert_eq!(status(&eve).await, AccountStatus::Limited);
        done(&judge, eve_is(), Kind::Suspend).await;
        assert_eq!(status(&eve).await, AccountStatus::Suspended);
        let refused = eve.client.posts().create("I am").await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::AccountSuspended));
        done(&judge, eve_is(), Kind::Unsuspend).await;
        assert_eq!(status(&eve).await, AccountStatus::Limited, "the limit holds on");
        done(&judge, eve_is(), Kind::Suspend).await;
        done(&judge, eve_is(), Kind::Unlimit).await;
        assert_eq!(status(&eve).await, AccountStatus::Suspended);
        done(&judge, eve_is(), Kind::Unsuspend).await;
        assert_eq!(status(&eve).await, AccountStatus::Active);
        counts::are_right(&app).await;
    }

    async fn a_removed_service_is_gone_for_good(app: TestApp) {
        let eve = app.agent("eve").await;
        let judge = staff(&app, "judge", "moderator").await;
        let service = eve.client.services().create("mint", "mints", 5).await.unwrap().service;
        done(&judge, Subject::service(&service.id), Kind::Remove).await;
        assert!(eve.client.bots().capabilities("eve").await.unwrap().capabilities.is_empty());
        let back = eve.client.services().update(&service.id).active(true).await.unwrap_err();
        assert_eq!(back.code(), Some(&Code::NotFound));
        let again = act(&judge, Subject::service(&service.id), Kind::Remove);
        assert_eq!(in_the_way(again).await, "removed");
    }

    async fn moderation_actions_are_notified_listed_and_logged(app: TestApp) {
        let eve = app.agent("eve").await;
        let [judge, other] = [staff(&app, "judge", "moderator").await, staff(&app, "other", "admin").await];
        // Acts of moderators are notified whatever its other preferences are.
        eve.client.notifications().set_preferences().from(NotifyFrom::Following).await.unwrap();
        let post = eve.post("a trick").await;
        let hidden = act(&judge, Subject::post(&post.id), Kind::Hide).expires_in(HOUR).await.unwrap().action;
        let warned = act(&other, Subject::user(&eve.user.id), Kind::Warn).await.unwrap().action;
        assert!(hidden.id.as_str().starts_with("act_"), "{}", hidden.id);
        let now = app.server.clock().now();
        assert_eq!(hidden.expires_at, Some(now.plus(HOUR.duration())));
        assert_eq!((hidden.actor.username.as_str(), hidden.reason.as_str()), ("judge", "the rules"));
        assert_eq!(notified(&eve).await, [
            json!({ "actionId": hidden.id, "type": "hide", "reason": "the rules",
                "subject": { "type": "post", "id": post.id }, "expiresAt": hidden.expires_at }),
            json!({ "actionId": warned.id, "type": "warn", "reason": "the rules",
                "subject": { "type": "user", "id": eve.user.id } }),
        ]);
        let notices = eve.client.notifications().list().await.unwrap().notifications;
        let texts: Vec<_> = notices.iter().filter_map(|one| one.text.as_deref()).collect();
        assert_eq!(texts, ["your account was warned: the rules", "your post was hidden: the rules"]);
        let list = || judge.client.moderation().actions().limit(1);
        let all = [warned.clone(), hidden.clone()];
        assert_eq!(all_items(list()).await, all);
        assert_eq!(all_items(list().subject_id(post.id.as_str())).await, all[1..]);
        assert_eq!(all_items(list().subject_type(SubjectType::User)).await, all[..1]);
        assert_eq!(all_items(list().actor("judge")).await, all[1..]);
        assert_eq!(all_items(list().kind(Kind::Warn)).await, all[..1]);
        assert_eq!(all_items(list().kind(Kind::Warn).actor("judge")).await, []);
        let both = list().subject_id(post.id.as_str()).subject_type(SubjectType::Post);
        assert_eq!(all_items(both.actor("judge").kind(Kind::Hide)).await, all[1..]);
        let on_post = || list().subject_id(post.id.as_str());
        for none in [
            on_post().kind(Kind::Warn),
            on_post().actor("other"),
            on_post().subject_type(SubjectType::User),
            list().actor("judge").subject_type(SubjectType::User),
            list().kind(Kind::Warn).subject_type(SubjectType::Post),
        ] {
            assert_eq!(all_items(none).await, []);
        }
        let refused = list().actor("nobody").await.unwrap_err();
        assert_eq!((refused.code(), refused.field()), (Some(&Code::NotFound), Some("actor")));
        let lines = app.count(svc_store::sql!(
            "select count(*) from audit_log l join account a on a.id = l.actor
             where l.detail = 'the rules'
               and (l.action = 'post_hide' and a.username = 'judge'
                 or l.action = 'user_warn' and a.username = 'other')"
        ));
        assert_eq!(lines.await, 2, "each names who did it, and why");
        let mut warnings = vec![warned];
        for _ in 0..2 {
            let again = act(&judge, Subject::user(&eve.user.id), Kind::Warn).await.unwrap().action;
            warnings.insert(0, again);
        }
        let of_users = list().subject_type(SubjectType::User).limit(2);
        assert_eq!(all_items(of_users).await, warnings, "each is on one page");
    }

    async fn the_actions_on_a_subject_say_whether_it_is_gone(app: TestApp) {
        let [eve, bob] = app.agents(["eve", "bob"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let post = eve.post("a trick").await.id;
        let service = eve.client.services().create("mint", "mints", 5).await.unwrap().service.id;
        let sent = eve.write(&bob, "psst").await.message_id;
        let gone = async |kind: SubjectType, id: &str| {
            judge.client.moderation().actions().subject_type(kind).subject_id(id).await.unwrap().subject_gone
        };
        assert_eq!(gone(SubjectType::Post, post.as_str()).await, Some(false));
        eve.client.posts().delete(&post).await.unwrap();
        assert_eq!(gone(SubjectType::Post, post.as_str()).await, Some(true));
        assert_eq!(gone(SubjectType::Service, service.as_str()).await, Some(false));
        done(&judge, Subject::service(&service), Kind::Remove).await;
        assert_eq!(gone(SubjectType::Service, service.as_str()).await, Some(true));
        assert_eq!(gone(SubjectType::Message, sent.as_str()).await, Some(true), "nobody reported it");
        bob.client.reports().create(Subject::message(&sent), ReportReason::Scam).await.unwrap();
        assert_eq!(gone(SubjectType::Message, sent.as_str()).await, Some(false));
        assert_eq!(gone(SubjectType::Message, "msg_0").await, Some(true));
        assert_eq!(gone(SubjectType::User, "bob").await, Some(false));
        let listed = judge.client.moderation().actions().subject_id(service.as_str()).await.unwrap();
        assert_eq!((listed.actions.len(), listed.subject_gone), (1, None), "its type is not given");
        let reply = eve.reply(&bob.post("top").await, "a trick, too").await.id;
        assert_eq!(gone(SubjectType::Post, reply.as_str()).await, Some(false));
        eve.client.users().delete_me("eve").await.unwrap();
        assert_eq!(gone(SubjectType::Post, reply.as_str()).await, Some(true), "so is its author");
        assert_eq!(gone(SubjectType::User, "eve").await, Some(true));
    }

    async fn moderators_cannot_act_on_an_equal_or_higher_role(app: TestApp) {
        let roles = ["user", "moderator", "admin"];
        let mut pairs = Vec::new();
        for role in roles {
            let by = staff(&app, &format!("by_{role}"), role).await;
            let target = staff(&app, &format!("to_{role}"), role).await;
            let post = target.post("mine").await;
            let service = target.client.services().create("mint", "mints", 5).await.unwrap();
            let room = target.client.channels().create(format!("of-{role}")).await.unwrap();
            pairs.push((by, target, post.id, service.service.id, room.channel.id));
        }
        for (rank, (by, ..)) in pairs.iter().enumerate() {
            for (other, (_, target, post, service, room)) in pairs.iter().enumerate() {
                let subjects = [
                    (Subject::user(&target.user.id), Kind::Warn),
                    (Subject::user(&target.user.username), Kind::Suspend),
                    (Subject::user(&target.user.username), Kind::Unsuspend),
                    (Subject::post(post), Kind::Hide),
                    (Subject::service(service), Kind::Remove),
                    (Subject::channel(room), Kind::Remove),
                ];
                for (subject, kind) in subjects {
                    let result = act(by, subject, kind.clone()).await;
                    if other < rank && kind != Kind::Remove {
                        result.unwrap();
                    } else if other >= rank {
                        assert_eq!(code::<CreateModerationAction>(result), Code::Forbidden);
                    }
                }
            }
            let oneself = act(by, Subject::user(&by.user.id), Kind::Warn).await;
            assert_eq!(code::<CreateModerationAction>(oneself), Code::Forbidden);
        }
        counts::are_right(&app).await;
    }

    async fn moderators_do_not_act_on_agents_that_they_own_or_have_released(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        app.grant_role("ann", "moderator").await;
        let judge = staff(&app, "judge", "moderator").await;
        let post = bot.post("a trick").await;
        let service = bot.client.services().create("mint", "mints", 5).await.unwrap().service;
        let room = bot.client.channels().create("of-bot").await.unwrap().channel.id;
        let sent = bot.write(&ann, "psst").await.message_id;
        done(&judge, Subject::post(&post.id), Kind::Hide).await;
        let subjects = [
            (Subject::user("bot"), Kind::Warn),
            (Subject::user(&bot.user.id), Kind::Unsuspend),
            (Subject::post(&post.id), Kind::Restore),
            (Subject::service(&service.id), Kind::Remove),
            (Subject::channel(&room), Kind::Remove),
            (Subject::message(&sent), Kind::Hide),
        ];
        for subject in subjects.clone() {
            let refused = act(&ann, subject.0, subject.1).await;
            assert_eq!(code::<CreateModerationAction>(refused), Code::Forbidden);
        }
        ann.client.agents().release("bot").await.unwrap();
        for (subject, kind) in subjects {
            let refused = act(&ann, subject, kind).await;
            assert_eq!(code::<CreateModerationAction>(refused), Code::Forbidden, "ann has released it");
        }
        done(&judge, Subject::post(&post.id), Kind::Restore).await;
    }

    async fn an_action_is_checked_like_any_request(app: TestApp) {
        let eve = app.agent("eve").await;
        let judge = staff(&app, "judge", "moderator").await;
        let post = eve.post("a trick").await;
        let user = json!({ "type": "user", "id": "eve" });
        let of_post = json!({ "type": "post", "id": post.id });
        let cases = [
            (json!({ "type": "warn", "reason": "x" }), "subject"),
            (json!({ "subject": user, "reason": "x" }), "type"),
            (json!({ "subject": user, "type": "warn" }), "reason"),
            (json!({ "subject": user, "type": "warn", "reason": "" }), "reason"),
            (json!({ "subject": user, "type": "warn", "reason": "x".repeat(2001) }), "reason"),
            (json!({ "subject": user, "type": "curse", "reason": "x" }), "type"),
            (json!({ "subject": user, "type": "hide", "reason": "x" }), "type"),
            (json!({ "subject": of_post, "type": "suspend", "reason": "x" }), "type"),
            (json!({ "subject": { "type": "channel", "id": "x" }, "type": "hide", "reason": "x" }), "type"),
            (json!({ "subject": { "type": "channel_message", "id": "x" }, "type": "hide", "reason": "x" }), "type"),
            (json!({ "subject": { "type": "service", "id": "x" }, "type": "hide", "reason": "x" }), "type"),
            (json!({ "subject": of_post, "type": "label", "reason": "x" }), "label"),
            (json!({ "subject": of_post, "type": "unlabel", "reason": "x" }), "label"),
            (json!({ "subject": of_post, "type": "label", "reason": "x", "label": "No" }), "label"),
            (json!({ "subject": of_post, "type": "label", "reason": "x", "label": "" }), "label"),
            (json!({ "subject": of_post, "type": "label", "reason": "x", "label": "a".repeat(33) }), "label"),
            (json!({ "subject": of_post, "type": "hide", "reason": "x", "label": "a" }), "label"),
            (json!({ "subject": of_post, "type": "hide", "reason": "x", "expiresIn": "59s" }), "expiresIn"),
            (json!({ "subject": of_post, "type": "hide", "reason": "x", "expiresIn": "91d" }), "expiresIn"),
            (json!({ "subject": of_post, "type": "hide", "reason": "x", "expiresIn": 60 }), "expiresIn"),
            (json!({ "subject": of_post, "type": "remove", "reason": "x", "expiresIn": "1d" }), "expiresIn"),
            (json!({ "subject": user, "type": "warn", "reason": "x", "expiresIn": "1d" }), "expiresIn"),
        ];
        for (members, field) in cases {
            let request = judge.raw(&app, Method::POST, "/moderation/actions").json(&members);
            let refused = answer(request).await.refusal();
            let found = (refused.code, refused.field.as_deref());
            assert_eq!(found, (Code::ValidationFailed, Some(field)), "{members}");
        }
        for subject in [
            Subject::user("nobody"),
            Subject::post("post_00000000000000000000000000"),
            Subject::post(&eve.user.id),
        ] {
            let kind = if subject.kind == SubjectType::User { Kind::Warn } else { Kind::Hide };
            let refused = act(&judge, subject, kind).await;
            let expected = (Code::NotFound, "/subject/id".into());
            assert_eq!(fault::<CreateModerationAction>(refused), expected);
        }
        for kind in [SubjectType::Service, SubjectType::Channel, SubjectType::ChannelMessage] {
            let refused = act(&judge, Subject::new(kind, "x"), Kind::Remove).await;
            assert_eq!(code::<CreateModerationAction>(refused), Code::NotFound);
        }
        let secret = judge.client.moderation().act(Subject::user("eve"), Kind::Warn, eve.key.expose());
        let expected = (Code::CredentialInContent, "reason".to_owned());
        assert_eq!(fault::<CreateModerationAction>(secret.await), expected);
        assert_eq!(notified(&eve).await, [] as [Value; 0]);
    }
}
