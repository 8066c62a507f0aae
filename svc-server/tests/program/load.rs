//! Many writers at once, and a ledger of what they were answered.
//!
//! Each write has a text of its own, which is its Idempotency-Key too. So the outcome of a write
//! can be found in the lists, and a write whose outcome is unknown can be made again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use svc_client::types::{ApiKey, Code, Cursor, PostId};
use svc_client::{Client, Error};
use svc_server::testing::in_time;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::process::Server;

/// Writers at once, replying and sending messages by turns.
pub(crate) const WRITERS: usize = 8;

/// Where clients reach the platform; they try once.
pub(crate) trait Entrance {
    /// A client without a key.
    fn client(&self) -> Client;
    /// A client with this key.
    fn client_of(&self, key: &ApiKey) -> Client;
}

impl Entrance for Server {
    fn client(&self) -> Client {
        self.client()
    }

    fn client_of(&self, key: &ApiKey) -> Client {
        self.client_of(key)
    }
}

/// Accounts with a growing post and conversation, and the outcome of each write.
#[derive(Clone)]
pub(crate) struct World {
    ada: ApiKey,
    bob: ApiKey,
    /// Bob's username.
    recipient: String,
    top: PostId,
}

/// The outcome of writes: their texts by what was answered.
#[derive(Default)]
pub(crate) struct Ledger {
    /// They are there.
    pub(crate) acknowledged: Vec<String>,
    /// They may exist or not: no answer arrived.
    pub(crate) unknown: Vec<String>,
    /// They are not there.
    pub(crate) refused: Vec<Error>,
}

/// Writers at work.
pub(crate) struct Load {
    stop: Arc<AtomicBool>,
    acknowledged: watch::Receiver<usize>,
    writers: JoinSet<Ledger>,
}

impl World {
    /// Two accounts and a post on a new server.
    pub(crate) async fn new(server: &Server) -> Self {
        Self::of(server, "ada", "bob").await
    }

    /// Accounts with these names and a post.
    pub(crate) async fn of(server: &impl Entrance, ada: &str, bob: &str) -> Self {
        let client = server.client();
        let recipient = bob.to_owned();
        let ada = client.auth().register_agent(ada).await.unwrap().api_key;
        let bob = client.auth().register_agent(bob).await.unwrap().api_key;
        let top = server.client_of(&ada).posts().create("top").await.unwrap().post.id;
        Self { ada, bob, recipient, top }
    }

    /// Ada's client.
    pub(crate) fn ada(&self, server: &impl Entrance) -> Client {
        server.client_of(&self.ada)
    }

    /// Bob's client.
    pub(crate) fn bob(&self, server: &impl Entrance) -> Client {
        server.client_of(&self.bob)
    }

    /// Bob's key.
    pub(crate) fn bob_key(&self) -> &str {
        self.bob.expose()
    }

    /// Lets writers write until something fails or they are stopped.
    pub(crate) fn load(&self, server: &Server, name: &str) -> Load {
        let (world, ada) = (self.clone(), self.ada(server));
        Load::start(name, move |_, text| {
            let (world, ada) = (world.clone(), ada.clone());
            async move { world.write(&ada, &text).await }
        })
    }

    /// Makes the write of this text, which its key makes once however often it is asked for.
    pub(crate) async fn write(&self, ada: &Client, text: &str) -> Result<(), Error> {
        let is_reply = text.ends_with(['0', '2', '4', '6', '8']);
        if is_reply {
            let call = ada.posts().reply(&self.top, text);
            call.idempotency_key(text).await.map(drop)
        } else {
            let call = ada.messages().send(&*self.recipient, text);
            call.idempotency_key(text).await.map(drop)
        }
    }

    /// Repeats what has no known outcome; from now on it is there.
    pub(crate) async fn settle(&self, server: &impl Entrance, ledger: &mut Ledger) {
        let ada = self.ada(server);
        for text in ledger.unknown.drain(..) {
            self.write(&ada, &text).await.unwrap();
            ledger.acknowledged.push(text);
        }
    }

    /// Checks that what was acknowledged is there, once, and counted; nothing else may be there.
    pub(crate) async fn check(&self, server: &impl Entrance, ledger: &Ledger) {
        let found = self.texts(server).await;
        let expected = ledger.acknowledged.iter().map(|text| (text.clone(), 1)).collect();
        let wrong = differing(&found, &expected);
        let times = |text: &&str| (found.get(*text), expected.get(*text));
        let shown: Vec<_> = wrong.iter().map(|text| (text, times(text))).collect();
        assert!(wrong.is_empty(), "how often each was found and should be: {shown:?}");
        let ada = self.ada(server);
        let top = ada.posts().get(&self.top).await.unwrap().post;
        let unread = server.client_of(&self.bob).messages().unread_count().await.unwrap().unread;
        let counted = top.replies_count + unread.messages;
        assert_eq!(counted, i64::try_from(ledger.acknowledged.len()).unwrap());
    }

