//! What a bot sells: figures of its orders and earnings.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::ids;
use svc_core::services::figure::Figures;
use svc_core::services::sale::{self, OfService, Step};
use svc_core::services::{owner, webhook};
use svc_core::utc::{DAY_MS, HOUR_MS};
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::sales::{
    GetSales, Sales, SalesEnvelope, SalesStep, SalesWindow, ServiceSales, WebhookOutcomes,
};
use svc_types::api::webhooks::{DeliveryState, WEBHOOKS_MAX_PRO};
use svc_types::{Balance, DeliveryId, Timestamp, UserId, WebhookId};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(show)
}

fn show(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &GetSales) -> Result<SalesEnvelope> {
    let bot = owner::acting_for(ctx, caller, request.username.as_str())?;
    let window = request.window.clone().unwrap_or(SalesWindow::Month);
    let time = Time::of(ctx.now(), &window);
    let series = time.series(&sale::steps(ctx, &bot, time.step_ms, time.from())?);
    let services = sale::services(ctx, &bot, time.step_ms, time.from())?;
    let all = figures(ctx, &bot)?;
    let sum = series.iter().fold(Step::default(), |sum, step| Step {
        start: sum.start,
        completed: sum.completed + step.completed,
        failed: sum.failed + step.failed,
        earned: sum.earned + step.earned,
    });
    let sales = Sales {
        window,
        earned: Balance::from_micros(sum.earned),
        orders_done: sum.completed,
        orders_failed: sum.failed,
        success_rate: success_rate(sum.completed, sum.failed),
        median_answer_seconds: all.median_seconds(),
        p95_answer_seconds: all.p95_seconds(),
        services: services.into_iter().map(of_service).collect(),
        webhooks: outcomes(ctx, &bot, time.from())?,
        series: series.into_iter().map(of_step).collect(),
    };
    Ok(SalesEnvelope { sales })
}

/// The steps of a window.
struct Time {
    step_ms: i64,
    steps: i64,
    now: i64,
}

impl Time {
    fn of(now: Timestamp, window: &SalesWindow) -> Self {
        let (step_ms, steps) = match window {
            SalesWindow::Day => (HOUR_MS, 24),
            SalesWindow::Week => (DAY_MS, 7),
            SalesWindow::Quarter => (DAY_MS, 90),
            _ => (DAY_MS, 30),
        };
        Self { step_ms, steps, now: now.as_millis() }
    }

    /// Start of the first step; the last one is running.
    fn from(&self) -> Timestamp {
        Timestamp::from_millis((self.now / self.step_ms - self.steps + 1) * self.step_ms)
    }

    /// All steps, also those in which no order ended.
    fn series(&self, found: &[Step]) -> Vec<Step> {
        let starts = (0..self.steps).map(|step| self.from().as_millis() + step * self.step_ms);
        let step = |start| {
            let known = found.iter().find(|step| step.start == start).copied();
            known.unwrap_or(Step { start, ..Step::default() })
        };
        starts.map(step).collect()
    }
}

/// The figures of all time: times to the answer are kept only for these.
fn figures(ctx: &mut Ctx<'_, '_>, bot: &UserId) -> Result<Figures> {
    let found: Option<(i64, i64, Option<i64>, Option<i64>)> = ctx.tx.optional(
        sql!("select completed, failed, median_ms, p95_ms from figure where id = $1"),
        values![bot],
    )?;
    let (completed, failed, median_ms, p95_ms) = found.unwrap_or_default();
    Ok(Figures { completed, failed, median_ms, p95_ms })
}

fn success_rate(completed: i64, failed: i64) -> Option<f64> {
    Figures { completed, failed, ..Figures::default() }.success_rate()
}

fn of_service(found: OfService) -> ServiceSales {
    let OfService { median_ms, p95_ms, .. } = found;
    let (completed, failed) = (found.all_completed, found.all_failed);
    let all = Figures { completed, failed, median_ms, p95_ms };
    ServiceSales {
        id: found.id,
        name: found.name,
        earned: Balance::from_micros(found.earned),
        orders_done: found.completed,
        orders_failed: found.failed,
        success_rate: success_rate(found.completed, found.failed),
        median_answer_seconds: all.median_seconds(),
        p95_answer_seconds: all.p95_seconds(),
    }
}

fn of_step(step: Step) -> SalesStep {
    SalesStep {
        start: Timestamp::from_millis(step.start),
        earned: Balance::from_micros(step.earned),
        orders_done: step.completed,
        orders_failed: step.failed,
    }
}

/// The outcome of the deliveries to the webhooks of a bot since a time.
fn outcomes(ctx: &mut Ctx<'_, '_>, bot: &UserId, from: Timestamp) -> Result<WebhookOutcomes> {
    let webhooks: Vec<WebhookId> = ctx.tx.all(
        sql!(
            "select id from webhook where account = $1 and deleted_at is null order by id limit $2"
        ),
        values![bot, WEBHOOKS_MAX_PRO],
    )?;
    let first: DeliveryId = ids::first_of(from);
    let mut outcomes = WebhookOutcomes { delivered: 0, failed: 0, waiting: 0 };
    for id in webhooks {
        for (state, count) in webhook::delivery::count_by_state(ctx, &id, &first)? {
            let of = match DeliveryState::from(state.as_str()) {
                DeliveryState::Delivered => &mut outcomes.delivered,
                DeliveryState::Failed => &mut outcomes.failed,
                DeliveryState::Pending | DeliveryState::Sending | DeliveryState::Held => {
                    &mut outcomes.waiting
                }
                _ => continue,
            };
            *of += i64::try_from(count).unwrap_or(i64::MAX);
        }
    }
    Ok(outcomes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_every_step_and_ends_with_the_running_one() {
        let now = 100 * DAY_MS + 9 * HOUR_MS + 1;
        let time = |window| Time::of(Timestamp::from_millis(now), &window);
        let starts = |window| -> Vec<i64> {
            time(window).series(&[]).iter().map(|step| step.start).collect()
        };
        assert_eq!(starts(SalesWindow::Day).len(), 24);
        assert_eq!(starts(SalesWindow::Day).last(), Some(&(100 * DAY_MS + 9 * HOUR_MS)));
        assert_eq!(
            starts(SalesWindow::Week),
            (94..=100).map(|day| day * DAY_MS).collect::<Vec<_>>()
        );
        assert_eq!(starts(SalesWindow::Quarter).first(), Some(&(11 * DAY_MS)));
        let sold = Step { start: 100 * DAY_MS, completed: 2, failed: 1, earned: 5 };
        assert_eq!(time(SalesWindow::Month).series(&[sold]).last(), Some(&sold));
    }
}
