//! What of a session is there when its client comes back.

use super::*;

fn hub() -> Hub {
    Hub::new(MqttLimits {
        connections: 10,
        connections_per_account: 10,
        publishes_per_second: 1,
        refused_per_address: 1,
        waiting_per_address: 1,
    })
}

/// Lets a client of this account in; its session lasts for so many seconds.
fn enter(hub: &Hub, account: &str, seconds: u64) -> Place {
    let arrival = Arrival {
        client: account.into(),
        account: account.into(),
        clean: false,
        expiry: Duration::from_secs(seconds),
        window: None,
        epoch: hub.epoch(),
    };
    hub.enter(arrival).unwrap().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_session_whose_time_is_over_does_not_go_on() {
    let hub = hub();
    let place = enter(&hub, "usr_1", 10);
    assert_eq!(hub.leave(&place, None), Duration::from_secs(10));
    tokio::time::advance(Duration::from_secs(9)).await;
    let place = enter(&hub, "usr_1", 10);
    assert!(place.session_present);
    hub.leave(&place, Some(Duration::from_secs(5)));
    tokio::time::advance(Duration::from_secs(5)).await;
    assert!(!enter(&hub, "usr_1", 10).session_present);
}

#[tokio::test]
async fn what_others_lose_lets_nobody_wait() {
    let hub = hub();
    let place = enter(&hub, "usr_1", 10);
    let epoch = hub.epoch();
    hub.revoke(&"usr_2".into(), &"chan_1".into());
    hub.end(&"usr_3".into());
    hub.subscribe(&place, &[("svc/channels/chan_1".into(), true)], epoch).unwrap();
    hub.revoke(&"usr_1".into(), &"chan_1".into());
    hub.subscribe(&place, &[("svc/channels/chan_1".into(), true)], epoch).unwrap_err();
}

#[tokio::test]
async fn whoever_waits_for_what_becomes_of_a_session_is_told() {
    let hub = hub();
    let mut place = enter(&hub, "usr_1", 10);
    hub.leave(&place, None);
    assert!(!place.was_resumed());
    let mut next = enter(&hub, "usr_1", 10);
    assert!(next.session_present);
    place.is_settled().await;
    hub.end(&"usr_1".into());
    assert!(place.was_resumed(), "though the session has ended since");
    next.is_settled().await;
    assert!(!next.was_resumed());
}
