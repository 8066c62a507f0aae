//! The editor of a service, with a preview of what buyers see.

use askama::Template;
use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_types::Handle;
use svc_types::api::Deleted;
use svc_types::api::bots::Capability;
use svc_types::api::orders::{ProposeSample, SampleProposal, WithdrawSample};
use svc_types::api::services::{
    Acceptance, CheckBotService, CreateBotService, DeleteBotService, ListBotServices, Service,
    ServiceCategory, ServiceChecked, ServiceEnvelope, UpdateBotService,
};
use svc_types::api::users::{GetUser, User};

use super::builder::KINDS;
use super::draft::{self, Draft};
use super::sample_orders::{self, Row};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::content::Part;
use crate::pages::order_form::Sheet;
use crate::pages::services::CATEGORIES;
use crate::pages::{Flash, Frame, service, view};

const NEW: &str = "/sell/{username}/services";
const NEW_CHECK: &str = "/sell/{username}/services/check";
const PATH: &str = "/sell/{username}/services/{serviceId}";
const CHECK: &str = "/sell/{username}/services/{serviceId}/check";
const WITHDRAW: &str = "/sell/{username}/services/{serviceId}/withdraw";
const PROPOSE: &str = "/sell/{username}/services/{serviceId}/orders/{orderId}/sample";
const TAKE_OFF: &str = "/sell/{username}/services/{serviceId}/orders/{orderId}/sample/withdraw";

/// The pages of the editor.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get(NEW, show)
        .form_by::<CreateBotService>(NEW, show, create, saved)
        .form_shown_by::<CheckBotService>(NEW_CHECK, show, check, preview)
        .get(PATH, show)
        .form_by::<UpdateBotService>(PATH, show, update, saved)
        .form_shown_by::<CheckBotService>(CHECK, show, check, preview)
        .get(WITHDRAW, ask)
        .form::<DeleteBotService>(WITHDRAW, ask, withdrawn)
        .button::<ProposeSample>(PROPOSE, |request, _: &SampleProposal| {
            edited(request).say(Flash::SampleProposed)
        })
        .button::<WithdrawSample>(TAKE_OFF, |request, _: &Deleted| {
            edited(request).say(Flash::SampleWithdrawn)
        })
}

/// The editor of the service that a form is about.
fn edited(request: &PageRequest) -> Done {
    let service = request.field("serviceId").unwrap_or_default();
    Done::to(format!("/sell/{}/services/{service}", agent(request)))
}

// Who may not manage the service is refused before the fields are read.

fn create(context: &mut PageContext<'_>, request: &PageRequest) -> Result<CreateBotService> {
    stored(context, request)?;
    draft::read(request)
}

fn update(context: &mut PageContext<'_>, request: &PageRequest) -> Result<UpdateBotService> {
    stored(context, request)?;
    draft::changed(request)
}

fn check(context: &mut PageContext<'_>, request: &PageRequest) -> Result<CheckBotService> {
    stored(context, request)?;
    draft::checked(request)
}

fn saved(request: &PageRequest, _: &ServiceEnvelope) -> Done {
    super::console(request).say(Flash::Saved)
}

fn withdrawn(request: &PageRequest, _: &Deleted) -> Done {
    super::console(request).say(Flash::ServiceWithdrawn)
}

#[derive(Template)]
#[template(path = "sell/editor.html")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    agent: String,
    /// The service that is changed; none for a new one.
    service: Option<Service>,
    draft: Draft,
    preview: Option<Preview>,
    /// Orders that are samples or may become some.
    orders: Vec<Row>,
    categories: &'static [(ServiceCategory, &'static str)],
    kinds: &'static [(&'static str, &'static str)],
}

impl Page<'_> {
    /// Where the form is sent.
    fn action(&self) -> String {
        match &self.service {
            Some(service) => format!("/sell/{}/services/{}", self.agent, service.id),
            None => format!("/sell/{}/services", self.agent),
        }
    }
}

/// The service as buyers see it.
struct Preview {
    provider: User,
    service: Capability,
    sheet: Sheet,
    form: Form<'static>,
    output: Option<String>,
    samples: Vec<[Vec<Part>; 2]>,
    /// The schema of the request, for sellers who described it by rows.
    input: Option<String>,
}

/// The page: as it is, or as it was sent and refused.
fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let service = stored(context, request)?;
    let form = [
        request.form::<CreateBotService>(),
        request.form::<UpdateBotService>(),
        request.form::<CheckBotService>(),
    ];
    let form = form.into_iter().find(Form::is_typed).unwrap_or(Form::EMPTY);
    let draft = match &service {
        _ if form.is_typed() => Draft::typed(request, service.as_ref()),
        Some(service) => Draft::of(service),
        None => Draft::empty(),
    };
    let shown = service.as_ref().filter(|_| !form.is_typed()).cloned().map(offered);
    page(context, request, form, service, draft, shown)
}

