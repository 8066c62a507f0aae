//! Posts embedded in other websites, as a page for an iframe, as JSON, and by oEmbed.

mod address;
mod page;

use std::time::Duration;

use svc_core::app::{App, Ctx};
use svc_core::html::on_one_line;
use svc_core::identity::Anybody;
use svc_core::services::{analytics, post};
use svc_store::error::{Error, Result};
use svc_types::api::embeds::{
    Embed, EmbedEnvelope, EmbedFormat, EmbedTheme, GetEmbed, GetOembed, Oembed, WIDTH, WIDTH_MIN,
};
use svc_types::api::media::Attachment;
use svc_types::api::posts::Post;
use svc_types::api::users::Tier;
use svc_types::{PostId, Whole};

use crate::http::{Answer, Routes};

/// How long caches may show an embed. An edit, a removal or a change of tier shows after that at the latest.
const CACHED: Duration = Duration::from_mins(5);

/// How long caches may store the answer to oEmbed, which has no text of the post: its iframe shows that.
const OEMBED_CACHED: Duration = Duration::from_hours(1);

/// Greatest proposed height of an iframe, in pixels; longer posts scroll.
const HEIGHT_MAX: u32 = 600;

/// Characters that fit into a line, but whose word does not.
const WORD: u32 = 6;

/// From here on, nearly all characters are as wide as they are high.
const FIRST_WIDE: char = '\u{2e80}';

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(read).read(oembed)
}

/// A public post, and what its embed needs besides.
struct EmbeddedPost {
    post: Post,
    /// The quoted post: the short form of a quote lacks its labels.
    quoted: Option<Post>,
}

fn load(ctx: &mut Ctx<'_, '_>, id: &PostId) -> Result<EmbeddedPost> {
    let record = post::visible(ctx, id, None)?;
    let post = post::to_api(ctx, None, record)?;
    let quoted = match &post.quote {
        Some(quote) => post::by_id(ctx, &quote.id, None)?,
        None => None,
    };
    let quoted = quoted.map(|quoted| post::to_api(ctx, None, quoted)).transpose()?;
    Ok(EmbeddedPost { post, quoted })
}

fn read(ctx: &mut Ctx<'_, '_>, _: &Anybody, request: &GetEmbed) -> Result<Answer<EmbedEnvelope>> {
    let embedded = load(ctx, &request.post_id)?;
    analytics::note_embed(ctx, &embedded.post.id, &embedded.post.author.id);
    let width = request.max_width.map_or(WIDTH, Whole::get);
    let theme = request.theme.as_ref();
    if request.format != Some(EmbedFormat::Json) {
        let (html, policy) = page::page(ctx.app, &embedded, theme, width)?;
        return Ok(Answer::page(html, policy).cached(CACHED));
    }
    let EmbeddedPost { post, .. } = embedded;
    let (width, height) = size(&post, width, None);
    let (url, html) = iframe(ctx.app, &post, theme, (width, height))?;
    let watermark_text = watermark(ctx.app, &post);
    let watermark = watermark_text.is_some();
    let embed = Embed { post, html, width, height, url, watermark, watermark_text };
    Ok(Answer::from(EmbedEnvelope { embed }).cached(CACHED))
}

fn oembed(ctx: &mut Ctx<'_, '_>, _: &Anybody, request: &GetOembed) -> Result<Answer<Oembed>> {
    let id = address::post_at(ctx.app, &request.url).ok_or_else(|| {
        let rule = format!("url must be the address of a post on {}", address::host(ctx.app));
        Error::invalid("url", rule)
    })?;
    let EmbeddedPost { post, .. } = load(ctx, &id).map_err(|error| error.about("url"))?;
    let width = request.maxwidth.map_or(WIDTH, |widest| widest.get().min(WIDTH));
    let (width, height) = size(&post, width, request.maxheight.map(Whole::get));
    let (_, html) = iframe(ctx.app, &post, None, (width, height))?;
    let oembed = Oembed {
        kind: "rich".to_owned(),
        version: "1.0".to_owned(),
        html,
        width,
        height,
        title: title(&post),
        author_url: address::account_page(ctx.app, &post.author.username),
        author_name: post.author.display_name,
        provider_name: address::host(ctx.app),
        provider_url: ctx.app.public_url.clone(),
        cache_age: u32::try_from(OEMBED_CACHED.as_secs()).unwrap_or(u32::MAX),
    };
    Ok(Answer::from(oembed).cached(OEMBED_CACHED))
}

/// The title of an embed. It contains no text that a warning may hide.
fn title(post: &Post) -> String {
    on_one_line(&format!("{} (@{})", post.author.display_name, post.author.username))
}

/// The watermark of posts by free authors (spec §1), by their current tier.
fn watermark(app: &App, post: &Post) -> Option<String> {
    match post.author.tier {
        Tier::Boost | Tier::Pro => None,
        _ => Some(format!("via {}", address::host(app))),
    }
}

/// The URL of a post's page, and the iframe that shows the post.
fn iframe(
    app: &App,
    post: &Post,
    theme: Option<&EmbedTheme>,
    size: (u32, u32),
) -> Result<(String, String)> {
    let url = address::embed(app, &post.id, theme, size.0.max(WIDTH_MIN));
    let html = page::iframe(&url, &post.author.username, size)?;
    Ok((url, html))
}

/// Width and height of an iframe. No script reports the page's height, so it is estimated: a
/// character of 16 pixels takes about 8 by 24 pixels, one of Chinese, Japanese or Korean twice that. Images behind a
/// warning are folded.
fn size(post: &Post, width: u32, height_max: Option<u32>) -> (u32, u32) {
    let per_line = (width.saturating_sub(26) / 8).saturating_sub(WORD).max(1);
    let per_line = usize::try_from(per_line).unwrap_or(usize::MAX);
    let width_of = |line: &str| -> usize {
        line.chars().map(|c| if c < FIRST_WIDE { 1_usize } else { 2 }).sum()
    };
    let lines = |text: &str| -> usize {
        text.split('\n').map(|line| width_of(line).div_ceil(per_line).max(1)).sum()
    };
    let quoted = post.quote.as_ref().map_or(0, |quote| lines(&quote.content) + 3);
    let warned = usize::from(post.content_warning.is_some());
    let lines = u32::try_from(lines(&post.content) + quoted + warned).unwrap_or(u32::MAX);
    let images = if warned == 0 { images_height(&post.attachments, width) } else { 0 };
    let height = lines.saturating_mul(24).saturating_add(150 + images).min(HEIGHT_MAX);
    (width, height.min(height_max.unwrap_or(HEIGHT_MAX)))
}

/// The height of the images of a post, as `embed.css` lays them out: in as many columns of at least 128 pixels as fit,
/// with 4 pixels between them.
fn images_height(images: &[Attachment], width: u32) -> u32 {
    let inner = width.saturating_sub(26);
    let fit = ((inner + 4) / 132).max(1);
    let columns = u32::try_from(images.len()).unwrap_or(fit).clamp(1, fit);
    let column = ((inner + 4) / columns).saturating_sub(4);
    let height = |image: &Attachment| (column * image.height).checked_div(image.width).unwrap_or(0);
    let rows = images.chunks(usize::try_from(columns).unwrap_or(1));
    rows.map(|row| row.iter().map(height).max().unwrap_or(0).saturating_add(4)).sum()
}
