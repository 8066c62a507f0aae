//! The accessibility tree of a page: what assistive technology learns about it.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write;

use serde_json::{Value, json};

use crate::tab::Tab;

/// Roles that are kept. The others say nothing but what is in them.
const ROLES: &[&str] = &[
    "alert",
    "article",
    "banner",
    "blockquote",
    "button",
    "cell",
    "checkbox",
    "columnheader",
    "combobox",
    "complementary",
    "contentinfo",
    "definition",
    "dialog",
    "DisclosureTriangle",
    "form",
    "group",
    "heading",
    "image",
    "link",
    "list",
    "listitem",
    "log",
    "main",
    "navigation",
    "progressbar",
    "radio",
    "region",
    "row",
    "rowheader",
    "search",
    "searchbox",
    "spinbutton",
    "status",
    "table",
    "term",
    "textbox",
    "time",
];

/// What people operate; the name of Chromium for what opens details is not that of a role.
const CONTROLS: [&str; 9] = [
    "button",
    "checkbox",
    "combobox",
    "DisclosureTriangle",
    "link",
    "radio",
    "searchbox",
    "spinbutton",
    "textbox",
];

/// What has a value; what is in it is that value again.
const FIELDS: [&str; 4] = ["combobox", "searchbox", "spinbutton", "textbox"];

/// Properties that are listed where they hold.
const STATES: [&str; 6] = ["checked", "disabled", "expanded", "invalid", "pressed", "required"];

/// Longest text in a written tree, in characters.
const TEXT_MAX: usize = 80;

/// Shortest id without its prefix, in characters.
const ID_MIN: usize = 10;

/// An element or a text.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) role: String,
    pub(crate) name: String,
    /// What is read after the name, such as an error.
    pub(crate) description: String,
    /// The level of a heading, otherwise 0.
    pub(crate) level: u64,
    /// Such as `required`.
    states: Vec<String>,
    depth: usize,
}

impl Node {
    /// Whether it is in a state.
    pub(crate) fn is(&self, state: &str) -> bool {
        self.states.iter().any(|own| own == state)
    }

    /// Whether people operate it.
    pub(crate) fn is_control(&self) -> bool {
        CONTROLS.contains(&&*self.role)
    }

    /// Its line in a written tree.
    fn line(&self) -> String {
        let mut line = format!("{}{}", "  ".repeat(self.depth), self.role);
        let mut more = self.states.clone();
        if self.level > 0 {
            more.insert(0, format!("level {}", self.level));
        }
        if !self.description.is_empty() {
            more.push(format!("described \"{}\"", cut(&self.description)));
        }
        if !self.name.is_empty() {
            write!(line, " \"{}\"", cut(&self.name)).unwrap();
        }
        if !more.is_empty() {
            write!(line, " [{}]", more.join(", ")).unwrap();
        }
        line
    }
}

/// The beginning of a text.
fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The tree of the open page in the order of reading, without times, ids and ports.
pub(crate) async fn read(tab: &Tab) -> Vec<Node> {
    let found = tab.driver.devtools("Accessibility.getFullAXTree", &json!({})).await;
    let document = tab.driver.devtools("DOM.getDocument", &json!({ "depth": -1 })).await;
    let mut reader = Reader::new(&document["root"]);
    let all = found["nodes"].as_array().unwrap();
    let by_id: HashMap<&str, &Value> =
        all.iter().map(|node| (node["nodeId"].as_str().unwrap(), node)).collect();
    let mut left = vec![(&all[0], Within::default())];
    while let Some((node, within)) = left.pop() {
        let Some(inside) = reader.take(node, within) else { continue };
        let ids = node["childIds"].as_array().into_iter().flatten().rev();
        let children = ids.filter_map(|id| by_id.get(id.as_str()?).copied());
        left.extend(children.map(|child| (child, inside)));
    }
    reader.settle(&tab.address(""))
}

/// The content of a page and what is around it.
pub(crate) fn parts(nodes: &[Node]) -> [Vec<&Node>; 2] {
    let begin = nodes.iter().position(|node| node.role == "main").unwrap();
    let inner = nodes[begin + 1..].iter().take_while(|node| node.depth > nodes[begin].depth);
    let end = begin + 1 + inner.count();
    let around = nodes[..=begin].iter().chain(&nodes[end..]);
    [nodes[begin..end].iter().collect(), around.collect()]
}

/// A tree as text: a line for each node, indented.
pub(crate) fn written(nodes: &[&Node]) -> String {
    nodes.iter().map(|node| node.line() + "\n").collect()
}

/// Where a node is.
#[derive(Clone, Copy, Debug, Default)]
struct Within<'a> {
    depth: usize,
    /// The name of the element around it.
    name: &'a str,
    /// Whether it is in a label, which is the name of its field.
    is_label: bool,
    is_time: bool,
}

