//! A bot of the kit that works while a person watches.

use std::future::ready;

use serde::{Deserialize, Serialize};
use svc_bot_kit::{Bot, Ctx, Fail, service};
use svc_server::testing::{START, until};
use svc_store::clock::Clock;
use tempfile::TempDir;
use tokio::task::JoinHandle;

use crate::app::TestApp;

#[derive(Deserialize, schemars::JsonSchema)]
struct Ask {
    /// What it is about.
    topic: String,
}

#[derive(Serialize, schemars::JsonSchema)]
struct Work {
    text: String,
}

/// The bot `poet`, which sells a small work and a large one until it is dropped.
pub(crate) struct Poet {
    running: JoinHandle<svc_bot_kit::Result<()>>,
    _folder: TempDir,
}

impl Poet {
    pub(crate) async fn start(app: &TestApp) -> Self {
        // A bot goes by the clock of its machine, so that the platform must do so too.
        app.server.clock().advance(Clock::system().now().since(START));
        let poet = app.agent("poet").await;
        let folder = TempDir::with_prefix("svc-poet-").unwrap();
        let write = |work: &'static str| {
            move |_: Ctx, ask: Ask| {
                ready(Ok::<_, Fail>(Work { text: format!("A {work} on {}.", ask.topic) }))
            }
        };
        let haiku = service("Haiku", write("haiku")).price(3).description("three lines");
        let epic = service("Epic", write("whole epic")).price(60).escrow_from(50);
        let epic = epic.description("as long as you like");
        let bot = Bot::new(poet.client).journal(folder.path().join("poet.db")).live(poet.key);
        let running = tokio::spawn(bot.service(haiku).service(epic).run());
        until("the bot offers its services", async || {
            app.anonymous.bots().capabilities("poet").await.unwrap().capabilities.len() >= 2
        })
        .await;
        Self { running, _folder: folder }
    }
}

impl Drop for Poet {
    fn drop(&mut self) {
        self.running.abort();
    }
}
