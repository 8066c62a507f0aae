//! What was done, as the audit log has it.

use clap::Args;
use svc_core::app::Ctx;
use svc_core::services::audit;
use svc_store::error::Result;

use super::Line;

/// Flags of `admin log`.
#[derive(Clone, Debug, Args)]
pub struct LogCommand {
    /// Only what this actor did: `operator`, or the id of an account.
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
        let entries = audit::latest(ctx, self.by.as_deref(), self.limit)?;
        Ok(entries.into_iter().map(Line::Log).collect())
    }
}
