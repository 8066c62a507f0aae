//! Payouts: what can be paid out, who decides, and one transfer whatever goes wrong. A stand-in plays
//! Stripe.

mod accounts;
mod approval;
mod differences;
mod earnings;
mod returns;
mod transfers;

use serde_json::json;
use svc_client::Error;
use svc_client::types::api::payouts::{
    ApprovePayout, CancelPayout, Earnings, Payout, PayoutStatus, RequestPayout,
};
use svc_client::types::api::users::DeleteMe;
use svc_client::types::{Code, Endpoint, PayoutId, PositiveCredits};
use svc_core::config::Config;
use svc_core::services::ledger::money::Money;
use svc_server::admin::{BillingCommand, Command};
use svc_server::billing;
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items, code};
use crate::market::{is_consistent, offer, work};
use crate::on_both_engines;
use crate::payments::balances;
use crate::payout::{earn, verify};
use crate::stripe::{PAYING_OUT, SELLING, newest};

const PASSWORD: &str = "correct horse";
const DAY: u64 = 86_400;

/// Time after which every failed object is due again.
const PAUSE: u64 = 3_700;

/// Lets the worker do what is due.
async fn round(app: &TestApp) {
    billing::once(app.server.app()).await.unwrap();
}

/// The code and the hint of a refusal.
#[track_caller]
fn hinted<E: Endpoint>(result: Result<E::Response, Error>) -> (Code, String) {
    let hint = match &result {
        Err(error) => error.hint().unwrap_or_default().to_owned(),
        Ok(_) => String::new(),
    };
    (code::<E>(result), hint)
}

/// A payout of the person's own earnings, confirmed as some time has passed.
async fn ask(owner: &Member, credits: u32) -> PayoutId {
    owner.client.auth().step_up().password(PASSWORD).await.unwrap();
    owner.client.payouts().request(credits).await.unwrap().payout.payout_id
}

/// A person who owns the agent `bot`, and may be paid.
async fn seller(app: &TestApp) -> (Member, Member) {
    let owner = app.person("owner", PASSWORD).await;
    verify(app, &owner.user.id).await;
    let bot = app.agent("bot").await;
    let link = bot.client.agents().create_claim_link().await.unwrap().url;
    owner.client.agents().claim(link).await.unwrap();
    (owner, bot)
}

/// A buyer pays the bot by an escrow.
async fn pay(buyer: &Member, bot: &Member, credits: u32) {
    let service = offer(bot, &format!("work{credits}"), 5).await;
    let escrow = buyer.client.escrow();
    let opened = escrow.create("bot", &service, credits, "a report on rust").await.unwrap().escrow;
    bot.client.escrow().deliver(&opened.id, work()).await.unwrap();
    escrow.release(&opened.id).await.unwrap();
}

/// Connects an account at Stripe and fills in its form; its id there.
async fn fill_in(app: &TestApp, owner: &Member) -> String {
    let url = owner.client.payouts().connect("DE").await.unwrap().url;
    assert!(url.starts_with("https://connect.stripe.com/"), "{url}");
    let account = newest(app, "account");
    app.stripe().enable_account(&account);
    owner.client.payouts().connect("de").await.unwrap();
    round(app).await;
    account
}

/// An admin.
async fn admin(app: &TestApp) -> Member {
    let admin = app.agent("olga").await;
    app.grant_role("olga", "admin").await;
    admin
}

async fn earnings(owner: &Member) -> Earnings {
    owner.client.payouts().account().await.unwrap().account.earnings.pop().unwrap()
}

async fn redeemable(owner: &Member) -> String {
    earnings(owner).await.redeemable.to_string()
}

async fn available(member: &Member) -> String {
    member.client.credits().balance().await.unwrap().credits.available.to_string()
}

async fn shown(owner: &Member, id: &PayoutId) -> Payout {
    let mut all = all_items(owner.client.payouts().list()).await;
    all.retain(|payout| payout.payout_id == *id);
    all.pop().unwrap()
}

async fn status(owner: &Member, id: &PayoutId) -> PayoutStatus {
    shown(owner, id).await.status
}

