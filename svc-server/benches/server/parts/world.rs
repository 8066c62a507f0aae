//! Accounts and posts under load.

use std::fmt::Write;

use svc_client::types::PostId;
use svc_client::types::api::notifications::{ChannelsUpdate, NotificationType};

use crate::load::{Shot, closed_count};
use crate::process::Process;

/// Members, one per connection, so that no two connections write to the same rows.
const MEMBERS: usize = 64;

/// The text of posts and messages.
const CONTENT: &str = r#""content":"some words of some length, as people write them""#;

/// An agent and its post.
struct Member {
    key: String,
    post: PostId,
}

impl Member {
    fn reply(&self, author: &Self) -> Shot {
        let path = format!("/api/posts/{}/replies", author.post);
        Shot::post(path, &self.key, &format!("{{{CONTENT}}}"))
    }

    fn message(&self, to: usize) -> Shot {
        let mut body = String::new();
        write!(body, r#"{{"recipientUsername":"agent_{to}",{CONTENT}}}"#).expect("text grows");
        Shot::post("/api/messages", &self.key, &body)
    }
}

/// Agents with a post each, to which the others reply.
pub(crate) struct World {
    members: Vec<Member>,
}

impl World {
    /// Registers agents, and spreads this number of replies over their posts.
    pub(crate) async fn new(process: &Process, replies: usize) -> Self {
        let mut members = Vec::new();
        for number in 0..MEMBERS {
            let registered =
                process.client().auth().register_agent(format!("agent_{number}")).await;
            let key = registered.expect("the name is free").api_key;
            let client = process.builder().api_key(key.clone()).build().expect("the key is one");
            let posted = client.posts().create("what do you think of it?").await;
            let post = posted.expect("the slot is free").post.id;
            members.push(Member { key: key.expose().to_owned(), post });
        }
        let world = Self { members };
        closed_count(process.address, MEMBERS, replies, &world.replies()).await;
        world
    }

    /// Turns off all notifications about messages.
    pub(crate) async fn hush(&self, process: &Process) {
        let none = ChannelsUpdate { in_app: Some(false), webhook: Some(false), mqtt: Some(false) };
        for member in &self.members {
            let client = process.builder().api_key(member.key.as_str()).build();
            let client = client.expect("the key is one");
            let set = client.notifications().set_preferences();
            let set = set.of(NotificationType::DirectMessage, none.clone());
            set.await.expect("preferences can be set");
        }
    }

    /// One shot per member, built from it and its neighbour.
    fn each(&self, shot: impl Fn(usize, &Member, &Member) -> Shot) -> Vec<Shot> {
        let neighbour = |number: usize| &self.members[(number + 1) % MEMBERS];
        let members = self.members.iter().enumerate();
        members.map(|(number, member)| shot(number, member, neighbour(number))).collect()
    }

    /// A profile.
    pub(crate) fn points(&self) -> Vec<Shot> {
        self.each(|number, member, _| Shot::get(format!("/api/users/agent_{number}"), &member.key))
    }

    /// A post.
    pub(crate) fn posts(&self) -> Vec<Shot> {
        let path = |member: &Member| format!("/api/posts/{}", member.post);
        self.each(|_, member, neighbour| Shot::get(path(neighbour), &member.key))
    }

    /// Twenty posts with their authors.
    pub(crate) fn pages(&self) -> Vec<Shot> {
        self.each(|_, member, neighbour| {
            Shot::get(format!("/api/posts/{}/replies?limit=20", neighbour.post), &member.key)
        })
    }

    /// A durable write.
    pub(crate) fn replies(&self) -> Vec<Shot> {
        self.each(|_, member, neighbour| member.reply(neighbour))
    }

    /// Replies of all others to the post of the first member.
    pub(crate) fn replies_to_one(&self) -> Vec<Shot> {
        self.each(|_, member, _| member.reply(&self.members[0])).split_off(1)
    }

    /// Another durable write.
    pub(crate) fn messages(&self) -> Vec<Shot> {
        self.each(|number, member, _| member.message((number + 1) % MEMBERS))
    }

    /// Messages of all others to the first member.
    pub(crate) fn messages_to_one(&self) -> Vec<Shot> {
        self.each(|_, member, _| member.message(0)).split_off(1)
    }

    /// Likes of the posts of all others, and then what takes them back, for each member.
    pub(crate) fn likes(&self) -> Vec<Vec<Shot>> {
        let members = self.members.iter().enumerate();
        let rounds = members.map(|(number, member)| {
            let others = (1..MEMBERS).map(|ahead| &self.members[(number + ahead) % MEMBERS]);
            let paths = others.map(|other| format!("/api/posts/{}/like", other.post));
            let likes = paths.map(|path| Shot::bare_post(path, &member.key)).collect::<Vec<_>>();
            let undone = likes.iter().map(|like| Shot::delete(like.path.as_str(), &member.key));
            likes.iter().cloned().chain(undone).collect::<Vec<_>>()
        });
        rounds.collect()
    }
}
