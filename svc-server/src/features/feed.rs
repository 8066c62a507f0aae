//! Feeds: what the accounts one follows bring, and what the whole platform does.

mod global;
mod home;
mod top;

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(home::feed).read(global::feed)
}
