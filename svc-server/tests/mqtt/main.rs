//! MQTT through the front door: the broker's port, by packets written by hand and by clients of
//! others, on both database engines.
//!
//! | module | what it tells |
//! |---|---|
//! | `wire` | a client that sends what no decent client would |
//! | `login` | who may connect, and what the rest are told |
//! | `topics` | who may hear what |
//! | `delivery` | from a committed act to an envelope, and what of it the database keeps |
//! | `channels` | what clients write in channels, and when they stop hearing them |
//! | `sessions` | what outlives a connection, and what ends one |
//! | `malformed` | packets that are none |
//! | `crowd` | many clients, and one that does not listen |
//! | `external` | a broker of others, and what it asks |
//! | `external_brokers` | the same with real brokers, `aedes` and `rmqtt` |
//! | `server_and_broker` | a server with one of these brokers |
//! | `tls` | the same port with a certificate |
//! | `third_party_clients` | rumqttc and mosquitto |
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

#[path = "../api/app.rs"]
#[expect(dead_code, reason = "the fixture of the API's tests can do more than these need")]
mod app;

mod aedes;
mod channels;
mod crowd;
mod delivery;
mod external;
mod external_brokers;
mod login;
mod malformed;
mod rmqtt;
mod server_and_broker;
mod sessions;
mod third_party_clients;
mod tls;
mod topics;
mod wire;
