//! What assistive technology learns about the pages that matter most.
//!
//! The tree of each page is compared with its snapshot, so that a change of it shows; what
//! must hold on every page is asserted beside it. After a wanted change: `INSTA_UPDATE=always`.

use serde_json::{Map, Value, json};
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::{EscrowId, MessageId, ServiceId};
use svc_server::testing::Engine;

use crate::PASSWORD;
use crate::app::{Member, TestApp};
use crate::driver;
use crate::market::{object, offer};
use crate::tab::Tab;
use crate::tree::{self, Node};

/// A page: the account that opens it, the name of its snapshot, and the path.
type Stop = (&'static str, &'static str, String);

/// A buyer, and an agent with its owner, who is an admin.
struct Shop {
    app: TestApp,
    ada: Member,
    bob: Member,
    service: ServiceId,
}

impl Shop {
    async fn open(app: TestApp) -> Self {
        let (ada, olga) = (app.person("ada", PASSWORD).await, app.person("olga", PASSWORD).await);
        app.grant_role("olga", "admin").await;
        let bob = app.agent("bob").await;
        let link = bob.client.agents().create_claim_link().await.unwrap().url;
        olga.client.agents().claim(link).await.unwrap();
        let service = offer(&bob, "Haiku", 20).await;
        bob.post("I write **haiku**, three lines each.").await;
        ada.post("Who writes haiku?").await;
        Self { app, ada, bob, service }
    }

    /// An order of ada's that an escrow pays.
    async fn order(&self) -> (EscrowId, MessageId) {
        let escrows = self.ada.client.escrow();
        let escrow = escrows.create("bob", &self.service, 20, "a haiku").await.unwrap().escrow.id;
        let input = object(json!({ "text": "the sea" }));
        let ordering = self.ada.client.orders().create("bob", &self.service, input);
        let order = ordering.escrow_id(escrow.clone()).await.unwrap().order.id;
        (escrow, order)
    }

    /// The same, delivered.
    async fn delivered(&self) -> (EscrowId, MessageId) {
        let (escrow, order) = self.order().await;
        let mut work = Deliverable::new("text");
        work.rest = Map::from_iter([("text".to_owned(), Value::from("The sea is wide."))]);
        self.bob.client.escrow().deliver(&escrow, work).await.unwrap();
        (escrow, order)
    }

