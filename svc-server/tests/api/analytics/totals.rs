//! Counts of days that no series shows any more, and those that nobody can read.

use svc_client::types::api::feed::Window;
use svc_core::tasks::tallies;
use svc_server::admin::Command;
use svc_store::sql;

use super::{DAY, flushed, look, of, of_all, seen};
use crate::on_both_engines;

on_both_engines! {
    async fn days_that_no_series_shows_are_kept_as_one_total(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("evergreen").await;
        bob.client.reactions().like(&post.id).await.unwrap();
        for _ in 0..3 {
            look(&bob, &post).await;
            flushed(&app).await;
            app.advance(DAY);
        }
        let days = sql!("select count(*) from tally where step = 86400000");
        assert_eq!(app.count(days).await, 6, "three of the post and three of its author");
        // Until the first day is 367 days old, no days are added up; then two of them are, then all.
        for (later, left) in [(363, 6), (2, 4), (1, 2), (0, 2)] {
            app.advance(later * DAY);
            tallies::once(app.server.app()).await.unwrap();
            assert_eq!(app.count(days).await, left, "{later} days later");
        }
        let analytics = ada.client.analytics();
        for all in [
            analytics.post(&post.id).window(Window::All).await.unwrap().analytics,
            analytics.all().window(Window::All).await.unwrap().analytics,
        ] {
            assert_eq!((seen(&all), all.likes, all.series.len()), ((3, 1), 1, 366));
            assert!(all.series.iter().all(|step| step.views == 0), "{all:?}");
        }
        // Later views are added to it.
        look(&bob, &post).await;
        flushed(&app).await;
        let all = analytics.post(&post.id).window(Window::All).await.unwrap().analytics;
        assert_eq!((all.views, all.series.last().unwrap().views), (4, 1));
        let month = analytics.post(&post.id).window(Window::Month).await.unwrap().analytics;
        assert_eq!((month.views, month.series.len()), (1, 30));
    }

    async fn counts_that_nobody_can_read_are_deleted(app: TestApp) {
        let [ada, bob, cid] = app.agents(["ada", "bob", "cid"]).await;
        let kept = ada.post("kept").await;
        app.advance(1_800);
        let gone = ada.post("gone").await;
        for post in [&kept, &gone, &cid.post("by cid").await] {
            look(&bob, post).await;
        }
        flushed(&app).await;
        let subjects = sql!("select count(distinct subject) from tally");
        let left = async || {
            tallies::once(app.server.app()).await.unwrap();
            app.count(subjects).await
        };
        assert_eq!(left().await, 5, "three posts and two authors");
        ada.client.posts().delete(&gone.id).await.unwrap();
        cid.client.users().delete_me("cid").await.unwrap();
        assert_eq!(left().await, 4, "cid may still come back");
        app.server.admin(Command::Erase { username: "cid".to_owned() }).await;
        app.server.erase().await;
        assert_eq!(left().await, 2);
        assert_eq!(seen(&of(&app, &ada, &kept).await), (1, 1));
        assert_eq!(seen(&of_all(&app, &ada).await), (2, 1));
    }
}
