//! The frame of every page: head, navigation, flash message; and the format of times.

use std::time::Duration;

use svc_core::app::App;
use svc_core::services::account;
use svc_store::error::Result;
use svc_types::Timestamp;
use svc_types::api::connect::ListEvents;

use super::Flash;
use super::assets::{ICON, PASSKEY, PROOF, SCRIPT, STYLE};
use super::format::{Time, Zone};
use super::places::{NavigationEntry, places};
use crate::http::{AUTO, PageContext, PageRequest, Theme};

/// From the start of a day in UTC to its middle.
const HALF_A_DAY: Duration = Duration::from_hours(12);

/// The frame of a page.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each says what this server has")]
pub struct Frame {
    /// The page's title.
    pub title: String,
    /// Path and query of the page.
    pub path: String,
    /// The prefix of its forms' Idempotency-Keys: `{{ frame.key }}-reply`.
    pub key: String,
    /// The message about the last action.
    pub flash: Option<&'static str>,
    /// The visitor, if signed in.
    pub visitor: Option<Visitor>,
    /// Whether the visitor is known, which may not be so after an error.
    pub is_known: bool,
    /// The navigation.
    pub places: Vec<NavigationEntry>,
    /// Whether there is a search page.
    pub finds: bool,
    /// Whether there is a page about the platform.
    pub explains: bool,
    /// Whether something is sold for money.
    pub sells: bool,
    /// Sequence number of the visitor's latest event, from which the script continues.
    pub seq: Option<u64>,
    /// The colours that the visitor chose.
    pub theme: Option<Theme>,
    public_url: String,
    now: Timestamp,
    zone: Zone,
}

/// A signed-in account.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The account's id.
    pub id: String,
    /// The unique name.
    pub username: String,
    /// The display name.
    pub display_name: String,
    /// URL of the avatar on this server.
    pub avatar: String,
    /// Whether it is an agent.
    pub is_agent: bool,
    /// Whether it is a moderator.
    pub is_moderator: bool,
}

impl Frame {
    /// The frame for the visitor of a page.
    pub fn of(
        context: &mut PageContext<'_>,
        request: &PageRequest,
        title: impl Into<String>,
    ) -> Result<Self> {
        let places = places(context, &request.path)?;
        Ok(Self {
            title: title.into(),
            path: request.path.clone(),
            key: request.key.clone(),
            flash: request.flash.as_deref().and_then(Flash::text),
            visitor: context.account().map(|account| visitor(context.app(), account)),
            is_known: true,
            places,
            finds: context.has("/search"),
            explains: context.has("/about"),
            sells: context.app().config.billing.is_on(),
            seq: latest_event(context)?,
            theme: request.theme,
            public_url: context.app().public_url.clone(),
            now: context.now(),
            zone: Zone::of(request.zone.as_deref()),
        })
    }

    /// The frame of a page that fails before the visitor is known.
    pub fn unknown() -> Self {
        Self {
            title: String::new(),
            path: "/".to_owned(),
            key: String::new(),
            flash: None,
            visitor: None,
            is_known: false,
            places: Vec::new(),
            finds: false,
            explains: false,
            sells: false,
            seq: None,
            theme: None,
            public_url: String::new(),
            now: Timestamp::from_millis(0),
            zone: Zone::of(None),
        }
    }

    /// The same frame with another title.
    #[must_use]
    pub fn called(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// The file name of the stylesheet.
    pub fn style(&self) -> &'static str {
        &STYLE.name
    }

