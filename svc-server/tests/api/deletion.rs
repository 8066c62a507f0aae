//! Deleted accounts: hidden at once, restored by their password or default key, erased later.

use http::Method;
use svc_client::types::api::auth::{Login, Register, Restore};
use svc_client::types::api::developers::GetDeveloper;
use svc_client::types::api::security::SecurityAction;
use svc_client::types::api::users::GetMe;
use svc_client::types::{Code, Scope};
use svc_core::audit;
use svc_server::admin::Command;
use svc_store::sql;

use crate::app::{Member, TestApp, all_items, code};
use crate::factors::add;
use crate::market::{Market, offer};
use crate::oauth::{DONE, text};
use crate::on_both_engines;
use crate::raw::answer;

const PASSWORD: &str = "correct horse";

/// How long a deleted account can be restored, in seconds.
const GRACE: u64 = 14 * 24 * 3_600;

async fn delete(member: &Member) {
    member.client.users().delete_me(&*member.user.username).await.unwrap();
}

async fn assert_consistent(app: &TestApp) {
    let report = audit::now(app.server.app()).await.unwrap();
    assert!(report.holds(), "{report}");
}

/// Followers, followed accounts, likes and replies of a post, as an anonymous reader sees them.
async fn counts(app: &TestApp, account: &str, post: &str) -> [i64; 4] {
    let user = app.anonymous.users().get(account).await.unwrap().user;
    let post = app.anonymous.posts().get(post).await.unwrap().post;
    [user.followers_count, user.following_count, post.likes_count, post.replies_count]
}

