//! Settings of credits that agents pay with tokens on a chain, by the protocol x402.

use std::time::Duration;

use serde::Deserialize;
use svc_store::error::SetupError;

use super::{Config, links, span};

/// Chains of EVM on which tokens are worth nothing, by their numbers.
const TEST_CHAINS: [&str; 9] =
    ["1301", "1337", "31337", "43113", "80002", "84532", "421614", "11155111", "11155420"];

/// Most blocks that a payment can wait for.
const CONFIRMATIONS_MAX: u64 = 1_000;

/// Most time for a call of the facilitator or of the node.
const TIMEOUT_MAX: Duration = Duration::from_mins(1);

/// What payments with tokens need; all empty where there are none.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct X402Settings {
    /// URL of what sends signed payments to the chain.
    pub facilitator: String,
    /// The file with a bearer token for it; empty if it asks for none.
    pub token_file: String,
    /// The chain, as CAIP-2 names it.
    pub network: String,
    /// The contract of the token.
    pub asset: String,
    /// The name of the token, as EIP-712 has it.
    pub asset_name: String,
    /// The version of the token, as EIP-712 has it.
    pub asset_version: String,
    /// Who gets the tokens.
    pub pay_to: String,
    /// URL of a node of the chain.
    pub rpc_url: String,
    /// Blocks after which a payment counts, its own among them.
    pub confirmations: u64,
    /// Time for a call of the facilitator or of the node.
    #[serde(deserialize_with = "span")]
    pub timeout: Duration,
}

impl X402Settings {
    /// Whether credits can be paid with tokens.
    pub const fn is_on(&self) -> bool {
        !self.facilitator.is_empty()
    }

    /// Whether the tokens are worth nothing.
    pub fn in_test(&self) -> bool {
        self.chain().is_some_and(|chain| TEST_CHAINS.contains(&chain))
    }

    /// The number of the chain.
    fn chain(&self) -> Option<&str> {
        let digits = self.network.strip_prefix("eip155:")?;
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some(digits)
    }

    /// Checks what the types can't express.
    pub(super) fn check(&self, config: &Config) -> Result<(), SetupError> {
        if self.is_given()? {
            self.check_texts(config)?;
            self.check_limits()?;
            check_prices(config)?;
        }
        Ok(())
    }

    /// Whether payments with tokens are set up; an error if they are only in part.
    fn is_given(&self) -> Result<bool, SetupError> {
        let needed = [
            ("facilitator", &self.facilitator),
            ("network", &self.network),
            ("asset", &self.asset),
            ("asset_name", &self.asset_name),
            ("asset_version", &self.asset_version),
            ("pay_to", &self.pay_to),
            ("rpc_url", &self.rpc_url),
        ];
        let given = needed.iter().find(|(_, text)| !text.is_empty()).map(|(name, _)| *name);
        let given = given.or((!self.token_file.is_empty()).then_some("token_file"));
        let Some(given) = given else { return Ok(false) };
        if let Some((missing, _)) = needed.iter().find(|(_, text)| text.is_empty()) {
            return Err(wrong(given, &format!("needs x402.{missing} as well")));
        }
        Ok(true)
    }

    fn check_texts(&self, config: &Config) -> Result<(), SetupError> {
        for (name, url) in [("facilitator", &self.facilitator), ("rpc_url", &self.rpc_url)] {
            if !links::is_permitted(url) {
                return Err(wrong(name, "must be an https URL, or an http URL of this machine"));
            }
        }
        for (name, text) in [("asset", &self.asset), ("pay_to", &self.pay_to)] {
            if !is_address(text) {
                return Err(wrong(name, "must be an address: 0x and 40 hexadecimal digits"));
            }
        }
        if self.chain().is_none() {
            return Err(wrong("network", "must be a chain of EVM, such as eip155:8453"));
        }
        if self.in_test() && !config.dev && !config.billing.allow_test {
            return Err(wrong(
                "network",
                "is a test network, which needs billing.allow_test = true",
            ));
        }
        Ok(())
    }

    fn check_limits(&self) -> Result<(), SetupError> {
        if !(1..=CONFIRMATIONS_MAX).contains(&self.confirmations) {
            return Err(wrong("confirmations", "must be from 1 to 1000"));
        }
        // A span is never empty.
        if self.timeout > TIMEOUT_MAX {
            return Err(wrong("timeout", "must be from 1s to 60s"));
        }
        Ok(())
    }
}

/// The token is worth a dollar and has 6 decimals.
fn check_prices(config: &Config) -> Result<(), SetupError> {
    if config.billing.currency != "usd" {
        return Err(wrong("asset", "is worth dollars, so billing.currency must be usd"));
    }
    let prices = &config.credits;
    for (name, bound) in [("min", prices.min), ("max", prices.max)] {
        if prices.tokens_of(bound).is_none() {
            let why = format!("has 6 decimals, and credits.{name} times credits.price has more");
            return Err(wrong("asset", &why));
        }
    }
    Ok(())
}

fn wrong(name: &str, why: &str) -> SetupError {
    SetupError::new(format!("x402.{name} {why}"))
}

/// Whether a text is an address of EVM.
fn is_address(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or_default();
    digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::super::show;
    use super::*;

    const ADDRESS: &str = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

    const LIVE: [(&str, &str); 7] = [
        ("x402.facilitator", "https://facilitator.example.org"),
        ("x402.network", "eip155:8453"),
        ("x402.asset", ADDRESS),
        ("x402.asset_name", "USD Coin"),
        ("x402.asset_version", "2"),
        ("x402.pay_to", ADDRESS),
        ("x402.rpc_url", "http://127.0.0.1:8545"),
    ];

    fn load(changed: (&str, &str)) -> Result<Config, SetupError> {
        let settings = LIVE.into_iter().filter(|(name, _)| *name != changed.0).chain([changed]);
        let owned = settings.map(|(name, text)| (name.to_owned(), text.to_owned()));
        Config::load(None, &owned.collect())
    }

    #[test]
    fn a_key_in_the_url_of_a_node_is_not_shown() {
        let shown = |url: &str| {
            let settings = LIVE.into_iter().filter(|(name, _)| *name != "x402.rpc_url");
            let settings = settings.chain([("x402.rpc_url", url)]);
            let owned = settings.map(|(name, text)| (name.to_owned(), text.to_owned()));
            show(None, &owned.collect()).unwrap()
        };
        assert!(!shown("https://node.example.org/v3/hidden").contains("hidden"));
        assert!(shown("http://127.0.0.1:8545").contains("rpc_url = \"http://127.0.0.1:8545\""));
    }

    #[test]
    fn tokens_need_all_settings_and_each_refusal_names_its_own() {
        assert!(load(("dev", "false")).unwrap().x402.is_on());
        for (name, text, why) in [
            ("x402.rpc_url", "", "x402.facilitator needs x402.rpc_url as well"),
            ("x402.facilitator", "", "x402.network needs x402.facilitator as well"),
            ("x402.facilitator", "http://example.org", "x402.facilitator must be an https URL"),
            ("x402.pay_to", "0x1", "x402.pay_to must be an address"),
            ("x402.network", "solana:mainnet", "x402.network must be a chain of EVM"),
            ("x402.confirmations", "0", "x402.confirmations must be from 1 to 1000"),
            ("x402.timeout", "61s", "x402.timeout must be from 1s to 60s"),
            ("x402.network", "eip155:1337", "x402.network is a test network"),
            ("billing.currency", "eur", "billing.currency must be usd"),
        ] {
            let error = load((name, text)).unwrap_err().to_string();
            assert!(error.contains(why), "{name} = {text}: {error}");
        }
    }
}
