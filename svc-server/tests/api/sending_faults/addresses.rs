//! Addresses inside of our network, which are never called whatever a name says.

use std::sync::Arc;

use svc_client::types::Code;
use svc_client::types::api::webhooks::{CreateWebhook, DeliveryErrorClass as Class};
use svc_store::{sql, values};

use super::{Told, first_attempts};
use crate::app::code;
use crate::on_both_engines;
use crate::receiver::{Mode, Receiver};
use crate::sending::attempt;

on_both_engines! {
    async fn dns_rebinding_is_blocked(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.timeout" = "1s",
        "webhooks.connect_timeout" = "1s"
    ) {
        let names = Told::default();
        app.server.app().outbound.find_names_in(Arc::new(names.clone()));
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let receiver = Receiver::start(Mode::UnknownCertificate).await;
        let url = format!("https://hook.example.org:{}/", receiver.address.port());
        let class = async |address: &str| {
            names.set("hook.example.org", address);
            let webhook = ada.client.webhooks().create(url.as_str()).await.unwrap().webhook.id;
            bob.write(&ada, "psst").await;
            let id = ada.deliveries(&webhook).await.pop().unwrap().id;
            attempt(&ada, &webhook, &id, 1).await.1.error_class.unwrap()
        };
        assert_eq!(class("127.0.0.1").await, Class::Tls, "the name leads to the receiver");
        for inside in ["10.0.0.1", "169.254.169.254", "::ffff:10.0.0.1", "fd00::1"] {
            assert_eq!(class(inside).await, Class::BlockedAddress, "{inside}");
        }
    }

    async fn of_the_addresses_of_a_name_only_permitted_ones_are_called(
        app: TestApp, "webhooks.allow_networks" = "127.0.0.2/32"
    ) {
        let names = Told::default();
        app.server.app().outbound.find_names_in(Arc::new(names.clone()));
        let inside = Receiver::start(Mode::ok()).await;
        // At the second address, which is permitted, nobody listens.
        names.set("hook.example.org", "127.0.0.1 127.0.0.2");
        let url = format!("https://hook.example.org:{}/", inside.address.port());
        let attempts = first_attempts(&app, &[url]).await;
        assert_eq!(attempts[0].1.error_class, Some(Class::ConnectRefused));
        assert_eq!(inside.connections(), 0);
    }

    async fn internal_addresses_are_never_called(app: TestApp) {
        let names = Told::default();
        app.server.app().outbound.find_names_in(Arc::new(names.clone()));
        let inside = Receiver::start(Mode::ok()).await;
        let port = inside.address.port();
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for host in [
            "127.0.0.1", "2130706433", "0x7f.1", "127.1", "0177.0.0.1", "127.0.0.1.", "localhost",
            "localhost.", "[::1]", "[::]", "0.0.0.0", "[::ffff:127.0.0.1]", "[::127.0.0.1]",
            "10.0.0.1", "[fd00::1]", "169.254.169.254", "①②⑦.0.0.1",
        ] {
            let refused = ada.client.webhooks().create(format!("https://{host}:{port}/")).await;
            assert_eq!(code::<CreateWebhook>(refused), Code::WebhookUrlRefused, "{host}");
        }
        let url = format!("http://127.0.0.1:{port}/");
        let refused = ada.client.webhooks().create(url).await.unwrap_err();
        assert!(refused.hint().unwrap().contains("--allow-loopback-webhooks"), "{refused}");

        // What a row says is judged again with each call, and so is every address of a name.
        names.set("hook.example.org", "127.0.0.1");
        let by_name = format!("https://hook.example.org:{port}/");
        let by_name = ada.client.webhooks().create(by_name).await.unwrap().webhook.id;
        let by_row = ada.client.webhooks().create("https://8.8.8.8/").await.unwrap().webhook.id;
        let (id, url) = (by_row.clone(), inside.url());
        let sql = sql!("update webhook set url = $1 where id = $2");
        app.execute(move |ctx| ctx.tx.execute(sql, values![url, id])).await;
        bob.write(&ada, "psst").await;
        for webhook in [by_name, by_row] {
            let id = ada.deliveries(&webhook).await.pop().unwrap().id;
            let (_, first) = attempt(&ada, &webhook, &id, 1).await;
            assert_eq!(first.error_class, Some(Class::BlockedAddress));
        }
        assert_eq!(inside.connections(), 0);
    }
}
