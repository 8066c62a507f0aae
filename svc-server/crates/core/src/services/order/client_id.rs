//! The ids that buyers give their orders: each is used once, for ever.

use serde_json::json;
use sha2::{Digest, Sha256};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::orders::CreateOrder;
use svc_types::{Code, MessageId, UserId};

use crate::app::Ctx;

/// What an id of the buyer's stands for.
pub(super) enum Claim {
    /// A new order.
    New,
    /// This order, which an equal request placed.
    Earlier(MessageId),
}

/// Claims an id for an order that is about to be placed. The unique index acts as a mutex, so that of
/// concurrent equal requests one places the order and the others find it.
pub(super) fn claim(ctx: &mut Ctx<'_, '_>, buyer: &UserId, asked: &CreateOrder) -> Result<Claim> {
    let Some(id) = asked.client_order_id.as_deref() else { return Ok(Claim::New) };
    let hash = hash(asked)?;
    let rows = ctx.tx.execute(
        sql!(
            "insert into client_order (buyer, client_order_id, hash) values ($1, $2, $3)
             on conflict (buyer, client_order_id) do nothing"
        ),
        values![buyer, id, hash],
    )?;
    if rows == 1 {
        return Ok(Claim::New);
    }
    let (known, order): (Vec<u8>, Option<MessageId>) = ctx.tx.one(
        sql!("select hash, order_id from client_order where buyer = $1 and client_order_id = $2"),
        values![buyer, id],
    )?;
    let order = order.ok_or_else(|| Error::internal("an id of an order has no order"))?;
    if known != hash && known != hash_by_other_name(ctx, asked, &order)? {
        let message = "this clientOrderId was used for another order";
        let refusal = Refusal::new(Code::IdempotencyConflict, message).field("clientOrderId");
        return Err(refusal.hint("use a fresh clientOrderId").into());
    }
    Ok(Claim::Earlier(order))
}

/// The hash of a request that names the provider of an order by id instead of by username, or the other way round.
fn hash_by_other_name(
    ctx: &mut Ctx<'_, '_>,
    asked: &CreateOrder,
    order: &MessageId,
) -> Result<[u8; 32]> {
    let (id, name): (UserId, String) = ctx.tx.one(
        sql!(
            "select a.id, a.username
             from service_request q join account a on a.id = q.provider where q.id = $1"
        ),
        values![order],
    )?;
    let given = asked.provider_username.as_str();
    if given == id.as_str() {
        hash_with(asked, &name)
    } else if given.eq_ignore_ascii_case(&name) {
        hash_with(asked, id.as_str())
    } else {
        hash(asked)
    }
}

/// Notes the order that was placed under a claimed id.
pub(super) fn note(
    ctx: &mut Ctx<'_, '_>,
    buyer: &UserId,
    asked: &CreateOrder,
    order: &MessageId,
) -> Result<()> {
    let Some(id) = asked.client_order_id.as_deref() else { return Ok(()) };
    let sql =
        sql!("update client_order set order_id = $1 where buyer = $2 and client_order_id = $3");
    ctx.tx.write(sql, values![order, buyer, id])
}

/// Deletes the ids of an account that is erased.
pub fn forget_of(ctx: &mut Ctx<'_, '_>, buyer: &UserId) -> Result<()> {
    ctx.tx.write(sql!("delete from client_order where buyer = $1"), values![buyer])
}

/// SHA-256 over the canonical JSON (RFC 8785) of provider, service, input, bound of the price, and
/// escrow, as they were sent; usernames ignore case.
fn hash(asked: &CreateOrder) -> Result<[u8; 32]> {
    hash_with(asked, asked.provider_username.as_str())
}

/// The same with this name or id of the provider.
fn hash_with(asked: &CreateOrder, provider: &str) -> Result<[u8; 32]> {
    let mut members = json!({
        "provider": provider.to_lowercase(),
        "service": asked.service_id,
        "input": asked.input,
        "maxCredits": asked.max_credits,
        "offeredCredits": asked.offered_credits,
        "escrow": asked.escrow_id,
    });
    if let Some(members) = members.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    let canonical = serde_json_canonicalizer::to_vec(&members).map_err(Error::internal)?;
    Ok(Sha256::digest(canonical).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(input: &str) -> CreateOrder {
        serde_json::from_value(json!({
            "providerUsername": "WordBot", "serviceId": "srv_1", "maxCredits": 5,
            "input": serde_json::from_str::<serde_json::Value>(input).unwrap(),
        }))
        .unwrap()
    }

    #[test]
    fn the_hash_is_that_of_canonical_json() {
        // python3: sha256(b'{"input":{"a":"\xc3\xa4","b":1},"maxCredits":5,"provider":"wordbot","service":"srv_1"}')
        let digest = hash(&asked(r#"{ "b": 1.0, "a": "\u00e4" }"#)).unwrap();
        let expected = Sha256::digest(
            "{\"input\":{\"a\":\"ä\",\"b\":1},\"maxCredits\":5,\"provider\":\"wordbot\",\
             \"service\":\"srv_1\"}",
        );
        assert_eq!(digest[..], expected[..]);
    }

    #[test]
    fn each_part_of_an_order_changes_the_hash() {
        let one = asked("{}");
        let digest = hash(&one).unwrap();
        let others = [
            asked(r#"{"a":1}"#),
            CreateOrder { provider_username: "paintbot".into(), ..one.clone() },
            CreateOrder { service_id: "srv_2".into(), ..one.clone() },
            CreateOrder { max_credits: Some(6.into()), ..one.clone() },
            CreateOrder { max_credits: None, offered_credits: Some(5.into()), ..one.clone() },
            CreateOrder { max_credits: None, escrow_id: Some("esc_1".into()), ..one.clone() },
        ];
        for other in others {
            assert_ne!(hash(&other).unwrap(), digest, "{other:?}");
        }
        // How long the answer may take and what the buyer calls it are no part of what is bought.
        let same = CreateOrder { client_order_id: Some("x".into()), ..one };
        assert_eq!(hash(&same).unwrap(), digest);
    }
}
