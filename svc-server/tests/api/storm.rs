//! Many accounts at once: every count equals what the rows say afterwards.

use adya::r#gen::Rng;
use http::{Method, StatusCode};
use serde_json::json;
use svc_client::types::api::posts::Post;
use svc_client::types::{Code, PostId};
use tokio::task::JoinSet;

use crate::app::{Member, TestApp};
use crate::counts;
use crate::on_both_engines;
use crate::raw::{Raw, answer};

const ACCOUNTS: usize = 16;
const POSTS: usize = 10;
const ACTS: usize = 60;

/// What a worker can act on.
struct Scene {
    app: TestApp,
    members: Vec<Member>,
    posts: Vec<Post>,
}

async fn scene(app: TestApp) -> Scene {
    let mut members = Vec::new();
    for n in 0..ACCOUNTS {
        members.push(app.agent(&format!("member_{n}")).await);
    }
    let mut posts = Vec::new();
    for n in 0..POSTS {
        posts.push(members[n % 4].post(&format!("post {n}")).await);
        app.advance(1800);
    }
    app.set_tier("member_1", "pro").await;
    Scene { app, members, posts }
}

/// One account's random acts, one after the other.
struct Worker<'a> {
    scene: &'a Scene,
    me: usize,
    rng: Rng,
    replies: Vec<PostId>,
}

impl Worker<'_> {
    fn pick(&mut self, below: usize) -> usize {
        usize::try_from(self.rng.below(below as u64)).unwrap()
    }

    async fn work(mut self) {
        for _ in 0..ACTS {
            let received = self.act().await;
            let is_refused = matches!(
                received.status,
                StatusCode::FORBIDDEN | StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST
            );
            if is_refused {
                let code = received.refusal().code;
                assert!(
                    matches!(
                        code,
                        Code::Blocked | Code::NotFound | Code::SelfAction | Code::Forbidden
                    ),
                    "{}",
                    received.text
                );
            } else {
                self.note(&received);
            }
        }
    }

    /// Remembers a reply, so that it is replied to and deleted.
    fn note(&mut self, received: &Raw) {
        if received.status == StatusCode::CREATED {
            self.replies.push(received.json()["post"]["id"].as_str().unwrap().into());
        } else {
            received.json();
        }
    }

    async fn act(&mut self) -> Raw {
        let post = self.pick(POSTS);
        let post = self.scene.posts[post].id.clone();
        let other = self.pick(ACCOUNTS);
        let other = self.scene.members[other].user.username.clone();
        match self.pick(24) {
            0..=4 => self.send(Method::POST, &format!("/posts/{post}/like")).await,
            5..=7 => self.send(Method::DELETE, &format!("/posts/{post}/like")).await,
            8..=10 => self.send(Method::POST, &format!("/posts/{post}/repost")).await,
            11..=12 => self.send(Method::DELETE, &format!("/posts/{post}/repost")).await,
            13 => self.send(Method::POST, &format!("/posts/{post}/bookmark")).await,
            14 => self.send(Method::DELETE, &format!("/posts/{post}/bookmark")).await,
            15..=16 => self.send(Method::POST, &format!("/users/{other}/follow")).await,
            17 => self.send(Method::DELETE, &format!("/users/{other}/follow")).await,
            18..=20 => self.reply(post).await,
            21 => self.delete().await,
            22 => self.send(Method::POST, &format!("/users/{other}/block")).await,
            _ => self.send(Method::DELETE, &format!("/users/{other}/block")).await,
        }
    }

    async fn send(&self, method: Method, path: &str) -> Raw {
        answer(self.scene.members[self.me].raw(&self.scene.app, method, path)).await
    }

    /// Replies to a post or to an earlier reply of its own, and often quotes one.
    async fn reply(&mut self, post: PostId) -> Raw {
        let to = self
            .replies
            .last()
            .cloned()
            .filter(|_| self.rng.chance(0.2))
            .unwrap_or_else(|| post.clone());
        let quoted = self.pick(POSTS);
        let quoted = &self.scene.posts[quoted].id;
        let members = if self.rng.chance(0.5) {
            json!({ "content": "so", "quoteOfId": quoted })
        } else {
            json!({ "content": "so" })
        };
        let path = format!("/posts/{to}/replies");
        answer(self.scene.members[self.me].raw(&self.scene.app, Method::POST, &path).json(&members))
            .await
    }

    /// Deletes its oldest reply, or any post.
    async fn delete(&mut self) -> Raw {
        let id = if self.replies.is_empty() {
            self.scene.posts[self.me % POSTS].id.clone()
        } else {
            self.replies.remove(0)
        };
        self.send(Method::DELETE, &format!("/posts/{id}")).await
    }
}

/// A refusal that is no fault of the server.
fn is_fine(received: &Raw) -> bool {
    received.status.is_success() || received.status == StatusCode::FORBIDDEN
}

on_both_engines! {
    async fn counts_are_right_after_concurrent_random_actions(
        app: TestApp, "database.connections" = "4"
    ) {
        let scene = scene(app).await;
        let workers = (0..ACCOUNTS).map(|me| {
            let rng = Rng::new(me as u64 + 1);
            Worker { scene: &scene, me, rng, replies: Vec::new() }.work()
        });
        futures_util::future::join_all(workers).await;
        counts::are_right(&scene.app).await;
    }

    async fn concurrent_likes_all_count(app: TestApp, "database.connections" = "4") {
        let scene = scene(app).await;
        let post = scene.posts[0].id.clone();
        for (method, wanted) in [(Method::POST, 16), (Method::DELETE, 0)] {
            let mut asking = JoinSet::new();
            for member in &scene.members {
                for kind in ["like", "repost", "like"] {
                    asking.spawn(answer(member.raw(&scene.app, method.clone(), &format!("/posts/{post}/{kind}"))));
                }
            }
            assert!(asking.join_all().await.iter().all(is_fine));
            let shown = scene.app.anonymous.posts().get(&post).await.unwrap().post;
            assert_eq!((shown.likes_count, shown.reposts_count), (wanted, wanted));
            counts::are_right(&scene.app).await;
        }
    }

    async fn a_concurrent_block_and_like_leave_no_like(app: TestApp, "database.connections" = "4") {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("hello").await;
        for _ in 0..40 {
            let path = format!("/posts/{}", post.id);
            let mut asking = JoinSet::new();
            for kind in ["like", "repost"] {
                asking.spawn(answer(bob.raw(&app, Method::POST, &format!("{path}/{kind}"))));
            }
            asking.spawn(answer(bob.raw(&app, Method::POST, "/users/ada/follow")));
            asking.spawn(answer(ada.raw(&app, Method::POST, "/users/bob/block")));
            assert!(asking.join_all().await.iter().all(is_fine));
            counts::are_right(&app).await;
            ada.client.relations().unblock("bob").await.unwrap();
        }
    }

    async fn a_concurrent_tier_change_and_likes_keep_the_rank_right(
        app: TestApp, "database.connections" = "4"
    ) {
        let scene = scene(app).await;
        for tier in ["pro", "free", "pro", "boost"] {
            let path = format!("/posts/{}/like", scene.posts[0].id);
            let mut asking = JoinSet::new();
            for member in &scene.members {
                asking.spawn(answer(member.raw(&scene.app, Method::POST, &path)));
            }
            scene.app.set_tier("member_0", tier).await;
            assert!(asking.join_all().await.iter().all(is_fine));
            counts::are_right(&scene.app).await;
            for member in &scene.members {
                member.client.reactions().unlike(&scene.posts[0].id).await.unwrap();
            }
        }
    }
}
