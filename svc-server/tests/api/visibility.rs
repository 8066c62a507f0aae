//! Suspended accounts and hidden posts disappear everywhere, also in counts, and come back as they
//! were.

use serde_json::{Value, json};
use svc_client::types::api::moderation::ModerationActionType as Kind;
use svc_client::types::api::posts::Post;
use svc_client::types::api::reports::Subject;
use svc_client::types::{Code, Who};

use crate::app::{Member, TestApp};
use crate::counts;
use crate::on_both_engines;
use crate::raw::answer;
use crate::world::{Ask, asks};

async fn judge(app: &TestApp) -> Member {
    let judge = app.agent("judge").await;
    app.grant_role("judge", "moderator").await;
    judge
}

async fn act(app: &TestApp, by: &Member, subject: Subject, kind: Kind) {
    by.client.moderation().act(subject, kind, "the rules").await.unwrap();
    counts::are_right(app).await;
}

/// Everything that is counted at a post.
fn counts_of(post: &Post) -> [i64; 4] {
    [post.likes_count, post.reposts_count, post.replies_count, post.quotes_count]
}

async fn seen(by: &Member, post: &Post) -> [i64; 4] {
    counts_of(&by.client.posts().get(&post.id).await.unwrap().post)
}

/// Followers, followed, posts.
async fn counts_of_user(by: &Member, name: &str) -> [i64; 3] {
    let user = by.client.users().get(name).await.unwrap().user;
    [user.followers_count, user.following_count, user.posts_count]
}

/// Lets an account do everything that counts to a post and its author.
async fn does_everything(app: &TestApp, who: &Member, post: &Post) -> (Post, Post) {
    who.client.reactions().like(&post.id).await.unwrap();
    who.client.reactions().repost(&post.id).await.unwrap();
    who.client.relations().follow(&*post.author.username).await.unwrap();
    app.advance(1800);
    let reply = who.reply(post, "a reply").await;
    who.reply(post, "another").await;
    let quote = who.client.posts().create("a quote").quote(&post.id).await.unwrap().post;
    let own = who.reply(&quote, "to myself").await;
    who.client.reactions().like(&own.id).await.unwrap();
    (reply, quote)
}

