//! What an account may have at most also bounds calls at once: of two that would each be the last, one is refused.

use futures_util::future::join_all;
use svc_client::Call;
use svc_client::types::{Code, Endpoint, Scope, Scopes};
use svc_store::db::Sql;
use svc_store::{sql, values};

use crate::app::{Member, TestApp, code};
use crate::held::{Held, behind};
use crate::on_both_engines;

/// Two calls at once of an account that has room for one.
async fn one_is_refused<E: Endpoint>(app: &TestApp, who: &Member, calls: [Call<E>; 2]) {
    let held = Held::account(app, who.user.id.clone()).await;
    let calls = calls.map(IntoFuture::into_future);
    let mut answers = behind(app, held, 2, join_all(calls)).await;
    answers.sort_by_key(Result::is_err);
    let refused = answers.pop().unwrap();
    assert_eq!(code::<E>(refused), Code::LimitReached, "{}", E::NAME);
    assert!(answers.pop().unwrap().is_ok(), "{}", E::NAME);
}

/// Copies a row of the account, `$2`, as often; `$1` is the number of the copy.
async fn copy(app: &TestApp, who: &Member, times: i64, sql: Sql) {
    let owner = who.user.id.clone();
    app.execute(move |ctx| {
        (0..times).map(|n| ctx.tx.execute(sql, values![n.to_string(), owner])).sum()
    })
    .await;
}

on_both_engines! {
    async fn of_two_that_would_each_be_the_last_one_is_refused(
        app: TestApp, "database.connections" = "6", "limits.posts.free_window" = "1s"
    ) {
        let ada = app.agent("ada").await;
        ada.client.lists().create("a list").await.unwrap();
        copy(&app, &ada, 98, sql!(
            "insert into list (id, owner, name, visibility, exclusive, replies_policy,
                members_count, created_at, updated_at)
             select 'lst_' || $1, owner, name, visibility, exclusive, replies_policy, 0, 0, 0
             from list where owner = $2 limit 1"
        )).await;
        one_is_refused(&app, &ada, ["one", "two"].map(|name| ada.client.lists().create(name))).await;

        ada.client.channels().create("a-channel").await.unwrap();
        copy(&app, &ada, 98, sql!(
            "insert into channel (id, name, owner, visibility, post_policy, members_count, created_at)
             select 'chan_' || $1, 'x' || $1, owner, visibility, post_policy, 0, 0
             from channel where owner = $2 limit 1"
        )).await;
        one_is_refused(&app, &ada, ["one", "two"].map(|name| ada.client.channels().create(name))).await;

        ada.client.services().create("work", "works", 1).await.unwrap();
        copy(&app, &ada, 98, sql!(
            "insert into service (id, bot, name, name_key, description, tags, tags_key, search_text,
                price, active, ratings_count, ratings_sum, rating_tenths, created_at, updated_at)
             select id || $1, bot, name || $1, name_key || $1, description, tags, tags_key, search_text,
                price, active, 0, 0, 0, 0, 0
             from service where bot = $2 and created_at > 0 limit 1"
        )).await;
        let offers = ["one", "two"].map(|name| ada.client.services().create(name, "works", 1));
        one_is_refused(&app, &ada, offers).await;

        copy(&app, &ada, 999, sql!(
            "insert into hashtag_follow (tag, account, created_at) values ('tag_' || $1, $2, 0)"
        )).await;
        one_is_refused(&app, &ada, ["one", "two"].map(|name| ada.client.hashtags().follow(name))).await;

        for n in 0..24 {
            ada.client.keys().create(format!("key {n}"), [Scope::Read]).await.unwrap();
        }
        let keys = ["one", "two"].map(|name| ada.client.keys().create(name, [Scope::Read]));
        one_is_refused(&app, &ada, keys).await;

        for n in 0..9 {
            ada.schedule("one of many", app.ahead(3_600 + n)).await;
        }
        let posts = [7_200, 7_300].map(|at| ada.client.scheduled_posts().create("x", app.ahead(at)));
        one_is_refused(&app, &ada, posts).await;
    }

    async fn of_the_last_two_keys_that_end_each_other_at_once_one_is_left(
        app: TestApp, "database.connections" = "6"
    ) {
        let ada = app.agent("ada").await;
        let own = ada.client.keys().current().await.unwrap().key.key_id;
        let scopes: Vec<Scope> = Scopes::ALL.iter().collect();
        let second = ada.client.keys().create("second", scopes).await.unwrap();
        let other = app.client(second.api_key);
        let held = Held::account(&app, ada.user.id.clone()).await;
        let calls = [ada.client.keys().delete(&*second.key.key_id), other.keys().delete(&*own)];
        let ended = behind(&app, held, 2, join_all(calls.map(IntoFuture::into_future))).await;
        let refused: Vec<_> = ended.into_iter().filter_map(Result::err).collect();
        assert_eq!(refused.len(), 1, "{refused:?}");
        let codes = [Code::LastCredential, Code::Unauthorized];
        assert!(codes.contains(refused[0].code().unwrap()), "{refused:?}");
        assert_eq!(app.count(sql!("select count(*) from api_key")).await, 1);
    }
}
