//! A service as it stands in the editor's form, and the request that the form makes of it.

use std::fmt::Display;

use serde_json::{Map, Value};
use svc_store::error::Result;
use svc_types::api::services::{
    CheckBotService, CreateBotService, SAMPLES_MAX, Service, ServiceSample, UpdateBotService,
};
use svc_types::wire;

use super::builder::{self, Row, words};
use crate::http::{PageRequest, unchanged};
use crate::pages::view::pretty;

/// The fields that are members of the request as they are.
const PLAIN: [&str; 7] =
    ["username", "name", "description", "priceCredits", "category", "acceptance", "active"];

/// The values of the form.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) price: String,
    pub(super) category: String,
    pub(super) acceptance: String,
    pub(super) tags: String,
    pub(super) languages: String,
    pub(super) active: bool,
    /// What describes requests, and what describes results.
    pub(super) shapes: [Shape; 2],
    /// Requests with their results, as JSON.
    pub(super) samples: Vec<[String; 2]>,
    /// The number of samples from orders, which the form leaves as they are.
    pub(super) of_orders: usize,
    /// What the form showed of a service at first, for its field `shown`.
    pub(super) shown: String,
}

/// The description of an object: by rows, or as a JSON Schema.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// `input` or `output`.
    pub(super) of: &'static str,
    /// The ids of its title and of what it is for.
    pub(super) title: &'static str,
    pub(super) help: &'static str,
    pub(super) by_rows: bool,
    /// The rows by their numbers, and an empty one if there may be more.
    pub(super) rows: Vec<(usize, Row)>,
    pub(super) schema: String,
}

impl Shape {
    const INPUT: [&str; 3] = ["input", "sell-input", "sell-input-about"];
    const OUTPUT: [&str; 3] = ["output", "sell-output", "sell-output-about"];

    fn of([of, title, help]: [&'static str; 3], schema: Option<&Map<String, Value>>) -> Self {
        let rows = schema.map_or_else(|| Some(Vec::new()), Row::all_of);
        let text = schema.map(|schema| pretty(&Value::Object(schema.clone())));
        Self {
            of,
            title,
            help,
            by_rows: rows.is_some(),
            rows: with_empty((1..).zip(rows.unwrap_or_default()).collect()),
            schema: text.unwrap_or_default(),
        }
    }

    fn typed([of, title, help]: [&'static str; 3], request: &PageRequest) -> Self {
        let text =
            |name: &str| request.field(&format!("{of}{name}")).unwrap_or_default().to_owned();
        Self {
            of,
            title,
            help,
            by_rows: text("By") != "schema",
            rows: with_empty(Row::typed(of, request)),
            schema: text("Schema"),
        }
    }

    /// What its fields say: the rows, or the schema.
    fn text(&self) -> String {
        if !self.by_rows {
            return self.schema.clone();
        }
        let texts = self.rows.iter().flat_map(|(_, row)| {
            let required = if row.required { "required" } else { "" };
            let Row { name, kind, choices, help, .. } = row;
            [name.as_str(), kind.as_str(), choices.as_str(), help.as_str(), required]
        });
        texts.collect::<Vec<&str>>().join("\0")
    }

    /// The name of the field with the schema.
    pub(super) fn schema_field(&self) -> String {
        format!("{}Schema", self.of)
    }

    /// The name of a row's field.
    pub(super) fn field(&self, number: impl Display, name: &str) -> String {
        builder::field_name(self.of, number, name)
    }
}

/// Rows, and an empty one if there may be more.
fn with_empty(mut rows: Vec<(usize, Row)>) -> Vec<(usize, Row)> {
    let next = rows.last().map_or(1, |(number, _)| number + 1);
    if next <= builder::ROWS_MAX {
        rows.push((next, Row::default()));
    }
    rows
}

impl Draft {
    /// The draft of a service that is not offered yet.
    pub(super) fn empty() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            price: String::new(),
            category: String::new(),
            acceptance: String::new(),
            tags: String::new(),
            languages: String::new(),
            active: true,
            shapes: [Shape::of(Shape::INPUT, None), Shape::of(Shape::OUTPUT, None)],
            samples: Vec::new(),
            of_orders: 0,
            shown: String::new(),
        }
    }

