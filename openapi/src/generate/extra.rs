//! Routes that are not JSON endpoints: the server's `plain` routes.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};
use svc_types::api::connect::ListEvents;
use svc_types::api::export::GetExport;
use svc_types::api::users::{DeleteAvatar, UserEnvelope};
use svc_types::samples;
use svc_types::{Endpoint, Handle, Scopes, Who};
use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, Parameter, ParameterIn};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::schema::{AdditionalProperties, Object, SchemaFormat, Type};
use utoipa::openapi::{Content, Paths, Ref, RefOr, Required, Response};

use crate::generate::answer::{self, JSON};
use crate::generate::header::{CONSISTENCY, ETAG, REQUEST_ID};
use crate::generate::schema::typed;
use crate::generate::{caller, code, example, header, refusal, schema};

/// What the page of the documentation looks like.
const DOCS_PAGE: &str = "<!doctype html><html lang=\"en\"><title>svc API</title></html>";

/// What the event stream looks like.
const EVENT: &str = "id: 42\nevent: follow\ndata: {\"id\":\"evt_01kdya0svee4hr04hmasw9nf6y\",\"seq\":42,\
                     \"event\":\"follow\",\"timestamp\":\"2026-01-31T09:30:00.000Z\",\
                     \"data\":{\"actorId\":\"usr_01kdvr6cseehb824hmasw9nf6z\",\"actorUsername\":\"ada\"}}\n\n";

/// Adds the routes.
pub(crate) fn add(paths: &mut Paths) {
    let read = HttpMethod::Get;
    let open = [
        ("/openapi.json", openapi()),
        ("/asyncapi.json", asyncapi()),
        ("/docs", docs()),
        ("/users/{username}/avatar", avatar()),
    ];
    for (path, operation) in open {
        paths.add_path_operation(
            path,
            vec![read.clone()],
            called_by(operation, Who::Anyone, Scopes::NONE),
        );
    }
    let stream = stream(paths);
    paths.add_path_operation("/v1/connect/stream", vec![read], stream);
    let export = export(paths);
    paths.add_path_operation("/users/me/export/file", vec![HttpMethod::Get], export);
    add_avatar(paths);
}

/// Adds the uploads of an avatar.
fn add_avatar(paths: &mut Paths) {
    let path = "/users/me/avatar";
    let called = |upload| called_by(upload, Who::Account, DeleteAvatar::SCOPES);
    let mut put = called(upload("putAvatar", forbidden(paths))).build();
    put.extensions = Some(code::of_form(path, &["-X PUT", "-F file=@avatar.png"]));
    paths.add_path_operation(path, vec![HttpMethod::Put], put);
    let post = called(upload("postAvatar", forbidden(paths)));
    let post = post.parameter_ref(header::idempotency_key());
    let conflict = refusal::reference("IdempotencyConflictOrIdempotencyInProgress");
    let mut post = post.response("409", conflict).build();
    post.extensions = Some(code::of_form(path, &["-F file=@avatar.png"]));
    paths.add_path_operation(path, vec![HttpMethod::Post], post);
}

/// An operation with a sentence on who may call it.
fn called_by(operation: OperationBuilder, who: Who, scopes: Scopes) -> OperationBuilder {
    let operation = operation.description(Some(caller::sentence(who, scopes)));
    operation.securities(Some(caller::requirements(who, scopes)))
}

fn openapi() -> OperationBuilder {
    let content = any_object(json!({ "openapi": "3.1.0" }));
    OperationBuilder::new()
        .tag("documents")
        .operation_id(Some("getOpenapi"))
        .summary(Some("Get the OpenAPI document"))
        .response("200", answer::of(JSON, "OpenAPI 3.1.", content, &[REQUEST_ID, ETAG]))
        .response("304", unchanged())
        .response("4XX", malformed())
}

fn asyncapi() -> OperationBuilder {
    let content = any_object(json!({ "asyncapi": "3.0.0" }));
    OperationBuilder::new()
        .tag("documents")
        .operation_id(Some("getAsyncapi"))
        .summary(Some("Get the AsyncAPI document: topics and webhooks"))
        .response("200", answer::of(JSON, "AsyncAPI 3.0.", content, &[REQUEST_ID, ETAG]))
        .response("304", unchanged())
        .response("4XX", malformed())
}

