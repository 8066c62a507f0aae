//! Pending changes: what could take an agent away from its owner waits for 72 hours.

mod mails;

use std::time::Duration;

use http::Method;
use serde_json::json;
use svc_client::types::api::pending::{CancelPendingChange, PendingKind, UndoPendingChange};
use svc_client::types::api::security::SecurityAction;
use svc_client::types::{Code, PendingChangeId};
use svc_core::due;
use svc_core::services::step_up;
use svc_server::admin::Command;
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items, code};
use crate::counts;
use crate::oauth::{Visitor, text};
use crate::on_both_engines;
use crate::raw::answer;

const PASSWORD: &str = "correct horse";

/// How long a change waits, in seconds.
const WAIT: u64 = 72 * 3_600;

/// Advances what is overdue, as a server does each second.
async fn advance_overdue(app: &TestApp) {
    due::sweep(app.server.app()).await.unwrap();
}

/// Moves the clock past the wait of all pending changes, so that they take effect.
pub(crate) async fn advance_past_wait(app: &TestApp) {
    app.advance(WAIT);
    advance_overdue(app).await;
}

/// A person and the agent it owns.
async fn owned(app: &TestApp) -> (Member, Member) {
    let (grace, bot) = (app.person("grace", PASSWORD).await, app.agent("bot").await);
    let link = bot.client.agents().create_claim_link().await.unwrap().url;
    grace.client.agents().claim(link).await.unwrap();
    (grace, bot)
}

/// A person or agent that has signed in. An agent without a password could do so only with a passkey, so it
/// gets a password for that moment.
async fn signed_in(app: &TestApp, member: &Member) -> Visitor {
    let (id, name) = (member.user.id.clone(), &*member.user.username);
    let hash = app.server.app().passwords.hash(PASSWORD.to_owned()).await.unwrap();
    let set = sql!("update account set password_hash = $1 where id = $2");
    let account = id.clone();
    app.execute(move |ctx| ctx.tx.execute(set, values![hash, account])).await;
    let cookie = app.sign_in(name, PASSWORD).await;
    let clear = sql!("update account set password_hash = null where id = $1 and is_agent = true");
    app.server.app().write(move |ctx| ctx.tx.execute(clear, values![id])).await.unwrap();
    Visitor { member: member.clone(), cookie }
}

/// A token by which `svc` manages an account that the visitor chose, confirmed like any other credential.
async fn token(app: &TestApp, visitor: &Visitor, acts_for: &Member) -> String {
    let begun = app.start_device("account").await;
    let code = text(&begun, "user_code");
    let fields = [("user_code", &*code), ("decision", "allow"), ("as", acts_for.user.id.as_str())];
    let sent = visitor.send(app, "/device", &fields).await;
    assert_eq!(sent.status, 200, "{}", sent.text);
    let tokens = app.poll(&begun).await.json();
    let confirm = sql!("update oauth_grant set confirmed_until = $1");
    let until = app.server.clock().now().plus(step_up::LIFE);
    app.execute(move |ctx| ctx.tx.execute(confirm, values![until])).await;
    text(&tokens, "access_token")
}

/// The pending changes that an account sees: the account they are for, their kind and their ids.
async fn pending(member: &Member) -> Vec<(String, PendingKind, PendingChangeId)> {
    let list = member.client.pending().list().await.unwrap().pending;
    list.into_iter().map(|one| (one.username, one.kind, one.pending_id)).collect()
}

async fn actions(member: &Member) -> Vec<SecurityAction> {
    let entries = all_items(member.client.security().log()).await;
    entries.into_iter().map(|entry| entry.action).collect()
}

