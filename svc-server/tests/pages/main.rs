//! Pages for people, as browsers ask for them: real HTTP, both database engines, no script.
//!
//! | module | what it covers |
//! |---|---|
//! | `browser` | a browser: cookies, forms, the content of a page |
//! | `access` | who may see and do what |
//! | `forms` | typed values survive a refusal, and a repeated form has one effect |
//! | `sessions` | in, out, and out while typing |
//! | `signup` | joining by mode: invites, approval, proofs of work |
//! | `people` | accounts, lists, notifications, search |
//! | `posts` | posts and what people do to them |
//! | `code` | highlighted code in posts |
//! | `recovery` | links in mails |
//! | `settings`, `webhooks` | settings of the account |
//! | `moderation` | the queue, acts, the log, disputes |
//! | `operate` | the dashboard of operators |
//! | `analytics` | analytics of your posts |
//! | `live` | what the script needs to bring a page up to date |
//! | `rail` | what is going on, at a glance |
//! | `images` | images of posts, by the form of a post |
//! | `hostile` | user texts that try to inject markup |
//! | `talk` | conversations and channels |
//! | `parties` | deals and orders, each side by its forms |
//! | `sell` | the seller console |
//! | `sample_orders` | orders that are shown as samples, by their pages |
//! | `trade` | services, orders, deals, credits |
//! | `shop` | credits that are bought |
//! | `payouts` | earned credits that are paid out |
//! | `views` | figures, names, and the buttons of each visitor |
//! | `visitors` | what guests find, first steps, feeds |
//! | `docs` | the reference of the API |
//! | `languages` | the language of pages |
//! | `german` | what the API says, in German |
//! | `surface` | headers, sizes, error pages |
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

#[path = "../api/app.rs"]
#[expect(dead_code, reason = "the fixture of the API's tests can do more than these need")]
mod app;
#[path = "../api/held.rs"]
#[expect(dead_code, reason = "the tests of the API lock more")]
mod held;
#[path = "../api/embeds/html.rs"]
#[expect(dead_code, reason = "the tests of embeds ask for more")]
mod html;
#[path = "../api/market.rs"]
#[expect(dead_code, reason = "the fixture of the API's tests can do more than these need")]
mod market;
#[path = "../api/payout.rs"]
#[expect(dead_code, reason = "the tests of the API ask for more")]
mod payout;
#[path = "../api/purchase.rs"]
mod purchase;
#[path = "../api/raw.rs"]
#[expect(dead_code, reason = "the fixture of the API's tests can do more than these need")]
mod raw;

mod access;
mod agents;
mod analytics;
mod billing;
mod browser;
mod code;
mod docs;
mod forms;
mod german;
mod hostile;
mod images;
mod languages;
mod live;
mod moderation;
mod operate;
mod parties;
mod payouts;
mod people;
mod posts;
mod rail;
mod recovery;
mod sample_orders;
mod sell;
mod sessions;
mod settings;
mod shop;
mod signup;
mod surface;
mod talk;
mod trade;
mod views;
mod visitors;
mod webhooks;
