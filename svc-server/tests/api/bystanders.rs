//! What is done to one thing leaves the others of its kind as they are.

use svc_client::types::Code;
use svc_client::types::api::moderation::ModerationActionType as Kind;
use svc_client::types::api::posts::ReplyPolicy;
use svc_client::types::api::reports::Subject;
use svc_client::types::api::users::AccountStatus;
use svc_core::services::mail;
use svc_server::admin::Command;
use svc_store::sql;

use crate::app::Member;
use crate::email::{mails, one_mail};
use crate::moderation::staff;
use crate::on_both_engines;
use crate::owners::{PASSWORD, own, pair};

async fn status(member: &Member) -> AccountStatus {
    member.client.users().me().await.unwrap().user.status.unwrap()
}

on_both_engines! {
    async fn what_ends_the_links_of_one_account_leaves_the_mails_of_another(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        // Nobody listens there, so each try fails.
        let bob = app.person("bob", PASSWORD).await;
        let verify = sql!("update account set email_verified_at = created_at where username = 'bob'");
        app.execute(move |ctx| ctx.tx.execute(verify, &[])).await;
        bob.client.users().update_me().email("two@example.org").await.unwrap();
        app.anonymous.auth().reset_password("bob@example.org").await.unwrap();
        app.server.send_mails().await;
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        let link = one_mail(&app, &recorder).await.token();
        app.anonymous.auth().verify_email(link).await.unwrap();
        app.anonymous.auth().reset_password("ada@example.org").await.unwrap();
        assert_eq!(one_mail(&app, &recorder).await.recipient, "ada@example.org");
        ada.client.auth().change_password(PASSWORD, "battery staple").await.unwrap();
        app.server.admin(Command::Recover { username: "ada".to_owned() }).await;
        ada.client.users().update_me().email("three@example.org").await.unwrap();
        ada.client.users().delete_me("ada").await.unwrap();
        app.server.app().write(|ctx| mail::reencrypt(ctx, "")).await.unwrap();
        app.advance(60);
        let mails = mails(&app, &recorder).await;
        let recipients: Vec<&str> = mails.iter().map(|mail| mail.recipient.as_str()).collect();
        assert_eq!(recipients.len(), 4, "{recipients:?}");
        assert!(recipients.contains(&"two@example.org"), "{recipients:?}");
        let reset = mails.iter().find(|mail| mail.subject == "Reset your password").unwrap().token();
        let finishing = app.anonymous.auth().finish_password_reset(reset).new_password("battery staple");
        finishing.await.unwrap();
    }

    async fn a_measure_that_ends_for_one_subject_holds_for_the_others(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let act = |subject: Subject, kind: Kind| {
            judge.client.moderation().act(subject, kind, "the rules")
        };
        let [lifted, kept] = [eve.post("one").await.id, ada.post("other").await.id];
        for post in [&lifted, &kept] {
            act(Subject::post(post), Kind::Hide).await.unwrap();
            act(Subject::post(post), Kind::Label).label("satire").await.unwrap();
        }
        for name in ["ada", "eve"] {
            act(Subject::user(name), Kind::Limit).await.unwrap();
        }
        assert_eq!(status(&judge).await, AccountStatus::Active);
        act(Subject::post(&lifted), Kind::Restore).await.unwrap();
        act(Subject::post(&lifted), Kind::Unlabel).label("satire").await.unwrap();
        act(Subject::user("eve"), Kind::Unlimit).await.unwrap();
        assert_eq!(status(&eve).await, AccountStatus::Active);
        act(Subject::user("eve"), Kind::Suspend).await.unwrap();
        act(Subject::user("eve"), Kind::Limit).await.unwrap();
        assert_eq!(status(&eve).await, AccountStatus::Suspended, "a limit does not end it");
        act(Subject::user("eve"), Kind::Unlimit).await.unwrap();
        act(Subject::user("eve"), Kind::Unsuspend).await.unwrap();
        assert_eq!(status(&eve).await, AccountStatus::Active, "ada is limited, and she is not");
        assert_eq!(status(&ada).await, AccountStatus::Limited);
        let seen = || app.anonymous.posts().get(&kept);
        assert_eq!(seen().await.unwrap_err().code(), Some(&Code::NotFound));
        act(Subject::post(&kept), Kind::Restore).await.unwrap();
        assert_eq!(seen().await.unwrap().post.labels, ["satire"]);
        act(Subject::user("ada"), Kind::Unlimit).await.unwrap();
        assert_eq!(status(&ada).await, AccountStatus::Active);
    }

    async fn what_an_owner_does_with_one_agent_leaves_the_others(app: TestApp) {
        let [second, free] = app.agents(["second", "free"]).await;
        let link = free.client.agents().create_claim_link().await.unwrap().url;
        let [ann, _bot] = pair(&app).await;
        own(&ann, &second).await;
        let agents = ann.client.agents();
        let seen = async || {
            let owned = agents.owned().await.unwrap().agents;
            let second = owned.into_iter().find(|agent| agent.username == "second").unwrap();
            (second.paused, second.visible)
        };
        agents.pause("bot").await.unwrap();
        agents.set_owner("bot", true).await.unwrap();
        assert_eq!(seen().await, (false, false));
        agents.pause("second").await.unwrap();
        agents.set_owner("second", true).await.unwrap();
        agents.resume("bot").await.unwrap();
        agents.set_owner("bot", false).await.unwrap();
        assert_eq!(seen().await, (true, true));
        agents.release("bot").await.unwrap();
        assert_eq!(seen().await, (true, true));
        let eve = app.person("eve", PASSWORD).await;
        assert_eq!(eve.client.agents().claim(link).await.unwrap().agent.username, "free");
        assert_eq!(agents.owned().await.unwrap().agents.len(), 1);
    }

    async fn an_edit_of_one_post_leaves_the_others(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let [edited, theirs] = [ada.post("one").await, bob.post("theirs").await];
        let other = ada.reply(&theirs, "other").await;
        let seen = async || {
            let ids = [other.id.clone(), theirs.id.clone()];
            app.anonymous.posts().get_many(ids).await.unwrap().posts
        };
        let before = seen().await;
        let editing = ada.client.posts().edit(&edited.id).content("two").content_warning("loud");
        editing.language("de").reply_policy(ReplyPolicy::None).await.unwrap();
        assert_eq!(seen().await, before);
    }
}