on_both_engines! {
    async fn a_suspended_account_is_not_counted_until_it_is_restored(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let judge = judge(&app).await;
        let top = ada.post("top").await;
        does_everything(&app, &bob, &top).await;
        let (_, quote) = does_everything(&app, &eve, &top).await;
        ada.client.relations().follow("eve").await.unwrap();
        bob.client.reactions().like(&quote.id).await.unwrap();
        counts::are_right(&app).await;
        assert_eq!(seen(&ada, &top).await, [2, 2, 4, 2]);
        act(&app, &judge, Subject::user("eve"), Kind::Suspend).await;
        assert_eq!(seen(&ada, &top).await, [1, 1, 2, 1]);
        assert_eq!(counts_of_user(&bob, "ada").await, [1, 0, 1]);
        act(&app, &judge, Subject::user("bob"), Kind::Suspend).await;
        assert_eq!(seen(&ada, &top).await, [0; 4]);
        assert_eq!(seen(&judge, &quote).await, [0; 4], "moderators see it, and count the same");
        act(&app, &judge, Subject::user("eve"), Kind::Unsuspend).await;
        act(&app, &judge, Subject::user("bob"), Kind::Unsuspend).await;
        assert_eq!(seen(&ada, &top).await, [2, 2, 4, 2]);
        assert_eq!(counts_of_user(&bob, "ada").await, [2, 1, 1]);
    }

    async fn a_hidden_post_of_a_suspended_account_is_subtracted_once(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let judge = judge(&app).await;
        let top = ada.post("top").await;
        let (reply, quote) = does_everything(&app, &eve, &top).await;
        let orders = [
            [Kind::Hide, Kind::Suspend, Kind::Restore, Kind::Unsuspend],
            [Kind::Suspend, Kind::Hide, Kind::Unsuspend, Kind::Restore],
            [Kind::Hide, Kind::Suspend, Kind::Unsuspend, Kind::Restore],
            [Kind::Suspend, Kind::Hide, Kind::Restore, Kind::Unsuspend],
        ];
        for order in orders {
            for kind in order {
                for post in [&reply, &quote] {
                    if kind == Kind::Suspend || kind == Kind::Unsuspend {
                        continue;
                    }
                    act(&app, &judge, Subject::post(&post.id), kind.clone()).await;
                }
                if kind == Kind::Suspend || kind == Kind::Unsuspend {
                    act(&app, &judge, Subject::user("eve"), kind).await;
                }
            }
            assert_eq!(seen(&ada, &top).await, [1, 1, 2, 1]);
        }
        act(&app, &judge, Subject::post(&reply.id), Kind::Hide).await;
        assert_eq!(seen(&ada, &top).await, [1, 1, 1, 1]);
        eve.client.posts().delete(&reply.id).await.unwrap();
        counts::are_right(&app).await;
        assert_eq!(seen(&ada, &top).await, [1, 1, 1, 1]);
        act(&app, &judge, Subject::user("eve"), Kind::Suspend).await;
        act(&app, &judge, Subject::post(&quote.id), Kind::Remove).await;
        act(&app, &judge, Subject::user("eve"), Kind::Unsuspend).await;
        assert_eq!(seen(&ada, &top).await, [1, 1, 1, 0]);
    }

    async fn reactions_during_a_suspension_count_afterwards(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let judge = judge(&app).await;
        let top = eve.post("top").await;
        let hidden = eve.reply(&top, "a trick").await;
        ada.client.relations().follow("eve").await.unwrap();
        eve.client.reactions().like(&hidden.id).await.unwrap();
        act(&app, &judge, Subject::post(&top.id), Kind::Hide).await;
        act(&app, &judge, Subject::user("eve"), Kind::Suspend).await;
        // Moderators know of it, and may do what everybody may.
        judge.client.relations().follow("eve").await.unwrap();
        judge.client.reactions().like(&top.id).await.unwrap();
        judge.reply(&top, "why").await;
        counts::are_right(&app).await;
        assert_eq!(counts_of_user(&judge, "judge").await, [0, 0, 1]);
        judge.client.relations().block("eve").await.unwrap();
        judge.client.relations().unblock("eve").await.unwrap();
        judge.client.relations().follow("eve").await.unwrap();
        counts::are_right(&app).await;
        app.set_tier("eve", "pro").await;
        act(&app, &judge, Subject::post(&top.id), Kind::Restore).await;
        act(&app, &judge, Subject::user("eve"), Kind::Unsuspend).await;
        assert_eq!(seen(&bob, &top).await, [1, 0, 2, 0]);
        assert_eq!(counts_of_user(&bob, "judge").await, [0, 1, 1]);
    }

    async fn a_deleted_account_leaves_no_count_behind(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let top = ada.post("top").await;
        does_everything(&app, &bob, &top).await;
        let (reply, _) = does_everything(&app, &eve, &top).await;
        ada.client.relations().follow("eve").await.unwrap();
        ada.client.relations().block("bob").await.unwrap();
        bob.client.reactions().bookmark(&reply.id).await.unwrap();
        eve.client.reactions().bookmark(&top.id).await.unwrap();
        eve.client.relations().mute("bob").await.unwrap();
        counts::are_right(&app).await;
        eve.client.users().delete_me("eve").await.unwrap();
        counts::are_right(&app).await;
        assert_eq!(counts_of_user(&ada, "ada").await, [0, 0, 1]);
        bob.client.users().delete_me("bob").await.unwrap();
        counts::are_right(&app).await;
        assert_eq!(seen(&ada, &top).await, [0; 4]);
        assert!(ada.client.reactions().likes(&top.id).await.unwrap().users.is_empty());
        app.advance(14 * 24 * 3_600);
        app.server.erase().await;
        counts::are_right(&app).await;
    }

    async fn a_suspension_during_concurrent_actions_keeps_counts_exact(
        app: TestApp, "database.connections" = "4"
    ) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let judge = judge(&app).await;
        let mut posts = Vec::new();
        for number in 0..4 {
            posts.push(ada.post(&format!("post {number}")).await);
            app.advance(1800);
        }
        for round in 0..3 {
            let mut tasks = Vec::new();
            for post in &posts {
                let (client, id) = (eve.client.clone(), post.id.clone());
                tasks.push(tokio::spawn(async move {
                    let _ = client.reactions().like(&id).await;
                    let _ = client.reactions().repost(&id).await;
                    let _ = client.posts().reply(&id, "in between").await;
                    let _ = client.reactions().unlike(&id).await;
                    let _ = client.relations().follow("ada").await;
                    let _ = client.reactions().unrepost(&id).await;
                }));
            }
            let kind = if round == 1 { Kind::Unsuspend } else { Kind::Suspend };
            judge.client.moderation().act(Subject::user("eve"), kind, "now").await.unwrap();
            for task in tasks {
                task.await.unwrap();
            }
            counts::are_right(&app).await;
        }
        act(&app, &judge, Subject::user("eve"), Kind::Unsuspend).await;
    }

    async fn no_public_read_shows_a_suspended_account_or_a_hidden_post(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "billing.stripe.key_file" = "stripe.key",
        "billing.stripe.webhook_secret_files" = "stripe.secret", "payouts.enabled" = "true",
        "payouts.rate" = "0.01"
    ) {
        let [ada, eve] = app.agents(["ada", "marker_eve"]).await;
        let judge = judge(&app).await;
        let top = ada.post("top @marker_eve #common").await;
        let profile = eve.client.users().update_me().display_name("MarkerName").bio("MarkerBio");
        profile.website(Some("https://marker.example".into())).await.unwrap();
        let (reply, quote) = does_everything(&app, &eve, &top).await;
        eve.client.posts().edit(&quote.id).content("MarkerQuote #marker #common").await.unwrap();
        eve.client.posts().edit(&reply.id).content("MarkerReply #common").await.unwrap();
        app.advance(1800);
        let plain = eve.client.posts().create("MarkerPost #marker").content_warning("MarkerWarning");
        let plain = plain.await.unwrap().post;
        let offering = eve.client.services().create("MarkerService", "MarkerWork", 5);
        offering.with(|offer| offer.tags = Some(vec!["markertag".into()])).await.unwrap();
        let room = eve.client.channels().create("ru-marker").await.unwrap().channel.id;
        eve.client.channels().update(&room).title("MarkerRoom").await.unwrap();
        // What others make of it.
        ada.client.relations().follow("marker_eve").await.unwrap();
        ada.client.reactions().repost(&plain.id).await.unwrap();
        let below = ada.reply(&reply, "below").await;
        let neighbours = [top.clone(), below];
        let hidden = [reply, quote, plain];
        let before = all_items(&app, &neighbours, &hidden, &ada, &eve).await;
        assert!(before.iter().filter(|text| text.contains("arker")).count() > 10, "they are seen");
        act(&app, &judge, Subject::user("marker_eve"), Kind::Suspend).await;
        for text in all_items(&app, &neighbours, &hidden, &ada, &eve).await {
            // Texts of another account, also as HTML, and the username in the query.
            let link = r#"/@marker_eve\">@marker_eve</a>"#;
            let shown = text.replace("top @marker_eve", "").replace(link, "").replace("[\"marker_eve\"]", "");
            let shown = shown.to_lowercase();
            assert!(!shown.contains("marker"), "{text}");
        }
        act(&app, &judge, Subject::user("marker_eve"), Kind::Unsuspend).await;
        for post in &hidden {
            act(&app, &judge, Subject::post(&post.id), Kind::Hide).await;
        }
        let texts = ["MarkerQuote", "MarkerReply", "MarkerPost", "MarkerWarning"];
        for text in all_items(&app, &neighbours, &hidden, &ada, &eve).await {
            assert!(!texts.iter().any(|marker| text.contains(marker)), "{text}");
        }
        let picture = answer(app.raw(http::Method::GET, "/users/marker_eve/avatar")).await;
        assert_eq!(picture.status, 200);
    }
}

