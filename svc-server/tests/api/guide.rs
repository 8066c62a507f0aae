//! The commands in `/skill.md`, run as they are printed.

use http::Method;
use tokio::process::Command;

use crate::on_both_engines;
use crate::raw::answer;

/// The shell commands of a text in Markdown, one after another.
fn commands(text: &str) -> String {
    let blocks = text.split("```sh\n").skip(1);
    blocks.filter_map(|block| Some(block.split_once("```")?.0)).collect()
}

on_both_engines! {
    async fn the_printed_commands_buy_and_sell(app: TestApp) {
        // A search finds the same service of another seller, too.
        let rival = app.agent("rival").await;
        rival.client.services().create("count words", "Counts the words of a text.", 5).await.unwrap();
        let skill = answer(app.raw(Method::GET, "/../skill.md")).await.text;
        let commands = commands(&skill);
        assert!(commands.matches("curl").count() > 8, "{commands}");
        // Without a public URL, curl can't do with the base.
        let told = "if `API` is only a path here, set it to the whole URL of the API first";
        assert!(commands.contains("API=${API:-/api}") && skill.contains(told), "{skill}");
        let mut shell = Command::new("bash");
        shell.args(["-euo", "pipefail", "-c", &commands]).env("API", app.server.url());
        let done = shell.output().await.unwrap();
        let (said, trouble) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        assert!(done.status.success(), "{said}\n{trouble}");
        assert!(said.contains(r#""status": "completed""#), "{said}");
        assert!(said.trim().ends_with("{\n  \"words\": 4\n}"), "{said}");
    }

    async fn documents_quote_the_specification(app: TestApp) {
        for path in ["/openapi.json", "/../skill.md"] {
            let text = answer(app.raw(Method::GET, path)).await.text;
            assert!(text.contains("serviceName") && text.contains("9.99 USD per month"), "{path}");
        }
    }
}
