//! A client that hears events live, and connects again where its stream ends.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, from_str, from_value};
use svc_store::clock::Clock;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

/// A pause before it connects again.
const PAUSE: Duration = Duration::from_millis(200);

/// The last number it heard; each must follow the one before.
pub(super) struct Listener {
    last: watch::Receiver<u64>,
    lags: Lags,
    task: JoinHandle<()>,
}

/// When it heard each event, and how long after that had happened.
type Lags = Arc<Mutex<Vec<(Instant, Duration)>>>;

impl Listener {
    /// Listens to the events of the account of this key.
    pub(super) fn start(api: String, key: String) -> Self {
        let (sender, last) = watch::channel(0);
        let lags = Lags::default();
        let noted = Arc::clone(&lags);
        let task = tokio::spawn(async move {
            let client = Client::builder().no_proxy().build().unwrap();
            loop {
                let url = format!("{api}/v1/connect/stream?after={}", *sender.borrow());
                listen(&client, &url, &key, &sender, &noted).await;
                sleep(PAUSE).await;
            }
        });
        Self { last, lags, task }
    }

    /// The times between events and their hearing, of those heard since this moment, shortest first.
    pub(super) fn lags_since(&self, moment: Instant) -> Vec<Duration> {
        let lags = self.lags.lock().unwrap();
        let since = lags.iter().filter(|(heard, _)| *heard >= moment);
        let mut since: Vec<_> = since.map(|(_, lag)| *lag).collect();
        assert!(!since.is_empty(), "events are heard");
        since.sort();
        since
    }

    /// Waits until it has heard this number, and ends.
    pub(super) async fn hears(mut self, number: u64) {
        tokio::select! {
            heard = self.last.wait_for(|last| *last >= number) => drop(heard.unwrap()),
            failed = &mut self.task => failed.unwrap(),
        }
        assert_eq!(*self.last.borrow(), number);
        self.task.abort();
    }
}

/// Hears one stream to its end. A line like `id: 7` is the number of the event whose `data:` follows; the first
/// block and comments have the number from before.
async fn listen(client: &Client, url: &str, key: &str, last: &watch::Sender<u64>, lags: &Lags) {
    let Ok(mut response) = client.get(url).bearer_auth(key).send().await else { return };
    let (mut rest, mut number) = (String::new(), 0);
    while let Ok(Some(bytes)) = response.chunk().await {
        rest.push_str(&String::from_utf8_lossy(&bytes));
        while let Some((line, after)) = rest.split_once('\n') {
            if let Some(id) = line.strip_prefix("id:") {
                number = id.trim().parse().unwrap();
            } else if let Some(event) = line.strip_prefix("data:") {
                assert_eq!(number, *last.borrow() + 1, "events are heard once and in order");
                last.send_replace(number);
                lags.lock().unwrap().push((Instant::now(), lag(event)));
            }
            rest = after.to_owned();
        }
    }
}

/// How long ago an event happened.
fn lag(event: &str) -> Duration {
    let mut event: Value = from_str(event).unwrap();
    let happened = from_value(event["timestamp"].take()).unwrap();
    Clock::system().now().since(happened)
}
