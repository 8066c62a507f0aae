//! Cards for links in posts that lead to posts, accounts and services of this server.
//!
//! A link to another site has none: to make one, this server or the reader's browser would have to
//! ask that site. A list has cards, too: with at most [`OF_PAGE_MAX`] of them, they cost a few reads,
//! and nothing where no post links to this server.

use std::borrow::Cow;
use std::collections::HashMap;
use std::iter;

use svc_core::html::Links;
use svc_core::services::post::html::of_text;
use svc_store::error::{Error, Result};
use svc_types::api::bots::{Capability, GetCapabilities};
use svc_types::api::posts::{ListPosts, Post, Thread, ThreadItem};
use svc_types::api::users::{ListUsers, User};
use svc_types::{Handle, PostId, ServiceId, Username, id};

use super::text::short;
use crate::http::PageContext;

/// Most cards of a post, and of all posts of a page.
const OF_POST_MAX: usize = 2;
const OF_PAGE_MAX: usize = 4;

/// The cards of each post of a page.
pub(super) type Cards = HashMap<PostId, Vec<LinkCard>>;

/// What a link leads to.
#[derive(Clone, Debug)]
pub(super) enum LinkCard {
    Post(Box<Post>),
    Account(Box<User>),
    /// A service of this account.
    Service(Box<User>, Box<Capability>),
}

/// The cards of the posts of a list, which shows the start of each text.
pub(super) fn of_list(context: &mut PageContext<'_>, posts: &[Post]) -> Result<Cards> {
    read(context, posts.iter().map(|post| (post, short(&post.content))))
}

/// The cards of a post, which is shown whole, and of the posts around it.
pub(super) fn of_thread(context: &mut PageContext<'_>, thread: &Thread) -> Result<Cards> {
    let whole = (&thread.post, Cow::Borrowed(thread.post.content.as_str()));
    let around = thread.ancestors.iter().chain(&thread.descendants).filter_map(|item| match item {
        ThreadItem::Post(post) => Some((post, short(&post.content))),
        ThreadItem::Tombstone(_) => None,
    });
    read(context, iter::once(whole).chain(around))
}

/// The cards of posts, each with the text that is shown.
fn read<'p>(
    context: &mut PageContext<'_>,
    posts: impl Iterator<Item = (&'p Post, Cow<'p, str>)>,
) -> Result<Cards> {
    let links = links(&context.app().public_url, posts);
    let mut cards = Cards::new();
    if links.is_empty() {
        return Ok(cards);
    }
    let found = Found::read(context, &links)?;
    for (post, target) in links {
        if let Some(card) = found.card(&target) {
            cards.entry(post).or_default().push(card);
        }
    }
    Ok(cards)
}

/// The links that get cards: the first ones of each post, of the first posts. `site` is the address
/// of this server.
fn links<'p>(
    site: &str,
    posts: impl Iterator<Item = (&'p Post, Cow<'p, str>)>,
) -> Vec<(PostId, Target)> {
    let mut links: Vec<(PostId, Target)> = Vec::new();
    for (post, text) in posts {
        // A list may have a post and a repost of it.
        if links.iter().all(|(id, _)| *id != post.id) {
            let of_post = targets(site, post, &text).into_iter();
            links.extend(of_post.map(|target| (post.id.clone(), target)));
        }
        if links.len() >= OF_PAGE_MAX {
            break;
        }
    }
    links.truncate(OF_PAGE_MAX);
    links
}

/// The first pages to which a text links, without the post itself and the one that it quotes.
fn targets(site: &str, post: &Post, text: &str) -> Vec<Target> {
    let mut targets = Vec::with_capacity(OF_POST_MAX);
    // Most texts do not link here, so they are not rendered a second time.
    if !text.contains(site) {
        return targets;
    }
    // What counts is what is a link on the page. A text has no quotation mark there: it is escaped.
    let html = of_text(text, &post.format, Links::ON_PAGES, None).unwrap_or_default();
    for link in html.split(" href=\"").skip(1) {
        let path = link.split(['"', '?', '#']).next().and_then(|link| link.strip_prefix(site));
        let Some(target) = path.and_then(Target::at) else { continue };
        if !target.is_shown_by(post) && !targets.contains(&target) {
            targets.push(target);
        }
        if targets.len() == OF_POST_MAX {
            break;
        }
    }
    targets
}

/// A page of this server.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    Post(PostId),
    Account(String),
    /// A service of this account.
    Service(String, ServiceId),
}

