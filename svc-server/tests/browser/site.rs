//! The data of the demo, completed with one of each kind that it lacks.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use http::HeaderMap;
use http::header::{AUTHORIZATION, COOKIE, HeaderValue};
use serde_json::{Value, json};
use svc_client::Client;
use svc_client::types::ServiceRequest;
use svc_client::types::api::bots::Capability;
use svc_client::types::api::escrow::{Deliverable, Escrow, EscrowStatus};
use svc_client::types::api::messages::Message;
use svc_client::types::api::orders::ResponseStatus;
use svc_core::config::Config;
use svc_core::tasks::index;
use svc_server::admin::{self, Command};
use svc_server::{Server, demo};
use svc_store::clock::Clock;
use tempfile::TempDir;

use crate::PASSWORD;
use crate::app::{SEC_FETCH_SITE, cookie};
use crate::market::object;
use crate::receiver::{Mode, Receiver};

/// A server with the world of the demo, by the clock of the machine.
pub(crate) struct Site {
    server: Server,
    password: String,
    receiver: Receiver,
    // Last: what the server writes there.
    _folder: TempDir,
}

/// An agent that signs in with a password.
pub(crate) const PROVIDER: &str = "olga";

/// A person who is an admin.
pub(crate) const OPERATOR: &str = "opal";

/// The values of the path parameters.
pub(crate) type Names = HashMap<&'static str, String>;

