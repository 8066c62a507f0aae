//! A bot built with the kit, over MQTT and with its journal on disk, compared with deals without a
//! bot.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};
use svc_bot_kit::{Backlog, Bot, Ctx, Fail, Journal, Listener, Sequence, Service, service};
use svc_client::Client;
use svc_client::types::api::connect::WebhookEvent;
use svc_client::types::{ApiKey, ServiceId, ServiceRequest};
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;

use super::deals::{Market, RICH, turns};
use super::{CONNECTIONS, pairs, seconds};
use crate::process::Process;
use crate::table::Table;

/// Concurrent open orders.
const WAITING: usize = 256;
/// Requests per bare deal, which the load counts: the order and its answer.
const REQUESTS: f64 = 2.0;
/// Interval between two orders of the even load: 100 per second.
const PAUSE: Duration = Duration::from_millis(10);

#[derive(Deserialize, schemars::JsonSchema)]
struct Ask {
    text: String,
}

#[derive(Serialize, schemars::JsonSchema)]
struct Count {
    words: usize,
}

/// Counts words, and admits another order for each completed one.
fn count(room: &Arc<Semaphore>) -> Service {
    let room = Arc::clone(room);
    let handler = move |_: Ctx, ask: Ask| {
        room.add_permits(1);
        let words = ask.text.split_whitespace().count();
        std::future::ready(Ok::<_, Fail>(Count { words }))
    };
    service("count-words", handler).price(1).order(Sequence::Free)
}

fn order(service: &ServiceId) -> ServiceRequest {
    let input = [("text".to_owned(), serde_json::Value::from("some words"))];
    ServiceRequest {
        service_id: service.clone(),
        service_name: "count-words".into(),
        input: input.into_iter().collect(),
        offered_credits: 1.into(),
        escrow_id: None,
    }
}

/// A running bot, and buyers with a client each.
struct Shop {
    room: Arc<Semaphore>,
    journal: Journal,
    service: ServiceId,
    buyers: Vec<(Client, ApiKey)>,
    stop: Arc<Notify>,
    running: tokio::task::JoinHandle<svc_bot_kit::Result<()>>,
}

impl Shop {
    async fn open(process: &Process, folder: &Path) -> Self {
        let (bot, key) = agent(process, "wordbot").await;
        let mut buyers = Vec::new();
        for number in 0..CONNECTIONS {
            buyers.push(agent(process, &format!("customer_{number}")).await);
        }
        let journal = Journal::open(folder.join("wordbot.db")).expect("a journal can be begun");
        let (room, stop) = (Arc::new(Semaphore::new(WAITING)), Arc::new(Notify::new()));
        let opened = Arc::new(Notify::new());
        let running = Bot::new(bot).journal(journal.clone()).service(count(&room)).live(key);
        let running = running.every(Duration::from_hours(1), {
            let opened = Arc::clone(&opened);
            move |_| {
                opened.notify_one();
                std::future::ready(Ok(()))
            }
        });
        let stopped = Arc::clone(&stop);
        let running = tokio::spawn(running.run_until(async move { stopped.notified().await }));
        opened.notified().await;
        let offered = buyers[0].0.bots().capabilities("wordbot").await;
        let service = offered.expect("the bot is an agent").capabilities.remove(0).id;
        Self { room, journal, service, buyers, stop, running }
    }

