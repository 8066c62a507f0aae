//! `svc search`.

use svc_client::types::api::search::{FoundService, Hit, Search};

use crate::endpoint_command::{EndpointCommand, Given, Table, page};
use crate::hashtags;
use crate::list;
use crate::output::one_line;
use crate::post::Format;
use crate::users;

/// `svc search`.
#[derive(Clone, Debug)]
pub(crate) struct Commands;

impl Table for Commands {
    fn commands() -> Vec<EndpointCommand> {
        vec![page::<Search>("svc search", rows).with_warned()]
    }
}

fn rows(hits: &[Hit], given: &Given<'_>) -> String {
    let format = Format::in_list(given.has("show-warned"));
    let rows = hits.iter().filter_map(|hit| match hit {
        Hit::Post(post) => Some(format!("{}\n", format.one(post))),
        Hit::User(user) => Some(users::rows(std::slice::from_ref(user), "")),
        Hit::Hashtag(hashtag) => Some(hashtags::rows(std::slice::from_ref(hashtag), "")),
        Hit::Service(service) => Some(offer(service)),
        _ => None,
    });
    list::rows(rows, "nothing found").trim_end().to_owned()
}

/// A service as `svc order` names it.
fn offer(service: &FoundService) -> String {
    format!(
        "{}/{}  {}  {}",
        service.provider.username,
        one_line(&service.name),
        service.price_credits.in_words(),
        one_line(&service.description),
    )
}