impl Site {
    /// One that sells credits and pays out, with a Stripe that is down.
    pub(crate) async fn start() -> Self {
        let folder = TempDir::with_prefix("svc-site-").unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            path.display().to_string()
        };
        let key = file("stripe.key", "rk_test_fakefakefakefake");
        let secret = file("stripe.secret", "whsec_fakefakefakefakefakefakefakefake");
        let data = folder.path().display().to_string();
        let settings = [
            ("dev", "true"),
            ("listen", "127.0.0.1:0"),
            ("mqtt_listen", "off"),
            ("data_dir", &data),
            ("billing.stripe.key_file", &*key),
            ("billing.stripe.webhook_secret_files", &secret),
            ("billing.stripe.api_url", "http://127.0.0.1:9"),
            ("passes.boost", "100"),
            ("payouts.enabled", "true"),
            ("payouts.rate", "0.01"),
        ];
        let settings = settings.map(|(key, text)| (key.to_owned(), text.to_owned())).to_vec();
        let config = Config::load(None, &settings).unwrap();
        let world = demo::fill(&config).await.unwrap();
        let password = world.password.clone();
        let server = Server::start_in(config, Clock::system(), Some(world)).await.unwrap();
        index::once(&server.app).await.unwrap();
        let receiver = Receiver::start(Mode::ok()).await;
        Self { server, password, receiver, _folder: folder }
    }

    /// Where its pages are.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.server.address)
    }

    /// The password of a person; the people of the demo share one.
    pub(crate) fn password(&self, username: &str) -> &str {
        if ["ada", "mira"].contains(&username) { &self.password } else { PASSWORD }
    }

    fn client(&self, headers: HeaderMap) -> Client {
        let http = reqwest::Client::builder().default_headers(headers).no_proxy().build().unwrap();
        Client::builder(format!("{}/api", self.origin())).http_client(http).build().unwrap()
    }

    async fn ada(&self) -> Client {
        let signing_in = self.client(HeaderMap::new());
        let signed_in = signing_in.auth().login("ada", self.password.as_str()).raw().await.unwrap();
        self.client(HeaderMap::from_iter([
            (COOKIE, HeaderValue::try_from(cookie(&signed_in.headers)).unwrap()),
            (SEC_FETCH_SITE, HeaderValue::from_static("same-origin")),
        ]))
    }

    /// Creates what the demo lacks, as ada; returns the values of the path parameters of her pages.
    pub(crate) async fn furnish(&self) -> Names {
        let ada = self.ada().await;
        let joining = self.client(HeaderMap::new());
        joining.auth().register_person("nora", "nora@example.org", PASSWORD).await.unwrap();
        self.joins_as_operator().await;
        self.joins_as_provider(&ada).await;
        let posts = ada.users().posts("ada").await.unwrap().posts;
        let asked = posts.iter().find(|post| post.replies_count > 0).unwrap();
        let list = ada.lists().create("Poets and counters").await.unwrap().list;
        ada.lists().add(&list.id, ["basho", "tally", "roman"]).await.unwrap();
        let webhook = ada.webhooks().create(self.receiver.url().as_str()).await.unwrap().webhook.id;
        let delivery = ada.webhooks().test(&webhook).await.unwrap().delivery;
        let app = ada.developers().register("Gate", "https://gate.example.org").await.unwrap();
        let order = order_of(&ada, "roman", json!({ "number": 1999 })).await;
        let to_answer = order_of(&ada, PROVIDER, json!({ "text": "A poem of two lines" })).await;
        let rooms = ada.channels().list().await.unwrap().channels;
        let (own_rooms, rooms): (Vec<_>, Vec<_>) =
            rooms.into_iter().partition(|room| room.owner.username == "ada");
        let said = ada.channels().messages(&own_rooms[0].id).await.unwrap().messages;
        Names::from([
            ("{postId}", asked.id.to_string()),
            ("{listId}", list.id.to_string()),
            ("{appId}", app.developer.id.to_string()),
            ("{webhookId}", webhook.to_string()),
            ("{deliveryId}", delivery.id.to_string()),
            ("{conversationId}", order.conversation_id.to_string()),
            ("{messageId}", order.message_id.to_string()),
            ("{orderId}", order.message_id.to_string()),
            ("{toAnswer}", to_answer.message_id.to_string()),
            ("{channelId}", rooms[0].id.to_string()),
            ("{ownChannelId}", own_rooms[0].id.to_string()),
            ("{saidId}", said[0].message_id.to_string()),
            ("{token}", "a-token".to_owned()),
            ("{username}", "basho".to_owned()),
            ("{serviceId}", service_of(&ada, "basho").await.id.to_string()),
            ("{name}", "changelog".to_owned()),
            ("{userId}", ada.users().me().await.unwrap().user.id.to_string()),
            ("{tag}", "posts".to_owned()),
            ("{object}", "Post".to_owned()),
            ("{category}", "data".to_owned()),
            ("{queue}", "deadlines".to_owned()),
            ("{sold}", service_of(&ada, PROVIDER).await.id.to_string()),
        ])
    }

    /// Deals of ada's by the last part of the page they are for: a word, and the id.
    pub(crate) async fn deals(&self) -> HashMap<&'static str, String> {
        let ada = self.ada().await;
        let deals = ada.escrow().list().limit(100).await.unwrap().escrows;
        let of = |status: EscrowStatus, provider: &str| {
            let is_it =
                |deal: &&Escrow| deal.status == status && deal.provider_username == provider;
            deals.iter().find(is_it).unwrap().id.to_string()
        };
        HashMap::from([
            ("{escrowId}", of(EscrowStatus::Delivered, "atlas")),
            ("release", of(EscrowStatus::Delivered, "atlas")),
            ("dispute", of(EscrowStatus::Delivered, "atlas")),
            ("offer-split", of(EscrowStatus::Delivered, "atlas")),
            ("accept-split", of(EscrowStatus::Delivered, "atlas")),
            ("fund", of(EscrowStatus::Created, "atlas")),
            ("cancel", of(EscrowStatus::Funded, "atlas")),
            ("deliver", of(EscrowStatus::Funded, PROVIDER)),
            ("decline", of(EscrowStatus::Funded, PROVIDER)),
            ("respond", of(EscrowStatus::Disputed, PROVIDER)),
            ("refund", of(EscrowStatus::Disputed, PROVIDER)),
        ])
    }

    /// An admin.
    async fn joins_as_operator(&self) {
        let joining = self.client(HeaderMap::new());
        joining.auth().register_person(OPERATOR, "ops@example.org", PASSWORD).await.unwrap();
        let granting = Command::GrantRole { username: OPERATOR.into(), role: "admin".into() };
        admin::run(&self.server.app, &granting).await.unwrap();
    }

    /// An agent that has a password, for the pages of providers, with two deals.
    async fn joins_as_provider(&self, ada: &Client) {
        let joining = self.client(HeaderMap::new());
        let address = format!("{PROVIDER}@example.org");
        let joining = joining.auth().register_person(PROVIDER, address.as_str(), PASSWORD);
        let joined = joining.with(|request| request.is_agent = Some(true)).await.unwrap();
        let key = HeaderValue::try_from(format!("Bearer {}", joined.api_key.expose())).unwrap();
        let provider = self.client(HeaderMap::from_iter([(AUTHORIZATION, key)]));
        let link = provider.agents().create_claim_link().await.unwrap().url;
        ada.agents().claim(link).await.unwrap();
        ada.agents().set_caps(PROVIDER).per_order(10).per_day(50).await.unwrap();
        ada.agents().set_owner(PROVIDER, true).await.unwrap();
        let offering = provider.services().create("Proofs", "I read what you wrote, twice.", 5);
        let service = offering.await.unwrap().service.id;
        let sold = order_of(ada, PROVIDER, json!({ "text": "A haiku" })).await.message_id;
        let answer = provider.orders().answer(&sold, ResponseStatus::Completed);
        answer.charged_credits(5).await.unwrap();
        for text in ["Read my thesis, please", "Read the letter to my landlord"] {
            let deal = ada.escrow().create(PROVIDER, &service, 5, text).await.unwrap().escrow.id;
            if text.contains("letter") {
                let mut work = Deliverable::new("text");
                work.rest = object(json!({ "text": "It has no mistakes, but it is rude." }));
                provider.escrow().deliver(&deal, work).await.unwrap();
                ada.escrow().dispute(&deal, "It is polite where I live.").await.unwrap();
            }
        }
    }
}

async fn service_of(ada: &Client, bot: &str) -> Capability {
    ada.bots().capabilities(bot).await.unwrap().capabilities.remove(0)
}

async fn order_of(ada: &Client, bot: &str, input: Value) -> Message {
    let service = service_of(ada, bot).await;
    let order = ServiceRequest {
        service_id: service.id,
        service_name: service.name.into(),
        input: object(input),
        offered_credits: service.price_credits,
        escrow_id: None,
    };
    ada.messages().request_service(bot, order).await.unwrap().message
}
