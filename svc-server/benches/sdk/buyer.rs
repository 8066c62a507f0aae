//! A buyer by the SDK, or by reqwest alone; `bench.py` beside this file runs it as `sdk` and as `bare`.
#![expect(clippy::print_stdout, reason = "the program that runs it reads what it prints")]
#![expect(clippy::disallowed_methods, reason = "a bench reads clocks and its environment")]

use std::env;
use std::error::Error;
use std::io::Read;
use std::time::Instant;

use serde_json::{Map, Value, json};
use svc_client::Client;

type Done<T = ()> = Result<T, Box<dyn Error>>;

enum Buyer {
    Sdk(Client),
    Bare(Bare),
}

struct Bare {
    http: reqwest::Client,
    api: String,
    key: String,
}

impl Bare {
    async fn ask(&self, request: reqwest::RequestBuilder) -> Done<Value> {
        Ok(request.bearer_auth(&self.key).send().await?.error_for_status()?.json().await?)
    }

    async fn get(&self, path: &str) -> Done<Value> {
        self.ask(self.http.get(format!("{}{path}", self.api))).await
    }

    async fn purchase(&self, loop_number: u32) -> Done {
        let found = self.get("/v1/bots/wordbot/capabilities").await?;
        let order = json!({
            "providerUsername": "wordbot", "serviceId": found["capabilities"][0]["id"],
            "input": { "text": "to be" }, "maxCredits": 0,
        });
        let post = self.http.post(format!("{}/orders", self.api)).json(&order);
        // The keys of a process are its own.
        let key = format!("{}-{loop_number}", std::process::id());
        let placed = self.ask(post.header("idempotency-key", key)).await?;
        let id = placed["order"]["id"].as_str().ok_or("an order has an id")?;
        self.get(&format!("/orders/{id}")).await.map(drop)
    }
}

impl Buyer {
    fn by(name: &str) -> Done<Self> {
        if name == "sdk" {
            return Ok(Self::Sdk(Client::from_env()?));
        }
        let (url, key) = (env::var("SVC_URL")?, env::var("SVC_API_KEY")?);
        Ok(Self::Bare(Bare { http: reqwest::Client::new(), api: format!("{url}/api"), key }))
    }

    async fn first(&self) -> Done {
        match self {
            Self::Sdk(client) => client.credits().balance().await.map(drop)?,
            Self::Bare(bare) => bare.get("/v1/credits").await.map(drop)?,
        }
        Ok(())
    }

    async fn purchase(&self, loop_number: u32) -> Done {
        let client = match self {
            Self::Sdk(client) => client,
            Self::Bare(bare) => return bare.purchase(loop_number).await,
        };
        let found = client.bots().capabilities("wordbot").await?.capabilities;
        let text = Map::from_iter([("text".to_owned(), "to be".into())]);
        let order = client.orders().create("wordbot", &found[0].id, text).max_credits(0);
        client.orders().get(&order.await?.order.id).await?;
        Ok(())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Done {
    let name = env::args().nth(1).filter(|name| name == "sdk" || name == "bare");
    // `cargo bench` runs every bench; this one needs the script beside it.
    let Some(name) = name else { return Ok(()) };
    let loops: u32 = env::var("LOOPS")?.parse()?;
    let buyer = Buyer::by(&name)?;
    buyer.first().await?;
    println!("first");
    let began = Instant::now();
    for loop_number in 0..loops {
        buyer.purchase(loop_number).await?;
    }
    let seconds = began.elapsed().as_secs_f64();
    println!("{}", json!({ "requests": 3 * loops, "seconds": seconds }));
    std::io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
