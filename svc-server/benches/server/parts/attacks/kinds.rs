//! The attacks: requests that cost the server more than the attacker.

use std::io::Cursor;

use bytes::BytesMut;
use image::{DynamicImage, ImageFormat, RgbImage};
use rumqttc::mqttbytes::QoS;
use rumqttc::mqttbytes::v4::{Connect, Login, Publish};
use serde_json::{Value, json};
use svc_client::types::{PostId, ServiceId};

use crate::attacker::Attack;
use crate::process::Process;

/// One kind of attack.
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// Whether accounts have budgets, as by default.
    pub(super) budgets: bool,
    pub(super) attack: fn(&Target) -> Attack,
}

const fn kind(name: &'static str, attack: fn(&Target) -> Attack) -> Kind {
    Kind { name, budgets: true, attack }
}

/// All kinds.
pub(super) const ALL: [Kind; 14] = [
    Kind { name: "schema bombs", budgets: false, attack: schema_bombs },
    kind("sign-ups", sign_ups),
    kind("passwords of one account", one_password),
    kind("passwords of many accounts", many_passwords),
    kind("developer apps", developer_apps),
    kind("replies of 20 KB", big_replies),
    kind("messages to strangers", messages),
    kind("unfunded escrows", escrows),
    kind("bodies of 10 MB", big_bodies),
    kind("paths of 70 KB", long_paths),
    kind("pictures of 4 megapixels", pictures),
    kind("services with wide schemas", services),
    kind("searches", searches),
    kind("forbidden MQTT publishes", publishes),
];

/// The targets of attacks, and the accounts they use.
pub(super) struct Target {
    api: String,
    mqtt: std::net::SocketAddr,
    keys: Vec<String>,
    post: PostId,
    service: ServiceId,
    bomb: ServiceId,
}

/// The attacking accounts.
const ATTACKERS: usize = 4;

impl Target {
    pub(super) async fn new(server: &Process) -> Self {
        let mut keys = Vec::new();
        for number in 0..ATTACKERS {
            let registered = server.client().auth().register_agent(format!("attacker_{number}"));
            keys.push(registered.await.expect("the name is free").api_key.expose().to_owned());
        }
        let person = server.client();
        let person = person.auth().register_person("victim", "victim@example.org", "correct horse");
        person.await.expect("the name is free");
        let owner = server.client().auth().register_agent("owner").await.expect("the name is free");
        let owner = server.builder().api_key(owner.api_key).build().expect("the key is one");
        let posted = owner.posts().create("a post that attackers reply to").await;
        let service = owner.services().create("plain", "takes anything", 1).await;
        let bomb = owner.services().create("bomb", "costs much to check", 1);
        let schema = wide_schema().as_object().cloned().expect("a schema is an object");
        let bomb = bomb.input_schema(schema).await;
        Self {
            api: format!("http://{}/api", server.address),
            mqtt: server.mqtt,
            keys,
            post: posted.expect("the slot is free").post.id,
            service: service.expect("the name is free").service.id,
            bomb: bomb.expect("the schema is valid").service.id,
        }
    }

    /// A JSON request by the attacking accounts.
    fn post(&self, path: &str, body: &Value) -> Attack {
        let keys = self.keys.clone();
        Attack { keys, ..self.anonymous(path, body) }
    }

    /// A JSON request without credentials, each from another network.
    fn anonymous(&self, path: &str, body: &Value) -> Attack {
        Attack {
            method: "POST".to_owned(),
            url: format!("{}{path}", self.api),
            content_type: "application/json".to_owned(),
            body: body.to_string().into_bytes(),
            roams: true,
            ..Attack::default()
        }
    }

    fn get(&self, path: &str) -> Attack {
        let url = format!("{}{path}", self.api);
        Attack { method: "GET".to_owned(), url, keys: self.keys.clone(), ..Attack::default() }
    }
}

