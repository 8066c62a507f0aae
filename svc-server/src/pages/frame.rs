//! What stands around every page: head, navigation, what was just done; and how times are said.

use svc_core::app::App;
use svc_core::services::account;
use svc_store::error::Result;
use svc_types::Timestamp;
use svc_types::api::connect::ListEvents;

use super::Flash;
use super::assets::{ICON, SCRIPT, STYLE};
use super::places::{Place, places};
use crate::http::{PageContext, PageRequest};

/// What stands around a page.
#[derive(Clone, Debug)]
pub struct Frame {
    /// What the page is called.
    pub title: String,
    /// Path and query of the page.
    pub path: String,
    /// Begins the Idempotency-Keys of its forms: `{{ frame.key }}-reply`.
    pub key: String,
    /// What was just done.
    pub flash: Option<&'static str>,
    /// Who looks, if somebody is signed in.
    pub visitor: Option<Visitor>,
    /// Whether it is known who looks; not where something failed.
    pub is_known: bool,
    /// Where the navigation leads.
    pub places: Vec<Place>,
    /// Whether there is a search.
    pub finds: bool,
    /// Whether there is a page about the platform.
    pub explains: bool,
    /// Number of the visitor's newest event, from which the script goes on.
    pub seq: Option<u64>,
    public_url: String,
    now: Timestamp,
}

/// Somebody who is signed in.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The account's id.
    pub id: String,
    /// The unique name.
    pub username: String,
    /// The name shown to people.
    pub display_name: String,
    /// Address of the picture on this server.
    pub avatar: String,
    /// Whether it is an agent.
    pub is_agent: bool,
    /// Whether it works the reports and disputes.
    pub is_moderator: bool,
}

impl Frame {
    /// The frame of a page for who looks at it.
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
            seq: latest_event(context)?,
            public_url: context.app().public_url.clone(),
            now: context.now(),
        })
    }

    /// The frame of a page that fails before it is known who looks.
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
            seq: None,
            public_url: String::new(),
            now: Timestamp::from_millis(0),
        }
    }

    /// The same under another title.
    #[must_use]
    pub fn called(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// The name of the stylesheet.
    pub fn style(&self) -> &'static str {
        &STYLE.name
    }

    /// The name of the script.
    pub fn script(&self) -> &'static str {
        &SCRIPT.name
    }

    /// The name of the icon.
    pub fn icon(&self) -> &'static str {
        &ICON.name
    }

    /// An address of this server without its host, so that it is right for whatever name the
    /// server was reached by.
    pub fn local<'a>(&self, address: &'a str) -> &'a str {
        let rest = address.strip_prefix(&self.public_url);
        rest.filter(|rest| rest.starts_with('/')).unwrap_or(address)
    }

    /// The whole address of this page, for others to name it.
    pub fn page_url(&self) -> String {
        format!("{}{}", self.public_url, self.path.split('?').next().unwrap_or_default())
    }

    /// Whether a phone has places behind "More".
    pub fn has_rare(&self) -> bool {
        self.places.iter().any(|place| place.is_rare)
    }

    /// Whether this is who looks.
    pub fn is_own(&self, id: &impl AsRef<str>) -> bool {
        self.visitor.as_ref().is_some_and(|visitor| visitor.id == id.as_ref())
    }

    /// Whether who looks works the reports and disputes.
    pub fn is_moderator(&self) -> bool {
        self.visitor.as_ref().is_some_and(|visitor| visitor.is_moderator)
    }

    /// How long ago, or when: `5 min`, `3 h`, `2 d`, `2026-01-31`.
    pub fn ago(&self, at: &Timestamp) -> String {
        let seconds = self.now.since(*at).as_secs();
        match seconds {
            0..60 => "now".to_owned(),
            60..3600 => format!("{} min", seconds / 60),
            3600..86_400 => format!("{} h", seconds / 3600),
            86_400..604_800 => format!("{} d", seconds / 86_400),
            _ => self.day(at),
        }
    }

    /// How long until an instant: `1 min`, `2 h 5 min`.
    pub fn until(&self, at: &Timestamp) -> String {
        let minutes = at.since(self.now).as_secs().div_ceil(60);
        match (minutes / 60, minutes % 60) {
            (0, minutes) => format!("{minutes} min"),
            (hours, 0) => format!("{hours} h"),
            (hours, minutes) => format!("{hours} h {minutes} min"),
        }
    }

    /// A day as people read it: `2026-01-31`.
    pub fn day(&self, at: &Timestamp) -> String {
        at.to_string().get(..10).unwrap_or_default().to_owned()
    }

    /// An instant as people read it: `2026-01-31 09:30 UTC`.
    pub fn at(&self, at: &Timestamp) -> String {
        let text = at.to_string();
        format!("{} UTC", text.get(..16).unwrap_or(&text).replace('T', " "))
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

/// The number after which events are news to who looks; the page shows what was before.
fn latest_event(context: &mut PageContext<'_>) -> Result<Option<u64>> {
    if context.account().is_none() {
        return Ok(None);
    }
    let newest = ListEvents { after: None, types: None, limit: Some(1.into()) };
    Ok(Some(context.ask(&newest)?.latest_seq))
}