    /// Orders as fast as the bot completes them, from all buyers; returns deals per second.
    async fn busy(&self) -> f64 {
        let (began, is_over) = (Instant::now(), Arc::new(AtomicBool::new(false)));
        let mut buyers = JoinSet::new();
        for (buyer, _) in &self.buyers {
            let (buyer, order) = (buyer.clone(), order(&self.service));
            let (room, is_over) = (Arc::clone(&self.room), Arc::clone(&is_over));
            buyers.spawn(async move {
                let mut sent = 0_u32;
                while !is_over.load(Ordering::Relaxed) {
                    room.acquire().await.expect("it is never closed").forget();
                    let ordered = buyer.messages().request_service("wordbot", order.clone());
                    ordered.await.expect("an order is taken");
                    sent += 1;
                }
                sent
            });
        }
        tokio::time::sleep(seconds()).await;
        is_over.store(true, Ordering::Relaxed);
        let deals: u32 = buyers.join_all().await.into_iter().sum();
        while self.room.available_permits() < WAITING
            || self.journal.backlog().await.expect("it can be read") != Backlog::default()
        {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        f64::from(deals) / began.elapsed().as_secs_f64()
    }

    /// Orders at an even rate; returns the time from an order to the buyer's event of its answer,
    /// in milliseconds: median and p99.
    async fn even(&self) -> (f64, f64) {
        let (buyer, key) = &self.buyers[0];
        let mut listener = Listener::new(buyer.clone()).types(["direct_message"]).live(key.clone());
        listener.begin().await.expect("the platform is there");
        let count = seconds().as_millis() / PAUSE.as_millis();
        let answers = usize::try_from(count).expect("a run is short");
        let receiving = tokio::spawn(async move {
            let mut received = HashMap::new();
            while received.len() < answers {
                let event = listener.next().await.expect("the platform is there");
                listener.done(&event);
                if let Ok(WebhookEvent::DirectMessage(message)) = event.typed()
                    && let Some(payload) = message.payload
                {
                    received.insert(payload["requestId"].to_string(), Instant::now());
                }
            }
            received
        });
        let (mut orders, mut beat) = (JoinSet::new(), tokio::time::interval(PAUSE));
        for _ in 0..answers {
            beat.tick().await;
            self.room.acquire().await.expect("it is never closed").forget();
            let (buyer, order) = (buyer.clone(), order(&self.service));
            orders.spawn(async move {
                let began = Instant::now();
                let ordered = buyer.messages().request_service("wordbot", order).await;
                let id = ordered.expect("an order is taken").message.message_id;
                (serde_json::Value::from(id.as_str()).to_string(), began)
            });
        }
        let orders = orders.join_all().await;
        let received = receiving.await.expect("it only listens");
        let mut latency = Histogram::<u64>::new(3).expect("three digits are few");
        for (order, began) in orders {
            let micros = received[&order].saturating_duration_since(began).as_micros();
            latency.record(u64::try_from(micros).expect("a run is short")).expect("it resizes");
        }
        let millis = |quantile| {
            Duration::from_micros(latency.value_at_quantile(quantile)).as_secs_f64() * 1000.0
        };
        (millis(0.5), millis(0.99))
    }

    async fn close(self) {
        self.stop.notify_one();
        self.running.await.expect("it does not panic").expect("it ends well");
    }
}

async fn agent(process: &Process, name: &str) -> (Client, ApiKey) {
    let key = process.client().auth().register_agent(name).await.expect("the name is free").api_key;
    (process.builder().api_key(key.clone()).build().expect("the key is one"), key)
}

pub(crate) async fn run(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let process = Process::server(folder.path(), &RICH);
    let bare = Market::new(&process).await.direct();
    let shop = Shop::open(&process, folder.path()).await;
    let (mut rates, mut ratios, mut medians, mut slowest) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut bare_rate = 0.0;
    for _ in 0..pairs() {
        bare_rate = turns(&process, &bare).await / REQUESTS;
        let rate = shop.busy().await;
        rates.push(rate);
        ratios.push(rate / bare_rate);
        let (median, p99) = shop.even().await;
        medians.push(median);
        slowest.push(p99);
    }
    shop.close().await;
    let note = format!("last pair's bare rate {bare_rate:.0}/s");
    table.add("deals of a bot, per second", "≥ 500", rates, note);
    table.add("deals of a bot : bare deals", "≥ 0.25", ratios, "buyers and bot share the machine");
    table.add("order to answer at 100/s, median ms", "", medians, "over MQTT at both ends");
    table.add("order to answer at 100/s, p99 ms", "< 50", slowest, "");
}
