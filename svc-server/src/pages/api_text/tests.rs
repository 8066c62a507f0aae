use svc_types::wire::Rejected;

use super::*;

fn german() -> Frame {
    Frame::unknown(Language::German)
}

fn refused(code: Code, message: &str) -> Refusal {
    Refusal::new(code, message)
}

#[test]
fn every_code_has_a_text_in_every_language() {
    // Only its message can say what a member must be.
    for code in Code::ALL.iter().filter(|code| **code != Code::ValidationFailed) {
        let id = format!("error-{}", code.as_str().replace('_', "-"));
        for language in Language::ALL {
            assert!(language.has(&id), "{id} in {language}");
        }
    }
}

#[test]
fn a_page_in_english_shows_what_the_api_says() {
    let frame = Frame::unknown(Language::English);
    let refusal = refused(Code::PriceAboveMax, "the service costs <5> credits").hint("7.5");
    assert_eq!(frame.refusal(&refusal).to_string(), "the service costs &#60;5&#62; credits");
    assert_eq!(frame.problem(&refusal).to_string(), "the service costs &#60;5&#62; credits.");
    assert_eq!(frame.hint(&refusal).unwrap().to_string(), "7.5");
    assert_eq!(
        frame.translated("error", "the service costs 5000 credits").to_string(),
        "the service costs 5,000 credits"
    );
    let price = refused(Code::PriceAboveMax, "the service costs 5000 credits");
    assert_eq!(frame.problem(&price).to_string(), "the service costs 5,000 credits.");
    let back = refused(Code::NotRefundable, "no").hint("1240.5");
    assert_eq!(frame.hint(&back).unwrap().to_string(), "At most 1,240.5 credits.");
}

#[test]
fn a_page_in_english_says_durations_in_words() {
    let frame = Frame::unknown(Language::English);
    let refusal = refused(Code::RateLimited, "at most 5 sign-ups are allowed in 15m");
    let shown = frame.problem(&refusal).to_string();
    assert_eq!(shown, "at most 5 sign-ups are allowed in 15 minutes.");
}

#[test]
fn a_choice_that_is_missing_is_not_explained_by_the_words_of_the_api() {
    let frame = Frame::unknown(Language::English);
    let problem = FieldProblem {
        field: "reason".to_owned(),
        message: "reason is required and must be one of spam, personal_data",
        code: &Code::ValidationFailed,
        is_missing: true,
        is_translated: false,
    };
    assert_eq!(frame.at_field(&problem).to_string(), "This field is required.");
    assert_eq!(frame.in_summary(&problem).to_string(), "Reason: This field is required.");
}

#[test]
fn what_is_said_to_programs_is_said_to_people_in_every_language() {
    let refusal = refused(Code::InvalidCursor, "the cursor is none of this list and filter");
    let refusal = refusal.field("cursor").hint("ask again without a cursor");
    for (language, begin) in [
        (Language::English, "This page of the list no longer exists."),
        (Language::German, "Diese Seite der Liste gibt es nicht mehr."),
    ] {
        let frame = Frame::unknown(language);
        for text in [frame.refusal(&refusal), frame.problem(&refusal)] {
            let text = text.to_string();
            assert!(text.starts_with(begin) && !text.ends_with(".."), "{text}");
        }
        assert_eq!(frame.hint(&refusal), None);
    }
}

#[test]
fn another_page_shows_its_text_for_the_sentence_then_for_the_code_then_english() {
    let told = |code, message| german().refusal(&refused(code, message)).to_string();
    let price = told(Code::PriceAboveMax, "the service costs 1240.5 credits");
    assert_eq!(price, "Der Dienst kostet 1.240,5 Credits.");
    let blocked = told(Code::Blocked, "one of the two accounts blocks the other");
    assert!(blocked.starts_with("Einer von euch hat den anderen blockiert."), "{blocked}");
    let other = told(Code::Other("brand_new".to_owned()), "the moon is < full");
    assert_eq!(other, "<span lang=\"en\">the moon is &#60; full</span>");
    let other = german().problem(&refused(Code::Other("brand_new".to_owned()), "the moon is full"));
    assert_eq!(other.to_string(), "<span lang=\"en\">the moon is full.</span>");
}

