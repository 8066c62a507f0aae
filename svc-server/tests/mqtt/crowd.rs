//! Many clients at once, and one that does not listen to what it asked for.

use tokio::task::JoinSet;

use crate::app::Member;
use crate::on_both_engines;
use crate::wire::{Login, VERSIONS, Wire, dm};

/// Accounts, and connections of each.
const ACCOUNTS: usize = 100;
const OF_ONE: usize = 10;

on_both_engines! {
    async fn a_thousand_clients_hear_what_is_theirs_and_nothing_else(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let mut members: Vec<Member> = Vec::new();
        for number in 0..ACCOUNTS {
            members.push(app.agent(&format!("agent_{number}")).await);
        }
        let mut wires = Vec::new();
        for member in &members {
            for number in 0..OF_ONE {
                let login = Login::of(member, VERSIONS[number % 2]).named(&number.to_string());
                let topics = [&*dm(member), "svc/feed/global"];
                wires.push(Wire::listen(&app, &login, &topics).await);
            }
        }
        for (number, to) in members.iter().enumerate() {
            members[(number + 1) % ACCOUNTS].write(to, &format!("for {number}")).await;
        }
        members[0].post("for all").await;
        let mut hearing = JoinSet::new();
        for (number, mut wire) in wires.into_iter().enumerate() {
            hearing.spawn(async move {
                let (_, envelope) = wire.envelope().await;
                let expected = format!("for {}", number / OF_ONE);
                assert_eq!(envelope["data"]["content"], *expected);
                assert_eq!(wire.envelope().await.1["data"]["content"], "for all");
                wire.hears_nothing().await;
            });
        }
        hearing.join_all().await;
    }

    async fn who_does_not_listen_holds_nobody_up(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = ada.client.channels().create("open").await.unwrap().channel;
        bob.client.channels().join(&channel.id).await.unwrap();
        // It asks, and reads nothing more.
        let _deaf = Wire::listen(&app, &Login::of(&bob, 5), &[&channel.topic]).await;
        let mut ear = Wire::listen(&app, &Login::of(&ada, 5), &[&channel.topic]).await;
        let long = "x".repeat(20_000);
        for number in 1..=500 {
            ada.client.channels().post(&channel.id, &*long).await.unwrap();
            assert_eq!(ear.envelope().await.1["seq"], number);
        }
    }
}
