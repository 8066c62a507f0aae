//! The script of the sample data: the files in `world/`, read into types.

use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value};
use svc_store::error::{Error, Result};

/// A JSON object.
pub(super) type Object = Map<String, Value>;

/// Everything that happens.
pub(super) struct Script {
    pub(super) accounts: Vec<Account>,
    pub(super) services: Vec<Service>,
    pub(super) talk: Talk,
    pub(super) orders: Orders,
}

impl Script {
    pub(super) fn read() -> Result<Self> {
        let Accounts { account } = parsed(include_str!("world/accounts.toml"))?;
        let Services { service } = parsed(include_str!("world/services.toml"))?;
        Ok(Self {
            accounts: account,
            services: service,
            talk: parsed(include_str!("world/talk.toml"))?,
            orders: parsed(include_str!("world/orders.toml"))?,
        })
    }
}

fn parsed<T: de::DeserializeOwned>(text: &str) -> Result<T> {
    toml::from_str(text).map_err(Error::internal)
}

/// Day and hour after the beginning.
pub(super) type At = [u64; 2];

#[derive(Deserialize)]
struct Accounts {
    account: Vec<Account>,
}

/// An account, and whom it follows from the start.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Account {
    pub(super) name: String,
    pub(super) shown: String,
    pub(super) bio: String,
    /// The day on which it joins.
    #[serde(default)]
    pub(super) day: u64,
    /// Credits that the operator issues to a person. An agent has none of them.
    pub(super) credits: Option<u32>,
    /// The person who owns an agent.
    pub(super) owner: Option<String>,
    pub(super) website: Option<String>,
    pub(super) follows: Vec<String>,
}

impl Account {
    pub(super) const fn is_agent(&self) -> bool {
        self.credits.is_none()
    }
}

#[derive(Deserialize)]
struct Services {
    service: Vec<Service>,
}

/// A service, and what is ordered of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Service {
    pub(super) agent: String,
    pub(super) name: String,
    pub(super) category: String,
    pub(super) price: u32,
    pub(super) description: String,
    pub(super) tags: Vec<String>,
    #[serde(default = "implicit")]
    pub(super) acceptance: String,
    #[serde(deserialize_with = "object")]
    pub(super) input_schema: Object,
    #[serde(deserialize_with = "object")]
    pub(super) output_schema: Object,
    #[serde(deserialize_with = "objects")]
    pub(super) samples: Vec<Object>,
    #[serde(deserialize_with = "objects")]
    pub(super) inputs: Vec<Object>,
    /// How many orders it gets, apart from those that are described one by one.
    pub(super) orders: usize,
    pub(super) reviews: Vec<(f64, String)>,
}

/// Posts, channels, letters and lists.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Talk {
    pub(super) post: Vec<Post>,
    pub(super) channel: Vec<Channel>,
    pub(super) said: Vec<Said>,
    pub(super) letter: Vec<Letter>,
    pub(super) list: Vec<List>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Post {
    pub(super) at: At,
    pub(super) by: String,
    pub(super) id: Option<String>,
    pub(super) to: Option<String>,
    pub(super) quotes: Option<String>,
    pub(super) text: String,
    pub(super) warning: Option<String>,
    pub(super) image: Option<String>,
    pub(super) alt: Option<String>,
    #[serde(default)]
    pub(super) likes: Vec<String>,
    #[serde(default)]
    pub(super) reposts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Channel {
    pub(super) at: At,
    pub(super) name: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) members: Vec<String>,
    /// Who says what.
    pub(super) said: Vec<[String; 2]>,
}

/// A later message in a channel.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Said {
    pub(super) at: At,
    #[serde(rename = "in")]
    pub(super) channel: String,
    pub(super) by: String,
    pub(super) text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Letter {
    pub(super) at: At,
    pub(super) by: String,
    pub(super) to: String,
    pub(super) text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    pub(super) at: At,
    pub(super) by: String,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) visibility: String,
    pub(super) members: Vec<String>,
}

/// Orders that are described one by one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Orders {
    pub(super) order: Vec<Order>,
    pub(super) plan: Vec<Plan>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    pub(super) at: At,
    pub(super) buyer: String,
    pub(super) service: String,
    /// Whether an escrow pays.
    #[serde(default)]
    pub(super) escrow: bool,
    #[serde(deserialize_with = "object")]
    pub(super) input: Object,
    #[serde(default)]
    pub(super) steps: Vec<Step>,
}

/// What happens to an order, and how many minutes after the step before.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) act: Act,
    pub(super) after: u64,
    #[serde(default)]
    pub(super) text: String,
    pub(super) rating: Option<f64>,
    pub(super) percent: Option<u8>,
    #[serde(default, deserialize_with = "object")]
    pub(super) prompt: Object,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Act {
    Answer,
    Decline,
    Progress,
    Ask,
    Release,
    Review,
    Dispute,
    Cancel,
    Respond,
    Refund,
    ForSeller,
    ForBuyer,
    Split,
}

/// A task in parts, each with an escrow of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plan {
    pub(super) at: At,
    pub(super) buyer: String,
    pub(super) service: String,
    /// Amount and description of each part.
    pub(super) milestones: Vec<(u32, String)>,
    #[serde(deserialize_with = "objects")]
    pub(super) inputs: Vec<Object>,
}

fn implicit() -> String {
    "implicit".to_owned()
}

/// An object that is written as JSON.
fn object<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Object, D::Error> {
    serde_json::from_str(&String::deserialize(from)?).map_err(de::Error::custom)
}

fn objects<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Vec<Object>, D::Error> {
    let texts: Vec<String> = Vec::deserialize(from)?;
    texts.iter().map(|text| serde_json::from_str(text).map_err(de::Error::custom)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_read_and_hold_what_the_demo_promises() {
        let script = Script::read().unwrap();
        assert_eq!(script.accounts.iter().filter(|account| account.is_agent()).count(), 8);
        assert_eq!(script.services.len(), 12);
        let mut categories: Vec<&str> =
            script.services.iter().map(|service| service.category.as_str()).collect();
        categories.sort_unstable();
        categories.dedup();
        assert_eq!(categories.len(), 6);
    }
}
