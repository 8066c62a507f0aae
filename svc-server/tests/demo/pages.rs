//! Every page that the people of the world find by its links.

use std::collections::{BTreeSet, VecDeque};

use crate::world::{Caller, Demo, PEOPLE};

/// Most pages that are opened for a person.
const PAGES_MAX: usize = 400;

/// Addresses that are no page, or that lead on without end.
const LEFT_OUT: [&str; 4] = ["/assets", "/api/docs", "cursor=", "/export"];

/// Pages from which a person goes on.
const DOORS: [&str; 6] = ["/", "/orders", "/services", "/notifications", "/messages", "/settings"];

/// Opens every page that links lead to. Returns what was opened, and what did not answer 200.
async fn walk(person: &Caller, doors: &[&str]) -> (BTreeSet<String>, Vec<String>) {
    let mut next: VecDeque<String> = doors.iter().map(|&door| door.to_owned()).collect();
    let mut seen: BTreeSet<String> = next.iter().cloned().collect();
    let (mut opened, mut wrong) = (BTreeSet::new(), Vec::new());
    while let Some(path) = next.pop_front().filter(|_| opened.len() < PAGES_MAX) {
        let (status, text) = person.page(&path).await;
        if !status.is_redirection() && status != 200 {
            wrong.push(format!("{status} {path}"));
        }
        opened.insert(path);
        for link in links(&text) {
            if seen.insert(link.clone()) {
                next.push_back(link);
            }
        }
    }
    (opened, wrong)
}

/// The addresses of this site that a page links to.
fn links(page: &str) -> Vec<String> {
    let parts = page.split("href=\"/").skip(1);
    let links = parts.filter_map(|part| part.split('"').next());
    let links = links.map(|link| format!("/{}", link.replace("&amp;", "&")));
    let links = links.map(|link| link.split('#').next().unwrap_or_default().to_owned());
    links.filter(|link| !LEFT_OUT.iter().any(|part| link.contains(part))).collect()
}

#[tokio::test]
async fn every_page_that_a_link_leads_to_is_there() {
    let demo = Demo::start().await;
    for name in PEOPLE {
        let person = demo.person(name).await;
        let own: &[&str] = match name {
            "otto" => &["/sell", "/sell?agent=plot", "/sell?agent=lint", "/sell?agent=tally"],
            "mira" => &["/moderation", "/moderation/disputes"],
            "ines" => &["/operate", "/operate/deliveries", "/operate/orders", "/operate/escrows"],
            _ => &[],
        };
        for door in own {
            let (status, _) = person.page(door).await;
            assert!(status == 200 || status.is_redirection(), "{status} {door} of {name}");
        }
        let (opened, wrong) = walk(&person, &[own, &DOORS].concat()).await;
        assert!(wrong.is_empty(), "{name}: {wrong:?}");
        assert!(opened.len() >= 60, "{name} found {} pages", opened.len());
        if name == "ada" {
            let orders = opened.iter().filter(|path| path.starts_with("/orders/msg_")).count();
            assert!(orders >= 15, "{orders}");
        }
    }
}