    /// The service as it is.
    pub(super) fn of(service: &Service) -> Self {
        let json = |object: &Map<String, Value>| pretty(&Value::Object(object.clone()));
        let sample = |sample: &ServiceSample| [json(&sample.input), json(&sample.output)];
        let own = service.samples.iter().filter(|sample| sample.order_id.is_none());
        let draft = Self {
            name: service.name.clone(),
            description: service.description.clone(),
            price: service.price_credits.to_string(),
            category: service.category.to_string(),
            acceptance: service.acceptance.to_string(),
            tags: service.tags.join(", "),
            languages: service.languages.join(", "),
            active: service.active,
            shapes: [
                Shape::of(Shape::INPUT, service.input_schema.as_ref()),
                Shape::of(Shape::OUTPUT, service.output_schema.as_ref()),
            ],
            samples: own.map(sample).collect(),
            of_orders: of_orders(service).count(),
            shown: String::new(),
        };
        Self { shown: unchanged::of(draft.members()), ..draft }
    }

    /// What was typed, for a service or a new one.
    pub(super) fn typed(request: &PageRequest, service: Option<&Service>) -> Self {
        let text = |name: &str| request.field(name).unwrap_or_default().to_owned();
        Self {
            name: text("name"),
            description: text("description"),
            price: text("priceCredits"),
            category: text("category"),
            acceptance: text("acceptance"),
            tags: text("tagList"),
            languages: text("languageList"),
            active: text("active") == "true",
            shapes: [Shape::typed(Shape::INPUT, request), Shape::typed(Shape::OUTPUT, request)],
            samples: typed_samples(request),
            of_orders: service.map_or(0, |service| of_orders(service).count()),
            shown: text(unchanged::FIELD),
        }
    }

    /// The members of a change, each with what its fields say.
    fn members(&self) -> [(&'static str, String); 11] {
        let [input, output] = &self.shapes;
        [
            ("name", self.name.clone()),
            ("description", self.description.clone()),
            ("priceCredits", self.price.clone()),
            ("inputSchema", input.text()),
            ("outputSchema", output.text()),
            ("tags", self.tags.clone()),
            ("active", self.active.to_string()),
            ("acceptance", self.acceptance.clone()),
            ("category", self.category.clone()),
            ("languages", self.languages.clone()),
            ("samples", self.samples.concat().join("\0")),
        ]
    }

    /// The fields of each sample: those there are, and an empty one if there may be more.
    pub(super) fn sample_fields(&self) -> Vec<[SampleField; 2]> {
        let is_full = self.samples.len() + self.of_orders >= SAMPLES_MAX;
        let empty = (!is_full).then(Default::default);
        let samples = self.samples.iter().cloned().chain(empty).enumerate();
        samples.map(|(number, texts)| SampleField::pair(number, texts)).collect()
    }
}

/// A field of a sample.
#[derive(Clone, Debug)]
pub(super) struct SampleField {
    /// The id of its label, which takes the number.
    pub(super) label: &'static str,
    /// The number of its sample, from 1 on.
    pub(super) number: usize,
    pub(super) name: String,
    /// How a refusal names it.
    pub(super) place: String,
    pub(super) text: String,
}

impl SampleField {
    fn pair(number: usize, [input, output]: [String; 2]) -> [Self; 2] {
        let field = |label, part: &str, text| Self {
            label,
            number: number + 1,
            name: format!("sample.{number}.{part}"),
            place: format!("samples.{number}.{part}"),
            text,
        };
        [
            field("sell-sample-request", "input", input),
            field("sell-sample-result", "output", output),
        ]
    }
}

/// The samples of a service that are orders.
pub(super) fn of_orders(service: &Service) -> impl Iterator<Item = &ServiceSample> {
    service.samples.iter().filter(|sample| sample.order_id.is_some())
}

/// Samples of which something was typed.
fn typed_samples(request: &PageRequest) -> Vec<[String; 2]> {
    let sample = |number: usize| {
        ["input", "output"].map(|part| {
            request.field(&format!("sample.{number}.{part}")).unwrap_or_default().to_owned()
        })
    };
    let samples = (0..SAMPLES_MAX).map(sample);
    samples.filter(|sample| sample.iter().any(|text| !text.is_empty())).collect()
}

/// The service that the form describes.
pub(super) fn read(request: &PageRequest) -> Result<CreateBotService> {
    let plain = |name: &str| Some((name.to_owned(), request.field(name)?.to_owned()));
    let list = |name: &'static str, typed: &str| -> Vec<(String, String)> {
        let typed = once(words(request.field(typed).unwrap_or_default()));
        typed.into_iter().map(|word| (name.to_owned(), word.to_owned())).collect()
    };
    let mut fields: Vec<_> = PLAIN.into_iter().filter_map(plain).collect();
    fields.extend(list("tags", "tagList"));
    fields.extend(list("languages", "languageList"));
    let mut service: CreateBotService = wire::decode_form(&fields)?;
    service.active = Some(request.field("active") == Some("true"));
    service.input_schema = Some(schema("input", request)?);
    service.output_schema = Some(schema("output", request)?);
    service.samples = Some(samples(request)?);
    Ok(service)
}