/// The answers of every public read about these posts and their authors, to an anonymous caller and to a
/// neighbour.
async fn all_items(
    app: &TestApp,
    neighbours: &[Post],
    hidden: &[Post],
    neighbour: &Member,
    suspended: &Member,
) -> Vec<String> {
    let posts: Vec<&str> = neighbours.iter().chain(hidden).map(|post| post.id.as_str()).collect();
    let users = [neighbour, suspended].map(|member| member.user.username.as_str());
    let mut answers = Vec::new();
    for ask in asks() {
        if ask.method != http::Method::GET
            || matches!(ask.who, Who::Developer | Who::Moderator | Who::Admin)
        {
            continue;
        }
        for ask in variants(&ask, &app.server.url(), &posts, &users) {
            for key in [None, Some(&neighbour.key)] {
                if key.is_none() && matches!(ask.who, Who::Account) {
                    continue;
                }
                let request = ask.request(app);
                let request = match key {
                    Some(key) => request.bearer_auth(key.expose()),
                    None => request,
                };
                let received = answer(request).await;
                let is_known = received.status == ask.status || {
                    let code = received.refusal().code;
                    // What only an author or a person may read, and lists without an owner.
                    let codes = [Code::NotFound, Code::Forbidden, Code::Unauthorized];
                    codes.contains(&code) || code == Code::NotAPerson
                };
                assert!(is_known, "{}: {}", ask.name, received.text);
                // Mailboxes and events of the caller are no public read.
                if is_public(&ask) {
                    answers.push(format!("{} {}: {}", ask.name, ask.path, received.text));
                }
            }
        }
    }
    answers
}