/// Each item of an array is compared with each branch.
fn wide_schema() -> Value {
    let branches: Vec<_> = (0..900).map(|number| json!({ "const": number })).collect();
    json!({ "properties": { "a": { "items": { "oneOf": branches } } } })
}

fn schema_bombs(target: &Target) -> Attack {
    let order = json!({
        "schema": "service.request",
        "payload": {
            "serviceId": target.bomb, "serviceName": "bomb", "offeredCredits": 1,
            "input": { "a": vec![0; 19_800] },
        },
    });
    let message = json!({ "recipientUsername": "owner", "content": order.to_string() });
    target.post("/messages", &message)
}

fn sign_ups(target: &Target) -> Attack {
    let account = json!({
        "username": "new_{n}", "isAgent": false, "email": "new_{n}@example.org",
        "password": "correct horse",
    });
    target.anonymous("/auth/register", &account)
}

fn one_password(target: &Target) -> Attack {
    target.anonymous("/auth/login", &json!({ "username": "victim", "password": "wrong {n}" }))
}

fn many_passwords(target: &Target) -> Attack {
    target.anonymous("/auth/login", &json!({ "username": "user_{n}", "password": "wrong {n}" }))
}

fn developer_apps(target: &Target) -> Attack {
    let app = json!({ "appName": "app {n}", "website": "https://example.org" });
    target.anonymous("/v1/developers/register", &app)
}

fn big_replies(target: &Target) -> Attack {
    let reply = json!({ "content": "é".repeat(10_000) });
    target.post(&format!("/posts/{}/replies", target.post), &reply)
}

fn messages(target: &Target) -> Attack {
    target.post("/messages", &json!({ "recipientUsername": "owner", "content": "buy now {n}" }))
}

fn escrows(target: &Target) -> Attack {
    let escrow = json!({
        "providerUsername": "owner", "serviceId": target.service, "amount": 1_000_000_000,
        "description": "number {n}",
    });
    target.post("/v1/escrow", &escrow)
}

fn big_bodies(target: &Target) -> Attack {
    target.post("/posts", &json!({ "content": "x".repeat(10_000_000) }))
}

fn long_paths(target: &Target) -> Attack {
    target.get(&format!("/posts/{}", "x".repeat(70_000)))
}

fn pictures(target: &Target) -> Attack {
    let mut bytes = Cursor::new(Vec::new());
    // Small as a file, 12 MB when decoded.
    let picture = RgbImage::from_fn(2_000, 2_000, |x, y| {
        let [red, green] = [x / 8, y / 8].map(|part| part.to_le_bytes()[0]);
        image::Rgb([red, green, 0])
    });
    let written = DynamicImage::from(picture).write_to(&mut bytes, ImageFormat::Png);
    written.expect("a picture can be encoded");
    Attack {
        method: "PUT".to_owned(),
        content_type: "image/png".to_owned(),
        body: bytes.into_inner(),
        ..target.get("/users/me/avatar")
    }
}

fn services(target: &Target) -> Attack {
    let service = json!({
        "name": "service {n}", "description": "one of many", "priceCredits": 1,
        "inputSchema": wide_schema(),
    });
    target.post("/v1/bots/me/services", &service)
}

fn searches(target: &Target) -> Attack {
    target.get("/search?q=some+words+{n}")
}

/// A client that connects and publishes without permission.
fn publishes(target: &Target) -> Attack {
    let mut bytes = BytesMut::new();
    let mut connect = Connect::new("attacker_0");
    connect.login = Some(Login::new("attacker_0", target.keys[0].clone()));
    connect.write(&mut bytes).expect("the packet is valid");
    let publish = Publish::new("svc/users/owner/events", QoS::AtMostOnce, vec![b'x'; 1_000]);
    publish.write(&mut bytes).expect("the packet is valid");
    Attack { raw: Some((target.mqtt, bytes.to_vec())), ..Attack::default() }
}
