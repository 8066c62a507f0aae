//! Who may see and do what: a row for each page and form.

use std::collections::BTreeSet;

use http::StatusCode;

use crate::browser::{Browser, PASSWORD, Page};
use crate::on_both_engines;

/// What somebody is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// The page itself.
    Shown,
    /// Another page, once it is done or because there is nothing to do.
    Onward,
    /// The way to the sign-in.
    SignIn,
    /// A refusal with this status.
    Refused(u16),
}
use Seen::{Onward, Refused, Shown, SignIn};

/// Method, path, and what it is for: nobody in particular, another person, the author.
const ROWS: &[(&str, &str, [Seen; 3])] = &[
    ("GET", "/", [Shown, Shown, Shown]),
    ("GET", "/compose", [SignIn, Shown, Shown]),
    ("POST", "/compose", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/post/{postId}", [Shown, Shown, Shown]),
    ("POST", "/post/{postId}", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/post/{postId}/edit", [SignIn, Refused(404), Shown]),
    ("POST", "/post/{postId}/edit", [Refused(401), Refused(403), Onward]),
    ("GET", "/post/{postId}/history", [Shown, Shown, Shown]),
    ("GET", "/post/{postId}/embed", [Shown, Shown, Shown]),
    ("POST", "/post/{postId}/like", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/unlike", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/repost", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/unrepost", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/bookmark", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/unbookmark", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/mute", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/unmute", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/pin", [SignIn, Refused(403), Onward]),
    ("POST", "/post/{postId}/unpin", [SignIn, Refused(403), Onward]),
    ("GET", "/post/{postId}/delete", [SignIn, Refused(404), Shown]),
    ("POST", "/post/{postId}/delete", [Refused(401), Refused(403), Onward]),
    ("GET", "/report", [SignIn, Shown, Shown]),
    ("POST", "/report", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/login", [Shown, Onward, Onward]),
    ("POST", "/login", [Refused(400), Refused(400), Refused(400)]),
    ("GET", "/join", [Shown, Onward, Onward]),
    ("POST", "/join", [Refused(400), Refused(400), Refused(400)]),
    // Last, for who signs out sees nothing more.
    ("POST", "/logout", [SignIn, Onward, Onward]),
];

fn seen(page: &Page) -> Seen {
    match page.status {
        StatusCode::OK => Shown,
        StatusCode::SEE_OTHER if page.to().starts_with("/login") => SignIn,
        StatusCode::SEE_OTHER => Onward,
        other => Refused(other.as_u16()),
    }
}

#[test]
fn every_page_has_a_row() {
    let rows: BTreeSet<_> = ROWS.iter().map(|(method, path, _)| (*method, *path)).collect();
    let pages: BTreeSet<_> = svc_server::pages::pages().places().into_iter().collect();
    assert_eq!(rows, pages);
}

on_both_engines! {
    async fn each_page_is_for_whom_it_says(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.person("eve", PASSWORD).await;
        let post = ada.post("mine").await;
        let browsers = [
            Browser::new(&app),
            Browser::of(&app, "eve").await,
            Browser::of(&app, "ada").await,
        ];
        for (method, path, expected) in ROWS {
            let path = path.replace("{postId}", post.id.as_str());
            for (browser, expected) in browsers.iter().zip(expected) {
                let page = match *method {
                    "GET" => browser.get(&path).await,
                    _ => browser.post(&path, &[]).await,
                };
                assert_eq!(seen(&page), *expected, "{method} {path}: {}", page.text);
                if page.status != StatusCode::SEE_OTHER {
                    page.html();
                }
            }
        }
    }
}