fn docs() -> OperationBuilder {
    let page = "A page that loads nothing from other hosts.";
    OperationBuilder::new()
        .tag("documents")
        .operation_id(Some("getDocs"))
        .summary(Some("Get the API documentation as a page"))
        .response(
            "200",
            answer::of(answer::HTML, page, answer::text(DOCS_PAGE), &[REQUEST_ID, ETAG]),
        )
        .response("304", unchanged())
        .response("308", answer::empty("The page is at `/docs/`.", &[REQUEST_ID]))
        .response("4XX", malformed())
}

fn avatar() -> OperationBuilder {
    let handle = Handle::json_schema(&mut SchemaGenerator::default());
    let username = Parameter::builder()
        .name("username")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some("Username, ignoring case, or user id."))
        .schema(Some(typed(handle.into())));
    let version = Parameter::builder()
        .name("v")
        .parameter_in(ParameterIn::Query)
        .description(Some(
            "Version of the avatar, as in the account's `avatar`; the response may then be cached.",
        ))
        .schema(Some(Object::builder().schema_type(Type::String).max_length(Some(64))));
    let content = || Content::new(None::<Ref>);
    let mut picture = answer::of("image/png", "The image.", content(), &[REQUEST_ID]);
    for drawn in ["image/jpeg", "image/svg+xml"] {
        picture.content.insert(drawn.to_owned(), content().into());
    }
    OperationBuilder::new()
        .tag("users")
        .operation_id(Some("getAvatar"))
        .summary(Some("Get the avatar of an account"))
        .parameter(username)
        .parameter(version)
        .response("200", picture)
        .response(
            "304",
            answer::empty("The avatar is the one named by If-None-Match.", &[REQUEST_ID]),
        )
        .response("404", refusal::reference("NotFound"))
        .response("500", refusal::reference("Internal"))
        .response("503", refusal::reference("StorageUnavailableOrOverloaded"))
}

/// The operation that reads an endpoint, without its code samples.
pub(crate) fn like(paths: &Paths, endpoint: &str) -> Operation {
    let operation = paths.paths.get(endpoint).and_then(|item| item.get.clone());
    let mut operation = operation.expect("it is an endpoint");
    operation.extensions = None;
    operation
}

/// The event stream. Its parameters, callers and errors are those of the event list.
fn stream(paths: &Paths) -> Operation {
    let mut stream = like(paths, ListEvents::PATH);
    stream.operation_id = Some("streamEvents".to_owned());
    stream.summary = Some("Stream your events as server-sent events".to_owned());
    let details = "Each event has its number as `id`, its kind as `event`, and as `data` what the \
        list answers of it. Without `after` the stream begins with what happens from now on. It \
        ends with the credential, and while the account is suspended there is none \
        (403 `account_suspended`); connect again with the last number seen. A comment line comes \
        at the start and every 15 seconds; an `id` with it is the number to resume from, which browsers \
        remember. When a message appears in one of `channels` or is deleted there, an event \
        `channel_changed` without an id has `{\"channelId\": \"chan_…\"}` as `data`; read the channel's messages.";
    stream.description =
        Some(format!("{details}\n\n{}", caller::sentence(Who::Account, ListEvents::SCOPES)));
    let parameters = stream.parameters.get_or_insert_default();
    parameters.retain(|parameter| !matches!(parameter, RefOr::T(known) if known.name == "limit"));
    let after = parameters.iter_mut().find_map(|parameter| match parameter {
        RefOr::T(known) if known.name == "after" => Some(known),
        _ => None,
    });
    let from = "Only events with a higher number; only new events when omitted.";
    after.expect("the list goes on from a number").description = Some(from.to_owned());
    parameters.push(channels().into());
    let seen = Object::builder().schema_type(Type::Integer).minimum(Some(0));
    parameters.push(
        Parameter::builder()
            .name("Last-Event-ID")
            .parameter_in(ParameterIn::Header)
            .description(Some(
                "The last number seen, as sent by browsers; takes precedence over `after`.",
            ))
            .schema(Some(seen))
            .build()
            .into(),
    );
    let answers = &mut stream.responses.responses;
    let events = "Events, until the credential becomes invalid or the server stops.";
    let events = answer::of("text/event-stream", events, answer::text(EVENT), &[REQUEST_ID]);
    answers.insert("200".to_owned(), events.into());
    // One of `channels` is unknown.
    answers.insert("404".to_owned(), refusal::reference("NotFound"));
    answers.insert("429".to_owned(), refusal::reference("RateLimited"));
    stream
}

