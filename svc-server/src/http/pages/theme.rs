//! The colours of pages: those of the visitor's system, or those that the visitor chose.

/// The word for the colours of the visitor's system.
pub const AUTO: &str = "auto";

/// Colours that a visitor chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// By its name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Light, Self::Dark].into_iter().find(|theme| theme.name() == name)
    }

    /// Its name: the cookie, the form's field and the class of the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}
