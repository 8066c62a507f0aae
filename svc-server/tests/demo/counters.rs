//! Figures of accounts, posts and channels, each against its list.

use serde_json::Value;

use crate::world::{Caller, Demo, OTHERS, PEOPLE, count, text};

/// Every account of the world, with itself as the caller.
async fn everybody(demo: &Demo) -> Vec<(String, Caller)> {
    let mut all: Vec<(String, Caller)> = Vec::new();
    for name in PEOPLE.into_iter().chain(OTHERS) {
        all.push((name.to_owned(), demo.person(name).await));
    }
    all.extend(demo.agents().into_iter().map(|name| (name.clone(), demo.agent(&name))));
    all
}

#[tokio::test]
async fn the_counters_of_each_profile_are_the_lengths_of_its_lists() {
    let demo = Demo::shared();
    for (name, caller) in everybody(demo).await {
        let user = caller.get(&format!("/users/{name}")).await["user"].clone();
        for (figure, list) in [("followersCount", "followers"), ("followingCount", "following")] {
            let accounts = caller.all(&format!("/users/{name}/{list}"), "users").await;
            assert_eq!(count(&user, figure), accounts.len(), "{figure} of {name}");
        }
        let posts = caller.all(&format!("/users/{name}/posts?include=replies"), "posts").await;
        assert_eq!(count(&user, "postsCount"), posts.len(), "posts of {name}");
        analytics(&caller, &posts).await;
    }
}

/// The analytics of an account are the sums of the counters of its posts.
async fn analytics(caller: &Caller, posts: &[Value]) {
    let all = caller.get("/users/me/analytics?window=all").await["analytics"].clone();
    let counters =
        [("likes", "likesCount"), ("reposts", "repostsCount"), ("replies", "repliesCount")];
    for (figure, counter) in counters {
        let sum: usize = posts.iter().map(|post| count(post, counter)).sum();
        assert_eq!(count(&all, figure), sum, "{figure}");
    }
    for post in posts {
        let path = format!("/posts/{}/analytics", text(post, "id"));
        for window in ["all", "30d"] {
            let shown = caller.get(&format!("{path}?window={window}")).await["analytics"].clone();
            for (figure, counter) in counters {
                assert_eq!(shown[figure], post[counter], "{window} {figure} of {post}");
            }
        }
    }
}

#[tokio::test]
async fn the_counters_of_each_post_are_the_lengths_of_its_lists() {
    let demo = Demo::shared();
    let ada = demo.person("ada").await;
    let posts = ada.all("/feed/global?sort=new", "posts").await;
    assert!(posts.len() >= 20, "{}", posts.len());
    for post in posts {
        let path = format!("/posts/{}", text(&post, "id"));
        let lists = [
            ("likesCount", "likes", "users"),
            ("repostsCount", "reposts", "users"),
            ("repliesCount", "replies", "posts"),
            ("quotesCount", "quotes", "posts"),
        ];
        for (figure, list, member) in lists {
            let found = ada.all(&format!("{path}/{list}"), member).await;
            assert_eq!(count(&post, figure), found.len(), "{figure} of {post}");
        }
    }
    for name in ["changelog", "haiku", "rain"] {
        let posts = ada.all(&format!("/hashtags/{name}/posts"), "posts").await;
        let has_it = |post: &&Value| post["hashtags"].as_array().unwrap().contains(&name.into());
        assert!(posts.len() >= 2 && posts.iter().all(|post| has_it(&post)), "{name}");
    }
}

#[tokio::test]
async fn what_is_unread_is_counted() {
    let demo = Demo::shared();
    for (name, caller) in everybody(demo).await {
        let unread = caller.all("/notifications?unread=true", "notifications").await;
        let shown = caller.get("/notifications/unread-count").await;
        assert_eq!(count(&shown, "unreadCount"), unread.len(), "notifications of {name}");
        let mut conversations = Vec::new();
        for folder in ["inbox", "requests"] {
            let path = format!("/conversations?unread=true&folder={folder}");
            conversations.extend(caller.all(&path, "conversations").await);
        }
        let letters: usize = conversations.iter().map(|one| count(one, "unreadCount")).sum();
        let shown = caller.get("/messages/unread-count").await;
        assert_eq!(count(&shown["unread"], "messages"), letters, "messages of {name}");
        if PEOPLE.contains(&name.as_str()) {
            assert!(!unread.is_empty(), "{name} has something to read");
        }
        let all = caller.all("/notifications", "notifications").await;
        if ["ada", "otto"].contains(&name.as_str()) {
            assert!(all.len() > unread.len(), "{name} has read something");
        }
    }
}

#[tokio::test]
async fn channels_and_lists_have_the_members_that_they_count() {
    let demo = Demo::shared();
    let ada = demo.person("ada").await;
    let channels = ada.all("/channels", "channels").await;
    assert_eq!(channels.len(), 2);
    for channel in channels {
        let path = format!("/channels/{}", text(&channel, "id"));
        let members = ada.all(&format!("{path}/members"), "users").await;
        assert_eq!(count(&channel, "membersCount"), members.len(), "{channel}");
        assert!(members.len() >= 5, "{channel}");
        assert!(ada.all(&format!("{path}/messages"), "messages").await.len() >= 2);
    }
    let workshop = ada.get("/channels?q=workshop").await["channels"][0].clone();
    assert!(count(&workshop["viewer"], "unreadCount") > 0, "{workshop}");
    for list in ada.all("/lists", "lists").await {
        let path = format!("/lists/{}/members", text(&list, "id"));
        let members = ada.all(&path, "users").await;
        assert_eq!(count(&list, "membersCount"), members.len(), "{list}");
    }
}

#[tokio::test]
async fn credits_are_what_their_transactions_add_up_to() {
    let demo = Demo::shared();
    for (name, caller) in everybody(demo).await {
        let balance = caller.get("/v1/credits").await["credits"].clone();
        let moved = caller.all("/v1/credits/transactions", "transactions").await;
        let sum: f64 = moved.iter().map(|one| one["amount"].as_f64().unwrap()).sum();
        assert_eq!(balance["available"].as_f64(), Some(sum), "{name}");
        let orders = caller.all("/orders?role=buyer", "orders").await;
        let open = |one: &&Value| one["closedAt"].is_null() && one["escrowId"].is_null();
        let open = orders.iter().filter(open).map(|one| one["offeredCredits"].as_f64().unwrap());
        let escrows = caller.all("/v1/escrow?role=buyer", "escrows").await;
        let holds = |one: &&Value| one["fundedAt"].is_string() && one["closedAt"].is_null();
        let held = escrows.iter().filter(holds).map(|one| one["amount"].as_f64().unwrap());
        let held: f64 = open.chain(held).sum();
        assert_eq!(balance["held"].as_f64(), Some(held), "{name}");
    }
}
