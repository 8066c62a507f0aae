//! Exactness of JSON numbers as doubles.

/// Whether a double is exactly the number of its JSON text: the shortest text of the double has the
/// same digits. `1e-400` is read as 0 and is not 0.
pub(super) fn is_exact(text: &str, read: f64) -> bool {
    Decimal::of(text) == Decimal::of(&format!("{read:e}"))
}

/// A number without sign: its digits, and the position of the decimal point from their start. The
/// digits neither start nor end with a zero, so that equal numbers are represented alike.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    is_negative: bool,
    digits: String,
    point: i64,
}

impl Decimal {
    /// Parses a JSON number; `None` if its exponent is unreasonably large.
    fn of(text: &str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent: i64 = exponent.parse().ok()?;
        let (is_negative, mantissa) =
            mantissa.strip_prefix('-').map_or((false, mantissa), |rest| (true, rest));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0');
        let leading = i64::try_from(all.len() - digits.len()).ok()?;
        let digits = digits.trim_end_matches('0').to_owned();
        if digits.is_empty() {
            return Some(Self { is_negative: false, digits, point: 0 });
        }
        let point = i64::try_from(whole.len()).ok()?.checked_sub(leading)?.checked_add(exponent)?;
        Some(Self { is_negative, digits, point })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exact(text: &str) -> bool {
        is_exact(text, text.parse().unwrap())
    }

    #[test]
    fn what_a_double_holds_is_exact() {
        for text in ["0.1", "1.0", "-0.0", "0e9", "25e-1", "2.50", "1E+2", "0.000001", "1e-300"] {
            assert!(exact(text), "{text}");
        }
    }

    #[test]
    fn what_a_double_only_comes_near_is_not() {
        let near = ["1e-400", "-1e-400", "1.00000000000000000001", "0.30000000000000000001"];
        for text in near {
            assert!(!exact(text), "{text}");
        }
        assert!(!is_exact("1e99999999999999999999", 0.0));
    }

    proptest! {
        #[test]
        fn six_decimals_of_a_large_number_are_exact(whole in 0..1_000_000_000_u64, micros in 0..1_000_000_u32) {
            let text = format!("{whole}.{micros:06}");
            prop_assert!(exact(&text), "{}", text);
        }
    }
}
