//! The platform as tools of the Model Context Protocol: one table of tools over any [`Backend`], with its
//! resources and prompts.
//!
//! The table knows no transport and no client. A program that serves it says by its [`Backend`] how an
//! endpoint is called, and what rules apply where credits are spent.

mod backend;
mod brief;
mod introduction;
mod offers;
mod order;
mod prompts;
mod request;
mod resources;
mod schema;
mod table;
mod tool;
mod topup;
mod wider;

pub use backend::Backend;
pub use introduction::introduction;
pub use offers::is_named;
pub use order::{ANSWER, ENDED, GO_ON, Order, OrderResult, OrderTexts, RELEASE, WAIT_MAX};
pub use prompts::{prompt, prompts};
pub use request::unreadable;
pub use resources::{read_resource, resource_error, resource_templates, resources};
pub use table::all;
pub use tool::{Running, Tool, failed};
pub use topup::{TOPUP, Topup, TopupResult, arguments, succeeded, unpaid};