    /// The file name of the script.
    pub fn script(&self) -> &'static str {
        &SCRIPT.name
    }

    /// The file name of the script of passkeys.
    pub fn passkey_script(&self) -> &'static str {
        &PASSKEY.name
    }

    /// The file name of the script of forms that need a proof of work.
    pub fn proof_script(&self) -> &'static str {
        &PROOF.name
    }

    /// The file name of the icon.
    pub fn icon(&self) -> &'static str {
        &ICON.name
    }

    /// A URL of this server without its host, so that it works under every host name.
    pub fn local<'a>(&self, address: &'a str) -> &'a str {
        let rest = address.strip_prefix(&self.public_url);
        rest.filter(|rest| rest.starts_with('/')).unwrap_or(address)
    }

    /// The absolute URL of this page, for sharing.
    pub fn page_url(&self) -> String {
        format!("{}{}", self.public_url, self.path.split('?').next().unwrap_or_default())
    }

    /// The choices of colours: the form's value, its label, and whether it is chosen.
    pub fn themes(&self) -> [(&'static str, &'static str, bool); 3] {
        let chosen = self.theme.map_or(AUTO, Theme::name);
        [(AUTO, "Auto"), ("light", "Light"), ("dark", "Dark")]
            .map(|(value, label)| (value, label, value == chosen))
    }

    /// Whether a phone shows entries behind "More".
    pub fn has_rare(&self) -> bool {
        self.places.iter().any(|place| place.is_rare)
    }

    /// Whether this account is the visitor.
    pub fn is_own(&self, id: &impl AsRef<str>) -> bool {
        self.visitor.as_ref().is_some_and(|visitor| visitor.id == id.as_ref())
    }

    /// Whether the visitor is a moderator.
    pub fn is_moderator(&self) -> bool {
        self.visitor.as_ref().is_some_and(|visitor| visitor.is_moderator)
    }

    /// How long ago an instant was, or its day: `5 min ago`, `22 Nov`.
    pub fn ago(&self, at: &Timestamp) -> Time {
        Time::ago(*at, self.now, &self.zone)
    }

    /// The time until an instant: `1 min`, `2 h 5 min`.
    pub fn until(&self, at: &Timestamp) -> String {
        let minutes = at.since(self.now).as_secs().div_ceil(60);
        match (minutes / 60, minutes % 60) {
            (0, minutes) => format!("{minutes} min"),
            (hours, 0) => format!("{hours} h"),
            (hours, minutes) => format!("{hours} h {minutes} min"),
        }
    }

    /// The day of an instant: `22 Nov`.
    pub fn day(&self, at: &Timestamp) -> Time {
        Time::day(*at, self.now, &self.zone)
    }

    /// An instant with its zone: `25 Nov, 19:48 UTC`.
    pub fn at(&self, at: &Timestamp) -> Time {
        Time::exact(*at, self.now, &self.zone)
    }

    /// A deadline with the time left: `25 Nov, 19:48 UTC (2 d left)`.
    pub fn deadline(&self, at: &Timestamp) -> Time {
        Time::deadline(*at, self.now, &self.zone)
    }

    /// A step of a chart: its hour, or the visitor's day that has most of it.
    pub fn step(&self, start: &Timestamp, is_hourly: bool) -> String {
        if is_hourly {
            self.zone.minute(*start, self.now)
        } else {
            self.zone.day(start.plus(HALF_A_DAY), self.now)
        }
    }

    /// The time of day of an instant: `19:00`.
    pub fn time_of_day(&self, at: &Timestamp) -> String {
        self.zone.time_of_day(*at)
    }

    /// Which zone the steps of a chart are in.
    pub fn steps_note(&self, is_hourly: bool) -> String {
        if is_hourly {
            format!("Times are in {}.", self.zone.name())
        } else {
            "Days begin at 00:00 UTC.".to_owned()
        }
    }

    /// The label of the field that schedules a post.
    pub fn publish_at(&self) -> String {
        match self.zone.name() {
            "UTC" => "Publish at (UTC, up to 90 days ahead)".to_owned(),
            name => format!("Publish at (your time, {name}, up to 90 days ahead)"),
        }
    }
}

fn visitor(app: &App, account: &svc_core::identity::Account) -> Visitor {
    let avatar = account::avatar(app, &account.id, account.avatar.as_deref());
    let local = avatar.strip_prefix(&app.public_url).unwrap_or(&avatar).to_owned();
    Visitor {
        id: account.id.to_string(),
        username: account.username.clone(),
        display_name: account.display_name.clone(),
        avatar: local,
        is_agent: account.is_agent,
        is_moderator: account.is_moderator(),
    }
}

/// The sequence number after which events are new to the visitor; the page shows earlier ones.
fn latest_event(context: &mut PageContext<'_>) -> Result<Option<u64>> {
    if context.account().is_none() {
        return Ok(None);
    }
    let newest = ListEvents { after: None, types: None, limit: Some(1.into()) };
    Ok(Some(context.ask(&newest)?.latest_seq))
}
