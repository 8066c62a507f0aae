//! What a node of the chain says, by JSON-RPC.

use http::Method;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::services::billing::topup::Pending;

use crate::outbound::Outbound;

/// Most bytes of an answer: a receipt of a transaction with many payments.
const BYTES_MAX: usize = 1024 * 1024;

/// Blocks whose logs are asked for at once: nodes refuse long ranges.
const BLOCKS: u64 = 2_000;

/// Most ranges of a search: 20 million blocks, more than a year of a chain with a block every two seconds.
const RANGES_MAX: u64 = 10_000;

/// Keccak-256 of `AuthorizationUsed(address,bytes32)`, the event of EIP-3009: the payer and the nonce.
const AUTHORIZATION_USED: &str =
    "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";

/// Keccak-256 of `Transfer(address,address,uint256)`, the event of ERC-20.
const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/// A node of the chain.
#[derive(Debug)]
pub(super) struct Chain {
    url: String,
    confirmations: u64,
    outbound: Outbound,
}

/// The newest block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    /// Its number.
    pub(super) number: u64,
    /// When it was made, in seconds.
    pub(super) timestamp: u64,
}

/// What the chain knows of a payment.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The tokens came by this transaction, deep enough.
    Paid(String),
    /// They came, and too few blocks followed.
    Shallow,
    /// They did not come.
    Nothing,
}

/// Tokens that came.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Received {
    /// The transaction.
    pub(super) chain_tx: String,
    /// Whose tokens they were.
    pub(super) payer: String,
    /// How many, in the smallest unit.
    pub(super) amount: u128,
}

impl Received {
    fn of(log: Log) -> Result<Self, String> {
        let payer = log.topics.get(1).and_then(|topic| topic.get(26..));
        let payer = payer.ok_or_else(|| "a transfer names nobody".to_owned())?;
        let digits = log.data.trim_start_matches("0x");
        let amount = u128::from_str_radix(digits, 16);
        let amount = amount.map_err(|_| format!("{:?} is not an amount", log.data))?;
        Ok(Self { chain_tx: log.transaction_hash, payer: format!("0x{payer}"), amount })
    }
}

#[derive(Deserialize)]
struct Response {
    result: Option<Value>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Block {
    number: String,
    timestamp: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    address: String,
    topics: Vec<String>,
    data: String,
    #[serde(rename = "logIndex")]
    index: String,
    block_number: String,
    transaction_hash: String,
    #[serde(default)]
    removed: bool,
}

#[derive(Deserialize)]
struct Receipt {
    status: String,
    logs: Vec<Log>,
}

impl Chain {
    pub(super) fn new(url: &str, confirmations: u64, outbound: Outbound) -> Self {
        Self { url: url.to_owned(), confirmations, outbound }
    }

    /// The newest block.
    pub(super) async fn head(&self) -> Result<Head, String> {
        let block: Block = self.call("eth_getBlockByNumber", json!(["latest", false])).await?;
        Ok(Head { number: number(&block.number)?, timestamp: number(&block.timestamp)? })
    }

    /// Whether the tokens of a payment arrived, up to this block.
    pub(super) async fn find_payment(&self, pending: &Pending, head: Head) -> Result<Seen, String> {
        let topics = json!([AUTHORIZATION_USED, word(&pending.payer), pending.nonce]);
        let first = u64::try_from(pending.block).unwrap_or(0);
        // A node that is behind is asked all the same.
        for blocks in ranges(first, head.number.max(first))? {
            for used in self.logs(&pending.asset, &topics, blocks).await? {
                let asked = json!([used.transaction_hash]);
                let receipt: Option<Receipt> =
                    self.call("eth_getTransactionReceipt", asked).await?;
                if receipt.is_some_and(|receipt| has_paid(pending, &used, &receipt)) {
                    let depth = (head.number + 1).saturating_sub(number(&used.block_number)?);
                    let is_deep = depth >= self.confirmations;
                    let paid = || Seen::Paid(used.transaction_hash.clone());
                    return Ok(if is_deep { paid() } else { Seen::Shallow });
                }
            }
        }
        Ok(Seen::Nothing)
    }

    /// The tokens that somebody got in these blocks, the last one included.
    pub(super) async fn received(
        &self,
        asset: &str,
        pay_to: &str,
        (from, to): (u64, u64),
    ) -> Result<Vec<Received>, String> {
        let topics = json!([TRANSFER, null, word(pay_to)]);
        let mut received = Vec::new();
        for blocks in ranges(from, to)? {
            let logs = self.logs(asset, &topics, blocks).await?;
            received.extend(logs.into_iter().map(Received::of).collect::<Result<Vec<_>, _>>()?);
        }
        Ok(received)
    }

    /// The logs of a contract in these blocks, without those of blocks that the chain has dropped.
    async fn logs(
        &self,
        asset: &str,
        topics: &Value,
        (from, to): (u64, u64),
    ) -> Result<Vec<Log>, String> {
        let filter = json!([{
            "fromBlock": format!("{from:#x}"),
            "toBlock": format!("{to:#x}"),
            "address": asset,
            "topics": topics,
        }]);
        let mut logs: Vec<Log> = self.call("eth_getLogs", filter).await?;
        logs.retain(|log| !log.removed);
        Ok(logs)
    }

