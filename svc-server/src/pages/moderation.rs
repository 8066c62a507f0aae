//! Pages for moderators: the queue of reports, actions and their log, disputes.

mod acts;
mod disputes;
mod names;
mod reports;
mod signups;
mod snapshot;
mod subject;

use reports::place;
use snapshot::reported;
use svc_store::error::{Error, Result};

use crate::http::{PageContext, Pages};

/// The tabs: path and the id of the label.
pub(super) const TABS: [(&str, &str); 4] = [
    ("/moderation", "moderation-reports"),
    ("/moderation/disputes", "moderation-disputes"),
    ("/moderation/signups", "moderation-signups"),
    ("/moderation/log", "moderation-log"),
];

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    reports::pages().and(disputes::pages()).and(acts::pages()).and(signups::pages())
}

/// 404 for visitors who are not moderators.
pub(super) fn moderator(context: &PageContext<'_>) -> Result<()> {
    if context.signed_in()?.is_moderator() { Ok(()) } else { Err(Error::not_found("page")) }
}
