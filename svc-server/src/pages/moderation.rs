//! For moderators: the queue of reports, acts and their log, disputes.

mod acts;
mod disputes;
mod reports;

use reports::place;
use svc_store::error::{Error, Result};

use crate::http::{PageContext, Pages};

/// Pages beside each other: path, what they say.
pub(super) const TABS: [(&str, &str); 4] = [
    ("/moderation", "Reports"),
    ("/moderation/disputes", "Disputes"),
    ("/moderation/log", "Log"),
    ("/moderation/act", "Act"),
];

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    reports::pages().and(disputes::pages()).and(acts::pages())
}

/// To whom has not the role, there is nothing here.
fn moderator(context: &PageContext<'_>) -> Result<()> {
    if context.signed_in()?.is_moderator() { Ok(()) } else { Err(Error::not_found("page")) }
}
