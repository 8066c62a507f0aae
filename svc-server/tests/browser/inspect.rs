//! Inspects a rendered page: nothing overflows, it is accessible, its charts have tables of equal sums,
//! nothing is fetched from elsewhere, the console is empty.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::driver;
use crate::tab::Tab;

/// Widths at which nothing may stick out: reflow of WCAG 1.4.10 (1280 at 400 %), small phones, a
/// larger one, and 1280 at 200 %.
const WIDTHS: [u32; 4] = [320, 360, 390, 640];

/// A phone and a wide window, for pictures and for axe, in CSS pixels.
const PHONE: (u32, u32) = (390, 844);
const WIDE: (u32, u32) = (1280, 800);

/// Tallest picture, in CSS pixels.
const PICTURE_MAX: u32 = 3000;

/// The endings of the pictures' names.
pub(crate) const ENDINGS: [&str; 6] =
    ["phone-light", "phone-dark", "wide-light", "wide-dark", "phone-german", "wide-german"];

/// What sticks out of a page that is so wide.
const OVERFLOW: &str = r"
    const width = arguments[0], root = document.documentElement, out = [];
    if (root.scrollWidth > width) out.push(`the page is ${root.scrollWidth} wide`);
    const scrolls = (one) => {
        for (let up = one.parentElement; up && up !== document.body; up = up.parentElement)
            if (getComputedStyle(up).overflowX !== 'visible') return true;
        return false;
    };
    for (const one of document.body.querySelectorAll('*')) {
        if (one.closest('.skip, .sr') || !one.checkVisibility()) continue;
        const box = one.getBoundingClientRect();
        if (box.width && (box.right > width + 1 || box.left < -1) && !scrolls(one))
            out.push(`${one.outerHTML.slice(0, 120)} reaches from ${box.left} to ${box.right}`);
    }
    return out.slice(0, 4);
";

