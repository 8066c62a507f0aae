//! What was done, as the audit log has it.

use clap::Args;
use svc_core::app::Ctx;
use svc_core::services::{account, audit};
use svc_store::error::Result;

use super::{Line, OPERATOR, bare};

/// Flags of `admin log`.
#[derive(Clone, Debug, Args)]
pub struct LogCommand {
    /// Only what this actor did: `operator`, or the username or id of an account.
    #[arg(long, value_name = "ACTOR")]
    pub by: Option<String>,
    /// How many, from 1 to 1000.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 50,
        value_parser = clap::value_parser!(u16).range(1..=1_000)
    )]
    pub limit: u16,
}

impl LogCommand {
    pub(super) fn lines(&self, ctx: &mut Ctx<'_, '_>) -> Result<Vec<Line>> {
        let by = self.by.as_deref().map(|by| actor(ctx, by)).transpose()?;
        let entries = audit::latest(ctx, by.as_deref(), self.limit)?;
        Ok(entries.into_iter().map(Line::Log).collect())
    }
}

/// An actor as the log has it: an account, even a deleted one, by its id. Anything else is looked for as it is.
fn actor(ctx: &mut Ctx<'_, '_>, by: &str) -> Result<String> {
    if by == OPERATOR {
        return Ok(by.to_owned());
    }
    let handle = bare(by);
    if let Some(record) = account::find(ctx, handle)? {
        return Ok(record.id.to_string());
    }
    let gone = account::find_deleted(ctx, handle)?;
    Ok(gone.map_or_else(|| by.to_owned(), |gone| gone.id.to_string()))
}
