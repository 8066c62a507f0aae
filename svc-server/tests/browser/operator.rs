//! An operator, from the figures of the platform to what they count.

use serde_json::{Map, json};
use svc_client::types::api::orders::ResponseStatus;

use crate::app::TestApp;
use crate::market::{offer, work};
use crate::tab::Tab;
use crate::{PASSWORD, in_a_browser};

/// Each figure: its label, and its text.
const FIGURES: &str = "
    const figures = [...document.querySelectorAll('main dl.figures > div')];
    return figures.map((one) => ['dt', 'dd'].map((name) => one.querySelector(name).innerText.trim()));
";

/// Each link of a figure or a table: where it leads, and the text of the figure.
const LINKS: &str = "
    const links = [...document.querySelectorAll('main dl.figures a, main table a')];
    return links.map((link) => {
        const figure = link.closest('dl.figures > div');
        return [link.getAttribute('href'), figure ? figure.querySelector('dd').innerText.trim() : ''];
    });
";

/// Each column of the tables that stand open below a chart: the chart, the column, and its sum.
const SUMS: &str = "
    return [...document.querySelectorAll('main svg.chart')].flatMap((chart) => {
        const card = chart.closest('section'), table = card.querySelector('details[open] table');
        const texts = (row) => [...row.cells].slice(1).map((cell) => cell.innerText.trim());
        const sums = texts(table.tFoot.rows[0]), name = card.getAttribute('aria-label');
        return texts(table.tHead.rows[0]).map((head, at) => [name, head, sums[at]]);
    });
";

/// The charts of the page.
const CHARTS: [&str; 2] = ["Sign-ups", "Orders"];

/// What opens the table of a chart, while it is closed.
const CLOSED: &str = "main section:has(> svg.chart) details:not([open]) > summary";

/// Columns of charts, each with the figure that is their sum.
const SAME: [([&str; 2], &str); 3] = [
    ([CHARTS[0], "Sign-ups"], "Sign-ups"),
    ([CHARTS[1], "Completed"], "Orders completed"),
    ([CHARTS[1], "Failed"], "Orders failed"),
];

in_a_browser! {
    async fn an_operator_follows_each_figure_to_its_list(app: TestApp, tab: Tab) {
        trades(&app).await;
        app.person("olga", PASSWORD).await;
        app.grant_role("olga", "admin").await;
        app.index().await;
        tab.sign_in("olga", PASSWORD).await;
        tab.go_to("Operate").await;
        for (window, words) in [("7d", "7 days"), ("24h", "24 hours")] {
            tab.press(words).await;
            tab.find(&format!("main .windows [aria-current][href$='{window}']")).await;
            charts_have_the_sums_of_their_figures(&tab).await;
            links_lead_to_lists(&tab).await;
        }
    }
}

/// Two orders that end, and two escrows, of which one is disputed.
async fn trades(app: &TestApp) {
    let [bob, ada] = app.agents(["bob", "ada"]).await;
    let service = offer(&bob, "Haiku", 5).await;
    for status in [ResponseStatus::Completed, ResponseStatus::Error] {
        let has_failed = status == ResponseStatus::Error;
        let ordering = ada.client.orders().create("bob", &service, Map::new()).max_credits(5);
        let order = ordering.await.unwrap().order.id;
        let answer = bob.client.orders().answer(&order, status);
        let answer = if has_failed { answer.error("It rains.") } else { answer };
        answer.await.unwrap();
    }
    for is_disputed in [false, true] {
        let opening = ada.client.escrow().create("bob", &service, 10, "a haiku");
        let escrow = opening.await.unwrap().escrow.id;
        if is_disputed {
            bob.client.escrow().deliver(&escrow, work()).await.unwrap();
            ada.client.escrow().dispute(&escrow, "It has two lines.").await.unwrap();
        }
    }
}

/// The texts that a script gives, row by row.
async fn rows(tab: &Tab, script: &str) -> Vec<Vec<String>> {
    let found = tab.script(script, &json!([])).await;
    serde_json::from_value(found).unwrap()
}

async fn charts_have_the_sums_of_their_figures(tab: &Tab) {
    for _ in CHARTS {
        tab.click(CLOSED).await;
    }
    let (figures, sums) = (rows(tab, FIGURES).await, rows(tab, SUMS).await);
    assert_eq!(sums.len(), SAME.len(), "{sums:?}");
    for (column, label) in SAME {
        let sum = sums.iter().find(|sum| sum[..2] == column).unwrap();
        let figure = figures.iter().find(|figure| figure[0] == label).unwrap();
        assert_eq!(sum[2], figure[1], "{label}");
        assert_ne!(sum[2], "0", "{label}");
    }
}

/// A figure of 0 leads to an empty list, any other to one with entries.
async fn links_lead_to_lists(tab: &Tab) {
    let overview = tab.path().await;
    let links = rows(tab, LINKS).await;
    let linked = links.iter().filter(|link| !link[1].is_empty()).count();
    assert_eq!(linked, rows(tab, FIGURES).await.len(), "each figure has a link: {links:?}");
    for link in &links {
        let (path, figure) = (&link[0], &link[1]);
        tab.click(&format!("main a[href='{path}']")).await;
        tab.until(&format!("never came to {path}"), async || {
            (tab.path().await == *path).then_some(())
        })
        .await;
        tab.find("main #list, main .empty").await;
        let is_none = !figure.contains(|digit: char| ('1'..='9').contains(&digit));
        if !figure.is_empty() {
            assert_eq!(tab.shows("main .empty").await, is_none, "{path} of {figure}");
        }
        tab.open(&overview).await;
    }
}
