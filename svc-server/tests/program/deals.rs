//! Deals under `kill -9`: no credit is lost or doubled, and a deal continues where it was.

use serde_json::Map;
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::service_message::{ResponseStatus, ServiceRequest, ServiceResponse};
use svc_client::types::{ApiKey, ServiceId};
use svc_client::{Client, Error};
use svc_server::testing::until;

use crate::kill::rounds;
use crate::load::{Ledger, Load, WRITERS};
use crate::process::{Place, Server, database};

/// Deals that are over before the next kill.
const DEALS: usize = 25;

/// Credits that each account starts with.
const GRANT: &str = "1000000";

/// A bot that sells, and buyers, one for each writer.
#[derive(Clone)]
struct Market {
    bot: ApiKey,
    service: ServiceId,
    buyers: Vec<ApiKey>,
}

/// Two clients in the middle of a deal.
struct Deal<'a> {
    service: &'a ServiceId,
    bot: Client,
    buyer: Client,
    buyer_name: String,
    /// What the Idempotency-Keys of its steps begin with.
    name: String,
}

impl Market {
    async fn new(server: &Server) -> Self {
        let bot = server.client().auth().register_agent("wordbot").await.unwrap().api_key;
        let offer = server.client_of(&bot);
        let service = offer.services().create("count", "counts words", 1).await.unwrap().service.id;
        let mut buyers = Vec::new();
        for number in 0..WRITERS {
            let buyer = server.client().auth().register_agent(format!("buyer_{number}")).await;
            buyers.push(buyer.unwrap().api_key);
        }
        Self { bot, service, buyers }
    }

    fn load(&self, server: &Server, name: &str) -> Load {
        let (market, bot) = (self.clone(), server.client_of(&self.bot));
        let buyers: Vec<Client> = self.buyers.iter().map(|key| server.client_of(key)).collect();
        Load::start(name, move |writer, name| {
            let (market, bot, buyer) = (market.clone(), bot.clone(), buyers[writer].clone());
            async move { market.deal(bot, buyer, writer, name).await }
        })
    }

    /// Makes a deal over one credit from its beginning; steps that were done are only replayed.
    async fn deal(
        &self,
        bot: Client,
        buyer: Client,
        writer: usize,
        name: String,
    ) -> Result<(), Error> {
        let direct = name.ends_with(['0', '2', '4', '6', '8']);
        let buyer_name = format!("buyer_{writer}");
        let deal = Deal { service: &self.service, bot, buyer, buyer_name, name };
        if direct { deal.by_message().await } else { deal.by_escrow().await }
    }

    /// Repeats what has no known outcome; from now on it is over.
    async fn settle(&self, server: &Server, ledger: &mut Ledger) {
        for name in ledger.unknown.drain(..) {
            let writer = name.split('-').nth(2).and_then(|text| text.parse().ok()).unwrap();
            let buyer: &ApiKey = &self.buyers[writer];
            let (bot, buyer) = (server.client_of(&self.bot), server.client_of(buyer));
            self.deal(bot, buyer, writer, name.clone()).await.unwrap();
            ledger.acknowledged.push(name);
        }
    }

    /// Each deal moved its credit once, nothing is held any more, and the audit is content.
    async fn check(&self, server: &Server, place: &Place, database: &[&str], ledger: &Ledger) {
        let deals = i64::try_from(ledger.acknowledged.len()).unwrap() * 1_000_000;
        let start: i64 = GRANT.parse::<i64>().unwrap() * 1_000_000;
        let credits = server.client_of(&self.bot).credits().balance().await.unwrap().credits;
        assert_eq!(credits.available.micros(), start + deals);
        let mut left = 0;
        for buyer in &self.buyers {
            let credits = server.client_of(buyer).credits().balance().await.unwrap().credits;
            assert!(credits.held.is_zero());
            left += start - credits.available.micros();
        }
        assert_eq!(left, deals);
        let printed = place.run(&[database, &["audit"]].concat());
        assert!(!printed.contains("BROKEN"), "{printed}");
    }
}

