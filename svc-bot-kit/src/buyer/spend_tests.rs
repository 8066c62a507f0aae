//! The spending limits, with explicit times.

use super::*;
use crate::journal::Journal;

const START: Timestamp = Timestamp::from_millis(1_769_851_800_000);

fn expense(order: &str, provider: &str, amount: u32) -> Expense {
    Expense {
        order: order.to_owned(),
        provider: provider.to_owned(),
        service: "srv_1".into(),
        service_name: "count".to_owned(),
        amount: amount.into(),
        max_credits: 100.into(),
        method: PaymentMethod::Direct,
        hash: None,
        begun_hash: None,
    }
}

/// Reserves expenses at given times, and returns what an exceeded limit leaves.
struct Guard(Journal, Caps);

impl Guard {
    fn new(caps: Caps) -> Self {
        Self(Journal::memory().unwrap(), caps)
    }

    async fn reserve(
        &self,
        expense: Expense,
        at: Timestamp,
    ) -> Result<(), (&'static str, Credits)> {
        let caps = self.1.clone();
        let reserved = self.0.write(move |tx| expense.reserve(tx, &caps, at)).await.unwrap();
        reserved.map(drop).map_err(|refusal| match refusal {
            Refusal::Limit(breach) => (breach.limit, breach.left),
            differs @ Refusal::Differs { .. } => panic!("{differs:?}"),
        })
    }
}

#[tokio::test]
async fn a_day_is_any_24_hours() {
    let guard = Guard::new(Caps { per_day: Some(10.into()), ..Caps::default() });
    let at = |hours| START.plus(Duration::from_hours(hours));
    guard.reserve(expense("a", "x", 6), at(0)).await.unwrap();
    guard.reserve(expense("b", "x", 4), at(12)).await.unwrap();
    assert_eq!(guard.reserve(expense("c", "x", 1), at(23)).await, Err(("per_day", 0.into())));
    guard.reserve(expense("c", "x", 6), at(24)).await.unwrap();
    assert_eq!(guard.reserve(expense("d", "x", 1), at(35)).await, Err(("per_day", 0.into())));
    guard.reserve(expense("d", "x", 4), at(36)).await.unwrap();
}

#[tokio::test]
async fn what_a_clock_far_ahead_reserved_does_not_count() {
    let guard = Guard::new(Caps { per_day: Some(10.into()), ..Caps::default() });
    guard.reserve(expense("a", "x", 10), START.plus(Duration::from_hours(8_760))).await.unwrap();
    guard.reserve(expense("b", "x", 10), START).await.unwrap();
    assert_eq!(guard.reserve(expense("c", "x", 1), START).await, Err(("per_day", 0.into())));
}

#[tokio::test]
async fn each_provider_has_a_limit_per_day() {
    let caps = Caps { per_day: Some(10.into()), per_provider: Some(6.into()), ..Caps::default() };
    let guard = Guard::new(caps);
    guard.reserve(expense("a", "x", 5), START).await.unwrap();
    let second = guard.reserve(expense("b", "x", 2), START).await;
    assert_eq!(second, Err(("per_provider", 1.into())));
    guard.reserve(expense("b", "y", 5), START).await.unwrap();
    assert_eq!(guard.reserve(expense("c", "z", 1), START).await, Err(("per_day", 0.into())));
}

#[tokio::test]
async fn a_lower_charge_leaves_more_to_spend() {
    let guard = Guard::new(Caps { per_day: Some(10.into()), ..Caps::default() });
    guard.reserve(expense("a", "x", 10), START).await.unwrap();
    guard.0.write(|tx| settle(tx, "a", 3.into(), START)).await.unwrap();
    // A settled order stays settled.
    guard.0.write(|tx| free(tx, "a", START)).await.unwrap();
    assert_eq!(guard.reserve(expense("b", "x", 8), START).await, Err(("per_day", 7.into())));
    guard.reserve(expense("b", "x", 7), START).await.unwrap();
}

#[tokio::test]
async fn a_freed_order_is_checked_against_the_limits_again() {
    let guard = Guard::new(Caps { per_day: Some(10.into()), ..Caps::default() });
    guard.reserve(expense("a", "x", 6), START).await.unwrap();
    guard.reserve(expense("a", "x", 6), START).await.unwrap();
    guard.0.write(|tx| free(tx, "a", START)).await.unwrap();
    guard.reserve(expense("b", "x", 6), START).await.unwrap();
    assert_eq!(guard.reserve(expense("a", "x", 6), START).await, Err(("per_day", 4.into())));
}

#[tokio::test]
async fn finished_orders_are_pruned_after_7_days_and_open_ones_never() {
    let guard = Guard::new(Caps::default());
    guard.reserve(expense("ended", "x", 1), START).await.unwrap();
    guard.0.write(|tx| settle(tx, "ended", 1.into(), START)).await.unwrap();
    guard.reserve(expense("open", "x", 1), START).await.unwrap();
    guard.reserve(expense("again", "x", 1), START).await.unwrap();
    guard.0.write(|tx| free(tx, "again", START)).await.unwrap();
    guard.reserve(expense("again", "x", 1), START).await.unwrap();
    let later = START.plus(RETENTION + Duration::from_millis(1));
    guard.reserve(expense("new", "x", 1), later).await.unwrap();
    let found = |order| guard.0.write(move |tx| find(tx, order));
    assert_eq!(found("ended").await.unwrap(), None);
    assert!(found("open").await.unwrap().is_some());
    assert!(found("again").await.unwrap().is_some(), "it is open once more");
}
