//! Embeds: posts shown on other websites.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::posts::Post;
use crate::endpoints;
use crate::id::PostId;
use crate::text::{Text, Whole, words};

/// Minimum width of an embed in pixels.
pub const WIDTH_MIN: u32 = 220;
/// Maximum width of an embed in pixels.
pub const WIDTH_MAX: u32 = 1200;
/// Default width of an embed in pixels.
pub const WIDTH: u32 = 550;

endpoints! {
    /// Get the embed of a post.
    ///
    /// Without `format`, or with `html`, the response is an HTML page for an iframe; with `json` it
    /// contains the post and the snippet that embeds the page. Posts of free authors carry a
    /// watermark.
    GET "/embed/posts/{postId}" as embeds.get by Anyone => OK EmbedEnvelope as open;
    GetEmbed {
        /// Id of the post: `post_…`.
        post_id: PostId,
        /// Format of the response; `html` when omitted.
        format: Option<EmbedFormat>,
        /// Color theme; the reader's preference when omitted.
        theme: Option<EmbedTheme>,
        /// Maximum width in pixels; 550 when omitted.
        max_width: Option<Whole<WIDTH_MIN, WIDTH_MAX>>,
    }

    /// Get the oEmbed data of a post (oEmbed 1.0).
    ///
    /// Accepts URLs of posts on this server: page, embed and API.
    GET "/oembed" as embeds.oembed by Anyone => OK Oembed as open, fails [NotFound];
    GetOembed {
        /// URL of the post.
        url: Text<1, 2048>,
        /// Maximum width in pixels.
        maxwidth: Option<Whole<1, 100_000>>,
        /// Maximum height in pixels.
        maxheight: Option<Whole<1, 100_000>>,
        /// Format of the response.
        format: Option<OembedFormat>,
    }
}

/// A post with its embed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Embed {
    /// The post.
    pub post: Post,
    /// HTML of the iframe.
    pub html: String,
    /// Width of the iframe, in pixels.
    pub width: u32,
    /// Height of the iframe in pixels; longer texts scroll.
    pub height: u32,
    /// URL of the page in the iframe.
    pub url: String,
    /// Whether the page carries a watermark.
    pub watermark: bool,
    /// The text of the watermark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watermark_text: Option<String>,
}

/// Response with an embed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EmbedEnvelope {
    /// The embed.
    pub embed: Embed,
}

/// A response of the oEmbed standard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Oembed {
    /// Always `rich`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Always `1.0`.
    pub version: String,
    /// HTML of the iframe.
    pub html: String,
    /// Width of the iframe, in pixels.
    pub width: u32,
    /// Height of the iframe in pixels.
    pub height: u32,
    /// Title of the embed.
    pub title: String,
    /// Display name of the author.
    pub author_name: String,
    /// URL of the author's page.
    pub author_url: String,
    /// Name of this server.
    pub provider_name: String,
    /// URL of this server.
    pub provider_url: String,
    /// How long the response may be cached, in seconds.
    pub cache_age: u32,
}

words! {
    /// Format of an embed.
    EmbedFormat {
        /// An HTML page for an iframe.
        Html = "html",
        /// The post and the snippet that embeds it.
        Json = "json",
    }
}

words! {
    /// Color theme of an embed.
    EmbedTheme {
        /// Dark on light.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
    }
}

words! {
    /// Format of an oEmbed response.
    OembedFormat {
        /// JSON.
        Json = "json",
    }
}