#[test]
fn a_hint_is_shown_if_it_says_more_than_the_text_for_the_code() {
    let hint = |code, hint: &str| {
        let refusal = refused(code, "no").hint(hint);
        german().hint(&refusal).map(|hint| hint.0)
    };
    let told = |text: &str| Some(text.to_owned());
    assert_eq!(hint(Code::NotRedeemable, "12.5"), told("Zurzeit höchstens 12,5 Credits."));
    assert_eq!(hint(Code::InvalidCredentials, "sign in again"), told("Melde dich noch einmal an."));
    assert_eq!(hint(Code::WrongState, "funded"), None, "the text for the code says what to do");
    assert_eq!(hint(Code::AmountNotExact, ""), None);
    let unknown = hint(Code::ValidationFailed, "look at the moon");
    assert_eq!(unknown, told("<span lang=\"en\">look at the moon</span>"));
    let english = Frame::unknown(Language::English);
    let ids = refused(Code::OpenObligations, "no").hint("esc_1, msg_2");
    assert_eq!(english.hint(&ids), None, "ids are for programs");
    let state = refused(Code::WrongState, "no").hint("input_required");
    assert_eq!(english.hint(&state), None, "so are names of the API");
    let state = refused(Code::WrongState, "the escrow is released").hint("released");
    assert_eq!(english.hint(&state), None, "nor is a state said twice");
    let time = hint(Code::SlotTaken, "2026-01-31T09:30:00.000Z").unwrap();
    assert!(time.starts_with("Der nächste freie Zeitpunkt ist <time "), "{time}");
}

#[test]
fn what_a_page_says_itself_is_shown_as_it_is() {
    let refusal = refused(Code::VersionMismatch, "Der Preis ist jetzt 5 Credits").hint("Ja?");
    let refusal = refusal.translated();
    assert_eq!(german().refusal(&refusal).to_string(), "Der Preis ist jetzt 5 Credits");
    assert_eq!(german().problem(&refusal).to_string(), "Der Preis ist jetzt 5 Credits.");
    assert_eq!(german().hint(&refusal).unwrap().to_string(), "Ja?");
}

fn problem<'a>(
    field: &str,
    message: &'a str,
    code: &'a Code,
    is_missing: bool,
) -> FieldProblem<'a> {
    let is_translated = false;
    FieldProblem { field: field.to_owned(), message, code, is_missing, is_translated }
}

#[test]
fn a_summary_names_the_fields_that_are_wrong() {
    let code = Code::ValidationFailed;
    let long = problem("displayName", "displayName must be 1 to 64 characters", &code, false);
    assert_eq!(german().at_field(&long).to_string(), "Gib 1 bis 64 Zeichen ein.");
    assert_eq!(german().in_summary(&long).to_string(), "Anzeigename: Gib 1 bis 64 Zeichen ein.");
    let part = problem("tags.2", "tags.2 must be 1 to 32 characters", &code, false);
    assert_eq!(german().in_summary(&part).to_string(), "Tags: Gib 1 bis 32 Zeichen ein.");
    let missing = problem("email", "email is required", &code, true);
    assert_eq!(german().in_summary(&missing).to_string(), "E-Mail: Bitte ausfüllen.");
    let own = problem("input.city", "value is not of type \"integer\"", &code, false);
    assert_eq!(german().in_summary(&own).to_string(), "Gib eine ganze Zahl ein.");
    let english = Frame::unknown(Language::English);
    assert_eq!(english.in_summary(&long).to_string(), "Display name must be 1 to 64 characters");
    let search = refused(Code::ValidationFailed, "q must hold a word to look for").field("q");
    assert_eq!(english.problem(&search).to_string(), "Search must hold a word to look for.");
    let given = problem("username", "username is required and must be a text", &code, false);
    assert_eq!(english.in_summary(&given).to_string(), "username must be a text");
    let empty = problem("username", "username is required and must be a text", &code, true);
    assert_eq!(english.at_field(&empty).to_string(), "username is required and must be a text");
}

/// What the fault of a value under a schema is called in German.
fn fault(schema: &serde_json::Value, value: &serde_json::Value) -> String {
    let schema = svc_types::schema::Schema::new(schema.as_object().unwrap()).unwrap();
    let fault = schema.faults(value).remove(0);
    german().translated("fault", &fault.message).to_string()
}

