//! What requests cost in the database: counted, so that no clock or other load changes the figures.
//!
//! Reads are sent one by one. The acts of one kind are sent together and commit together, as under load: 31 and one job that
//! keeps the writer busy until all of them wait.

#[path = "acts.rs"]
mod acts;
#[path = "figures.rs"]
mod figures;

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use reqwest::{Client as Http, Method, RequestBuilder};
use serde_json::{Value, json};
use svc_client::Client;
use svc_client::types::{PostId, ServiceId};
use svc_core::app::Ctx;
use svc_server::testing::{Engine, TestServer};
use svc_store::db::Group;
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use self::acts::Act;
pub(crate) use self::figures::{Cost, Trips};

/// Acts that share a commit with the job that holds the writer.
const ACTS: usize = 31;

/// Messages and replies that each agent has written and received before.
const HISTORY: usize = 40;

/// Members of whose acts the last two are measured on PostgreSQL: by then its connection has prepared the
/// statements. The lesser counts, because a task in the background may write beside one of them.
const IN_TURN: usize = 4;

/// How long acts may take to reach the writer.
const PATIENCE: Duration = Duration::from_mins(1);

/// Agents that act, each with a post and a service.
pub(crate) struct Crowd {
    server: TestServer,
    http: Http,
    members: Vec<Member>,
}

struct Member {
    name: String,
    key: String,
    post: PostId,
    service: ServiceId,
}

impl Crowd {
    /// Registers the agents on SQLite, and gives them a past.
    pub(crate) async fn new() -> Self {
        // By the end of the history each has a slot for its next post.
        let settings = [("exchange.signup_grant", "1000"), ("limits.posts.free_window", "1s")];
        let crowd = Self::at("sqlite::memory:", &settings).await;
        crowd.write_history().await;
        crowd
    }

    /// Registers the agents on PostgreSQL, if there is one.
    pub(crate) async fn on_postgres() -> Option<Self> {
        let settings = [("exchange.signup_grant", "1000"), ("database.connections", "1")];
        let database = Engine::Postgres.database()?;
        Some(Self::at(&database, &settings).await)
    }

    async fn at(database: &str, settings: &[(&str, &str)]) -> Self {
        let server = TestServer::start_with(database, settings).await;
        let mut members = Vec::new();
        for number in 0..=ACTS {
            members.push(member(&server, number).await);
        }
        Self { server, http: Http::new(), members }
    }

    /// Gives each member rows enough to fill pages of the database that no other member shares. One
    /// after the other, so that they lie in the same pages each time.
    async fn write_history(&self) {
        for _ in 0..HISTORY {
            for from in 0..ACTS {
                for act in [self.message(from), self.reply(from)] {
                    received(self.request(from, act)).await;
                    self.server.clock().advance(Duration::from_millis(1));
                }
            }
        }
        self.server.index().await;
    }

    /// Measures every act.
    pub(crate) async fn costs(&self) -> Vec<Cost> {
        let mut costs = vec![
            self.group("message", Self::message).await,
            self.group("message, with a key", |crowd, from| Act {
                has_key: true,
                ..crowd.message(from)
            })
            .await,
            self.group("reply", Self::reply).await,
            self.group("like", Self::like).await,
            self.group("follow", Self::follow).await,
        ];
        costs.push(
            self.group("post", |_, from| {
                Act::post("/posts", json!({ "content": format!("what agent {from} does today") }))
            })
            .await,
        );
        costs.extend(self.deals().await);
        costs.extend(self.reads().await);
        costs
    }

    /// Measures every act by its round trips.
    pub(crate) async fn trips(&self) -> Vec<Trips> {
        let first = self.in_turn("message, the first", Self::message).await.0;
        let message = self.in_turn("message", Self::message).await.0;
        let keyed = |crowd: &Self, from| Act { has_key: true, ..crowd.message(from) };
        let keyed = self.in_turn("message, with a key", keyed).await.0;
        let reply = self.in_turn("reply", Self::reply).await.0;
        let replied = self.in_turn("reply, again", Self::reply).await.0;
        let like = self.in_turn("like", Self::like).await.0;
        let follow = self.in_turn("follow", Self::follow).await.0;
        let (order, sent) = self.in_turn("order", Self::order).await;
        let ids = sent.iter().map(|sent| id(sent, "/message/messageId")).collect::<Vec<_>>();
        let answer = |crowd: &Self, buyer| (buyer + 1, crowd.answer(buyer + 1, &ids));
        let answer = self.each("answer", answer).await.0;
        let (create, created) = self.in_turn("escrow: create", Self::escrow).await;
        let ids = created.iter().map(|created| id(created, "/escrow/id")).collect::<Vec<_>>();
        let deliver = |_: &Self, buyer: usize| (buyer + 1, Self::deliver(&ids[buyer]));
        let deliver = self.each("escrow: deliver", deliver).await.0;
        let release = |_: &Self, buyer: usize| Self::release(&ids[buyer]);
        let release = self.in_turn("escrow: release", release).await.0;
        vec![
            first, message, keyed, reply, replied, like, follow, order, answer, create, deliver,
            release,
        ]
    }