/// Accessibility faults found by axe.
const JUDGE: &str = r"
    const done = arguments[0];
    axe.run(document, { resultTypes: ['violations'] }).then((found) => done(found.violations
        .filter((one) => ['serious', 'critical'].includes(one.impact))
        .map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 160)} ${one.nodes[0].failureSummary}`)));
";

/// Charts without a table, with one of other numbers, or with wrong sums.
const CHARTS: &str = r"
    const number = (text) => Number(text.replace('\u2212', '-').match(/-?[0-9,.]+/)[0].replaceAll(',', ''));
    const sum = (numbers) => numbers.reduce((sum, one) => sum + one, 0);
    const differ = (one, other) => Math.abs(one - other) > 1e-6;
    const texts = (row) => [...row.cells].slice(1).map((cell) => cell.textContent);
    const out = [];
    for (const chart of document.querySelectorAll('main svg.chart')) {
        const card = chart.closest('section'), name = card.getAttribute('aria-label');
        const table = card.querySelector('details table');
        if (!table) { out.push(`${name} has no table`); continue; }
        const rows = [...table.tBodies[0].rows].map(texts), sums = texts(table.tFoot.rows[0]).map(number);
        const steps = [...chart.querySelectorAll('title')].map((title) => title.textContent);
        if (rows.length !== steps.length || !rows.every((row, at) => row.every((cell) => steps[at].includes(cell))))
            out.push(`${name} draws ${steps.join('; ')} and has ${rows.join('; ')} in its table`);
        sums.forEach((own, at) => {
            const real = sum(rows.map((row) => number(row[at])));
            if (differ(own, real)) out.push(`${name} has ${own} as the sum of ${real}`);
        });
        // What the picture says: its title, and the sum of everything.
        const told = number(chart.getAttribute('aria-label').slice(name.length));
        if (differ(told, sum(sums))) out.push(`${name} tells ${told} of ${sum(sums)}`);
    }
    return out;
";

/// The language for tests: right to left, longer than English, and with an accent on each consonant.
const MIRRORED: &str = "lang=qps-plocm";

/// Texts in English on a page in the language for tests: what no catalogue holds. Content of accounts,
/// names and code stand in elements that say so.
const UNTRANSLATED: &str = r"
    // Addresses, names, tiers, and what the test's accounts are called.
    const KNOWN = /\S*[@#/:]\S*|\b(Ada|free|boost|pro|svc(-server)?)\b/g;
    const out = [], own = '.brand, bdi, code, pre, time, .text, .md, .cut, .by, .me, .shown, textarea, [dir]:not(html), [lang]:not(html)';
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const one = walk.currentNode, parent = one.parentElement;
        if (parent.closest('script, style, ' + own) || !one.data.trim()) continue;
        const words = one.data.replace(KNOWN, '').match(/[A-Za-z]*[b-df-hj-np-tv-z][A-Za-z]*/g) || [];
        if (words.some((word) => word.length > 2)) out.push(one.data.trim().slice(0, 80));
    }
    for (const one of document.body.querySelectorAll('[aria-label], [placeholder], [title]')) {
        if (one.closest(own)) continue;
        for (const name of ['aria-label', 'placeholder', 'title']) {
            const text = (one.getAttribute(name) || '').replace(KNOWN, '');
            if (/[b-df-hj-np-tv-z]{1}[a-z]{2}/.test(text)) out.push(`${name}: ${text}`);
        }
    }
    return [...new Set(out)].slice(0, 6);
";

/// Tables that are wider than their place, so that a phone shows a part of them.
const CUT: &str = r"
    return [...document.querySelectorAll('main .wide')]
        .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
        .map((one) => `${one.innerText.slice(0, 60)} is ${one.scrollWidth} wide in ${one.clientWidth}`);
";

/// The height of a page.
const HEIGHT: &str = "return document.documentElement.scrollHeight";

/// Inspects pages and records their faults, and with `SVC_SCREENSHOTS` their pictures in that folder.
pub(crate) struct Looker<'a> {
    tab: &'a Tab,
    folder: Option<PathBuf>,
    faults: Vec<String>,
}

impl<'a> Looker<'a> {
    pub(crate) async fn new(tab: &'a Tab) -> Self {
        let axe = std::fs::read_to_string(driver::axe().unwrap()).unwrap();
        let source = json!({ "source": axe });
        tab.driver.devtools("Page.addScriptToEvaluateOnNewDocument", &source).await;
        let folder = std::env::var_os("SVC_SCREENSHOTS").map(PathBuf::from);
        if let Some(folder) = &folder {
            std::fs::create_dir_all(folder).unwrap();
        }
        // Earlier log entries belong to other pages.
        tab.logged("browser").await;
        tab.logged("performance").await;
        Self { tab, folder, faults: Vec::new() }
    }

    /// Opens a page and inspects it in light and dark colours.
    pub(crate) async fn looks_at(&mut self, name: &str, path: &str) {
        self.tab.open(path).await;
        self.looks(name).await;
    }

    /// Opens a page in the language for tests: it fits a phone, and holds no text of its own.
    pub(crate) async fn looks_in_other_words(&mut self, page: &str, path: &str) {
        let (path, anchor) = path.split_once('#').unwrap_or((path, ""));
        let mark = if path.contains('?') { '&' } else { '?' };
        self.tab.is_sized(WIDTHS[1], PHONE.1, true).await;
        self.tab.open(&format!("{path}{mark}{MIRRORED}#{anchor}")).await;
        let name = format!("{page}, mirrored");
        if !self.tab.path().await.contains(MIRRORED) {
            // It leads to another page, which is opened by itself.
            return;
        }
        self.measures(&name, WIDTHS[1]).await;
        let found = self.tab.script(UNTRANSLATED, &json!([])).await;
        self.notes(&name, "not from the catalogue", &found);
        if self.folder.is_some() {
            self.tab.open(&format!("{path}{mark}lang=de#{anchor}")).await;
            self.tab.is_coloured("light").await;
            self.pictures(&format!("{page}-wide-german"), WIDE, false).await;
            self.tab.is_coloured("dark").await;
            self.pictures(&format!("{page}-phone-german"), PHONE, true).await;
        }
        // The page was opened for its words; its status was checked before.
        self.tab.logged("browser").await;
    }

    /// Checks that a small phone shows all columns of the open page's tables.
    pub(crate) async fn shows_tables(&mut self, name: &str) {
        self.tab.is_sized(WIDTHS[1], PHONE.1, true).await;
        let found = self.tab.script(CUT, &json!([])).await;
        self.notes(name, "a table is cut", &found);
    }

    /// Inspects the open page in light and dark colours.
    pub(crate) async fn looks(&mut self, name: &str) {
        self.fits(name).await;
        self.tab.is_sized(PHONE.0, PHONE.1, true).await;
        self.judges(name).await;
        self.tab.is_coloured("dark").await;
        self.tab.is_sized(WIDE.0, WIDE.1, false).await;
        self.judges(name).await;
        self.pictures(&format!("{name}-wide-dark"), WIDE, false).await;
        self.pictures(&format!("{name}-phone-dark"), PHONE, true).await;
    }

    /// Checks that the open page fits all widths, in light colours.
    pub(crate) async fn fits(&mut self, name: &str) {
        self.tab.is_coloured("light").await;
        self.pictures(&format!("{name}-phone-light"), PHONE, true).await;
        for width in WIDTHS {
            self.tab.is_sized(width, PHONE.1, true).await;
            self.measures(name, width).await;
        }
        self.tab.is_sized(WIDE.0, WIDE.1, false).await;
        self.measures(name, WIDE.0).await;
        self.sums(name).await;
        self.pictures(&format!("{name}-wide-light"), WIDE, false).await;
        self.listens(name).await;
    }

    /// Takes the picture of a page that the README shows: as much as a window holds.
    pub(crate) async fn shows(&self, name: &str, is_phone: bool, scheme: &str) {
        let Some(folder) = &self.folder else { return };
        let (width, height) = if is_phone { PHONE } else { WIDE };
        self.tab.is_coloured(scheme).await;
        self.tab.is_sized(width, height, is_phone).await;
        self.takes(folder, name, false).await;
    }

    /// Everything that was wrong, a line for each.
    pub(crate) fn faults(&self) -> String {
        self.faults.concat()
    }

    fn notes(&mut self, name: &str, what: &str, found: &Value) {
        let found = found.as_array().into_iter().flatten().filter_map(Value::as_str);
        self.faults.extend(found.map(|fault| format!("{name}, {what}: {fault}\n")));
    }

    async fn measures(&mut self, name: &str, width: u32) {
        let found = self.tab.script(OVERFLOW, &json!([width])).await;
        self.notes(name, &format!("at {width} px"), &found);
    }

    async fn sums(&mut self, name: &str) {
        let found = self.tab.script(CHARTS, &json!([])).await;
        self.notes(name, "chart", &found);
    }

    async fn judges(&mut self, name: &str) {
        let asked = json!({ "script": JUDGE, "args": [] });
        let found = self.tab.driver.call("/execute/async", &asked).await;
        self.notes(name, "axe", &found);
    }

    /// Messages of the console, and requests of the page to other hosts.
    async fn listens(&mut self, name: &str) {
        let own = self.tab.address(&self.tab.path().await);
        for said in self.tab.logged("browser").await {
            let text = said["message"].as_str().unwrap_or_default();
            let is_own_status = text.starts_with(&own) && text.contains("the server responded");
            if said["level"] == "SEVERE" && !is_own_status {
                self.faults.push(format!("{name}, console: {text}\n"));
            }
        }
        for entry in self.tab.logged("performance").await {
            let entry: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
            if entry["message"]["method"] == "Network.requestWillBeSent" {
                let url = entry["message"]["params"]["request"]["url"].as_str().unwrap();
                if !url.starts_with("data:") && !url.starts_with(&self.tab.address("/")) {
                    self.faults.push(format!("{name}, from elsewhere: {url}\n"));
                }
            }
        }
    }

    /// Takes a picture of the whole page, as in a window as high as it is.
    async fn pictures(&self, name: &str, (width, height): (u32, u32), is_phone: bool) {
        let Some(folder) = &self.folder else { return };
        self.tab.is_sized(width, height, is_phone).await;
        let height = self.tab.script(HEIGHT, &json!([])).await.as_u64().unwrap();
        let height = u32::try_from(height).unwrap().min(PICTURE_MAX);
        self.tab.is_sized(width, height, is_phone).await;
        self.takes(folder, name, true).await;
    }

    async fn takes(&self, folder: &Path, name: &str, is_quick: bool) {
        let bytes = self.tab.picture(is_quick).await;
        std::fs::write(folder.join(format!("{name}.png")), bytes).unwrap();
    }
}