on_both_engines! {
    async fn a_deleted_account_is_restored_with_all_that_it_had(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let first = bob.post("what do you think?").await;
        let reply = ada.reply(&first, "that it is fine").await;
        ada.client.reactions().like(&first.id).await.unwrap();
        ada.client.relations().follow("bob").await.unwrap();
        bob.client.relations().follow("ada").await.unwrap();
        ada.write(&bob, "hello").await;
        let service = ada.client.services().create("count", "counts words", 5).await.unwrap().service.id;
        let room = ada.client.channels().create("room").await.unwrap().channel.id;
        bob.client.channels().join(&room).await.unwrap();
        let list = ada.client.lists().create("friends").await.unwrap().list.id;
        ada.client.lists().add(&list, ["bob"]).await.unwrap();
        ada.client.reactions().bookmark(&first.id).await.unwrap();
        app.index().await;
        let before = counts(&app, "bob", first.id.as_str()).await;
        let credits = ada.client.credits().balance().await.unwrap().credits.available;
        let answer = ada.client.users().delete_me("ada").await.unwrap();
        let in_14_days = app.server.clock().now().plus(std::time::Duration::from_secs(GRACE));
        assert_eq!((answer.deleted, answer.erased_at), (true, Some(in_14_days)));
        assert_eq!(counts(&app, "bob", first.id.as_str()).await, [0; 4]);
        app.anonymous.bots().capabilities("ada").await.unwrap_err();
        let found = async || {
            let users = app.anonymous.search().users("ad").await.unwrap().users.unwrap();
            users.into_iter().map(|user| user.username).collect::<Vec<_>>()
        };
        app.index().await;
        assert_eq!(found().await, [""; 0]);
        assert_consistent(&app).await;

        app.advance(GRACE - 1);
        app.server.erase().await;
        assert_eq!(ada.client.auth().session().await.unwrap().erased_at, Some(in_14_days));
        ada.client.auth().restore().await.unwrap();
        app.index().await;
        assert_eq!(counts(&app, "bob", first.id.as_str()).await, before);
        assert_eq!(found().await, ["ada"]);
        assert_eq!(app.anonymous.posts().get(&reply.id).await.unwrap().post.content, "that it is fine");
        assert_eq!(ada.client.credits().balance().await.unwrap().credits.available, credits);
        let offered = app.anonymous.bots().capabilities("ada").await.unwrap().capabilities;
        assert_eq!(offered.iter().map(|one| one.id.clone()).collect::<Vec<_>>(), [service]);
        assert_eq!(ada.client.auth().session().await.unwrap().erased_at, None);
        assert_eq!(app.anonymous.channels().get(&room).await.unwrap().channel.members_count, 2);
        assert_eq!(ada.client.lists().get(&list).await.unwrap().list.members_count, 1);
        assert_eq!(ada.client.reactions().bookmarks().await.unwrap().posts[0].id, first.id);
        assert_consistent(&app).await;
        app.advance(GRACE);
        app.server.erase().await;
        ada.client.users().me().await.expect("it is not erased any more");
    }

    async fn an_account_is_deleted_three_times_an_hour(app: TestApp, "limits.budgets" = "true") {
        let ada = app.agent("ada").await;
        let send = async || answer(ada.raw(&app, Method::DELETE, "/users/me?confirm=ada")).await;
        for _ in 0..3 {
            assert_eq!(send().await.status, 200);
            ada.client.auth().restore().await.unwrap();
        }
        let refused = send().await.refusal();
        assert_eq!(refused.code, Code::RateLimited);
        assert_eq!(refused.error, "at most 3 deletions of an account are allowed in 1h");
        ada.client.users().me().await.unwrap();
        app.advance(3_600);
        assert_eq!(send().await.status, 200);
    }

    async fn until_it_is_erased_it_reaches_only_its_restoration(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let named = ada.client.keys().create("reader", [Scope::Read]).await.unwrap();
        let former = app.browser(&app.sign_in("ada", PASSWORD).await);
        delete(&ada).await;
        assert_eq!(code::<GetMe>(ada.client.users().me().await), Code::AccountDeleted);
        assert_eq!(code::<GetMe>(app.client(named.api_key).users().me().await), Code::Unauthorized);
        assert_eq!(code::<GetMe>(former.users().me().await), Code::Unauthorized);
        let public = answer(ada.raw(&app, Method::GET, "/users/ada")).await.refusal();
        assert_eq!(public.code, Code::AccountDeleted);
        let signed_in = app.anonymous.auth().login("ada", PASSWORD).await.unwrap();
        assert!(signed_in.erased_at.is_some());
        let browser = app.browser(&app.sign_in("ada", PASSWORD).await);
        assert_eq!(code::<GetMe>(browser.users().me().await), Code::AccountDeleted);
        browser.auth().restore().await.unwrap();
        browser.users().me().await.unwrap();
        ada.client.users().me().await.unwrap();
        assert_eq!(code::<Restore>(browser.auth().restore().await), Code::WrongState);
    }

    async fn an_erased_account_is_not_restored(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        delete(&ada).await;
        app.advance(GRACE);
        // The round in the background may have begun with it already.
        let refusal = code::<Restore>(ada.client.auth().restore().await);
        assert!(matches!(refusal, Code::WrongState | Code::Unauthorized), "{refusal}");
        app.server.erase().await;
        assert_eq!(code::<Restore>(ada.client.auth().restore().await), Code::Unauthorized);
        delete(&bob).await;
        app.server.admin(Command::Erase { username: "bob".to_owned() }).await;
        assert_eq!(code::<Restore>(bob.client.auth().restore().await), Code::WrongState);
        app.server.erase().await;
        assert_eq!(code::<Restore>(bob.client.auth().restore().await), Code::Unauthorized);
        assert_consistent(&app).await;
    }

    async fn the_end_of_an_account_ends_nothing_of_another_one(app: TestApp) {
        let [ada, bot, cid] = app.agents(["ada", "bot", "cid"]).await;
        let (fay, eve) = (app.person("fay", PASSWORD).await, app.visitor("eve").await);
        let (gate, me) = (app.developer("Gate").await, &eve.member.client);
        let named = me.keys().create("reader", [Scope::Read]).await.unwrap();
        let named = app.client(named.api_key);
        me.invites().create().await.unwrap();
        let soon = app.server.clock().now().plus(std::time::Duration::from_hours(24));
        me.scheduled_posts().create("for later", soon).await.unwrap();
        let program = app.register_client(&[DONE]).await;
        let access = text(&app.tokens(&eve, &program, "read").await, "access_token");
        add(&app, &eve.member).await;
        let token = bot.client.agents().create_identity_token().await.unwrap().token;
        let service = offer(&bot, "work", 5).await;
        cid.client.escrow().create("bot", &service, 5, "a report").await.unwrap();
        let ordering = cid.client.orders().create("bot", &service, serde_json::Map::new());
        ordering.max_credits(5).await.unwrap();

        delete(&fay).await;
        delete(&ada).await;
        ada.client.auth().restore().await.unwrap();
        assert_eq!(code::<GetMe>(fay.client.users().me().await), Code::AccountDeleted, "not she");
        delete(&ada).await;
        app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        app.server.erase().await;
        app.browser(&app.sign_in("fay", PASSWORD).await).auth().restore().await.unwrap();
        let back = fay.client.users().me().await.unwrap().user;
        assert_eq!(back.email.as_deref(), Some("fay@example.org"));

        app.browser(&eve.cookie).auth().session().await.unwrap();
        named.users().me().await.unwrap();
        assert_eq!(app.status_with(&access, "/users/me").await, 200);
        gate.client.agents().verify_identity(token).await.unwrap();
        assert_eq!(me.invites().list().await.unwrap().invites.len(), 1);
        assert_eq!(all_items(me.scheduled_posts().list()).await.len(), 1);
        let factors = me.factors().get().await.unwrap();
        assert_eq!((factors.totp, factors.recovery_codes_left), (true, 10));
        let log = me.security().log().await.unwrap().entries;
        assert!(log.iter().any(|entry| entry.action == SecurityAction::SignedUp));
        assert_consistent(&app).await;
    }

    async fn credits_are_forfeited_when_the_account_is_erased(app: TestApp) {
        let market = Market::new(app).await;
        delete(&market.ada).await;
        market.is_consistent().await;
        market.app.advance(GRACE);
        market.app.server.erase().await;
        market.is_consistent().await;
        let held = svc_store::sql!(
            "select count(*) from ledger_account where id = (select 'user:' || id from account where username = 'ada') and balance <> 0"
        );
        assert_eq!(market.app.count(held).await, 0);
    }

    async fn an_erasure_that_began_before_a_restoration_ends_without_it(app: TestApp) {
        let ada = app.agent("ada").await;
        delete(&ada).await;
        app.advance(GRACE - 1);
        // The list of accounts to erase was read a moment too early.
        let gone = app.server.app().read(|ctx| {
            ctx.tx.one(svc_store::sql!("select id, deleted_at from account where username = 'ada'"), &[])
        });
        let gone: svc_core::services::erasure::Gone = gone.await.unwrap();
        ada.client.auth().restore().await.unwrap();
        let begun = app.server.app().write(move |ctx| svc_core::services::erasure::begin(ctx, &gone));
        assert!(!begun.await.unwrap());
        ada.client.users().me().await.unwrap();
    }

    async fn an_erased_account_leaves_no_address_and_nothing_that_signs_in(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let _recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        let (_, codes) = add(&app, &ada).await;
        ada.client.users().update_me().email("two@example.org").await.unwrap();
        let gate = ada.client.developers().register("Gate", "https://gate.example.org").await.unwrap();
        let gate = app.developer_client(gate.developer_api_key);
        delete(&ada).await;
        // Signing in reaches a deleted account too, so it may leave traces after the deletion.
        let step = app.anonymous.auth().login("ada", PASSWORD).await;
        assert_eq!(code::<Login>(step), Code::SecondFactorRequired);
        app.anonymous.auth().login("ada", PASSWORD).code(codes[0].expose()).await.unwrap();
        let apps = sql!("select count(*) from developer_app where deleted_at is null");
        assert_eq!(app.count(apps).await, 1, "the account may still come back");
        app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        app.server.erase().await;
        for (left, sql) in [
            ("an address", sql!("select count(*) from account where coalesce(email, pending_email) is not null")),
            ("a password", sql!("select count(*) from account where password_hash is not null")),
            ("a key", sql!("select count(*) from api_key")),
            ("a session", sql!("select count(*) from session")),
            ("a network", sql!("select count(*) from known_network")),
            ("an authenticator app", sql!("select count(*) from totp")),
            ("a recovery code", sql!("select count(*) from recovery_code")),
            ("a step of a sign-in", sql!("select count(*) from login_step")),
            ("an entry of its log", sql!("select count(*) from security_entry")),
            ("a link", sql!("select count(*) from mail_token")),
            ("a mail", sql!("select count(*) from mail_outbox")),
        ] {
            assert_eq!(app.count(sql).await, 0, "{left}");
        }
        assert_eq!(code::<GetDeveloper>(gate.developers().me().await), Code::InvalidDeveloperKey);
        assert_eq!(app.count(apps).await, 0);
        let again = app.anonymous.auth().register_agent("ada").await;
        assert_eq!(code::<Register>(again), Code::UsernameTaken, "nobody takes the place of an erased account");
    }
}
