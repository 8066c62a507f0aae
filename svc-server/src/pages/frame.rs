//! The frame of every page: head, navigation and flash message.

mod texts;

use svc_core::config::{Config, SignupMode};
use svc_core::html::on_one_line;
use svc_core::services::post::code::CodeOfPosts;
use svc_store::error::Result;
use svc_types::api::connect::ListEvents;
use svc_types::api::posts::{Post, Thread};
use svc_types::{PostId, Timestamp};

use super::Flash;
use super::assets::{ICON, PASSKEY, PROOF, SCRIPT, STYLE};
use super::cards::{self, Cards, LinkCard};
use super::format::{self, Clock, Zone};
use super::places::{NavigationEntry, legal, places};
use super::share::Card;
use super::visitor::Visitor;
use crate::http::{AUTO, PageContext, PageRequest, Theme};
use crate::language::Language;

/// The frame of a page.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each says what this server has")]
pub struct Frame {
    /// The page's title.
    pub title: String,
    /// Path and query of the page.
    pub path: String,
    /// Where a choice of colours or language leads back to, if not to its path.
    pub back: Option<String>,
    /// The beginning of its forms' Idempotency-Keys: `{{ frame.key }}-reply`.
    pub key: String,
    /// The message about the last action.
    pub flash: Option<String>,
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
    /// Whether new accounts are accepted.
    pub joins: bool,
    /// Sequence number of the visitor's latest event, from which the script continues.
    pub seq: Option<u64>,
    /// The colours that the visitor chose.
    pub theme: Option<Theme>,
    /// The language of the page.
    pub language: Language,
    /// What other sites show of a page that lists things for everyone.
    pub(super) card: Option<Card>,
    /// Cards for the links in posts.
    cards: Cards,
    /// The price of a seat of the tier pro, where seats are sold.
    seat: Option<String>,
    pub(super) legal: Vec<(&'static str, String)>,
    public_url: String,
    clock: Clock,
    code: CodeOfPosts,
}

impl Frame {
    /// The frame for the visitor of a page.
    pub fn of(
        context: &mut PageContext<'_>,
        request: &PageRequest,
        title: impl Into<String>,
    ) -> Result<Self> {
        let places = places(context, &request.path)?;
        let title: String = title.into();
        let title = on_one_line(&title);
        Ok(Self {
            card: Card::of_page(request.language, &request.path, &title),
            cards: Cards::new(),
            title,
            path: request.path.clone(),
            back: request.back.clone(),
            key: request.form_key(context.account().map(|account| &account.id)),
            flash: request.flash.as_deref().and_then(|word| Flash::text(request.language, word)),
            visitor: context.account().map(|account| Visitor::of(context.app(), account)),
            is_known: true,
            places,
            finds: context.has("/search"),
            explains: context.has("/about"),
            sells: context.app().config.billing.is_on(),
            joins: context.app().config.signup.mode != SignupMode::Closed,
            seq: latest_event(context)?,
            theme: request.theme,
            language: request.language,
            seat: seat_price(&context.app().config, request.language),
            legal: legal(&context.app().config),
            public_url: context.app().public_url.clone(),
            clock: Clock {
                language: request.language,
                zone: Zone::of(request.zone.as_deref()),
                now: context.now(),
            },
            code: context.take_code(),
        })
    }

    /// The frame of a page that fails before the visitor is known.
    pub fn unknown(language: Language) -> Self {
        Self {
            title: String::new(),
            path: "/".to_owned(),
            back: None,
            key: String::new(),
            flash: None,
            visitor: None,
            is_known: false,
            places: Vec::new(),
            finds: false,
            explains: false,
            sells: false,
            joins: false,
            seq: None,
            theme: None,
            language,
            card: None,
            cards: Cards::new(),
            seat: None,
            legal: Vec::new(),
            public_url: String::new(),
            clock: Clock { language, zone: Zone::of(None), now: Timestamp::from_millis(0) },
            code: CodeOfPosts::new(),
        }
    }

    /// The same frame with another title.
    #[must_use]
    pub fn called(self, title: impl Into<String>) -> Self {
        let title: String = title.into();
        Self { title: on_one_line(&title), ..self }
    }

    /// The same frame with cards for the links in the posts of a list.
    pub(super) fn linking(self, context: &mut PageContext<'_>, posts: &[Post]) -> Result<Self> {
        Ok(Self { cards: cards::of_list(context, posts)?, ..self })
    }

    /// The same frame with cards for the links in a post and those around it.
    pub(super) fn linking_all(
        self,
        context: &mut PageContext<'_>,
        thread: &Thread,
    ) -> Result<Self> {
        Ok(Self { cards: cards::of_thread(context, thread)?, ..self })
    }

    /// The cards for the links in a post.
    pub(super) fn cards_of(&self, post: &PostId) -> &[LinkCard] {
        self.cards.get(post).map(Vec::as_slice).unwrap_or_default()
    }

    /// The marks of the code in a post that was read before the frame was made.
    pub fn code(&self, post: &PostId) -> Option<&str> {
        self.code.get(post).map(String::as_str)
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

    /// Where a choice of colours or language leads back to.
    pub fn back(&self) -> &str {
        self.back.as_deref().unwrap_or(&self.path)
    }

    /// The texts of the script.
    pub fn script_texts(&self) -> &'static str {
        format::script_texts(self.language)
    }

    /// The choices of colours: the form's value, its label, and whether it is chosen.
    pub fn themes(&self) -> [(&'static str, String, bool); 3] {
        let chosen = self.theme.map_or(AUTO, Theme::name);
        let choice =
            |value| (value, self.language.text(&format!("theme-{value}")), value == chosen);
        [AUTO, Theme::Light.name(), Theme::Dark.name()].map(choice)
    }

    /// The choices of languages, and whether each is chosen.
    pub fn languages(&self) -> [(Language, bool); 2] {
        Language::ALL.map(|language| (language, language == self.language))
    }

    /// Whether a phone shows entries behind "More".
    pub fn has_rare(&self) -> bool {
        self.places.iter().any(|place| place.is_rare)
    }

    /// Whether a wide window shows what is going on beside the page, which is so where people read.
    pub fn has_rail(&self) -> bool {
        let path = self.path.split('?').next().unwrap_or_default();
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        match parts.as_slice() {
            // Pages whose address holds a token name the home page instead.
            [""] => self.visitor.is_some() && self.is_home(),
            ["feed" | "search" | "notifications"] | ["post" | "tag" | "lists", _] => true,
            [name] => name.starts_with('@'),
            _ => false,
        }
    }

    fn is_home(&self) -> bool {
        self.places.iter().any(|place| place.path == "/" && place.is_here)
    }

    /// Whether this account is the visitor.
    pub fn is_own(&self, id: &impl AsRef<str>) -> bool {
        self.visitor.as_ref().is_some_and(|visitor| visitor.id == id.as_ref())
    }

    /// Whether the visitor is a moderator.
    pub fn is_moderator(&self) -> bool {
        self.visitor.as_ref().is_some_and(|visitor| visitor.is_moderator)
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

/// The price of a seat of the tier pro; none where nothing is sold.
fn seat_price(config: &Config, language: Language) -> Option<String> {
    let billing = &config.billing;
    let price = || {
        format::money(language, config.pro.amount(billing), &billing.currency, billing.decimals())
    };
    billing.is_on().then(price)
}
