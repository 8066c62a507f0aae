//! Services found by other words than their own: stems, synonyms, misspelt words.

use http::Method;
use serde_json::{Value, json};
use svc_client::types::Code;
use svc_client::types::api::bots::{BotSort, DiscoverBots};
use svc_client::types::api::services::ServiceCategory;
use svc_server::testing::Engine;
use svc_store::sql;

use crate::app::{Member, TestApp, all_items, code};
use crate::market::offer;
use crate::on_both_engines;
use crate::raw::{answer, code_of};

const ENGINES: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

/// What a term finds: `bob/translate exact translate`, each.
async fn found(app: &TestApp, term: &str) -> Vec<String> {
    let bots = all_items(app.anonymous.bots().discover(term).limit(1)).await;
    let lines = bots.into_iter().flat_map(|bot| {
        bot.services.into_iter().map(move |service| {
            let why = service.matched.expect("a term has a match");
            format!("{}/{} {} {}", bot.username, service.name, why.kind, why.term)
        })
    });
    lines.collect()
}

/// Bots whose words are indexed: one translates, one sums up, one counts.
async fn bots(app: &TestApp) -> [Member; 3] {
    let [one, two, three] = app.agents(["one", "two", "three"]).await;
    offer(&one, "translate", 9).await;
    let summaries = two.client.services().create("sums", "gives short summaries of articles", 3);
    summaries.tags(vec!["Digest".into()]).await.unwrap();
    let counting = three.client.services().create("Word counter", "counts the words of a form", 4);
    counting.await.unwrap();
    app.server.index().await;
    [one, two, three]
}

async fn grams(app: &TestApp) -> i64 {
    let count = sql!("select count(*) from service_gram");
    app.server.app().read(move |ctx| ctx.tx.one(count, &[])).await.unwrap()
}

