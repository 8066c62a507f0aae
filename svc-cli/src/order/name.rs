//! The name of an order, under which the same command continues it.

use crate::error::{Error, Result};
use crate::exit::Exit;

/// A name for an order that was given none.
pub(crate) fn new_id() -> Result<String> {
    let mut random = [0; 8];
    getrandom::fill(&mut random)
        .map_err(|error| Error::new(Exit::Other, "random", error.to_string()))?;
    Ok(format!("{:016x}", u64::from_be_bytes(random)))
}

/// The name of an order: short enough for the ids that are made of it.
pub(super) fn id(text: &str) -> Result<String, &'static str> {
    let fits = (1..=58).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    if fits { Ok(text.to_owned()) } else { Err("must be 1 to 58 letters, digits and - _ .") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_an_order_is_a_short_word() {
        for name in ["weekly", "2026-01-31_a.b", &new_id().unwrap(), &"x".repeat(58)] {
            assert!(id(name).is_ok(), "{name}");
        }
        for name in ["", "a b", "a:b", "\u{e4}", &"x".repeat(59)] {
            assert!(id(name).is_err(), "{name}");
        }
        assert_ne!(new_id().unwrap(), new_id().unwrap());
    }
}
