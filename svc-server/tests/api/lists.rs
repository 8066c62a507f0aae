//! Lists of accounts, their members and feeds.

use serde_json::json;
use svc_client::Client;
use svc_client::types::api::lists::{
    AddListMembers, CreateList, DeleteList, GetList, List, ListListMembers, ListListPosts,
    ListLists, ListVisibility, RemoveListMember, RepliesPolicy, UpdateList,
};
use svc_client::types::{Code, Span};
use svc_server::admin::Command;
use svc_store::{sql, values};

use crate::app::{Member, all_items, code, fault};
use crate::counts;
use crate::on_both_engines;
use crate::raw::answer;

async fn public(member: &Member, name: &str) -> List {
    let creating = member.client.lists().create(name).visibility(ListVisibility::Public);
    creating.await.unwrap().list
}

async fn feed(client: &Client, list: &List) -> Vec<String> {
    let posts = all_items(client.lists().feed(&list.id).limit(2)).await;
    posts.into_iter().map(|post| post.content).collect()
}

async fn members(client: &Client, list: &List) -> Vec<String> {
    let users = all_items(client.lists().members(&list.id).limit(2)).await;
    let mut names: Vec<String> = users.into_iter().map(|user| user.username).collect();
    names.sort();
    names
}

async fn names(client: &Client, owner: Option<&str>) -> Vec<String> {
    let list = client.lists().list().limit(1);
    let list = list.with(|request| request.owner = owner.map(Into::into));
    all_items(list).await.into_iter().map(|list| list.name).collect()
}

