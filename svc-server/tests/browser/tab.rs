//! What a person does with a browser: opens, reads, types, presses keys.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::Method;
use serde_json::{Value, json};

use crate::driver::{Driver, ELEMENT};
use crate::film::{self, Film};

/// How long a test waits for something that takes milliseconds.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Time between two polls of a page.
const TICK: Duration = Duration::from_millis(20);

/// Finds a link or button by its text: in the content of the page first, then around it.
const PRESSABLE: &str = r#"
    const words = arguments[0];
    const said = (one) => (one.getAttribute("aria-label") || one.innerText || "").trim();
    const all = (within) => [...within.querySelectorAll("a, button, summary")];
    const found = [...all(document.querySelector("main")), ...all(document)];
    return found.find((one) => one.checkVisibility() && said(one) === words) || null;
"#;

/// Finds a field by a selector: the first that is shown.
const FIELD: &str = r"
    const found = [...document.querySelectorAll(arguments[0])];
    return found.find((one) => one.checkVisibility()) || null;
";

/// A browser for one server.
pub(crate) struct Tab {
    pub(crate) driver: Driver,
    pub(crate) has_script: bool,
    /// What it showed, if that is wanted.
    pub(crate) film: Film,
    origin: String,
}

impl Tab {
    /// A browser for a server at this address, such as `http://127.0.0.1:8080`, in a wide window.
    pub(crate) async fn at(origin: &str) -> Self {
        let driver = Driver::start().await;
        let film = Film::default();
        let tab = Self { driver, has_script: true, film, origin: origin.to_owned() };
        tab.is_sized(1280, 800, false).await;
        tab
    }

    /// The same on a phone, where pages run no script. Those of the driver go on.
    pub(crate) async fn without_script(origin: &str) -> Self {
        let tab = Self::at(origin).await;
        tab.is_sized(390, 844, true).await;
        tab.driver
            .devtools("Emulation.setScriptExecutionDisabled", &json!({ "value": true }))
            .await;
        Self { has_script: false, ..tab }
    }

    /// The whole address of a page.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Opens a page.
    pub(crate) async fn open(&self, path: &str) {
        self.go(&self.address(path)).await;
    }

    /// Opens a page of any server.
    pub(crate) async fn go(&self, url: &str) {
        self.driver.call("/url", &json!({ "url": url })).await;
    }

    /// What was written to a log of the browser since the last call: `browser` or `performance`.
    pub(crate) async fn logged(&self, log: &str) -> Vec<Value> {
        let entries = self.driver.call("/se/log", &json!({ "type": log })).await;
        entries.as_array().cloned().unwrap_or_default()
    }

    /// Path and query of the page.
    pub(crate) async fn path(&self) -> String {
        let url = self.script("return location.href", &json!([])).await;
        url.as_str().and_then(|url| url.strip_prefix(&self.origin)).unwrap_or_default().to_owned()
    }

    /// What a script of the driver gives.
    pub(crate) async fn script(&self, script: &str, arguments: &Value) -> Value {
        let asked = json!({ "script": script, "args": arguments });
        self.driver.call("/execute/sync", &asked).await
    }