    /// How often each text is found among the replies and in bob's mailbox.
    pub(crate) async fn texts(&self, server: &impl Entrance) -> BTreeMap<String, usize> {
        let (ada, bob) = (self.ada(server), server.client_of(&self.bob));
        let mut found = BTreeMap::new();
        let mut next = Some(None);
        while let Some(cursor) = next.take() {
            let call = ada.posts().replies(&self.top).limit(100);
            let call = call.with(|list| list.cursor = cursor);
            let page = call.await.unwrap();
            note(&mut found, page.posts.into_iter().map(|post| post.content));
            next = page.next_cursor.map(Some);
        }
        let mut next: Option<Option<Cursor>> = Some(None);
        while let Some(cursor) = next.take() {
            let call = bob.messages().list().limit(100);
            let page = call.with(|list| list.cursor = cursor).await.unwrap();
            note(&mut found, page.messages.into_iter().map(|message| message.content));
            next = page.next_cursor.map(Some);
        }
        found
    }
}

fn note(found: &mut BTreeMap<String, usize>, texts: impl Iterator<Item = String>) {
    for text in texts {
        *found.entry(text).or_default() += 1;
    }
}

/// The texts that are not found as often as expected.
fn differing<'a>(
    found: &'a BTreeMap<String, usize>,
    expected: &'a BTreeMap<String, usize>,
) -> Vec<&'a str> {
    let texts = found.keys().chain(expected.keys());
    texts.filter(|text| found.get(*text) != expected.get(*text)).map(String::as_str).collect()
}

impl Load {
    /// Starts writers that do `work` with their number and a text of its own, again and again.
    pub(crate) fn start<F>(
        name: &str,
        work: impl Fn(usize, String) -> F + Clone + Send + 'static,
    ) -> Self
    where
        F: Future<Output = Result<(), Error>> + Send + 'static,
    {
        let stop = Arc::new(AtomicBool::new(false));
        let (count, acknowledged) = watch::channel(0);
        let count = Arc::new(count);
        let writers = (0..WRITERS)
            .map(|writer| {
                let (stop, count, work) = (Arc::clone(&stop), Arc::clone(&count), work.clone());
                let name = format!("{name}-{writer}");
                async move {
                    let mut ledger = Ledger::default();
                    let mut texts = (0..).map(|n| format!("{name}-{n}"));
                    while !stop.load(Ordering::Relaxed) && ledger.is_good() {
                        let text = texts.next().expect("numbers do not end");
                        ledger.note(&text, work(writer, text.clone()).await);
                        count.send_modify(|count| *count += 1);
                    }
                    ledger
                }
            })
            .collect();
        Self { stop, acknowledged, writers }
    }

    /// Waits until this many writes were answered in all.
    pub(crate) async fn reaches(&mut self, count: usize) {
        let waiting = self.acknowledged.wait_for(|acknowledged| *acknowledged >= count);
        in_time("the writes are answered", waiting).await.unwrap();
    }

    /// Stops the writers.
    pub(crate) async fn end(self) -> Ledger {
        self.stop.store(true, Ordering::Relaxed);
        self.end_by_itself().await
    }

    /// Waits until each writer has met a failure.
    pub(crate) async fn end_by_itself(self) -> Ledger {
        let mut all = Ledger::default();
        for ledger in in_time("the writers end", self.writers.join_all()).await {
            all.add(ledger);
        }
        all
    }
}

impl Ledger {
    /// Whether every write was acknowledged so far.
    fn is_good(&self) -> bool {
        self.unknown.is_empty() && self.refused.is_empty()
    }

    /// Adds the outcome of one write.
    pub(crate) fn note(&mut self, text: &str, answer: Result<(), Error>) {
        match answer {
            Ok(()) => self.acknowledged.push(text.to_owned()),
            Err(error) if error.code().is_some_and(|code| *code != Code::OutcomeUnknown) => {
                self.refused.push(error);
            }
            Err(error) => {
                assert!(!matches!(error, Error::Config { .. }), "{error}");
                self.unknown.push(text.to_owned());
            }
        }
    }

    /// Adds what another ledger holds.
    pub(crate) fn add(&mut self, other: Self) {
        self.acknowledged.extend(other.acknowledged);
        self.unknown.extend(other.unknown);
        self.refused.extend(other.refused);
    }
}
