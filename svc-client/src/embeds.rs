//! Embeds as JSON; a post's page as HTML.

use svc_types::api::embeds::{EmbedFormat, GetEmbed, GetOembed, OembedFormat};
use svc_types::{PostId, Text};

use crate::error::Result;
use crate::{Call, Embeds};

impl Embeds<'_> {
    /// Reads a post with the iframe that embeds it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.embeds().get("post_01").await?.embed.html);
    /// # Ok(()) }
    /// ```
    pub fn get(&self, id: impl Into<PostId>) -> Call<GetEmbed> {
        let format = Some(EmbedFormat::Json);
        self.0.send(&GetEmbed { post_id: id.into(), format, theme: None, max_width: None })
    }

    /// Returns the oEmbed data of the post at a URL.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let found = svc.embeds().oembed("https://svc.example/post/post_01").await?;
    /// println!("{}", found.html);
    /// # Ok(()) }
    /// ```
    pub fn oembed(&self, url: impl Into<Text<1, 2048>>) -> Call<GetOembed> {
        let format = Some(OembedFormat::Json);
        self.0.send(&GetOembed { url: url.into(), maxwidth: None, maxheight: None, format })
    }
}

impl Call<GetEmbed> {
    /// Reads the HTML page of the iframe instead of the JSON.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// std::fs::write("post.html", svc.embeds().get("post_01").html().await?).ok();
    /// # Ok(()) }
    /// ```
    pub async fn html(self) -> Result<String> {
        let call = self.with(|request| request.format = Some(EmbedFormat::Html));
        let plan = call.plan()?;
        call.client.run(plan).await?.text()
    }
}
