//! In-app notifications.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::services::notification::list::{self, Filter};
use svc_core::services::notification::{may_read, preferences, read, unread};
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::Deleted;
use svc_types::api::notifications::{
    CountUnreadNotifications, DeleteNotification, GetNotification, GetPreferences,
    ListNotifications, NotificationEnvelope, NotificationPage, NotificationType, NotificationsRead,
    PreferencesEnvelope, ReadNotification, ReadNotifications, UNREAD_COUNT_MAX,
    UnreadNotifications, UpdatePreferences,
};
use svc_types::{Code, CommaList, NotificationId, UserId};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .read(list_all)
        .read(count)
        .read(get_preferences)
        .write(update_preferences)
        .write(mark)
        .read(get)
        .write(delete)
        .write(mark_one)
}

fn list_all(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListNotifications,
) -> Result<NotificationPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let wanted = known("types", request.types.as_ref())?;
    let unwanted = known("excludeTypes", request.exclude_types.as_ref())?;
    let types = readable(caller, wanted, unwanted);
    let unread_count = unread_of(ctx, &caller.id, types.as_deref())?.unread_count;
    let filter = Filter { types, unread: request.unread == Some(true) };
    let (notifications, next_cursor) = list::page(ctx, &caller.id, &filter, &page)?;
    Ok(NotificationPage { notifications, unread_count, next_cursor })
}

/// The types of a filter, without duplicates; 400 for an unknown type.
fn known(
    field: &str,
    types: Option<&CommaList<NotificationType>>,
) -> Result<Option<Vec<NotificationType>>> {
    let Some(CommaList(given)) = types else {
        return Ok(None);
    };
    let mut types: Vec<NotificationType> = Vec::new();
    for kind in given {
        if let NotificationType::Other(_) = kind {
            let hint = "separate them by commas only, as in reply,mention";
            return Err(unknown_type(field).hint(hint).into());
        }
        if !types.contains(kind) {
            types.push(kind.clone());
        }
    }
    Ok(Some(types))
}

fn unknown_type(field: &str) -> Refusal {
    let message = format!("types of notifications are {}", NotificationType::WORDS.join(", "));
    Refusal::new(Code::ValidationFailed, message).field(field)
}

/// The types that a request asks for and that the caller may read, `None` for all.
fn readable(
    caller: &Account,
    wanted: Option<Vec<NotificationType>>,
    mut unwanted: Option<Vec<NotificationType>>,
) -> Option<Vec<NotificationType>> {
    if !may_read(caller, &NotificationType::DirectMessage) {
        unwanted.get_or_insert_default().push(NotificationType::DirectMessage);
    }
    match (wanted, unwanted) {
        (None, None) => None,
        (wanted, unwanted) => Some(without(wanted, &unwanted.unwrap_or_default())),
    }
}

/// The requested types, or all, without the excluded ones.
fn without(
    wanted: Option<Vec<NotificationType>>,
    unwanted: &[NotificationType],
) -> Vec<NotificationType> {
    let every = || NotificationType::WORDS.iter().map(|word| NotificationType::from(*word));
    let mut types = wanted.unwrap_or_else(|| every().collect());
    types.retain(|kind| !unwanted.contains(kind));
    types
}

fn count(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CountUnreadNotifications,
) -> Result<UnreadNotifications> {
    let types = readable(caller, known("types", request.types.as_ref())?, None);
    unread_of(ctx, &caller.id, types.as_deref())
}

/// The number of unread notifications of some types, or of all.
fn unread_of(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    types: Option<&[NotificationType]>,
) -> Result<UnreadNotifications> {
    let mut by_type = unread::of_types(ctx, account, types)?;
    let all = by_type.values().fold(0, |sum: u32, count| sum.saturating_add(*count));
    for count in by_type.values_mut() {
        *count = UNREAD_COUNT_MAX.min(*count);
    }
    let capped = (all > UNREAD_COUNT_MAX).then_some(true);
    Ok(UnreadNotifications { unread_count: all.min(UNREAD_COUNT_MAX), by_type, capped })
}

fn get_preferences(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    _: &GetPreferences,
) -> Result<PreferencesEnvelope> {
    Ok(PreferencesEnvelope { preferences: preferences::of(ctx, &caller.id)? })
}

fn update_preferences(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &UpdatePreferences,
) -> Result<PreferencesEnvelope> {
    let change = &request.preferences;
    for (word, ways) in change.types.iter().flatten() {
        let kind = NotificationType::from(word.as_str());
        if let NotificationType::Other(_) = kind {
            return Err(unknown_type("/preferences/types").into());
        }
        if kind == preferences::FIXED {
            let message = format!("notifications of type {kind} cannot be turned off");
            return Err(Error::invalid("/preferences/types", message));
        }
        preferences::set(ctx, &caller.id, &kind, ways)?;
    }
    if let Some(from) = &change.from {
        preferences::set_from(ctx, &caller.id, from)?;
    }
    Ok(PreferencesEnvelope { preferences: preferences::of(ctx, &caller.id)? })
}

fn mark(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ReadNotifications,
) -> Result<NotificationsRead> {
    read::mark(ctx, caller, request)
}

fn get(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &GetNotification,
) -> Result<NotificationEnvelope> {
    require_readable(ctx, caller, &request.notification_id)?;
    Ok(NotificationEnvelope { notification: list::one(ctx, &caller.id, &request.notification_id)? })
}

/// 404 for a notification that the caller may not read.
fn require_readable(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &NotificationId) -> Result<()> {
    if read::is_readable(ctx, caller, id)? { Ok(()) } else { Err(Error::not_found("notification")) }
}

fn delete(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &DeleteNotification,
) -> Result<Deleted> {
    require_readable(ctx, caller, &request.notification_id)?;
    if read::remove(ctx, &caller.id, &request.notification_id)? {
        Ok(Deleted { deleted: true })
    } else {
        Err(Error::not_found("notification"))
    }
}

fn mark_one(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ReadNotification,
) -> Result<NotificationEnvelope> {
    require_readable(ctx, caller, &request.notification_id)?;
    read::mark_one(ctx, &caller.id, &request.notification_id)?;
    Ok(NotificationEnvelope { notification: list::one(ctx, &caller.id, &request.notification_id)? })
}
