//! The methods in TypeScript: a class per group.
//!
//! Objects and enums are looked up by name in what openapi-typescript writes from the document: in
//! `Requests` with the known words of an enum, in `Answers` with any other as well.

use serde_json::{Map, Value};

use super::Files;
use super::model::{Group, Member, Method, Repeat};
use super::sample::Syntax;
use crate::generate::client::text::{LINE_MAX, each, pascal, wrapped};
use crate::generate::wording::camel_case;

/// Words that cannot be the name of a parameter.
const RESERVED: [&str; 8] =
    ["default", "delete", "enum", "export", "function", "import", "new", "with"];

const WRITTEN: &str = "written by `cargo document`; do not edit.";

/// A file for each group, and one for the class that has all of them.
pub(super) fn files(groups: &[Group]) -> Files {
    let named = || groups.iter().filter(|group| !group.name.is_empty());
    let mut files: Files =
        named().map(|it| (format!("{}.ts", camel(it.name)), group(it))).collect();
    let alone = groups.iter().filter(|group| group.name.is_empty()).flat_map(|it| &it.methods);
    files.insert("methods.ts".to_owned(), client(named(), alone));
    files
}

const SYNTAX: Syntax =
    Syntax { has_bare_names: true, words: ["null", "false", "true"], indent: "  " };

/// A program that calls a method with these members.
pub(super) fn program(group: &str, method: &Method, members: &Map<String, Value>) -> String {
    let given = |member: &Member| members.get(&member.wire);
    let mut arguments: Vec<String> =
        method.required.iter().filter_map(given).map(|it| SYNTAX.value(it)).collect();
    let options = method.optional.iter();
    let options = options.filter_map(|it| Some((it.wire.clone(), given(it)?.clone())));
    let options: Map<String, Value> = options.collect();
    if !options.is_empty() {
        arguments.push(SYNTAX.value(&options.into()));
    }
    let group = if group.is_empty() { String::new() } else { camel(group) + "." };
    let head = format!("svc.{group}{}", camel(method.name));
    let call = if method.list.is_some() {
        let list = SYNTAX.call(&format!("for await (const item of {head}"), &arguments);
        format!("{list}) {{\n  console.log(item);\n}}")
    } else {
        let call = SYNTAX.call(&format!("const answer = await {head}"), &arguments);
        format!("{call};\nconsole.log(answer);")
    };
    format!("import {{ Svc }} from \"@svc/sdk\";\n\nconst svc = Svc.fromEnv();\n{call}")
}

/// `delete_review` as `deleteReview`.
fn camel(name: &str) -> String {
    camel_case(&pascal(name))
}

fn group(group: &Group) -> String {
    let name = pascal(group.name);
    let methods: Vec<String> = group.methods.iter().map(|it| method(it, "this.svc")).collect();
    format!(
        "// `{}`: {WRITTEN}\n\n{}\n{}export class {name} extends Group {{\n{}}}\n",
        camel(group.name),
        imports(&group.methods, true),
        each(&group.methods, options),
        methods.join("\n"),
    )
}

/// The class of the client: every group, and the methods without one.
fn client<'a>(
    groups: impl Iterator<Item = &'a Group>,
    alone: impl Iterator<Item = &'a Method>,
) -> String {
    let groups: Vec<_> = groups.map(|it| (camel(it.name), pascal(it.name))).collect();
    let modules =
        each(&groups, |(name, class)| format!("import {{ {class} }} from \"./{name}.js\";\n"));
    let members =
        each(&groups, |(name, class)| format!("  readonly {name}: {class} = new {class}(this);\n"));
    let alone: Vec<&Method> = alone.collect();
    let methods: Vec<String> = alone.iter().map(|it| method(it, "this")).collect();
    format!(
        "// Every method: {WRITTEN}\n\n{}{modules}\n{}/** The methods of a client by group. */\n\
         export abstract class Methods extends Sender {{\n{members}\n{}}}\n",
        imports(alone.iter().copied(), false),
        each(alone.iter().copied(), options),
        methods.join("\n"),
    )
}

fn imports<'a>(methods: impl IntoIterator<Item = &'a Method>, is_group: bool) -> String {
    let methods: Vec<&Method> = methods.into_iter().collect();
    let is_named = |method: &&Method| {
        let mut members = method.required.iter().chain(&method.optional);
        members.any(|member| kind(method, member).starts_with("Requests"))
    };
    let requests = if methods.iter().any(is_named) { ", Requests" } else { "" };
    let pages = if methods.iter().any(|it| it.list.is_some()) { "type Pages, " } else { "" };
    let base = if is_group { "Group" } else { "Sender" };
    format!(
        "import type {{ Answers{requests} }} from \"../schemas.js\";\n\
         import {{ type CallOptions, {pages}{base} }} from \"../sender.js\";\n"
    )
}

