//! Settings of notifications: kinds and channels.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::notifications::{
    Channels, GetPreferences, NotificationType, NotifyFrom, Preferences, PreferencesEnvelope,
    PreferencesUpdate, UpdatePreferences,
};

use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame};

/// Kinds of notifications, with the ids of their labels.
const TYPES: [(NotificationType, &str); 12] = [
    (NotificationType::Follow, "settings-event-follow"),
    (NotificationType::Like, "settings-event-like"),
    (NotificationType::Reply, "settings-event-reply"),
    (NotificationType::Repost, "settings-event-repost"),
    (NotificationType::Quote, "settings-event-quote"),
    (NotificationType::Mention, "settings-event-mention"),
    (NotificationType::DirectMessage, "settings-event-message"),
    (NotificationType::Escrow, "settings-event-escrow"),
    (NotificationType::ServiceRequest, "settings-event-orders"),
    (NotificationType::Moderation, "settings-event-moderation"),
    (NotificationType::System, "settings-event-system"),
    (NotificationType::Billing, "settings-event-billing"),
];

/// The kinds that this server has: the last one only where money is paid.
fn types(context: &PageContext<'_>) -> &'static [(NotificationType, &'static str)] {
    let without = TYPES.len() - 1;
    if context.app().config.sells_credits() { &TYPES } else { &TYPES[..without] }
}

/// Notification channels: member and the id of its heading.
const WAYS: [(&str, &str); 3] = [
    ("inApp", "settings-notify-here"),
    ("webhook", "settings-notify-webhook"),
    ("mqtt", "settings-notify-mqtt"),
];

/// Senders to choose from: the value and the id of its label.
const FROM: [(NotifyFrom, &str); 2] = [
    (NotifyFrom::Everyone, "settings-notify-everyone"),
    (NotifyFrom::Following, "settings-notify-following"),
];

/// The pages of this module.
pub(super) fn pages() -> Pages {
    let path = "/settings/notifications";
    Pages::new()
        .get(path, show)
        .form_by::<UpdatePreferences>(path, show, changed, |_, _: &PreferencesEnvelope| {
            Done::to("/settings/notifications").say(Flash::Saved)
        })
        .with_members_of::<UpdatePreferences>()
}

/// The field with the senders.
const SENDERS: &str = "preferences.from";

/// The field of a channel of a kind.
fn channel(kind: &NotificationType, way: &str) -> String {
    format!("preferences.types.{kind}.{way}")
}

/// What the person changed, which may be nothing.
fn changed(context: &mut PageContext<'_>, request: &PageRequest) -> Result<UpdatePreferences> {
    context.signed_in()?;
    if request.left("preferences.") {
        return Ok(UpdatePreferences { preferences: PreferencesUpdate::default() });
    }
    request.decode()
}

#[derive(Template)]
#[template(path = "settings/notifications.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    form: Form<'a>,
    preferences: Preferences,
    types: &'static [(NotificationType, &'static str)],
    ways: &'static [(&'static str, &'static str)],
    from: &'static [(NotifyFrom, &'static str)],
}

impl Page<'_> {
    /// Whether the form has a channel checked.
    fn is_on(&self, kind: &NotificationType, way: &str) -> bool {
        self.form.or(&channel(kind, way), self.own(kind, way)) == "true"
    }

    /// Whether the account has a channel on, as the form says it.
    fn own(&self, kind: &NotificationType, way: &str) -> &'static str {
        let is_on = self.preferences.types.get(kind.as_str()).is_some_and(|ways| on(ways, way));
        if is_on { "true" } else { "false" }
    }

    /// What the form shows, for its field `shown`.
    fn shown(&self) -> String {
        let mut members = vec![(SENDERS.to_owned(), self.preferences.from.as_str())];
        for (kind, _) in self.types {
            for (way, _) in self.ways {
                if goes(kind, way) {
                    members.push((channel(kind, way), self.own(kind, way)));
                }
            }
        }
        self.form.shown(members.iter().map(|(name, text)| (name.as_str(), *text)))
    }

    fn is_from(&self, from: &NotifyFrom) -> bool {
        self.form.or(SENDERS, self.preferences.from.as_str()) == from.as_str()
    }
}

/// Whether notifications of this type can go this way. Webhooks have no events of the others.
fn goes(kind: &NotificationType, way: &str) -> bool {
    let without = [NotificationType::Quote, NotificationType::Moderation, NotificationType::System];
    way != "webhook" || !without.contains(kind)
}

fn on(ways: &Channels, way: &str) -> bool {
    match way {
        "inApp" => ways.in_app,
        "webhook" => ways.webhook,
        _ => ways.mqtt,
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let preferences = context.ask(&GetPreferences {})?.preferences;
    Html::of(&Page {
        frame: Frame::of(context, request, request.t("settings-tab-notifications"))?,
        tab: "/settings/notifications",
        form: request.form::<UpdatePreferences>(),
        preferences,
        types: types(context),
        ways: &WAYS,
        from: &FROM,
    })
}