impl Deal<'_> {
    fn key(&self, step: &str) -> String {
        format!("{}-{step}", self.name)
    }

    async fn by_message(&self) -> Result<(), Error> {
        let order = ServiceRequest {
            service_id: self.service.clone(),
            service_name: "count".into(),
            input: Map::new(),
            offered_credits: 1.into(),
            escrow_id: None,
        };
        let call = self.buyer.messages().request_service("wordbot", order);
        let sent = call.idempotency_key(self.key("request")).await?.message;
        let answer = ServiceResponse {
            request_id: sent.message_id,
            status: ResponseStatus::Completed,
            output: None,
            charged_credits: None,
        };
        let call = self.bot.messages().respond_to(&*self.buyer_name, answer);
        call.idempotency_key(self.key("response")).await.map(drop)
    }

    async fn by_escrow(&self) -> Result<(), Error> {
        let call = self.buyer.escrow().create("wordbot", self.service, 1, "a word");
        let escrow = call.idempotency_key(self.key("create")).await?.escrow;
        let call = self.bot.escrow().deliver(&escrow.id, Deliverable::new("text"));
        call.idempotency_key(self.key("deliver")).await?;
        let call = self.buyer.escrow().release(&escrow.id);
        call.idempotency_key(self.key("release")).await.map(drop)
    }
}

/// Kills the server again and again in the middle of deals.
async fn no_credit_is_lost_or_doubled(place: &Place, database: &[&str]) {
    let grant = format!("exchange.signup_grant={GRANT}");
    let serve = || place.serve_by(place.program().args(database).args(["--set", &grant]));
    let mut server = serve();
    let market = Market::new(&server).await;
    let mut ledger = Ledger::default();
    for round in 0..rounds() {
        let mut load = market.load(&server, &format!("round-{round}"));
        load.reaches(DEALS + usize::try_from(round).unwrap() % 7).await;
        server.kill();
        ledger.add(load.end().await);
        server = serve();
        market.settle(&server, &mut ledger).await;
        market.check(&server, place, database, &ledger).await;
    }
    assert_eq!(ledger.refused.len(), 0, "{:?}", ledger.refused);
    server.stop().await;
}

#[tokio::test]
async fn no_credit_is_lost_or_doubled_when_a_server_on_sqlite_is_killed() {
    no_credit_is_lost_or_doubled(&Place::new(), &[]).await;
}

#[tokio::test]
async fn no_credit_is_lost_or_doubled_when_a_server_on_postgres_is_killed() {
    if let Some(url) = database().await {
        no_credit_is_lost_or_doubled(&Place::new(), &["--database-url", &url]).await;
    }
}

/// Lets a server end at a place around a commit, and continues its deals.
async fn deals_resume_after_a_crash(place: &Place, database: &[&str], at: &str) {
    let grant = format!("exchange.signup_grant={GRANT}");
    let serve = |faults: &str| {
        let mut program = place.program();
        program.args(database).args(["--set", &grant]).env("FAILPOINTS", faults);
        place.serve_by(&mut program)
    };
    let server = serve("");
    let market = Market::new(&server).await;
    server.stop().await;
    let mut ledger = Ledger::default();
    for commits in [30, 50, 90] {
        let server = serve(&format!("{at}={commits}*off->return"));
        ledger.add(market.load(&server, &format!("after-{commits}")).end_by_itself().await);
        assert!(!ledger.unknown.is_empty(), "no request is answered any more");
        server.kill();
        let server = serve("");
        market.settle(&server, &mut ledger).await;
        market.check(&server, place, database, &ledger).await;
        server.stop().await;
    }
    assert_eq!(ledger.refused.len(), 0, "{:?}", ledger.refused);
}

#[tokio::test]
async fn deals_resume_when_a_server_on_sqlite_crashes_around_a_commit() {
    for at in ["before-commit", "after-commit"] {
        deals_resume_after_a_crash(&Place::new(), &[], at).await;
    }
}

#[tokio::test]
async fn deals_resume_when_a_server_on_postgres_crashes_around_a_commit() {
    for at in ["before-commit", "after-commit"] {
        if let Some(url) = database().await {
            deals_resume_after_a_crash(&Place::new(), &["--database-url", &url], at).await;
        }
    }
}

#[tokio::test]
async fn a_failed_audit_names_the_fault_and_exits_with_1() {
    let place = Place::new();
    let server = place.serve();
    Market::new(&server).await;
    let printed = place.run(&["audit"]);
    assert!(printed.lines().all(|line| line.starts_with("ok  ")), "{printed}");

    let database = rusqlite::Connection::open(place.path("data/svc.db")).unwrap();
    database.execute("update ledger_account set balance = 7 where kind = 'user'", []).unwrap();
    let output = place.program().arg("audit").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("BROKEN  I1  what was issued is what accounts have"), "{printed}");
    assert!(printed.contains("BROKEN  I2"), "{printed}");
    assert!(printed.contains("user:usr_"), "it names the rows: {printed}");
    let json = place.program().args(["audit", "--json"]).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["checks"][0]["id"], "I1");
    assert!(!report["checks"][0]["broken"].as_array().unwrap().is_empty());
    server.stop().await;
}