/// The type of the options of a method: its optional members, and those of every call.
fn options(method: &Method) -> String {
    if method.optional.is_empty() {
        return String::new();
    }
    let members = each(&method.optional, |member| {
        let doc =
            format!("  /** {} */\n", wrapped(&member.doc, LINE_MAX - 9).replace('\n', "\n   *  "));
        format!("{doc}  {}?: {};\n", member.wire, kind(method, member))
    });
    let (call, name) = (camel_case(method.endpoint), method.endpoint);
    format!(
        "/** Options of `{call}`. */\nexport interface {name}Options extends CallOptions {{\n{members}}}\n\n"
    )
}

fn method(method: &Method, sender: &str) -> String {
    let mut parameters: Vec<String> = method
        .required
        .iter()
        .map(|it| format!("{}: {}", parameter(it), kind(method, it)))
        .collect();
    let options = if method.optional.is_empty() { "Call" } else { method.endpoint };
    parameters.push(format!("options: {options}Options = {{}}"));
    let answer = format!("Answers[\"{}\"]", method.answer);
    let returned = match &method.list {
        Some(list) => format!("Pages<{answer}, \"{list}\">"),
        None => format!("Promise<{answer}>"),
    };
    let name = camel(method.name);
    let head = format!("  {name}({}): {returned} {{\n", parameters.join(", "));
    let head = if head.len() <= LINE_MAX {
        head
    } else {
        let lines = each(&parameters, |it| format!("    {it},\n"));
        format!("  {name}(\n{lines}  ): {returned} {{\n")
    };
    format!("{}{head}    return {};\n  }}\n", doc(method), sent(method, sender))
}

/// The expression that sends the request.
fn sent(method: &Method, sender: &str) -> String {
    let members: Vec<String> = method.required.iter().map(argument).collect();
    let members = members.join(", ");
    let members = if members.is_empty() { "{}".to_owned() } else { format!("{{ {members} }}") };
    if let Some(list) = &method.list {
        return format!("{sender}.pages(\"{}\", \"{list}\", {members}, options)", method.path);
    }
    let repeat = match method.repeat {
        Repeat::Same if method.keeps_anonymous_keys => ", \"kept\"",
        Repeat::Same if method.lost_hint.is_some() => ", \"same\"",
        Repeat::Same => "",
        Repeat::NewKey => ", \"newKey\"",
        Repeat::Never => ", \"never\"",
    };
    let Method { verb, path, .. } = method;
    match method.lost_hint {
        None => format!("{sender}.send(\"{verb}\", \"{path}\", {members}, options{repeat})"),
        Some(hint) => format!(
            "{sender}.send(\n      \"{verb}\", \"{path}\", {members}, options{repeat},\n      {},\n    )",
            Value::from(hint),
        ),
    }
}

fn argument(member: &Member) -> String {
    let (name, parameter) = (&member.wire, parameter(member));
    if *name == parameter { parameter } else { format!("{name}: {parameter}") }
}

fn parameter(member: &Member) -> String {
    let mark = if RESERVED.contains(&member.wire.as_str()) { "_" } else { "" };
    format!("{}{mark}", member.wire)
}

/// The type of a member. Those of objects and enums have a name in the document.
fn kind(method: &Method, member: &Member) -> String {
    if member.is_comma_list {
        return "string | readonly string[]".to_owned();
    }
    let schema = &member.schema;
    if let Some(component) = schema["$ref"].as_str().and_then(|it| it.rsplit('/').next()) {
        return format!("Requests[\"{component}\"]");
    }
    match schema["type"].as_str() {
        Some("string") if schema["enum"].is_null() => "string".to_owned(),
        Some("integer" | "number") => "number".to_owned(),
        Some("boolean") => "boolean".to_owned(),
        _ => format!("Requests[\"{}\"][\"{}\"]", method.endpoint, member.wire),
    }
}

fn doc(method: &Method) -> String {
    let mut parts = vec![format!("{}.", method.summary)];
    parts.extend(method.details.split("\n\n").filter(|it| !it.is_empty()).map(str::to_owned));
    let tags = tags(method);
    if !tags.is_empty() {
        parts.push(tags);
    }
    let text = parts.join("\n\n").replace("*/", "*\\/");
    let lines = each(text.lines(), |line| format!("{}\n", format!("   * {line}").trim_end()));
    format!("  /**\n{lines}   */\n")
}

fn tags(method: &Method) -> String {
    let parameter = |it: &Member| tag(&format!("@param {} {}", parameter(it), it.doc));
    let mut tags: Vec<String> = method.required.iter().map(parameter).collect();
    if !method.fails.is_empty() {
        let codes: Vec<String> = method.fails.iter().map(|code| format!("`{code}`")).collect();
        tags.push(tag(&format!(
            "@throws SvcError, with the common codes or {}.",
            codes.join(", ")
        )));
    }
    tags.join("\n")
}

fn tag(text: &str) -> String {
    wrapped(text, LINE_MAX - 5)
}
