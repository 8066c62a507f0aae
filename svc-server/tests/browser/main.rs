//! Pages for people in Chromium, with and without script.
//!
//! | module | what it covers |
//! |---|---|
//! | `driver` | Chromium, through chromedriver |
//! | `tab` | what a person does with a browser |
//! | `film` | strips and sheets of pictures |
//! | `cross_origin` | a page of another origin |
//! | `bot` | a bot that answers meanwhile |
//! | `site`, `inspect`, `all_pages` | every page of a filled server, in several widths and colours |
//! | `tree`, `accessibility` | what assistive technology learns about pages |
//! | `person` | from joining to signing out |
//! | `guest` | from the first page to a result that is paid |
//! | `passkeys` | a device that signs people in |
//! | `programs` | a site that people sign in to |
//! | `links` | an account elsewhere is linked |
//! | `moderator` | reports and disputes |
//! | `operator` | figures of the platform, and the lists behind them |
//! | `talk` | conversations |
//! | `forms` | input is preserved, and has one effect |
//! | `seller` | the editor of a service |
//! | `hostile` | user texts that try to inject markup |
//! | `keyboard` | the keyboard alone |
//! | `live` | live updates of an open page |
//! | `stream` | a stream of posts, and what stands beside it |
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

#[path = "../api/app.rs"]
#[expect(dead_code, reason = "the fixture of the API's tests can do more than these need")]
mod app;
#[path = "../api/foreign.rs"]
mod foreign;
#[path = "../api/market.rs"]
#[expect(dead_code, reason = "the fixture of the API's tests can do more than these need")]
mod market;
#[path = "../api/raw.rs"]
#[expect(dead_code, reason = "the fixture of the API's tests can do more than these need")]
mod raw;
#[path = "../api/receiver.rs"]
#[expect(dead_code, reason = "the fixture of the API's tests can do more than these need")]
mod receiver;

mod accessibility;
mod all_pages;
mod bot;
mod cross_origin;
mod driver;
mod film;
mod forms;
mod guest;
mod hostile;
mod inspect;
mod keyboard;
mod links;
mod live;
mod moderator;
mod operator;
mod passkeys;
mod person;
mod programs;
mod proof;
mod seller;
mod site;
mod stream;
mod tab;
mod talk;
mod tree;

/// The password of everybody.
pub(crate) const PASSWORD: &str = "correct horse";

/// Writes a test once and runs it with script in a wide window, and without on a phone, each with a
/// new server on SQLite; settings may follow the tab.
#[macro_export]
macro_rules! in_a_browser {
    ($(async fn $name:ident(
        $app:ident: TestApp, $tab:ident: Tab $(, $key:literal = $value:literal)*
    ) $body:block)+) => {$(
        async fn $name($app: $crate::app::TestApp, $tab: $crate::tab::Tab) {
            $body
            $tab.film.write(stringify!($name), !$tab.has_script);
        }

        mod $name {
            use svc_server::testing::Engine;

            use $crate::app::TestApp;
            use $crate::tab::Tab;

            async fn start() -> Option<(TestApp, String)> {
                let settings = [$(($key, $value)),*];
                if !$crate::driver::is_installed() {
                    return None;
                }
                let app = TestApp::start_with(Engine::Sqlite, &settings).await?;
                let origin = app.server.url().trim_end_matches("/api").to_owned();
                Some((app, origin))
            }

            #[tokio::test]
            async fn with_script() {
                if let Some((app, origin)) = start().await {
                    super::$name(app, Tab::at(&origin).await).await;
                }
            }

            #[tokio::test]
            async fn without_script() {
                if let Some((app, origin)) = start().await {
                    super::$name(app, Tab::without_script(&origin).await).await;
                }
            }
        }
    )+};
}
