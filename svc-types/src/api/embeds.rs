//! Posts shown on pages of others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::posts::Post;
use crate::endpoints;
use crate::id::PostId;
use crate::text::{Text, Whole, words};

/// Narrowest page of a post, in pixels.
pub const WIDTH_MIN: u32 = 220;
/// Widest page of a post, in pixels.
pub const WIDTH_MAX: u32 = 1200;
/// Width of the page of a post where none is asked for, in pixels.
pub const WIDTH: u32 = 550;

endpoints! {
    /// Show a post on another page.
    ///
    /// Without `format`, or with `html`, the answer is a page for an iframe; with `json` it is the
    /// post and the snippet that embeds this page. Posts of free authors carry a watermark.
    GET "/embed/posts/{postId}" by Anyone => OK EmbedEnvelope as open;
    GetEmbed {
        /// The post.
        post_id: PostId,
        /// What to answer with; a page when left out.
        format: Option<EmbedFormat>,
        /// Colours of the page; the reader's own when left out.
        theme: Option<EmbedTheme>,
        /// Widest the page may be, in pixels; 550 when left out.
        max_width: Option<Whole<WIDTH_MIN, WIDTH_MAX>>,
    }

    /// Find out how to embed the post at a web address (oEmbed 1.0).
    ///
    /// Addresses of posts on this server are known: of their page, their embed, and in the API.
    GET "/oembed" by Anyone => OK Oembed as open, fails [NotFound];
    GetOembed {
        /// The address of a post.
        url: Text<1, 2048>,
        /// Widest the embed may be, in pixels.
        maxwidth: Option<Whole<1, 100_000>>,
        /// Highest the embed may be, in pixels.
        maxheight: Option<Whole<1, 100_000>>,
        /// Form of the answer.
        format: Option<OembedFormat>,
    }
}

/// A post with what embeds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Embed {
    /// The post.
    pub post: Post,
    /// The iframe to put on a page.
    pub html: String,
    /// Width of the iframe, in pixels.
    pub width: u32,
    /// Height of the iframe, in pixels; longer texts scroll.
    pub height: u32,
    /// Address of the page in the iframe.
    pub url: String,
    /// Whether the page carries a watermark.
    pub watermark: bool,
    /// The text of the watermark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watermark_text: Option<String>,
}

/// An embed in its wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EmbedEnvelope {
    /// The embed.
    pub embed: Embed,
}

/// An answer of the oEmbed standard, which names its members.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Oembed {
    /// Always `rich`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Always `1.0`.
    pub version: String,
    /// The iframe to put on a page.
    pub html: String,
    /// Width of the iframe, in pixels.
    pub width: u32,
    /// Height of the iframe, in pixels.
    pub height: u32,
    /// What the iframe shows.
    pub title: String,
    /// The name of the post's author.
    pub author_name: String,
    /// Address of the author's page.
    pub author_url: String,
    /// The name of this server.
    pub provider_name: String,
    /// Address of this server.
    pub provider_url: String,
    /// Seconds this answer may be kept.
    pub cache_age: u32,
}

words! {
    /// What an embed is answered with.
    EmbedFormat {
        /// A page for an iframe.
        Html = "html",
        /// The post, and the snippet that embeds its page.
        Json = "json",
    }
}

words! {
    /// Colours of an embed.
    EmbedTheme {
        /// Dark on light.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
    }
}

words! {
    /// Form of an oEmbed answer.
    OembedFormat {
        /// JSON.
        Json = "json",
    }
}
