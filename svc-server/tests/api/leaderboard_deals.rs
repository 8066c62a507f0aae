//! Who leads, by services, earnings and ratings.

use std::collections::BTreeMap;

use svc_client::types::api::escrow::Deliverable;
use svc_client::types::api::leaderboard::Metric;
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Rating, ServiceId};

use crate::app::{Member, TestApp};
use crate::leaderboard::{Dice, WINDOWS, computed, places, ranked, read};
use crate::market::{offer, order, response};
use crate::on_both_engines;

const BOTS: [&str; 4] = ["dot", "abe", "cat", "bit"];
const BUYERS: [&str; 4] = ["w", "x", "y", "z"];

/// A deal that was done: whose, when, and what was paid.
struct Deal {
    bot: usize,
    at: u64,
    paid: f64,
}

/// What was done, recorded in the simplest way.
#[derive(Default)]
struct Model {
    deals: Vec<Deal>,
    /// The latest rating of a buyer, in half steps.
    ratings: BTreeMap<(usize, usize), (u64, u32)>,
    now: u64,
}

/// The market of the test.
struct World {
    app: TestApp,
    bots: [Member; 4],
    buyers: [Member; 4],
    services: Vec<ServiceId>,
}

impl World {
    async fn new(app: TestApp) -> Self {
        let bots = app.agents(BOTS).await;
        let buyers = app
            .agents(BUYERS.map(|name| ["buyer", name].join("_")).each_ref().map(String::as_str))
            .await;
        let mut services = Vec::new();
        for bot in &bots {
            services.push(offer(bot, "work", 5).await);
        }
        for buyer in &buyers {
            app.grant_credits(&buyer.user.username, 10_000).await;
        }
        Self { app, bots, buyers, services }
    }

    async fn order(&self, model: &mut Model, dice: &mut Dice) {
        let (bot, buyer) = (dice.roll(BOTS.len()), dice.roll(BUYERS.len()));
        let name = &*self.bots[bot].user.username;
        let sending = self.buyers[buyer].client.messages();
        let sent = sending.request_service(name, order(&self.services[bot], 5)).await.unwrap();
        let status = [ResponseStatus::Completed, ResponseStatus::Rejected][dice.roll(2)].clone();
        let mut answer = response(&sent.message.message_id, status.clone());
        if status == ResponseStatus::Completed {
            let charged = u32::try_from(dice.roll(6)).unwrap();
            answer.charged_credits = Some(charged.into());
            model.deals.push(Deal { bot, at: model.now, paid: f64::from(charged) });
        }
        let answering = self.bots[bot].client.messages();
        answering.respond_to(&*self.buyers[buyer].user.username, answer).await.unwrap();
    }

    async fn escrow(&self, model: &mut Model, dice: &mut Dice) {
        let (bot, buyer) = (dice.roll(BOTS.len()), dice.roll(BUYERS.len()));
        let amount = 1 + u32::try_from(dice.roll(40)).unwrap();
        let (client, provider) = (&self.buyers[buyer].client, &self.bots[bot]);
        let service = self.services[bot].as_str();
        let opening = client.escrow().create(&*provider.user.username, service, amount, "a report");
        let id = opening.await.unwrap().escrow.id;
        provider.client.escrow().deliver(&id, Deliverable::new("text")).await.unwrap();
        match dice.roll(4) {
            0 => drop(provider.client.escrow().refund(&id).await.unwrap()),
            rated => {
                if rated == 1 && amount > 1 {
                    // Nobody accepts it, so it changes nothing of what is paid.
                    client.escrow().offer_split(&id, 1).await.unwrap();
                }
                let mut call = client.escrow().release(&id);
                if rated > 1 {
                    let half_steps = 2 + u32::try_from(dice.roll(9)).unwrap();
                    let steps = half_steps.try_into().unwrap();
                    call = call.rating(Rating::from_half_steps(steps).unwrap());
                    model.ratings.insert((bot, buyer), (model.now, half_steps));
                }
                call.await.unwrap();
                model.deals.push(Deal { bot, at: model.now, paid: f64::from(amount) });
            }
        }
    }
}

