//! `svc codegen`: types of the services of a bot, for programs that order them.
//!
//! [`model`] reads the JSON Schemas of the services, and a printer for each language writes what it
//! found. What a schema says beyond that, and what this does not understand, is a JSON value.

mod model;
mod names;
mod python;
mod rust;
mod typescript;

use clap::{Args, ValueEnum};
use serde_json::json;
use svc_client::types::api::bots::{Capability, GetCapabilities};

use self::model::{Declarations, Service};
use crate::error::Result;
use crate::output;
use crate::settings::Settings;

/// Flags of `svc codegen`.
#[derive(Clone, Debug, Args)]
pub(crate) struct CodegenFlags {
    /// The bot.
    user: String,
    /// The language.
    #[arg(long, value_name = "LANGUAGE")]
    lang: Language,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    /// Rust, with serde.
    Rust,
    /// TypeScript.
    Ts,
    /// Python, with typed dictionaries.
    Python,
}

/// Prints the types of a bot's services.
pub(crate) async fn codegen(flags: &CodegenFlags, settings: &Settings) -> Result<()> {
    let user = flags.user.strip_prefix('@').unwrap_or(&flags.user);
    let request = GetCapabilities { username: user.into() };
    let offers = settings.caller()?.read(request).await?.value.capabilities;
    let source = source(user, &offers, flags.lang);
    if settings.out.json {
        return settings.out.local(&json!({ "source": source }), &source);
    }
    output::text(&source)
}

fn source(user: &str, offers: &[Capability], language: Language) -> String {
    let mut declarations = Declarations::default();
    let services: Vec<Service> = offers.iter().map(|offer| declarations.add(user, offer)).collect();
    let head = format!("Types of the services of @{user}, printed by `svc codegen {user}`.");
    match language {
        Language::Rust => rust::print(&head, &services, &declarations),
        Language::Ts => typescript::print(&head, &services, &declarations),
        Language::Python => python::print(&head, &services, &declarations),
    }
}

#[cfg(test)]
mod tests;
