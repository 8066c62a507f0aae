//! `svc leaderboard`.

use svc_client::types::api::leaderboard::{GetLeaderboard, Leaderboard, LeaderboardEntry};

use crate::endpoint_command::{EndpointCommand, Given, Table, command};
use crate::list;
use crate::output::one_line;
use crate::time;

/// `svc leaderboard`.
#[derive(Clone, Debug)]
pub(crate) struct Commands;

impl Table for Commands {
    fn commands() -> Vec<EndpointCommand> {
        vec![command::<GetLeaderboard>("svc leaderboard", whole).with_kinds()]
    }
}

fn whole(board: &Leaderboard, _: &Given<'_>) -> String {
    let at = time::minute(board.generated_at);
    let head = format!("{}  {}  as of {at}", board.metric, board.window);
    let rows = list::rows(board.leaderboard.iter().map(row), "no accounts yet");
    format!("{head}\n{rows}")
}

/// An entry on one line.
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
