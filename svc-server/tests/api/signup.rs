//! Who may sign up: modes, invites, approval, proofs of work, and the grant.

mod grants;
mod proofs;

use http::Method;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use svc_client::types::api::auth::{Login, Proof, Register};
use svc_client::types::api::invites::{CreateInvite, DeleteInvite};
use svc_client::types::api::moderation::ModerationActionType;
use svc_client::types::api::reports::Subject;
use svc_client::types::api::signups::{ApproveSignup, RejectSignup};
use svc_client::types::api::users::{AccountStatus, GetMe, GetUser};
use svc_client::types::{Code, InviteCode, Span, UserId};
use svc_core::audit;
use svc_core::erasure_log::Entry;
use svc_core::tasks::{erase, sweep};
use svc_server::admin::Command;
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items, code};
use crate::on_both_engines;
use crate::raw::{Raw, answer};

const PASSWORD: &str = "correct horse";

/// A proof that nobody has used.
pub(crate) async fn solved(app: &TestApp) -> Proof {
    let challenge = app.anonymous.auth().challenge().await.unwrap();
    svc_client::solve(&challenge).expect("an easy challenge")
}

fn register(app: &TestApp, name: &str, more: Value) -> RequestBuilder {
    let mut body = json!({ "username": name, "isAgent": true });
    let Value::Object(more) = more else { panic!("members are an object") };
    body.as_object_mut().unwrap().extend(more);
    app.raw(Method::POST, "/auth/register").json(&body)
}

async fn sign_up(app: &TestApp, name: &str, more: Value) -> Raw {
    answer(register(app, name, more)).await
}

#[track_caller]
fn refused(raw: &Raw) -> (Code, String) {
    let refusal = raw.refusal();
    (refusal.code, refusal.error)
}

/// The account of an answer, with a client of its key.
fn member(app: &TestApp, raw: &Raw) -> Member {
    let registered: svc_client::types::api::auth::Registered =
        serde_json::from_value(raw.json()).unwrap();
    let client = app.client(registered.api_key.clone());
    Member { user: registered.user, key: registered.api_key, client }
}

async fn credits(member: &Member) -> String {
    member.client.credits().balance().await.unwrap().credits.available.to_string()
}

async fn invite(member: &Member) -> InviteCode {
    member.client.invites().create().await.unwrap().code
}

/// A moderator that was there before.
async fn moderator(app: &TestApp) -> Member {
    let code = app.server.app().write(|ctx| {
        svc_core::services::invite::create_for_operator(ctx, None).map(|made| made.code)
    });
    let code = code.await.unwrap();
    let raw = sign_up(app, "judge", json!({ "invite": code })).await;
    app.grant_role("judge", "moderator").await;
    member(app, &raw)
}

async fn assert_consistent(app: &TestApp) {
    let report = audit::now(app.server.app()).await.unwrap();
    assert!(report.holds(), "{report}");
}