/// Words without those that were typed before, as the platform stores them.
fn once<'t>(typed: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut known: Vec<&str> = Vec::new();
    for word in typed {
        if !known.contains(&word) {
            known.push(word);
        }
    }
    known
}

/// The schema that was chosen: that of the rows, or the one that was typed.
fn schema(of: &str, request: &PageRequest) -> Result<Map<String, Value>> {
    if request.field(&format!("{of}By")) != Some("schema") {
        return builder::read(of, request);
    }
    let field = format!("{of}Schema");
    match request.field(&field) {
        Some(text) => object(request, &field, text),
        None => Ok(Map::new()),
    }
}

fn samples(request: &PageRequest) -> Result<Vec<ServiceSample>> {
    let sample = |(number, [input, output]): (usize, [String; 2])| {
        let input = object(request, &format!("/samples/{number}/input"), &input)?;
        let output = object(request, &format!("/samples/{number}/output"), &output)?;
        Ok(ServiceSample::new(input, output))
    };
    typed_samples(request).into_iter().enumerate().map(sample).collect()
}

/// A JSON object in a field, or where it stops being one.
fn object(request: &PageRequest, field: &str, text: &str) -> Result<Map<String, Value>> {
    let wrong = |error: serde_json::Error| {
        let message = request.t("sell-json-object").with("line", error.line());
        request.wrong(field, message.with("column", error.column()))
    };
    serde_json::from_str(text).map_err(wrong)
}

/// The same as a change of a service, which names only what the person changed.
pub(super) fn changed(request: &PageRequest) -> Result<UpdateBotService> {
    let service = read(request)?;
    let members = Draft::typed(request, None).members().into_iter();
    let changed = members.filter(|(name, text)| !request.showed(name, text));
    let changed: Vec<&str> = changed.map(|(name, _)| name).collect();
    let is_changed = |name| changed.contains(&name);
    Ok(UpdateBotService {
        username: service.username,
        service_id: request.field("serviceId").unwrap_or_default().into(),
        name: Some(service.name).filter(|_| is_changed("name")),
        description: Some(service.description).filter(|_| is_changed("description")),
        price_credits: Some(service.price_credits).filter(|_| is_changed("priceCredits")),
        input_schema: service.input_schema.filter(|_| is_changed("inputSchema")),
        output_schema: service.output_schema.filter(|_| is_changed("outputSchema")),
        tags: is_changed("tags").then(|| service.tags.unwrap_or_default()),
        active: service.active.filter(|_| is_changed("active")),
        acceptance: service.acceptance.filter(|_| is_changed("acceptance")),
        category: service.category.filter(|_| is_changed("category")),
        languages: is_changed("languages").then(|| service.languages.unwrap_or_default()),
        samples: service.samples.filter(|_| is_changed("samples")),
    })
}

/// The same to be checked.
pub(super) fn checked(request: &PageRequest) -> Result<CheckBotService> {
    let service = read(request)?;
    Ok(CheckBotService {
        username: service.username,
        service_id: request.field("serviceId").map(Into::into),
        name: service.name,
        description: service.description,
        price_credits: service.price_credits,
        input_schema: service.input_schema,
        output_schema: service.output_schema,
        tags: service.tags,
        languages: service.languages,
        samples: service.samples,
    })
}