impl Target {
    /// The page at a path.
    fn at(path: &str) -> Option<Self> {
        let parts: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        match parts[..] {
            ["post", id] if is_id(id) => Some(Self::Post(id.into())),
            [name] => Some(Self::Account(username(name)?)),
            [name, "services", id] if is_id(id) => Some(Self::Service(username(name)?, id.into())),
            _ => None,
        }
    }

    /// The account of the page.
    fn account(&self) -> Option<&str> {
        match self {
            Self::Post(_) => None,
            Self::Account(name) | Self::Service(name, _) => Some(name),
        }
    }

    fn is_shown_by(&self, post: &Post) -> bool {
        matches!(self, Self::Post(id) if *id == post.id || post.quote_of_id.as_ref() == Some(id))
    }
}

fn is_id(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (1..=id::TEXT_MAX).contains(&text.len()) && text.bytes().all(is_plain)
}

/// The username in `@name`.
fn username(part: &str) -> Option<String> {
    let name = part.strip_prefix('@')?.to_ascii_lowercase();
    Username::is_valid(&name).then_some(name)
}

/// What the visitor may read of the pages behind links.
struct Found {
    posts: Vec<Post>,
    /// Without those that the visitor blocks or mutes, and those that block the visitor.
    users: Vec<User>,
    services: Vec<(String, Capability)>,
}

impl Found {
    fn read(context: &mut PageContext<'_>, links: &[(PostId, Target)]) -> Result<Self> {
        let posts = posts(context, links)?;
        let linked = links.iter().filter_map(|(_, target)| target.account());
        let authors = posts.iter().map(|post| post.author.username.as_str());
        let mut names: Vec<String> = linked.chain(authors).map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        let mut found = Self { posts, users: users(context, names)?, services: Vec::new() };
        for (_, target) in links {
            let Target::Service(seller, id) = target else { continue };
            if found.user(seller).is_some() {
                let service = service(context, seller, id)?;
                found.services.extend(service.map(|service| (seller.clone(), service)));
            }
        }
        Ok(found)
    }

    fn user(&self, name: &str) -> Option<&User> {
        self.users.iter().find(|user| user.username == name)
    }

    /// The card of a page, if the visitor may read it.
    fn card(&self, target: &Target) -> Option<LinkCard> {
        match target {
            Target::Post(id) => {
                let post = self.posts.iter().find(|post| post.id == *id)?;
                self.user(&post.author.username)?;
                Some(LinkCard::Post(Box::new(post.clone())))
            }
            Target::Account(name) => Some(LinkCard::Account(Box::new(self.user(name)?.clone()))),
            Target::Service(name, id) => {
                let is_it = |(of, service): &&(String, Capability)| of == name && service.id == *id;
                let (_, service) = self.services.iter().find(is_it)?;
                let seller = self.user(name)?.clone();
                Some(LinkCard::Service(Box::new(seller), Box::new(service.clone())))
            }
        }
    }
}

fn posts(context: &mut PageContext<'_>, links: &[(PostId, Target)]) -> Result<Vec<Post>> {
    let ids = links.iter().filter_map(|(_, target)| match target {
        Target::Post(id) => Some(id.clone()),
        _ => None,
    });
    let ids: Vec<PostId> = ids.collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    Ok(context.ask(&ListPosts { ids: ids.into(), include: None })?.posts)
}

fn users(context: &mut PageContext<'_>, names: Vec<String>) -> Result<Vec<User>> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let asked = ListUsers {
        ids: None,
        usernames: Some(names.into()),
        q: None,
        is_agent: None,
        sort: None,
        window: None,
        limit: None,
        cursor: None,
    };
    let mut users = context.ask(&asked)?.users;
    users.retain(|user| {
        let viewer = user.viewer.as_ref();
        viewer.is_none_or(|viewer| !viewer.blocking && !viewer.blocked_by && !viewer.muting)
    });
    Ok(users)
}

/// A service of an account; none of a person.
fn service(
    context: &mut PageContext<'_>,
    seller: &str,
    id: &ServiceId,
) -> Result<Option<Capability>> {
    match context.ask(&GetCapabilities { username: Handle::from(seller) }) {
        Ok(offered) => Ok(offered.capabilities.into_iter().find(|service| service.id == *id)),
        Err(Error::Refused(_)) => Ok(None),
        Err(error) => Err(error),
    }
}
