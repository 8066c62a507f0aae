//! Payments under `kill -9`, and the command `reconcile`.

use std::collections::VecDeque;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use svc_client::types::api::billing::Checkout;
use svc_client::types::{ApiKey, Code, PaymentId};
use svc_client::{Client, Error};
use svc_fake_stripe::{API_KEY, FakeStripe, WEBHOOK_SECRET, sign};
use svc_server::testing::{PATIENCE, in_time, until};
use svc_store::clock::Clock;
use tokio::sync::Mutex;
use tokio::task::{spawn_blocking, yield_now};
use tokio::time::timeout;

use crate::kill::rounds;
use crate::process::{Place, Server, database, http_client};

/// Commits of a purchase and its refund.
const COMMITS: u32 = 20;

/// A server that sells credits, and a buyer.
pub(crate) struct Shop {
    pub(crate) place: Place,
    pub(crate) database: Option<String>,
    settings: Vec<String>,
    pub(crate) stripe: FakeStripe,
    /// Bodies of webhooks that no server has acknowledged.
    reports: Mutex<VecDeque<String>>,
    buyer: ApiKey,
}

/// What a buyer knows of a purchase.
#[derive(Default)]
struct Purchase {
    name: String,
    begun: Option<(PaymentId, String)>,
}

impl Shop {
    /// On SQLite, or on this database of PostgreSQL, with more settings.
    pub(crate) async fn open(database: Option<String>, more: &[&str]) -> Self {
        let (place, stripe) = (Place::new(), FakeStripe::start().await);
        set_clock(&stripe);
        for (name, text) in [("key", API_KEY), ("secret", WEBHOOK_SECRET)] {
            fs::write(place.path(name), text).unwrap();
            fs::set_permissions(place.path(name), fs::Permissions::from_mode(0o600)).unwrap();
        }
        let mut settings = vec![
            format!("billing.stripe.key_file={}", place.path("key").display()),
            format!("billing.stripe.webhook_secret_files={}", place.path("secret").display()),
            format!("billing.stripe.api_url={}", stripe.url()),
            "billing.allow_test=true".to_owned(),
            "credits.buy_per_day=100000,100000,100000".to_owned(),
        ];
        settings.extend(more.iter().map(ToString::to_string));
        let buyer = ApiKey::from("none".to_owned());
        let reports = Mutex::default();
        let mut shop = Self { place, database, settings, stripe, reports, buyer };
        let server = shop.serve("");
        shop.buyer = server.client().auth().register_agent("ada").await.unwrap().api_key;
        server.stop().await;
        shop
    }

    fn program(&self) -> Command {
        let mut program = self.place.program();
        let database = self.database.iter().flat_map(|url| ["--database-url", url]);
        program.args(database);
        program.args(self.settings.iter().flat_map(|setting| ["--set", setting]));
        program
    }

    pub(crate) fn serve(&self, faults: &str) -> Server {
        self.place.serve_by(self.program().env("FAILPOINTS", faults))
    }

    fn client(&self, server: &Server) -> Client {
        server.client_of(&self.buyer)
    }

    /// Reports to the server what happened at Stripe, until it has acknowledged everything.
    pub(crate) async fn report(&self, server: &Server) -> Result<(), reqwest::Error> {
        set_clock(&self.stripe);
        let mut reports = self.reports.lock().await;
        reports.extend(self.stripe.deliveries().into_iter().map(|delivery| delivery.body));
        let http = http_client();
        while let Some(body) = reports.front() {
            let url = format!("http://{}/webhooks/stripe", server.address());
            let signature = sign(body, WEBHOOK_SECRET, self.stripe.now());
            let request = http.post(url).header("stripe-signature", signature);
            let request = request.header("content-type", "application/json");
            request.body(body.clone()).send().await?.error_for_status()?;
            reports.pop_front();
        }
        Ok(())
    }

    /// Buys 500 credits and gives 200 back, if the server lives so long. Steps that were done are only
    /// repeated.
    async fn buy(&self, server: &Server, purchase: &mut Purchase) -> Result<(), Error> {
        self.pay(server, purchase).await?;
        self.give_back(server, purchase).await
    }

    /// Asks for a page until there is one: after a crash it is made in the background.
    async fn checkout(&self, client: &Client, name: &str) -> Result<Checkout, Error> {
        loop {
            let key = format!("{name}-buy");
            match client.billing().checkout(500).idempotency_key(key).await {
                Err(error) if error.code() == Some(&Code::ProviderUnavailable) => yield_now().await,
                answered => return answered,
            }
        }
    }

    async fn pay(&self, server: &Server, purchase: &mut Purchase) -> Result<(), Error> {
        let client = self.client(server);
        if purchase.begun.is_none() {
            let begun = self.checkout(&client, &purchase.name).await?;
            let session = begun.url.rsplit('/').next().unwrap().to_owned();
            self.stripe.pay(&session);
            purchase.begun = Some((begun.payment.payment_id, session));
        }
        // One that died is sent the rest when it is back.
        let _ = self.report(server).await;
        let (id, _) = purchase.begun.as_ref().unwrap();
        while client.billing().payment(id).await?.payment.status.as_str() != "paid" {
            yield_now().await;
        }
        Ok(())
    }