/// Longest list of 50 ids of 64 characters.
const CHANNELS_LENGTH_MAX: usize = 50 * 65 - 1;

/// The parameter of the stream that names channels.
fn channels() -> Parameter {
    Parameter::builder()
        .name("channels")
        .parameter_in(ParameterIn::Query)
        .description(Some(
            "Ids of channels to watch that you can read, with commas between them: at most 50.",
        ))
        .schema(Some(
            Object::builder().schema_type(Type::String).max_length(Some(CHANNELS_LENGTH_MAX)),
        ))
        .build()
}

/// The file of an export. Its callers and errors are those of the export's state.
fn export(paths: &Paths) -> Operation {
    let mut file = like(paths, GetExport::PATH);
    file.operation_id = Some("getExportFile".to_owned());
    file.summary = Some("Download your export".to_owned());
    let details = "A ZIP file: a `.jsonl` file per kind of data, `media/`, and `manifest.json` with \
        the number of records, the size and the SHA-256 sum of each. 404 unless the export is ready.";
    file.description =
        Some(format!("{details}\n\n{}", caller::sentence(Who::Account, GetExport::SCOPES)));
    let content = Content::new(None::<Ref>);
    let archive = answer::of("application/zip", "The file.", content, &[REQUEST_ID]);
    file.responses.responses.insert("200".to_owned(), archive.into());
    file
}

/// Uploads an avatar for the calling account, by either method.
fn upload(name: &str, forbidden: RefOr<Response>) -> OperationBuilder {
    let file = || Object::builder().schema_type(Type::String).format(Some(binary()));
    let form =
        Object::builder().property("file", file().description(Some("The image."))).required("file");
    let content = |schema: Object| Content::new(Some(schema));
    let body = RequestBody::builder()
        .description(Some("PNG, JPEG, WebP or GIF, at most 2 MiB and 4096 × 4096 pixels."))
        .content("application/octet-stream", content(file().build()))
        .content("image/*", content(file().build()))
        .content("multipart/form-data", content(form.build()))
        .required(Some(Required::True));
    let user = schema::reference(&UserEnvelope::schema_name());
    let sample = samples::answer(DeleteAvatar::NAME).map(example::one).unwrap_or_default();
    let mut operation = OperationBuilder::new()
        .tag("users")
        .operation_id(Some(name))
        .summary(Some("Upload your avatar"))
        .request_body(Some(body.build()))
        .response(
            "200",
            answer::json(
                "Your account with its new avatar.",
                user,
                sample,
                &[REQUEST_ID, CONSISTENCY],
            ),
        );
    for (status, name) in [
        ("400", "ValidationFailedOrUnknownParameter"),
        ("401", "Unauthorized"),
        ("413", "PayloadTooLarge"),
        ("429", "RateLimited"),
        ("500", "Internal"),
        ("503", "StorageFullOrStorageUnavailableOrOutcomeUnknownOrOverloaded"),
    ] {
        operation = operation.response(status, refusal::reference(name));
    }
    let refused = refusal::of_type(
        "the body must be a picture, or a form with one",
        "send Content-Type: image/png, image/jpeg, image/webp, image/gif or multipart/form-data",
    );
    operation.response("403", forbidden).response("415", refused)
}

/// Why a change of the account's avatar is forbidden, as the endpoint that removes it declares.
fn forbidden(paths: &Paths) -> RefOr<Response> {
    let removal = paths.paths.get(DeleteAvatar::PATH).and_then(|item| item.delete.as_ref());
    let responses = &removal.expect("the avatar is removed by an endpoint").responses.responses;
    responses["403"].clone()
}

/// An object with arbitrary members, such as these.
fn any_object(sample: Value) -> Content {
    let anything = AdditionalProperties::FreeForm(true);
    let object = Object::builder().schema_type(Type::Object).additional_properties(Some(anything));
    let mut content = Content::new(Some(object.build()));
    content.examples = example::one(sample);
    content
}

/// Arbitrary bytes.
fn binary() -> SchemaFormat {
    SchemaFormat::Custom("binary".to_owned())
}

/// The response to a caller that has the document already.
fn unchanged() -> Response {
    answer::empty("The document is the one named by If-None-Match.", &[REQUEST_ID, ETAG])
}

/// The only error of a route without parameters.
fn malformed() -> Response {
    answer::empty("The request is not valid HTTP; the response has no body.", &[])
}