    async fn call<T: DeserializeOwned>(
        &self,
        method: &str,
        params: impl Serialize,
    ) -> Result<T, String> {
        let wrong = |why: &str| format!("{method}: {why}");
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let json = HeaderValue::from_static("application/json");
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, json)]);
        let body = Some(body.to_string());
        let sent = self.outbound.send(Method::POST, &self.url, headers, body, BYTES_MAX).await;
        let answer = sent.map_err(|class| wrong(class.as_str()))?;
        if answer.status != 200 {
            return Err(wrong(&format!("status {}", answer.status)));
        }
        let response: Response =
            serde_json::from_slice(&answer.body).map_err(|error| wrong(&error.to_string()))?;
        if let Some(error) = response.error {
            let text: String = error.to_string().chars().take(200).collect();
            return Err(wrong(&text));
        }
        serde_json::from_value(response.result.unwrap_or_default())
            .map_err(|error| wrong(&error.to_string()))
    }
}

/// These blocks, in ranges that nodes answer. Too many are an error rather than cut off: tokens may have come in
/// the rest.
fn ranges(from: u64, to: u64) -> Result<impl Iterator<Item = (u64, u64)>, String> {
    if to.saturating_sub(from) / BLOCKS >= RANGES_MAX {
        let most = RANGES_MAX * BLOCKS;
        return Err(format!(
            "the chain's head, block {to}, is too far ahead: at most {most} blocks from block {from} on are \
             searched; check the node in x402.rpc_url"
        ));
    }
    let starts = std::iter::successors(Some(from), |start| start.checked_add(BLOCKS));
    let starts = starts.take_while(move |start| *start <= to);
    Ok(starts.map(move |start| (start, to.min(start.saturating_add(BLOCKS - 1)))))
}

/// Whether a transaction brought the tokens of a payment. The contract logs the transfer right after the
/// authorization that it belongs to: a transaction may use two authorizations, of which the other one
/// pays somebody else.
fn has_paid(pending: &Pending, used: &Log, receipt: &Receipt) -> bool {
    let next = number(&used.index).map(|index| index + 1);
    let wanted = [TRANSFER.to_owned(), word(&pending.payer), word(&pending.pay_to)];
    let amount = format!("0x{:064x}", pending.amount);
    let is_it = |log: &Log| {
        next.is_ok()
            && number(&log.index) == next
            && log.address.eq_ignore_ascii_case(&pending.asset)
            && log.topics.len() == wanted.len()
            && log.topics.iter().zip(&wanted).all(|(topic, it)| topic.eq_ignore_ascii_case(it))
            && log.data.eq_ignore_ascii_case(&amount)
    };
    receipt.status == "0x1" && receipt.logs.iter().any(is_it)
}

/// An address as a word of 32 bytes.
fn word(address: &str) -> String {
    format!("0x{:0>64}", address.trim_start_matches("0x").to_ascii_lowercase())
}

fn number(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x").unwrap_or_default();
    u64::from_str_radix(digits, 16).map_err(|_| format!("{text:?} is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending() -> Pending {
        Pending {
            id: "pay_1".into(),
            network: "eip155:1337".to_owned(),
            asset: "0x00000000000000000000000000000000000000aa".to_owned(),
            payer: "0x00000000000000000000000000000000000000bb".to_owned(),
            nonce: format!("0x{:064x}", 7),
            pay_to: "0x00000000000000000000000000000000000000cc".to_owned(),
            amount: 5_000_000,
            valid_before: 0,
            block: 1,
            signed: None,
        }
    }

    fn log(pending: &Pending, index: u64, topics: Vec<String>, amount: i64) -> Log {
        Log {
            address: pending.asset.clone(),
            topics,
            data: format!("0x{amount:064x}"),
            index: format!("{index:#x}"),
            block_number: "0x2".to_owned(),
            transaction_hash: "0x1".to_owned(),
            removed: false,
        }
    }

    #[test]
    fn a_head_that_is_too_far_ahead_is_an_error() {
        let most = RANGES_MAX * BLOCKS;
        let count = |from, to| ranges(from, to).map(Iterator::count);
        assert_eq!((count(7, 7), count(8, 7)), (Ok(1), Ok(0)));
        assert_eq!(count(7, 6 + most), Ok(10_000));
        for head in [7 + most, u64::MAX] {
            assert!(count(7, head).unwrap_err().contains("too far ahead"), "{head}");
        }
    }

    #[test]
    fn only_the_transfer_right_after_its_own_authorization_pays() {
        let it = pending();
        let transfer = vec![TRANSFER.to_owned(), word(&it.payer), word(&it.pay_to)];
        let used = |index| log(&it, index, Vec::new(), 0);
        let receipt = |status: &str, amount| Receipt {
            status: status.to_owned(),
            logs: vec![log(&it, 1, transfer.clone(), amount)],
        };
        assert!(has_paid(&it, &used(0), &receipt("0x1", it.amount)));
        assert!(!has_paid(&it, &used(2), &receipt("0x1", it.amount)), "another authorization");
        assert!(!has_paid(&it, &used(0), &receipt("0x1", it.amount - 1)), "another amount");
        assert!(!has_paid(&it, &used(0), &receipt("0x0", it.amount)), "it was reverted");
        let mut other = receipt("0x1", it.amount);
        other.logs[0].topics[2] = word(&it.asset);
        assert!(!has_paid(&it, &used(0), &other), "another recipient");
        let mut other = receipt("0x1", it.amount);
        other.logs[0].address.clone_from(&it.payer);
        assert!(!has_paid(&it, &used(0), &other), "another token");
    }
}
