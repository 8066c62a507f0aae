//! Mails that wait: what the database holds of them, and which are never sent.

use svc_client::types::Code;
use svc_client::types::api::email::VerifyEmail;
use svc_server::mail;
use svc_store::{sql, values};

use super::{HOUR, PASSWORD, mails, one_mail};
use crate::app::code;
use crate::on_both_engines;

on_both_engines! {
    async fn the_database_holds_no_link(app: TestApp, "mail.url" = "smtp://127.0.0.1:9") {
        let recorder = app.server.record_mails();
        app.person("ada", PASSWORD).await;
        let waiting = |ctx: &mut svc_core::app::Ctx<'_, '_>| {
            let sql = sql!("select subject, recipient, sealed from mail_outbox");
            ctx.tx.all::<(String, String, Vec<u8>)>(sql, values![])
        };
        let [(_, _, sealed)] = app.server.app().read(waiting).await.unwrap().try_into().unwrap();
        let token = one_mail(&app, &recorder).await.token();
        let stored = app.server.app().read(|ctx| {
            ctx.tx.all::<Vec<u8>>(sql!("select hash from mail_token"), values![])
        });
        let [hash] = stored.await.unwrap().try_into().unwrap();
        for bytes in [&sealed, &hash] {
            for text in [&*token, "token=", "verify"] {
                assert!(!bytes.windows(text.len()).any(|part| part == text.as_bytes()));
            }
        }
        assert_eq!(app.count(sql!("select count(*) from mail_outbox")).await, 0, "it is sent");
    }

    async fn a_mail_that_cannot_be_decrypted_waits_for_a_node_that_can(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        app.person("ada", PASSWORD).await;
        let sql = sql!("select sealed from mail_outbox");
        let sealed = app.server.app().read(move |ctx| ctx.tx.one::<Vec<u8>>(sql, values![]));
        let sealed = sealed.await.unwrap();
        let keep = async |sealed: Vec<u8>| {
            let sql = sql!("update mail_outbox set sealed = $1");
            app.execute(move |ctx| ctx.tx.execute(sql, values![sealed])).await;
        };
        keep(vec![0; 64]).await;
        assert_eq!(mails(&app, &recorder).await, []);
        keep(sealed).await;
        app.advance(60);
        let link = one_mail(&app, &recorder).await.token();
        app.anonymous.auth().verify_email(link).await.unwrap();
    }

    async fn a_deleted_account_leaves_no_link_and_no_mail(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        let link = one_mail(&app, &recorder).await.token();
        ada.client.users().update_me().email("two@example.org").await.unwrap();
        ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(mails(&app, &recorder).await, []);
        let late = app.anonymous.auth().verify_email(link).await;
        assert_eq!(code::<VerifyEmail>(late), Code::NotFound);
        assert_eq!(app.count(sql!("select count(*) from mail_token")).await, 0);
    }

    async fn a_mail_whose_time_is_over_is_given_up(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        // Nobody listens there, so each try fails.
        app.person("ada", PASSWORD).await;
        app.server.send_mails().await;
        assert_eq!(app.count(sql!("select count(*) from mail_outbox where attempt = 1")).await, 1);
        app.advance(24 * HOUR);
        let recorder = app.server.record_mails();
        assert_eq!(mails(&app, &recorder).await, []);
        assert_eq!(app.count(sql!("select count(*) from mail_outbox")).await, 0);
    }

    async fn of_mails_that_were_sent_at_once_only_the_one_that_is_not_recorded_stays(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        for name in ["ada", "bob"] {
            app.person(name, PASSWORD).await;
        }
        // The first can't be deleted.
        app.execute(|ctx| {
            let keep = sql!("create table kept (mail text not null references mail_outbox (id))");
            ctx.tx.execute(keep, &[])?;
            let first =
                sql!("insert into kept select id from mail_outbox order by due_at, id limit 1");
            ctx.tx.execute(first, &[])
        }).await;
        mail::once(app.server.app()).await.unwrap_err();
        assert_eq!(recorder.take().len(), 2);
        assert_eq!(app.count(sql!("select count(*) from mail_outbox")).await, 1);
    }
}