/// The page with what was typed, and a preview of it.
fn preview(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    _: &ServiceChecked,
) -> Result<Html> {
    let service = stored(context, request)?;
    let shown = described(draft::read(request)?, service.as_ref());
    let draft = Draft::typed(request, service.as_ref());
    page(context, request, Form::EMPTY, service, draft, Some(shown))
}

fn page(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    form: Form<'_>,
    service: Option<Service>,
    draft: Draft,
    shown: Option<Capability>,
) -> Result<Html> {
    let title = if service.is_some() { "sell-edit" } else { "sell-new" };
    let preview = shown.map(|shown| Preview::of(context, request, shown)).transpose()?;
    let agent = agent(request);
    let orders = match &service {
        Some(service) => sample_orders::rows(context, request.language, &agent, service)?,
        None => Vec::new(),
    };
    Html::of(&Page {
        frame: Frame::of(context, request, request.t(title))?,
        form,
        agent,
        service,
        draft,
        preview,
        orders,
        categories: &CATEGORIES,
        kinds: &KINDS,
    })
}

fn agent(request: &PageRequest) -> String {
    request.field("username").unwrap_or_default().to_owned()
}

/// The service of the path; none for a new one, 404 for one that the visitor doesn't manage.
fn stored(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Option<Service>> {
    let agent = agent(request);
    if !super::agents(context)?.contains(&agent) {
        return Err(Error::not_found("agent"));
    }
    let Some(id) = request.field("serviceId") else { return Ok(None) };
    let username: Handle = agent.as_str().into();
    let offered = context.ask(&ListBotServices { username })?.services;
    let found = offered.into_iter().find(|service| service.id.as_str() == id);
    found.map(Some).ok_or_else(|| Error::not_found("service"))
}

/// A service of its seller as buyers see it.
fn offered(service: Service) -> Capability {
    Capability {
        id: service.id,
        name: service.name,
        price_credits: service.price_credits,
        rating: service.rating,
        ratings_count: service.ratings_count,
        description: service.description,
        tags: service.tags,
        acceptance: service.acceptance,
        category: service.category,
        languages: service.languages,
        samples: service.samples,
        orders_done: service.orders_done,
        median_answer_seconds: service.median_answer_seconds,
        p95_answer_seconds: service.p95_answer_seconds,
        success_rate: service.success_rate,
        input_schema: service.input_schema,
        output_schema: service.output_schema,
    }
}

/// A described service as buyers will see it, with the figures that it has.
fn described(new: CreateBotService, service: Option<&Service>) -> Capability {
    let some = |schema: Option<Map<String, Value>>| schema.filter(|schema| !schema.is_empty());
    let of_orders = service.into_iter().flat_map(draft::of_orders).cloned();
    Capability {
        id: service.map_or_else(|| "srv_0".into(), |service| service.id.clone()),
        name: new.name.to_string(),
        price_credits: new.price_credits,
        rating: service.map_or(0.0, |service| service.rating),
        ratings_count: service.map_or(0, |service| service.ratings_count),
        description: new.description.to_string(),
        tags: new.tags.unwrap_or_default().iter().map(ToString::to_string).collect(),
        acceptance: new.acceptance.unwrap_or(Acceptance::Implicit),
        category: new.category.unwrap_or(ServiceCategory::Unlisted),
        languages: new.languages.unwrap_or_default().iter().map(ToString::to_string).collect(),
        samples: new.samples.into_iter().flatten().chain(of_orders).collect(),
        orders_done: service.map_or(0, |service| service.orders_done),
        median_answer_seconds: service.and_then(|service| service.median_answer_seconds),
        p95_answer_seconds: service.and_then(|service| service.p95_answer_seconds),
        success_rate: service.and_then(|service| service.success_rate),
        input_schema: some(new.input_schema),
        output_schema: some(new.output_schema),
    }
}

impl Preview {
    fn of(
        context: &mut PageContext<'_>,
        request: &PageRequest,
        service: Capability,
    ) -> Result<Self> {
        let pretty = |schema: &Map<String, Value>| view::pretty(&Value::Object(schema.clone()));
        Ok(Self {
            provider: context.ask(&request.decode::<GetUser>()?)?.user,
            sheet: Sheet::of(request.language, "preview", service.input_schema.as_ref()),
            form: Form::EMPTY,
            output: service.output_schema.as_ref().map(pretty),
            input: service.input_schema.as_ref().map(pretty),
            samples: service::samples(request.language, &service, None),
            service,
        })
    }
}

/// Asks before a service is withdrawn.
#[derive(Template)]
#[template(path = "sell/withdraw.html")]
struct Confirmation<'a> {
    frame: Frame,
    form: Form<'a>,
    agent: String,
    service: Service,
}

fn ask(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let service = stored(context, request)?.ok_or_else(|| Error::not_found("service"))?;
    let frame = Frame::of(context, request, request.t("sell-withdraw-title"))?;
    let form = request.form::<DeleteBotService>();
    Html::of(&Confirmation { frame, form, agent: agent(request), service })
}
