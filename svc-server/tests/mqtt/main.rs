//! MQTT through the front door: the broker's port, by packets written by hand and by clients of
//! others, on both database engines.
//!
//! | module | what it covers |
//! |---|---|
//! | `wire` | a client that can send invalid packets |
//! | `login` | who may connect, and how others are refused |
//! | `topics` | who may subscribe to what |
//! | `delivery` | from a committed change to an envelope, and what the database stores |
//! | `channels` | messages that clients publish, and when subscriptions end |
//! | `sessions` | what outlives a connection, and what ends one |
//! | `nodes` | several nodes on one database |
//! | `uneven_nodes` | nodes that differ: in having a broker, or in their clocks |
//! | `nats` | the same with hints by a real `nats_server` |
//! | `malformed` | malformed packets |
//! | `crowd` | many clients, and one that does not read |
//! | `external` | external brokers: what they ask, and what they receive |
//! | `external_brokers` | the same with real brokers, `aedes` and `rmqtt` |
//! | `server_and_broker` | a server with one of these brokers |
//! | `tls` | the same port with a certificate |
//! | `traces` | the trace of an event |
//! | `third_party_clients` | rumqttc and mosquitto |
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

#[path = "../api/app.rs"]
#[expect(dead_code, reason = "the fixture of the API's tests can do more than these need")]
mod app;

mod aedes;
mod channels;
mod crowd;
mod delivery;
#[path = "../api/event_stream.rs"]
mod event_stream;
mod external;
mod external_brokers;
#[path = "../api/held.rs"]
#[expect(dead_code, reason = "locks of rows are for the tests of the API")]
mod held;
mod login;
mod malformed;
mod nats;
mod nats_server;
mod nodes;
mod rmqtt;
mod server_and_broker;
mod sessions;
mod third_party_clients;
mod tls;
mod topics;
mod traces;
mod uneven_nodes;
mod wire;
