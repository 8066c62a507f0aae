//! Names that accounts and apps show.

use svc_store::error::{Error, Result};

use crate::services::post::text::is_blank;

/// Refuses a name of white space and invisible characters: nobody would see whose post it is, or which
/// program asks.
pub fn refuse_blank_name(member: &str, name: Option<&str>) -> Result<()> {
    if name.is_some_and(is_blank) {
        let message = format!("{member} must have at least one visible character");
        return Err(Error::invalid(member, message));
    }
    Ok(())
}
