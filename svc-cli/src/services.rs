//! `svc services`: manage the services of your bot.

use clap::{Args, Subcommand};
use serde_json::{Map, Value};
use svc_client::types::api::services::{
    CreateService, DeleteService, ListServices, Service, UpdateService,
};
use svc_client::types::{Credits, Endpoint, wire};

use crate::endpoint_command::{Commands, EndpointCommand, Table, command};
use crate::error::{Error, Result};
use crate::input;
use crate::list;
use crate::operation::Operation;
use crate::output::one_line;
use crate::settings::Settings;

/// `svc services`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Endpoint(Commands<Services>),
    /// Offer a service described by a file.
    Publish {
        /// JSON with name, description, priceCredits and the optional members; - for stdin.
        #[arg(value_name = "FILE|-")]
        file: String,
    },
    /// Update a service; omitted members keep their value.
    Update(UpdateFlags),
}

/// Flags of `svc services update`.
#[derive(Clone, Debug, Args)]
pub(crate) struct UpdateFlags {
    /// Id of the service: `srv_…`.
    id: String,
    /// The new name.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The new description.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// The new price; 0 is free.
    #[arg(long, value_name = "CREDITS")]
    price: Option<Credits>,
    /// Tags to find it by, separated by commas; empty for none.
    #[arg(long, value_name = "WORDS")]
    tags: Option<String>,
    /// Whether it accepts orders.
    #[arg(long, value_name = "true|false")]
    active: Option<bool>,
    /// All members in a JSON file, as for publish; - for stdin.
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["name", "description", "price", "tags", "active"])]
    input: Option<String>,
}

/// Commands of one request.
#[derive(Clone, Debug)]
pub(crate) struct Services;

impl Table for Services {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            command::<ListServices>("svc services list", |answer, _| {
                list::rows(answer.services.iter().map(row), "no services")
            }),
            command::<DeleteService>("svc services retire", |_, given| {
                format!("retired {}", given.text("serviceId"))
            }),
        ]
    }
}

/// Runs `svc services`.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    match command {
        Command::Endpoint(command) => command.run(settings).await,
        Command::Publish { file } => {
            let request: CreateService = members(&input::object(file)?)?;
            caller.show(request, |answer| row(&answer.service)).await
        }
        Command::Update(flags) => {
            caller.show(flags.request()?, |answer| row(&answer.service)).await
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

/// Decodes a request from a file. Unknown members are refused, since a misspelt one would be
/// ignored otherwise.
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