    /// The text of the page as it is shown.
    pub(crate) async fn text(&self) -> String {
        let text = self.script("return document.body.innerText", &json!([])).await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a search of the page finds something.
    pub(crate) async fn until<T>(&self, what: &str, look: impl AsyncFn() -> Option<T>) -> T {
        let mut ticks = tokio::time::interval(TICK);
        let looking = async {
            loop {
                ticks.tick().await;
                if let Some(found) = look().await {
                    break found;
                }
            }
        };
        if let Ok(found) = tokio::time::timeout(TIMEOUT, looking).await {
            return found;
        }
        panic!("{what} at {}:\n{}", self.path().await, self.text().await)
    }

    /// Waits until the page shows a text.
    pub(crate) async fn sees(&self, text: &str) {
        self.until(&format!("never saw {text:?}"), async || {
            self.text().await.contains(text).then_some(())
        })
        .await;
        if film::folder().is_some() {
            self.film.add(self.picture(true).await);
        }
    }

    /// A picture of the window.
    pub(crate) async fn picture(&self, is_quick: bool) -> Vec<u8> {
        let asked = json!({ "optimizeForSpeed": is_quick });
        let picture = self.driver.devtools("Page.captureScreenshot", &asked).await;
        STANDARD.decode(picture["data"].as_str().unwrap()).unwrap()
    }

    /// Waits for a text that comes by itself; whose browser runs no script loads the page again.
    pub(crate) async fn comes_to_see(&self, text: &str) {
        if self.has_script {
            return self.sees(text).await;
        }
        let path = self.path().await;
        self.until(&format!("never came to see {text:?}"), async || {
            self.open(&path).await;
            self.text().await.contains(text).then_some(())
        })
        .await;
    }

    /// The first element of a selector that is shown.
    pub(crate) async fn find(&self, selector: &str) -> Value {
        self.found(FIELD, selector).await
    }

    async fn found(&self, script: &str, argument: &str) -> Value {
        self.until(&format!("never found {argument:?}"), async || {
            let found = self.script(script, &json!([argument])).await;
            found.is_object().then_some(found)
        })
        .await
    }

    /// Lets the driver do something with an element.
    async fn with(&self, element: &Value, act: &str, how: &Value) {
        let id = element[ELEMENT].as_str().unwrap();
        self.driver.call(&format!("/element/{id}/{act}"), how).await;
    }

    /// Replaces the text in the field of a selector.
    pub(crate) async fn fill(&self, selector: &str, text: &str) {
        let element = self.find(selector).await;
        self.with(&element, "clear", &json!({})).await;
        self.with(&element, "value", &json!({ "text": text })).await;
    }

    /// The value of the field of a selector.
    pub(crate) async fn value(&self, selector: &str) -> String {
        let field = self.find(selector).await;
        let value = self.script("return arguments[0].value", &json!([field])).await;
        value.as_str().unwrap_or_default().to_owned()
    }

    /// Chooses among what a field offers: of radio buttons and boxes that of the selector, of a list
    /// the entry with these words.
    pub(crate) async fn choose(&self, selector: &str, words: &str) {
        let element = self.find(selector).await;
        // To the driver it is typing.
        self.driver.count_clicks(1);
        self.with(&element, "value", &json!({ "text": words })).await;
    }

    /// Clicks on the element of a selector.
    pub(crate) async fn click(&self, selector: &str) {
        let element = self.find(selector).await;
        self.touch(&element).await;
    }

    /// Scrolls until an element is seen and clicks on it, as a finger would: if another element
    /// covers it, the driver refuses.
    async fn touch(&self, element: &Value) {
        self.script("arguments[0].scrollIntoView({ block: 'nearest' })", &json!([element])).await;
        self.with(element, "click", &json!({})).await;
    }

    /// Clicks on the link or button with these words.
    pub(crate) async fn press(&self, words: &str) {
        let element = self.found(PRESSABLE, words).await;
        self.touch(&element).await;
    }

    /// Goes where the navigation leads; on a phone most of it is behind "More".
    pub(crate) async fn go_to(&self, place: &str) {
        if !self.script(PRESSABLE, &json!([place])).await.is_object() {
            self.click(".more summary").await;
        }
        self.press(place).await;
    }

    /// Double-clicks on it.
    pub(crate) async fn press_twice(&self, words: &str) {
        let element = self.found(PRESSABLE, words).await;
        self.script("arguments[0].scrollIntoView({ block: 'center' })", &json!([element])).await;
        let press = json!([
            { "type": "pointerDown", "button": 0 }, { "type": "pointerUp", "button": 0 },
        ]);
        let mut acts = vec![json!({ "type": "pointerMove", "x": 0, "y": 0, "origin": element })];
        acts.extend(press.as_array().into_iter().flatten().cloned());
        acts.extend(press.as_array().into_iter().flatten().cloned());
        let mouse = json!({ "type": "pointer", "id": "mouse", "actions": acts });
        self.driver.call("/actions", &json!({ "actions": [mouse] })).await;
    }

    /// Presses keys, wherever the focus is.
    pub(crate) async fn keys(&self, keys: &str) {
        let strokes: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|act| json!({ "type": act, "value": key })))
            .collect();
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": strokes });
        self.driver.call("/actions", &json!({ "actions": [keyboard] })).await;
    }

    /// Whether the page shows an element of this selector.
    pub(crate) async fn shows(&self, selector: &str) -> bool {
        self.script(FIELD, &json!([selector])).await.is_object()
    }

    /// Forgets all cookies.
    pub(crate) async fn forget(&self) {
        let forgotten = self.driver.ask(Method::DELETE, "/cookie", &Value::Null).await;
        forgotten.unwrap();
    }

    /// Signs a person in by the form.
    pub(crate) async fn sign_in(&self, username: &str, password: &str) {
        self.forget().await;
        self.open("/login").await;
        self.fill("[name=username]", username).await;
        self.fill("[name=password]", password).await;
        self.press("Sign in").await;
        self.find(&format!(".me[href='/@{username}']")).await;
    }

    /// The window is that of a device: width and height in CSS pixels, and whether it is a phone.
    pub(crate) async fn is_sized(&self, width: u32, height: u32, is_phone: bool) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone,
        });
        self.driver.devtools("Emulation.setDeviceMetricsOverride", &size).await;
    }

    /// Colours are those for the day or the night: `light` or `dark`.
    pub(crate) async fn is_coloured(&self, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.driver.devtools("Emulation.setEmulatedMedia", &json!({ "features": features })).await;
    }
}