on_both_engines! {
    async fn a_closed_server_takes_no_new_accounts(app: TestApp, "signup.mode" = "closed") {
        let (code, error) = refused(&sign_up(&app, "ada", json!({})).await);
        assert_eq!((code, &*error), (Code::SignupClosed, "this server takes no new accounts"));
        let made = app.server.app().write(|ctx| {
            svc_core::services::invite::create_for_operator(ctx, None).map(|made| made.code)
        });
        let raw = sign_up(&app, "ada", json!({ "invite": made.await.unwrap() })).await;
        assert_eq!(raw.refusal().code, Code::SignupClosed, "not even with an invite");
        assert_eq!(app.count(sql!("select count(*) from account")).await, 0);
    }

    async fn with_invites_only_each_lets_one_account_in(app: TestApp, "signup.mode" = "invite") {
        let none = sign_up(&app, "ada", json!({})).await;
        assert_eq!(none.refusal().field.as_deref(), Some("invite"));
        let wrong = sign_up(&app, "ada", json!({ "invite": "0a1b2-c3d4e-5f6g7-h8j9k" })).await;
        let unknown = (Code::InviteRequired, "the invite is unknown, used or expired".to_owned());
        assert_eq!(refused(&wrong), unknown);

        let judge = moderator(&app).await;
        let made = judge.client.invites().create().await.unwrap();
        let ada = sign_up(&app, "ada", json!({ "invite": made.url })).await;
        assert_eq!(ada.status, 201, "the link does as well as the code");
        assert_eq!(refused(&sign_up(&app, "bob", json!({ "invite": made.code })).await), unknown);
        let listed = judge.client.invites().list().await.unwrap().invites;
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0].invite_id, made.invite.invite_id);
        assert_eq!(listed[0].used_by.as_deref(), Some("ada"));
        let gone = judge.client.invites().delete(&made.invite.invite_id).await;
        assert_eq!(code::<DeleteInvite>(gone), Code::WrongState);
    }

    async fn an_invite_expires_and_can_be_deleted(app: TestApp, "signup.mode" = "invite") {
        let judge = moderator(&app).await;
        let brief = judge.client.invites().create().expires_in(Span::from_secs(3_600)).await.unwrap();
        let early = judge.client.invites().create().expires_in(Span::from_secs(3_600)).await.unwrap();
        app.advance(3_599);
        assert_eq!(sign_up(&app, "eve", json!({ "invite": early.code })).await.status, 201);
        app.advance(1);
        let late = sign_up(&app, "ada", json!({ "invite": brief.code })).await;
        assert_eq!(late.refusal().code, Code::InviteRequired);
        let made = judge.client.invites().create().await.unwrap();
        judge.client.invites().delete(&made.invite.invite_id).await.unwrap();
        let gone = judge.client.invites().delete(&made.invite.invite_id).await;
        assert_eq!(code::<DeleteInvite>(gone), Code::NotFound);
        let deleted = sign_up(&app, "ada", json!({ "invite": made.code })).await;
        assert_eq!(deleted.refusal().code, Code::InviteRequired);
        for life in [3_599, 90 * 86_400 + 60] {
            let odd = judge.client.invites().create().expires_in(Span::from_secs(life)).await;
            assert_eq!(code::<CreateInvite>(odd), Code::ValidationFailed);
        }
        app.advance(30 * 86_400);
        // The brief one has gone with the first round, and the used one stays for ever.
        for _ in 0..2 {
            sweep::once(app.server.app()).await.unwrap();
            let left = judge.client.invites().list().await.unwrap().invites;
            let left: Vec<_> = left.iter().map(|one| one.used_by.as_deref()).collect();
            assert_eq!(left, [Some("eve")]);
            app.advance(30 * 86_400);
        }
    }

    async fn of_many_who_use_an_invite_at_once_one_gets_in(
        app: TestApp, "signup.mode" = "invite", "database.connections" = "4"
    ) {
        let judge = moderator(&app).await;
        let code = invite(&judge).await;
        let coming = (0..8).map(|number| {
            answer(register(&app, &format!("ada_{number}"), json!({ "invite": code })))
        });
        let answers = futures_util::future::join_all(coming).await;
        let (fine, rest): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
        assert_eq!(fine.len(), 1);
        assert!(rest.iter().all(|answer| answer.refusal().code == Code::InviteRequired));
        assert_eq!(app.count(sql!("select count(*) from account")).await, 2);
    }

    async fn open_invites_are_limited_by_trust(
        app: TestApp, "limits.budgets" = "true", "database.connections" = "4"
    ) {
        let ada = app.agent("ada").await;
        let refused = ada.client.invites().create().await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::LimitReached));
        assert!(refused.to_string().contains("new accounts can't invite"), "{refused}");
        let command = Command::SetTrust { username: "ada".into(), trust: "established".into() };
        app.server.admin(command).await;
        let making = (0..8).map(|_| ada.client.invites().create().into_future());
        let made = futures_util::future::join_all(making).await;
        assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 5);
        assert_eq!(code::<CreateInvite>(ada.client.invites().create().await), Code::LimitReached);
        let bea = app.agent("bea").await;
        let command = Command::SetTrust { username: "bea".into(), trust: "established".into() };
        app.server.admin(command).await;
        bea.client.invites().create().await.expect("each account has its own");
        let first = made.into_iter().find_map(Result::ok).unwrap();
        ada.client.invites().delete(first.invite.invite_id).await.unwrap();
        let last = ada.client.invites().create().await.unwrap();
        assert_eq!(sign_up(&app, "bob", json!({ "invite": last.code })).await.status, 201);
        ada.client.invites().create().await.expect("a used one is not open");
        assert_eq!(code::<CreateInvite>(ada.client.invites().create().await), Code::LimitReached);
        app.advance(30 * 86_400);
        ada.client.invites().create().await.expect("nor is one that has expired");
    }

    async fn used_invites_that_bring_credits_count_for_30_days(
        app: TestApp, "limits.budgets" = "true", "limits.sign_up.count" = "0",
        "exchange.signup_grant" = "7", "exchange.grant_requires" = "invite"
    ) {
        let ada = app.agent("ada").await;
        let command = Command::SetTrust { username: "ada".into(), trust: "established".into() };
        app.server.admin(command).await;
        for number in 0..5 {
            let made = ada.client.invites().create().await.unwrap();
            let name = format!("bob_{number}");
            assert_eq!(sign_up(&app, &name, json!({ "invite": made.code })).await.status, 201);
        }
        assert_eq!(code::<CreateInvite>(ada.client.invites().create().await), Code::LimitReached);
        app.advance(30 * 86_400);
        ada.client.invites().create().await.unwrap();
    }

    async fn invites_of_an_account_that_ends_or_is_suspended_let_nobody_in(
        app: TestApp, "signup.mode" = "open"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let (of_ada, of_bob) = (invite(&ada).await, invite(&bob).await);
        app.suspend("ada").await;
        bob.client.users().delete_me("bob").await.unwrap();
        for code in [&of_ada, &of_bob] {
            let raw = sign_up(&app, "cyd", json!({ "invite": code })).await;
            assert_eq!(raw.refusal().code, Code::InviteRequired);
        }
        app.unsuspend("ada").await;
        assert_eq!(sign_up(&app, "cyd", json!({ "invite": of_ada })).await.status, 201);
    }

    async fn an_account_that_waits_for_approval_reaches_nothing(
        app: TestApp, "signup.mode" = "approval"
    ) {
        let judge = moderator(&app).await;
        let register = app.anonymous.auth().register_person("ada", "ada@example.org", PASSWORD);
        let raw = register.raw().await.unwrap();
        assert!(raw.headers.get("set-cookie").is_none());
        let (user, key) = (raw.value.user, raw.value.api_key);
        assert_eq!(user.status, Some(AccountStatus::Pending));
        let ada = app.client(key);
        let refused = ada.users().me().await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::ApprovalPending));
        assert_eq!(refused.hint(), Some("try again later"));
        assert_eq!(code::<GetUser>(ada.users().get("judge").await), Code::ApprovalPending);
        let login = app.anonymous.auth().login("ada", PASSWORD).await;
        assert_eq!(code::<Login>(login), Code::ApprovalPending);
        let wrong = app.anonymous.auth().login("ada", "wrong").await;
        assert_eq!(code::<Login>(wrong), Code::InvalidCredentials);

        app.index().await;
        assert_eq!(code::<GetUser>(app.anonymous.users().get("ada").await), Code::NotFound);
        let listed = app.anonymous.users().list().await.unwrap().users;
        assert_eq!(listed.iter().map(|user| &*user.username).collect::<Vec<_>>(), ["judge"]);
        let found = app.anonymous.search().users("ada").await.unwrap();
        assert_eq!(serde_json::to_value(found).unwrap()["users"], json!([]));
        let taken = app.anonymous.auth().register_agent("ada").await;
        assert_eq!(code::<Register>(taken), Code::UsernameTaken);

        let waiting = judge.client.moderation().signups().await.unwrap().signups;
        assert_eq!(waiting.len(), 1);
        assert_eq!((&waiting[0].user_id, waiting[0].email.as_deref()), (&user.id, Some("ada@example.org")));
        let approved = judge.client.moderation().approve_signup("Ada").await.unwrap().user;
        assert_eq!(approved.username, "ada");
        let logged = sql!(
            "select count(*) from audit_log l join account a on a.id = l.actor
             where l.action = 'signup_approved' and a.username = 'judge'"
        );
        assert_eq!(app.count(logged).await, 1);
        assert_eq!(ada.users().me().await.unwrap().user.status, Some(AccountStatus::Active));
        app.anonymous.auth().login("ada", PASSWORD).await.unwrap();
        app.index().await;
        app.anonymous.users().get("ada").await.unwrap();
        assert_eq!(judge.client.moderation().signups().await.unwrap().signups, []);
        let again = judge.client.moderation().approve_signup(&user.id).await;
        assert_eq!(code::<ApproveSignup>(again), Code::WrongState);
        let late = judge.client.moderation().reject_signup(&user.id).await;
        assert_eq!(code::<RejectSignup>(late), Code::WrongState);
        let nobody = judge.client.moderation().approve_signup(UserId::from("usr_0000000000000")).await;
        assert_eq!(code::<ApproveSignup>(nobody), Code::NotFound);
        assert_consistent(&app).await;
    }

    async fn a_rejected_account_is_erased_and_its_name_is_free(
        app: TestApp, "signup.mode" = "approval"
    ) {
        let judge = moderator(&app).await;
        let register = || app.anonymous.auth().register_person("ada", "ada@example.org", PASSWORD);
        let first = register().await.unwrap();
        judge.client.relations().follow("ada").await.unwrap();
        judge.client.moderation().reject_signup("ada").await.unwrap();
        let logged = sql!(
            "select count(*) from audit_log l join account a on a.id = l.actor
             where l.action = 'signup_rejected' and a.username = 'judge'"
        );
        assert_eq!(app.count(logged).await, 1);
        let former = app.client(first.api_key);
        assert_eq!(code::<GetMe>(former.users().me().await), Code::Unauthorized);
        let login = app.anonymous.auth().login("ada", PASSWORD).await;
        assert_eq!(code::<Login>(login), Code::InvalidCredentials);
        let second = register().await.unwrap();
        assert_ne!(second.user.id, first.user.id);
        app.server.erase().await;
        let left = sql!("select count(*) from account where erased_at is not null");
        assert_eq!(app.count(left).await, 1);
        let texts = sql!("select count(*) from account where email is not null or display_name = 'ada'");
        assert_eq!(app.count(texts).await, 1, "of the second");
        judge.client.moderation().approve_signup(&second.user.id).await.unwrap();
        assert_consistent(&app).await;
    }

    async fn an_account_that_waits_in_a_backup_from_before_its_erasure_is_erased_again(
        app: TestApp, "signup.mode" = "approval"
    ) {
        let (account, core) = (app.agent("ada").await.user.id, app.server.app());
        let entry = Entry { account, erased_at: app.server.clock().now() };
        core.erasures.add(vec![entry]).await.unwrap();
        assert_eq!(erase::repeat(core).await.unwrap(), 1);
        let erased = sql!(
            "select count(*) from account where erased_at is not null and awaits_approval_since is null"
        );
        assert_eq!(app.count(erased).await, 1);
        assert_consistent(&app).await;
    }

    async fn moderators_approve_or_reject_and_do_nothing_else_to_it(
        app: TestApp, "signup.mode" = "approval"
    ) {
        let judge = moderator(&app).await;
        let id = app.agent("ada").await.user.id;
        // A suspension would end one day, and with it what the account waits for.
        for kind in [ModerationActionType::Suspend, ModerationActionType::Limit] {
            let acted = judge.client.moderation().act(Subject::user("ada"), kind, "a test").await;
            let refused = acted.unwrap_err();
            let expected = (Some(&Code::WrongState), Some("waiting for approval"));
            assert_eq!((refused.code(), refused.hint()), expected);
        }
        for command in [
            Command::Suspend { username: "ada".into(), reason: "a test".into() },
            Command::Unsuspend { username: "ada".into(), reason: "a test".into() },
            Command::Delete { username: "ada".into() },
        ] {
            let done = svc_server::admin::run(app.server.app(), &command);
            let refusal = done.await.unwrap_err().to_string();
            assert!(refusal.contains("waiting for approval"), "{refusal}");
        }
        let approve = Command::Approve { username: "ada".into() };
        app.server.admin(approve.clone()).await;
        let again = app.server.try_admin(&approve).await.unwrap_err();
        assert!(again.to_string().contains("ada does not wait for approval"), "{again}");
        let lift = Command::Unsuspend { username: "ada".into(), reason: "a test".into() };
        let lifted = app.server.try_admin(&lift).await.unwrap_err();
        assert!(lifted.to_string().contains("ada is not suspended"), "{lifted}");
        app.anonymous.users().get("ada").await.unwrap();
        let sql = sql!("select count(*) from audit_log where action = 'signup_approved' and actor = 'operator'");
        assert_eq!(app.count(sql).await, 1);
        assert!(id.as_str().starts_with("usr_"));
    }

    async fn an_invite_spares_the_approval(app: TestApp, "signup.mode" = "approval") {
        let judge = moderator(&app).await;
        let ada = member(&app, &sign_up(&app, "ada", json!({ "invite": invite(&judge).await })).await);
        assert_eq!(ada.client.users().me().await.unwrap().user.status, Some(AccountStatus::Active));
    }

    async fn the_operator_invites_too(app: TestApp, "signup.mode" = "invite") {
        let command = Command::Invite { expires_in: Span::from_secs(3_600) };
        let line = app.server.admin(command).await.remove(0).to_string();
        let (code, url) = line.split_once("  ").unwrap();
        assert!(url.ends_with(&format!("/join?invite={code}")), "{line}");
        assert_eq!(sign_up(&app, "ada", json!({ "invite": code })).await.status, 201);
        let sql = sql!("select count(*) from audit_log where action = 'invite_created'");
        assert_eq!(app.count(sql).await, 1);
        let stored = sql!("select count(*) from invite where account is null and used_by is not null");
        assert_eq!(app.count(stored).await, 1);
        let invite = |seconds| Command::Invite { expires_in: Span::from_secs(seconds) };
        let line = app.server.admin(invite(3_600)).await.remove(0).to_string();
        let (code, _) = line.split_once("  ").unwrap();
        app.advance(3_600);
        let late = sign_up(&app, "bob", json!({ "invite": code })).await;
        assert_eq!(late.refusal().code, Code::InviteRequired, "it ends when the operator says");
        for seconds in [3_599, 90 * 86_400 + 60] {
            let refused = app.server.try_admin(&invite(seconds)).await.unwrap_err();
            assert!(refused.to_string().contains("must be from 1h to 90d"), "{refused}");
        }
    }

    async fn the_erasure_of_an_inviter_keeps_who_came_by_it(app: TestApp) {
        let ada = app.agent("ada").await;
        let used = invite(&ada).await;
        invite(&ada).await;
        assert_eq!(sign_up(&app, "bob", json!({ "invite": used })).await.status, 201);
        ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from invite")).await, 1);
        let id = ada.user.id.clone();
        app.execute(move |ctx| {
            ctx.tx.execute(sql!("update account set erase_now = true where id = $1"), values![id])
        }).await;
        app.server.erase().await;
        assert_eq!(app.count(sql!("select count(*) from invite where used_by is not null")).await, 1);
    }

    async fn invites_and_waiting_accounts_are_listed_page_by_page(
        app: TestApp, "signup.mode" = "approval"
    ) {
        let judge = moderator(&app).await;
        let ada = member(&app, &sign_up(&app, "ada", json!({ "invite": invite(&judge).await })).await);
        let mut made = Vec::new();
        for name in ["bob", "cyd", "dan"] {
            app.agent(name).await;
            made.insert(0, judge.client.invites().create().await.unwrap().invite.invite_id);
        }
        let waiting = all_items(judge.client.moderation().signups().limit(1)).await;
        let names: Vec<String> = waiting.into_iter().map(|one| one.username).collect();
        assert_eq!(names, ["bob", "cyd", "dan"], "the oldest first");
        judge.client.moderation().approve_signup("bob").await.unwrap();
        judge.client.moderation().reject_signup("cyd").await.unwrap();
        let left = judge.client.moderation().signups().await.unwrap().signups;
        let left: Vec<String> = left.into_iter().map(|one| one.username).collect();
        assert_eq!(left, ["dan"], "each decision is about one account");
        let listed = all_items(judge.client.invites().list().limit(1)).await;
        let listed: Vec<_> = listed.into_iter().map(|one| one.invite_id).collect();
        assert_eq!(listed[..3], made, "the newest first, before that of ada");
        assert_eq!(listed.len(), 4);
        assert_eq!(ada.client.invites().list().await.unwrap().invites, [], "those of another account");
        let foreign = ada.client.invites().delete(&made[0]).await;
        assert_eq!(code::<DeleteInvite>(foreign), Code::NotFound);
    }
}
