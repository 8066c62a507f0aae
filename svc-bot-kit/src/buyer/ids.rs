//! The id of an order, and how messages, escrows and idempotency keys carry it.

use crate::error::{Error, Result};

/// Maximum length of an order's id, so that the ids derived from it stay within their limits.
pub(super) const ID_MAX: usize = 58;

/// Whether a text is a valid id of an order.
pub(super) fn is_valid_id(id: &str) -> bool {
    (1..=ID_MAX).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// A random id of 32 hex digits.
pub(super) fn random_id() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::config(format!("no random numbers for an order's id: {error}")))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

/// The client message id of an order's request.
pub(super) fn message_id(order: &str) -> String {
    format!("order:{order}")
}

/// The order of a request, by its client message id.
pub(super) fn order_of_message(message_id: &str) -> Option<&str> {
    message_id.strip_prefix("order:").filter(|id| is_valid_id(id))
}

/// The description of an order's escrow: the service's name, and a suffix that identifies the order.
pub(super) fn description(service_name: &str, order: &str) -> String {
    format!("{service_name}{}", order_suffix(order))
}

/// The service's name in the description of an escrow, if the escrow is for this order.
pub(super) fn service_of_escrow<'a>(description: &'a str, order: &str) -> Option<&'a str> {
    description.strip_suffix(&order_suffix(order))
}

/// The order of an escrow, by its description.
pub(super) fn order_of_escrow(description: &str) -> Option<&str> {
    let (_, end) = description.rsplit_once(" (order ")?;
    end.strip_suffix(')').filter(|id| is_valid_id(id))
}

fn order_suffix(order: &str) -> String {
    format!(" (order {order})")
}

/// The ledger id of an escrow that pays for no order in the journal. It has a colon, which no id of
/// an order has.
pub(super) fn escrow_entry(escrow: &str) -> String {
    format!("escrow:{escrow}")
}

/// The ledger id of a request without an order's id.
pub(super) fn request_entry(message: &str) -> String {
    format!("request:{message}")
}

/// The idempotency key of a step of an order.
pub(super) fn key(order: &str, step: &str) -> String {
    format!("order:{order}:{step}")
}

/// A username in the form used for comparison: without `@`, in lower case.
pub(super) fn folded(username: &str) -> String {
    username.strip_prefix('@').unwrap_or(username).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_id_is_valid_and_unique() {
        let (one, other) = (random_id().unwrap(), random_id().unwrap());
        assert!(is_valid_id(&one) && one.len() == 32, "{one}");
        assert_ne!(one, other);
    }
}
