//! Payouts under `kill -9`: each is sent once.

use std::collections::BTreeMap;

use svc_client::types::api::credits::TransferKind;
use svc_client::types::api::payouts::PayoutStatus;
use svc_client::types::{ApiKey, PayoutId, UserId};
use svc_client::{Client, Error};
use svc_core::app::{App, Ctx};
use svc_core::config::Config;
use svc_core::encryption::Encryption;
use svc_core::services::ledger::{self, Cause, Holder};
use svc_core::tasks::node;
use svc_server::app::ServerApp;
use svc_server::server;
use svc_server::testing::{in_time, until};
use svc_store::clock::Clock;
use svc_store::{sql, values};
use tokio::task::yield_now;

use crate::kill::rounds;
use crate::payments::Shop;
use crate::process::{Server, database};

/// Commits of a payout.
const COMMITS: u32 = 20;

/// Credits of each payout.
const CREDITS: u32 = 100;

const PASSWORD: &str = "correct horse";

/// A shop with a seller who can be paid.
struct Seller {
    shop: Shop,
    key: ApiKey,
}

impl Seller {
    async fn open(database: Option<String>, payouts: u32) -> Self {
        let more = ["payouts.enabled=true", "payouts.rate=0.008", "payouts.review=false"];
        let shop = Shop::open(database, &more).await;
        let server = shop.serve("");
        let anonymous = server.client();
        let auth = anonymous.auth();
        let person = auth.register_person("owner", "owner@example.org", PASSWORD).await.unwrap();
        let seller = Self { key: person.api_key, shop };
        server.stop().await;
        // It also verifies the e-mail address, without which no account can be connected.
        seller.earn(&person.user.id, payouts * CREDITS).await;
        let server = seller.shop.serve("");
        seller.connect(&server).await;
        server.stop().await;
        seller
    }

    fn client(&self, server: &Server) -> Client {
        server.client_of(&self.key)
    }

    /// Connects an account at Stripe and fills in its form.
    async fn connect(&self, server: &Server) {
        let client = self.client(server);
        client.payouts().connect("DE").await.unwrap();
        let account = self.shop.stripe.objects("account").pop().unwrap();
        self.shop.stripe.enable_account(account["id"].as_str().unwrap());
        until("the account can be paid", async || {
            self.shop.report(server).await.is_ok()
                && client.payouts().account().await.unwrap().account.enabled
        })
        .await;
    }

    /// Verifies the e-mail address, and gives credits that seem to have been earned long ago.
    async fn earn(&self, person: &UserId, credits: u32) {
        let person = person.clone();
        let job = move |ctx: &mut Ctx<'_, '_>| {
            ctx.tx.execute(
                sql!("update account set email_verified_at = 1 where id = $1"),
                values![person],
            )?;
            let reference: PayoutId = ctx.id();
            let (kind, reference) = (TransferKind::Returned, reference.as_str());
            let cause = Cause { kind, reference, reason: None, actor: None };
            let micros = i64::from(credits) * 1_000_000;
            let entries = [(Holder::Sold, -micros), (Holder::Seller(&person), micros)];
            ledger::post(ctx, &cause, &entries).map(|_| ())
        };
        let app = self.shop.app().await;
        node::join_for_command(&app).await.unwrap();
        app.write(job).await.unwrap();
    }

    /// Asks for a payout, and waits until it is sent, if the server lives so long.
    async fn pay_out(&self, server: &Server, name: &str) -> Result<(), Error> {
        let client = self.client(server);
        let payouts = client.payouts();
        let asked = payouts.request(CREDITS).idempotency_key(name.to_owned()).await?;
        let id = asked.payout.payout_id;
        loop {
            let all = payouts.list().await?.payouts;
            let status = all.into_iter().find(|it| it.payout_id == id).map(|it| it.status);
            match status {
                Some(PayoutStatus::Sent) => return Ok(()),
                Some(PayoutStatus::Approved | PayoutStatus::Sending) => yield_now().await,
                other => panic!("a payout is {other:?}"),
            }
        }
    }
}

impl Shop {
    /// The state of a server in this process, on the shop's database.
    async fn app(&self) -> std::sync::Arc<App> {
        let mut settings = BTreeMap::from([(
            "data_dir".to_owned(),
            self.place.path("data").to_str().unwrap().to_owned(),
        )]);
        settings.extend(self.database.clone().map(|url| ("database_url".to_owned(), url)));
        let config = Config::load(None, &settings.into_iter().collect()).unwrap();
        let clock = Clock::system();
        let db = server::open(&config, &clock).await.unwrap();
        ServerApp::new(db, clock, Encryption::none(), config, String::new()).core()
    }
}

/// Lets a server die at a place around a commit, at a later one each time, and continues the payout.
async fn payouts_resume_after_a_crash(database: Option<String>, at: &str, rounds: u32) {
    let seller = Seller::open(database, rounds).await;
    let shop = &seller.shop;
    let what = "the payout is sent, or the server dies";
    let mut finished = 0;
    for round in 0..rounds {
        let name = format!("payout-{round}");
        let commits = COMMITS * round / rounds;
        let server = shop.serve(&format!("{at}={commits}*off->return"));
        finished += u32::from(in_time(what, seller.pay_out(&server, &name)).await.is_ok());
        server.kill();
        shop.end_leases().await;
        let server = shop.serve("");
        in_time(what, seller.pay_out(&server, &name)).await.unwrap();
        shop.agrees().await;
        server.kill();
    }
    assert!(finished < rounds, "some servers die in the middle of it");
    let transfers = shop.stripe.objects("transfer");
    assert_eq!(transfers.len(), usize::try_from(rounds).unwrap());
    assert!(transfers.iter().all(|transfer| transfer["amount"] == 80));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payout_resumes_when_a_server_on_sqlite_crashes_around_a_commit() {
    for at in ["before-commit", "after-commit"] {
        payouts_resume_after_a_crash(None, at, rounds()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payout_resumes_when_a_server_on_postgres_crashes_around_a_commit() {
    for at in ["before-commit", "after-commit"] {
        let Some(url) = database().await else { return };
        payouts_resume_after_a_crash(Some(url), at, rounds().div_ceil(2)).await;
    }
}
