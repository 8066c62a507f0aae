//! Agents buy credits by x402: on a real chain (`chain`), and on one that is played (`fake_chain`) from a server
//! that dies around a commit.

use std::process::Command;
use std::time::Duration;

use http::HeaderMap;
use serde_json::{Value, json};
use svc_client::types::ApiKey;
use svc_server::testing::in_time;
use svc_store::clock::Clock;
use tokio::task::{spawn_blocking, yield_now};

use crate::chain::{Behaviour, Chain, Payer};
use crate::fake_chain::{FakeChain, decode, encode, signed};
use crate::kill::rounds;
use crate::process::{Place, Server, database, http_client};

/// Five dollars, at a cent for a credit.
const CREDITS: i64 = 500;
const PRICE: u64 = 5_000_000;

/// A server that sells credits for tokens of this chain.
fn serve(place: &Place, chain: &Chain) -> Server {
    let facts = &chain.facts;
    let settings = [
        ("facilitator", &chain.facilitator),
        ("network", &facts.network),
        ("asset", &facts.asset),
        ("asset_name", &facts.name),
        ("asset_version", &facts.version),
        ("pay_to", &facts.pay_to),
        ("rpc_url", &facts.rpc),
        ("confirmations", &"1".to_owned()),
    ];
    let mut program = place.program();
    for (name, value) in settings {
        program.args(["--set", &format!("x402.{name}={value}")]);
    }
    program.args(["--set", "billing.allow_test=true", "--set", "exchange.signup_grant=0"]);
    program.args(["--set", "credits.buy_per_day=100000,100000,100000"]);
    place.serve_by(&mut program)
}

fn url(server: &Server) -> String {
    format!("http://{}/api/v1/credits/x402?credits={CREDITS}", server.address())
}

async fn register(server: &Server, name: &str) -> ApiKey {
    server.client().auth().register_agent(name).await.unwrap().api_key
}

async fn balance(server: &Server, key: &ApiKey) -> i64 {
    let credits = server.client_of(key).credits().balance().await.unwrap().credits;
    serde_json::to_value(credits.available).unwrap().as_i64().unwrap()
}