    /// What an act costs when a few members do it one after the other, and what each received.
    async fn in_turn(
        &self,
        name: &'static str,
        act: impl Fn(&Self, usize) -> Act,
    ) -> (Trips, Vec<Value>) {
        self.each(name, |crowd, from| (from, act(crowd, from))).await
    }

    /// The same when others than those who are counted do it.
    async fn each(
        &self,
        name: &'static str,
        act: impl Fn(&Self, usize) -> (usize, Act),
    ) -> (Trips, Vec<Value>) {
        let groups = self.server.app().db.groups();
        let (mut bodies, mut costs) = (Vec::new(), Vec::new());
        for number in 0..IN_TURN {
            let (from, act) = act(self, number);
            groups.watch();
            bodies.push(received(self.request(from, act)).await);
            let groups = groups.take();
            let groups = groups.iter().filter(|group| group.kind == "write");
            costs.push(groups.fold((0, 0), |(count, statements), group| {
                (count + group.trips, statements + group.statements)
            }));
        }
        let measured = costs.split_off(IN_TURN - 2);
        let (count, statements) = measured.into_iter().min().expect("some are measured");
        (Trips { request: name.to_owned(), statements, count }, bodies)
    }

    /// A point read, and a page of 20 of each kind of list.
    async fn reads(&self) -> Vec<Cost> {
        let Member { name, post, .. } = &self.members[0];
        let mut costs = Vec::new();
        for (request, path) in [
            ("read: a post", format!("/posts/{post}")),
            ("read: an account", format!("/users/{name}")),
            ("page: global feed", "/feed/global?limit=20".to_owned()),
            ("page: home feed", "/feed?limit=20".to_owned()),
            ("page: replies", format!("/posts/{post}/replies?limit=20")),
            ("page: posts of an account", format!("/users/{name}/posts?limit=20")),
            ("page: messages", "/messages?limit=20".to_owned()),
            ("page: conversations", "/conversations?limit=20".to_owned()),
            ("page: notifications", "/notifications?limit=20".to_owned()),
            ("page: events", "/v1/connect/events?limit=20".to_owned()),
            ("page: bots", "/v1/bots/discover?limit=20".to_owned()),
            ("page: search", "/search?q=length&limit=20".to_owned()),
        ] {
            costs.push(self.read(request, &path).await);
        }
        costs
    }

    /// What a read costs.
    async fn read(&self, request: &str, path: &str) -> Cost {
        let groups = self.server.app().db.groups();
        groups.watch();
        received(self.request(1, Act::bare(Method::GET, path))).await;
        let groups = groups.take();
        // A read is one job, or two if it is charged to a budget or was overdue.
        assert!((1..=2).contains(&groups.len()), "{path}: {groups:?}");
        let sum = |count: fn(&Group) -> u64| to_f64(groups.iter().map(count).sum());
        Cost {
            request: request.to_owned(),
            statements: sum(|group| group.statements),
            steps: sum(|group| group.steps),
            pages: sum(|group| group.log_pages),
        }
    }

    /// Orders by message with their answers, and escrows through their life.
    async fn deals(&self) -> Vec<Cost> {
        let (order, sent) = self.sent_group("order", Self::order).await;
        let ids = sent.iter().map(|sent| id(sent, "/message/messageId")).collect::<Vec<_>>();
        let placed = self.group("order, by its endpoint", Self::placed_order).await;
        let answer = self.group("answer", |crowd, from| crowd.answer(from, &ids)).await;
        let (create, created) = self.sent_group("escrow: create", Self::escrow).await;
        let ids = created.iter().map(|created| id(created, "/escrow/id")).collect::<Vec<_>>();
        // The buyer is the one before the provider.
        let deliver = |_: &Self, from: usize| Self::deliver(&ids[(from + ACTS - 1) % ACTS]);
        let deliver = self.group("escrow: deliver", deliver).await;
        let release = self.group("escrow: release", |_, from| Self::release(&ids[from]));
        vec![order, placed, answer, create, deliver, release.await]
    }

