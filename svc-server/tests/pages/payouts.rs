//! Payouts: what sellers ask for, and what admins approve.

use svc_server::billing;
use svc_store::{sql, values};

use crate::app::{Member, TestApp};
use crate::browser::{Browser, PASSWORD};
use crate::on_both_engines;
use crate::payout::{connect, earn, verify};

const SELL: &str = "/sell/payouts";
const OPERATE: &str = "/operate/billing";

/// An admin, and the browser of one.
async fn admin(app: &TestApp) -> Browser<'_> {
    app.person("olga", PASSWORD).await;
    app.grant_role("olga", "admin").await;
    Browser::of(app, "olga").await
}

async fn available(member: &Member) -> String {
    member.client.credits().balance().await.unwrap().credits.available.to_string()
}

/// Where the last payout is cancelled, denied or approved.
async fn act(page: &str, seller: &Member, what: &str) -> String {
    let payouts = seller.client.payouts().list().await.unwrap().payouts;
    format!("{page}/{}/{what}", payouts[0].payout_id)
}

on_both_engines! {
    async fn what_a_server_does_not_offer_is_not_called_unavailable_for_now(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let page = Browser::of(&app, "ada").await.get(SELL).await;
        assert_eq!(page.status, 503, "{}", page.text);
        assert!(page.text.contains("<h1>That didn&#39;t work</h1>"), "{}", page.text);
        assert!(!page.text.contains("Temporarily"), "{}", page.text);
    }

    async fn a_seller_connects_an_account_at_stripe_without_script(
        app: TestApp, "billing.stripe.key_file" = "its own", "payouts.enabled" = "true",
        "payouts.rate" = "0.01", "exchange.signup_grant" = "0"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        verify(&app, &ada.user.id).await;
        let browser = Browser::of(&app, "ada").await;
        assert!(browser.get("/sell").await.text.contains(&format!("href=\"{SELL}\"")));
        let page = browser.get(SELL).await;
        assert!(page.text.contains("Connect your account"), "{}", page.text);
        assert!(page.text.contains("<a href=\"https://stripe.com/global\""), "{}", page.text);
        let wrong = browser.send(&page.form("/sell/payouts/connect").with("country", "D1")).await;
        assert_eq!(wrong.status, 400, "{}", wrong.text);
        let sent = browser.send(&page.form("/sell/payouts/connect").with("country", "DE")).await;
        assert!(sent.to().starts_with("https://connect.stripe.com/"), "{}", sent.text);
        let account = app.stripe().objects("account").pop().unwrap()["id"].clone();
        app.stripe().enable_account(account.as_str().unwrap());
        let link = app.stripe().calls().pop().unwrap().parameters["return_url"].clone();
        let back = link.as_str().unwrap().strip_prefix(&app.server.app().public_url).unwrap();
        assert_eq!(browser.get(back).await.to(), SELL);
        billing::once(app.server.app()).await.unwrap();
        assert!(browser.get(SELL).await.text.contains("Ask for a payout"));
    }

    async fn a_payout_is_asked_for_cancelled_denied_and_approved(
        app: TestApp, "billing.stripe.key_file" = "stripe.key",
        "billing.stripe.webhook_secret_files" = "stripe.secret", "payouts.enabled" = "true",
        "payouts.rate" = "0.01", "exchange.signup_grant" = "0"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        connect(&app, &ada.user.id).await;
        earn(&app, &ada.user.id, 500).await;
        let (browser, admin) = (Browser::of(&app, "ada").await, admin(&app).await);
        let ask = async |credits: &str| {
            let page = browser.get(SELL).await;
            browser.send(&page.form(SELL).with("credits", credits)).await
        };
        let refused = ask("501").await;
        assert_eq!(refused.status, 409, "{}", refused.text);
        assert_eq!(ask("200").await.to(), SELL);
        let page = browser.get(SELL).await;
        let waiting = admin.get(OPERATE).await;
        assert!(waiting.text.contains("200 credits for 2.00 USD") && waiting.text.contains("href=\"/@ada\""), "{}", waiting.text);
        assert!(page.text.contains("200 credits for 2.00 USD"), "{}", page.text);
        assert!(page.text.contains("Waits for approval"), "{}", page.text);
        assert_eq!(available(&ada).await, "300");
        assert_eq!(browser.send(&page.form(&act(SELL, &ada, "cancel").await)).await.to(), SELL);
        assert_eq!(available(&ada).await, "500");
        assert_eq!(ask("100").await.to(), SELL);
        let deny = act(OPERATE, &ada, "deny").await;
        let deny = admin.get(OPERATE).await.form(&deny).with("reason", "not known to us");
        assert_eq!(admin.send(&deny).await.to(), OPERATE);
        assert!(browser.get(SELL).await.text.contains("not known to us"));
        assert_eq!(available(&ada).await, "500");
        assert_eq!(ask("150").await.to(), SELL);
        let approve = admin.get(OPERATE).await.form(&act(OPERATE, &ada, "approve").await);
        assert_eq!(admin.send(&approve).await.to(), OPERATE);
        let after = admin.get(OPERATE).await;
        assert!(after.text.contains("<p class=\"quiet\">None.</p>"), "{}", after.text);
        let page = browser.get(SELL).await;
        assert!(page.text.contains("Approved"), "{}", page.text);
    }

    async fn a_seller_reads_what_is_payable_and_why_the_rest_is_not(
        app: TestApp, "billing.stripe.key_file" = "stripe.key",
        "billing.stripe.webhook_secret_files" = "stripe.secret", "payouts.enabled" = "true",
        "payouts.rate" = "0.01", "payouts.reserve" = "10", "exchange.signup_grant" = "0"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        connect(&app, &ada.user.id).await;
        earn(&app, &ada.user.id, 500).await;
        let id = ada.user.id.clone();
        // A hundred of them were earned today.
        app.execute(move |ctx| {
            let sql = sql!("insert into earning (account, day, credits) values ($1, $2, 100000000)");
            ctx.tx.execute(sql, values![id, ctx.now()])
        }).await;
        let page = Browser::of(&app, "ada").await.get(SELL).await;
        for fact in [
            "<dt>Payable</dt><dd><b>390</b></dd>", "<dt>Earned from bought credits</dt><dd>500</dd>",
            "<dt>Too recent</dt><dd>100</dd>", "<dt>Reserve</dt><dd>10</dd>",
        ] {
            assert!(page.text.contains(fact), "{fact}: {}", page.text);
        }
    }

    async fn a_refused_payout_keeps_whose_earnings_were_chosen(
        app: TestApp, "billing.stripe.key_file" = "stripe.key",
        "billing.stripe.webhook_secret_files" = "stripe.secret", "payouts.enabled" = "true",
        "payouts.rate" = "0.01", "exchange.signup_grant" = "0"
    ) {
        let (ada, bot) = (app.person("ada", PASSWORD).await, app.agent("bot").await);
        let link = bot.client.agents().create_claim_link().await.unwrap().url;
        ada.client.agents().claim(link).await.unwrap();
        connect(&app, &ada.user.id).await;
        earn(&app, &bot.user.id, 500).await;
        let browser = Browser::of(&app, "ada").await;
        let id = bot.user.id.as_str();
        let form = browser.get(SELL).await.form(SELL).with("from", id).with("credits", "501");
        let refused = browser.send(&form).await;
        assert!(refused.status.is_client_error(), "{}", refused.text);
        assert_eq!(refused.form(SELL).value("from"), id);
    }

    async fn where_nothing_is_paid_out_no_page_says_so(
        app: TestApp, "billing.stripe.key_file" = "stripe.key",
        "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        assert!(!browser.get("/sell").await.text.contains(SELL));
        assert_eq!(browser.get(SELL).await.status, 503);
    }
}
