//! Orders as samples of their services: proposed, agreed to, taken off.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::sample::{self, Judged, Question};
use svc_store::error::Result;
use svc_types::api::Deleted;
use svc_types::api::orders::{AnswerSample, ProposeSample, SampleProposal, WithdrawSample};

use crate::app::ServerApp;
use crate::http::Routes;

pub(super) fn routes() -> Routes {
    Routes::new()
        .write_prepared_if(|_| true, sample::load_proposal, judge, propose)
        .write(withdraw)
        // A consent can be taken back in any state of the account.
        .allow_suspended()
        .write_prepared_if(agrees, sample::load_answer, judge, answer)
}

/// Checks request and result against the schemas of the service.
async fn judge(app: Arc<ServerApp>, question: Option<Question>) -> Result<Judged> {
    sample::judge(app.core(), question).await
}

#[expect(clippy::ref_option, reason = "`write_prepared_if` passes it like this")]
fn propose(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ProposeSample,
    judged: &Option<Judged>,
) -> Result<SampleProposal> {
    let judged = judged.as_ref().ok_or_else(super::not_judged)?;
    sample::propose(ctx, caller, request, judged)
}

fn withdraw(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &WithdrawSample) -> Result<Deleted> {
    sample::withdraw(ctx, caller, &request.order_id)?;
    Ok(Deleted { deleted: true })
}

/// Only what is to be shown has to fit.
const fn agrees(request: &AnswerSample) -> bool {
    request.accept
}

#[expect(clippy::ref_option, reason = "`write_prepared_if` passes it like this")]
fn answer(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &AnswerSample,
    judged: &Option<Judged>,
) -> Result<SampleProposal> {
    sample::answer(ctx, caller, request, judged.as_ref())
}
