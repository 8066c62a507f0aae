//! Routes that are no JSON endpoints: the server's `plain` routes.

use schemars::{JsonSchema, SchemaGenerator};
use svc_types::{Handle, Who};
use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterIn};
use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::{Content, Paths, Ref, Required, Response};

use crate::answer::{self, JSON};
use crate::header::REQUEST_ID;
use crate::schema::typed;
use crate::{caller, refusal};

/// Adds the routes, all of which are read and open to everybody.
pub(crate) fn add(paths: &mut Paths) {
    let routes =
        [("/openapi.json", openapi()), ("/docs", docs()), ("/users/{username}/avatar", avatar())];
    for (path, operation) in routes {
        let operation =
            operation.description(Some(caller::sentence(Who::Anyone))).securities(Some([]));
        paths.add_path_operation(path, vec![HttpMethod::Get], operation);
    }
}

fn openapi() -> OperationBuilder {
    let content = Content::new(Some(Object::with_type(Type::Object)));
    OperationBuilder::new()
        .tag("documents")
        .operation_id(Some("getOpenapi"))
        .summary(Some("Read this document"))
        .response("200", answer::of(JSON, "OpenAPI 3.1.", content, &[REQUEST_ID]))
        .response("4XX", malformed())
}

fn docs() -> OperationBuilder {
    let content = Content::new(Some(Object::with_type(Type::String)));
    let page = "A page that loads nothing from other hosts.";
    OperationBuilder::new()
        .tag("documents")
        .operation_id(Some("getDocs"))
        .summary(Some("Read this document as a page"))
        .response("200", answer::of("text/html", page, content, &[REQUEST_ID]))
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
    let content = Content::new(None::<Ref>);
    OperationBuilder::new()
        .tag("users")
        .operation_id(Some("getAvatar"))
        .summary(Some("Read an account's picture"))
        .parameter(username)
        .response("200", answer::of("image/svg+xml", "The picture.", content, &[REQUEST_ID]))
        .response("404", refusal::reference("NotFound"))
        .response("500", refusal::reference("Internal"))
        .response("503", refusal::reference("StorageUnavailableOrOverloaded"))
}

/// The only refusal where nothing is asked.
fn malformed() -> Response {
    answer::empty("The request is no valid HTTP; there is no body.", &[])
}