    /// An order in each of four states, by the name of its snapshot.
    async fn orders(&self) -> [(&'static str, MessageId); 4] {
        let (_, progress) = self.order().await;
        let (_, delivered) = self.delivered().await;
        let (escrow, disputed) = self.delivered().await;
        self.ada.client.escrow().dispute(&escrow, "It has two lines.").await.unwrap();
        let (escrow, completed) = self.delivered().await;
        self.ada.client.escrow().release(&escrow).await.unwrap();
        [
            ("order-in-progress", progress),
            ("order-delivered", delivered),
            ("order-disputed", disputed),
            ("order-completed", completed),
        ]
    }

    /// The pages, in the order of who opens them.
    async fn stops(&self) -> Vec<Stop> {
        let orders = self.orders().await;
        let letter = self.bob.write(&self.ada, "Shall it rhyme?").await;
        // Nothing waits for the index when the dashboard is opened.
        self.app.index().await;
        let mut stops = vec![
            ("", "landing", "/".to_owned()),
            ("", "join", "/join".to_owned()),
            ("", "services", "/services".to_owned()),
            ("ada", "service", format!("/@bob/services/{}", self.service)),
            ("ada", "feed", "/feed?sort=new".to_owned()),
            ("ada", "messages", format!("/messages/{}", letter.conversation_id)),
            ("ada", "settings", "/settings".to_owned()),
        ];
        stops.extend(orders.map(|(name, id)| ("ada", name, format!("/orders/{id}"))));
        stops.push(("olga", "sell", "/sell".to_owned()));
        stops.push(("olga", "operate", "/operate".to_owned()));
        stops
    }
}

async fn start() -> Option<(TestApp, Tab)> {
    if !driver::is_installed() {
        return None;
    }
    let app = TestApp::start_with(Engine::Sqlite, &[]).await?;
    let tab = Tab::at(app.server.url().trim_end_matches("/api")).await;
    let zone = json!({ "timezoneId": "UTC" });
    tab.driver.devtools("Emulation.setTimezoneOverride", &zone).await;
    Some((app, tab))
}

/// Compares a tree, or a part of it, with the snapshot of this name.
fn assert_told(name: &str, nodes: &[&Node]) {
    insta::with_settings!({
        snapshot_path => "snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, tree::written(nodes));
    });
}

/// What would be wrong on any page, a line for each.
fn faults(page: &str, nodes: &[Node]) -> Vec<String> {
    let mut faults = of_headings(nodes);
    let mains = nodes.iter().filter(|node| node.role == "main").count();
    if mains != 1 {
        faults.push(format!("{mains} times main"));
    }
    let is_named = |node: &&Node| node.is_control() || node.role == "image";
    let nameless = nodes.iter().filter(is_named).filter(|node| node.name.is_empty());
    faults.extend(nameless.map(|node| format!("no name: {node:?}")));
    let menus = nodes.iter().filter(|node| node.role == "navigation");
    let mut menus: Vec<&str> = menus.map(|menu| &*menu.name).collect();
    menus.sort_unstable();
    if menus.contains(&"") || menus.windows(2).any(|two| two[0] == two[1]) {
        faults.push(format!("menus sound alike: {menus:?}"));
    }
    faults.iter().map(|fault| format!("{page}: {fault}")).collect()
}

/// One heading is that of the page, and no level is left out.
fn of_headings(nodes: &[Node]) -> Vec<String> {
    let headings: Vec<&Node> = nodes.iter().filter(|node| node.role == "heading").collect();
    let mut faults = Vec::new();
    let titles = headings.iter().filter(|heading| heading.level == 1).count();
    if titles != 1 {
        faults.push(format!("{titles} headings of level 1"));
    }
    let before = std::iter::once(0).chain(headings.iter().map(|heading| heading.level));
    let skipping = headings.iter().zip(before).filter(|(one, before)| one.level > before + 1);
    faults.extend(skipping.map(|(one, before)| format!("from level {before} to {one:?}")));
    faults
}

#[tokio::test]
async fn pages_tell_assistive_technology_what_they_show() {
    let Some((app, tab)) = start().await else { return };
    let shop = Shop::open(app).await;
    let (mut told, mut wrong, mut visitor) = (Vec::new(), Vec::new(), "");
    for (viewer, name, path) in shop.stops().await {
        if visitor != viewer {
            tab.sign_in(viewer, PASSWORD).await;
            visitor = viewer;
        }
        tab.open(&path).await;
        let nodes = tree::read(&tab).await;
        wrong.extend(faults(name, &nodes));
        told.push((name, nodes));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (name, nodes) in &told {
        let [content, around] = tree::parts(nodes);
        assert_told(name, &content);
        // The same on every page of a person.
        if *name == "settings" {
            assert_told("around", &around);
        }
    }
}

#[tokio::test]
async fn each_error_is_shown_with_its_field_and_linked_from_the_summary() {
    let Some((_app, tab)) = start().await else { return };
    tab.open("/join").await;
    let unchecked = "document.querySelector(\"form[action='/join']\").noValidate = true";
    tab.script(unchecked, &json!([])).await;
    let typed = [("username", "7"), ("email", "no"), ("password", "short")];
    for (name, text) in typed {
        tab.fill(&format!("main [name={name}]"), text).await;
    }
    tab.click("form[action='/join'] button").await;
    tab.sees("3 fields need a change.").await;
    let nodes = tree::read(&tab).await;
    assert_eq!(faults("join", &nodes), [""; 0]);
    let [content, _] = tree::parts(&nodes);
    assert_told("join-refused", &content);

    let wrong: Vec<&Node> = nodes.iter().filter(|node| node.is("invalid")).collect();
    assert_eq!(wrong.len(), typed.len(), "{wrong:?}");
    for field in wrong {
        assert!(field.role == "textbox" && !field.description.is_empty(), "{field:?}");
        assert!(
            !field.name.contains(&*field.description),
            "the error is announced twice: {field:?}"
        );
        let is_linked = |node: &Node| node.role == "link" && node.name == field.description;
        assert!(nodes.iter().any(is_linked), "the summary does not link {field:?}");
    }
    let alert = nodes.iter().position(|node| node.role == "alert").unwrap();
    assert_eq!(nodes[alert + 1].name, "3 fields need a change.");
}

#[tokio::test]
async fn the_buttons_of_a_post_wrap_where_letters_are_twice_as_large() {
    let Some((app, tab)) = start().await else { return };
    app.person("ada", PASSWORD).await.post("Large letters.").await;
    tab.sign_in("ada", PASSWORD).await;
    tab.is_sized(360, 640, true).await;
    tab.open("/feed?sort=new").await;
    let width = "
        document.documentElement.style.fontSize = '200%';
        return document.documentElement.scrollWidth;
    ";
    assert_eq!(tab.script(width, &json!([])).await, json!(360));
}
