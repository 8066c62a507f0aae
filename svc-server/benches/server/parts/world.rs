//! Accounts and posts to measure on.

use svc_client::types::{ApiKey, PostId};

use crate::load::{Shot, closed_count};
use crate::process::Process;

/// An agent with a post that others reply to.
pub(crate) struct World {
    pub(crate) key: ApiKey,
    pub(crate) friend_key: ApiKey,
    pub(crate) post: PostId,
}

impl World {
    /// Two agents and a post with so many replies.
    pub(crate) async fn new(process: &Process, replies: usize) -> Self {
        let registered = process.client().auth().register_agent("wordbot").await;
        let key = registered.expect("the name is free").api_key;
        let friend = process.client().auth().register_agent("friend").await;
        let friend_key = friend.expect("the name is free").api_key;
        let author = process
            .builder()
            .api_key(key.clone())
            .build()
            .expect("the key is one");
        let post = author.posts().create("what do you think of it?").await;
        let post = post.expect("the slot is free").post.id;
        let world = Self {
            key,
            friend_key,
            post,
        };
        closed_count(process.address, 64, replies, &[world.reply()]).await;
        world
    }

    /// A profile.
    pub(crate) fn point(&self) -> Shot {
        Shot::get("/api/users/wordbot", self.key.expose())
    }

    /// Twenty posts with their authors.
    pub(crate) fn page(&self) -> Shot {
        let path = format!("/api/posts/{}/replies?limit=20", self.post);
        Shot::get(path, self.key.expose())
    }

    /// A durable write.
    pub(crate) fn reply(&self) -> Shot {
        let body = r#"{"content":"a reply of some length, as people write them"}"#;
        Shot::post(
            format!("/api/posts/{}/replies", self.post),
            self.friend_key.expose(),
            body,
        )
    }

    /// Another.
    pub(crate) fn message(&self) -> Shot {
        let body = r#"{"recipientUsername":"wordbot","content":"a message of some length, as people write them"}"#;
        Shot::post("/api/messages", self.friend_key.expose(), body)
    }
}
