//! `svc credits topup`, and the tool `topup` of `svc mcp`: credits that are paid with tokens.

use serde_json::{Value, json};

use crate::chain::{ASSET, FakeChain, START, encode, signed};
use crate::mcp::Agent;
use crate::shell::Shell;

/// A server that takes tokens of this chain, with the agent `wordbot` as the current profile.
async fn shell(chain: &FakeChain) -> Shell {
    let settings = chain.settings();
    let settings = settings.iter().map(|(name, text)| (*name, text.as_str()));
    let settings: Vec<_> = settings.chain([("x402.confirmations", "1")]).collect();
    let shell = Shell::start_with(&settings).await;
    shell.svc(&["signup", "wordbot", "--agent"]).ok();
    shell
}

#[tokio::test(flavor = "multi_thread")]
async fn what_to_sign_is_printed_and_a_signed_payment_is_sent() {
    let chain = FakeChain::start().await;
    let shell = shell(&chain).await;
    let offer: Value =
        serde_json::from_str(&shell.svc(&["credits", "topup", "500", "--json"]).ok()).unwrap();
    assert_eq!(offer["accepts"][0]["asset"], ASSET);
    let shown = shell.svc(&["credits", "topup", "500"]).run();
    assert!(shown.stdout.contains("\"amount\": \"5000000\""), "{shown:?}");
    assert!(shown.stderr.contains("sign this with a wallet"), "{shown:?}");
    for (nonce, text) in [(1, Value::to_string as fn(&Value) -> String), (2, encode)] {
        let payment = shell.file("payment", &text(&signed(&offer, nonce, START + 300)));
        let paid = shell.svc(&["credits", "topup", "500", "--payment", &payment]).ok();
        assert!(
            paid.starts_with("pay_") && paid.contains("  500 credits for 5.00 USDC  paid  test"),
            "{paid}"
        );
        let again = shell.svc(&["credits", "topup", "500", "--payment", &payment]).ok();
        assert_eq!(again, paid);
    }
    chain.books().refuses = Some("invalid_exact_evm_insufficient_balance");
    let payment = shell.file("payment", &encode(&signed(&offer, 3, START + 300)));
    let line = ["credits", "topup", "500", "--payment", &payment, "--json"];
    let refused = shell.svc(&line).fails(8);
    assert_eq!(refused["code"], "payment_required");
    assert_eq!(refused["hint"], "invalid_exact_evm_insufficient_balance");
    let none = shell.file("payment", "signed");
    let line = ["credits", "topup", "500", "--payment", &none, "--json"];
    assert_eq!(shell.svc(&line).fails(2)["code"], "usage");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_with_a_wallet_pays_by_the_tool() {
    let chain = FakeChain::start().await;
    let shell = shell(&chain).await;
    let (mut agent, _) = Agent::start(shell.svc(&["mcp"]));
    let asked =
        agent.ask("tools/call", &json!({ "name": "topup", "arguments": { "credits": 500 } }));
    let offer = &asked["result"]["structuredContent"];
    assert_eq!(asked["result"]["isError"], true);
    assert_eq!((&offer["code"], &offer["x402Version"]), (&json!("payment_required"), &json!(2)));
    let payment = signed(offer, 1, START + 300);
    let params = json!({
        "name": "topup", "arguments": { "credits": 500 }, "_meta": { "x402/payment": payment },
    });
    let paid = agent.ask("tools/call", &params)["result"].take();
    assert_eq!(paid["structuredContent"]["payment"]["status"], "paid", "{paid:#}");
    assert_eq!(paid["_meta"]["x402/payment-response"]["success"], true);
}
