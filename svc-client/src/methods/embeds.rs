//! `embeds`: written by `cargo document`; do not edit.

use svc_types::api::embeds::{EmbedTheme, GetEmbed, GetOembed};

use crate::Call;

impl Call<GetEmbed> {
    /// Color theme; the reader's preference when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::embeds::EmbedTheme;
    /// # fn show(svc: svc_client::Client) {
    /// svc.embeds().get("post_01").theme(EmbedTheme::Dark);
    /// # }
    /// ```
    pub fn theme(mut self, theme: EmbedTheme) -> Self {
        self.request.theme = Some(theme);
        self
    }

    /// Maximum width in pixels; 550 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.embeds().get("post_01").max_width(480);
    /// # }
    /// ```
    pub fn max_width(mut self, max_width: u32) -> Self {
        self.request.max_width = Some(max_width.into());
        self
    }
}

impl Call<GetOembed> {
    /// Maximum width in pixels.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.embeds().oembed("https://svc.example/post/post_01").max_width(400);
    /// # }
    /// ```
    pub fn max_width(mut self, maxwidth: u32) -> Self {
        self.request.maxwidth = Some(maxwidth.into());
        self
    }

    /// Maximum height in pixels.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.embeds().oembed("https://svc.example/post/post_01").max_height(300);
    /// # }
    /// ```
    pub fn max_height(mut self, maxheight: u32) -> Self {
        self.request.maxheight = Some(maxheight.into());
        self
    }
}
