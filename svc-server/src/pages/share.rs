//! What other sites and search engines show of a page.

use svc_core::html::on_one_line;
use svc_core::services::post::text::is_blank;
use svc_store::error::Result;
use svc_types::api::bots::Capability;
use svc_types::api::posts::Post;
use svc_types::api::users::User;

use super::{Frame, format, linked_data};
use crate::html::JsonData;
use crate::http::PageContext;
use crate::language::Language;

/// Most characters of a description.
const TEXT_MAX: usize = 200;

/// The parts of the site for everyone, each with all pages below it and the id of its description.
const PARTS: [(&str, &str); 5] = [
    ("/about", "share-about"),
    ("/docs", "share-docs"),
    ("/explore", "share-explore"),
    ("/feed", "share-feed"),
    ("/services", "share-services"),
];

/// The other pages for everyone, as they are declared.
const PAGES: [&str; 5] =
    ["/", "/@{username}", "/@{username}/services/{serviceId}", "/post/{postId}", "/tag/{name}"];

/// The page in these parts that only repeats others.
const RAIL: &str = "/explore/rail";

/// Whether search engines may list a page, by its declared path. All others are for one visitor, are
/// the way into an account, or repeat what these show.
pub(crate) fn is_public(path: &str) -> bool {
    PAGES.contains(&path) || description(path).is_some()
}

/// The id of the description of the part with this page.
fn description(path: &str) -> Option<&'static str> {
    if path == RAIL {
        return None;
    }
    let is_in = |part: &str| {
        path.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    PARTS.into_iter().find(|(part, _)| is_in(part)).map(|(_, about)| about)
}

/// Title, text and picture of a link, and what search engines read.
#[derive(Clone, Debug)]
pub(super) struct Card {
    pub(super) title: String,
    pub(super) text: String,
    pub(super) kind: &'static str,
    pub(super) image: Option<String>,
    /// The content of the page for programs.
    pub(super) data: Option<JsonData>,
    /// Whether search engines may list the page: not that of a limited account, nor one without content.
    pub(super) is_listed: bool,
    /// The address of the page as links write it; none if no other leads to it.
    url: Option<String>,
}

impl Card {
    /// The card of a post. A warning stands for its text and its images.
    pub(super) fn of_post(context: &mut PageContext<'_>, post: &Post) -> Result<Self> {
        let (author, text) = (&post.author, line(shown_of(post)));
        let first = post.attachments.first().filter(|_| post.content_warning.is_none());
        let image = first.map_or(&author.avatar, |image| &image.url).clone();
        let data = linked_data::of_post(&context.app().public_url, post, &text);
        Ok(Self {
            title: named(&author.display_name, &author.username),
            text,
            kind: "article",
            image: Some(image),
            data: Some(JsonData::new(data)),
            is_listed: is_listed(context, &author.username)?,
            url: None,
        })
    }

    pub(super) fn of_user(context: &mut PageContext<'_>, user: &User) -> Result<Self> {
        let text = line(&user.bio);
        let data = linked_data::of_user(&context.app().public_url, user, &text);
        Ok(Self {
            title: named(&user.display_name, &user.username),
            text,
            kind: "profile",
            image: Some(user.avatar.clone()),
            data: Some(JsonData::new(data)),
            is_listed: is_listed(context, &user.username)?,
            url: Some(format!("{}/@{}", context.app().public_url, user.username)),
        })
    }

    pub(super) fn of_service(
        context: &mut PageContext<'_>,
        language: Language,
        service: &Capability,
        seller: &User,
    ) -> Result<Self> {
        let title = language.message("share-service").with("name", &service.name);
        let title = title.with("price", format::price(language, service.price_credits));
        let text = line(&service.description);
        let site = &context.app().public_url;
        let data = linked_data::of_service(site, service, seller, &text);
        let url = format!("{site}/@{}/services/{}", seller.username, service.id);
        Ok(Self {
            title: on_one_line(&title.with("seller", &seller.username).to_string()),
            text,
            kind: "website",
            image: Some(seller.avatar.clone()),
            data: Some(JsonData::new(data)),
            is_listed: is_listed(context, &seller.username)?,
            url: Some(url),
        })
    }

    /// The card of a hashtag, which search engines list if it has posts.
    pub(super) fn of_tag(site: &str, language: Language, name: &str, has_posts: bool) -> Self {
        let text = language.message("share-tag").with("name", name).to_string();
        let url = Some(format!("{site}/tag/{}", super::text::encoded(name)));
        Self { is_listed: has_posts, url, ..Self::of_list(format!("#{name}"), text) }
    }

    /// The card of a page in a part of the site for everyone.
    pub(super) fn of_page(language: Language, path: &str, title: &str) -> Option<Self> {
        let about = description(path.split('?').next()?)?;
        Some(Self::of_list(title.to_owned(), language.text(about)))
    }

    fn of_list(title: String, text: String) -> Self {
        let (image, data, url) = (None, None, None);
        Self { title, text, kind: "website", image, data, is_listed: true, url }
    }

    /// The address of the page, the same for all that show it.
    pub(super) fn url_in(&self, frame: &Frame) -> String {
        self.url.clone().unwrap_or_else(|| frame.page_url())
    }
}

/// What others show of a post: its warning or its text, and if nothing is visible in that, what its first image shows.
pub(super) fn shown_of(post: &Post) -> &str {
    if let Some(warning) = &post.content_warning {
        return warning;
    }
    let image = post.attachments.first().filter(|_| is_blank(&post.content));
    image.map_or(&post.content, |image| &image.alt)
}

/// Whether search engines may list the pages of an account.
fn is_listed(context: &mut PageContext<'_>, username: &str) -> Result<bool> {
    Ok(!context.listed(&[username])?.is_empty())
}

/// An account as a title.
fn named(display_name: &str, username: &str) -> String {
    on_one_line(&format!("{display_name} (@{username})"))
}

/// The start of a text on one line.
fn line(text: &str) -> String {
    let line = on_one_line(text);
    match line.char_indices().nth(TEXT_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
