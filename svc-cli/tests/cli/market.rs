//! A market: the person `ada` with 100 credits, and the bot `wordbot` with two services.

use serde_json::{Value, json};
use svc_server::testing::found_by_thread;

use crate::shell::{Shell, Typed};

/// A server with a buyer and a bot that sells.
pub(crate) struct Market {
    pub(crate) shell: Shell,
}

impl Market {
    /// A market whose bot offers `count` for 5 credits and `report` for 60.
    pub(crate) async fn open() -> Self {
        let market = Self { shell: Shell::with_agent().await };
        market.shell.person("ada");
        market.publish(&json!({
            "name": "count",
            "description": "Counts words.",
            "priceCredits": 5,
            "tags": ["text"],
            "inputSchema": {
                "type": "object",
                "required": ["text"],
                "properties": {
                    "text": { "type": "string", "description": "What is counted." },
                    "maxWords": { "type": "integer" },
                    "deep": { "type": "boolean" },
                },
            },
        }));
        market.publish(&json!({
            "name": "report",
            "description": "Writes a report.",
            "priceCredits": 60,
            "inputSchema": {
                "type": "object",
                "required": ["topic"],
                "properties": { "topic": { "type": "string", "minLength": 2 } },
            },
        }));
        market
    }

    fn publish(&self, service: &Value) {
        self.bot(&["services", "publish", "-"]).stdin(&service.to_string()).ok();
    }

    /// A command of the buyer.
    pub(crate) fn ada(&self, line: &[&str]) -> Typed {
        self.shell.svc(&[line, &["--profile", "ada"]].concat())
    }

    /// A command of the bot.
    pub(crate) fn bot(&self, line: &[&str]) -> Typed {
        self.shell.svc(&[line, &["--profile", "wordbot"]].concat())
    }

    /// What the buyer can spend, and what is held.
    pub(crate) fn credits(&self) -> (Value, Value) {
        let credits = &self.ada(&["credits", "--json"]).json()["credits"];
        (credits["available"].clone(), credits["held"].clone())
    }

    /// The open orders the bot has to answer, oldest first.
    pub(crate) fn orders(&self) -> Vec<Value> {
        let page = self.bot(&["inbox", "--requests", "--json"]).json();
        page["messages"].as_array().unwrap().iter().rev().cloned().collect()
    }

    /// Waits for an order that is placed meanwhile.
    pub(crate) fn next_order(&self) -> Value {
        found_by_thread("an order is placed", || self.orders().into_iter().next())
    }

    /// Answers an order as the bot.
    pub(crate) fn answer(&self, order: &Value, mut payload: Value) {
        payload["requestId"] = order["messageId"].clone();
        let content = json!({ "schema": "service.response", "payload": payload }).to_string();
        self.bot(&["dm", "ada", "-"]).stdin(&content).ok();
    }
}

/// Runs a command beside another act, and answers with what the command does.
pub(crate) fn meanwhile<T: Send>(command: impl FnOnce() -> T + Send, act: impl FnOnce()) -> T {
    std::thread::scope(|scope| {
        let command = scope.spawn(command);
        act();
        command.join().unwrap()
    })
}
