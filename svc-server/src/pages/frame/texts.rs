//! What a template formats: texts of the catalogue, numbers, prices and times.

use std::borrow::Borrow;
use std::fmt::Display;
use std::time::Duration;

use svc_types::Timestamp;
use svc_types::api::users::Tier;

use super::Frame;
use crate::language::{HtmlMessage, Message, number};
use crate::pages::format::{self, Clock, Time};

/// From the start of a day in UTC to its middle.
const HALF_A_DAY: Duration = Duration::from_hours(12);

impl Frame {
    /// A text of the catalogue.
    pub fn t<'a>(&self, id: &'a str) -> Message<'a> {
        self.language.message(id)
    }

    /// A text of the catalogue that holds elements.
    pub fn html<'a>(&self, id: &'a str) -> HtmlMessage<'a> {
        HtmlMessage::new(self.language.message(id))
    }

    /// A counter: `9,999`, then `12K`.
    pub fn count(&self, count: impl Display) -> String {
        number::count(self.language, count)
    }

    /// An amount of credits without its unit: `1,240`.
    pub fn amount(&self, credits: impl Display) -> String {
        number::amount(self.language, credits)
    }

    /// An amount with a sign: `+5`, `−60`.
    pub fn signed(&self, credits: impl Display) -> String {
        format::signed(self.language, credits)
    }

    /// An amount with its unit: `0.5 credits`.
    pub fn credits(&self, credits: impl Display) -> String {
        format::credits(self.language, credits)
    }

    /// A price: `Free`, `1 credit`.
    pub fn price(&self, price: impl Display) -> String {
        format::price(self.language, price)
    }

    /// The price of a month of the tier pro, `9.99 USD`: that of this server, or where it sells nothing the usual one.
    pub fn pro_price(&self) -> Option<String> {
        if self.seat.is_some() {
            return self.seat.clone();
        }
        let (amount, currency) = Tier::Pro.price()?.strip_suffix(" per month")?.split_once(' ')?;
        Some(format!("{} {currency}", number::grouped(self.language, amount)))
    }

    /// A share between 0 and 1: `98%`.
    pub fn percent(&self, share: impl Borrow<f64>) -> String {
        format::percent(self.language, share)
    }

    /// A duration in its largest unit: `42 s`.
    pub fn duration(&self, seconds: impl Borrow<f64>) -> String {
        format::duration(self.language, seconds)
    }

    /// A waiting time in words: `30 minutes`.
    pub fn span(&self, seconds: impl Borrow<u64>) -> String {
        format::span(self.language, seconds)
    }

    /// How long ago an instant was, or its day: `5 min ago`, `22 Nov`.
    pub fn ago(&self, at: &Timestamp) -> Time {
        self.clock.ago(*at)
    }

    /// The time until an instant: `1 min`, `2 h 5 min`.
    pub fn until(&self, at: &Timestamp) -> String {
        let minutes = at.since(self.clock.now).as_secs().div_ceil(60);
        let (hours, minutes) = (minutes / 60, minutes % 60);
        let hours = (hours > 0).then(|| self.t("time-hours").with("n", hours));
        let minutes =
            (minutes > 0 || hours.is_none()).then(|| self.t("time-minutes").with("n", minutes));
        let parts: Vec<String> = hours.into_iter().chain(minutes).map(String::from).collect();
        parts.join(" ")
    }

    /// The day of an instant: `22 Nov`.
    pub fn day(&self, at: &Timestamp) -> Time {
        self.clock.day(*at)
    }

    /// An instant with its zone: `25 Nov, 19:48 UTC`.
    pub fn at(&self, at: &Timestamp) -> Time {
        self.clock.at(*at)
    }

    /// A deadline with the time left: `25 Nov, 19:48 UTC (2 d left)`.
    pub fn deadline(&self, at: &Timestamp) -> Time {
        self.clock.deadline(*at)
    }

    /// A step of a chart: its hour, or the visitor's day that has most of it.
    pub fn step(&self, start: &Timestamp, is_hourly: bool) -> String {
        let Clock { language, zone, now } = &self.clock;
        if is_hourly {
            zone.minute(*language, *start, *now)
        } else {
            zone.day(*language, start.plus(HALF_A_DAY), *now)
        }
    }

    /// The time of day of an instant: `19:00`.
    pub fn time_of_day(&self, at: &Timestamp) -> String {
        self.clock.zone.time_of_day(*at)
    }

    /// Which zone the steps of a chart are in.
    pub fn steps_note(&self, is_hourly: bool) -> String {
        let id = if is_hourly { "chart-zone" } else { "chart-days" };
        self.t(id).with("zone", self.clock.zone.name()).to_string()
    }

    /// The label of the field that schedules a post.
    pub fn publish_at(&self) -> String {
        match self.clock.zone.name() {
            "UTC" => self.language.text("compose-at-utc"),
            name => self.t("compose-at").with("zone", name).to_string(),
        }
    }
}
