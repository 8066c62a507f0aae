//! Statement texts, checked at compile time.

/// A statement that both engines understand, made by [`sql!`](crate::sql!).
///
/// Its text is part of the program, so no input can become SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sql(&'static str);

impl Sql {
    /// Checks that the parameters first appear as `$1`, `$2`, … without a gap.
    ///
    /// SQLite numbers them by first appearance and PostgreSQL by name; in this order both agree.
    /// [`sql!`](crate::sql!) calls this while compiling.
    ///
    /// # Panics
    /// When they appear in another order, or when a `$` is followed by no number.
    pub const fn checked(text: &'static str) -> Self {
        let bytes = text.as_bytes();
        let mut known = 0;
        let mut at = 0;
        while at < bytes.len() {
            at += 1;
            if bytes[at - 1] == b'$' {
                let (number, end) = number_at(bytes, at);
                assert!(number > 0, "a `$` must be followed by the number of a parameter");
                assert!(
                    number <= known + 1,
                    "parameters must first appear as $1, $2, $3 and so on"
                );
                if number > known {
                    known = number;
                }
                at = end;
            }
        }
        Self(text)
    }

    /// The text as both engines get it.
    pub const fn text(self) -> &'static str {
        self.0
    }

    /// Whether it is there to change rows.
    pub(super) fn is_change(self) -> bool {
        let text = self.0.trim_start();
        let text = text
            .strip_prefix("with")
            .and_then(|text| Some(text.split_once(" as (")?.1))
            .unwrap_or(text);
        ["insert", "update", "delete"].iter().any(|verb| text.starts_with(verb))
    }
}

/// A statement text, checked while compiling. Its parts are literals and constants.
///
/// ```
/// use svc_store::sql;
///
/// let find = sql!("select id from account where username = $1 and status = $2");
///
/// const ACTIVE: &str = "status = 'active'";
/// let count = sql!("select count(*) from account where ", ACTIVE);
/// assert_eq!(count.text(), "select count(*) from account where status = 'active'");
/// ```
/// Parameters that first appear out of order do not compile, because SQLite would mix them up:
/// ```compile_fail
/// let find = svc_store::sql!("select id from account where username = $2 and status = $1");
/// ```
#[macro_export]
macro_rules! sql {
    ($text:expr $(,)?) => {{
        const SQL: $crate::db::Sql = $crate::db::Sql::checked($text);
        SQL
    }};
    ($($part:expr),+ $(,)?) => {
        $crate::sql!($crate::joined!($($part),+))
    };
}

/// Constant texts as one constant. Unlike `concat!`, it takes the names of constants.
#[doc(hidden)]
#[macro_export]
macro_rules! joined {
    ($($part:expr),+ $(,)?) => {{
        const PARTS: &[&str] = &[$($part),+];
        const TEXT: &[u8] = &$crate::db::join::<{ $crate::db::length(PARTS) }>(PARTS);
        match ::core::str::from_utf8(TEXT) {
            Ok(text) => text,
            Err(_) => panic!("texts in UTF-8 are joined at their ends"),
        }
    }};
}

/// The number whose digits begin here, 0 if there are none, and where they end.
pub(super) const fn number_at(text: &[u8], mut at: usize) -> (usize, usize) {
    let mut number = 0;
    while at < text.len() && text[at].is_ascii_digit() {
        number = number * 10 + (text[at] - b'0') as usize;
        at += 1;
    }
    (number, at)
}

/// Bytes of all parts together.
#[doc(hidden)]
pub const fn length(parts: &[&str]) -> usize {
    let (mut length, mut next) = (0, 0);
    while next < parts.len() {
        length += parts[next].len();
        next += 1;
    }
    length
}

/// The bytes of all parts, one after the other.
#[doc(hidden)]
pub const fn join<const LENGTH: usize>(parts: &[&str]) -> [u8; LENGTH] {
    let mut joined = [0; LENGTH];
    let (mut end, mut next) = (0, 0);
    while next < parts.len() {
        let part = parts[next].as_bytes();
        joined.split_at_mut(end).1.split_at_mut(part.len()).0.copy_from_slice(part);
        end += part.len();
        next += 1;
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_may_repeat_and_have_two_digits() {
        let text = "select $1, $2, $1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $10";
        assert_eq!(Sql::checked(text).text(), text);
    }

    #[test]
    fn parts_are_joined_in_their_order() {
        const COLUMNS: &str = "id, 'é'";
        let sql = sql!("select ", COLUMNS, " from post where ", concat!("id", " = $1"), "");
        assert_eq!(sql.text(), "select id, 'é' from post where id = $1");
    }

    #[test]
    fn a_query_is_no_change() {
        const LOCK: &str = "select id from account where id = $1 for update";
        const MERGED: &str = "with change1 as (update post set hot = 1) delete from reaction";
        for query in [LOCK, "with found (doc) as (select 1) select doc from found"] {
            assert!(!Sql::checked(query).is_change(), "{query}");
        }
        for change in [
            "delete from post where id = $1 returning id",
            "\n insert into post values (1)",
            MERGED,
        ] {
            assert!(Sql::checked(change).is_change(), "{change}");
        }
    }

    #[test]
    fn gaps_wrong_orders_and_lone_dollars_are_refused() {
        for text in ["select $2", "select $1, $3", "select $0", "select $", "select $1, $a", "$$"] {
            assert!(std::panic::catch_unwind(|| Sql::checked(text)).is_err(), "{text}");
        }
    }
}
