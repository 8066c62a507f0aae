//! Lists of accounts.

mod members;

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::page::Page;
use svc_core::select_lists;
use svc_core::services::list::{self, Record};
use svc_core::services::{account, post};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::Deleted;
use svc_types::api::lists::{
    CreateList, DeleteList, GetList, ListEnvelope, ListListPosts, ListLists, ListPage,
    ListVisibility, RepliesPolicy, UpdateList,
};
use svc_types::api::posts::PostPage;
use svc_types::{Code, ListId};

use crate::http::Routes;

/// Most lists of an account.
const LISTS_MAX: i64 = 100;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .write(create)
        .read(lists)
        .read(read)
        .write(update)
        .write(delete)
        .read(members::list)
        .write(members::add)
        .write(members::remove)
        .read(feed)
}

fn create(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &CreateList) -> Result<ListEnvelope> {
    account::refuse_blank_name("name", Some(&*request.name))?;
    // Serializes concurrent creations, so that each counts the other.
    account::lock(ctx, &caller.id)?;
    let sql = sql!("select count(*) from list where owner = $1");
    if ctx.tx.one::<i64>(sql, values![caller.id])? >= LISTS_MAX {
        let message = format!("an account has at most {LISTS_MAX} lists");
        return Err(Error::refused(Code::LimitReached, message));
    }
    let (id, now) = (ctx.id::<ListId>(), ctx.now());
    let description = request.description.as_deref().filter(|text| !text.is_empty());
    let visibility = request.visibility.as_ref().unwrap_or(&ListVisibility::Private);
    let replies_policy = request.replies_policy.as_ref().unwrap_or(&RepliesPolicy::Members);
    ctx.tx.execute(
        sql!(
            "insert into list (id, owner, name, description, visibility, exclusive,
                replies_policy, members_count, created_at, updated_at)
             values ($1, $2, $3, $4, $5, $6, $7, 0, $8, $8)"
        ),
        values![
            id,
            caller.id,
            request.name,
            description,
            visibility,
            request.exclusive.unwrap_or(false),
            replies_policy,
            now
        ],
    )?;
    list::envelope(ctx, caller, &id)
}

fn lists(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &ListLists) -> Result<ListPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let before = page.before();
    let mut records: Vec<Record> = if let Some(owner) = &request.owner {
        let owner = account::find_visible(ctx, owner.as_str(), caller.account())
            .map_err(|error| error.about("owner"))?;
        let sql = select_lists!(
            "l.owner = $1 and l.visibility = 'public' and l.id < $2 order by l.id desc limit $3"
        );
        ctx.tx.all(sql, values![owner.id, before, page.rows()])?
    } else {
        let caller = caller.reader("whose lists: sign in for your own, or name an owner")?;
        let sql = select_lists!("l.owner = $1 and l.id < $2 order by l.id desc limit $3");
        ctx.tx.all(sql, values![caller.id, before, page.rows()])?
    };
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    let lists = records.into_iter().map(|record| record.into_api(ctx.app)).collect();
    Ok(ListPage { lists, next_cursor })
}

fn read(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &GetList) -> Result<ListEnvelope> {
    let list = list::visible(ctx, &request.list_id, caller.account())?;
    Ok(ListEnvelope { list: list.into_api(ctx.app) })
}

fn update(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &UpdateList) -> Result<ListEnvelope> {
    account::refuse_blank_name("name", request.name.as_deref())?;
    let list = list::own(ctx, caller, &request.list_id)?;
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "update list set
                name = coalesce($1, name),
                description = case when cast($2 as text) is null then description
                    when $2 = '' then null else $2 end,
                visibility = coalesce($3, visibility),
                exclusive = coalesce($4, exclusive),
                replies_policy = coalesce($5, replies_policy),
                updated_at = $6
             where id = $7"
        ),
        values![
            request.name,
            request.description,
            request.visibility,
            request.exclusive,
            request.replies_policy,
            now,
            list.id
        ],
    )?;
    list::envelope(ctx, caller, &list.id)
}

fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeleteList) -> Result<Deleted> {
    let list = list::own(ctx, caller, &request.list_id)?;
    ctx.tx.execute(sql!("delete from list_member where list = $1"), values![list.id])?;
    ctx.tx.execute(sql!("delete from list where id = $1"), values![list.id])?;
    Ok(Deleted { deleted: true })
}

fn feed(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &ListListPosts) -> Result<PostPage> {
    post::html::include(ctx, request.include.as_ref())?;
    let viewer = caller.account();
    let list = list::visible(ctx, &request.list_id, viewer)?;
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let (ids, next_cursor) = list::feed(ctx, viewer, &list, &page)?;
    let posts = post::load_visible(ctx, viewer, &ids)?;
    let posts = post::without_unwanted_quotes(ctx, viewer, posts)?;
    Ok(PostPage { posts, next_cursor })
}
