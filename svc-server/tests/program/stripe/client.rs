use std::time::Duration;

use svc_fake_stripe::{FakeStripe, Fault, WEBHOOK_SECRET, sign};
use svc_server::stripe::{
    After, CallError, Event, Mode, NewRefund, Refund, SignatureError, Stripe, SubscriptionUpdate,
    VERSION, verify,
};

use super::{client, paid, payment_of, purchase, subscribed, time};

fn refund<'a>(refund: &'a str, payment_intent: &'a str, amount: i64) -> NewRefund<'a> {
    NewRefund { refund, server: "srv_1", payment_intent, amount }
}

/// All events since the start, page by page.
async fn events(stripe: &Stripe, types: &[&str], since: i64) -> Vec<Event> {
    let (mut all, mut last) = (Vec::<Event>::new(), None::<String>);
    loop {
        let after = After { since: time(since), id: last.as_deref() };
        let page = stripe.events(types, after).await.unwrap();
        all.extend(page.data);
        if !page.has_more {
            return all;
        }
        last = all.last().map(|event| event.id.clone());
    }
}

#[tokio::test]
async fn a_session_is_created_once_and_read_with_its_payment() {
    let fake = FakeStripe::start().await;
    let stripe = client(&fake);
    assert_eq!(stripe.mode(), Mode::Test);
    let session = stripe.create_checkout(&purchase(&fake, "pay_1")).await.unwrap();
    let again = stripe.create_checkout(&purchase(&fake, "pay_1")).await.unwrap();
    assert_eq!((&session.id, fake.objects("checkout.session").len()), (&again.id, 1));
    assert_eq!((session.status.as_deref(), &*session.payment_status), (Some("open"), "unpaid"));
    assert!(session.url.unwrap().starts_with("https://checkout.stripe.com/"));
    let payment = fake.pay(&session.id);
    let session = stripe.checkout(&session.id).await.unwrap();
    assert_eq!((&*session.payment_status, session.currency.as_deref()), ("paid", Some("usd")));
    assert_eq!((session.amount_subtotal, session.amount_total), (Some(500), Some(595)));
    assert_eq!(session.total_details.unwrap().amount_tax, 95);
    assert_eq!(session.client_reference_id.as_deref(), Some("pay_1"));
    let charge = session.payment_intent.as_ref().unwrap().object().unwrap();
    let charge = charge.latest_charge.as_ref().unwrap().object().unwrap();
    assert_eq!((charge.amount, charge.paid, charge.disputed), (595, true, false));
    for metadata in [session.metadata.as_ref().unwrap(), &charge.metadata] {
        assert_eq!((&*metadata["svc"], &*metadata["server"]), ("pay_1", "srv_1"));
    }
    assert_eq!(stripe.payment_intent(&payment).await.unwrap().amount_received, 595);
    let invoice = fake.object(session.invoice.as_deref().unwrap());
    assert_eq!(invoice["metadata"]["svc"], "pay_1");
    let calls = fake.calls();
    assert!(calls.iter().all(|call| call.version.as_deref() == Some(VERSION)));
    assert_eq!(
        calls.iter().map(|call| call.is_replayed).collect::<Vec<_>>(),
        [false, true, false, false]
    );
}

#[tokio::test]
async fn a_session_ends_by_request_or_by_time() {
    let fake = FakeStripe::start().await;
    let stripe = client(&fake);
    let [first, second] = ["pay_1", "pay_2"].map(|payment| purchase(&fake, payment));
    let first = stripe.create_checkout(&first).await.unwrap();
    let second = stripe.create_checkout(&second).await.unwrap();
    let first = stripe.expire_checkout(&first.id, "pay_1-expire").await.unwrap();
    fake.advance(Duration::from_hours(1));
    let second = stripe.checkout(&second.id).await.unwrap();
    assert_eq!(
        [first.status, second.status],
        [Some("expired".to_owned()), Some("expired".to_owned())]
    );
    let late = stripe.expire_checkout(&second.id, "pay_2-expire").await.unwrap_err();
    assert!(matches!(late, CallError::Refused(refused) if refused.status == 400));
}

