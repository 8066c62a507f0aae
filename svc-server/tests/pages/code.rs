//! Highlighted code on pages.

use http::StatusCode;

use crate::browser::{Browser, PASSWORD};
use crate::on_both_engines;

const TEXT: &str = "look #code\n\n```rust\nfn f() {} // </span><b>\n```";
const CODE: &str = "<pre><code><span class=\"k\">fn</span> <span class=\"f\">f</span>() {} <span class=\"c\">// &lt;/span&gt;&lt;b&gt;\n</span></code></pre>";

/// The stylesheet.
const STYLE: &str = include_str!("../../assets/svc.css");

on_both_engines! {
    async fn every_page_that_shows_a_post_colours_its_code(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let post = ada.post(TEXT).await;
        let list = ada.client.lists().create("writers").await.unwrap().list;
        ada.client.lists().add(&list.id, ["ada"]).await.unwrap();
        let reply = ada.reply(&post, "thanks").await;
        app.index().await;
        let (mine, guest) = (Browser::of(&app, "ada").await, Browser::new(&app));
        let pages = [
            (&guest, "/".to_owned()),
            (&guest, "/feed".to_owned()),
            (&guest, format!("/post/{}", post.id)),
            (&mine, "/feed?sort=new".to_owned()),
            (&mine, "/@ada".to_owned()),
            (&mine, "/tag/code".to_owned()),
            (&mine, "/search?q=look".to_owned()),
            (&mine, format!("/lists/{}", list.id)),
            (&mine, format!("/post/{}", reply.id)),
            (&mine, format!("/post/{}/delete", post.id)),
        ];
        for (browser, path) in &pages {
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::OK, "{path}");
            assert!(page.text.contains("<pre><code>fn f() {} // &lt;/span&gt;&lt;b&gt;\n"), "{path}: {}", page.text);
        }
        app.server.highlight().await;
        for (browser, path) in &pages {
            let page = browser.get(path).await;
            assert!(page.text.contains(CODE), "{path}: {}", page.text);
        }
        let feed = guest.get("/feed.atom").await.text;
        assert!(feed.contains("fn f() {}"), "readers of feeds have no colours: {feed}");
    }

    async fn the_beginning_of_long_code_in_a_list_is_coloured_too(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let post = ada.post(&format!("```rust\n{}```", "fn f() {}\n".repeat(100))).await;
        app.server.highlight().await;
        let browser = Browser::new(&app);
        let list = browser.get("/feed?sort=new").await.text;
        let count = list.matches("<span class=\"k\">fn</span>").count();
        assert!((40..60).contains(&count), "{list}");
        let page = browser.get(&format!("/post/{}", post.id)).await.text;
        assert_eq!(page.matches("<span class=\"k\">fn</span>").count(), 100);
    }
}

/// The value of a declaration in the stylesheet.
fn value<'a>(before: &str) -> &'a str {
    let start = STYLE.find(before).unwrap_or_else(|| panic!("{before} is in the stylesheet"));
    let rest = &STYLE[start + before.len()..];
    &rest[..rest.find([';', '}']).unwrap()]
}

/// The red, green and blue of `#abc` or `#aabbcc`.
fn channels(colour: &str) -> [u32; 3] {
    let digits = colour.strip_prefix('#').unwrap();
    let width = digits.len() / 3;
    [0, 1, 2].map(|channel| {
        let digits = &digits[channel * width..(channel + 1) * width];
        u32::from_str_radix(&digits.repeat(3 - width), 16).unwrap()
    })
}

/// How bright a colour is, as WCAG 2 says.
fn luminance(colour: &str) -> f64 {
    let linear = channels(colour).map(|channel| {
        let part = f64::from(channel) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

/// A variable of the stylesheet in the light and the dark theme.
fn in_both_themes(variable: &str) -> [String; 2] {
    let colours = value(&format!("--{variable}:light-dark("));
    let (light, dark) = colours.trim_end_matches(')').split_once(',').unwrap();
    [light, dark].map(str::to_owned)
}

#[test]
fn each_class_of_code_can_be_read_in_both_themes() {
    let rule = STYLE.split(".md pre{").nth(1).and_then(|rest| rest.split('}').next());
    assert!(rule.unwrap().contains("background:var(--ground)"));
    let ground = in_both_themes("ground");
    for class in ["k", "s", "n", "c", "f", "t"] {
        let variable = value(&format!(".md .{class}{{color:var(--"));
        let colours = in_both_themes(variable.trim_end_matches(')'));
        for (colour, ground) in colours.iter().zip(&ground) {
            let mut pair = [luminance(colour), luminance(ground)];
            pair.sort_by(f64::total_cmp);
            let contrast = (pair[1] + 0.05) / (pair[0] + 0.05);
            assert!(contrast >= 4.5, "{class}: {colour} on {ground} is {contrast}");
        }
    }
}
