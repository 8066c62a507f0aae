//! Settings: account, security, notifications, webhooks, apps, scheduled posts.

mod account;
mod agents;
mod billing;
mod confirm;
mod deliveries;
mod developer;
mod factors;
mod key;
mod notifications;
mod passkeys;
mod qr;
mod scheduled;
mod security;
mod webhooks;

pub(in crate::pages) use agents::claimed;
use deliveries::reason;
pub(super) use key::Secret;
pub(in crate::pages) use passkeys::answered;
use scheduled::state;

use crate::http::{Choice, Pages};

/// The tabs: path and label.
const TABS: [(&str, &str); 8] = [
    ("/settings", "Account"),
    ("/settings/security", "Security"),
    ("/settings/agents", "Agents"),
    ("/settings/notifications", "Notifications"),
    ("/settings/webhooks", "Webhooks"),
    ("/settings/developer", "Developer"),
    ("/settings/scheduled", "Scheduled"),
    ("/analytics", "Analytics"),
];

/// One more, where something is sold.
const BILLING: (&str, &str) = (billing::PATH, "Billing");

/// The tabs of this server.
pub(super) fn tabs(sells: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    TABS.into_iter().chain(sells.then_some(BILLING))
}

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    [
        account::pages(),
        key::pages(),
        security::pages(),
        agents::pages(),
        factors::pages(),
        passkeys::pages(),
        confirm::pages(),
        notifications::pages(),
        webhooks::pages(),
        deliveries::pages(),
        developer::pages(),
        scheduled::pages(),
        billing::pages(),
        Pages::new().choice("/theme", Choice::THEME).choice("/language", Choice::LANGUAGE),
    ]
    .into_iter()
    .fold(Pages::new(), Pages::and)
}
