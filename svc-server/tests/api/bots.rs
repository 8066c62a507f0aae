//! Discovery of bots and their services (spec §2.6, §4).

use http::Method;
use serde_json::json;
use svc_client::Call;
use svc_client::types::api::bots::{BotSort, DiscoverBots, GetCapabilities};
use svc_client::types::{Code, Rating};
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items, code};
use crate::market::{Market, object, offer};
use crate::on_both_engines;
use crate::raw::answer;

/// The bots of a list with what they offer, read page by page: `bob: work, more`.
async fn found(list: Call<DiscoverBots>) -> Vec<String> {
    let bots = all_items(list.limit(1)).await.into_iter().map(|bot| {
        let names: Vec<_> = bot.services.into_iter().map(|service| service.name).collect();
        format!("{}: {}", bot.username, names.join(", "))
    });
    bots.collect()
}

/// A released escrow with a rating in half steps.
async fn rate(market: &Market, buyer: &Member, half_steps: u8) {
    let opening = buyer.client.escrow().create("bob", &market.service, 1, "a report");
    let id = opening.await.unwrap().escrow.id;
    market.deliver(&id).await;
    let rating = Rating::from_half_steps(half_steps).unwrap();
    buyer.client.escrow().release(&id).rating(rating).await.unwrap();
}

/// Three bots: the first counts, the second is tagged so, the third says so.
async fn bots(app: &TestApp) -> [Member; 3] {
    let [one, two, three] = app.agents(["one", "two", "three"]).await;
    offer(&one, "Word Counter", 5).await;
    offer(&one, "translate", 9).await;
    let tagged = two.client.services().create("length", "how long a text is", 3);
    tagged.tags(vec!["Word counter".into()]).await.unwrap();
    let said = three.client.services().create("sizes", "works as a WORD COUNTER and more", 4);
    said.await.unwrap();
    [one, two, three]
}

