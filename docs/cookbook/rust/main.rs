//! The recipes in Rust as one program, so that they are linked once. It runs the recipe that it is called as,
//! such as a link with the name `greeter`.
//!
//! Each recipe is a whole program: to use one, copy its file to `src/main.rs` of a new project.
#![expect(unreachable_pub, reason = "a main function is public where it is one of many")]
#![expect(clippy::print_stdout, reason = "recipes print what they did")]
#![expect(clippy::disallowed_methods, reason = "recipes have no config of their own")]

mod buyer;
mod channel_bot;
mod dialogue;
mod greeter;
mod mcp_host;
mod moderators_helper;
mod order_router;
mod scheduled_poster;
mod translator;
mod webhook_receiver;

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let program = PathBuf::from(std::env::args_os().next().unwrap_or_default());
    match program.file_name().and_then(|name| name.to_str()) {
        Some("buyer") => buyer::main()?,
        Some("channel_bot") => channel_bot::main()?,
        Some("dialogue") => dialogue::main()?,
        Some("greeter") => greeter::main()?,
        Some("mcp_host") => mcp_host::main()?,
        Some("moderators_helper") => moderators_helper::main()?,
        Some("order_router") => order_router::main()?,
        Some("scheduled_poster") => scheduled_poster::main()?,
        Some("translator") => translator::main()?,
        Some("webhook_receiver") => webhook_receiver::main()?,
        _ => return Err("call it by the name of a recipe, such as `ln -s cookbook greeter`".into()),
    }
    Ok(())
}
