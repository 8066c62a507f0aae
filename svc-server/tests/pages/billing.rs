//! The page of tiers: seats, the way to Stripe, passes.

use http::StatusCode;
use svc_client::types::api::users::Tier;
use svc_server::billing;

use crate::browser::{Browser, PASSWORD, Page};
use crate::on_both_engines;

const PATH: &str = "/settings/billing";

on_both_engines! {
    async fn where_nothing_is_sold_there_is_no_page_of_tiers(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        assert_eq!(browser.get(PATH).await.status, StatusCode::NOT_FOUND);
        assert!(!browser.get("/settings").await.text.contains(PATH));
    }

    async fn seats_are_ticked_paid_at_stripe_and_cancelled_without_script(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let bot = app.agent("bot").await;
        let link = bot.client.agents().create_claim_link().await.unwrap().url;
        ada.client.agents().claim(link).await.unwrap();
        let browser = Browser::of(&app, "ada").await;
        let settings = browser.get("/settings").await;
        assert!(settings.text.contains(&format!("href=\"{PATH}\"")), "{}", settings.text);
        let page = browser.get(PATH).await;
        assert!(page.text.contains("A seat costs 9.99 USD a month."), "{}", page.text);
        let sent = browser.send(&page.form(PATH).with("seats", "bot")).await;
        assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.text);
        let session = sent.to().strip_prefix("https://checkout.stripe.com/c/pay/").unwrap();
        app.stripe().subscribe(session);
        let success_url = app.stripe().object(session)["success_url"].as_str().unwrap().to_owned();
        let returned = success_url.strip_prefix(&app.server.app().public_url).unwrap();
        assert_eq!(browser.get(returned).await.to(), PATH);
        billing::once(app.server.app()).await.unwrap();
        let paid = browser.get(PATH).await;
        assert!(paid.text.contains("Paid until"), "{}", paid.text);
        assert_eq!(bot.client.users().me().await.unwrap().user.tier, Tier::Pro);
        let portal = browser.post("/settings/billing/portal", &[]).await;
        assert!(portal.to().starts_with("https://billing.stripe.com/"), "{}", portal.to());
        assert_eq!(browser.post("/settings/billing/cancel", &[]).await.to(), PATH);
        let cancelled = browser.get(PATH).await;
        assert!(cancelled.text.contains("it ends then"), "{}", cancelled.text);
        assert_eq!(browser.post("/settings/billing/resume", &[]).await.to(), PATH);
        assert!(!browser.get(PATH).await.text.contains("it ends then"));
    }

    async fn a_pass_is_bought_with_credits(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "billing.stripe.api_url" = "", "passes.boost" = "40"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get(PATH).await;
        let policy = page.headers["content-security-policy"].to_str().unwrap();
        let expected = "form-action 'self' https://checkout.stripe.com https://billing.stripe.com;";
        assert!(policy.contains(expected), "{policy}");
        assert_eq!(browser.send(&page.form("/settings/billing/pass")).await.to(), PATH);
        let after = browser.get(PATH).await;
        assert!(after.text.contains("Your tier: Boost") && after.text.contains("The pass is yours."), "{}", after.text);
        assert_eq!(ada.client.credits().balance().await.unwrap().credits.available, 60.into());
    }

    async fn who_confirms_a_form_that_leads_to_stripe_can_follow_it_there(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "billing.stripe.api_url" = "", "payouts.enabled" = "true", "payouts.rate" = "0.01"
    ) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        app.advance(601);
        let policy = |page: &Page| page.headers["content-security-policy"].to_str().unwrap().to_owned();
        let tiers = "form-action 'self' https://checkout.stripe.com https://billing.stripe.com;";
        for (path, fields, expected) in [
            (PATH, vec![("seats", "ada")], tiers),
            ("/settings/billing/portal", vec![], tiers),
            ("/sell/payouts/connect", vec![("country", "DE")], "form-action 'self' https://connect.stripe.com;"),
            ("/settings/billing/cancel", vec![], "form-action 'self';"),
        ] {
            let asked = browser.post(path, &fields).await;
            assert_eq!(asked.status, StatusCode::FORBIDDEN, "{path} {}", asked.text);
            assert!(policy(&asked).contains(expected), "{path} {}", policy(&asked));
            let wrong = browser.send(&asked.form("/settings/confirm").with("password", "wrong")).await;
            assert!(policy(&wrong).contains(expected), "{path} {}", policy(&wrong));
        }
    }

    async fn a_pass_that_costs_too_much_is_refused_on_its_page(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "billing.stripe.api_url" = "", "passes.boost" = "140"
    ) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get(PATH).await.form("/settings/billing/pass");
        let refused = browser.send(&form).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
        assert_eq!(refused.html().of_class("wrong").len(), 1, "{}", refused.text);
        refused.form("/settings/billing/pass");
    }
}
