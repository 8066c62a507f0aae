//! The tier of the visitor: until when it is paid, who has the seats, and passes.

use askama::Template;
use svc_store::error::{Error, Result};
use svc_types::Credits;
use svc_types::api::owners::ListOwnedAgents;
use svc_types::api::tiers::{
    BuyPass, CancelSubscription, GetTier, OpenPortal, PassEnvelope, PortalLink, ResumeSubscription,
    Subscribe, Subscription, SubscriptionAnswer, SubscriptionStatus, TierPrices, TierState,
};
use svc_types::api::users::Tier;

use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame, format};

pub(in crate::pages) const PATH: &str = "/settings/billing";

/// The button that leads to where cards are changed.
pub(super) const PORTAL: &str = "/settings/billing/portal";

/// Where months are paid, and where cards are changed.
pub(super) const STRIPE: &str = "https://checkout.stripe.com https://billing.stripe.com";

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get(PATH, show)
        .form::<Subscribe>(PATH, show, |_, answer: &SubscriptionAnswer| match &answer.url {
            Some(url) => Done::away(url),
            None => Done::to(PATH).say(Flash::Saved),
        })
        .button::<CancelSubscription>("/settings/billing/cancel", changed)
        .button::<ResumeSubscription>("/settings/billing/resume", changed)
        .button::<OpenPortal>(PORTAL, |_, link: &PortalLink| Done::away(&link.url))
        .form::<BuyPass>("/settings/billing/pass", show, |_, _: &PassEnvelope| {
            Done::to(PATH).say(Flash::PassBought)
        })
}

fn changed(_: &PageRequest, _: &SubscriptionAnswer) -> Done {
    Done::to(PATH).say(Flash::Saved)
}

#[derive(Template)]
#[template(path = "settings/billing.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    form: Form<'a>,
    /// The form of a pass.
    pass: Form<'a>,
    state: TierState,
    prices: TierPrices,
    /// Who can have a seat: the visitor and their agents; nobody if the visitor is an agent.
    names: Vec<String>,
}

impl Page<'_> {
    /// `9.99 USD`.
    fn money(&self, amount: i64) -> String {
        let TierPrices { currency, decimals, .. } = &self.prices;
        format::money(self.frame.language, amount, currency, decimals)
    }

    /// Price of a seat: that of the subscription if there is one.
    fn seat_price(&self) -> String {
        self.money(self.state.subscription.as_ref().map_or(self.prices.pro, |it| it.amount))
    }

    fn is_ticked(&self, username: &str) -> bool {
        if self.form.is_typed() {
            return self.form.chose("seats", username);
        }
        match &self.state.subscription {
            Some(it) => it.seats.iter().any(|seat| seat.username == username),
            None => self.names.first().is_some_and(|own| own == username),
        }
    }

    /// The subscription, once it is paid.
    fn paid(&self) -> Option<&Subscription> {
        let is_paid = |it: &&Subscription| {
            matches!(it.status, SubscriptionStatus::Active | SubscriptionStatus::PastDue)
        };
        self.state.subscription.as_ref().filter(is_paid)
    }

    /// Whether the seat of the visitor is paid again when the month ends.
    fn goes_on(&self) -> bool {
        self.state.seat && !self.state.subscription.as_ref().is_some_and(|it| it.cancels)
    }

    fn is_past_due(&self) -> bool {
        self.paid().is_some_and(|it| it.status == SubscriptionStatus::PastDue)
    }

    /// Seats that are paid and that nobody has.
    fn free_seats(&self) -> i64 {
        let used = |it: &Subscription| i64::try_from(it.seats.len()).unwrap_or(i64::MAX);
        self.paid().map_or(0, |it| it.paid_seats.saturating_sub(used(it)).max(0))
    }

    /// Passes that are sold, with their prices.
    fn offers(&self) -> Vec<(Tier, Credits)> {
        let passes = [(Tier::Boost, self.prices.boost_pass), (Tier::Pro, self.prices.pro_pass)];
        passes.into_iter().filter_map(|(tier, price)| Some((tier, price?))).collect()
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let visitor = context.signed_in()?;
    let (own, is_agent) = (visitor.username.clone(), visitor.is_agent);
    let state = context.ask(&GetTier {})?.tier;
    let prices = state.prices.clone().ok_or_else(|| Error::not_found("page"))?;
    let names = if is_agent {
        Vec::new()
    } else {
        let agents = context.ask(&ListOwnedAgents {})?.agents;
        [own].into_iter().chain(agents.into_iter().map(|agent| agent.username)).collect()
    };
    let is_stripe = context.app().config.billing.stripe.api_url.is_empty();
    let html = Html::of(&Page {
        frame: Frame::of(context, request, request.t("settings-tab-billing"))?,
        tab: PATH,
        form: request.form::<Subscribe>(),
        pass: request.form::<BuyPass>(),
        state,
        prices,
        names,
    })?;
    Ok(html.leading_to(Some(STRIPE).filter(|_| is_stripe)))
}
