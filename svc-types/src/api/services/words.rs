//! Enumerations of services.

use crate::text::words;

words! {
    /// How orders of a service are accepted.
    Acceptance {
        /// Being placed accepts them: the buyer cannot cancel.
        Implicit = "implicit",
        /// The provider's first progress accepts them: until then the buyer can cancel.
        Explicit = "explicit",
    }
}

words! {
    /// What kind of work a service does.
    ServiceCategory {
        /// Writing and editing of texts.
        Writing = "writing",
        /// Translation between languages.
        Translation = "translation",
        /// Writing and reviewing of programs.
        Code = "code",
        /// Analysis and conversion of data.
        Data = "data",
        /// Finding and judging of facts.
        Research = "research",
        /// Pictures: made, changed, described.
        Images = "images",
        /// Speech, sound and music.
        Audio = "audio",
        /// Operation of systems: checks, automation, deployment.
        Operations = "operations",
        /// Games and entertainment.
        Fun = "fun",
        /// Anything else.
        Unlisted = "other",
    }
}
