//! A method, and the setters of its call.

use svc_types::endpoint::Member;

use super::endpoint::Described;
use super::exceptions;
use super::text::{LINE_MAX, doc, each, wrapped};
use super::value::{Hidden, Imports, Passed, passed};

/// The method of an endpoint.
pub(crate) fn method(endpoint: &Described, imports: &mut Imports) -> String {
    let declared = &endpoint.declared;
    imports.add_of_feature(declared.feature, declared.name);
    let required = || declared.members.iter().filter(|member| !member.is_optional);
    for member in required().filter(|member| is_named(member)) {
        imports.add(declared.feature, member.value);
    }
    let parameters: Vec<String> = required().map(|member| parameter(member, true)).collect();
    let mut method = doc(&about(endpoint), 4);
    method.push_str(&signature(endpoint, &parameters));
    let fields: Vec<String> = declared.members.iter().map(field).collect();
    let client = if endpoint.group().is_some() { "self.0" } else { "self" };
    method.push_str(&sent(client, declared.name, &fields));
    method.push_str("    }\n");
    method
}

/// Whether the type of a member occurs in its method or setter; a number is passed as it is.
fn is_named(member: &Member) -> bool {
    passed(member.value).0 != Passed::Number
}

fn signature(endpoint: &Described, parameters: &[String]) -> String {
    let (name, request) = (endpoint.method(), endpoint.declared.name);
    let all = each(parameters, |parameter| format!(", {parameter}"));
    let lines = each(parameters, |parameter| format!("        {parameter},\n"));
    fitting([
        format!("    pub fn {name}(&self{all}) -> Call<{request}> {{\n"),
        format!("    pub fn {name}(\n        &self,\n{lines}    ) -> Call<{request}> {{\n"),
    ])
}

/// The body of a method. A request too long for one line becomes a separate statement, because it
/// is hard to predict where rustfmt breaks a chain of calls.
fn sent(client: &str, request: &str, fields: &[String]) -> String {
    let inside = match fields {
        [] => String::new(),
        fields => format!(" {} ", fields.join(", ")),
    };
    let lines = each(fields, |field| format!("            {field},\n"));
    let send = format!("        {client}.send(&request)\n");
    fitting([
        format!("        {client}.send(&{request} {{{inside}}})\n"),
        format!("        let request = {request} {{{inside}}};\n{send}"),
        format!("        let request =\n            {request} {{{inside}}};\n{send}"),
        format!("        let request = {request} {{\n{lines}        }};\n{send}"),
    ])
}

/// The first form whose lines are short enough, otherwise the last.
fn fitting<const N: usize>(forms: [String; N]) -> String {
    let fits = |form: &String| form.lines().all(|line| line.len() <= LINE_MAX);
    let last = forms.last().cloned().unwrap_or_default();
    forms.into_iter().find(fits).unwrap_or(last)
}

/// A member of the request, set from the parameter of the same name.
fn field(member: &Member) -> String {
    let name = member.name;
    if member.is_optional {
        return format!("{name}: None");
    }
    match value(name, passed(member.value).0, "map(Into::into).") {
        given if given == name => given,
        given => format!("{name}: {given}"),
    }
}

/// A parameter as the value of its member.
fn value(name: &str, how: Passed, map: &str) -> String {
    match how {
        Passed::AsItIs => name.to_owned(),
        Passed::Into | Passed::Number => format!("{name}.into()"),
        Passed::Items => format!("{name}.into_iter().{map}collect()"),
        Passed::Commas => format!("CommaList({name}.into_iter().{map}collect())"),
    }
}

/// A member as a parameter. The items of a required list may be anything that becomes one.
fn parameter(member: &Member, is_required: bool) -> String {
    let name = member.name;
    match passed(member.value) {
        (Passed::Into, of) => format!("{name}: impl Into<{of}>"),
        (Passed::AsItIs | Passed::Number, of) => format!("{name}: {of}"),
        (Passed::Items | Passed::Commas, of) if is_required => {
            format!("{name}: impl IntoIterator<Item = impl Into<{of}>>")
        }
        (Passed::Items | Passed::Commas, of) => format!("{name}: impl IntoIterator<Item = {of}>"),
    }
}

/// The doc of a method: what it does, an example, and its errors.
fn about(endpoint: &Described) -> String {
    let declared = &endpoint.declared;
    let text = svc_types::published(declared.doc);
    let doc = format!("{text}\n\n```no_run\n{}```", example_of_method(endpoint));
    if declared.fails.is_empty() {
        return doc;
    }
    let codes: Vec<String> = declared.fails.iter().map(|code| format!("`{code:?}`")).collect();
    let errors = format!("Codes specific to this endpoint: {}.", codes.join(", "));
    format!("{doc}\n\n# Errors\n\n{}", wrapped(&errors, LINE_MAX - 8))
}

