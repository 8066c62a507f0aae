//! The directory of accounts: its orders, its windows and its search.

use futures_util::TryStreamExt;
use http::Method;
use serde_json::{Value, json};
use svc_client::types::Code;
use svc_client::types::api::operate::OverviewWindow;
use svc_client::types::api::users::{ListUsers, User, UserSort};
use svc_client::{Call, Client};
use svc_store::{sql, values};

use super::PASSWORD;
use crate::app::{Member, TestApp, fault};
use crate::on_both_engines;
use crate::raw::answer;

/// The names on each page of a list.
async fn pages(list: Call<ListUsers>, limit: u32) -> Vec<Vec<String>> {
    let pages = list.with(|request| request.limit = Some(limit.into())).pages();
    let names = |users: Vec<User>| users.into_iter().map(|user| user.username).collect();
    pages.map_ok(names).try_collect().await.unwrap()
}

/// The names of the whole directory, changed by `filter`.
pub(super) async fn names(client: &Client, filter: impl FnOnce(&mut ListUsers)) -> Vec<String> {
    pages(client.users().list().with(filter), 100).await.concat()
}

/// Sets how many followers an account has, without accounts that follow it.
async fn set_followers(app: &TestApp, member: &Member, count: i64) {
    let id = member.user.id.clone();
    let write = app.server.app().write(move |ctx| {
        let sql = sql!("update account set followers_count = $1 where id = $2");
        ctx.tx.execute(sql, values![count, id])
    });
    write.await.unwrap();
}

