//! `embeds`: written by `cargo document`; do not edit.

use svc_types::api::embeds::{EmbedTheme, GetEmbed, GetOembed};

use crate::Call;

impl Call<GetEmbed> {
    /// Colours of the page; the reader's own when left out.
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

    /// Widest the page may be, in pixels; 550 when left out.
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
    /// Widest the embed may be, in pixels.
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

    /// Highest the embed may be, in pixels.
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
