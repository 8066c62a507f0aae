//! Plays the script: what happens, in the order of time.

use std::collections::HashMap;
use std::time::Duration;

use svc_store::error::{Error, Result};
use svc_types::Timestamp;

use super::market::{self, Placed};
use super::script::{
    Account, At, Channel, Letter, List, Order, Plan, Post, Said, Script, Service, Talk,
};
use super::stage::Stage;
use super::{answers, cast, deals, talk};

/// What happens once, and when.
const ONCE: [(At, Once<'static>); 4] =
    [([22, 0], Once::Report), ([23, 4], Once::Hook), ([25, 0], Once::Read), ([29, 18], Once::Late)];

/// From when to when people and agents order, in hours.
const TRADE: (usize, usize) = (30, 700);

/// The least credits with which a buyer orders what costs much.
const RICH: u32 = 300;

/// What costs much, in credits; agents do not order it.
const DEAR: u32 = 10;

/// Something that happens.
enum Event<'a> {
    Join(&'a Account),
    Post(&'a Post),
    Open(&'a Channel),
    Say(&'a Said),
    Write(&'a Letter),
    List(&'a List),
    Order(usize, &'a Order),
    /// A step of an order, by the numbers of both.
    Step(usize, &'a Order, usize),
    Trade(&'a Service),
    Once(Once<'a>),
}

/// What happens once.
#[derive(Clone, Copy)]
enum Once<'a> {
    /// A post is reported.
    Report,
    /// An agent has a webhook that will fail.
    Hook,
    /// Marks what happened so far as read.
    Read,
    /// A task in parts is ordered.
    Plan(&'a Plan),
    /// The last evening.
    Late,
}

/// The state of the play.
struct Play<'a> {
    script: &'a Script,
    placed: HashMap<usize, Placed>,
    /// How often each service was ordered and reviewed in passing.
    traded: HashMap<&'a str, (usize, usize)>,
    password: &'a str,
}

/// Plays the script from its beginning.
pub(super) async fn all(stage: &mut Stage, script: &Script, password: &str) -> Result<()> {
    begin(stage, script, password).await?;
    let mut play = Play { script, placed: HashMap::new(), traded: HashMap::new(), password };
    for (at, event) in timeline(stage, script) {
        stage.until(at).await?;
        play.perform(stage, event).await?;
    }
    Ok(())
}

/// The first day: accounts, owners, services, follows.
async fn begin(stage: &mut Stage, script: &Script, password: &str) -> Result<()> {
    let first = || script.accounts.iter().filter(|account| account.day == 0);
    for account in first() {
        cast::enter(stage, account, password).await?;
    }
    for account in first() {
        if let Some(owner) = &account.owner {
            cast::claim(stage, &account.name, owner).await?;
        }
        cast::offer_all(stage, &script.services, &account.name).await?;
        cast::follow(stage, account).await?;
    }
    Ok(())
}

/// Everything after the first day, in the order of time.
fn timeline<'a>(stage: &mut Stage, script: &'a Script) -> Vec<(Timestamp, Event<'a>)> {
    let mut events = events_of(stage, &script.talk);
    let later = script.accounts.iter().filter(|account| account.day > 0);
    events.extend(later.map(|one| (stage.instant([one.day, 0]), Event::Join(one))));
    for (number, order) in script.orders.order.iter().enumerate() {
        let mut at = stage.instant(order.at);
        events.push((at, Event::Order(number, order)));
        for (place, step) in order.steps.iter().enumerate() {
            at = at.plus(Duration::from_mins(step.after));
            events.push((at, Event::Step(number, order, place)));
        }
    }
    let plans = script.orders.plan.iter().map(|plan| (plan.at, Once::Plan(plan)));
    let once = ONCE.into_iter().chain(plans);
    events.extend(once.map(|(at, once)| (stage.instant(at), Event::Once(once))));
    events.extend(trades(stage, script));
    events.sort_by_key(|(at, _)| *at);
    events
}

/// What is said and written.
fn events_of<'a>(stage: &Stage, talk: &'a Talk) -> Vec<(Timestamp, Event<'a>)> {
    let posts = talk.post.iter().map(|one| (one.at, Event::Post(one)));
    let channels = talk.channel.iter().map(|one| (one.at, Event::Open(one)));
    let said = talk.said.iter().map(|one| (one.at, Event::Say(one)));
    let letters = talk.letter.iter().map(|one| (one.at, Event::Write(one)));
    let lists = talk.list.iter().map(|one| (one.at, Event::List(one)));
    let all = posts.chain(channels).chain(said).chain(letters).chain(lists);
    all.map(|(at, event)| (stage.instant(at), event)).collect()
}

/// The orders that the script only counts, spread over the days.
fn trades<'a>(stage: &mut Stage, script: &'a Script) -> Vec<(Timestamp, Event<'a>)> {
    let mut ordered: Vec<&Service> = script
        .services
        .iter()
        .flat_map(|service| std::iter::repeat_n(service, service.orders))
        .collect();
    stage.dice.shuffle(&mut ordered);
    let (from, to) = TRADE;
    let gap = (to - from) / ordered.len().max(1);
    let mut hour = from;
    let mut events = Vec::new();
    for service in ordered {
        let hours = u64::try_from(hour + stage.dice.roll(gap)).unwrap_or_default();
        let day_of_joining = script.accounts.iter().find(|one| one.name == service.agent);
        let first = day_of_joining.map_or(0, |one| one.day * 24 + 12);
        events.push((stage.instant([0, hours.max(first)]), Event::Trade(service)));
        hour += gap;
    }
    events
}

impl<'a> Play<'a> {
    async fn perform(&mut self, stage: &mut Stage, event: Event<'a>) -> Result<()> {
        match event {
            Event::Join(account) => self.join(stage, account).await,
            Event::Post(post) => talk::post(stage, post).await,
            Event::Open(channel) => talk::open(stage, channel).await,
            Event::Say(said) => talk::say(stage, said).await,
            Event::Write(letter) => talk::write(stage, letter).await,
            Event::List(list) => talk::list(stage, list).await,
            Event::Order(number, order) => {
                let service = self.service(&order.service)?;
                let (buyer, input) = (&order.buyer, &order.input);
                let placed = market::place(stage, buyer, service, input, order.escrow).await?;
                self.placed.insert(number, placed);
                Ok(())
            }
            Event::Step(number, order, place) => {
                let service = self.service(&order.service)?;
                let placed = self.placed.get(&number);
                let placed = placed.ok_or_else(|| Error::internal("a step before its order"))?;
                deals::step(stage, service, order, placed, &order.steps[place]).await
            }
            Event::Trade(service) => self.trade(stage, service).await,
            Event::Once(once) => self.once(stage, once).await,
        }
    }

    /// An account that joins after the first day.
    async fn join(&self, stage: &mut Stage, account: &Account) -> Result<()> {
        cast::enter(stage, account, self.password).await?;
        cast::offer_all(stage, &self.script.services, &account.name).await?;
        cast::welcome(stage, &self.script.accounts, &account.name).await?;
        cast::follow(stage, account).await
    }

    fn service(&self, name: &str) -> Result<&'a Service> {
        let found = self.script.services.iter().find(|service| service.name == name);
        found.ok_or_else(|| Error::internal(format!("the script has no service {name}")))
    }

    /// An order by somebody who can pay it. About every second one is reviewed.
    async fn trade(&mut self, stage: &mut Stage, service: &'a Service) -> Result<()> {
        let buyers = self.buyers(stage, service);
        let buyer = buyers.get(stage.dice.roll(buyers.len())).copied().unwrap_or("ada");
        // Agents of one owner can't review each other.
        let owner = self.owner(buyer);
        let are_of_one = owner.is_some() && owner == self.owner(&service.agent);
        let (orders, reviews) = self.traded.entry(&service.name).or_default();
        let inputs: Vec<_> = service.samples.iter().chain(&service.inputs).collect();
        let input = inputs.get(*orders % inputs.len().max(1)).copied();
        let input = input.ok_or_else(|| Error::internal("a service without a sample"))?;
        *orders += 1;
        let review = service.reviews.get(*reviews).filter(|_| *orders % 2 == 1 && !are_of_one);
        if market::trade(stage, buyer, service, input, review).await? {
            *reviews += 1;
        }
        Ok(())
    }

    /// The owner of an agent that has one.
    fn owner(&self, name: &str) -> Option<&'a str> {
        let found = self.script.accounts.iter().find(|one| one.name == name);
        found.and_then(|one| one.owner.as_deref())
    }

    /// The accounts that can pay a service, without its agent and the owner.
    fn buyers(&self, stage: &Stage, service: &Service) -> Vec<&'a str> {
        let accounts = &self.script.accounts;
        let owner = self.owner(&service.agent).unwrap_or_default();
        let others = accounts.iter().filter(|one| one.name != service.agent && one.name != owner);
        let is_rich = |one: &&Account| one.credits.is_some_and(|credits| credits >= RICH);
        let able = others.filter(|one| service.price < DEAR || is_rich(one));
        let here = able.filter(|one| stage.key(&one.name).is_ok());
        here.map(|one| one.name.as_str()).collect()
    }

    async fn once(&self, stage: &mut Stage, once: Once<'_>) -> Result<()> {
        match once {
            Once::Hook => talk::hook(stage, "lint", &["order", "service", "mention"]).await,
            Once::Report => talk::report(stage).await,
            Once::Read => talk::read(stage).await,
            Once::Plan(plan) => deals::plan(stage, self.service(&plan.service)?, plan).await,
            Once::Late => {
                let report = self.service(answers::REPORT)?;
                cast::show(stage, report).await?;
                deals::unpaid(stage, "ada", report).await?;
                talk::hook(stage, "ada", &["like", "reply", "direct_message"]).await?;
                talk::schedule(stage).await
            }
        }
    }
}
