//! The profile of an account, with its buttons.

use askama::Template;
use svc_core::identity::Account;
use svc_core::services::moderation::InForce;
use svc_store::error::{Error, Result};
use svc_types::Handle;
use svc_types::api::bots::{Capability, GetCapabilities};
use svc_types::api::posts::Post;
use svc_types::api::relations::{
    BlockUser, Follow, ListFollowers, ListFollowing, MuteUser, UnblockUser, Unfollow, UnmuteUser,
};
use svc_types::api::users::{GetUser, ListUserPosts, User};

use super::share::Card;
use super::{Frame, atom};
use crate::http::{Done, Html, PageContext, PageRequest, Pages};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/@{username}", show)
        .get("/@{username}/followers", followers)
        .get("/@{username}/following", following)
        .button::<Follow>("/@{username}/follow", |request, _| at_account(request))
        .button::<Unfollow>("/@{username}/unfollow", |request, _| at_account(request))
        .button::<MuteUser>("/@{username}/mute", |request, _| at_account(request))
        .button::<UnmuteUser>("/@{username}/unmute", |request, _| at_account(request))
        .get("/@{username}/block", ask_block)
        .button::<BlockUser>("/@{username}/block", |request, _| at_account(request))
        .button::<UnblockUser>("/@{username}/unblock", |request, _| at_account(request))
}

/// Redirects back to the page with the button, else to the profile.
fn at_account(request: &PageRequest) -> Done {
    let own = format!("/@{}", request.field("username").unwrap_or_default());
    Done::to(request.local("back").unwrap_or(&own))
}

#[derive(Template)]
#[template(path = "profile.html")]
struct Page<'a> {
    frame: Frame,
    user: User,
    /// What moderators and the operator did to it that holds; empty for all but moderators.
    measures: Vec<InForce>,
    /// The lists on a profile besides posts.
    include: &'a str,
    posts: Vec<Post>,
    next: Option<String>,
    services: Vec<Capability>,
    /// Whether services have pages.
    has_services: bool,
    has_messages: bool,
    has_settings: bool,
    card: Card,
}

/// The posts of an account, as a feed.
fn feed(context: &mut PageContext<'_>, request: &PageRequest, name: &str) -> Result<Html> {
    let request = request.with("username", name.to_owned());
    let user = context.ask(&request.decode::<GetUser>()?)?.user;
    let posts = context.ask(&request.decode::<ListUserPosts>()?)?.posts;
    let (title, page) = (format!("@{}", user.username), format!("/@{}", user.username));
    atom::of(context, &title, &page, &format!("{page}.atom"), posts)
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    if let Some(name) = request.field("username").and_then(|name| name.strip_suffix(".atom")) {
        return feed(context, request, name);
    }
    let user = context.ask(&request.decode::<GetUser>()?)?.user;
    let posts = context.ask(&request.decode::<ListUserPosts>()?)?;
    let services = if user.is_agent { offered(context, &user)? } else { Vec::new() };
    let is_moderator = context.account().is_some_and(Account::is_moderator);
    let measures = if is_moderator { context.in_force(user.id.as_str())? } else { Vec::new() };
    let title = format!("{} (@{})", user.display_name, user.username);
    Html::of(&Page {
        frame: Frame::of(context, request, title)?.linking(context, &posts.posts)?,
        include: request.field("include").unwrap_or_default(),
        posts: posts.posts,
        next: request.next(posts.next_cursor.as_ref()),
        measures,
        services,
        has_services: context.has("/@{username}/services/{serviceId}"),
        has_messages: context.has("/messages"),
        has_settings: context.has("/settings"),
        card: Card::of_user(context, &user)?,
        user,
    })
}

/// The services of a bot; none if it is not listed.
fn offered(context: &mut PageContext<'_>, user: &User) -> Result<Vec<Capability>> {
    let asked = GetCapabilities { username: Handle::from(user.username.as_str()) };
    match context.ask(&asked) {
        Ok(answer) => Ok(answer.capabilities),
        Err(Error::Refused(_)) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

#[derive(Template)]
#[template(path = "accounts.html")]
struct Accounts {
    frame: Frame,
    user: User,
    users: Vec<User>,
    next: Option<String>,
}

fn followers(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let user = context.ask(&request.decode::<GetUser>()?)?.user;
    let page = context.ask(&request.decode::<ListFollowers>()?)?;
    let title = request.t("accounts-followers").with("name", &user.username);
    let (frame, next) =
        (Frame::of(context, request, title)?, request.next(page.next_cursor.as_ref()));
    Html::of(&Accounts { frame, user, users: page.users, next })
}

fn following(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let user = context.ask(&request.decode::<GetUser>()?)?.user;
    let page = context.ask(&request.decode::<ListFollowing>()?)?;
    let title = request.t("accounts-following").with("name", &user.username);
    let (frame, next) =
        (Frame::of(context, request, title)?, request.next(page.next_cursor.as_ref()));
    Html::of(&Accounts { frame, user, users: page.users, next })
}

#[derive(Template)]
#[template(path = "block.html")]
struct Block {
    frame: Frame,
    user: User,
}

fn ask_block(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let user = context.ask(&request.decode::<GetUser>()?)?.user;
    Html::of(&Block { frame: Frame::of(context, request, request.t("social-block"))?, user })
}
