//! The samples of a service as they are stored: its own, and those of orders with their ids.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::services::{SAMPLES_BYTES_MAX, SAMPLES_MAX, ServiceSample};
use svc_types::{Code, MessageId, ServiceId};

use crate::app::Ctx;

/// Reads the samples of a service.
pub(super) fn read(json: Option<&str>) -> Result<Vec<ServiceSample>> {
    let samples = json.map(serde_json::from_str).transpose();
    Ok(samples.map_err(Error::internal)?.unwrap_or_default())
}

/// The samples that a service will have: those that are sent, and those of orders that it has,
/// which stay. What is sent under the id of an order is that sample, wherever it stands. Each that is
/// sent keeps its number.
pub fn merged(sent: &[ServiceSample], before: &[ServiceSample]) -> Result<Vec<ServiceSample>> {
    // Before anything is compared: how many there are is up to who sends them.
    if sent.len() > SAMPLES_MAX {
        return Err(too_many(0));
    }
    let of_orders = || before.iter().filter(|sample| sample.order_id.is_some());
    let mut merged: Vec<ServiceSample> = Vec::with_capacity(sent.len());
    for (number, sample) in sent.iter().enumerate() {
        if sample.order_id.is_none() {
            merged.push(sample.clone());
            continue;
        }
        let known = of_orders().find(|known| known.order_id == sample.order_id);
        let known = known.ok_or_else(|| unknown(number))?;
        if merged.contains(known) {
            return Err(repeated(number));
        }
        merged.push(known.clone());
    }
    for known in of_orders() {
        if !merged.contains(known) {
            merged.push(known.clone());
        }
    }
    Ok(merged)
}

fn unknown(number: usize) -> Error {
    let message = "orderId must be absent or name a sample of this service";
    refusal(number, message)
        .hint("an order becomes a sample once its buyer agrees: PUT /orders/{orderId}/sample")
        .into()
}

fn repeated(number: usize) -> Error {
    refusal(number, "orderId must be that of no other sample").into()
}

fn refusal(number: usize, message: &str) -> Refusal {
    let refusal = Refusal::new(Code::ValidationFailed, message);
    refusal.field(&format!("/samples/{number}/orderId"))
}

fn too_many(of_orders: usize) -> Error {
    let message = format!("samples must be at most {SAMPLES_MAX} objects");
    let message = match of_orders {
        0 => message,
        of_orders => format!("{message}, together with the {of_orders} of orders"),
    };
    Error::invalid("samples", message)
}

/// Samples in stored form; 400 for too many or too large ones.
pub fn stored(samples: &[ServiceSample]) -> Result<Option<String>> {
    if samples.len() > SAMPLES_MAX {
        return Err(too_many(samples.iter().filter(|sample| sample.order_id.is_some()).count()));
    }
    if samples.is_empty() {
        return Ok(None);
    }
    let json = serde_json::to_string(samples).map_err(Error::internal)?;
    if json.len() <= SAMPLES_BYTES_MAX {
        return Ok(Some(json));
    }
    let kib = SAMPLES_BYTES_MAX / 1024;
    Err(Error::invalid("samples", format!("samples must have at most {kib} KiB of JSON together")))
}

/// The samples of a service and that of an order, in stored form: 409 if there are enough, 400 if it
/// is too large.
pub(super) fn with_order(
    mut samples: Vec<ServiceSample>,
    content: ServiceSample,
    order: &MessageId,
) -> Result<String> {
    if samples.len() >= SAMPLES_MAX {
        let message = format!("the service has {SAMPLES_MAX} samples, and can't have more");
        let refusal = Refusal::new(Code::LimitReached, message);
        return Err(refusal.hint("its seller can remove one first").into());
    }
    samples.push(ServiceSample { order_id: Some(order.clone()), ..content });
    let json = serde_json::to_string(&samples).map_err(Error::internal)?;
    if json.len() <= SAMPLES_BYTES_MAX {
        return Ok(json);
    }
    let kib = SAMPLES_BYTES_MAX / 1024;
    let message =
        format!("request and result must have at most {kib} KiB of JSON with the other samples");
    Err(Error::refused(Code::ValidationFailed, message))
}

/// Replaces the samples of a service, whose row the caller has locked.
pub(super) fn store(ctx: &mut Ctx<'_, '_>, service: &ServiceId, json: Option<&str>) -> Result<()> {
    let now = ctx.now();
    // Later than every earlier version, so that what was checked beside another one is refused.
    ctx.tx.write(
        sql!(
            "update service
             set samples = $1,
                updated_at = case when updated_at < $2 then $2 else updated_at + 1 end
             where id = $3"
        ),
        values![json, now, service],
    )
}

/// Takes the sample of an order off a service.
pub(super) fn take_off(
    ctx: &mut Ctx<'_, '_>,
    service: &ServiceId,
    order: &MessageId,
) -> Result<()> {
    let sql = sql!("select id from service where id = $1 for no key update");
    ctx.tx.lock(sql, values![service])?;
    let sql = sql!("select samples from service where id = $1");
    let json: Option<String> = ctx.tx.one(sql, values![service])?;
    let mut samples = read(json.as_deref())?;
    samples.retain(|sample| sample.order_id.as_ref() != Some(order));
    let json = if samples.is_empty() {
        None
    } else {
        Some(serde_json::to_string(&samples).map_err(Error::internal)?)
    };
    store(ctx, service, json.as_deref())
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value};

    use super::*;

    fn sample(name: &str, order: Option<&str>) -> ServiceSample {
        let input = Map::from_iter([("text".to_owned(), Value::from(name))]);
        ServiceSample { order_id: order.map(Into::into), ..ServiceSample::new(input, Map::new()) }
    }

    #[test]
    fn samples_of_orders_stay_as_they_are_where_they_are_sent_or_at_the_end() {
        let before = [sample("own", None), sample("a", Some("msg_a")), sample("b", Some("msg_b"))];
        let [_, a, b] = before.clone();
        let new = sample("new", None);
        assert_eq!(merged(&[], &before).unwrap(), [a.clone(), b.clone()]);
        let changed = sample("changed", Some("msg_b"));
        assert_eq!(merged(&[changed, new.clone()], &before).unwrap(), [b, new, a]);
    }

    /// The member that is refused.
    fn refused(sent: &[ServiceSample], before: &[ServiceSample]) -> Option<String> {
        match merged(sent, before) {
            Err(Error::Refused(refusal)) => refusal.field.clone(),
            other => panic!("not refused: {other:?}"),
        }
    }

    #[test]
    fn no_order_becomes_a_sample_without_its_buyer() {
        let field = refused(&[sample("x", Some("msg_x"))], &[sample("x", None)]);
        assert_eq!(field.as_deref(), Some("/samples/0/orderId"));
    }

    #[test]
    fn an_order_is_sent_once_and_too_many_are_refused_before_they_are_compared() {
        let known = sample("a", Some("msg_a"));
        let twice = [known.clone(), known.clone()];
        assert_eq!(refused(&twice, &twice[..1]).as_deref(), Some("/samples/1/orderId"));
        let unknown = vec![sample("x", Some("msg_x")); SAMPLES_MAX + 1];
        assert_eq!(refused(&unknown, &[known]).as_deref(), Some("samples"));
    }
}
