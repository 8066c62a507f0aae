//! `svc links`: begun here, finished in a browser.

use crate::shell::{PASSWORD, Shell};

const X: [(&str, &str); 1] = [("links.x.client_id", "svc-at-x")];

#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_begun_by_a_url_for_the_browser() {
    let shell = Shell::start_with(&X).await;
    shell.person("ada");
    assert_eq!(shell.svc(&["links", "list"]).ok().trim(), "no account elsewhere is linked");
    shell.svc(&["step-up", "--password-stdin"]).stdin(PASSWORD).ok();
    let begun = shell.svc(&["links", "add", "x"]).run();
    let url = begun.stdout.trim();
    assert!(url.starts_with("https://x.com/i/oauth2/authorize?"), "{begun:?}");
    assert!(url.contains("client_id=svc-at-x"), "{url}");
    assert!(begun.stderr.contains("within ten minutes"), "{begun:?}");
    let missing = shell.svc(&["links", "add", "google", "--json"]).fails(1);
    assert_eq!(missing["code"], "feature_not_configured");
    let none = shell.svc(&["links", "remove", "x", "--yes", "--json"]).fails(3);
    assert_eq!(none["code"], "not_found");
}
