//! Lists of accounts: reading and editing.

use askama::Template;
use svc_store::error::{Error, Result};
use svc_types::api::Deleted;
use svc_types::api::hashtags::{Hashtag, ListFollowedHashtags};
use svc_types::api::lists::{
    AddListMembers, CreateList, DeleteList, GetList, List, ListEnvelope, ListListMembers,
    ListListPosts, ListLists, ListVisibility, RemoveListMember, RepliesPolicy, UpdateList,
};
use svc_types::api::posts::Post;
use svc_types::api::users::User;

use super::{Flash, Frame};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};

/// Options of a list: who may read it, and which replies it shows, each with the id of its label.
const VISIBILITIES: [(ListVisibility, &str); 2] =
    [(ListVisibility::Private, "lists-only-me"), (ListVisibility::Public, "lists-everyone")];
const REPLIES: [(RepliesPolicy, &str); 3] = [
    (RepliesPolicy::Members, "lists-replies-members"),
    (RepliesPolicy::All, "lists-replies-all"),
    (RepliesPolicy::None, "lists-replies-none"),
];

/// Most hashtags that the page of all lists shows.
const HASHTAGS_MAX: u32 = 100;

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/lists", show_all)
        .form::<CreateList>("/lists", show_all, |_, made| at(made).say(Flash::Saved))
        .get("/lists/{listId}", show)
        .get("/lists/{listId}/members", members)
        .form::<AddListMembers>("/lists/{listId}/members", members, at_members)
        .button::<RemoveListMember>("/lists/{listId}/members/{username}/remove", at_members)
        .get("/lists/{listId}/edit", edit)
        .form::<UpdateList>("/lists/{listId}/edit", edit, |_, list| at(list).say(Flash::Saved))
        .get("/lists/{listId}/delete", ask_delete)
        .form::<DeleteList>("/lists/{listId}/delete", ask_delete, |_, _: &Deleted| {
            Done::to("/lists").say(Flash::ListDeleted)
        })
}

fn at(answer: &ListEnvelope) -> Done {
    Done::to(format!("/lists/{}", answer.list.id))
}

fn at_members(_: &PageRequest, answer: &ListEnvelope) -> Done {
    Done::to(format!("/lists/{}/members", answer.list.id)).say(Flash::Saved)
}

#[derive(Template)]
#[template(path = "lists.html")]
struct All<'a> {
    frame: Frame,
    form: Form<'a>,
    lists: Vec<List>,
    next: Option<String>,
    /// The hashtags that the visitor follows, whose posts are in the visitor's feed too.
    followed: Vec<Hashtag>,
    visibilities: &'static [(ListVisibility, &'static str)],
}

fn show_all(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let page = context.ask(&ListLists {
        owner: None,
        limit: None,
        cursor: request.field("cursor").map(Into::into),
    })?;
    let hashtags = ListFollowedHashtags { limit: Some(HASHTAGS_MAX.into()), cursor: None };
    Html::of(&All {
        followed: context.ask(&hashtags)?.hashtags,
        frame: Frame::of(context, request, request.t("place-list"))?,
        form: request.form::<CreateList>(),
        lists: page.lists,
        next: request.next(page.next_cursor.as_ref()),
        visibilities: &VISIBILITIES,
    })
}

#[derive(Template)]
#[template(path = "list.html")]
struct Page {
    frame: Frame,
    list: List,
    posts: Vec<Post>,
    next: Option<String>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let list = context.ask(&request.decode::<GetList>()?)?.list;
    let feed = context.ask(&request.decode::<ListListPosts>()?)?;
    let next = request.next(feed.next_cursor.as_ref());
    let frame = Frame::of(context, request, list.name.clone())?;
    let frame = frame.linking(context, &feed.posts)?;
    Html::of(&Page { frame, list, posts: feed.posts, next })
}

#[derive(Template)]
#[template(path = "list_members.html")]
struct Members<'a> {
    frame: Frame,
    form: Form<'a>,
    list: List,
    users: Vec<User>,
    next: Option<String>,
}

fn members(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let list = context.ask(&request.decode::<GetList>()?)?.list;
    let asked = ListListMembers {
        list_id: list.id.clone(),
        limit: None,
        cursor: request.field("cursor").map(Into::into),
    };
    let page = context.ask(&asked)?;
    let title = request.t("list-members-title").with("name", &list.name);
    Html::of(&Members {
        frame: Frame::of(context, request, title)?,
        form: request.form::<AddListMembers>(),
        list,
        users: page.users,
        next: request.next(page.next_cursor.as_ref()),
    })
}

#[derive(Template)]
#[template(path = "list_edit.html")]
struct Edit<'a> {
    frame: Frame,
    form: Form<'a>,
    list: &'a List,
    visibilities: &'static [(ListVisibility, &'static str)],
    replies: &'static [(RepliesPolicy, &'static str)],
}

impl Edit<'_> {
    /// What the form shows, for its field `shown`.
    fn shown(&self) -> String {
        self.form.shown([
            ("name", self.list.name.as_str()),
            ("description", self.list.description.as_deref().unwrap_or_default()),
            ("visibility", self.list.visibility.as_str()),
            ("repliesPolicy", self.list.replies_policy.as_str()),
            ("exclusive", if self.list.exclusive { "true" } else { "false" }),
        ])
    }
}

fn edit(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let list = own(context, request)?;
    let frame = Frame::of(context, request, request.t("list-edit-title"))?;
    let form = request.form::<UpdateList>();
    Html::of(&Edit { frame, form, list: &list, visibilities: &VISIBILITIES, replies: &REPLIES })
}

/// Only the owner may edit a list.
fn own(context: &mut PageContext<'_>, request: &PageRequest) -> Result<List> {
    let id = context.signed_in()?.id.clone();
    let list_id = request.field("listId").unwrap_or_default().into();
    let list = context.ask(&GetList { list_id })?.list;
    if list.owner.id == id { Ok(list) } else { Err(Error::not_found("list of yours")) }
}

#[derive(Template)]
#[template(path = "list_delete.html")]
struct Delete {
    frame: Frame,
    list: List,
}

fn ask_delete(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let list = own(context, request)?;
    Html::of(&Delete { frame: Frame::of(context, request, request.t("list-delete-title"))?, list })
}
