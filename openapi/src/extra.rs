//! Routes that are no JSON endpoints: the server's `plain` routes.

use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder};
use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::{Content, Paths, RefOr, Response};

use crate::header;
use crate::operation::JSON;

/// Adds the routes.
pub(crate) fn add(paths: &mut Paths) {
    let text = Object::with_type(Type::String);
    paths.add_path_operation(
        "/openapi.json",
        vec![HttpMethod::Get],
        open(
            "getOpenapi",
            "Read this document",
            "OpenAPI 3.1.",
            JSON,
            Object::with_type(Type::Object),
        ),
    );
    paths.add_path_operation(
        "/docs",
        vec![HttpMethod::Get],
        open(
            "getDocs",
            "Read this document as a page",
            "A page that loads nothing from other hosts.",
            "text/html",
            text,
        ),
    );
}

/// A route open to everybody that always answers.
fn open(id: &str, summary: &str, description: &str, media_type: &str, body: Object) -> Operation {
    let mut response = Response::new(description);
    response
        .content
        .insert(media_type.to_owned(), Content::new(Some(body)).into());
    let request_id = RefOr::Ref(header::reference(header::REQUEST_ID));
    response
        .headers
        .insert(header::REQUEST_ID.to_owned(), request_id);
    OperationBuilder::new()
        .tag("documents")
        .operation_id(Some(id))
        .summary(Some(summary))
        .description(Some(crate::caller::sentence(svc_types::Who::Anyone)))
        .securities(Some([]))
        .response("200", response)
        .response(
            "4XX",
            Response::new("The request is no valid HTTP; there is no body."),
        )
        .build()
}
