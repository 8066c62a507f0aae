//! The dashboard of operators.

use http::header::ACCEPT_LANGUAGE;
use http::{Method, StatusCode};
use serde_json::Map;
use svc_client::types::api::escrow::EscrowStatus;
use svc_client::types::api::orders::ResponseStatus;
use svc_store::{sql, values};

use crate::browser::{Browser, PASSWORD, Page};
use crate::market::{Market, offer};
use crate::on_both_engines;

/// Where a link with this text leads.
#[track_caller]
fn link(page: &Page, text: &str) -> String {
    let end = page.text.find(&format!("\">{text}</a>"));
    let end = end.unwrap_or_else(|| panic!("no link {text}: {}", page.text));
    let begin = page.text[..end].rfind("href=\"").unwrap() + "href=\"".len();
    let path = page.text[begin..end].split('"').next().unwrap();
    path.replace("&amp;", "&").replace("&#38;", "&")
}

/// The rows of a list.
fn rows(page: &Page) -> usize {
    page.html();
    page.text.matches("<tr><td").count()
}

on_both_engines! {
    async fn an_admin_sees_the_figures_with_their_lists(app: TestApp) {
        app.person("olga", PASSWORD).await;
        app.grant_role("olga", "admin").await;
        let [bob, buyer] = app.agents(["bob", "buyer"]).await;
        let service = offer(&bob, "chart", 5).await;
        let order = buyer.client.orders().create("bob", &service, Map::new()).max_credits(5);
        let order = order.await.unwrap().order.id;
        let answer = bob.client.orders().answer(&order, ResponseStatus::Completed);
        answer.charged_credits(5).await.unwrap();
        buyer.client.escrow().create("bob", &service, 20, "a report").await.unwrap();
        let browser = Browser::of(&app, "olga").await;
        for (window, shown) in [("", "7d"), ("?window=24h", "24h"), ("?window=7d", "7d")] {
            let page = browser.get(&format!("/operate{window}")).await;
            page.html();
            for part in [
                &*format!("<dt><a href=\"/explore/accounts?window={shown}\">Sign-ups</a></dt><dd>3</dd>"),
                "Orders completed</a></dt><dd>1</dd>",
                "<dt><a href=\"/operate/escrows\">Credits held in escrow</a></dt><dd>20</dd>",
                "<a href=\"/moderation/disputes\">Open disputes</a></dt><dd>0</dd>",
                "Failed deliveries</a></dt><dd>0</dd>",
                "<td><a href=\"/operate/queues/search\">Search index</a></td>",
                "href=\"/operate\"",
            ] {
                assert!(page.text.contains(part), "{part}: {}", page.text);
            }
            assert_eq!(page.text.matches("<tfoot>").count(), 2, "each chart has a table");
        }
        let newest = browser.get("/explore/accounts?window=7d").await.text;
        assert!(!newest.contains("name=\"sort\""), "a window is listed newest first: {newest}");
        let place = |name: &str| newest.find(&format!("@{name}<")).unwrap_or_else(|| panic!("{name}: {newest}"));
        assert!(place("buyer") < place("bob"), "the newest account is first");
        let list = browser.get("/operate/deliveries").await;
        assert!(list.text.contains("No failed deliveries"), "{}", list.text);
        assert_eq!(browser.get("/operate?window=1y").await.status, StatusCode::BAD_REQUEST);
    }

    async fn each_figure_leads_to_a_list_of_what_it_counts(app: TestApp) {
        app.person("olga", PASSWORD).await;
        app.grant_role("olga", "admin").await;
        let market = Market::new(app).await;
        let mut done = Vec::new();
        for status in [ResponseStatus::Completed, ResponseStatus::Completed, ResponseStatus::Error] {
            let id = market.ordered(5).await;
            let answering = market.bob.client.orders().answer(&id, status.clone());
            let answering = if status == ResponseStatus::Error { answering.error("broken") } else { answering };
            answering.await.unwrap();
            done.push(id);
        }
        let [funded, disputed] = [
            market.escrow(&EscrowStatus::Funded).await.id,
            market.escrow(&EscrowStatus::Disputed).await.id,
        ];
        let browser = Browser::of(&market.app, "olga").await;
        let figures = browser.get("/operate?window=24h").await;
        for (label, value, count) in [
            ("Orders completed", "2", 2),
            ("Orders failed", "1", 1),
            ("Credits held in escrow", "20", 2),
            ("Open escrows", "2", 2),
        ] {
            assert!(figures.text.contains(&format!("{label}</a></dt><dd>{value}</dd>")), "{label}: {}", figures.text);
            let list = browser.get(&link(&figures, label)).await;
            assert_eq!(rows(&list), count, "{label}: {}", list.text);
            for part in ["href=\"/@ada\"", "href=\"/@bob\""] {
                assert_eq!(list.text.matches(part).count(), count, "{label}: {}", list.text);
            }
            assert!(!list.text.contains("a report on rust"), "{label}: {}", list.text);
        }

        let completed = link(&figures, "Orders completed");
        let list = browser.get(&completed).await;
        assert!(list.text.contains(&format!("<a href=\"/@bob/services/{}\">", market.service)), "{}", list.text);
        let newest = browser.get(&format!("{completed}&limit=1")).await;
        assert_eq!((rows(&newest), newest.text.contains(done[1].as_str())), (1, true), "{}", newest.text);
        let next = browser.get(&link(&newest, "Show more")).await;
        assert_eq!((rows(&next), next.text.contains(done[0].as_str())), (1, true), "{}", next.text);
        assert!(!list.text.contains("/orders/msg_"), "orders are private: {}", list.text);
        let failed = browser.get(&link(&list, "Orders failed")).await;
        assert!(failed.text.contains(done[2].as_str()), "{}", failed.text);

        let escrows = browser.get("/operate/escrows").await;
        assert!(!escrows.text.contains(&format!("/escrow/{funded}")), "{}", escrows.text);
        assert!(escrows.text.contains(&format!("<a href=\"/escrow/{disputed}\">")), "{}", escrows.text);
        assert_eq!(browser.get(&format!("/escrow/{disputed}")).await.status, StatusCode::OK);
        let german = browser.request(Method::GET, "/operate/escrows").header(ACCEPT_LANGUAGE, "de");
        assert!(browser.answer(german).await.text.contains("<h1>Offene Treuhandgeschäfte</h1>"));
    }

    async fn an_order_of_an_erased_seller_shows_the_id_of_its_service(
        app: TestApp, "accounts.erase_after" = "1d"
    ) {
        app.person("olga", PASSWORD).await;
        app.grant_role("olga", "admin").await;
        let market = Market::new(app).await;
        let order = market.ordered(5).await;
        market.bob.client.orders().answer(&order, ResponseStatus::Completed).await.unwrap();
        market.bob.client.users().delete_me("bob").await.unwrap();
        market.app.advance(86_400);
        market.app.server.erase().await;
        let list = Browser::of(&market.app, "olga").await.get("/operate/orders").await;
        assert_eq!(rows(&list), 1, "{}", list.text);
        assert!(list.text.contains(&format!("<code>{}</code>", market.service)), "{}", list.text);
    }

    async fn each_queue_leads_to_what_waits_in_it(app: TestApp) {
        app.person("olga", PASSWORD).await;
        app.grant_role("olga", "admin").await;
        app.execute(move |ctx| {
            let at = ctx.now().as_millis();
            ctx.tx.execute(
                sql!(
                    "insert into mail_outbox (id, recipient, kind, attempt, due_at, expires_at, created_at)
                     values ('mail_1', 'a@example.org', 'verify', 3, $1, $2, $1)"
                ),
                values![at - 5_000, at + 60_000],
            )
        })
        .await;
        let browser = Browser::of(&app, "olga").await;
        let figures = browser.get("/operate").await;
        let mails = browser.get(&link(&figures, "Email")).await;
        assert_eq!(rows(&mails), 1, "{}", mails.text);
        for part in ["<code>mail_1</code>", "Mail to verify an address", "<td class=\"number\">3</td>"] {
            assert!(mails.text.contains(part), "{part}: {}", mails.text);
        }
        assert!(!mails.text.contains("a@example.org"), "{}", mails.text);
        for queue in ["Order deadlines", "Webhooks"] {
            let empty = browser.get(&link(&mails, queue)).await;
            assert!(empty.text.contains("Nothing is waiting"), "{queue}: {}", empty.text);
        }
        app.agent("newcomer").await;
        let texts = browser.get(&link(&figures, "Search index")).await;
        assert!(rows(&texts) > 0 && texts.text.contains("<code>usr_"), "{}", texts.text);
        assert_eq!(browser.get("/operate/queues/none").await.status, StatusCode::BAD_REQUEST);
    }

    async fn failed_deliveries_are_listed_without_what_is_secret(app: TestApp) {
        app.person("olga", PASSWORD).await;
        app.grant_role("olga", "admin").await;
        let bob = app.agent("bob").await;
        let webhook = bob.client.webhooks().create("https://hooks.example.org/a-secret-path").await;
        let webhook = webhook.unwrap().webhook.id;
        let id = webhook.clone();
        app.execute(move |ctx| {
            let now = ctx.now();
            ctx.tx.execute(
                sql!(
                    "insert into webhook_delivery (id, webhook, event, kind, seq, replay_no, trigger_kind, state,
                        attempt, created_at)
                     values ('dlv_1', $1, 'evt_1', 'mention', 1, 0, 'event', 'failed', 8, $2)"
                ),
                values![id, now],
            )
        })
        .await;
        let browser = Browser::of(&app, "olga").await;
        let figures = browser.get("/operate?window=24h").await;
        assert!(figures.text.contains("Failed deliveries</a></dt><dd>0</dd>"), "its id is old: {}", figures.text);
        let list = browser.get(&link(&figures, "Failed deliveries")).await;
        assert!(list.text.contains("No failed deliveries"), "{}", list.text);
        let list = browser.get(&link(&list, "All")).await;
        list.html();
        for part in ["@bob", "<code>mention</code>", "<dd>8</dd>", "<dd>None</dd>", webhook.as_str()] {
            assert!(list.text.contains(part), "{part}: {}", list.text);
        }
        assert!(!list.text.contains("a-secret-path"), "{}", list.text);
    }

    async fn others_see_no_dashboard(app: TestApp) {
        app.person("mira", PASSWORD).await;
        app.grant_role("mira", "moderator").await;
        let browser = Browser::of(&app, "mira").await;
        for path in [
            "/operate", "/operate/deliveries", "/operate/orders", "/operate/escrows", "/operate/queues/mail",
        ] {
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
            assert!(!page.text.contains("href=\"/operate\""), "{}", page.text);
        }
    }
}
