//! What can happen in a history. Each number picks one of the objects to which it can happen; where
//! there is none, nothing happens.

use proptest::prelude::{BoxedStrategy, Just, Strategy, any};
use proptest::prop_oneof;
use svc_fake_stripe::Fault;

/// One thing that happens.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A buyer asks for the page on which this many hundred credits are paid.
    Begin { buyer: usize, hundreds: u32 },
    /// A person pays at an open page.
    Pay(usize),
    /// A person pays at an open page with money that takes days.
    PayLater(usize),
    /// Such money arrives, or never does.
    Arrive { page: usize, does: bool },
    /// A buyer asks for some credits of a payment back.
    Ask { payment: usize, credits: u32 },
    /// The operator refunds some of a payment at Stripe's dashboard.
    Dashboard { payment: usize, part: u8 },
    /// A bank sends the money of a refund back.
    FailRefund(usize),
    /// A buyer's bank takes a payment back.
    Dispute(usize),
    /// A dispute ends.
    End { dispute: usize, won: bool },
    /// The person asks for the page on which this many seats are paid, or for another number of seats.
    Seats(usize),
    /// The person pays at an open page for seats.
    PaySeats(usize),
    /// The person ends the subscription with its month, or lets it go on.
    Cancel(bool),
    /// The person's card is declined from now on, or taken again.
    Decline(bool),
    /// Stripe tries again to take the last bill from the card.
    Collect,
    /// The person or an agent of theirs earns credits that can be paid out at once.
    Earn { seller: usize, credits: u32 },
    /// The person asks for a payout of what one of them earned.
    Payout { seller: usize, credits: u32 },
    /// The operator takes a transfer back.
    Reverse(usize),
    /// Stripe has too little money for transfers from now on, or enough again.
    Short(bool),
    /// One of the accounts buys work of another, which is delivered and paid at once if `whole`.
    Trade { buyer: usize, seller: usize, credits: u32, whole: bool },
    /// Stripe reports some of what happened, in another order, some of it twice.
    Report { seed: u64, repeats: bool },
    /// What Stripe has to report is lost.
    Lose,
    /// The worker does everything that is due.
    Work,
    /// A node works and dies after this many turns.
    WorkAndDie(usize),
    /// Debts are collected, and escrows end that are late.
    Sweep,
    /// This many minutes pass.
    Wait(u64),
    /// A month passes.
    Month,
    /// The next call of this kind goes wrong.
    Fault(&'static str, &'static str, Fault),
    /// Stripe can't be reached from now on, or can be again.
    Down(bool),
}

/// Accounts that buy, sell and pay.
pub(super) const ACCOUNTS: usize = 3;

/// Seats at most: of the person, and of the agents that they own, which are the first accounts.
pub(super) const SEATS: usize = 3;

pub(super) fn step() -> BoxedStrategy<Step> {
    let account = || 0..ACCOUNTS;
    let object = any::<usize>;
    prop_oneof![
        4 => (account(), 5..12_u32).prop_map(|(buyer, hundreds)| Step::Begin { buyer, hundreds }),
        4 => object().prop_map(Step::Pay),
        1 => object().prop_map(Step::PayLater),
        1 => (object(), any::<bool>()).prop_map(|(page, does)| Step::Arrive { page, does }),
        3 => (object(), 1..700_u32).prop_map(|(payment, credits)| Step::Ask { payment, credits }),
        2 => (object(), 1..=100_u8).prop_map(|(payment, part)| Step::Dashboard { payment, part }),
        1 => object().prop_map(Step::FailRefund),
        2 => object().prop_map(Step::Dispute),
        2 => (object(), any::<bool>()).prop_map(|(dispute, won)| Step::End { dispute, won }),
        2 => (1..=SEATS).prop_map(Step::Seats),
        3 => object().prop_map(Step::PaySeats),
        1 => any::<bool>().prop_map(Step::Cancel),
        1 => any::<bool>().prop_map(Step::Decline),
        1 => Just(Step::Collect),
        1 => (0..SEATS, 50..500_u32).prop_map(|(seller, credits)| Step::Earn { seller, credits }),
        2 => (0..SEATS, 50..300_u32).prop_map(|(seller, credits)| Step::Payout { seller, credits }),
        1 => object().prop_map(Step::Reverse),
        1 => any::<bool>().prop_map(Step::Short),
        1 => Just(Step::Month),
        4 => (account(), account(), 1..900_u32, any::<bool>())
            .prop_map(|(buyer, seller, credits, whole)| Step::Trade { buyer, seller, credits, whole }),
        5 => (any::<u64>(), any::<bool>()).prop_map(|(seed, repeats)| Step::Report { seed, repeats }),
        1 => Just(Step::Lose),
        5 => Just(Step::Work),
        2 => (1..40_usize).prop_map(Step::WorkAndDie),
        1 => Just(Step::Sweep),
        3 => (1..700_u64).prop_map(Step::Wait),
        2 => fault(),
        1 => any::<bool>().prop_map(Step::Down),
    ]
    .boxed()
}

/// One that is over after one call. A call that hangs would take real time.
fn fault() -> impl Strategy<Value = Step> {
    use Fault::{FailsAfter, FailsBefore, KeyInUse, LimitsRate, LosesAnswer, LosesCall};
    let made = [FailsBefore, FailsAfter, LosesCall, LosesAnswer, LimitsRate, KeyInUse];
    let read = [FailsBefore, LosesCall, LimitsRate];
    let making = [
        ("POST", "/v1/checkout/sessions"),
        ("POST", "/v1/refunds"),
        ("POST", "/v1/subscriptions"),
        ("POST", "/v1/transfers"),
    ];
    let reading = [("GET", "/v1/checkout"), ("GET", "/v1/events"), ("GET", "/v1/")];
    let calls = |calls: &[(&'static str, &'static str)], faults: &[Fault]| {
        let pairs = calls.iter().flat_map(|call| faults.iter().map(move |fault| (*call, *fault)));
        proptest::sample::select(pairs.collect::<Vec<_>>())
    };
    prop_oneof![calls(&making, &made), calls(&reading, &read)]
        .prop_map(|((method, path), fault)| Step::Fault(method, path, fault))
}
