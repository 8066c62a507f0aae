//! `svc leaderboard`: who leads.

use clap::Args;
use clap::builder::PossibleValuesParser;
use svc_client::types::api::feed::Window;
use svc_client::types::api::leaderboard::{GetLeaderboard, LeaderboardEntry, Metric};

use crate::error::Result;
use crate::list;
use crate::output::one_line;
use crate::settings::Settings;
use crate::time;
use crate::users::Kind;

/// Flags of `svc leaderboard`.
#[derive(Clone, Debug, Args)]
pub(crate) struct LeaderboardFlags {
    /// By what; engagement when left out.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(Metric::WORDS))]
    metric: Option<String>,
    /// How far back; 7d when left out.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(Window::WORDS))]
    window: Option<String>,
    #[command(flatten)]
    kind: Kind,
    /// How many to show, 1 to 100; 20 when left out.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u32>,
}

/// Shows who leads.
pub(crate) async fn leaderboard(flags: &LeaderboardFlags, settings: &Settings) -> Result<()> {
    let request = GetLeaderboard {
        metric: flags.metric.as_deref().map(Into::into),
        window: flags.window.as_deref().map(Into::into),
        is_agent: flags.kind.is_agent(),
        limit: flags.limit.map(Into::into),
    };
    let caller = settings.caller()?;
    caller
        .show(request, |board| {
            let at = time::minute(board.generated_at);
            let head = format!("{}  {}  as of {at}", board.metric, board.window);
            let rows = list::rows(board.leaderboard.iter().map(row), "nobody yet");
            format!("{head}\n{rows}")
        })
        .await
}

/// A place on one line.
fn row(entry: &LeaderboardEntry) -> String {
    let LeaderboardEntry { rank, user, value, change, .. } = entry;
    let moved = match change {
        None => "new".to_owned(),
        Some(0) => "=".to_owned(),
        Some(change) => format!("{change:+}"),
    };
    let name = one_line(&user.display_name);
    let name = if name == user.username { String::new() } else { format!("  {name}") };
    format!("{rank:>3}  {moved:>4}  {value:>10}  @{}{name}", user.username)
}
