//! Credits that are bought, as people see it.

use http::StatusCode;
use svc_client::types::PaymentId;
use svc_client::types::api::billing::PaymentStatus;
use svc_core::services::billing::facts::{Session, SessionState};
use svc_server::billing;
use svc_store::{sql, values};

use crate::app::all_items;
use crate::app::chain::{START, Settles, decode, encode, signed};
use crate::browser::{Browser, PASSWORD};
use crate::on_both_engines;
use crate::purchase::{apply, begin, buy, session};

/// Words that no page has where nothing is sold.
const WORDS: [&str; 5] = ["Buy credits", "Stripe", "stripe", "Payments", "Refund "];

on_both_engines! {
    async fn where_nothing_is_sold_no_page_says_a_word_of_it(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        for path in ["/", "/welcome", "/credits", "/credits?payment=pay_1", "/services", "/settings", "/about"] {
            let page = browser.get(path).await;
            for word in WORDS {
                assert!(!page.text.contains(word), "{path} {word}");
            }
            let policy = page.headers.get("content-security-policy").map(|policy| policy.to_str().unwrap());
            assert!(!policy.unwrap_or_default().contains("stripe"), "{path}");
        }
    }

    // It buys nothing, so Stripe is not called.
    async fn the_form_shows_the_price_and_leads_only_to_stripe(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "billing.stripe.api_url" = ""
    ) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get("/credits").await;
        assert!(page.text.contains("A credit costs 0.01 USD."), "{}", page.text);
        assert!(page.text.contains("You can spend 50.00 USD more at present."), "{}", page.text);
        assert_eq!(page.form("/credits").value("credits"), "500");
        let policy = page.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("form-action 'self' https://checkout.stripe.com;"), "{policy}");
        let landing = Browser::new(&app).get("/").await;
        assert!(landing.text.contains("<a href=\"/credits\">buy more</a>"), "{}", landing.text);
        let other = browser.get("/orders").await;
        assert!(other.headers["content-security-policy"].to_str().unwrap().contains("form-action 'self';"));
    }

    async fn a_refused_purchase_is_explained_at_its_field(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "billing.stripe.api_url" = "http://127.0.0.1:9"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get("/credits").await;
        let policy = page.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("form-action 'self';"), "a stand-in is not named: {policy}");
        for credits in ["", "many", "5", "500.5"] {
            let refused = browser.send(&page.form("/credits").with("credits", credits)).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{credits}");
            assert_eq!(refused.html().of_class("problem").len(), 1, "{credits}: {}", refused.text);
            assert_eq!(refused.form("/credits").value("credits"), credits);
        }
        let down = browser.send(&page.form("/credits")).await;
        assert_eq!(down.status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(down.text.contains("500 credits for 5.00 USD"), "it is begun: {}", down.text);
        assert!(down.text.contains("page is being made"), "{}", down.text);
        assert_eq!(all_items(ada.client.billing().payments()).await[0].status, PaymentStatus::Creating);
    }

    async fn the_limits_of_a_purchase_are_those_of_the_money_that_is_left(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "billing.stripe.api_url" = "http://127.0.0.1:9"
    ) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get("/credits").await;
        assert!(page.text.contains("You can spend 50.00 USD more at present."), "{}", page.text);
        assert!(page.text.contains("500 to 5,000 at a time."), "{}", page.text);
        let beyond = browser.send(&page.form("/credits").with("credits", "5001")).await;
        assert_eq!(beyond.status, StatusCode::CONFLICT, "{}", beyond.text);
        // Stripe is down: the purchase is begun, and counts.
        let begun = browser.send(&browser.get("/credits").await.form("/credits").with("credits", "4600")).await;
        assert_eq!(begun.status, StatusCode::SERVICE_UNAVAILABLE, "{}", begun.text);
        let after = browser.get("/credits").await;
        assert!(after.text.contains("You can spend 4.00 USD more at present."), "{}", after.text);
        assert!(after.text.contains("as much as you can in 24 hours") && !after.text.contains("at a time"));
        let html = after.html();
        let buy = html.named("button").into_iter().find(|one| one.text == "Buy credits").unwrap();
        assert!(buy.attributes.contains_key("disabled"), "{buy:?}");
    }

    async fn the_form_leads_to_stripe_and_back_to_the_credits(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get("/credits").await;
        assert!(page.text.contains("Test mode"), "{}", page.text);
        let form = page.form("/credits").with("credits", "700");
        let sent = browser.send(&form).await;
        assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.text);
        let session = sent.to().strip_prefix("https://checkout.stripe.com/c/pay/").unwrap();
        // A double click leads to the same page.
        assert_eq!(browser.send(&form).await.to(), sent.to());
        assert_eq!(app.stripe().objects("checkout.session").len(), 1);
        app.stripe().pay(session);
        let success_url = app.stripe().object(session)["success_url"].as_str().unwrap().to_owned();
        let returned = success_url.strip_prefix(&app.server.app().public_url).unwrap();
        let back = browser.get(returned).await.to().to_owned();
        let waiting = browser.get(&back).await;
        assert!(waiting.text.contains("Waiting for Stripe."), "{}", waiting.text);
        assert!(waiting.text.contains(&format!("href=\"{returned}\"")), "it can be checked again");
        billing::once(app.server.app()).await.unwrap();
        let paid = browser.get(&back).await;
        assert!(paid.text.contains("Paid: 700 credits added."), "{}", paid.text);
        assert!(paid.text.contains("https://pay.stripe.com/receipts/"), "{}", paid.text);
    }

    async fn a_payment_is_listed_with_the_tax_that_was_paid(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let id = begin(&app, &ada, 500).await.unwrap();
        apply(&app, &id, Session { tax: 95, total: 595, ..session(&id, 500, SessionState::Paid) }).await;
        let page = Browser::of(&app, "ada").await.get("/credits").await;
        assert!(page.text.contains("500 credits for 5.95 USD"), "{}", page.text);
    }

    async fn what_was_paid_with_tokens_is_listed_and_no_form_buys_by_card(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let asked = ada.client.billing().topup(500).await.unwrap_err();
        let offer = decode(asked.payment_required().unwrap());
        for (nonce, settles) in [(1, Settles::Honestly), (2, Settles::Lies)] {
            app.chain().books().settles = settles;
            let payment = encode(&signed(&offer, nonce, START + 300));
            ada.client.billing().topup(500).payment(payment).await.unwrap();
        }
        let page = Browser::of(&app, "ada").await.get("/credits").await;
        assert_eq!(page.text.matches("500 credits for 5.00 USDC").count(), 2, "{}", page.text);
        assert!(page.text.contains("The chain has not decided yet"), "{}", page.text);
        assert!(page.text.contains("Test mode"), "{}", page.text);
        for word in ["Buy credits", "Stripe", "Refund ", "Not paid yet"] {
            assert!(!page.text.contains(word), "{word}");
        }
    }

    async fn a_payment_is_shown_on_return_and_its_unspent_credits_are_given_back_once_confirmed(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let eve = app.person("eve", PASSWORD).await;
        let (bought, foreign) = (buy(&app, &ada, 500).await, buy(&app, &eve, 700).await);
        let other = buy(&app, &ada, 600).await;
        let browser = Browser::of(&app, "ada").await;
        let back = browser.get(&format!("/credits?payment={bought}")).await;
        assert!(back.text.contains("Paid: 500 credits added."), "{}", back.text);
        let foreign = browser.get(&format!("/credits?payment={foreign}")).await;
        assert_eq!(foreign.status, StatusCode::OK);
        assert!(!foreign.text.contains("700"), "{}", foreign.text);

        let refund = format!("/credits/payments/{bought}/refund");
        assert_eq!(back.form(&refund).value("credits"), "500", "as many as its button says");
        app.advance(601);
        let confirm = browser.send(&back.form(&refund)).await;
        assert_eq!(confirm.status, StatusCode::FORBIDDEN, "{}", confirm.text);
        let done = browser.send(&confirm.form("/settings/confirm").with("password", PASSWORD)).await;
        assert_eq!(done.to(), "/credits");
        let after = browser.get("/credits").await;
        assert!(after.text.contains("The money arrives in some days."), "{}", after.text);
        assert!(after.text.contains("Refunded"), "{}", after.text);
        assert!(!after.text.contains(&refund), "nothing is left to give back");
        let refund = format!("/credits/payments/{other}/refund");
        assert_eq!(browser.send(&back.form(&refund)).await.to(), "/credits");
        assert_eq!(ada.client.credits().balance().await.unwrap().credits.available, 100.into());
    }

    async fn all_payments_are_shown_a_page_at_a_time(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let bought = buy(&app, &ada, 500).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/credits/payments";
        let link = format!("href=\"{path}\"");
        assert!(!browser.get("/credits").await.text.contains(&link), "there are no more");
        let oldest = bought.clone();
        app.execute(move |ctx| {
            for _ in 0..20 {
                let (id, now): (PaymentId, _) = (ctx.id(), ctx.now());
                ctx.tx.execute(
                    sql!(
                        "insert into payment (id, account, status, credits, currency, amount, in_test,
                            created_at, expires_at)
                         select $1, account, 'expired', credits, currency, amount, in_test,
                            cast($2 as bigint), expires_at
                         from payment where id = $3"
                    ),
                    values![id, now, oldest],
                )?;
            }
            Ok(20)
        })
        .await;
        assert!(browser.get("/credits").await.text.contains(&link));
        let newest = browser.get(path).await;
        assert_eq!(newest.text.matches("500 credits for 5.00 USD").count(), 20);
        let (_, next) = newest.text.split_once("rel=\"next\" href=\"").unwrap();
        let rest = browser.get(&next.split('"').next().unwrap().replace("&#38;", "&")).await;
        assert_eq!(rest.text.matches("500 credits for 5.00 USD").count(), 1);
        assert_eq!(rest.form(&format!("{path}/{bought}/refund")).value("credits"), "500");
    }
}
