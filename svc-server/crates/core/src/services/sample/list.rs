//! The orders of a service that are its samples or may become some.

use svc_store::error::{Error, Result};
use svc_store::values;
use svc_types::ServiceId;
use svc_types::api::services::{
    SAMPLES_BYTES_MAX, SAMPLES_MAX, SampleOrder, SampleOrderList, ServiceSample,
};

use super::act::PROPOSALS_MAX;
use super::record::{Record, select_records};
use crate::app::Ctx;

/// The latest completed orders that are considered.
const LATEST_MAX: i64 = 10;

/// Completed orders of a service that are samples or may become some, newest first.
pub fn of_service(ctx: &mut Ctx<'_, '_>, service: &ServiceId) -> Result<SampleOrderList> {
    let most = PROPOSALS_MAX.saturating_add(i64::try_from(SAMPLES_MAX).map_err(Error::internal)?);
    let mut records: Vec<Record> = ctx.tx.all(
        select_records!(
            "where q.id in (
                select order_id from sample_proposal
                where service = $1 and state in ('proposed', 'agreed'))
             order by q.id desc limit $2"
        ),
        values![service, most],
    )?;
    let latest: Vec<Record> = ctx.tx.all(
        select_records!(
            "where q.service = $1 and q.state = 'completed'
             order by q.id desc limit $2"
        ),
        values![service, LATEST_MAX],
    )?;
    for record in latest {
        if records.iter().all(|known| known.id != record.id) {
            records.push(record);
        }
    }
    records.sort_by(|one, other| other.id.cmp(&one.id));
    let orders: Result<Vec<Option<SampleOrder>>> = records.into_iter().map(to_api).collect();
    Ok(SampleOrderList { orders: orders?.into_iter().flatten().collect() })
}

/// An order for its seller; none of what moderators hide, or can't be a sample and never was proposed.
fn to_api(record: Record) -> Result<Option<SampleOrder>> {
    if record.is_hidden {
        return Ok(None);
    }
    let content = record.shown()?;
    if record.state.is_none() {
        let Some(content) = content.as_ref().filter(|_| !record.is_buyer_gone) else {
            return Ok(None);
        };
        // As it would be stored, were it the only one.
        let only = ServiceSample { order_id: Some(record.id.clone()), ..content.clone() };
        let json = serde_json::to_string(&[only]).map_err(Error::internal)?;
        if json.len() > SAMPLES_BYTES_MAX {
            return Ok(None);
        }
    }
    let closed_at = record.closed_at;
    Ok(Some(SampleOrder {
        order_id: record.id,
        buyer_username: record.buyer_name,
        closed_at: closed_at.ok_or_else(|| Error::internal("a completed order has no end"))?,
        state: record.state,
        content,
    }))
}