on_both_engines! {
    async fn a_list_is_private_by_default(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let list = ada.client.lists().create("Täglich 📰").await.unwrap().list;
        assert!(list.id.as_str().starts_with("lst_"));
        assert_eq!((&list.visibility, list.exclusive), (&ListVisibility::Private, false));
        assert_eq!((&list.replies_policy, list.members_count), (&RepliesPolicy::Members, 0));
        assert_eq!((&list.description, &list.owner.id), (&None, &ada.user.id));
        assert_eq!(ada.client.lists().get(&list.id).await.unwrap().list, list);
        for client in [&bob.client, &app.anonymous] {
            let lists = client.lists();
            assert_eq!(code::<GetList>(lists.get(&list.id).await), Code::NotFound);
            assert_eq!(code::<ListListMembers>(lists.members(&list.id).await), Code::NotFound);
            assert_eq!(code::<ListListPosts>(lists.feed(&list.id).await), Code::NotFound);
        }
        let lists = bob.client.lists();
        assert_eq!(code::<UpdateList>(lists.update(&list.id).name("x").await), Code::NotFound);
        assert_eq!(code::<AddListMembers>(lists.add(&list.id, ["bob"]).await), Code::NotFound);
        assert_eq!(code::<RemoveListMember>(lists.remove(&list.id, "bob").await), Code::NotFound);
        assert_eq!(code::<DeleteList>(lists.delete(&list.id).await), Code::NotFound);
    }

    async fn a_public_list_is_read_by_all_and_changed_by_its_owner(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let list = public(&ada, "open").await;
        for client in [&bob.client, &app.anonymous] {
            assert_eq!(client.lists().get(&list.id).await.unwrap().list, list);
            assert_eq!(members(client, &list).await, Vec::<String>::new());
        }
        let lists = bob.client.lists();
        assert_eq!(code::<UpdateList>(lists.update(&list.id).name("x").await), Code::Forbidden);
        assert_eq!(code::<AddListMembers>(lists.add(&list.id, ["bob"]).await), Code::Forbidden);
        assert_eq!(code::<RemoveListMember>(lists.remove(&list.id, "bob").await), Code::Forbidden);
        assert_eq!(code::<DeleteList>(lists.delete(&list.id).await), Code::Forbidden);
        app.suspend("ada").await;
        assert_eq!(code::<GetList>(lists.get(&list.id).await), Code::NotFound);
        assert_eq!(ada.client.lists().get(&list.id).await.unwrap().list.id, list.id);
    }

    async fn an_update_changes_only_the_given_fields(app: TestApp) {
        let ada = app.agent("ada").await;
        let lists = ada.client.lists();
        let list = lists.create("one").description("first").exclusive(true).await.unwrap().list;
        app.advance(5);
        let changed = lists.update(&list.id).name("two").await.unwrap().list;
        let expected = List { name: "two".into(), updated_at: changed.updated_at, ..list.clone() };
        assert_eq!(changed, expected);
        assert_ne!(changed.updated_at, list.updated_at);
        let rest = lists.update(&list.id).description("").exclusive(false);
        let rest = rest.visibility(ListVisibility::Public).replies_policy(RepliesPolicy::None);
        let changed = rest.await.unwrap().list;
        assert_eq!((changed.description, changed.exclusive), (None, false));
        assert_eq!(changed.visibility, ListVisibility::Public);
        assert_eq!(changed.replies_policy, RepliesPolicy::None);
        assert!(lists.delete(&list.id).await.unwrap().deleted);
        assert_eq!(code::<GetList>(lists.get(&list.id).await), Code::NotFound);
        assert_eq!(code::<DeleteList>(lists.delete(&list.id).await), Code::NotFound);
    }

    async fn changes_to_one_list_leave_the_others(app: TestApp) {
        let [ada, bob, _eve] = app.agents(["ada", "bob", "eve"]).await;
        let [one, other] = [public(&ada, "one").await, public(&ada, "other").await];
        let theirs = public(&bob, "theirs").await;
        for (who, list) in [(&ada, &one), (&ada, &other), (&bob, &theirs)] {
            who.client.lists().add(&list.id, ["eve"]).await.unwrap();
        }
        let seen = async |list: &List| {
            let shown = bob.client.lists().get(&list.id).await.unwrap().list;
            (shown, members(&bob.client, list).await)
        };
        let before = [seen(&other).await, seen(&theirs).await];
        app.advance(5);
        let lists = ada.client.lists();
        let changing = lists.update(&one.id).name("two").description("changed").exclusive(true);
        let changing = changing.visibility(ListVisibility::Private).replies_policy(RepliesPolicy::None);
        changing.await.unwrap();
        lists.remove(&one.id, "eve").await.unwrap();
        lists.add(&one.id, ["eve"]).await.unwrap();
        lists.delete(&one.id).await.unwrap();
        assert_eq!([seen(&other).await, seen(&theirs).await], before);
        ada.client.users().delete_me("ada").await.unwrap();
        app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        app.server.erase().await;
        assert_eq!(seen(&theirs).await, before[1]);
    }

    async fn values_out_of_bounds_are_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        let lists = ada.client.lists();
        let invalid = |field: &str| (Code::ValidationFailed, field.to_owned());
        let long = "x".repeat(65);
        assert_eq!(fault::<CreateList>(lists.create("").await), invalid("name"));
        assert_eq!(fault::<CreateList>(lists.create(long).await), invalid("name"));
        assert_eq!(fault::<CreateList>(lists.create("\u{200b} ").await), invalid("name"));
        let described = lists.create("x").description("x".repeat(501));
        assert_eq!(fault::<CreateList>(described.await), invalid("description"));
        let secret = lists.create("x").description(ada.key.expose());
        assert_eq!(code::<CreateList>(secret.await), Code::CredentialInContent);
        let list = public(&ada, "x").await;
        let unseen = lists.update(&list.id).name(" ").await;
        assert_eq!(fault::<UpdateList>(unseen), invalid("name"), "pages link a list by its name");
        let none: [&str; 0] = [];
        assert_eq!(fault::<AddListMembers>(lists.add(&list.id, none).await), invalid("usernames"));
        let many = vec!["ada"; 101];
        assert_eq!(fault::<AddListMembers>(lists.add(&list.id, many).await), invalid("usernames"));
        let path = format!("/lists/{}", list.id);
        let wrong = ada.raw(&app, http::Method::PATCH, &path).json(&json!({ "visibility": "secret" }));
        assert_eq!(answer(wrong).await.refusal().field.as_deref(), Some("visibility"));
    }

    async fn lists_are_yours_or_the_public_ones_of_an_owner(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        public(&ada, "first").await;
        ada.client.lists().create("secret").await.unwrap();
        public(&ada, "last").await;
        assert_eq!(names(&ada.client, None).await, ["last", "secret", "first"]);
        assert_eq!(names(&bob.client, None).await, Vec::<String>::new());
        public(&bob, "of another").await;
        for client in [&ada.client, &bob.client, &app.anonymous] {
            assert_eq!(names(client, Some("ADA")).await, ["last", "first"]);
        }
        let refused = app.anonymous.lists().list().await;
        assert_eq!(code::<ListLists>(refused), Code::Unauthorized);
        let unknown = bob.client.lists().list().owner("nobody").await;
        assert_eq!(fault::<ListLists>(unknown), (Code::NotFound, "owner".to_owned()));
    }

    async fn members_are_added_all_or_none_without_notification(app: TestApp) {
        let [ada, bob, eve, mia] = app.agents(["ada", "bob", "eve", "mia"]).await;
        let list = public(&ada, "x").await;
        let lists = ada.client.lists();
        let unknown = fault::<AddListMembers>(lists.add(&list.id, ["bob", "nobody"]).await);
        assert_eq!(unknown, (Code::NotFound, "usernames".to_owned()));
        mia.client.relations().block("ada").await.unwrap();
        let blocked = fault::<AddListMembers>(lists.add(&list.id, ["bob", "mia"]).await);
        assert_eq!(blocked, (Code::Blocked, "usernames".to_owned()));
        assert_eq!(members(&ada.client, &list).await, Vec::<String>::new());
        let names = ["BOB", eve.user.id.as_str(), "bob", "ada"];
        assert_eq!(lists.add(&list.id, names).await.unwrap().list.members_count, 3);
        assert_eq!(lists.add(&list.id, ["bob"]).await.unwrap().list.members_count, 3);
        assert_eq!(members(&app.anonymous, &list).await, ["ada", "bob", "eve"]);
        let reported = sql!("select count(*) from event");
        assert_eq!(app.count(reported).await, 0);
        for _ in 0..2 {
            assert_eq!(lists.remove(&list.id, "bob").await.unwrap().list.members_count, 2);
        }
        let unknown = lists.remove(&list.id, "nobody").await;
        assert_eq!(code::<RemoveListMember>(unknown), Code::NotFound);
        app.suspend("eve").await;
        assert_eq!(members(&app.anonymous, &list).await, ["ada"]);
        let suspended = fault::<AddListMembers>(lists.add(&list.id, ["eve"]).await);
        assert_eq!(suspended, (Code::NotFound, "usernames".to_owned()));
        bob.client.users().delete_me("bob").await.unwrap();
    }

    async fn a_block_takes_both_off_each_others_lists(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let mut lists = Vec::new();
        for (owner, names) in [(&ada, ["bob", "eve"]), (&bob, ["ada", "eve"]), (&eve, ["ada", "bob"])] {
            let list = public(owner, "seen").await;
            owner.client.lists().add(&list.id, names).await.unwrap();
            lists.push(list);
        }
        ada.client.relations().block("bob").await.unwrap();
        for (list, left) in lists.iter().zip([vec!["eve"], vec!["eve"], vec!["ada", "bob"]]) {
            assert_eq!(members(&app.anonymous, list).await, left);
        }
        counts::are_right(&app).await;
        ada.client.relations().unblock("bob").await.unwrap();
        assert_eq!(members(&app.anonymous, &lists[1]).await, ["eve"], "unblocking restores no members");
    }

    async fn an_account_has_100_lists_and_a_list_1000_members(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let list = public(&ada, "x").await;
        let (id, owner) = (list.id.clone(), ada.user.id.clone());
        let sql = sql!(
            "insert into list (id, owner, name, visibility, exclusive, replies_policy,
                members_count, created_at, updated_at)
             select 'lst_' || $1, owner, name, visibility, exclusive, replies_policy, 0, 0, 0
             from list where owner = $2 limit 1"
        );
        app.execute(move |ctx| {
            (0..98).map(|n: i64| ctx.tx.execute(sql, values![n.to_string(), owner])).sum()
        }).await;
        ada.client.lists().create("100th").await.unwrap();
        let refused = ada.client.lists().create("too many").await;
        assert_eq!(code::<CreateList>(refused), Code::LimitReached);
        bob.client.lists().create("of another").await.unwrap();
        let sql = sql!("update list set members_count = 999 where id = $1");
        app.execute(move |ctx| ctx.tx.execute(sql, values![id])).await;
        let two = ada.client.lists().add(&list.id, ["ada", "bob"]).await;
        assert_eq!(code::<AddListMembers>(two), Code::LimitReached);
        let one = ada.client.lists().add(&list.id, ["bob"]).await.unwrap().list;
        assert_eq!(one.members_count, 1000);
        assert_eq!(members(&ada.client, &list).await, ["bob"], "the refused call changed nothing");
    }

    async fn the_feed_merges_what_members_write(app: TestApp) {
        let [ada, bob, eve, mia] = app.agents(["ada", "bob", "eve", "mia"]).await;
        let list = public(&ada, "x").await;
        ada.client.lists().add(&list.id, ["bob", "eve"]).await.unwrap();
        let one = bob.post("b1").await;
        let other = mia.post("m1").await;
        eve.reply(&one, "to a member").await;
        eve.reply(&other, "to another").await;
        app.advance(1800);
        let two = eve.post("e1").await;
        bob.post("b2").await;
        // It hides eve only from mia.
        eve.client.relations().block("mia").await.unwrap();
        let replies = ada.client.lists();
        let policy = |policy| replies.update(&list.id).replies_policy(policy);
        assert_eq!(feed(&app.anonymous, &list).await, ["b2", "e1", "to a member", "b1"]);
        policy(RepliesPolicy::All).await.unwrap();
        let all = ["b2", "e1", "to another", "to a member", "b1"];
        assert_eq!(feed(&app.anonymous, &list).await, all);
        policy(RepliesPolicy::None).await.unwrap();
        assert_eq!(feed(&app.anonymous, &list).await, ["b2", "e1", "b1"]);
        app.hide(&two).await;
        bob.client.posts().delete(&one.id).await.unwrap();
        assert_eq!(feed(&app.anonymous, &list).await, ["b2"]);
        let mute = || ada.client.relations().mute("bob");
        mute().expires_in(Span::from_secs(60)).await.unwrap();
        assert_eq!(feed(&ada.client, &list).await, Vec::<String>::new());
        app.advance(60);
        assert_eq!(feed(&ada.client, &list).await, ["b2"], "the mute has ended");
        mute().await.unwrap();
        assert_eq!(feed(&ada.client, &list).await, Vec::<String>::new());
        policy(RepliesPolicy::All).await.unwrap();
        assert_eq!(feed(&mia.client, &list).await, ["b2"]);
        mia.client.relations().block("bob").await.unwrap();
        assert_eq!(feed(&mia.client, &list).await, Vec::<String>::new());
        app.suspend("bob").await;
        assert_eq!(feed(&app.anonymous, &list).await, ["to another", "to a member"]);
    }

    async fn a_feed_leaves_out_whom_its_reader_mutes_whatever_replies_it_has(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let list = public(&ada, "x").await;
        let lists = ada.client.lists();
        lists.add(&list.id, ["bob", "eve"]).await.unwrap();
        bob.post("of bob").await;
        eve.post("of eve").await;
        ada.client.relations().mute("bob").expires_in(Span::from_secs(60)).await.unwrap();
        for policy in [RepliesPolicy::None, RepliesPolicy::All, RepliesPolicy::Members] {
            lists.update(&list.id).replies_policy(policy.clone()).await.unwrap();
            assert_eq!(feed(&ada.client, &list).await, ["of eve"], "{policy}");
            assert_eq!(feed(&app.anonymous, &list).await, ["of eve", "of bob"], "{policy}");
        }
        app.advance(60);
        assert_eq!(feed(&ada.client, &list).await, ["of eve", "of bob"], "the mute has ended");
    }

    async fn a_feed_contains_every_post_exactly_once(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let list = public(&ada, "x").await;
        let lists = ada.client.lists();
        lists.add(&list.id, ["bob", "eve", "ada"]).await.unwrap();
        lists.update(&list.id).replies_policy(RepliesPolicy::All).await.unwrap();
        let top = ada.post("top").await;
        let mut expected = vec!["top".to_owned()];
        for number in 0..60 {
            let writer = if number % 7 == 0 { &eve } else { &bob };
            let text = format!("reply {number}");
            let reply = writer.reply(&top, &text).await;
            if number % 3 == 0 {
                writer.client.posts().delete(&reply.id).await.unwrap();
            } else {
                expected.push(text);
            }
        }
        expected.reverse();
        assert_eq!(feed(&bob.client, &list).await, expected);
        let short = all_items(bob.client.lists().feed(&list.id).limit(100)).await;
        assert_eq!(short.len(), expected.len());
    }

    async fn a_feed_goes_on_behind_many_deleted_posts(app: TestApp, "limits.posts.free_window" = "1s") {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let list = public(&ada, "x").await;
        let lists = ada.client.lists();
        lists.add(&list.id, ["bob"]).await.unwrap();
        for number in 0..16 {
            app.advance(1);
            let post = bob.post(&format!("post {number}")).await;
            if number > 2 {
                bob.client.posts().delete(&post.id).await.unwrap();
            }
        }
        for policy in [RepliesPolicy::None, RepliesPolicy::Members, RepliesPolicy::All] {
            lists.update(&list.id).replies_policy(policy.clone()).await.unwrap();
            assert_eq!(feed(&app.anonymous, &list).await, ["post 2", "post 1", "post 0"], "{policy}");
        }
    }
}
