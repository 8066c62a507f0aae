//! Accounts that an account may want to follow.

use svc_client::types::Span;
use svc_store::{sql, values};

use super::{follow, follows, names};
use crate::app::{Member, TestApp, all_items};
use crate::on_both_engines;

/// Limits an account as moderators do.
async fn limit(app: &TestApp, member: &Member) {
    let id = member.user.id.clone();
    let sql = sql!("update account set status = 'limited' where id = $1");
    app.execute(move |ctx| ctx.tx.execute(sql, values![id])).await;
}

on_both_engines! {
    async fn suggestions_are_friends_of_friends_then_the_most_followed(app: TestApp) {
        let [ada, bob, cyd, near, nearer, known] = app.agents(["ada", "bob", "cyd", "near", "nearer", "known"]).await;
        let [star, blocked, enemy, muted, limited, banned] = app.agents(["star", "blocked", "blocker", "muted", "limited", "banned"]).await;
        let fans = app.agents(["fan_a", "fan_b", "fan_c"]).await;
        for whom in [&bob, &cyd, &known] {
            follow(&ada, whom).await;
        }
        for whom in [&near, &nearer, &known, &blocked, &enemy, &muted, &limited, &banned, &ada] {
            follow(&bob, whom).await;
        }
        follow(&cyd, &nearer).await;
        for fan in &fans {
            for whom in [&star, &limited, &muted, &near] {
                follow(fan, whom).await;
            }
        }
        ada.client.relations().block("blocked").await.unwrap();
        enemy.client.relations().block("ada").await.unwrap();
        ada.client.relations().mute("muted").expires_in(Span::from_secs(3600)).await.unwrap();
        // What others mute and block is still suggested.
        fans[0].client.relations().mute("star").await.unwrap();
        fans[1].client.relations().block("star").await.unwrap();
        star.client.relations().block("fan_c").await.unwrap();
        limit(&app, &limited).await;
        app.suspend("banned").await;
        for size in 1..=7 {
            let suggested = all_items(ada.client.relations().suggested().limit(size)).await;
            assert_eq!(names(&suggested), ["nearer", "near", "star", "fan_c", "fan_b", "fan_a"], "limit {size}");
            assert!(suggested.iter().all(|user| !user.viewer.as_ref().unwrap().following));
        }
        let people = ada.client.relations().suggested().is_agent(false).await.unwrap().users;
        assert!(people.is_empty());
        app.advance(3600);
        app.grant_role("ada", "moderator").await;
        let suggested = all_items(ada.client.relations().suggested()).await;
        assert_eq!(names(&suggested)[..4], ["nearer", "muted", "near", "star"], "{:?}", names(&suggested));
        assert!(!names(&suggested).contains(&"banned"), "moderators see it, and need no such tip");
    }

    async fn nobody_is_suggested_by_an_account_that_is_suspended_or_deleted(app: TestApp) {
        let [ada, bob, cyd, dan] = app.agents(["ada", "bob", "cyd", "dan"]).await;
        let [friend, tip, other] = app.agents(["friend", "tip", "other"]).await;
        for whom in [&bob, &cyd, &dan] {
            follow(&ada, whom).await;
        }
        follow(&bob, &friend).await;
        for (who, whom) in [(&cyd, &tip), (&dan, &other)] {
            follow(who, whom).await;
        }
        app.suspend("cyd").await;
        dan.client.users().delete_me("dan").await.unwrap();
        let suggested = ada.client.relations().suggested().await.unwrap().users;
        assert_eq!(names(&suggested), ["friend", "other", "tip"], "the others as the least followed");
        assert_eq!(tip.client.users().me().await.unwrap().user.followers_count, 0);
        app.unsuspend("cyd").await;
        let suggested = ada.client.relations().suggested().await.unwrap().users;
        assert_eq!(names(&suggested), ["tip", "friend", "other"], "one follower each, the newest first");
    }

    async fn an_account_without_followees_sees_the_most_followed(app: TestApp) {
        let [ada, bob, cyd, dan] = app.agents(["ada", "bob", "cyd", "dan"]).await;
        follow(&bob, &cyd).await;
        follow(&dan, &cyd).await;
        follow(&dan, &bob).await;
        for size in 1..=4 {
            let suggested = all_items(ada.client.relations().suggested().limit(size)).await;
            assert_eq!(names(&suggested), ["cyd", "bob", "dan"], "limit {size}");
        }
    }

    async fn suggestions_are_found_behind_many_followed_accounts(app: TestApp) {
        let [ada, new] = app.agents(["ada", "new"]).await;
        let mut pairs = Vec::new();
        for n in 0..3 {
            let pair = [app.agent(&format!("one_{n}")).await, app.agent(&format!("two_{n}")).await];
            for k in 0..40 {
                let known = app.agent(&format!("known_{n}_{k}")).await;
                for who in [&pair[0], &pair[1], &ada] {
                    follow(who, &known).await;
                }
            }
            pairs.extend(pair);
        }
        app.advance(1);
        for whom in &pairs {
            follow(&ada, whom).await;
        }
        follow(&pairs[0], &new).await;
        let [star, one, other] = app.agents(["star", "fan_one", "fan_other"]).await;
        follow(&one, &star).await;
        follow(&other, &star).await;
        let suggested = ada.client.relations().suggested().await.unwrap().users;
        assert_eq!(names(&suggested)[..2], [new.user.username.as_str(), "star"]);
        assert_eq!(follows(&ada).await, (0, 126));
    }
}
