//! Amounts of money: whole numbers of the smallest unit of a currency, such as cents.

/// The currency of payments in tokens by x402.
pub const TOKEN: &str = "usdc";

/// Decimals of that currency.
pub const TOKEN_DECIMALS: u32 = 6;

/// Currencies without smaller units, as Stripe counts them.
const WHOLE: [&str; 16] = [
    "bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "ugx", "vnd", "vuv",
    "xaf", "xof", "xpf",
];

/// Decimals of amounts in a currency, which is written in lower case.
pub fn decimals(currency: &str) -> u32 {
    match currency {
        TOKEN => TOKEN_DECIMALS,
        _ if WHOLE.contains(&currency) => 0,
        _ => 2,
    }
}

/// An amount in the usual unit of its currency, without its name: `12.50`. Cents are always shown,
/// smaller digits only if they are not zero.
pub fn digits(amount: i64, decimals: u32) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    let (amount, unit) = (amount.unsigned_abs(), 10_u64.saturating_pow(decimals));
    let mut fraction = match decimals {
        0 => String::new(),
        _ => format!(".{:0width$}", amount % unit, width = decimals as usize),
    };
    while fraction.len() > 3 && fraction.ends_with('0') {
        fraction.pop();
    }
    format!("{sign}{}{fraction}", amount / unit)
}

/// An amount with its currency, which is written in lower case: `12.50 USD`.
pub fn in_words(amount: i64, currency: &str) -> String {
    format!("{} {}", digits(amount, decimals(currency)), currency.to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_shown_in_the_usual_unit_of_their_currency() {
        for (amount, currency, shown) in [
            (80, "usd", "0.80 USD"),
            (-1_367, "usd", "-13.67 USD"),
            (0, "eur", "0.00 EUR"),
            (500, "jpy", "500 JPY"),
            (5_000_000, "usdc", "5.00 USDC"),
            (-10_001, "usdc", "-0.010001 USDC"),
            (i64::MIN, "usd", "-92233720368547758.08 USD"),
        ] {
            assert_eq!(in_words(amount, currency), shown);
        }
    }
}
