//! Orders that go on where they were interrupted, and are paid once.

use std::time::Duration;

use serde_json::{Value, json};
use svc_bot_kit::testing::{Fault, FaultProxy};

use crate::market::Market;
use crate::shell::PASSWORD;

#[tokio::test(flavor = "multi_thread")]
async fn the_same_id_goes_on_instead_of_paying_again() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a", "--max-credits", "5", "--id", "weekly"];
    let placed = market.ada(&line).run().ends_with(0);
    assert!(placed.stdout.ends_with("  service.request count  5 credits  open\n"), "{placed:?}");
    let again = "svc --profile ada order wordbot/count --max-credits 5 --id weekly --wait 1m";
    assert_eq!(placed.stderr, format!("next: {again}\n"));

    let waiting = [&line[..], &["--wait", "1s", "--json"]].concat();
    let over = market.ada(&waiting).fails(9);
    assert_eq!(over["code"], "waiting");
    assert_eq!(over["hint"], again.replace("1m", "1s"));
    let orders = market.orders();
    assert_eq!((orders.len(), market.credits()), (1, (95.into(), 5.into())));

    market.answer(&orders[0], json!({ "status": "completed", "output": { "words": 1 } }));
    // Two days later the server has forgotten every key, but not the message.
    market.shell.server.clock().advance(Duration::from_hours(48));
    let words: Vec<&str> = again.split(' ').skip(1).collect();
    assert_eq!(
        market.shell.svc(&words).ok(),
        "{\n  \"words\": 1\n}\n",
        "the hint is a whole command"
    );
    assert_eq!(market.credits(), (95.into(), 0.into()));
    let differs = [&["order", "wordbot/count", "--text", "b"], &line[4..], &["--json"]].concat();
    let on = "svc --profile ada order wordbot/count --max-credits 5 --id weekly";
    assert_eq!(market.ada(&differs).fails(5)["hint"], format!("{on} continues it, without input"));
    let other = ["order", "wordbot/report", "--max-credits", "60", "--id", "weekly", "--json"];
    assert_eq!(market.ada(&other).fails(5)["code"], "order_exists");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_names_the_command_that_goes_on_and_nothing_is_paid_twice() {
    let market = Market::open().await;
    for lost in ["POST /api/v1/escrow", "POST /api/messages"] {
        let proxy = FaultProxy::start(market.shell.server.url()).await.unwrap();
        proxy.always(lost, Fault::LoseAnswer);
        let line = ["order", "wordbot/report", "--topic", "it's rust", "--max-credits", "60"];
        let line = [&line[..], &["--escrow", "7d", "--id", "one", "--json"]].concat();
        let key = market.shell.key("ada");
        let order = market.shell.svc(&line).env("SVC_URL", proxy.url()).env("SVC_API_KEY", &key);
        let error = order.fails(7);
        assert_eq!(error["idempotencyKey"], Value::Null, "the name of the order is enough");
        let again = "svc order wordbot/report --max-credits 60 --id one --wait 1m --field \
                     'topic=it'\\''s rust' --escrow 7d";
        assert_eq!(error["hint"], again, "{lost}");
    }
    let line = ["order", "wordbot/report", "--max-credits", "60", "--id", "one", "--wait", "1s"];
    market.ada(&[&line[..], &["--json"]].concat()).fails(9);
    assert_eq!((market.orders().len(), market.credits()), (1, (40.into(), 60.into())));
    let escrows = market.ada(&["escrow", "list", "--json"]).json();
    assert_eq!(escrows["escrows"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_by_a_session_is_sent_again_when_its_answer_is_lost() {
    let market = Market::open().await;
    let proxy = FaultProxy::start(market.shell.server.url()).await.unwrap();
    let login = ["login", "ada@example.org", "--password-stdin", "--profile", "session"];
    let login = market.shell.svc(&[&login[..], &["--url", proxy.url()]].concat());
    login.stdin(PASSWORD).ok();
    proxy.next("POST /api/messages", Fault::LoseAnswer);
    let line = ["order", "wordbot/count", "--text=a", "--max-credits", "5"];
    market.shell.svc(&[&line[..], &["--profile", "session"]].concat()).ok();
    assert_eq!(proxy.seen("POST /api/messages"), 2);
    assert_eq!((market.orders().len(), market.credits()), (1, (95.into(), 5.into())));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_with_a_name_goes_on_as_it_was_begun_also_in_a_new_process() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a", "--max-credits", "9", "--id", "n1"];
    // The request gets no further than the escrow would.
    let nowhere = FaultProxy::start(market.shell.server.url()).await.unwrap();
    nowhere.always("POST /api/messages", Fault::LoseRequest);
    let key = market.shell.key("ada");
    let order = market.shell.svc(&[&line[..], &["--json"]].concat());
    order.env("SVC_URL", nowhere.url()).env("SVC_API_KEY", &key).fails(7);
    assert_eq!(market.orders(), Vec::<Value>::new());
    let services = market.bot(&["services", "list"]).ok();
    let id = services.split_whitespace().next().unwrap();
    market.bot(&["services", "update", id, "--price", "8"]).ok();
    let dry = market.ada(&[&line[..], &["--dry-run"]].concat()).ok();
    assert!(dry.starts_with("would pay 5 of 100 credits"), "{dry}");
    market.ada(&line).ok();
    assert_eq!(market.credits(), (95.into(), 5.into()), "a higher price is no higher bill");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_without_a_name_or_a_limit_is_written_down_too() {
    let market = Market::open().await;
    // Those who sign in with a password order by their session.
    market.ada(&["login", "ada", "--password-stdin"]).stdin(PASSWORD).ok();
    market.ada(&["order", "wordbot/count", "--text", "a", "--max-credits", "5"]).ok();
    let files = std::fs::read_dir(market.shell.folder.path()).unwrap();
    let mut names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert!(names.any(|name| name.starts_with("spend-")));
}
