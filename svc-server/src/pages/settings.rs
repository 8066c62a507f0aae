//! Settings: profile, security, notifications, appearance, apps, webhooks, data, scheduled posts.

mod account;
mod agents;
mod appearance;
mod billing;
mod confirm;
mod data;
mod deliveries;
mod developer;
mod factors;
mod invites;
mod key;
mod notifications;
mod passkeys;
mod pending;
mod people;
mod qr;
mod scheduled;
mod security;
mod webhooks;

pub(in crate::pages) use agents::claimed;
pub(in crate::pages) use deliveries::reason;
pub(super) use key::Secret;
pub(in crate::pages) use passkeys::answered;
pub(in crate::pages) use security::happened;

use crate::http::{Choice, Pages};

/// The tabs: path and the id of the label.
const TABS: [(&str, &str); 10] = [
    ("/settings", "settings-tab-profile"),
    ("/settings/security", "settings-tab-security"),
    ("/settings/agents", "settings-tab-agents"),
    ("/settings/notifications", "settings-tab-notifications"),
    ("/settings/appearance", "settings-tab-appearance"),
    ("/settings/developer", "settings-tab-apps"),
    ("/settings/webhooks", "settings-tab-webhooks"),
    ("/settings/data", "settings-tab-data"),
    ("/settings/scheduled", "settings-tab-scheduled"),
    ("/analytics", "settings-tab-analytics"),
];

/// One more, where something is sold.
const BILLING: (&str, &str) = (billing::PATH, "settings-tab-billing");

/// The tabs of this server.
pub(super) fn tabs(sells: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    TABS.into_iter().chain(sells.then_some(BILLING))
}

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    [
        account::pages(),
        people::pages(),
        invites::pages(),
        key::pages(),
        security::pages(),
        agents::pages(),
        factors::pages(),
        passkeys::pages(),
        pending::pages(),
        confirm::pages(),
        notifications::pages(),
        webhooks::pages(),
        deliveries::pages(),
        developer::pages(),
        appearance::pages(),
        data::pages(),
        scheduled::pages(),
        billing::pages(),
        Pages::new()
            .choice("/theme", Choice::THEME)
            .choice("/language", Choice::LANGUAGE)
            .choice("/zone", Choice::ZONE),
    ]
    .into_iter()
    .fold(Pages::new(), Pages::and)
}