#[tokio::test]
async fn an_error_says_whether_the_call_may_have_had_an_effect() {
    let fake = FakeStripe::start().await;
    let stripe = client(&fake);
    let session = paid(&fake, &stripe, "pay_1").await;
    let payment = payment_of(&session);
    for (index, (fault, is_unknown, refunds, repeated)) in [
        (Fault::FailsBefore, true, 0, true),
        (Fault::FailsAfter, true, 1, false),
        (Fault::LosesCall, true, 0, true),
        (Fault::LosesAnswer, true, 1, true),
        (Fault::Hangs, true, 1, true),
        (Fault::Garbles, true, 1, true),
        (Fault::LimitsRate, false, 0, true),
        (Fault::KeyInUse, false, 0, true),
    ]
    .into_iter()
    .enumerate()
    {
        let key = format!("re_{index}");
        let before = fake.objects("refund").len();
        fake.fail_next("POST", "/v1/refunds", fault);
        let error = stripe.create_refund(&refund(&key, &payment, 10)).await.unwrap_err();
        assert_eq!(error.is_unknown(), is_unknown, "{fault:?}: {error}");
        assert_eq!(fake.objects("refund").len() - before, refunds, "{fault:?}");
        // The same key leads to one refund; after a kept failure it is found by its metadata.
        let again = stripe.create_refund(&refund(&key, &payment, 10)).await;
        assert_eq!(again.is_ok(), repeated, "{fault:?}: {again:?}");
        let all = stripe.refunds_of(&payment, None).await.unwrap().data;
        let named = |it: &&Refund| it.metadata.as_ref().is_some_and(|it| it["svc"] == key);
        assert_eq!(all.iter().filter(named).count(), 1, "{fault:?}");
    }
    fake.set_down(true);
    let error = stripe.refund("re_1").await.unwrap_err();
    assert!(matches!(error, CallError::Unreachable(_)) && error.is_unknown(), "{error}");
}

#[tokio::test]
async fn a_refusal_has_stripes_code() {
    let fake = FakeStripe::start().await;
    let stripe = client(&fake);
    let payment = payment_of(&paid(&fake, &stripe, "pay_1").await);
    stripe.create_refund(&refund("re_1", &payment, 595)).await.unwrap();
    for (key, amount, status, code) in [
        ("re_2", 1, 400, Some("charge_already_refunded")),
        // The key was used with other parameters.
        ("re_1", 1, 400, None),
    ] {
        let error = stripe.create_refund(&refund(key, &payment, amount)).await.unwrap_err();
        assert_eq!(error.code(), code);
        let CallError::Refused(refused) = error else { panic!("{error}") };
        assert_eq!(refused.status, status);
    }
    assert!(stripe.refund("re_none").await.unwrap_err().is_missing());
    let other = "rk_test_otherotherother".parse().unwrap();
    let error = Stripe::new(other, Some(fake.url()), None).refund("re_1").await.unwrap_err();
    assert!(matches!(error, CallError::Refused(refused) if refused.status == 401));
    assert!(!fake.calls().iter().any(|call| call.endpoint.contains("re_none")));
}

