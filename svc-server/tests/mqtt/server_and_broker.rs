//! A server with an external broker: [`Aedes`] or a [`Cluster`] of rmqtt.

use std::net::SocketAddr;
use std::time::Duration;

use svc_client::types::api::health::HealthStatus;
use svc_server::testing::{Engine, until};
use svc_store::clock::Clock;
use svc_store::sql;

use crate::aedes::Aedes;
use crate::app::TestApp;
use crate::rmqtt::Cluster;
use crate::wire::{Login, VERSIONS, Wire};

/// Writes a test once and runs it with each external broker.
#[macro_export]
macro_rules! on_external_brokers {
    ($(async fn $name:ident($deployment:ident: Deployment) $body:block)+) => {$(
        async fn $name($deployment: $crate::server_and_broker::Deployment) $body

        mod $name {
            use std::time::Duration;

            use $crate::server_and_broker::Deployment;

            #[tokio::test]
            async fn aedes() {
                if let Some(deployment) = Deployment::aedes().await {
                    super::$name(deployment).await;
                }
            }

            #[tokio::test]
            #[ignore = "a cluster takes minutes to build: `.ci/run brokers`"]
            async fn rmqtt() {
                if let Some(deployment) = Deployment::rmqtt().await {
                    deployment.catches_up(Duration::ZERO);
                    super::$name(deployment).await;
                }
            }
        }
    )+};
}

/// A server and its broker, connected to each other.
pub(crate) struct Deployment {
    pub(crate) app: TestApp,
    broker: Broker,
}

/// A broker while it runs.
pub(crate) enum Broker {
    Aedes(Option<Aedes>),
    Rmqtt(Cluster),
}

impl Deployment {
    /// With aedes.
    pub(crate) async fn aedes() -> Option<Self> {
        let aedes = Aedes::start(0).await?;
        Some(Self::start(Broker::Aedes(Some(aedes))).await)
    }

    /// With a cluster of rmqtt.
    pub(crate) async fn rmqtt() -> Option<Self> {
        let cluster = Cluster::start().await?;
        Some(Self::start(Broker::Rmqtt(cluster)).await)
    }

    async fn start(mut broker: Broker) -> Self {
        let url = broker.url();
        let settings = [
            ("broker.url", &*url),
            ("broker.internal_listen", "127.0.0.1:0"),
            ("broker.internal_secret", "hush"),
        ];
        let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
        let server = app.server.app().broker.internal().unwrap();
        match &mut broker {
            Broker::Aedes(aedes) => aedes.as_mut().unwrap().use_server(server).await,
            Broker::Rmqtt(cluster) => cluster.use_server(server).await,
        }
        let deployment = Self { app, broker };
        deployment.is_reached().await;
        deployment
    }

    /// Moves the server's clock this close to the machine's, by which the broker judges how long a
    /// verdict is valid.
    pub(crate) fn catches_up(&self, behind: Duration) {
        let clock = self.app.server.clock();
        clock.advance(Clock::system().now().minus(behind).since(clock.now()));
    }

    /// The versions of the protocol that it speaks, by their level.
    pub(crate) fn versions(&self) -> &'static [u8] {
        match self.broker {
            Broker::Aedes(_) => &VERSIONS[..1],
            Broker::Rmqtt(_) => &VERSIONS,
        }
    }

    /// Whether it refuses clients with a will message; otherwise it requests permission to publish the
    /// will.
    pub(crate) fn refuses_wills(&self) -> bool {
        matches!(self.broker, Broker::Rmqtt(_))
    }

    /// Ends the server; the broker runs on.
    pub(crate) async fn without_server(self) -> Broker {
        self.app.server.stop().await;
        self.broker
    }

    /// Where clients find a node; the server's own is the first. aedes is but one.
    pub(crate) fn address(&self, node: usize) -> SocketAddr {
        self.broker.address(node)
    }

    /// Connects to a node; the answer is the CONNACK's flags and code.
    pub(crate) async fn connect(&self, node: usize, login: &Login) -> (Wire, (u8, u8)) {
        Wire::try_connect_at(self.address(node), login).await
    }

    /// A client of a node, in and subscribed to these topics at QoS 1.
    pub(crate) async fn listen(&self, node: usize, login: &Login, topics: &[&str]) -> Wire {
        let (mut wire, (_, code)) = self.connect(node, login).await;
        assert_eq!(code, 0, "it may connect");
        assert_eq!(wire.subscribe(topics).await, vec![1; topics.len()], "{topics:?}");
        wire
    }

    /// Kills the node that the server is connected to, with all its state, and waits until the server
    /// detects it.
    pub(crate) async fn lose(&mut self) {
        match &mut self.broker {
            Broker::Aedes(aedes) => aedes.take().unwrap().kill().await,
            Broker::Rmqtt(cluster) => cluster.kill(1).await,
        }
        self.is(HealthStatus::Degraded).await;
    }

    /// Starts it again at its address.
    pub(crate) async fn revive(&mut self, address: SocketAddr) {
        match &mut self.broker {
            Broker::Aedes(aedes) => {
                let mut again = Aedes::start(address.port()).await.unwrap();
                again.use_server(self.app.server.app().broker.internal().unwrap()).await;
                *aedes = Some(again);
            }
            Broker::Rmqtt(cluster) => cluster.revive(1).await,
        }
        self.is_reached().await;
    }

    /// Waits until the server is connected.
    async fn is_reached(&self) {
        self.is(HealthStatus::Ok).await;
    }

    async fn is(&self, status: HealthStatus) {
        until("the server detects whether its broker is there", async || {
            self.app.anonymous.health().read().await.unwrap().checks["broker"] == status
        })
        .await;
    }

    /// Waits until the broker has all events.
    pub(crate) async fn all_relayed(&self) {
        let waiting = sql!("select count(*) from event where relayed_at is null");
        until("the broker accepts all events", async || self.app.count(waiting).await == 0).await;
    }
}

impl Broker {
    fn address(&self, node: usize) -> SocketAddr {
        match self {
            Self::Aedes(aedes) => aedes.as_ref().expect("it runs").address,
            Self::Rmqtt(cluster) => cluster.address(node),
        }
    }

    /// The server's setting for it.
    fn url(&self) -> String {
        match self {
            Self::Aedes(aedes) => aedes.as_ref().expect("it runs").url(),
            Self::Rmqtt(cluster) => format!("mqtt://svc:service@{}", cluster.address(1)),
        }
    }
}
