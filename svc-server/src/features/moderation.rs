//! Moderation: the queue of reports, actions of moderators, and settings by admins.

mod actions;
mod queue;
mod users;

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .read(queue::list)
        .read(queue::read)
        .write(queue::assign)
        .write(queue::resolve)
        .write(queue::reopen)
        .write(actions::take)
        .read(actions::list)
        .write(users::update)
}
