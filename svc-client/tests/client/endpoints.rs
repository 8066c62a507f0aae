//! Every endpoint travels through the mock and back.

use std::pin::Pin;

use svc_client::mock::Mock;
use svc_client::types::Endpoint;
use svc_types::samples::{self, SampleVisitor, answer};

/// A round trip for each endpoint.
#[derive(Default)]
struct RoundTrips(Vec<Pin<Box<dyn Future<Output = ()>>>>);

impl SampleVisitor for RoundTrips {
    fn visit<E: Endpoint>(&mut self, sample: E) {
        let name = E::NAME;
        let answer = answer(name).unwrap_or_else(|| panic!("{name} has no sample answer"));
        self.0.push(Box::pin(async move {
            let server = Mock::start().await;
            let body = answer.clone();
            let typed = move || serde_json::from_value(body.clone()).expect(name);
            let rule = server.on::<E>().answers(move |_| typed());
            let got = server.client().send(&sample).raw().await.expect(name);
            assert_eq!(got.status, E::STATUS, "{name}");
            assert_eq!(serde_json::to_value(&got.value).unwrap(), answer, "{name}");
            let received = rule.received().into_iter().map(|one| one.request);
            assert_eq!(received.collect::<Vec<E>>(), [sample], "{name}");
        }));
    }
}

#[tokio::test]
async fn every_endpoint_round_trips_through_the_mock() {
    let mut round_trips = RoundTrips::default();
    samples::visit(&mut round_trips);
    for trip in round_trips.0 {
        trip.await;
    }
}
