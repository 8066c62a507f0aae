//! Channels: who finds, joins and changes them.

use http::Method;
use serde_json::json;
use svc_client::Client;
use svc_client::types::Code;
use svc_client::types::api::channels::{
    AddChannelMembers, Channel, ChannelVisibility, CreateChannel, DeleteChannel,
    DeleteChannelMessage, GetChannel, GetChannelMessage, JoinChannel, LeaveChannel,
    ListChannelMembers, ListChannelMessages, ListChannels, PostChannelMessage, PostPolicy,
    ReadChannel, RemoveChannelMember, UpdateChannel,
};
use svc_store::{sql, values};

use crate::app::{Member, all_items, code, fault};
use crate::counts;
use crate::moderation::staff;
use crate::on_both_engines;
use crate::raw::answer;

pub(crate) async fn public(member: &Member, name: &str) -> Channel {
    member.client.channels().create(name).await.unwrap().channel
}

pub(crate) async fn private(member: &Member, name: &str) -> Channel {
    let making = member.client.channels().create(name).visibility(ChannelVisibility::Private);
    making.await.unwrap().channel
}

async fn members(client: &Client, channel: &Channel) -> Vec<String> {
    let users = all_items(client.channels().members(&channel.id).limit(2)).await;
    let mut names: Vec<String> = users.into_iter().map(|user| user.username).collect();
    names.sort();
    names
}

async fn names(client: &Client, beginning: &str, mine: bool) -> Vec<String> {
    let list = client.channels().list().limit(2).mine(mine);
    let list = list.with(|request| request.q = (!beginning.is_empty()).then(|| beginning.into()));
    all_items(list).await.into_iter().map(|channel| channel.name).collect()
}

/// How many accounts a channel says are in it.
async fn count(client: &Client, channel: &Channel) -> i64 {
    client.channels().get(&channel.id).await.unwrap().channel.members_count
}

/// What every endpoint about a channel answers an account that cannot see it.
async fn assert_hidden(client: &Client, channel: &Channel) {
    let (channels, id) = (client.channels(), &channel.id);
    assert_eq!(code::<GetChannel>(channels.get(id).await), Code::NotFound);
    assert_eq!(code::<ListChannelMembers>(channels.members(id).await), Code::NotFound);
    assert_eq!(code::<ListChannelMessages>(channels.messages(id).await), Code::NotFound);
}

/// The same for endpoints that need an account.
async fn assert_closed(client: &Client, channel: &Channel) {
    assert_hidden(client, channel).await;
    let (channels, id) = (client.channels(), &channel.id);
    assert_eq!(code::<UpdateChannel>(channels.update(id).title("x").await), Code::NotFound);
    assert_eq!(code::<DeleteChannel>(channels.delete(id).await), Code::NotFound);
    assert_eq!(code::<JoinChannel>(channels.join(id).await), Code::NotFound);
    assert_eq!(code::<LeaveChannel>(channels.leave(id).await), Code::NotFound);
    assert_eq!(code::<ReadChannel>(channels.read(id, "msg_1").await), Code::NotFound);
    assert_eq!(code::<AddChannelMembers>(channels.add(id, ["bob"]).await), Code::NotFound);
    assert_eq!(code::<RemoveChannelMember>(channels.remove(id, "bob").await), Code::NotFound);
    let adding = channels.add(id, ["nobody"]).await.unwrap_err();
    let removing = channels.remove(id, "nobody").await.unwrap_err();
    for error in [adding, removing] {
        assert!(error.to_string().contains("no such channel"), "{error}");
    }
    assert_eq!(code::<PostChannelMessage>(channels.post(id, "x").await), Code::NotFound);
    let deleting = channels.delete_message(id, "msg_1").await;
    assert_eq!(code::<DeleteChannelMessage>(deleting), Code::NotFound);
}