#[tokio::test]
async fn refunds_disputes_and_the_balance_are_read_as_they_are() {
    let fake = FakeStripe::start().await;
    let stripe = client(&fake);
    let payment = payment_of(&paid(&fake, &stripe, "pay_1").await);
    fake.hold_refunds(true);
    let made = stripe.create_refund(&refund("re_1", &payment, 100)).await.unwrap();
    assert_eq!(made.status.as_deref(), Some("pending"));
    fake.fail_refund(&made.id);
    let failed = stripe.refund(&made.id).await.unwrap();
    assert_eq!(failed.status.as_deref(), Some("failed"));
    let foreign = stripe.refund(&fake.refund(&payment, 95)).await.unwrap();
    assert!(foreign.metadata.unwrap().is_empty());
    assert_eq!(foreign.payment_intent.unwrap().id(), payment);
    let dispute = fake.dispute(&payment);
    let open = stripe.dispute(&dispute).await.unwrap();
    assert_eq!((open.amount, &*open.status), (500, "needs_response"));
    let charge = stripe.charge(open.charge.id()).await.unwrap();
    assert_eq!((charge.disputed, charge.amount_refunded), (true, 95));
    let refused = stripe.create_refund(&refund("re_2", &payment, 1)).await.unwrap_err();
    assert_eq!(refused.code(), Some("charge_disputed"));
    fake.win(&dispute);
    let won = stripe.dispute(&dispute).await.unwrap();
    let moved: Vec<_> = won.balance_transactions.iter().map(|it| (it.amount, it.fee)).collect();
    assert_eq!((&*won.status, moved), ("won", vec![(-500, 1_500), (500, 0)]));
    let after = After { since: time(0), id: None };
    let entries = stripe.balance_transactions(after).await.unwrap().data;
    let amounts: Vec<_> = entries.iter().rev().map(|it| (&*it.r#type, it.amount)).collect();
    let expected = [
        ("charge", 595),
        ("refund", -100),
        ("refund_failure", 100),
        ("refund", -95),
        ("adjustment", -500),
        ("adjustment", 500),
    ];
    assert_eq!(amounts, expected);
    assert!(entries.iter().all(|it| it.net == it.amount - it.fee && it.currency == "usd"));
}

#[tokio::test]
async fn events_are_read_page_by_page_from_a_time_on() {
    let fake = FakeStripe::start().await;
    let stripe = client(&fake);
    let start = fake.now();
    let payment = payment_of(&paid(&fake, &stripe, "pay_1").await);
    fake.advance(Duration::from_secs(10));
    (0..250).for_each(|_| drop(fake.refund(&payment, 1)));
    let types = ["refund.created", "checkout.session.completed"];
    let all = events(&stripe, &types, start).await;
    assert_eq!(all.len(), 251);
    let of = |event: &Event| (event.r#type.clone(), event.data.object.object.clone());
    let session = ("checkout.session.completed".to_owned(), "checkout.session".to_owned());
    assert_eq!(of(all.last().unwrap()), session);
    assert_eq!(events(&stripe, &types, start + 1).await.len(), 250);
    fake.advance(Duration::from_hours(24 * 31));
    assert_eq!(events(&stripe, &types, start).await.len(), 0);
}

#[tokio::test]
async fn webhooks_of_the_stand_in_are_verified() {
    let fake = FakeStripe::start().await;
    let stripe = client(&fake);
    let session = paid(&fake, &stripe, "pay_1").await;
    let deliveries = fake.deliveries();
    let kinds: Vec<_> = deliveries.iter().map(|it| it.kind.as_str()).collect();
    let expected = [
        "charge.succeeded",
        "payment_intent.succeeded",
        "invoice.paid",
        "checkout.session.completed",
    ];
    assert_eq!(kinds, expected);
    assert!(fake.deliveries().is_empty());
    let secrets = ["whsec_otherotherother", WEBHOOK_SECRET].map(|it| it.parse().unwrap());
    let check = |body: &str, signature: &str, now: i64| {
        verify(body.as_bytes(), signature, &secrets, time(now))
    };
    for it in &deliveries {
        assert_eq!(check(&it.body, &it.signature, fake.now()), Ok(()));
        let late = check(&it.body, &it.signature, fake.now() + 301);
        assert_eq!(late, Err(SignatureError::Time));
        let event: Event = serde_json::from_str(&it.body).unwrap();
        assert!(!event.livemode && event.data.object.id.is_some());
    }
    let completed: Event = serde_json::from_str(&deliveries[3].body).unwrap();
    assert_eq!(completed.data.object.id, Some(session.id));
    let body = &deliveries[0].body;
    let other = sign(body, "whsec_thirdthirdthird", fake.now());
    assert_eq!(check(body, &other, fake.now()), Err(SignatureError::Wrong));
}

#[tokio::test]
async fn a_subscription_moves_its_month_before_the_payment_and_charges_seats_at_once() {
    let fake = FakeStripe::start().await;
    let stripe = client(&fake);
    let id = subscribed(&fake, &stripe, "sbs_1").await;
    let first = stripe.subscription(&id).await.unwrap();
    assert_eq!((&*first.status, &*first.metadata["svc"]), ("active", "sbs_1"));
    let item = &first.items.data[0];
    let more = SubscriptionUpdate::Seats { item: &item.id, quantity: 3, are_more: true };
    fake.decline(&id, true);
    let declined = stripe.update_subscription(&id, more, "sbc_1").await.unwrap_err();
    assert_eq!(declined.code(), Some("card_declined"));
    assert_eq!(stripe.subscription(&id).await.unwrap().items.data[0].quantity, Some(2));
    fake.advance(Duration::from_hours(30 * 24));
    let moved = stripe.subscription(&id).await.unwrap();
    assert_eq!(moved.status, "active");
    assert_eq!(moved.items.data[0].current_period_start, item.current_period_end);
    fake.advance(Duration::from_hours(1));
    assert_eq!(stripe.subscription(&id).await.unwrap().status, "past_due");
    fake.decline(&id, false);
    fake.collect(&id);
    let more = stripe.update_subscription(&id, more, "sbc_2").await.unwrap();
    assert_eq!((&*more.status, more.items.data[0].quantity), ("active", Some(3)));
    let paid: Vec<_> = fake.objects("invoice").iter().map(|it| it["subtotal"].as_i64()).collect();
    // The third seat is paid for 719 of 720 hours.
    assert_eq!(paid, [Some(1_998), Some(1_998), Some(997)]);
}
