//! The beginning of a CSV text as a table.

use std::borrow::Borrow;

/// Most rows and columns of a table on a page.
const ROWS_MAX: usize = 200;
const COLUMNS_MAX: usize = 50;

/// The beginning of a table.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::pages) struct Table {
    pub(in crate::pages) head: Vec<String>,
    pub(in crate::pages) rows: Vec<Vec<String>>,
    /// Whether there is more of it.
    pub(in crate::pages) is_cut: bool,
    /// Whether each column holds only numbers.
    numeric: Vec<bool>,
}

impl Table {
    /// Whether a column holds only numbers, whose digits stand below one another.
    pub(in crate::pages) fn is_numeric(&self, column: impl Borrow<usize>) -> bool {
        let column: &usize = column.borrow();
        self.numeric.get(*column) == Some(&true)
    }
}

/// The beginning of a CSV text; `None` without a row.
pub(super) fn table(text: &str) -> Option<Table> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut rows: Vec<Vec<String>> = Vec::new();
    let (mut is_cut, mut record) = (false, csv::StringRecord::new());
    while reader.read_record(&mut record).ok()? {
        if rows.len() > ROWS_MAX {
            is_cut = true;
            break;
        }
        is_cut |= record.len() > COLUMNS_MAX;
        rows.push(record.iter().take(COLUMNS_MAX).map(str::to_owned).collect());
    }
    let mut rows = rows.into_iter();
    let head = rows.next()?;
    let rows: Vec<Vec<String>> = rows.collect();
    let numeric = (0..head.len()).map(|column| is_numeric(&rows, column)).collect();
    Some(Table { head, rows, is_cut, numeric })
}

fn is_numeric(rows: &[Vec<String>], column: usize) -> bool {
    let mut cells = rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty());
    cells.all(|cell| cell.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_tables_are_cut() {
        let wide = table(&"a,".repeat(COLUMNS_MAX + 10)).unwrap();
        assert_eq!((wide.head.len(), wide.is_cut), (COLUMNS_MAX, true));
        let text = "a,b\n".repeat(10_000);
        let table = table(&text).unwrap();
        assert_eq!((table.rows.len(), table.is_cut), (ROWS_MAX, true));
    }
}