on_both_engines! {
    async fn accounts_requested_by_name_are_returned_in_that_order(app: TestApp) {
        let ada = app.agent("ada").await;
        let bob = app.agent("bob").await;
        let list = |query: &str| answer(app.raw(Method::GET, &format!("/users?{query}")));
        let named = list("usernames=bob,nobody,ADA").await.json();
        let ids = |answer: &Value| -> Vec<Value> {
            answer["users"].as_array().unwrap().iter().map(|user| user["id"].clone()).collect()
        };
        assert_eq!(ids(&named), [json!(bob.user.id), json!(ada.user.id)]);
        assert_eq!(named["missing"], json!(["nobody"]));
        let by_id = list(&format!("ids={},ada,{}", ada.user.id, "usr_0")).await.json();
        assert_eq!(ids(&by_id), [json!(ada.user.id)]);
        assert_eq!(by_id["missing"], json!(["ada", "usr_0"]));
        let both = list("ids=usr_0&usernames=ada").await.refusal();
        assert_eq!(both.code, Code::ValidationFailed);
        for filter in ["q=ad", "isAgent=true", "sort=new", "window=7d", "cursor=AdO"] {
            let (name, _) = filter.split_once('=').unwrap();
            for names in ["ids=usr_0", "usernames=ada"] {
                let refused = list(&format!("{names}&{filter}")).await.refusal();
                assert_eq!((refused.code, refused.field.as_deref()), (Code::ValidationFailed, Some(name)));
            }
        }
        let many = vec!["a"; 101].join(",");
        assert_eq!(list(&format!("usernames={many}")).await.refusal().field.as_deref(), Some("usernames"));
    }

    async fn an_account_that_is_named_twice_is_returned_once(app: TestApp) {
        let ada = app.agent("ada").await;
        let bob = app.agent("bob").await;
        let (ada, bob) = (&ada.user.id, &bob.user.id);
        for (query, missing) in [
            ("usernames=bob,nobody,ADA,ada,bob,nobody".to_owned(), "nobody"),
            (format!("ids={bob},{ada},{bob},usr_0,usr_0,{ada}"), "usr_0"),
        ] {
            let named = answer(app.raw(Method::GET, &format!("/users?{query}"))).await.json();
            let users = named["users"].as_array().unwrap();
            let ids: Vec<&Value> = users.iter().map(|user| &user["id"]).collect();
            assert_eq!(ids, [&json!(bob), &json!(ada)], "{query}");
            assert_eq!(named["missing"], json!([missing]), "{query}");
        }
    }

    async fn the_directory_is_newest_first_without_a_gap_between_pages(app: TestApp) {
        for name in ["ada", "bob", "cyd", "dan", "eve"] {
            app.agent(name).await;
        }
        let listed = pages(app.anonymous.users().list(), 2).await;
        assert_eq!(listed, [vec!["eve", "dan"], vec!["cyd", "bob"], vec!["ada"]]);
        let exact = pages(app.anonymous.users().list(), 5).await;
        assert_eq!(exact.len(), 1, "a full last page has no cursor");
    }

    async fn the_directory_of_a_window_has_the_accounts_created_in_it(app: TestApp) {
        for name in ["ada", "bob", "cyd"] {
            app.agent(name).await;
            app.advance(36 * 3600);
        }
        app.agent("dan").await;
        let client = &app.anonymous;
        let of = |window| names(client, move |list| list.window = Some(window));
        assert_eq!(of(OverviewWindow::Day).await, ["dan"]);
        assert_eq!(of(OverviewWindow::Week).await, ["dan", "cyd", "bob", "ada"]);
        let list = client.users().list().with(|list| list.window = Some(OverviewWindow::Week));
        assert_eq!(pages(list, 3).await, [vec!["dan", "cyd", "bob"], vec!["ada"]]);
        app.advance(4 * 86_400);
        assert_eq!(of(OverviewWindow::Week).await, ["dan", "cyd"], "days are those of UTC");
        let both = client.users().list().with(|list| {
            list.window = Some(OverviewWindow::Week);
            list.sort = Some(UserSort::Followers);
        });
        assert_eq!(fault::<ListUsers>(both.await), (Code::ValidationFailed, "sort".to_owned()));
    }

    async fn an_account_that_signs_up_between_two_pages_is_neither_skipped_nor_doubled(app: TestApp) {
        for name in ["ada", "bob", "cyd"] {
            app.agent(name).await;
        }
        let list = || app.anonymous.users().list().with(|list| list.limit = Some(2.into()));
        let first = list().page().await.unwrap();
        app.agent("dan").await;
        let second = list().after(first.next_cursor.unwrap()).page().await.unwrap();
        let names: Vec<_> = [first.items, second.items].concat();
        assert_eq!(names.iter().map(|user| &*user.username).collect::<Vec<_>>(), ["cyd", "bob", "ada"]);
    }

    async fn the_directory_by_followers_breaks_ties_by_age(app: TestApp) {
        for (name, followers) in [("ada", 7), ("bob", 0), ("cyd", 7), ("dan", 9), ("eve", 7)] {
            let member = app.agent(name).await;
            set_followers(&app, &member, followers).await;
        }
        let list = app.anonymous.users().list().with(|list| list.sort = Some(UserSort::Followers));
        let listed = pages(list, 2).await;
        assert_eq!(listed, [vec!["dan", "eve"], vec!["cyd", "ada"], vec!["bob"]]);
    }

    async fn the_directory_by_activity_follows_the_latest_posts(app: TestApp) {
        for name in ["ada", "bob", "cyd"] {
            let member = app.agent(name).await;
            member.client.posts().create(name).await.unwrap();
            app.advance(1);
        }
        let ada = app.anonymous.users().get("ada").await.unwrap().user.id;
        app.advance(1800);
        let post = app.anonymous.users().posts("bob").await.unwrap().posts.remove(0);
        app.agent("dan").await.client.posts().reply(post.id, "not at the top").await.unwrap();
        let eve = app.agent("eve").await;
        eve.client.posts().create("last").await.unwrap();
        let list = app.anonymous.users().list().with(|list| list.sort = Some(UserSort::Active));
        let listed = pages(list, 2).await;
        assert_eq!(listed, [vec!["eve", "cyd"], vec!["bob", "ada"]], "{ada}");
    }

    async fn accounts_that_posted_at_one_instant_are_all_listed(app: TestApp) {
        for name in ["ada", "bob", "cyd"] {
            app.agent(name).await.client.posts().create(name).await.unwrap();
        }
        let list = app.anonymous.users().list().with(|list| list.sort = Some(UserSort::Active));
        let mut listed = pages(list, 1).await.concat();
        listed.sort();
        assert_eq!(listed, ["ada", "bob", "cyd"]);
    }

    async fn the_directory_is_searched_by_name_prefix(app: TestApp) {
        app.person("adam", PASSWORD).await;
        for name in ["ada_1", "adam_2", "bob"] {
            app.agent(name).await;
        }
        let by = |q: &'static str, is_agent| {
            names(&app.anonymous, move |list| {
                list.q = Some(q.into());
                list.is_agent = is_agent;
            })
        };
        assert_eq!(by("ADA", None).await, ["adam_2", "ada_1", "adam"]);
        assert_eq!(by("adam", Some(true)).await, ["adam_2"]);
        assert_eq!(by("ad", Some(false)).await, ["adam"]);
        assert_eq!(by("@Ad", None).await, ["adam_2", "ada_1", "adam"], "as pages show names");
        assert_eq!(by("da", None).await, [""; 0], "only the beginning counts");
        assert_eq!(by("ada_", None).await, ["ada_1"], "no character is a wildcard");
        assert_eq!(by("%", None).await, [""; 0], "no character is a wildcard");
    }

    async fn names_of_many_and_of_few_are_found_in_every_order(app: TestApp) {
        app.execute(|ctx| {
            let sql = sql!(
                "with recursive n (i) as (select 1000 union all select i + 1 from n where i < 1600)
                 insert into account (id, username, display_name, bio, is_agent, tier, role, status,
                    x_verified, google_verified, dm_policy, allow_service_requests, followers_count,
                    following_count, posts_count, last_post_at, created_at, updated_at)
                 select 'usr_' || i, 'many_' || i, '', '', i % 2 = 0, 'free', 'user', 'active', false,
                    false, 'all', true, 2000 - i, 0, 0, i, 0, 0
                 from n"
            );
            ctx.tx.execute(sql, &[])
        }).await;
        let first = async |q: &str, sort: UserSort, is_agent| {
            let list = app.anonymous.users().list().sort(sort).limit(2).with(|list| {
                list.q = Some(q.into());
                list.is_agent = is_agent;
            });
            let page = list.await.unwrap();
            page.users.into_iter().map(|user| user.username).collect::<Vec<_>>()
        };
        for (q, newest, oldest) in [("many_", 1_600, 1_000), ("many_12", 1_299, 1_200)] {
            let name = |number: i32| format!("many_{number}");
            assert_eq!(first(q, UserSort::New, None).await, [name(newest), name(newest - 1)]);
            assert_eq!(first(q, UserSort::Active, None).await, [name(newest), name(newest - 1)]);
            assert_eq!(first(q, UserSort::Followers, None).await, [name(oldest), name(oldest + 1)]);
            let agents = [name(oldest), name(oldest + 2)];
            assert_eq!(first(q, UserSort::Followers, Some(true)).await, agents);
        }
        let whole = app.agent("many").await;
        whole.post("hello").await;
        set_followers(&app, &whole, 5_000).await;
        for sort in [UserSort::New, UserSort::Active, UserSort::Followers] {
            let found = first("many", sort.clone(), None).await;
            assert_eq!(found[0], "many", "a whole name is found, too, by {sort}");
            assert_eq!(first("many_1234", sort, None).await, ["many_1234"]);
        }
    }
}
