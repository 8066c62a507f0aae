//! Images of posts, which are files.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};
use svc_types::api::media::{AltText, MediaEnvelope};
use svc_types::api::posts::{CreatePost, GetPost};
use svc_types::{Code, Endpoint, MediaId, Who, samples};
use utoipa::openapi::path::{HttpMethod, Operation, Parameter, ParameterIn};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::schema::{Object, SchemaFormat, Type};
use utoipa::openapi::{Content, Paths, Ref, Required};

use crate::generate::answer;
use crate::generate::header::{CONSISTENCY, ETAG, REQUEST_ID};
use crate::generate::refusal::Shared;
use crate::generate::schema::typed;
use crate::generate::{caller, code, example, extra, refusal, schema};

const DETAILS: &str = "\
A PNG, JPEG, WebP or GIF file (its first picture) of at most 8 MiB and 40 megapixels, and what it shows in words. \
The image is stored as a new file without metadata, at most 2048 pixels to a side. Only you can read it until a \
post of yours has it: name its id in `mediaIds`. Without a post it is removed after 24 hours. The images of an \
account take at most 200 MiB.";

const READING: &str = "An image is as visible as its post.";

/// Adds the routes.
pub(crate) fn add(paths: &mut Paths, shared: &mut Shared) {
    let upload = upload(paths, shared);
    paths.add_path_operation("/media", vec![HttpMethod::Post], upload);
    for (path, name, summary) in [
        ("/media/{mediaId}", "getImage", "Get an image of a post"),
        ("/media/{mediaId}/thumb", "getThumbnail", "Get a small version of an image"),
    ] {
        let read = read(paths, name, summary);
        paths.add_path_operation(path, vec![HttpMethod::Get], read);
    }
}

/// The upload. Its callers and most of its errors are those of publishing a post.
fn upload(paths: &Paths, shared: &mut Shared) -> Operation {
    let publish = paths.paths.get(CreatePost::PATH).and_then(|item| item.post.clone());
    let mut upload = publish.expect("posts are published by an endpoint");
    upload.operation_id = Some("uploadImage".to_owned());
    upload.summary = Some("Upload an image for a post".to_owned());
    let callers = caller::sentence(Who::Account, CreatePost::SCOPES);
    upload.description = Some(format!("{DETAILS}\n\n{callers}"));
    let arguments = ["-F alt='A bar chart with four bars'", "-F file=@chart.png"];
    upload.extensions = Some(code::of_form("/media", &arguments));
    upload.request_body = Some(form().into());
    let answers = &mut upload.responses.responses;
    answers.remove("404");
    let image = schema::reference(&MediaEnvelope::schema_name());
    let headers = [REQUEST_ID, CONSISTENCY];
    let stored = answer::json("The image.", image, example::one(sample()), &headers);
    answers.insert("201".to_owned(), stored.into());
    for (status, codes) in [
        ("400", &[Code::ValidationFailed, Code::UnknownParameter, Code::CredentialInContent][..]),
        ("409", &[Code::LimitReached, Code::IdempotencyConflict, Code::IdempotencyInProgress]),
        ("413", &[Code::PayloadTooLarge]),
    ] {
        answers.insert(status.to_owned(), shared.of_route(codes));
    }
    let refused = refusal::of_type(
        "the body must be a form with the fields file and alt",
        "send Content-Type: multipart/form-data",
    );
    answers.insert("415".to_owned(), refused);
    upload
}

fn form() -> RequestBody {
    let binary = SchemaFormat::Custom("binary".to_owned());
    let file = Object::builder()
        .schema_type(Type::String)
        .format(Some(binary))
        .description(Some("The image."));
    let alt = typed(AltText::json_schema(&mut SchemaGenerator::default()).into());
    let form = Object::builder()
        .property("file", file)
        .property("alt", alt)
        .required("file")
        .required("alt");
    RequestBody::builder()
        .content("multipart/form-data", Content::new(Some(form.build())))
        .required(Some(Required::True))
        .build()
}

/// The image of the post in the examples.
fn sample() -> Value {
    let post = samples::answer(CreatePost::NAME).unwrap_or_default();
    json!({ "media": post["post"]["attachments"][0] })
}

/// A route that serves an image. Its callers and errors are those of reading a post.
fn read(paths: &Paths, name: &str, summary: &str) -> Operation {
    let mut read = extra::like(paths, GetPost::PATH);
    read.operation_id = Some(name.to_owned());
    read.summary = Some(summary.to_owned());
    let callers = caller::sentence(Who::Optional, GetPost::SCOPES);
    read.description = Some(format!("{READING}\n\n{callers}"));
    let id = Parameter::builder()
        .name("mediaId")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some("Id of the image."))
        .schema(Some(typed(MediaId::json_schema(&mut SchemaGenerator::default()).into())));
    read.parameters = Some(vec![id.build().into()]);
    let content = || Content::new(None::<Ref>);
    let mut image = answer::of("image/png", "The image.", content(), &[REQUEST_ID, ETAG]);
    image.content.insert("image/jpeg".to_owned(), content().into());
    let unchanged = "The image is the one named by If-None-Match.";
    let answers = &mut read.responses.responses;
    answers.insert("200".to_owned(), image.into());
    answers.insert("304".to_owned(), answer::empty(unchanged, &[REQUEST_ID, ETAG]).into());
    read
}