impl Model {
    fn values(&self, metric: &Metric, length: u64) -> BTreeMap<&'static str, f64> {
        let is_in = |at: u64| self.now.saturating_sub(at) <= length;
        let mut values: BTreeMap<&str, f64> = BTreeMap::new();
        if *metric != Metric::Rating {
            for deal in self.deals.iter().filter(|deal| is_in(deal.at)) {
                let value = if *metric == Metric::Services { 1.0 } else { deal.paid };
                *values.entry(BOTS[deal.bot]).or_default() += value;
            }
            return values;
        }
        let ratings = self.ratings.iter().filter(|(_, (at, _))| is_in(*at));
        let ratings: Vec<(usize, f64)> =
            ratings.map(|((bot, _), (_, halves))| (*bot, f64::from(*halves) / 2.0)).collect();
        let mean = |ratings: &[f64]| {
            (ratings.iter().sum::<f64>(), f64::from(u32::try_from(ratings.len()).unwrap()))
        };
        let all: Vec<f64> = ratings.iter().map(|(_, rating)| *rating).collect();
        let (sum, n) = mean(&all);
        let m = sum / n;
        for (index, name) in BOTS.iter().enumerate() {
            let own = ratings.iter().filter(|(bot, _)| *bot == index).map(|(_, rating)| *rating);
            let (sum, n) = mean(&own.collect::<Vec<_>>());
            if n >= 3.0 {
                let value = (5.0 * m + sum) / (5.0 + n);
                values.insert(name, (value * 1e6).round() / 1e6);
            }
        }
        values
    }
}

on_both_engines! {
    async fn deals_and_ratings_match_a_naive_count(app: TestApp) {
        let world = World::new(app).await;
        let (mut model, mut dice) = (Model::default(), Dice(7));
        let mut rated = 0;
        for _ in 0..4 {
            for _ in 0..15 {
                world.order(&mut model, &mut dice).await;
                world.escrow(&mut model, &mut dice).await;
            }
            let seconds = 86_400 * [1, 3, 12][dice.roll(3)];
            world.app.advance(seconds);
            model.now += seconds;
            world.escrow(&mut model, &mut dice).await;
            computed(&world.app).await;
            model.now += 300;
            for metric in [Metric::Services, Metric::Earnings, Metric::Rating] {
                for (window, length) in &WINDOWS {
                    let board = read(&world.app, metric.clone(), window).await;
                    let wanted = ranked(&model.values(&metric, *length));
                    assert_eq!(places(&board), wanted, "{metric} {window}");
                    rated += if metric == Metric::Rating { wanted.len() } else { 0 };
                }
            }
        }
        assert!(rated > 10, "{rated}");
    }

    async fn an_order_paid_by_an_escrow_is_one_deal(app: TestApp) {
        let market = crate::market::Market::new(app).await;
        let escrow = market.open(60).await.id;
        let sent = market.ordering(market.with_escrow(60, &escrow)).await.unwrap().message;
        market.deliver(&escrow).await;
        market.ada.client.escrow().release(&escrow).await.unwrap();
        market.answer(response(&sent.message_id, ResponseStatus::Completed)).await;
        computed(&market.app).await;
        for (metric, value) in [(Metric::Services, 1.0), (Metric::Earnings, 60.0)] {
            let board = read(&market.app, metric, &WINDOWS[3].0).await;
            assert_eq!(places(&board), [(1, "bob".to_owned(), value)]);
        }
        let split = market.open(30).await.id;
        market.deliver(&split).await;
        let offered = market.bob.client.escrow().offer_split(&split, 10).await.unwrap().escrow.split.unwrap();
        let version = u32::try_from(offered.offer_version).unwrap();
        market.ada.client.escrow().accept_split(&split, version).await.unwrap();
        computed(&market.app).await;
        for (metric, value) in [(Metric::Services, 2.0), (Metric::Earnings, 70.0)] {
            let board = read(&market.app, metric, &WINDOWS[3].0).await;
            assert_eq!(places(&board), [(1, "bob".to_owned(), value)], "of a split the provider's part");
        }
    }

    async fn work_for_nothing_is_a_deal_without_earnings(app: TestApp) {
        let market = crate::market::Market::new(app).await;
        let id = market.ordered(5).await;
        let mut answer = response(&id, ResponseStatus::Completed);
        answer.charged_credits = Some(0_u32.into());
        market.answer(answer).await;
        computed(&market.app).await;
        let done = read(&market.app, Metric::Services, &WINDOWS[3].0).await;
        assert_eq!(places(&done), [(1, "bob".to_owned(), 1.0)]);
        let earned = read(&market.app, Metric::Earnings, &WINDOWS[3].0).await;
        assert!(places(&earned).is_empty(), "{earned:?}");
    }

    async fn what_happened_exactly_a_day_ago_is_within_the_day(app: TestApp) {
        let market = crate::market::Market::new(app).await;
        let id = market.ordered(5).await;
        market.answer(response(&id, ResponseStatus::Completed)).await;
        market.ada.client.relations().follow("bob").await.unwrap();
        market.app.advance(86_400 - 300);
        for leaders in [1, 0] {
            computed(&market.app).await;
            for metric in [Metric::Services, Metric::Earnings, Metric::Followers] {
                let board = read(&market.app, metric.clone(), &WINDOWS[0].0).await;
                assert_eq!(board.leaderboard.len(), leaders, "{metric}");
            }
        }
    }
}
