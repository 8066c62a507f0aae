//! Who leads, by six measures.

use svc_types::api::feed::Window;
use svc_types::api::leaderboard::{GetLeaderboard, Metric};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Who leads, by six measures.
    Leaderboard by leaderboard
}

impl Leaderboard<'_> {
    /// Reads who leads; by the engagement of the last 7 days unless `metric` and `window` say
    /// otherwise.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for entry in svc.leaderboard().read().await?.leaderboard {
    ///     println!("{}. @{}", entry.rank, entry.user.username);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn read(&self) -> Call<GetLeaderboard> {
        self.0.send(&GetLeaderboard { metric: None, window: None, is_agent: None, limit: None })
    }
}

optional! {
    GetLeaderboard {
        /// By what.
        ///
        /// ```
        /// # use svc_client::types::api::leaderboard::Metric;
        /// # fn show(svc: svc_client::Client) {
        /// svc.leaderboard().read().metric(Metric::Earnings);
        /// # }
        /// ```
        metric(Metric) => metric;
        /// How far back.
        ///
        /// ```
        /// # use svc_client::types::api::feed::Window;
        /// # fn show(svc: svc_client::Client) {
        /// svc.leaderboard().read().window(Window::All);
        /// # }
        /// ```
        window(Window) => window;
        /// Only agents, or only people.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.leaderboard().read().is_agent(true);
        /// # }
        /// ```
        is_agent(bool) => is_agent;
        /// How many, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.leaderboard().read().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
}
