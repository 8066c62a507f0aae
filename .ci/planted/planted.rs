//! Which planted fault is on, and which of them a test reaches.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

/// Most faults in code.
const MOST: usize = 60_000;

/// The fault in code that is on; 0 for none.
static ON: LazyLock<u32> =
    LazyLock::new(|| variable("PLANTED").and_then(|text| text.parse().ok()).unwrap_or(0));

/// The statement that is another now, and its text.
static STATEMENT: LazyLock<Option<(String, &'static str)>> = LazyLock::new(|| {
    let text: &str = Box::leak(variable("PLANTED_TO")?.into_boxed_str());
    Some((variable("PLANTED_FROM")?, text))
});

static REACHED: [AtomicBool; MOST] = [const { AtomicBool::new(false) }; MOST];
static STATEMENTS: Mutex<Option<HashSet<&str>>> = Mutex::new(None);

/// Whether what is reached is written down, when the process ends.
static IS_LOGGED: LazyLock<bool> = LazyLock::new(|| {
    unsafe extern "C" {
        fn atexit(function: extern "C" fn()) -> i32;
    }
    let is_logged = variable("PLANTED_LOG").is_some();
    if is_logged {
        // SAFETY: the function does not unwind.
        unsafe { atexit(write) };
    }
    is_logged
});

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

extern "C" fn write() {
    let reached = REACHED.iter().enumerate().filter(|(_, is)| is.load(Ordering::Relaxed));
    let mut text: String = reached.map(|(number, _)| format!("{number}\n")).collect();
    let statements = STATEMENTS.lock().unwrap_or_else(PoisonError::into_inner);
    for statement in statements.iter().flatten() {
        text += &format!("{}\n", statement.replace('\n', "\u{1}"));
    }
    let log = variable("PLANTED_LOG").unwrap_or_default();
    let opened = OpenOptions::new().create(true).append(true).open(log);
    let _ = opened.and_then(|mut file| file.write_all(text.as_bytes()));
}

/// Whether this fault is on.
#[must_use]
pub fn on(number: u32) -> bool {
    if *IS_LOGGED {
        REACHED[number as usize].store(true, Ordering::Relaxed);
    }
    *ON == number
}

/// A condition, negated while this fault is on.
#[must_use]
pub fn flip(number: u32, truth: bool) -> bool {
    on(number) != truth
}

/// The text of a statement as it is now.
#[must_use]
pub fn sql(text: &'static str) -> &'static str {
    if *IS_LOGGED {
        let mut statements = STATEMENTS.lock().unwrap_or_else(PoisonError::into_inner);
        statements.get_or_insert_default().insert(text);
    }
    match &*STATEMENT {
        Some((from, to)) if from == text => to,
        _ => text,
    }
}