/// What was read of a tree.
struct Reader {
    /// Values of `aria-current`, which the tree does not hold, by the numbers of their elements.
    current: HashMap<i64, String>,
    nodes: Vec<Node>,
    times: Vec<String>,
}

impl Reader {
    fn new(document: &Value) -> Self {
        let mut current = HashMap::new();
        let mut left = vec![document];
        while let Some(element) = left.pop() {
            // Each name is followed by its value.
            let list = element["attributes"].as_array().into_iter().flatten();
            let mut pairs = list.clone().zip(list.skip(1)).step_by(2);
            let found = pairs.find(|(name, _)| **name == "aria-current");
            if let (Some((_, value)), Some(id)) = (found, element["backendNodeId"].as_i64()) {
                current.insert(id, value.as_str().unwrap_or_default().to_owned());
            }
            left.extend(element["children"].as_array().into_iter().flatten());
        }
        Self { current, nodes: Vec::new(), times: Vec::new() }
    }

    /// Reads a node; where its children are, unless they say nothing more.
    fn take<'a>(&mut self, node: &'a Value, within: Within<'a>) -> Option<Within<'a>> {
        let (role, name) = (said(&node["role"]), said(&node["name"]));
        if role == "StaticText" {
            self.take_text(name, within);
            return None;
        }
        if node["ignored"] == true || within.is_time || !ROLES.contains(&role) {
            let is_label = within.is_label || role == "LabelText";
            return Some(Within { is_label, ..within });
        }
        let is_time = role == "time";
        // That of a time is the time again.
        let description = if is_time { "" } else { said(&node["description"]) };
        self.nodes.push(Node {
            role: role.to_owned(),
            name: name.to_owned(),
            description: description.to_owned(),
            level: if role == "heading" { level(node) } else { 0 },
            states: self.states(node, role),
            depth: within.depth,
        });
        if role == "image" || FIELDS.contains(&role) {
            return None;
        }
        Some(Within { depth: within.depth + 1, name, is_label: false, is_time })
    }

    /// Reads a text, unless it is the name of the element around it. Texts in a row are one.
    fn take_text(&mut self, text: &str, within: Within<'_>) {
        if within.is_time {
            self.times.push(text.to_owned());
        }
        if text.is_empty() || within.is_time || within.is_label || within.name.contains(text) {
            return;
        }
        let last = self.nodes.last_mut();
        match last.filter(|last| last.role == "text" && last.depth == within.depth) {
            Some(last) => {
                last.name.push(' ');
                last.name.push_str(text);
            }
            None => self.nodes.push(Node {
                role: "text".to_owned(),
                name: text.to_owned(),
                description: String::new(),
                level: 0,
                states: Vec::new(),
                depth: within.depth,
            }),
        }
    }

    fn states(&self, node: &Value, role: &str) -> Vec<String> {
        let mut states = Vec::new();
        for property in node["properties"].as_array().into_iter().flatten() {
            let value = &property["value"]["value"];
            let is_on = *value == true || *value == "true";
            match property["name"].as_str().unwrap_or_default() {
                "expanded" if !is_on => states.push("collapsed".to_owned()),
                state if is_on && STATES.contains(&state) => states.push(state.to_owned()),
                _ => {}
            }
        }
        let id = node["backendDOMNodeId"].as_i64();
        states.extend(id.and_then(|id| self.current.get(&id)).map(|of| format!("current {of}")));
        let value = said(&node["value"]);
        if FIELDS.contains(&role) && !value.is_empty() {
            states.push(format!("value \"{}\"", cut(value)));
        }
        states
    }

    /// The nodes without what differs from run to run.
    fn settle(mut self, origin: &str) -> Vec<Node> {
        let port = origin.rsplit(':').next().unwrap_or_default();
        self.times.sort_by_key(|time| Reverse(time.len()));
        self.times.retain(|time| !time.is_empty());
        for node in &mut self.nodes {
            for text in [&mut node.name, &mut node.description] {
                let times = self.times.iter();
                let plain = times.fold(text.clone(), |text, time| text.replace(time, "TIME"));
                *text = without_ids(&plain.replace(port, "PORT"));
            }
        }
        self.nodes
    }
}

/// The value of a property.
fn said(property: &Value) -> &str {
    property["value"].as_str().unwrap_or_default().trim()
}

fn level(heading: &Value) -> u64 {
    let mut properties = heading["properties"].as_array().into_iter().flatten();
    let found = properties.find(|property| property["name"] == "level");
    found.and_then(|property| property["value"]["value"].as_u64()).unwrap_or_default()
}

/// A text in one line, with the prefixes of its ids alone: `msg_38h1hhwgg0d9e` is `msg_ID`.
fn without_ids(text: &str) -> String {
    let is_id = |end: &str| {
        let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        end.len() >= ID_MIN && end.bytes().all(is_part)
    };
    let word = |word: &str| match word.rsplit_once('_') {
        Some((prefix, end)) if is_id(end) => format!("{prefix}_ID"),
        _ => word.to_owned(),
    };
    text.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}