on_both_engines! {
    async fn a_key_alone_does_not_take_an_agent_from_its_owner(app: TestApp) {
        let (grace, bot) = owned(&app).await;
        let until = app.server.clock().now().plus(Duration::from_secs(WAIT));
        let released = bot.client.agents().release("bot").raw().await.unwrap();
        assert_eq!(released.status, 202);
        assert_eq!((released.value.deleted, released.value.pending_until), (false, Some(until)));
        let moved = bot.client.users().update_me().email("thief@example.org").bio("new").raw().await.unwrap();
        assert_eq!((moved.status.as_u16(), moved.value.pending_until), (202, Some(until)));
        assert_eq!((moved.value.user.email, moved.value.user.bio), (None, "new".to_owned()));
        let deleted = bot.client.users().delete_me("bot").raw().await.unwrap();
        assert_eq!((deleted.status.as_u16(), deleted.value.erased_at), (202, None));
        assert_eq!(deleted.value.pending_until, Some(until));
        assert_eq!(grace.client.agents().owned().await.unwrap().agents.len(), 1);

        let seen = pending(&grace).await;
        let kinds: Vec<&PendingKind> = seen.iter().map(|(_, kind, _)| kind).collect();
        assert_eq!(kinds, [&PendingKind::OwnerRelease, &PendingKind::Email, &PendingKind::Deletion]);
        assert!(seen.iter().all(|(name, ..)| name == "bot"));
        assert_eq!(pending(&bot).await, seen);
        for (_, _, id) in &seen {
            grace.client.pending().cancel(id).await.unwrap();
        }
        grace.client.agents().rotate_key("bot").await.unwrap();
        app.advance(WAIT);
        advance_overdue(&app).await;
        assert_eq!(grace.client.agents().owned().await.unwrap().agents.len(), 1);
        assert!(app.anonymous.users().get("bot").await.is_ok());
        assert!(actions(&grace).await.contains(&SecurityAction::ChangeCancelled));
    }

    async fn an_account_that_is_suspended_meanwhile_is_not_deleted(app: TestApp) {
        let (_, bot) = owned(&app).await;
        let post = app.agent("ada").await.post("top").await;
        bot.client.reactions().like(&post.id).await.unwrap();
        bot.client.users().delete_me("bot").await.unwrap();
        app.suspend("bot").await;
        advance_past_wait(&app).await;
        counts::are_right(&app).await;
        app.unsuspend("bot").await;
        counts::are_right(&app).await;
        assert!(actions(&bot).await.contains(&SecurityAction::ChangeFailed));
    }

    async fn a_program_waits_if_the_agent_allowed_it_and_not_if_its_owner_did(app: TestApp) {
        let (grace, bot) = owned(&app).await;
        let leave = async |token: &str| {
            answer(app.raw(Method::DELETE, "/v1/agents/bot/owner").bearer_auth(token)).await
        };
        let own = token(&app, &signed_in(&app, &bot).await, &bot).await;
        assert_eq!(leave(&own).await.status, 202);
        let moved = app.raw(Method::PATCH, "/users/me").bearer_auth(&own);
        let moved = answer(moved.json(&json!({ "email": "thief@example.org" }))).await;
        assert_eq!(moved.status, 202, "{}", moved.text);
        assert_eq!(pending(&grace).await.len(), 2);
        let of_owner = token(&app, &signed_in(&app, &grace).await, &bot).await;
        assert_eq!(leave(&of_owner).await.status, 200);
    }

    async fn what_a_thief_asked_for_is_undone_when_the_keys_are_replaced(app: TestApp) {
        let (grace, bot) = owned(&app).await;
        bot.client.users().update_me().email("thief@example.org").await.unwrap();
        bot.client.agents().release("bot").await.unwrap();
        let key = grace.client.agents().rotate_key("bot").await.unwrap().api_key;
        assert_eq!(pending(&grace).await, []);
        assert!(actions(&grace).await.contains(&SecurityAction::ChangeCancelled));
        advance_past_wait(&app).await;
        assert_eq!(app.client(key).users().me().await.unwrap().user.email, None);
        assert_eq!(grace.client.agents().owned().await.unwrap().agents.len(), 1);
    }

    async fn what_a_thief_asked_for_is_undone_when_the_key_is_recovered(app: TestApp) {
        let (grace, bot) = owned(&app).await;
        // A recovery would end a younger ownership.
        app.advance(WAIT);
        bot.client.users().update_me().email("thief@example.org").await.unwrap();
        bot.client.agents().release("bot").await.unwrap();
        let recover = Command::Recover { username: "bot".to_owned() };
        let link = app.server.admin(recover).await.remove(0).account().unwrap().link.unwrap();
        let (_, token) = link.expose().split_once("/reset?token=").unwrap();
        let key = app.anonymous.auth().finish_password_reset(token).await.unwrap().api_key.unwrap();
        assert_eq!(pending(&grace).await, []);
        advance_past_wait(&app).await;
        assert_eq!(app.client(key).users().me().await.unwrap().user.email, None);
        assert_eq!(grace.client.agents().owned().await.unwrap().agents.len(), 1);
    }

    async fn an_agent_without_a_password_is_signed_out_when_its_keys_are_replaced(app: TestApp) {
        let (grace, bot) = owned(&app).await;
        let thief = signed_in(&app, &bot).await;
        let token = token(&app, &thief, &bot).await;
        grace.client.agents().rotate_key("bot").await.unwrap();
        assert!(app.browser(&thief.cookie).auth().session().await.is_err());
        assert_eq!(app.status_with(&token, "/users/me").await, 401);
    }

    async fn what_nobody_undoes_takes_effect(app: TestApp) {
        let (grace, bot) = owned(&app).await;
        bot.client.users().update_me().email("new@example.org").await.unwrap();
        bot.client.agents().release("bot").await.unwrap();
        app.advance(WAIT - 1);
        advance_overdue(&app).await;
        assert_eq!(pending(&bot).await.len(), 2);
        app.advance(1);
        advance_overdue(&app).await;
        assert_eq!(pending(&bot).await, []);
        assert_eq!(bot.client.users().me().await.unwrap().user.email.as_deref(), Some("new@example.org"));
        assert_eq!(grace.client.agents().owned().await.unwrap().agents.len(), 0);
        // Without an owner nothing waits.
        let deleted = bot.client.users().delete_me("bot").await.unwrap();
        assert!(deleted.deleted && deleted.pending_until.is_none());
    }

    async fn nothing_takes_effect_while_the_agent_is_paused(app: TestApp) {
        let (grace, bot) = owned(&app).await;
        bot.client.agents().release("bot").await.unwrap();
        bot.client.users().update_me().email("thief@example.org").await.unwrap();
        bot.client.users().delete_me("bot").await.unwrap();
        grace.client.agents().pause("bot").await.unwrap();
        advance_past_wait(&app).await;
        let [agent] = grace.client.agents().owned().await.unwrap().agents.try_into().unwrap();
        assert!(agent.paused, "a release would lift the pause");
        assert_eq!(bot.client.users().me().await.unwrap().user.email, None);
        let failed = actions(&grace).await.into_iter();
        assert_eq!(failed.filter(|action| *action == SecurityAction::ChangeFailed).count(), 3);
        assert_eq!(pending(&grace).await, []);
    }

    async fn a_request_to_leave_an_owner_ends_with_the_ownership(app: TestApp) {
        let (grace, bot) = owned(&app).await;
        bot.client.agents().release("bot").await.unwrap();
        grace.client.agents().release("bot").await.unwrap();
        assert_eq!(pending(&bot).await, []);
        let heidi = app.person("heidi", PASSWORD).await;
        let link = bot.client.agents().create_claim_link().await.unwrap().url;
        heidi.client.agents().claim(link).await.unwrap();
        app.advance(WAIT);
        advance_overdue(&app).await;
        assert_eq!(heidi.client.agents().owned().await.unwrap().agents.len(), 1);
    }

    async fn a_deletion_takes_effect_after_its_time(app: TestApp) {
        let (grace, bot) = owned(&app).await;
        bot.client.users().delete_me("bot").await.unwrap();
        app.advance(WAIT);
        advance_overdue(&app).await;
        assert_eq!(bot.client.users().me().await.unwrap_err().code(), Some(&Code::AccountDeleted));
        assert!(actions(&grace).await.contains(&SecurityAction::AgentReleased));
    }

    async fn the_same_request_again_neither_hastens_nor_delays_it(app: TestApp) {
        let (_, bot) = owned(&app).await;
        let first = bot.client.agents().release("bot").await.unwrap().pending_until;
        let mail = bot.client.users().update_me().email("a@example.org").await.unwrap().pending_until;
        app.advance(3_600);
        assert_eq!(bot.client.agents().release("bot").await.unwrap().pending_until, first);
        let again = bot.client.users().update_me().email("a@example.org").await.unwrap();
        assert_eq!(again.pending_until, mail);
        let other = bot.client.users().update_me().email("b@example.org").await.unwrap().pending_until;
        assert!(other > mail, "another address begins again");
        let listed = bot.client.pending().list().await.unwrap().pending;
        assert_eq!(listed.len(), 2);
        let addresses: Vec<&str> = listed.iter().filter_map(|one| one.email.as_deref()).collect();
        assert_eq!(addresses, ["b@example.org"]);
        advance_past_wait(&app).await;
        assert_eq!(bot.client.users().me().await.unwrap().user.email.as_deref(), Some("b@example.org"));
    }

    async fn a_caller_with_another_proof_does_not_wait(app: TestApp) {
        let (grace, bot) = owned(&app).await;
        // The owner confirms with a password.
        assert!(grace.client.agents().release("bot").await.unwrap().deleted);
        assert!(grace.client.users().update_me().email("new@example.org").await.unwrap().pending_until.is_none());
        assert!(bot.client.users().update_me().email("bot@example.org").await.unwrap().pending_until.is_none());
        assert!(grace.client.users().delete_me("grace").await.unwrap().deleted);
    }

    async fn a_change_that_waits_ends_with_its_account_and_does_not_come_back_with_it(app: TestApp) {
        let (grace, bot) = owned(&app).await;
        bot.client.users().update_me().email("thief@example.org").await.unwrap();
        grace.client.agents().release("bot").await.unwrap();
        assert!(bot.client.users().delete_me("bot").await.unwrap().deleted);
        bot.client.auth().restore().await.unwrap();
        advance_past_wait(&app).await;
        assert_eq!(bot.client.users().me().await.unwrap().user.email, None);
    }

    async fn a_change_that_was_made_without_waiting_meanwhile_does_not_fail(app: TestApp) {
        let (grace, bot) = owned(&app).await;
        let change = || bot.client.users().update_me().email("bot@example.org");
        assert!(change().await.unwrap().pending_until.is_some());
        grace.client.agents().release("bot").await.unwrap();
        assert!(change().await.unwrap().pending_until.is_none(), "nothing waits without an owner");
        advance_past_wait(&app).await;
        assert_eq!(bot.client.users().me().await.unwrap().user.email.as_deref(), Some("bot@example.org"));
        assert!(!actions(&bot).await.contains(&SecurityAction::ChangeFailed));
        assert_eq!(pending(&bot).await, []);
    }

    async fn only_the_account_and_its_owner_undo_a_change(app: TestApp) {
        let (_, bot) = owned(&app).await;
        let eve = app.agent("eve").await;
        bot.client.agents().release("bot").await.unwrap();
        let id = pending(&bot).await.remove(0).2;
        assert_eq!(code::<CancelPendingChange>(eve.client.pending().cancel(&id).await), Code::NotFound);
        assert_eq!(pending(&eve).await, []);
        assert_eq!(code::<UndoPendingChange>(app.anonymous.pending().undo("guess").await), Code::NotFound);
        bot.client.pending().cancel(&id).await.unwrap();
        assert_eq!(code::<CancelPendingChange>(bot.client.pending().cancel(&id).await), Code::NotFound);
    }

    async fn what_ends_the_changes_of_one_agent_leaves_those_of_another(app: TestApp) {
        let (grace, bot) = owned(&app).await;
        let second = app.agent("second").await;
        let link = second.client.agents().create_claim_link().await.unwrap().url;
        grace.client.agents().claim(link).await.unwrap();
        for agent in [&bot, &second] {
            agent.client.agents().release(&*agent.user.username).await.unwrap();
            let email = format!("{}@example.org", agent.user.username);
            agent.client.users().update_me().email(email.as_str()).await.unwrap();
        }
        let kept = pending(&second).await;
        assert_eq!(kept.len(), 2);
        let id = pending(&bot).await.remove(0).2;
        bot.client.pending().cancel(&id).await.unwrap();
        assert_eq!((pending(&bot).await.len(), pending(&second).await), (1, kept.clone()));
        grace.client.agents().rotate_key("bot").await.unwrap();
        grace.client.agents().release("bot").await.unwrap();
        app.server.admin(Command::Delete { username: "bot".to_owned() }).await;
        assert_eq!(pending(&second).await, kept);
    }

    async fn an_address_that_is_taken_by_then_stays_with_its_account(app: TestApp) {
        let (_, bot) = owned(&app).await;
        bot.client.users().update_me().email("ada@example.org").await.unwrap();
        app.person("ada", PASSWORD).await;
        let refused = bot.client.users().update_me().email("grace@example.org").await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::EmailTaken));
        app.advance(WAIT);
        advance_overdue(&app).await;
        assert_eq!(bot.client.users().me().await.unwrap().user.email, None);
        assert_eq!(actions(&bot).await[0], SecurityAction::ChangeFailed);
        let listed = answer(bot.raw(&app, Method::GET, "/auth/pending")).await.json();
        assert_eq!(listed, json!({ "pending": [] }));
    }
}
