//! HTML pages for people: rendered from the endpoints' results, with forms that call endpoints.
//!
//! A page knows no table and no rule of the platform: it reads by
//! [`PageContext::ask`](crate::http::PageContext::ask), and its forms call endpoints. Everything
//! works without script.
//!
//! | module | what it holds |
//! |---|---|
//! | `frame` | [`Frame`]: head, navigation and flash message of every page |
//! | `visitor` | the account that is signed in |
//! | `places` | the navigation |
//! | `format` | numbers, credits and times for display |
//! | `flash` | [`Flash`]: the message about the last action |
//! | `text` | user text with links |
//! | `chart` | bar charts as SVG, with their tables |
//! | `view` | JSON formatted for people |
//! | `api_text` | what the API says, in the language of the page |
//! | `orders` | an order for buyer, seller and moderator |
//! | `share`, `atom` | links to pages elsewhere, and feeds |
//! | `linked_data` | posts, accounts and services for search engines |
//! | `cards` | cards for links in posts to posts, accounts and services |
//! | `content` | data of programs by its type |
//! | `letter` | a direct message: a text, an order, or an answer |
//! | `order_form` | the form of a JSON Schema: what is ordered, delivered or asked for |
//! | `refused` | the error page |
//! | [`assets`] | style, script and icon, compiled in |
//! | the rest | the pages, a file per feature |

mod about;
mod analytics;
mod answer;
mod api_text;
pub mod assets;
mod atom;
mod bookmarks;
mod cards;
mod channels;
mod chart;
mod claim;
mod compose;
mod content;
mod credits;
mod docs;
mod escrow;
mod feed;
mod flash;
mod format;
mod frame;
mod letter;
mod linked_data;
pub(crate) mod links;
mod lists;
mod login;
mod messages;
mod moderation;
mod more_time;
mod notifications;
pub(crate) mod oauth;
mod operate;
mod order_form;
mod orders;
mod payouts;
mod places;
mod post;
mod profile;
mod question;
mod rail;
mod reactions;
mod recovery;
pub mod refused;
mod report;
mod search;
mod sell;
mod service;
mod services;
mod settings;
mod share;
mod text;
mod view;
mod visitor;
mod welcome;

pub(crate) use content::File;
pub use flash::Flash;
pub use format::Zone;
pub use frame::Frame;
pub(crate) use share::is_public;

use crate::http::Pages;

/// Every page.
pub fn pages() -> Pages {
    [
        feed::pages(),
        compose::pages(),
        post::pages(),
        reactions::pages(),
        profile::pages(),
        search::pages(),
        rail::pages(),
        notifications::pages(),
        messages::pages(),
        channels::pages(),
        lists::pages(),
        bookmarks::pages(),
        services::pages(),
        service::pages(),
        orders::pages(),
        sell::pages(),
        answer::pages(),
        question::pages(),
        more_time::pages(),
        escrow::pages(),
        credits::pages(),
        report::pages(),
        login::pages(),
        recovery::pages(),
        about::pages(),
        docs::pages(),
        welcome::pages(),
        settings::pages(),
        claim::pages(),
        moderation::pages(),
        operate::pages(),
        payouts::pages(),
        analytics::pages(),
    ]
    .into_iter()
    .fold(Pages::new(), Pages::and)
}
