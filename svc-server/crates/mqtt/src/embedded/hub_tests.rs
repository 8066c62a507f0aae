//! Resuming sessions, and waiting for their end.

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

/// Connects a client of this account whose session expires after `seconds`.
fn enter(hub: &Hub, account: &str, seconds: u64) -> SessionHandle {
    let arrival = Arrival {
        client: account.into(),
        account: account.into(),
        clean: false,
        expiry: Duration::from_secs(seconds),
        window: None,
        epoch: hub.epoch(),
    };
    hub.enter(arrival).unwrap()
}

#[tokio::test(start_paused = true)]
async fn an_expired_session_is_not_resumed() {
    let hub = hub();
    let handle = enter(&hub, "usr_1", 10);
    assert_eq!(hub.leave(&handle, None), Duration::from_secs(10));
    tokio::time::advance(Duration::from_secs(9)).await;
    let handle = enter(&hub, "usr_1", 10);
    assert!(handle.session_present);
    hub.leave(&handle, Some(Duration::from_secs(5)));
    tokio::time::advance(Duration::from_secs(5)).await;
    assert!(!enter(&hub, "usr_1", 10).session_present);
}

#[tokio::test]
async fn revocations_of_other_accounts_do_not_outdate_a_subscription() {
    let hub = hub();
    let handle = enter(&hub, "usr_1", 10);
    let epoch = hub.epoch();
    hub.revoke(&"usr_2".into(), &"chan_1".into());
    hub.end(&"usr_3".into());
    hub.subscribe(&handle, &[("svc/channels/chan_1".into(), true)], &[], epoch).unwrap();
    hub.revoke(&"usr_1".into(), &"chan_1".into());
    hub.subscribe(&handle, &[("svc/channels/chan_1".into(), true)], &[], epoch).unwrap_err();
}

#[tokio::test]
async fn waiting_for_a_session_ends_when_it_is_resumed_or_removed() {
    let hub = hub();
    let mut handle = enter(&hub, "usr_1", 10);
    hub.leave(&handle, None);
    assert!(!handle.was_resumed());
    let mut next = enter(&hub, "usr_1", 10);
    assert!(next.session_present);
    handle.resumed_or_removed().await;
    hub.end(&"usr_1".into());
    assert!(handle.was_resumed(), "though the session has ended since");
    next.resumed_or_removed().await;
    assert!(!next.was_resumed());
}

#[tokio::test(start_paused = true)]
async fn subscribers_get_each_number_once_and_in_order() {
    let hub = hub();
    let handle = enter(&hub, "usr_1", 10);
    let topic = [("svc/channels/chan_1".into(), true)];
    assert_eq!(hub.step("chan_1", 5), Step::None, "nobody subscribes");
    hub.subscribe(&handle, &topic, &[("chan_1".to_owned(), 5)], hub.epoch()).unwrap();
    assert_eq!((hub.step("chan_1", 5), hub.step("chan_1", 6)), (Step::None, Step::Next));
    assert_eq!((hub.step("chan_1", 9), hub.behind("chan_1", 9)), (Step::Behind(6), Some(6)));
    hub.reach("chan_1", 9);
    assert_eq!((hub.step("chan_1", 8), hub.behind("chan_1", 9)), (Step::None, None));
    let other = enter(&hub, "usr_2", 10);
    hub.subscribe(&other, &topic, &[("chan_1".to_owned(), 11)], hub.epoch()).unwrap();
    assert_eq!(hub.behind("chan_1", 11), Some(9), "the earlier subscriber lacks two");
    for (handle, is_left) in [(&handle, 1), (&other, 0)] {
        hub.unsubscribe(handle, "svc/channels/chan_1");
        assert_eq!(hub.streams().len(), is_left);
    }
}
