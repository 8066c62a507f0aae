//! `svc services`: what your bot offers.

use clap::{Args, Subcommand};
use serde_json::{Map, Value};
use svc_client::types::api::services::{
    CreateService, DeleteService, ListServices, Service, UpdateService,
};
use svc_client::types::{Credits, Endpoint, wire};

use crate::error::{Error, Result};
use crate::help;
use crate::input;
use crate::list;
use crate::operation::Operation;
use crate::output::one_line;
use crate::settings::Settings;

/// `svc services`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// List your services, oldest first.
    List,
    /// Offer a service described by a file.
    Publish {
        /// JSON with name, description, priceCredits, and what else the service has; - for stdin.
        #[arg(value_name = "FILE|-")]
        file: String,
    },
    /// Change a service; what is left out stays as it is.
    Update(UpdateFlags),
    /// Withdraw a service; orders that are open go on.
    #[command(after_help = help::ASKS)]
    Retire {
        /// The service.
        id: String,
    },
}

/// Flags of `svc services update`.
#[derive(Clone, Debug, Args)]
pub(crate) struct UpdateFlags {
    /// The service.
    id: String,
    /// The new name.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// What it does now.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// What it costs now; 0 is free.
    #[arg(long, value_name = "CREDITS")]
    price: Option<Credits>,
    /// Words to find it by, with commas between them; empty for none.
    #[arg(long, value_name = "WORDS")]
    tags: Option<String>,
    /// Whether it can be ordered.
    #[arg(long, value_name = "true|false")]
    active: Option<bool>,
    /// All of it in a file, JSON as for publish; - for stdin.
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["name", "description", "price", "tags", "active"])]
    input: Option<String>,
}

/// Runs `svc services`.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    match command {
        Command::List => {
            caller
                .show(ListServices {}, |answer| {
                    list::rows(answer.services.iter().map(row), "no services")
                })
                .await
        }
        Command::Publish { file } => {
            let request: CreateService = members(&input::object(file)?)?;
            caller.show(request, |answer| row(&answer.service)).await
        }
        Command::Update(flags) => {
            caller.show(flags.request()?, |answer| row(&answer.service)).await
        }
        Command::Retire { id } => {
            let request = DeleteService { service_id: id.as_str().into() };
            caller.show(request, |_| format!("retired {id}")).await
        }
    }
}

impl UpdateFlags {
    fn request(&self) -> Result<UpdateService> {
        let mut given = match &self.input {
            Some(path) => input::object(path)?,
            None => self.members(),
        };
        if given.is_empty() {
            return Err(Error::usage("nothing is to be changed")
                .hint(format!("svc services update {} --price 5", self.id)));
        }
        given.insert("serviceId".to_owned(), self.id.as_str().into());
        members(&given)
    }

    fn members(&self) -> Map<String, Value> {
        let tags = self.tags.as_deref().map(|tags| {
            let tags = tags.split(',').map(str::trim).filter(|tag| !tag.is_empty());
            tags.collect::<Vec<_>>()
        });
        let price = self.price.and_then(|price| serde_json::to_value(price).ok());
        let given = [
            ("name", self.name.as_deref().map(Value::from)),
            ("description", self.description.as_deref().map(Value::from)),
            ("priceCredits", price),
            ("tags", tags.map(Value::from)),
            ("active", self.active.map(Value::from)),
        ];
        let given = given.into_iter();
        given.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}

/// A request out of the members of a file. A member that is not known is refused, since a
/// misspelt one would otherwise be left out without a word.
fn members<E: Endpoint>(members: &Map<String, Value>) -> Result<E> {
    let known = Operation::of::<E>().fields();
    let known: Vec<String> = known.into_iter().map(|field| field.name).collect();
    if let Some(other) = members.keys().find(|name| !known.contains(name)) {
        let message = format!("a service has no member {other}");
        return Err(Error::usage(message).hint(format!("its members: {}", known.join(", "))));
    }
    wire::decode_members(members).map_err(|refused| Error::usage(refused.message))
}

/// A service on one line.
fn row(service: &Service) -> String {
    let state = if service.active { "" } else { "  not active" };
    format!(
        "{}  {}  {}{state}  {}",
        service.id,
        one_line(&service.name),
        service.price_credits.in_words(),
        one_line(&service.description),
    )
}