    async fn give_back(&self, server: &Server, purchase: &Purchase) -> Result<(), Error> {
        let (id, session) = purchase.begun.as_ref().unwrap();
        let client = self.client(server);
        let key = format!("{}-refund", purchase.name);
        client.billing().refund(id).credits(200).idempotency_key(key).await?;
        let intent = self.stripe.object(session)["payment_intent"].clone();
        let is_made =
            || self.stripe.objects("refund").iter().any(|it| it["payment_intent"] == intent);
        while !is_made() {
            client.billing().payment(id).await?;
        }
        let _ = self.report(server).await;
        client.billing().payment(id).await.map(drop)
    }

    /// Lets the leases of a server end that died, as two minutes do.
    pub(crate) async fn end_leases(&self) {
        let sql = "update provider_object set due_at = 0 where due_at is not null";
        let Some(url) = self.database.clone() else {
            let database = rusqlite::Connection::open(self.place.path("data/svc.db")).unwrap();
            database.execute(sql, []).unwrap();
            return;
        };
        let update = move || {
            let mut client = ::postgres::Client::connect(&url, ::postgres::NoTls).unwrap();
            client.batch_execute("set default_transaction_read_only = off").unwrap();
            // A running server locks the same rows in another order.
            let lock = "lock table provider_object in exclusive mode";
            client.batch_execute(&format!("begin; {lock}; {sql}; commit")).unwrap();
        };
        spawn_blocking(update).await.unwrap();
    }

    /// Waits until a server has asked Stripe for events, which none does again for some minutes.
    async fn was_polled(&self) {
        until("a server asks Stripe for events", async || {
            self.stripe.calls().iter().any(|call| call.endpoint == "GET /v1/events")
        })
        .await;
    }

    /// Runs a command of the program; its exit code and what it printed.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let Output { status, stdout, stderr } = self.program().args(arguments).output().unwrap();
        let printed = [stdout, stderr].concat();
        (status.code(), String::from_utf8(printed).unwrap())
    }

    /// Waits until both books agree, and so does the audit.
    pub(crate) async fn agrees(&self) {
        let agree = async {
            while self.run(&["reconcile"]).0 != Some(0) {
                yield_now().await;
            }
        };
        let agreed = timeout(PATIENCE, agree).await;
        assert!(agreed.is_ok(), "{:?}", self.run(&["reconcile"]));
        let (code, printed) = self.run(&["audit"]);
        assert_eq!(code, Some(0), "{printed}");
    }
}

/// Sets the clock of Stripe, which programs compare with that of the machine.
fn set_clock(stripe: &FakeStripe) {
    stripe.set_now(Clock::system().now().as_millis() / 1_000);
}

/// Lets a server die at a place around a commit, at a later one each time, and continues the purchase.
async fn payments_resume_after_a_crash(database: Option<String>, at: &str, rounds: u32) {
    let shop = Shop::open(database, &[]).await;
    let what = "the credits are bought and given back, or the server dies";
    let mut finished = 0;
    for round in 0..rounds {
        let mut purchase = Purchase { name: format!("purchase-{round}"), ..Purchase::default() };
        let commits = COMMITS * round / rounds;
        let server = shop.serve(&format!("{at}={commits}*off->return"));
        finished += u32::from(in_time(what, shop.buy(&server, &mut purchase)).await.is_ok());
        server.kill();
        shop.end_leases().await;
        let server = shop.serve("");
        in_time(what, shop.buy(&server, &mut purchase)).await.unwrap();
        shop.agrees().await;
        server.kill();
    }
    assert!(finished < rounds, "some servers die in the middle of it");
    let count = usize::try_from(rounds).unwrap();
    assert_eq!(shop.stripe.objects("checkout.session").len(), count);
    assert_eq!(shop.stripe.objects("refund").len(), count);
    let server = shop.serve("");
    let credits = shop.client(&server).credits().balance().await.unwrap().credits;
    assert_eq!(credits.available.to_string(), (100 + 300 * count).to_string());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_resumes_when_a_server_on_sqlite_crashes_around_a_commit() {
    for at in ["before-commit", "after-commit"] {
        payments_resume_after_a_crash(None, at, rounds()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_resumes_when_a_server_on_postgres_crashes_around_a_commit() {
    for at in ["before-commit", "after-commit"] {
        let Some(url) = database().await else { return };
        payments_resume_after_a_crash(Some(url), at, rounds().div_ceil(2)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn reconcile_exits_with_1_until_both_books_agree() {
    let shop = Shop::open(None, &[]).await;
    let server = shop.serve("");
    let begun = shop.client(&server).billing().checkout(500).await.unwrap();
    shop.was_polled().await;
    let (code, printed) = shop.run(&["reconcile"]);
    assert_eq!(code, Some(0), "{printed}");
    // Nobody reports this.
    shop.stripe.pay(begun.url.rsplit('/').next().unwrap());
    let (code, printed) = shop.run(&["reconcile"]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains(": paid at Stripe, and open here\n"), "{printed}");
    assert!(printed.ends_with("2 objects compared, 2 differences, 0 queued\n"), "{printed}");
    let (code, printed) = shop.run(&["reconcile", "--fix", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((code, &report["queued"]), (Some(1), &2.into()));
    assert_eq!(report["differences"][0]["fixable"], true);
    shop.agrees().await;
    let credits = shop.client(&server).credits().balance().await.unwrap().credits;
    assert_eq!(credits.available.to_string(), "600");
    shop.stripe.set_down(true);
    let (code, printed) = shop.run(&["reconcile"]);
    assert_eq!(code, Some(2), "{printed}");
    server.stop().await;
}