pub(crate) fn example_of_method(endpoint: &Described) -> String {
    let mut hidden = Hidden::default();
    let mut call = call(endpoint, &mut hidden);
    if endpoint.declared.method == "PATCH"
        && let Some(member) = generated_setters(endpoint).next()
    {
        call.push_str(&set(endpoint, member, &mut hidden));
    }
    let statement = match (endpoint.is_paged(), &endpoint.answer) {
        (true, _) => format!("let page = svc.{call}.page().await?;"),
        (false, Some(answer)) if endpoint.declared.method == "GET" => {
            format!("let {answer} = svc.{call}.await?.{answer};")
        }
        _ => format!("svc.{call}.await?;"),
    };
    let head = "async fn show(svc: svc_client::Client";
    example(&hidden, head, ") -> svc_client::Result<()> {", &statement, "Ok(()) }")
}

/// The call of an endpoint with the values of its sample.
fn call(endpoint: &Described, hidden: &mut Hidden) -> String {
    let declared = &endpoint.declared;
    if let Some(call) = exceptions::example(declared.name) {
        return call.to_owned();
    }
    let required = declared.members.iter().filter(|member| !member.is_optional);
    let arguments: Vec<String> = required
        .map(|member| hidden.argument(declared.feature, member, &endpoint.sample[member.name]))
        .collect();
    let group = endpoint.group().map_or(String::new(), |group| format!("{group}()."));
    format!("{group}{}({})", endpoint.method(), arguments.join(", "))
}

fn example(hidden: &Hidden, head: &str, tail: &str, statement: &str, end: &str) -> String {
    let uses = each(&hidden.uses, |path| format!("# use {path};\n"));
    let parameters = each(&hidden.parameters, |parameter| format!(", {parameter}"));
    let statement = broken(statement);
    format!("{uses}# {head}{parameters}{tail}\n{statement}\n# {end}\n")
}

/// A statement, with each call on its own line where one line would be too long.
fn broken(statement: &str) -> String {
    if statement.len() <= LINE_MAX - 8 {
        return statement.to_owned();
    }
    statement.replacen("().", "()\n    .", 1).replace(").", ")\n    .")
}

/// The optional members whose setters follow from the declaration.
fn generated_setters(endpoint: &Described) -> impl Iterator<Item = &'static Member> {
    let name = endpoint.declared.name;
    let optional = endpoint.declared.members.iter().filter(|member| member.is_optional);
    optional.filter(move |member| exceptions::has_setter(name, member.name))
}

/// The setters of a call: one for each optional member.
pub(crate) fn setters(endpoint: &Described, imports: &mut Imports) -> String {
    let declared = &endpoint.declared;
    let setters: Vec<String> = generated_setters(endpoint)
        .map(|member| {
            if is_named(member) {
                imports.add(declared.feature, member.value);
            }
            setter(endpoint, member)
        })
        .collect();
    if setters.is_empty() {
        return String::new();
    }
    imports.add_of_feature(declared.feature, declared.name);
    format!("\nimpl Call<{}> {{\n{}}}\n", declared.name, setters.join("\n"))
}

/// A member set to the value of the sample.
fn set(endpoint: &Described, member: &Member, hidden: &mut Hidden) -> String {
    let sample = &endpoint.sample[member.name];
    let argument = hidden.argument(endpoint.declared.feature, member, sample);
    format!(".{}({argument})", exceptions::setter(member.name))
}

fn setter(endpoint: &Described, member: &Member) -> String {
    let name = exceptions::setter(member.name);
    let mut hidden = Hidden::default();
    let call = call(endpoint, &mut hidden);
    let statement = format!("svc.{call}{};", set(endpoint, member, &mut hidden));
    let head = "fn show(svc: svc_client::Client";
    let example = example(&hidden, head, ") {", &statement, "}");
    let text = wrapped(&endpoint.docs[member.name], LINE_MAX - 8);
    let parameter = parameter(member, false);
    let value = value(member.name, passed(member.value).0, "");
    let head = fitting([
        format!("    pub fn {name}(mut self, {parameter}) -> Self {{\n"),
        format!("    pub fn {name}(\n        mut self,\n        {parameter},\n    ) -> Self {{\n"),
    ]);
    format!(
        "{}{head}        self.request.{} = Some({value});\n        self\n    }}\n",
        doc(&format!("{text}\n\n```\n{example}```"), 4),
        member.name,
    )
}
