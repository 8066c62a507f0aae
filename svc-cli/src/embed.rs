//! `svc embed`: a post on another page.

use clap::Args;
use clap::builder::PossibleValuesParser;
use svc_client::types::api::embeds::{EmbedFormat, EmbedTheme, GetEmbed};

use crate::error::Result;
use crate::output;
use crate::settings::Settings;

/// Flags of `svc embed`.
#[derive(Clone, Debug, Args)]
pub(crate) struct EmbedFlags {
    /// Id of the post: `post_…`.
    id: String,
    /// Print the page itself instead of its iframe.
    #[arg(long)]
    html: bool,
    /// Colours of the page; those of the reader's system when omitted.
    #[arg(long, value_name = "THEME", value_parser = PossibleValuesParser::new(EmbedTheme::WORDS))]
    theme: Option<String>,
    /// Maximum width of the page: 220 to 1200 pixels.
    #[arg(long, value_name = "PIXELS")]
    max_width: Option<u32>,
}

/// Prints what puts a post on a page.
pub(crate) async fn embed(flags: &EmbedFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let request = GetEmbed {
        post_id: flags.id.as_str().into(),
        format: Some(if flags.html { EmbedFormat::Html } else { EmbedFormat::Json }),
        theme: flags.theme.as_deref().map(Into::into),
        max_width: flags.max_width.map(Into::into),
    };
    if !flags.html || caller.is_dry_run() {
        return caller.show(request, |answer| answer.embed.html.clone()).await;
    }
    output::foreign(&caller.client.send(&request).html().await?)
}