on_both_engines! {
    async fn bots_are_found_as_the_spec_describes_them(app: TestApp) {
        let market = Market::new(app).await;
        let found = answer(market.app.raw(Method::GET, "/v1/bots/discover?service=WORK")).await.json();
        assert_eq!(found, json!({ "bots": [{
            "username": "bob",
            "displayName": "bob",
            "avatar": found["bots"][0]["avatar"],
            "services": [{
                "id": market.service,
                "name": "work",
                "priceCredits": 5,
                "rating": 0.0,
                "ratingsCount": 0,
                "description": "does what it is called",
                "tags": [],
                "acceptance": "implicit",
                "category": "other",
                "languages": [],
                "ordersDone": 0,
                "match": { "kind": "exact", "term": "work" },
            }],
        }] }));
        assert!(found["bots"][0]["avatar"].as_str().unwrap().starts_with("http"));
        let read = answer(market.app.raw(Method::GET, "/v1/bots/BOB/capabilities")).await.json();
        assert_eq!(read, json!({ "capabilities": [{
            "id": market.service,
            "name": "work",
            "priceCredits": 5,
            "rating": 0.0,
            "ratingsCount": 0,
            "description": "does what it is called",
            "tags": [],
            "acceptance": "implicit",
            "category": "other",
            "languages": [],
            "samples": [],
            "ordersDone": 0,
        }] }));
    }

    async fn a_term_matches_name_tags_and_description(app: TestApp) {
        bots(&app).await;
        let discover = |term: &str| app.anonymous.bots().discover(term);
        let all = ["one: Word Counter", "two: length", "three: sizes"];
        assert_eq!(found(discover("word counter")).await, all, "name, tag, description");
        assert_eq!(found(discover("ORD COUNT")).await, all);
        assert_eq!(found(discover("translate")).await, ["one: translate"]);
        assert_eq!(found(discover("nobody does this")).await, [""; 0]);
        let everything = found(app.anonymous.bots().discover_all()).await;
        assert_eq!(everything, ["one: Word Counter, translate", "two: length", "three: sizes"]);
    }

    async fn wildcards_are_plain_characters(app: TestApp) {
        let bot = app.agent("bot").await;
        offer(&bot, "100% wool", 1).await;
        offer(&bot, "snake_case", 1).await;
        offer(&bot, r"back\slash", 1).await;
        let discover = |term: &str| found(app.anonymous.bots().discover(term));
        assert_eq!(discover("%").await, ["bot: 100% wool"]);
        assert_eq!(discover("_").await, ["bot: snake_case"]);
        assert_eq!(discover(r"\").await, [r"bot: back\slash"]);
        for none in ["0%w", "e_c_", r"\%", "%wool", "' or 1=1 --", r"k\\s"] {
            assert_eq!(discover(none).await, [""; 0], "{none}");
        }
    }

    async fn a_list_is_filtered_by_price_and_rating(app: TestApp) {
        let market = Market::new(app).await;
        let [cyd, dan] = market.app.agents(["cyd", "dan"]).await;
        offer(&cyd, "work for less", 1).await;
        rate(&market, &market.ada, 9).await;
        rate(&market, &dan, 8).await;
        let client = &market.app.anonymous;
        let all = || client.bots().discover("work");
        assert_eq!(found(all()).await, ["bob: work", "cyd: work for less"]);
        assert_eq!(found(all().sort(BotSort::Price)).await, ["cyd: work for less", "bob: work"]);
        assert_eq!(found(all().sort(BotSort::Rating)).await, ["bob: work", "cyd: work for less"]);
        assert_eq!(found(all().max_price(4)).await, ["cyd: work for less"]);
        assert_eq!(found(client.bots().discover_all().max_price(4)).await, ["cyd: work for less"], "without a term too");
        assert_eq!(found(all().max_price(5)).await.len(), 2);
        assert_eq!(found(all().max_price(0)).await, [""; 0]);
        let rated = |half: u8| all().min_rating(Rating::from_half_steps(half).unwrap());
        assert_eq!(found(rated(8)).await, ["bob: work"]);
        assert_eq!(found(rated(9)).await, [""; 0], "4.5 and 4 are 4.3");
        let best = |half: u8| client.bots().discover_all().min_rating(Rating::from_half_steps(half).unwrap());
        assert_eq!(found(best(8)).await, ["bob: work"], "without a term too");
        assert_eq!(found(best(9)).await, [""; 0]);
        let bob = client.bots().capabilities("bob").await.unwrap().capabilities.remove(0);
        assert_eq!((bob.rating, bob.ratings_count), (4.3, 2));
        rate(&market, &dan, 10).await;
        let bob = client.bots().capabilities("bob").await.unwrap().capabilities.remove(0);
        assert_eq!((bob.rating, bob.ratings_count), (4.8, 2), "of each buyer the latest counts");
        market.is_consistent().await;
    }

    async fn one_excellent_rating_does_not_outrank_many_good_ones(app: TestApp) {
        let all = ["fresh", "liked", "proven", "poor", "unrated"];
        for bot in app.agents(all).await {
            offer(&bot, "work", 5).await;
        }
        // How many ratings, and their sum in half steps.
        for (name, number, sum) in [("fresh", 1, 10), ("liked", 4, 40), ("proven", 200, 1_960), ("poor", 50, 200)] {
            app.execute(move |ctx| {
                let sql = sql!(
                    "update service set ratings_count = cast($1 as bigint), ratings_sum = cast($2 as bigint),
                        rating_tenths = ($2 * 10 + $1) / (2 * $1)
                     where bot = (select id from account where username = $3)"
                );
                ctx.tx.execute(sql, values![i64::from(number), i64::from(sum), name])
            })
            .await;
        }
        let client = &app.anonymous;
        let ranked = ["proven: work", "liked: work", "fresh: work", "poor: work", "unrated: work"];
        assert_eq!(found(client.bots().discover_all()).await, ranked);
        for sort in [BotSort::Rating, BotSort::Relevance] {
            assert_eq!(found(client.bots().discover("work").sort(sort.clone())).await, ranked, "{sort}");
        }
        let best = Rating::from_half_steps(10).unwrap();
        let exact = found(client.bots().discover_all().min_rating(best)).await;
        assert_eq!(exact, ["liked: work", "fresh: work"], "the filter and what is shown are the means");
        let fresh = client.bots().capabilities("fresh").await.unwrap().capabilities.remove(0);
        assert_eq!((fresh.rating, fresh.ratings_count), (5.0, 1));
    }

    async fn bots_with_equal_ranking_are_each_listed_once(app: TestApp) {
        for number in 0..7 {
            let bot = app.agent(&format!("bot_{number}")).await;
            offer(&bot, "work", 5).await;
            offer(&bot, "more work", 5).await;
        }
        let sorts = [
            BotSort::Relevance,
            BotSort::Rating,
            BotSort::Price,
            BotSort::Orders,
            BotSort::Speed,
        ];
        for sort in sorts {
            for limit in [1, 3, 100] {
                let list = app.anonymous.bots().discover("work").sort(sort.clone()).limit(limit);
                let mut names: Vec<_> = all_items(list).await.into_iter().map(|bot| bot.username).collect();
                names.sort();
                let all: Vec<_> = (0..7).map(|number| format!("bot_{number}")).collect();
                assert_eq!(names, all, "{sort} {limit}");
            }
        }
        let list = || app.anonymous.bots().discover("work").limit(1);
        let cursor = list().page().await.unwrap().next_cursor.unwrap();
        for other in [list().max_price(9), list().sort(BotSort::Price), app.anonymous.bots().discover("wor")] {
            assert_eq!(code::<DiscoverBots>(other.after(cursor.clone()).await), Code::InvalidCursor);
        }
    }

    async fn unavailable_bots_offer_nothing(app: TestApp) {
        let [one, two, three] = bots(&app).await;
        app.suspend("one").await;
        two.client.users().delete_me("two").await.unwrap();
        let own = three.client.services().list().await.unwrap().services.remove(0);
        three.client.services().update(&own.id).active(false).await.unwrap();
        assert_eq!(found(app.anonymous.bots().discover_all()).await, [""; 0]);
        assert_eq!(found(app.anonymous.bots().discover("word counter")).await, [""; 0]);
        let capabilities = |name: &'static str| app.anonymous.bots().capabilities(name);
        for gone in ["one", "two", "nobody"] {
            assert_eq!(code::<GetCapabilities>(capabilities(gone).await), Code::NotFound, "{gone}");
        }
        assert_eq!(capabilities("three").await.unwrap().capabilities, []);
        let own = one.client.bots().capabilities("one").await;
        assert_eq!(own.unwrap().capabilities.len(), 2, "a suspended account reads its own");
    }

    async fn a_bot_that_takes_no_orders_is_not_found(app: TestApp) {
        let [one, ..] = bots(&app).await;
        app.index().await;
        let searched = async || app.anonymous.search().services("counter").await.unwrap().services.unwrap().len();
        for (takes_orders, count) in [(true, 3), (false, 2), (true, 3)] {
            one.client.users().update_me().allow_service_requests(takes_orders).await.unwrap();
            for list in [app.anonymous.bots().discover_all(), app.anonymous.bots().discover("word counter")] {
                let names: Vec<_> = all_items(list).await.into_iter().map(|bot| bot.username).collect();
                assert_eq!((names.len(), names.contains(&"one".to_owned())), (count, takes_orders), "{names:?}");
            }
            assert_eq!(searched().await, count);
            let read = app.anonymous.bots().capabilities("one").await.unwrap().capabilities;
            assert_eq!(read.len(), 2, "those who know it still read what it did");
        }
    }

    async fn a_person_has_no_capabilities(app: TestApp) {
        app.person("ada", "correct horse").await;
        assert_eq!(code::<GetCapabilities>(app.anonymous.bots().capabilities("ada").await), Code::NotFound);
    }

    async fn capabilities_contain_everything_an_order_needs(app: TestApp) {
        let bot = app.agent("bot").await;
        let schema = object(json!({ "type": "object", "required": ["text"] }));
        let offering = bot.client.services().create("count", "counts", 5).input_schema(schema.clone());
        offering.output_schema(schema.clone()).tags(vec!["text".into()]).await.unwrap();
        offer(&bot, "later", 1).await;
        let read = app.anonymous.bots().capabilities(bot.user.id.as_str()).await.unwrap().capabilities;
        let names: Vec<_> = read.iter().map(|service| &*service.name).collect();
        assert_eq!(names, ["count", "later"], "oldest first");
        assert_eq!((&read[0].input_schema, &read[0].output_schema), (&Some(schema.clone()), &Some(schema)));
    }
}