/// Sends a payment again, as a client does that lost the answer.
async fn again(server: &Server, key: &ApiKey, payment: &str) -> (u16, Value) {
    let http = http_client();
    let request = http.post(url(server)).bearer_auth(key.expose());
    let answer = request.header("PAYMENT-SIGNATURE", payment).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// Sends a payment again until the server has seen it on the chain.
async fn until_paid(server: &Server, key: &ApiKey, payment: &str) -> Value {
    let paid = async {
        loop {
            match again(server, key, payment).await {
                (200, body) => return body,
                (status, body) => assert_eq!(status, 202, "{body}"),
            }
            yield_now().await;
        }
    };
    in_time("the payment is seen on the chain", paid).await
}

#[tokio::test]
async fn clients_of_two_languages_top_up_and_a_payment_buys_once_for_one_account() {
    let Some(chain) = Chain::start().await else { return };
    let place = Place::new();
    let server = serve(&place, &chain);
    let [ada, bob] = [register(&server, "ada").await, register(&server, "bob").await];
    for (payer, purchases) in [(Payer::Python, 1_u32), (Payer::JavaScript, 2)] {
        let paid = chain.pay(payer, &url(&server), ada.expose()).await;
        assert!([200, 202].contains(&paid.status), "{payer:?}: {paid:?}");
        let payment = paid.payment.unwrap();
        let first = until_paid(&server, &ada, &payment).await;
        if paid.status == 200 {
            assert_eq!(paid.settled.unwrap()["success"], json!(true));
            assert_eq!(paid.body, first);
        }
        assert_eq!(again(&server, &ada, &payment).await, (200, first));
        let (status, refused) = again(&server, &bob, &payment).await;
        assert_eq!((status, &refused["code"]), (409, &json!("payment_used")), "{refused}");
        assert_eq!(balance(&server, &ada).await, i64::from(purchases) * CREDITS);
        assert_eq!(chain.received().await, u64::from(purchases) * PRICE);
    }
    assert_eq!(balance(&server, &bob).await, 0);
}

#[tokio::test]
async fn the_chain_is_believed_and_not_the_facilitator() {
    let Some(chain) = Chain::start().await else { return };
    let place = Place::new();
    let server = serve(&place, &chain);
    let ada = register(&server, "ada").await;
    chain.set_facilitator(Behaviour::Lies).await;
    let lied = chain.pay(Payer::JavaScript, &url(&server), ada.expose()).await;
    assert_eq!(lied.status, 202, "{lied:?}");
    assert_eq!((balance(&server, &ada).await, chain.received().await), (0, 0));
    chain.set_facilitator(Behaviour::Denies).await;
    let denied = chain.pay(Payer::JavaScript, &url(&server), ada.expose()).await;
    assert!([200, 202].contains(&denied.status), "{denied:?}");
    until_paid(&server, &ada, &denied.payment.unwrap()).await;
    assert_eq!((balance(&server, &ada).await, chain.received().await), (CREDITS, PRICE));
}

#[tokio::test]
async fn what_the_payer_takes_back_on_the_chain_ends_unpaid() {
    let Some(chain) = Chain::start().await else { return };
    let place = Place::new();
    let server = serve(&place, &chain);
    let ada = register(&server, "ada").await;
    chain.set_facilitator(Behaviour::Lies).await;
    let payment = chain.pay(Payer::JavaScript, &url(&server), ada.expose()).await.payment.unwrap();
    chain.cancel(&payment).await;
    chain.set_facilitator(Behaviour::Honest).await;
    let (status, open) = again(&server, &ada, &payment).await;
    assert_eq!((status, &open["payment"]["status"]), (202, &json!("open")), "{open}");
    assert_eq!(place.run(&["admin", "billing", "mode"]), "test\n");
    // A payment is valid for five minutes, and looked for during ten more.
    chain.advance(Duration::from_mins(16)).await;
    let (status, refused) = again(&server, &ada, &payment).await;
    assert_eq!((status, &refused["code"]), (402, &json!("payment_required")), "{refused}");
    assert_eq!((balance(&server, &ada).await, chain.received().await), (0, 0));
}

/// Commits of a purchase.
const COMMITS: u32 = 5;

/// What a server does a minute after the one that began a payment has died.
const MINUTE: &str = "update payment set look_at = 0 where look_at is not null";

/// A server on a chain that is played, and a buyer.
struct Shop {
    place: Place,
    database: Option<String>,
    chain: FakeChain,
    buyer: ApiKey,
}

impl Shop {
    /// On SQLite, or on this database of PostgreSQL.
    async fn open(database: Option<String>) -> Self {
        let (place, chain) = (Place::new(), FakeChain::start().await);
        let buyer = ApiKey::from("none".to_owned());
        let mut shop = Self { place, database, chain, buyer };
        let server = shop.serve("");
        shop.buyer = register(&server, "ada").await;
        server.stop().await;
        shop
    }

    fn program(&self) -> Command {
        let mut program = self.place.program();
        program.args(self.database.iter().flat_map(|url| ["--database-url", url]));
        for (name, value) in self.chain.settings() {
            program.args(["--set", &format!("{name}={value}")]);
        }
        program.args(["--set", "x402.confirmations=1", "--set", "exchange.signup_grant=0"]);
        program.args(["--set", "credits.buy_per_day=100000,100000,100000"]);
        program
    }

    fn serve(&self, faults: &str) -> Server {
        self.place.serve_by(self.program().env("FAILPOINTS", faults))
    }

    /// Asks for credits, with a payment or without.
    async fn ask(
        &self,
        server: &Server,
        payment: Option<&str>,
    ) -> Result<(u16, HeaderMap, Value), reqwest::Error> {
        let http = http_client();
        let request = http.post(url(server)).bearer_auth(self.buyer.expose());
        let request = payment
            .into_iter()
            .fold(request, |request, payment| request.header("PAYMENT-SIGNATURE", payment));
        let answer = request.send().await?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        Ok((status, headers, answer.json().await?))
    }

    /// Signs a payment of this number and sends it until it is paid, if the server lives so long. One that
    /// was signed before is only sent again.
    async fn buy(
        &self,
        server: &Server,
        nonce: u64,
        payment: &mut Option<String>,
    ) -> Result<(), reqwest::Error> {
        loop {
            let (status, headers, body) = self.ask(server, payment.as_deref()).await?;
            match status {
                200 => return Ok(()),
                202 => yield_now().await,
                402 if payment.is_none() => {
                    let offer = decode(headers["payment-required"].to_str().unwrap());
                    let ends = Clock::system().now().as_millis() / 1_000 + 300;
                    *payment = Some(encode(&signed(&offer, nonce, ends)));
                }
                _ => panic!("{status}: {body}"),
            }
        }
    }

    /// Lets a minute pass, in which the payments of a server that died are its own.
    async fn a_minute_passes(&self) {
        let Some(url) = self.database.clone() else {
            let database = rusqlite::Connection::open(self.place.path("data/svc.db")).unwrap();
            database.execute(MINUTE, []).unwrap();
            return;
        };
        let update = move || {
            let mut client = ::postgres::Client::connect(&url, ::postgres::NoTls).unwrap();
            client.batch_execute("set default_transaction_read_only = off").unwrap();
            client.batch_execute(MINUTE).unwrap();
        };
        spawn_blocking(update).await.unwrap();
    }

    /// The chain agrees with the books, and so does the audit.
    fn agrees(&self) {
        for command in ["reconcile", "audit"] {
            let output = self.program().arg(command).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{command}: {output:?}");
        }
    }
}

/// Lets a server die at a place around a commit, at a later one each time, and continues the purchase.
async fn topups_resume_after_a_crash(database: Option<String>, at: &str, rounds: u32) {
    let shop = Shop::open(database).await;
    let what = "the payment is found on the chain, or the server dies";
    let mut finished = 0;
    for round in 0..rounds {
        let (commits, mut payment) = (COMMITS * round / rounds, None);
        let server = shop.serve(&format!("{at}={commits}*off->return"));
        let bought = in_time(what, shop.buy(&server, round.into(), &mut payment)).await;
        finished += u32::from(bought.is_ok());
        server.kill();
        shop.a_minute_passes().await;
        let server = shop.serve("");
        in_time(what, shop.buy(&server, round.into(), &mut payment)).await.unwrap();
        shop.agrees();
        server.kill();
    }
    assert!(finished < rounds, "some servers die in the middle of it");
    assert_eq!(shop.chain.books().block, 100 + u64::from(rounds), "each was paid once");
    let server = shop.serve("");
    assert_eq!(balance(&server, &shop.buyer).await, CREDITS * i64::from(rounds));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_topup_resumes_when_a_server_on_sqlite_crashes_around_a_commit() {
    for at in ["before-commit", "after-commit"] {
        topups_resume_after_a_crash(None, at, rounds()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_topup_resumes_when_a_server_on_postgres_crashes_around_a_commit() {
    for at in ["before-commit", "after-commit"] {
        let Some(url) = database().await else { return };
        topups_resume_after_a_crash(Some(url), at, rounds().div_ceil(2)).await;
    }
}