/// Lets an account owe credits, as after a dispute.
async fn owes(app: &TestApp, debtor: &Member, credits: i64) {
    let (debtor, balance) = (debtor.user.id.clone(), -credits * 1_000_000);
    let sql = sql!(
        "insert into ledger_account (id, kind, balance, entries, backed, backed_moved)
         values ('debt:' || $1, 'debt', $2, 0, 0, 0)"
    );
    app.execute(move |ctx| ctx.tx.execute(sql, values![debtor, balance])).await;
}

/// Balances of money: paid out, receivable, cash.
async fn books(app: &TestApp) -> [i64; 3] {
    balances(app, [Money::Payouts, Money::Receivable, Money::Cash]).await
}

/// A payout of the person's own earnings that the provider can send: 100 credits.
async fn sendable(app: &TestApp) -> (Member, PayoutId) {
    let owner = app.person("owner", PASSWORD).await;
    verify(app, &owner.user.id).await;
    fill_in(app, &owner).await;
    earn(app, &owner.user.id, 1_000).await;
    let payout = owner.client.payouts().request(100).await.unwrap().payout;
    (owner, payout.payout_id)
}

on_both_engines! {
    async fn a_payout_goes_to_the_owner_once_an_admin_approves_it(
        app: TestApp, ..SELLING, "payouts.enabled" = "true", "payouts.rate" = "0.008"
    ) {
        let (owner, bot) = seller(&app).await;
        earn(&app, &bot.user.id, 500).await;
        let admin = admin(&app).await;
        let asking = || owner.client.payouts().request(125).from("bot");
        assert_eq!(code::<RequestPayout>(asking().await), Code::WrongState, "no account yet");
        let account = fill_in(&app, &owner).await;
        assert!(owner.client.payouts().account().await.unwrap().account.enabled);
        let odd: PositiveCredits = "100.1".parse().unwrap();
        let refused = owner.client.payouts().request(odd).from("bot").await;
        assert_eq!(code::<RequestPayout>(refused), Code::AmountNotExact);
        let asked = asking().await.unwrap().payout;
        assert_eq!((asked.amount, &asked.status, &*asked.username), (100, &PayoutStatus::Requested, "bot"));
        assert_eq!(available(&bot).await, "375");
        round(&app).await;
        assert!(app.stripe().objects("transfer").is_empty(), "nobody approved it");
        let waiting = admin.client.moderation().billing().await.unwrap().billing.payouts;
        assert_eq!(waiting, std::slice::from_ref(&asked));
        let printed = app.server.admin(Command::Billing { command: BillingCommand::Payouts }).await;
        assert!(printed[0].to_string().ends_with("  @owner  125 credits of @bot  1.00 USD"), "{printed:?}");
        let refused = owner.client.payouts().approve(&asked.payout_id).await;
        assert_eq!(code::<ApprovePayout>(refused), Code::Forbidden);
        admin.client.payouts().approve(&asked.payout_id).await.unwrap();
        let audited = app.count(sql!(
            "select count(*) from audit_log l join account a on a.id = l.actor
             where l.action = 'payout_approved' and a.username = 'olga'"
        ));
        assert_eq!(audited.await, 1);
        round(&app).await;
        let transfer = app.stripe().objects("transfer").pop().unwrap();
        assert_eq!((&transfer["amount"], &transfer["destination"]), (&json!(100), &json!(account)));
        assert_eq!(transfer["metadata"]["svc"], json!(asked.payout_id));
        assert_eq!(status(&owner, &asked.payout_id).await, PayoutStatus::Sent);
        // The balance at Stripe went down by as much as was owed.
        assert_eq!(books(&app).await, [100, 0, -100]);
        let printed = app.server.admin(Command::Billing { command: BillingCommand::Status }).await;
        assert!(printed[0].to_string().contains("\nmoney  payouts  1.00 USD\n"), "{printed:?}");
        for refused in [
            code::<CancelPayout>(owner.client.payouts().cancel(&asked.payout_id).await),
            code::<ApprovePayout>(admin.client.payouts().approve(&asked.payout_id).await),
        ] {
            assert_eq!(refused, Code::WrongState);
        }
        is_consistent(&app).await;
    }

    async fn a_payout_that_ends_otherwise_gives_its_credits_back(
        app: TestApp, ..PAYING_OUT, "payouts.reserve" = "0"
    ) {
        let (owner, first) = sendable(&app).await;
        let admin = admin(&app).await;
        let payouts = owner.client.payouts();
        assert_eq!(code::<DeleteMe>(owner.client.users().delete_me("owner").await), Code::OpenObligations);
        app.agent("mia").await.client.users().delete_me("mia").await.expect("the payout is not hers");
        payouts.cancel(&first).await.unwrap();
        assert_eq!(status(&owner, &first).await, PayoutStatus::Cancelled);
        let second = payouts.request(200).await.unwrap().payout.payout_id;
        admin.client.payouts().deny(&second, "who are you").await.unwrap();
        let denied = shown(&owner, &second).await;
        assert_eq!((denied.status, denied.reason.as_deref()), (PayoutStatus::Denied, Some("who are you")));
        let audited = app.count(sql!(
            "select count(*) from audit_log l join account a on a.id = l.actor
             where l.action = 'payout_denied' and l.detail = 'who are you' and a.username = 'olga'"
        ));
        assert_eq!(audited.await, 1);
        let eve = app.person("eve", PASSWORD).await;
        assert!(all_items(eve.client.payouts().list()).await.is_empty(), "they are hers alone");
        assert_eq!((available(&owner).await, redeemable(&owner).await), ("1000".into(), "1000".into()));
        // Approved, and still not begun: it can be cancelled.
        let third = payouts.request(300).await.unwrap().payout.payout_id;
        admin.client.payouts().approve(&third).await.unwrap();
        payouts.cancel(&third).await.unwrap();
        round(&app).await;
        assert!(app.stripe().objects("transfer").is_empty());
        // Sent, and taken back at Stripe.
        let fourth = payouts.request(400).await.unwrap().payout.payout_id;
        admin.client.payouts().approve(&fourth).await.unwrap();
        round(&app).await;
        assert_eq!((available(&owner).await, redeemable(&owner).await), ("600".into(), "600".into()));
        let transfer = newest(&app, "transfer");
        // A part that comes back is for the operator; the whole ends the payout.
        app.stripe().reverse(&transfer, 100);
        app.advance(PAUSE);
        round(&app).await;
        assert_eq!((status(&owner, &fourth).await, available(&owner).await), (PayoutStatus::Sent, "600".into()));
        app.stripe().reverse(&transfer, 300);
        app.advance(PAUSE);
        round(&app).await;
        assert_eq!(status(&owner, &fourth).await, PayoutStatus::Returned);
        assert_eq!((available(&owner).await, redeemable(&owner).await), ("1000".into(), "1000".into()));
        assert_eq!(books(&app).await, [0, 0, 0]);
        // The ledger of the seller names each payout, and why it ended.
        let moved = all_items(owner.client.credits().transactions()).await;
        for (payout, reason) in [
            (&first, None), (&second, Some("who are you")), (&third, None),
            (&fourth, Some("the transfer was reversed")),
        ] {
            let of_it = moved.iter().filter(|one| one.payout_id.as_ref() == Some(payout));
            let of_it: Vec<_> = of_it.map(|one| (one.kind.as_str(), one.reason.as_deref())).collect();
            assert_eq!(of_it, [("returned", reason), ("payout", None)]);
        }
        is_consistent(&app).await;
    }
}

#[test]
fn a_rate_above_the_price_ends_the_start() {
    let refused = |settings: &[(&str, &str)]| {
        let settings = settings.iter().map(|(name, text)| ((*name).into(), (*text).into()));
        Config::load(None, &settings.collect()).unwrap_err().to_string()
    };
    let selling = [
        ("billing.stripe.key_file", "stripe.key"),
        ("billing.stripe.webhook_secret_files", "stripe.secret"),
        ("payouts.enabled", "true"),
    ];
    let with = |rate| refused(&[&selling[..], &[("payouts.rate", rate)]].concat());
    assert_eq!(with("0.011"), "payouts.rate must not be above credits.price");
    assert!(with("").starts_with("payouts.rate must be a number"));
    let also = |set| refused(&[&selling[..], &[("payouts.rate", "0.01"), set]].concat());
    assert_eq!(also(("payouts.min", "0")), "payouts.min must be above 0");
    let reserve = "payouts.reserve must be a percentage from 0 to 100";
    assert_eq!(also(("payouts.reserve", "101")), reserve);
    assert_eq!(refused(&selling[2..]), "payouts.enabled needs billing.stripe.key_file");
}