#[tokio::test]
async fn a_wrong_count_is_mended_beside_a_running_server() {
    let place = Place::new();
    let server = place.serve();
    let bot = server.client().auth().register_agent("wordbot").await.unwrap().user.id;
    let database = rusqlite::Connection::open(place.path("data/svc.db")).unwrap();
    database.execute("update account set followers_count = 7, posts_count = 3", []).unwrap();
    let output = place.program().arg("audit").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{printed}");
    let named = format!("BROKEN  C1  followersCount is how many follow: {bot} (7 instead of 0)\n");
    assert!(printed.contains(&named), "{printed}");

    let printed = place.run(&["audit", "--repair-counts"]);
    let begin = format!("mended  C1  {bot}: from 7 to 0\nmended  C3  {bot}: from 3 to 0\nok  ");
    assert!(printed.starts_with(&begin), "{printed}");
    let user = server.client().users().get("wordbot").await.unwrap().user;
    assert_eq!((user.followers_count, user.posts_count), (0, 0));
    let printed = place.run(&["audit", "--repair-counts"]);
    assert!(printed.lines().all(|line| line.starts_with("ok  ")), "{printed}");

    database.execute("update account set following_count = 2", []).unwrap();
    let printed = place.run(&["audit", "--repair-counts", "--json"]);
    let (mended, report) = printed.trim_end().split_once('\n').unwrap();
    let mended: serde_json::Value = serde_json::from_str(mended).unwrap();
    let expected = serde_json::json!({ "id": "C2", "row": bot, "from": 2, "to": 0 });
    assert_eq!(mended, expected);
    let report: serde_json::Value = serde_json::from_str(report).unwrap();
    assert!(report["checks"].as_array().unwrap().len() > 13, "{report}");
    server.stop().await;
}

#[test]
fn an_audit_that_cannot_run_exits_with_2() {
    let place = Place::new();
    let unreachable = "postgres://nobody@127.0.0.1:1/none";
    let output = place.program().args(["--database-url", unreachable, "audit"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let without_database = place.program().arg("audit").output().unwrap();
    assert_eq!(without_database.status.code(), Some(78), "{without_database:?}");
}

#[tokio::test]
async fn a_failed_audit_appears_in_the_health_of_the_server() {
    let place = Place::new();
    let server = place.serve_by(place.program().args(["--set", "exchange.audit_every=1s"]));
    Market::new(&server).await;
    let health = || async { server.client().health().read().await.unwrap() };
    assert_eq!(health().await.checks["database"].as_str(), "ok");
    let database = rusqlite::Connection::open(place.path("data/svc.db")).unwrap();
    database.execute("update ledger_account set balance = 7 where kind = 'user'", []).unwrap();
    let is_red = async || health().await.checks["database"].as_str() == "degraded";
    until("the audit finds the disorder", is_red).await;
    assert!(place.log().contains("the audit found disorder"));
    server.stop().await;
}

#[tokio::test]
async fn an_access_token_is_encrypted_and_readable_after_a_restore() {
    let place = Place::new();
    let server = place.serve();
    let market = Market::new(&server).await;
    let (bot, buyer) = (server.client_of(&market.bot), server.client_of(&market.buyers[0]));
    let escrow = buyer.escrow().create("wordbot", &market.service, 1, "a word").await.unwrap();
    let id = escrow.escrow.id;
    let mut work = Deliverable::new("code");
    work.access_token = Some("read-only-token".into());
    bot.escrow().deliver(&id, work).await.unwrap();
    let copy = place.path("copy.tar");
    place.run(&["backup", copy.to_str().unwrap()]);
    server.stop().await;
    let stored = std::fs::read(place.path("data/svc.db")).unwrap();
    assert!(!stored.windows(15).any(|bytes| bytes == b"read-only-token"), "it is sealed");

    let elsewhere = Place::new();
    elsewhere.run(&["restore", copy.to_str().unwrap(), "--without-erasures"]);
    let server = elsewhere.serve();
    let seen = server.client_of(&market.buyers[0]).escrow().get(&id).await.unwrap().escrow;
    let token = seen.deliverable.unwrap().access_token.unwrap();
    assert_eq!(token.expose(), "read-only-token");
    server.stop().await;
}
