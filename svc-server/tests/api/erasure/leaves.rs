//! What an erased account leaves with others: messages that they still read, and figures.

use svc_server::admin::Command;
use svc_store::sql;

use super::{MARK, delete};
use crate::counts;
use crate::on_both_engines;

on_both_engines! {
    async fn a_message_that_both_delete_is_emptied(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let [one, other] = [ada.write(&bob, MARK).await, ada.write(&bob, MARK).await];
        let held = sql!("select count(*) from message where content like '%quetzalcoatl%'");
        ada.client.messages().delete(&one.message_id).await.unwrap();
        bob.client.messages().delete(&other.message_id).await.unwrap();
        assert_eq!(app.count(held).await, 2, "the other side still reads it");
        bob.client.messages().delete(&one.message_id).await.unwrap();
        ada.client.messages().delete(&other.message_id).await.unwrap();
        assert_eq!(app.count(held).await, 0);
    }

    async fn what_only_an_erased_account_could_read_is_emptied(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let [early, late] = [bob.write(&ada, MARK).await, bob.write(&ada, MARK).await];
        let held = sql!("select count(*) from message where content like '%quetzalcoatl%'");
        bob.client.messages().delete(&early.message_id).await.unwrap();
        delete(&app, &ada).await;
        assert_eq!(app.count(held).await, 2, "she may still come back");
        app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        app.server.erase().await;
        assert_eq!(app.count(held).await, 1);
        let read = bob.client.messages().get(&late.message_id).await.unwrap().message;
        assert_eq!(read.content, MARK, "its sender still reads it");
        bob.client.messages().delete(&late.message_id).await.unwrap();
        assert_eq!(app.count(held).await, 0);
        counts::are_right(&app).await;
    }

    async fn an_erased_account_is_among_no_viewers(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let post = bob.post("what do you think?").await;
        for reader in [&ada, &cyd] {
            reader.client.posts().get(&post.id).await.unwrap();
            reader.client.users().get("bob").await.unwrap();
        }
        app.server.flush().await;
        let viewers = async || {
            let of_posts = app.count(sql!("select count(*) from post_viewer")).await;
            (of_posts, app.count(sql!("select count(*) from account_viewer")).await)
        };
        assert_eq!(viewers().await, (2, 2));
        delete(&app, &ada).await;
        app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        app.server.erase().await;
        assert_eq!(viewers().await, (1, 1), "cyd stays");
        let counted = bob.client.analytics().post(&post.id).await.unwrap().analytics;
        assert_eq!(counted.unique_viewers, 2, "the figures stay as they were");
    }
}
