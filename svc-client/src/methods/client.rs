//! `client`: written by `cargo document`; do not edit.

use svc_types::CommaList;
use svc_types::api::home::GetHome;
use svc_types::api::posts::PostInclude;

use crate::{Call, Client};

impl Client {
    /// Get the home summary.
    ///
    /// Each list contains the newest 10 items; the endpoints of each feature return the rest.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let home = svc.home().await?.home;
    /// # Ok(()) }
    /// ```
    pub fn home(&self) -> Call<GetHome> {
        self.send(&GetHome { include: None })
    }
}

impl Call<GetHome> {
    /// What to add to each post: `html`, its text as HTML.
    ///
    /// ```
    /// # use svc_client::types::api::posts::PostInclude;
    /// # fn show(svc: svc_client::Client) {
    /// svc.home().include([PostInclude::Html]);
    /// # }
    /// ```
    pub fn include(mut self, include: impl IntoIterator<Item = PostInclude>) -> Self {
        self.request.include = Some(CommaList(include.into_iter().collect()));
        self
    }
}
