//! Pictures and embeds.

use svc_bot_kit::testing::{Fault, FaultProxy};

use crate::shell::Shell;

/// A GIF of one pixel.
const PICTURE: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x01D\0;";

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_set_from_a_file_and_removed() {
    let shell = Shell::with_agent().await;
    let path = shell.folder.path().join("me.gif");
    std::fs::write(&path, PICTURE).unwrap();
    let path = path.to_str().unwrap();
    let shown = shell.svc(&["avatar", "set", path, "--dry-run"]).ok();
    assert!(shown.starts_with("PUT ") && shown.contains("/users/me/avatar"), "{shown}");
    let address = shell.svc(&["avatar", "set", path]).ok();
    assert!(address.contains("/avatar?v="), "{address}");
    let said = shell.svc(&["avatar", "set", path, "--json"]).json();
    assert_eq!(said["user"]["avatar"], address.trim());
    let removed = shell.svc(&["avatar", "remove"]).ok();
    assert!(removed.trim().ends_with("/avatar"), "{removed}");
    let text = shell.file("me.txt", "no picture");
    shell.svc(&["avatar", "set", &text]).run().ends_with(2);
    let large = shell.file("large", &"x".repeat(2 * 1024 * 1024 + 1));
    shell.svc(&["avatar", "set", &large]).run().ends_with(2);
    shell.svc(&["avatar", "set", "nowhere.png"]).run();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_is_put_on_a_page() {
    let shell = Shell::with_agent().await;
    let id = shell.svc(&["post", "hello & <b>goodbye</b>"]).ok();
    let id = id.trim();
    let snippet = shell.svc(&["embed", id, "--max-width", "300"]).ok();
    assert!(snippet.starts_with("<iframe ") && snippet.contains("width=\"300\""), "{snippet}");
    let embed = shell.svc(&["embed", id, "--json"]).json();
    assert_eq!(embed["embed"]["post"]["id"], id);
    let page = shell.svc(&["embed", id, "--html", "--theme", "dark"]).ok();
    assert!(page.starts_with("<!doctype html>\n<html lang=\"en\" class=\"dark\">"), "{page}");
    assert!(page.contains("hello &#38; &#60;b&#62;") || page.contains("hello &amp; &lt;b&gt;"));
    shell.svc(&["embed", id, "--max-width", "219"]).run().ends_with(2);
    shell.svc(&["embed", "post_nothing", "--html"]).run().ends_with(3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_shows_images_that_say_what_they_show() {
    let shell = Shell::with_agent().await;
    let path = shell.folder.path().join("chart.gif");
    std::fs::write(&path, PICTURE).unwrap();
    let path = path.to_str().unwrap();
    let post = ["post", "sales doubled", "--image", path, "--alt", "Sales\nby month"];
    let shown = shell.svc(&[&post[..], &["--dry-run"]].concat()).ok();
    assert!(shown.contains("/media") && shown.contains("by month"), "{shown}");
    let id = shell.svc(&post).ok();
    let read = shell.svc(&["read", id.trim()]).ok();
    assert!(read.contains("\nimage http") && read.contains("\n  Sales by month\n"), "{read}");
    let reply =
        ["reply", id.trim(), "more", "--image", path, "--alt", "a", "--image", path, "--alt", "b"];
    let reply = shell.svc(&[&reply[..], &["--json"]].concat()).json();
    let alts: Vec<_> = reply["post"]["attachments"].as_array().unwrap().iter().collect();
    assert_eq!((alts.len(), &alts[1]["alt"]), (2, &serde_json::json!("b")));
    shell.svc(&["post", "a", "--image", path]).run().ends_with(2);
    shell.svc(&["post", "a", "--image", path, "--alt", "a", "--alt", "b"]).run().ends_with(2);
    shell.svc(&["post", "a", "--image", path, "--alt", "a", "--after", "1h"]).run().ends_with(2);
    let sized = |bytes| {
        let path = shell.file("large", &"x".repeat(bytes));
        shell.svc(&["post", "a", "--image", &path, "--alt", "a", "--dry-run"]).run()
    };
    sized(8 * 1024 * 1024).ends_with(0);
    let refused = sized(8 * 1024 * 1024 + 1).ends_with(2);
    assert!(refused.stderr.contains("must have at most 8388608 bytes"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_with_an_image_is_published_once_under_the_printed_key() {
    let shell = Shell::with_agent().await;
    let path = shell.folder.path().join("chart.gif");
    std::fs::write(&path, PICTURE).unwrap();
    let line = ["post", "sales doubled", "--image", path.to_str().unwrap(), "--alt", "a", "--json"];
    let (proxy, own) = (FaultProxy::start(shell.server.url()).await.unwrap(), shell.key("wordbot"));
    let typed = |more: &[&str]| shell.svc(&[&line[..], more].concat()).env("SVC_API_KEY", &own);
    proxy.always("POST /api/media", Fault::LoseAnswer);
    let lost = typed(&["--timeout", "1s"]).env("SVC_URL", proxy.url()).fails(7);
    let key = lost["idempotencyKey"].as_str().unwrap();
    proxy.heal();
    proxy.always("POST /api/posts", Fault::LoseAnswer);
    let again = typed(&["--timeout", "1s", "--idempotency-key", key]);
    assert_eq!(again.env("SVC_URL", proxy.url()).fails(7)["idempotencyKey"], key);
    let post = typed(&["--idempotency-key", key]).json();
    assert_eq!(post["post"]["attachments"].as_array().unwrap().len(), 1);
    let posts = shell.svc(&["posts", "wordbot", "--json"]).json();
    assert_eq!(posts["posts"].as_array().unwrap().len(), 1);
}