    /// What an act costs when all members do it together.
    async fn group(&self, name: &'static str, act: impl Fn(&Self, usize) -> Act) -> Cost {
        self.sent_group(name, act).await.0
    }

    /// The same, and what each member received.
    async fn sent_group(
        &self,
        name: &'static str,
        act: impl Fn(&Self, usize) -> Act,
    ) -> (Cost, Vec<Value>) {
        let db = &self.server.app().db;
        let (release, writer) = self.hold_writer().await;
        db.groups().watch();
        let mut sending = JoinSet::new();
        for from in 0..ACTS {
            let request = self.request(from, act(self, from));
            sending.spawn(async move { (from, received(request).await) });
            // One after the other, so that they run in the same order each time.
            let waits = async {
                while db.waiting_writes() <= from {
                    tokio::task::yield_now().await;
                }
            };
            timeout(PATIENCE, waits).await.expect("each act has one write job");
        }
        release.send(()).expect("the writer is held");
        writer.await.expect("the writer goes on").expect("nothing was written");
        let mut received = sending.join_all().await;
        received.sort_by_key(|(from, _)| *from);
        let groups = db.groups().take();
        let group = groups.iter().find(|group| group.kind == "write" && group.jobs == ACTS + 1);
        let group = group.unwrap_or_else(|| panic!("{name}: the acts are no group: {groups:?}"));
        let cost = Cost {
            request: name.to_owned(),
            statements: average(group.statements),
            steps: average(group.steps),
            pages: average(group.log_pages),
        };
        (cost, received.into_iter().map(|(_, body)| body).collect())
    }

    /// Keeps the writer busy until the sender sends.
    async fn hold_writer(&self) -> (mpsc::Sender<()>, JoinHandle<svc_store::error::Result<()>>) {
        let (release, held) = mpsc::channel();
        let (started, starts) = oneshot::channel();
        let (held, started) = (Mutex::new(held), Mutex::new(Some(started)));
        let app = Arc::clone(self.server.app());
        let writer = tokio::spawn(async move {
            let wait = move |_: &mut Ctx<'_, '_>| {
                if let Some(started) = started.lock().unwrap_or_else(PoisonError::into_inner).take()
                {
                    let _ = started.send(());
                }
                // An error means that the test has ended.
                let _ = held.lock().unwrap_or_else(PoisonError::into_inner).recv();
                Ok(())
            };
            app.write(wait).await
        });
        starts.await.expect("the writer comes to the job");
        (release, writer)
    }

    fn request(&self, from: usize, act: Act) -> RequestBuilder {
        let Act { method, path, body, has_key } = act;
        let request = self.http.request(method, format!("{}{path}", self.server.url()));
        let request = request.bearer_auth(&self.members[from].key);
        let request = if has_key { request.header("idempotency-key", "once") } else { request };
        match body {
            Some(body) => request.json(&body),
            None => request,
        }
    }

    fn neighbour(&self, from: usize) -> &Member {
        &self.members[(from + 1) % ACTS]
    }
}

async fn member(server: &TestServer, number: usize) -> Member {
    let anonymous = Client::builder(server.url()).build().expect("the URL is one");
    let name = format!("agent_{number}");
    let registered = anonymous.auth().register_agent(name.as_str()).await;
    let key = registered.expect("the name is free").api_key;
    let client =
        Client::builder(server.url()).api_key(key.clone()).build().expect("the key is one");
    let posted = client.posts().create("a post that others answer").await;
    let service = client.services().create("count", "counts words", 1).await;
    Member {
        name,
        key: key.expose().to_owned(),
        post: posted.expect("the slot is free").post.id,
        service: service.expect("the name is free").service.id,
    }
}

/// Sends a request that must succeed; the body of the response.
async fn received(request: RequestBuilder) -> Value {
    let response = request.send().await.expect("the server answers");
    let status = response.status();
    let body = response.bytes().await.expect("the response ends");
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    assert!(status.is_success(), "{status}: {body}");
    body
}

fn id(body: &Value, pointer: &str) -> String {
    let id = body.pointer(pointer).and_then(Value::as_str);
    id.unwrap_or_else(|| panic!("no {pointer} in {body}")).to_owned()
}

/// What one of the acts did of what the group did.
fn average(total: u64) -> f64 {
    to_f64(total) / to_f64(ACTS as u64)
}

fn to_f64(count: u64) -> f64 {
    u32::try_from(count).unwrap_or(u32::MAX).into()
}
