//! The content of a form that was refused: what was submitted, and what is wrong with it.

use svc_store::error::Refusal;
use svc_types::wire::Rejected;
use svc_types::{Code, FieldCode};

use super::{Fields, is_secret_field};

/// Hidden fields, whose problems are shown above the form.
const UNSEEN: [&str; 8] = [
    "price",
    "expectedAmount",
    "deliverableVersion",
    "subject.type",
    "subject.id",
    "reportId",
    "ceremonyId",
    "credential",
];

/// The submitted fields of a refused form.
#[derive(Clone, Debug)]
pub(in crate::http::pages) struct Typed {
    pub(in crate::http::pages) of: &'static str,
    pub(in crate::http::pages) fields: Fields,
    pub(in crate::http::pages) refusal: Option<Refusal>,
    /// Problems of other fields.
    pub(in crate::http::pages) also: Vec<Rejected>,
}

/// The content of a form: empty, or the submitted fields and their problems.
#[derive(Clone, Copy, Debug)]
pub struct Form<'a>(pub(super) Option<&'a Typed>);

impl<'a> Form<'a> {
    /// An empty form.
    pub const EMPTY: Self = Self(None);

    /// The submitted value of a field.
    pub fn value(&self, name: &str) -> &'a str {
        self.or(name, "")
    }

    /// The submitted value of a field, or `before` in a form that was not submitted.
    pub fn or(&self, name: &str, before: &'a str) -> &'a str {
        let Some(typed) = self.0 else { return before };
        let found = typed.fields.iter().rev().find(|(own, _)| own == name);
        found.map_or("", |(_, text)| text)
    }

    /// All submitted values of a field.
    pub fn all(self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let fields = self.0.map(|typed| typed.fields.as_slice()).unwrap_or_default().iter();
        fields.filter(move |(own, _)| own == name).map(|(_, text)| text.as_str())
    }

    /// Whether a field was submitted with this value, for lists of choices.
    pub fn chose(&self, name: &str, text: &str) -> bool {
        self.0.is_some_and(|typed| {
            typed.fields.iter().any(|(own, typed)| own == name && typed == text)
        })
    }

    /// Whether the form was submitted before.
    pub const fn is_typed(&self) -> bool {
        self.0.is_some()
    }

    /// Whether a field was submitted whose value no page repeats.
    pub fn has_secrets(&self) -> bool {
        self.0.is_some_and(|typed| typed.fields.iter().any(|(name, _)| is_secret_field(name)))
    }

    /// The refusal of the form.
    pub fn refusal(&self) -> Option<&'a Refusal> {
        self.0.and_then(|typed| typed.refusal.as_ref())
    }

    /// What is wrong with a field.
    pub fn problem(&self, name: &str) -> Option<FieldProblem<'a>> {
        self.problems().find(|wrong| wrong.is_at(name))
    }

    /// The number of fields marked as wrong. Their messages are shown at the fields only.
    pub fn marked(&self) -> usize {
        self.wrong_fields().len()
    }

    /// Each wrong field that the form shows, and what is wrong with it. They are in the order of the page, in which
    /// browsers send them; what is missing is found after what is wrong.
    pub fn wrong_fields(&self) -> Vec<FieldProblem<'a>> {
        let sent = self.0.map(|typed| typed.fields.as_slice()).unwrap_or_default();
        let shown = self.problems().filter(|wrong| !UNSEEN.contains(&&*wrong.field));
        let mut wrong: Vec<_> = shown.collect();
        wrong.sort_by_key(|wrong| {
            sent.iter().position(|(name, _)| wrong.is_at(name)).unwrap_or(sent.len())
        });
        wrong
    }

    /// What is wrong with each field.
    fn problems(self) -> impl Iterator<Item = FieldProblem<'a>> + use<'a> {
        let refusal = self.refusal();
        let first = refusal.and_then(FieldProblem::of_refusal);
        let others = refusal.into_iter().flat_map(FieldProblem::others_of);
        let also = self.0.map(|typed| typed.also.as_slice()).unwrap_or_default().iter();
        first.into_iter().chain(others).chain(also.filter_map(FieldProblem::of_rejected))
    }
}

/// What is wrong with a field of a form.
#[derive(Clone, Debug)]
pub struct FieldProblem<'a> {
    /// The name of the field.
    pub field: String,
    /// What is wrong and what would be right.
    pub message: &'a str,
    /// What is wrong, for programs.
    pub code: &'a Code,
    /// Whether the field is required, and empty.
    pub is_missing: bool,
    /// Whether the message is in the language of the page.
    pub is_translated: bool,
}

impl<'a> FieldProblem<'a> {
    /// What is wrong with the field that a refusal names.
    pub fn of_refusal(refusal: &'a Refusal) -> Option<Self> {
        let Refusal { message, code, is_translated, .. } = refusal;
        let field = field_of(refusal.field.as_deref()?);
        let is_missing =
            refusal.errors.first().is_some_and(|error| error.code == FieldCode::Missing);
        Some(Self { field, message, code, is_missing, is_translated: *is_translated })
    }

    /// What is wrong with the other fields that a refusal lists.
    fn others_of(refusal: &'a Refusal) -> impl Iterator<Item = Self> {
        let others = refusal.errors.iter();
        let others = others.filter(move |error| Some(&error.field) != refusal.field.as_ref());
        others.map(move |error| Self {
            field: field_of(&error.field),
            message: &error.message,
            code: &refusal.code,
            is_missing: error.code == FieldCode::Missing,
            is_translated: refusal.is_translated,
        })
    }

    /// Whether it is what is wrong with this field, or with a part of it.
    fn is_at(&self, name: &str) -> bool {
        let part = self.field.strip_prefix(name);
        part.is_some_and(|part| part.is_empty() || part.starts_with('.'))
    }

    fn of_rejected(rejected: &'a Rejected) -> Option<Self> {
        let Rejected { message, code, is_missing, .. } = rejected;
        let field = field_of(rejected.field.as_deref()?);
        Some(Self { field, message, code, is_missing: *is_missing, is_translated: false })
    }
}

/// The name of a field by the member of a request.
fn field_of(member: &str) -> String {
    member.trim_start_matches('/').replace('/', ".")
}