#[test]
fn faults_under_the_schema_of_a_service_have_texts() {
    use serde_json::json;
    let cases = [
        (json!({ "type": "integer" }), json!("x")),
        (json!({ "type": ["integer", "boolean"] }), json!("x")),
        (json!({ "minLength": 2 }), json!("x")),
        (json!({ "minLength": 1 }), json!("")),
        (json!({ "maxLength": 2 }), json!("xyz")),
        (json!({ "maxLength": 1 }), json!("xyz")),
        (json!({ "pattern": "^a<b$" }), json!("x")),
        (json!({ "enum": ["a", "b", "c", "d"] }), json!("x")),
        (json!({ "const": 7 }), json!("x")),
        (json!({ "minimum": 2 }), json!(1)),
        (json!({ "maximum": 2 }), json!(3)),
        (json!({ "exclusiveMinimum": 2 }), json!(2)),
        (json!({ "exclusiveMaximum": 2 }), json!(2)),
        (json!({ "multipleOf": 2 }), json!(3)),
        (json!({ "minItems": 2 }), json!([1])),
        (json!({ "minItems": 1 }), json!([])),
        (json!({ "maxItems": 2 }), json!([1, 2, 3])),
        (json!({ "maxItems": 1 }), json!([1, 2, 3])),
        (json!({ "uniqueItems": true }), json!([1, 1])),
        (json!({ "contains": { "const": 1 } }), json!([2])),
        (json!({ "prefixItems": [{}], "items": false }), json!([1, 2])),
        (json!({ "required": ["city"] }), json!({})),
        (json!({ "minProperties": 2 }), json!({})),
        (json!({ "maxProperties": 2 }), json!({ "a": 1, "b": 2, "c": 3 })),
        (json!({ "properties": {}, "additionalProperties": false }), json!({ "a": 1 })),
        (json!({ "properties": {}, "additionalProperties": false }), json!({ "a": 1, "b": 2 })),
        (json!({ "anyOf": [{ "const": 1 }, { "const": 2 }] }), json!(3)),
        (json!({ "oneOf": [{ "const": 1 }, { "const": 2 }] }), json!(3)),
        (json!({ "oneOf": [{ "minimum": 1 }, { "minimum": 2 }] }), json!(3)),
    ];
    for (schema, value) in cases {
        let text = fault(&schema, &value);
        assert!(!text.contains("lang=\"en\""), "{schema}: {text}");
    }
    assert_eq!(fault(&json!({ "minLength": 2 }), &json!("x")), "Gib mindestens 2 Zeichen ein.");
    let words = |words: serde_json::Value| fault(&json!({ "enum": words }), &json!("x"));
    assert_eq!(words(json!([1, 2, 3])), "Wähle einen dieser Werte: 1, 2, 3.");
    assert_eq!(words(json!([1, 2, 3, 4])), "Wähle einen dieser Werte: 1, 2, ….");
}

#[test]
fn a_rejected_member_is_what_the_decoder_says() {
    use svc_types::api::auth::Register;
    let fields = [("username", "?"), ("email", "nowhere"), ("password", "short")];
    let fields = fields.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let told = svc_types::wire::form_problems::<Register>(&fields).into_iter().map(|wrong| {
        let Rejected { field, message, code, is_missing, .. } = wrong;
        let field = field.unwrap_or_default();
        german().in_summary(&problem(&field, &message, &code, is_missing)).to_string()
    });
    let told: Vec<String> = told.collect();
    assert!(told[0].starts_with("Benutzername: Gib 3 bis 30 Zeichen"), "{told:?}");
    assert!(told[1].starts_with("E-Mail: Gib eine E-Mail-Adresse ein"), "{told:?}");
    assert_eq!(told[2], "Passwort: Gib 8 bis 128 Zeichen ein.");
    let message = "username must be another name: admin is reserved";
    let code = Code::ValidationFailed;
    let reserved = problem("username", message, &code, false);
    assert_eq!(
        german().in_summary(&reserved).to_string(),
        "Benutzername: Wähle einen anderen Namen: admin ist reserviert."
    );
}
