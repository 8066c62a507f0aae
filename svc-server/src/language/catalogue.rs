//! The texts of each language, compiled in.

use std::borrow::Cow;
use std::sync::LazyLock;

use fluent_bundle::FluentResource;
use fluent_bundle::concurrent::FluentBundle;

use super::Language;

/// The texts of a language.
pub(super) type Catalogue = FluentBundle<FluentResource>;

/// Declares the files of the catalogues: the same in every language.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        /// The files of the English catalogue.
        pub(super) const ENGLISH: &[&str] =
            &[$(include_str!(concat!("../../locales/en/", $name, ".ftl"))),+];

        /// The files of the German catalogue.
        pub(super) const GERMAN: &[&str] =
            &[$(include_str!(concat!("../../locales/de/", $name, ".ftl"))),+];
    };
}

files!("common", "social", "messages", "market", "sell", "account", "settings", "staff", "api");

static CATALOGUES: LazyLock<[Catalogue; 3]> = LazyLock::new(|| {
    [
        catalogue("en", ENGLISH, None),
        catalogue("de", GERMAN, None),
        // The pseudo-languages of tests are made from English, so they share its plurals.
        catalogue("en", ENGLISH, Some(longer)),
    ]
});

/// The texts of a language.
pub(super) fn of(language: Language) -> &'static Catalogue {
    let [english, german, long] = &*CATALOGUES;
    match language {
        Language::English => english,
        Language::German => german,
        Language::PseudoLong | Language::PseudoMirrored => long,
    }
}

/// Changes a part of a text.
type Transform = fn(&str) -> Cow<'_, str>;

fn catalogue(tag: &str, files: &[&str], transform: Option<Transform>) -> Catalogue {
    let mut catalogue = Catalogue::new_concurrent(vec![tag.parse().expect("a valid tag")]);
    // Values of accounts are isolated by elements; marks in the text would be copied with it.
    catalogue.set_use_isolating(false);
    catalogue.set_transform(transform);
    for file in files {
        let resource = FluentResource::try_new((*file).to_owned());
        let resource = resource.unwrap_or_else(|(rest, _)| rest);
        // A test finds malformed and duplicate texts.
        let _ = catalogue.add_resource(resource);
    }
    catalogue
}

fn longer(text: &str) -> Cow<'_, str> {
    fluent_pseudo::transform_dom(text, false, true, false)
}
