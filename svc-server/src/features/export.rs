//! Exports of an account's data. The file itself is served by [`http`](crate::http).

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::export;
use svc_store::error::Result;
use svc_types::api::export::{CreateExport, ExportEnvelope, GetExport};

use crate::http::Routes;

/// The endpoints of this feature. Suspended accounts have a right to their data, too.
pub fn routes() -> Routes {
    Routes::new().write(create).allow_suspended().read(get)
}

fn create(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &CreateExport) -> Result<ExportEnvelope> {
    export::require_reader(caller)?;
    Ok(ExportEnvelope { export: export::request(ctx, &caller.id)? })
}

fn get(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &GetExport) -> Result<ExportEnvelope> {
    Ok(ExportEnvelope { export: export::state(ctx, &caller.id)? })
}