on_both_engines! {
    async fn a_channel_is_public_by_default(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let made = ada.client.channels().create("rust-talk").title("Rust talk 🦀").await;
        let channel = made.unwrap().channel;
        assert!(channel.id.as_str().starts_with("chan_"));
        assert_eq!((&*channel.name, channel.members_count), ("rust-talk", 1));
        assert_eq!(channel.title.as_deref(), Some("Rust talk 🦀"));
        assert_eq!((&channel.description, &channel.owner.id), (&None, &ada.user.id));
        assert_eq!(channel.visibility, ChannelVisibility::Public);
        assert_eq!(channel.post_policy, PostPolicy::Members);
        assert_eq!(channel.topic, format!("svc/channels/{}", channel.id));
        let viewer = channel.viewer.clone().unwrap();
        assert_eq!((viewer.member, viewer.owner, viewer.unread_count), (true, true, 0));
        assert_eq!(viewer.joined_at, Some(channel.created_at));
        assert_eq!(ada.client.channels().get(&channel.id).await.unwrap().channel, channel);
        let seen = app.anonymous.channels().get(&channel.id).await.unwrap().channel;
        assert_eq!(seen, Channel { viewer: None, ..channel.clone() });
        let viewer = bob.client.channels().get(&channel.id).await.unwrap().channel.viewer.unwrap();
        assert_eq!((viewer.member, viewer.owner, viewer.unread_count), (false, false, 0));
        assert_eq!(viewer.joined_at, None);
        assert_eq!(members(&app.anonymous, &channel).await, ["ada"]);
    }

    async fn a_private_channel_is_visible_to_its_members_only(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let channel = private(&ada, "den").await;
        assert_closed(&eve.client, &channel).await;
        assert_hidden(&app.anonymous, &channel).await;
        ada.client.channels().add(&channel.id, ["bob"]).await.unwrap();
        let channels = bob.client.channels();
        assert!(channels.get(&channel.id).await.unwrap().channel.viewer.unwrap().member);
        assert_eq!(members(&bob.client, &channel).await, ["ada", "bob"]);
        assert_eq!(code::<UpdateChannel>(channels.update(&channel.id).title("x").await), Code::Forbidden);
        let left = channels.leave(&channel.id).await.unwrap().channel;
        assert_eq!((left.members_count, left.viewer.unwrap().member), (1, false));
        assert_closed(&bob.client, &channel).await;
        assert_eq!(names(&bob.client, "", true).await, Vec::<String>::new());
        assert_eq!(names(&ada.client, "", false).await, Vec::<String>::new());
        assert_eq!(names(&ada.client, "", true).await, ["den"]);
    }

    async fn only_its_owner_changes_a_public_channel(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = public(&ada, "open").await;
        let (channels, id) = (bob.client.channels(), &channel.id);
        for _ in 0..2 {
            assert_eq!(code::<UpdateChannel>(channels.update(id).title("x").await), Code::Forbidden);
            assert_eq!(code::<DeleteChannel>(channels.delete(id).await), Code::Forbidden);
            assert_eq!(code::<AddChannelMembers>(channels.add(id, ["bob"]).await), Code::Forbidden);
            let removing = channels.remove(id, "ada").await;
            assert_eq!(code::<RemoveChannelMember>(removing), Code::Forbidden);
            // Members are no owners either.
            channels.join(id).await.unwrap();
        }
        let owner = ada.client.channels();
        let changed = owner.update(id).title("Open").description("to all").await.unwrap().channel;
        assert_eq!(changed.title.as_deref(), Some("Open"));
        assert_eq!((changed.description.as_deref(), &changed.name), (Some("to all"), &channel.name));
        let changed = owner.update(id).title("").post_policy(PostPolicy::Owner).await;
        let changed = changed.unwrap().channel;
        assert_eq!((changed.title, changed.description.as_deref()), (None, Some("to all")));
        assert_eq!(changed.post_policy, PostPolicy::Owner);
        assert_eq!(changed.visibility, channel.visibility);
        let hidden = owner.update(id).visibility(ChannelVisibility::Private).await.unwrap().channel;
        assert_eq!(hidden.members_count, 2, "who was in it stays");
        assert!(channels.get(id).await.unwrap().channel.viewer.unwrap().member);
        assert_hidden(&app.anonymous, &channel).await;
    }

    async fn values_out_of_bounds_are_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        let channels = ada.client.channels();
        let invalid = |field: &str| (Code::ValidationFailed, field.to_owned());
        for name in ["", "ab", "Rust", "a_b", "a b", "café", &"x".repeat(65)] {
            assert_eq!(fault::<CreateChannel>(channels.create(name).await), invalid("name"), "{name}");
        }
        let titled = channels.create("abc").title("x".repeat(101));
        assert_eq!(fault::<CreateChannel>(titled.await), invalid("title"));
        let unseen = channels.create("abc").title("\u{200b} ");
        assert_eq!(fault::<CreateChannel>(unseen.await), invalid("title"));
        let described = channels.create("abc").description("x".repeat(1001));
        assert_eq!(fault::<CreateChannel>(described.await), invalid("description"));
        let secret = channels.create("abc").description(ada.key.expose());
        assert_eq!(code::<CreateChannel>(secret.await), Code::CredentialInContent);
        let channel = public(&ada, "abc").await;
        let unseen = channels.update(&channel.id).title(" ").await;
        assert_eq!(fault::<UpdateChannel>(unseen), invalid("title"));
        let secret = channels.update(&channel.id).title(ada.key.expose());
        assert_eq!(code::<UpdateChannel>(secret.await), Code::CredentialInContent);
        let none: [&str; 0] = [];
        let adding = channels.add(&channel.id, none).await;
        assert_eq!(fault::<AddChannelMembers>(adding), invalid("usernames"));
        let adding = channels.add(&channel.id, vec!["ada"; 101]).await;
        assert_eq!(fault::<AddChannelMembers>(adding), invalid("usernames"));
        let path = format!("/channels/{}", channel.id);
        for (member, value) in [("visibility", "secret"), ("postPolicy", "nobody")] {
            let wrong = ada.raw(&app, Method::PATCH, &path).json(&json!({ member: value }));
            assert_eq!(answer(wrong).await.refusal().field.as_deref(), Some(member));
        }
        assert_eq!(fault::<ListChannels>(channels.list().beginning("").await), invalid("q"));
        let refused = app.anonymous.channels().list().mine(true).await;
        assert_eq!(code::<ListChannels>(refused), Code::Unauthorized);
    }

    async fn a_name_is_taken_until_its_channel_is_deleted(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = private(&ada, "den").await;
        let taken = bob.client.channels().create("den").await;
        assert_eq!(fault::<CreateChannel>(taken), (Code::AlreadyExists, "name".to_owned()));
        assert!(ada.client.channels().delete(&channel.id).await.unwrap().deleted);
        assert_closed(&ada.client, &channel).await;
        assert_eq!(names(&ada.client, "", true).await, Vec::<String>::new());
        let again = public(&bob, "den").await;
        assert_ne!(again.id, channel.id);
        assert_eq!(names(&bob.client, "", true).await, ["den"]);
    }

    async fn what_is_done_with_one_channel_leaves_the_others(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let [one, other] = [public(&ada, "one").await, public(&ada, "other").await];
        let channels = ada.client.channels();
        channels.add(&other.id, ["bob"]).await.unwrap();
        channels.post(&other.id, "kept").await.unwrap();
        let seen = async || app.anonymous.channels().get(&other.id).await.unwrap().channel;
        let before = seen().await;
        let changing = channels.update(&one.id).title("changed").description("changed");
        let changing = changing.post_policy(PostPolicy::Owner).visibility(ChannelVisibility::Private);
        changing.await.unwrap();
        channels.delete(&one.id).await.unwrap();
        assert_eq!(seen().await, before);
        assert_eq!(all_items(bob.client.channels().messages(&other.id)).await.len(), 1);
    }

    async fn channels_are_listed_by_name_page_by_page(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for name in ["rust-b", "go-a", "rust", "rust-a", "ruse", "zig", "007"] {
            public(&ada, name).await;
        }
        private(&bob, "rust-den").await;
        let all = ["007", "go-a", "ruse", "rust", "rust-a", "rust-b", "zig"];
        for client in [&app.anonymous, &ada.client, &bob.client] {
            assert_eq!(names(client, "", false).await, all);
            assert_eq!(names(client, "RUST", false).await, ["rust", "rust-a", "rust-b"]);
            assert_eq!(names(client, "#rust-", false).await, ["rust-a", "rust-b"]);
            assert_eq!(names(client, "rust~", false).await, Vec::<String>::new());
        }
        assert_eq!(names(&ada.client, "", true).await, all);
        assert_eq!(names(&bob.client, "", true).await, ["rust-den"]);
        let found = app.anonymous.channels().list().beginning("rust-b").await.unwrap().channels;
        bob.client.channels().join(&found[0].id).await.unwrap();
        assert_eq!(names(&bob.client, "rus", true).await, ["rust-b", "rust-den"]);
        assert_eq!(names(&bob.client, "rust-d", true).await, ["rust-den"]);
        assert_eq!(names(&bob.client, "go", true).await, Vec::<String>::new());
    }

    async fn joining_and_leaving_are_counted_once(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let channel = public(&ada, "open").await;
        let (channels, id) = (bob.client.channels(), &channel.id);
        for _ in 0..2 {
            let joined = channels.join(id).await.unwrap().channel;
            assert_eq!((joined.members_count, joined.viewer.unwrap().member), (2, true));
        }
        eve.client.channels().join(id).await.unwrap();
        for _ in 0..2 {
            let left = channels.leave(id).await.unwrap().channel;
            assert_eq!((left.members_count, left.viewer.unwrap().member), (2, false));
        }
        let owner = ada.client.channels();
        assert_eq!(code::<LeaveChannel>(owner.leave(id).await), Code::WrongState);
        let removing = owner.remove(id, "ADA").await;
        assert_eq!(code::<RemoveChannelMember>(removing), Code::WrongState);
        for _ in 0..2 {
            assert_eq!(owner.remove(id, "eve").await.unwrap().channel.members_count, 1);
        }
        let unknown = owner.remove(id, "nobody").await;
        assert_eq!(code::<RemoveChannelMember>(unknown), Code::NotFound);
        assert_eq!(members(&app.anonymous, &channel).await, ["ada"]);
        let reported = sql!("select count(*) from event");
        assert_eq!(app.count(reported).await, 0, "no account is notified");
    }

    async fn members_are_added_all_or_none(app: TestApp) {
        let [ada, bob, eve, mia] = app.agents(["ada", "bob", "eve", "mia"]).await;
        let channel = private(&ada, "den").await;
        let (owner, id) = (ada.client.channels(), &channel.id);
        let unknown = fault::<AddChannelMembers>(owner.add(id, ["bob", "nobody"]).await);
        assert_eq!(unknown, (Code::NotFound, "usernames".to_owned()));
        mia.client.relations().block("ada").await.unwrap();
        let blocked = fault::<AddChannelMembers>(owner.add(id, ["bob", "mia"]).await);
        assert_eq!(blocked, (Code::Blocked, "usernames".to_owned()));
        assert_eq!(members(&ada.client, &channel).await, ["ada"]);
        let names = ["BOB", eve.user.id.as_str(), "bob", "ada"];
        assert_eq!(owner.add(id, names).await.unwrap().channel.members_count, 3);
        assert_eq!(owner.add(id, ["bob"]).await.unwrap().channel.members_count, 3);
        assert_eq!(members(&bob.client, &channel).await, ["ada", "bob", "eve"]);
    }

    async fn an_account_blocked_by_the_owner_cannot_rejoin(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = public(&ada, "open").await;
        bob.client.channels().join(&channel.id).await.unwrap();
        ada.client.relations().block("bob").await.unwrap();
        let again = bob.client.channels().join(&channel.id).await.unwrap().channel;
        assert!(again.viewer.unwrap().member, "a block takes nobody out");
        ada.client.channels().remove(&channel.id, "bob").await.unwrap();
        let refused = bob.client.channels().join(&channel.id).await;
        assert_eq!(code::<JoinChannel>(refused), Code::Blocked);
    }

    async fn suspended_and_deleted_accounts_are_not_counted(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let channel = public(&ada, "open").await;
        let of_bob = public(&bob, "of-bob").await;
        for member in [&bob, &eve] {
            member.client.channels().join(&channel.id).await.unwrap();
            member.client.channels().post(&channel.id, &*member.user.username).await.unwrap();
        }
        ada.client.channels().join(&of_bob.id).await.unwrap();
        app.suspend("eve").await;
        assert_eq!(count(&ada.client, &channel).await, 2);
        assert_eq!(members(&ada.client, &channel).await, ["ada", "bob"]);
        let refused = eve.client.channels().leave(&channel.id).await;
        assert_eq!(code::<LeaveChannel>(refused), Code::AccountSuspended);
        assert_eq!(ada.client.channels().messages(&channel.id).await.unwrap().messages.len(), 1);
        app.unsuspend("eve").await;
        assert_eq!(count(&ada.client, &channel).await, 3);
        assert_eq!(ada.client.channels().messages(&channel.id).await.unwrap().messages.len(), 2);
        bob.client.users().update_me().display_name("Bob the Great").await.unwrap();
        let owner = async || {
            ada.client.channels().get(&of_bob.id).await.unwrap().channel.owner.display_name
        };
        assert_eq!(owner().await, "Bob the Great");
        bob.client.users().delete_me("bob").await.unwrap();
        assert_eq!(owner().await, "bob", "by his username alone");
        assert_eq!(count(&ada.client, &channel).await, 2);
        assert_eq!(count(&ada.client, &of_bob).await, 1, "its owner may come back");
        assert_hidden(&eve.client, &of_bob).await;
        assert_eq!(code::<JoinChannel>(eve.client.channels().join(&of_bob.id).await), Code::NotFound);
        assert_eq!(names(&app.anonymous, "", false).await, ["open"]);
        counts::are_right(&app).await;
        app.advance(14 * 24 * 3_600);
        app.server.erase().await;
        assert_hidden(&ada.client, &of_bob).await;
        assert_eq!(names(&ada.client, "", true).await, ["open"]);
        counts::are_right(&app).await;
    }

    async fn a_suspended_account_is_added_and_removed_without_being_counted(app: TestApp) {
        app.agent("eve").await;
        let judge = staff(&app, "judge", "moderator").await;
        let channel = public(&judge, "open").await;
        let (channels, id) = (judge.client.channels(), &channel.id);
        app.suspend("eve").await;
        assert_eq!(channels.add(id, ["eve"]).await.unwrap().channel.members_count, 1);
        assert_eq!(channels.remove(id, "eve").await.unwrap().channel.members_count, 1);
        channels.add(id, ["eve"]).await.unwrap();
        counts::are_right(&app).await;
        app.unsuspend("eve").await;
        assert_eq!(count(&judge.client, &channel).await, 2);
        counts::are_right(&app).await;
    }

    async fn a_public_channel_of_a_suspended_account_is_for_its_members_and_moderators(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let channel = public(&ada, "open").await;
        bob.client.channels().join(&channel.id).await.unwrap();
        let message = bob.client.channels().post(&channel.id, "hello").await.unwrap().message;
        let read = |client: &Client| client.channels().get_message(&channel.id, &message.message_id);
        ada.client.users().update_me().display_name("Ada the Great").await.unwrap();
        app.suspend("ada").await;
        assert_closed(&eve.client, &channel).await;
        for client in [&app.anonymous, &eve.client] {
            assert_hidden(client, &channel).await;
            assert_eq!(code::<GetChannelMessage>(read(client).await), Code::NotFound);
        }
        for client in [&bob.client, &judge.client] {
            assert_eq!(count(client, &channel).await, 1);
            assert_eq!(read(client).await.unwrap().message, message);
        }
        let chosen = "Ada the Great";
        for (client, name) in [(&ada.client, chosen), (&judge.client, chosen), (&bob.client, "ada")] {
            let owner = client.channels().get(&channel.id).await.unwrap().channel.owner;
            assert_eq!(owner.display_name, name);
        }
        app.unsuspend("ada").await;
        assert_eq!(read(&app.anonymous).await.unwrap().message, message);
    }

    async fn an_account_has_100_channels_and_a_channel_10000_members(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let channel = public(&ada, "abc").await;
        let (id, owner) = (channel.id.clone(), ada.user.id.clone());
        let sql = sql!(
            "insert into channel (id, name, owner, visibility, post_policy, members_count, created_at)
             select 'chan_' || $1, 'x' || $1, owner, visibility, post_policy, 0, 0
             from channel where owner = $2 limit 1"
        );
        app.execute(move |ctx| {
            (0..98).map(|n: i64| ctx.tx.execute(sql, values![n.to_string(), owner])).sum()
        }).await;
        let last = public(&ada, "the-100th").await;
        let refused = ada.client.channels().create("too-many").await;
        assert_eq!(code::<CreateChannel>(refused), Code::LimitReached);
        ada.client.channels().delete(&last.id).await.unwrap();
        public(&ada, "another").await;
        public(&bob, "of-another").await;
        let sql = sql!("update channel set members_count = 9999 where id = $1");
        app.execute(move |ctx| ctx.tx.execute(sql, values![id])).await;
        let two = ada.client.channels().add(&channel.id, ["bob", "eve"]).await;
        assert_eq!(code::<AddChannelMembers>(two), Code::LimitReached);
        assert_eq!(members(&ada.client, &channel).await, ["ada"], "nothing is left of the refused call");
        let one = bob.client.channels().join(&channel.id).await.unwrap().channel;
        assert_eq!(one.members_count, 10_000);
        let refused = eve.client.channels().join(&channel.id).await;
        assert_eq!(code::<JoinChannel>(refused), Code::LimitReached);
    }
}
