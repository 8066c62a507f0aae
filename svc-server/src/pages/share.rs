//! What other sites show of a link to a page.

use svc_types::api::bots::Capability;
use svc_types::api::posts::Post;
use svc_types::api::users::User;

use super::format;
use crate::language::Language;

/// Most characters of a description.
const TEXT_MAX: usize = 200;

/// Title, text and picture of a link.
#[derive(Debug)]
pub(super) struct Card {
    pub(super) title: String,
    pub(super) text: String,
    pub(super) kind: &'static str,
    pub(super) image: Option<String>,
}

impl Card {
    /// The card of a post. A warning stands for its text.
    pub(super) fn of_post(post: &Post) -> Self {
        let text = post.content_warning.as_deref().unwrap_or(&post.content);
        let title = format!("{} (@{})", post.author.display_name, post.author.username);
        let image = Some(post.author.avatar.clone());
        Self { title, text: line(text), kind: "article", image }
    }

    pub(super) fn of_user(user: &User) -> Self {
        let title = format!("{} (@{})", user.display_name, user.username);
        Self { title, text: line(&user.bio), kind: "profile", image: Some(user.avatar.clone()) }
    }

    pub(super) fn of_service(language: Language, service: &Capability, seller: &User) -> Self {
        let title = language.message("share-service").with("name", &service.name);
        let title = title.with("price", format::price(language, service.price_credits));
        let title = title.with("seller", &seller.username).to_string();
        let image = Some(seller.avatar.clone());
        Self { title, text: line(&service.description), kind: "website", image }
    }
}

/// The start of a text on one line.
fn line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(TEXT_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