fn is_public(ask: &Ask) -> bool {
    !["messages", "conversations", "connect", "escrow", "credits", "billing", "notifications"]
        .iter()
        .any(|word| ask.path.contains(word))
}

/// A read asked about each of these posts and accounts, wide open and in each order.
fn variants(ask: &Ask, base: &str, posts: &[&str], users: &[&str]) -> Vec<Ask> {
    let mut wide = ask.clone();
    let kept: Vec<&str> = ask.parameters().collect();
    wide.members.retain(|name, _| {
        kept.contains(&name.as_str())
            || matches!(name.as_str(), "ids" | "usernames" | "sort" | "q" | "include")
    });
    let with = |name: &str, value: Value| {
        let mut ask = wide.clone();
        ask.members.insert(name.to_owned(), value);
        ask
    };
    if kept.contains(&"postId") {
        return posts.iter().map(|id| with("postId", json!(id))).collect();
    }
    if kept.contains(&"username") {
        return users.iter().map(|name| with("username", json!(name))).collect();
    }
    match ask.name {
        "ListPosts" => vec![with("ids", json!(posts.join(",")))],
        "ListUsers" => {
            let mut by_name = with("usernames", json!(users.join(",")));
            by_name.members.retain(|name, _| name == "usernames");
            let sorts = ["new", "followers", "active"];
            let lists = sorts.map(|sort| {
                let mut list = with("sort", json!(sort));
                list.members.retain(|name, _| name == "sort");
                list
            });
            lists.into_iter().chain([by_name]).collect()
        }
        "GetOembed" => {
            posts.iter().map(|id| with("url", json!(format!("{base}/posts/{id}")))).collect()
        }
        "GetGlobalFeed" => ["hot", "new", "top"].map(|sort| with("sort", json!(sort))).into(),
        _ => vec![wide],
    }
}