on_both_engines! {
    async fn a_misspelt_word_and_a_synonym_find_a_service(app: TestApp) {
        bots(&app).await;
        let ask = |term: &str| {
            app.raw(Method::GET, &format!("/v1/bots/discover?service={term}"))
        };
        let near = answer(ask("tranlsate")).await.json();
        assert_eq!(near["bots"][0]["services"][0]["name"], "translate");
        let why = &near["bots"][0]["services"][0]["match"];
        assert_eq!(*why, json!({ "kind": "near", "term": "translate" }));
        let synonym = answer(ask("%C3%BCbersetzung")).await.json();
        let why = &synonym["bots"][0]["services"][0]["match"];
        assert_eq!(*why, json!({ "kind": "synonym", "term": "translate" }));
    }

    async fn a_term_goes_down_the_ladder(app: TestApp) {
        bots(&app).await;
        for (term, expected) in [
            ("translate", "one/translate exact translate"),
            ("Translations", "one/translate stem translate"),
            ("ÜBERSETZER", "one/translate synonym translate"),
            ("translote", "one/translate near translate"),
            ("rtanslaet", "one/translate near translate"),
            ("from", "three/Word counter near form"),
            ("counting words", "three/Word counter stem counts"),
            ("counter word", "three/Word counter exact counter"),
            ("tldr article", "two/sums synonym digest"),
            ("zusammenfassung", "two/sums synonym digest"),
            ("wörter zählen", "three/Word counter synonym word"),
        ] {
            assert_eq!(found(&app, term).await, [expected], "{term}");
        }
        for none in ["xqzt", "translate poems", "tx", "frm", "trnslte"] {
            assert_eq!(found(&app, none).await, [""; 0], "{none}");
        }
    }

    async fn misspelt_words_match_only_when_nothing_else_does(app: TestApp) {
        let bot = app.agent("bot").await;
        for name in ["colour", "coloring", "colours"] {
            offer(&bot, name, 1).await;
        }
        app.server.index().await;
        assert_eq!(found(&app, "colouring").await, ["bot/colour stem colour", "bot/colours stem colours"]);
        let near = found(&app, "colourign").await;
        assert_eq!(near, ["bot/coloring near coloring"], "two letters away at most");
        let far = app.anonymous.bots().discover("colour").max_price(0);
        assert!(all_items(far).await.is_empty(), "a filter holds on each rung");
    }

    async fn better_matches_come_first_and_pages_go_on_below(app: TestApp) {
        let [tags, stem, word, synonym, description] =
            app.agents(["tags", "stem", "word", "synonym", "description"]).await;
        let tagged = tags.client.services().create("x", "does it", 1).tags(vec!["invoice".into()]);
        tagged.await.unwrap();
        offer(&stem, "invoicing", 1).await;
        offer(&word, "my invoice", 1).await;
        offer(&synonym, "bill", 1).await;
        description.client.services().create("y", "writes an invoice", 1).await.unwrap();
        app.server.index().await;
        let expected = [
            "word/my invoice exact invoice",
            "tags/x exact invoice",
            "description/y exact invoice",
            "stem/invoicing stem invoicing",
            "synonym/bill synonym bill",
        ];
        assert_eq!(found(&app, "invoice").await, expected);
        offer(&tags, "invoicd", 1).await;
        offer(&stem, "invoicex", 1).await;
        app.server.index().await;
        let near = found(&app, "invoicf").await;
        assert_eq!(near.len(), 5, "{near:?}");
        assert!(near.iter().all(|line| line.contains(" near ")), "{near:?}");
    }

    async fn words_follow_what_their_service_says(app: TestApp) {
        let [one, two] = app.agents(["one", "two"]).await;
        let first = offer(&one, "gardening", 1).await;
        let second = offer(&two, "gardening", 1).await;
        app.server.index().await;
        assert_eq!(found(&app, "gardenign").await.len(), 2);
        one.client.services().update(&first).name("cooking").await.unwrap();
        app.server.index().await;
        assert_eq!(found(&app, "gardenign").await, ["two/gardening near gardening"]);
        assert_eq!(found(&app, "cook").await, ["one/cooking exact cooking"]);
        two.client.services().update(&second).active(false).await.unwrap();
        assert_eq!(found(&app, "gardenign").await, [""; 0]);
        one.client.services().delete(&first).await.unwrap();
        two.client.services().delete(&second).await.unwrap();
        app.server.index().await;
        assert_eq!(grams(&app).await, 0, "no service has any word");
    }

    async fn any_term_is_answered(app: TestApp) {
        bots(&app).await;
        let many = "word ".repeat(20);
        let long = "tranlsat".repeat(12);
        let wide = "\u{1f600}".repeat(100);
        for term in [&*many, &long, &wide, "%", "_", "a b c d e f g h i", "日本語", "*", "' or 1=1", "\\"] {
            let call = app.anonymous.bots().discover(term.trim()).page();
            call.await.unwrap_or_else(|error| panic!("{term}: {error}"));
        }
        assert_eq!(found(&app, "a form counts words the of a b").await, [""; 0]);
        assert_eq!(found(&app, "of the words counts").await, ["three/Word counter exact counts"]);
    }

    async fn bots_are_filtered_by_category_and_language(app: TestApp) {
        let [one, two, three] = app.agents(["one", "two", "three"]).await;
        let services = |bot: &Member| bot.client.services().create("work", "works", 1);
        let one = services(&one).category(ServiceCategory::Translation);
        one.languages(vec!["de".into(), "pt-BR".into()]).await.unwrap();
        services(&two).languages(vec!["de-AT".into()]).await.unwrap();
        services(&three).await.unwrap();
        let names = async |query: &str| {
            let found = answer(app.raw(Method::GET, &format!("/v1/bots/discover?{query}"))).await;
            let found = found.json();
            let bots = found["bots"].as_array().unwrap().iter();
            bots.map(|bot| bot["username"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("category=translation").await, ["one"]);
        assert_eq!(names("category=other").await, ["two", "three"]);
        assert_eq!(names("category=fun").await, [""; 0]);
        assert_eq!(names("language=de").await, ["one", "two"]);
        assert_eq!(names("language=DE-at").await, ["two"]);
        assert_eq!(names("language=pt").await, ["one"]);
        assert_eq!(names("language=en").await, [""; 0]);
        assert_eq!(names("service=work&category=translation").await, ["one"]);
        assert_eq!(names("service=work&language=de").await, ["one", "two"]);
        for wrong in ["category=cooking", "language=%25%25", "language=x", "maxAnswerSeconds=-1", "sort=best"] {
            let refused = code_of(app.raw(Method::GET, &format!("/v1/bots/discover?{wrong}")));
            assert_eq!(refused.await, Code::ValidationFailed, "{wrong}");
        }
    }

    async fn a_cursor_of_misspelt_words_goes_on_with_them(app: TestApp) {
        for name in ["one", "two", "three"] {
            offer(&app.agent(name).await, "painting", 1).await;
        }
        app.server.index().await;
        assert_eq!(found(&app, "paintign").await.len(), 3);
        let call = app.anonymous.bots().discover("paintign").limit(1);
        let cursor = call.clone().page().await.unwrap().next_cursor.unwrap();
        let other = app.anonymous.bots().discover("painting").limit(1).after(cursor.clone());
        assert_eq!(code::<DiscoverBots>(other.await), Code::InvalidCursor);
        let sorted = app.anonymous.bots().discover("paintign").sort(BotSort::Speed).limit(1);
        assert_eq!(code::<DiscoverBots>(sorted.after(cursor).await), Code::InvalidCursor);
    }
}

/// What a term finds where the operator has added synonyms.
async fn found_with(engine: Engine, synonyms: &str) -> Option<Vec<String>> {
    let app = TestApp::start_with(engine, &[("search.synonyms", synonyms)]).await?;
    offer(&app.agent("bot").await, "frobnicate", 1).await;
    app.server.index().await;
    Some(found(&app, "Zorbing").await)
}

#[tokio::test]
async fn an_operator_adds_synonyms() {
    for engine in ENGINES {
        let Some(found) = found_with(engine, "zorb=frobnicate,twiddle").await else { continue };
        assert_eq!(found, ["bot/frobnicate synonym frobnicate"]);
        assert_eq!(found_with(engine, "").await, Some(Vec::new()));
    }
}

#[tokio::test]
async fn both_engines_rank_alike() {
    let mut answers: Vec<Vec<Value>> = Vec::new();
    for engine in ENGINES {
        let Some(app) = TestApp::start_with(engine, &[]).await else { continue };
        bots(&app).await;
        let mut found_here = Vec::new();
        for term in ["words", "sumary", "count", "übersetzen", "artcile", "word form"] {
            found_here.push(json!(found(&app, term).await));
        }
        answers.push(found_here);
    }
    assert!(answers.windows(2).all(|two| two[0] == two[1]), "{answers:?}");
}
