// What makes pages quicker. Without it every page works the same, by forms and links.
"use strict";
(() => {
  const all = (selector, within) => [...(within || document).querySelectorAll(selector)];

  // Texts and numbers are in the language of the page.
  const { lang } = document.documentElement;
  const texts = Object.fromEntries(document.body.dataset.texts.split("|").map((text) => text.split("=")));
  const say = (id, n, most) => texts[id].replace("{n}", n).replace("{most}", most);
  const grouped = (number) => number.toLocaleString(lang);
  const get = async (url, how) => {
    const answer = await fetch(url, how);
    if (!answer.ok) throw new Error(String(answer.status));
    return answer;
  };
  const parsed = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");
  const load = async (url) => parsed(await get(url, { headers: { accept: "text/html" } }));

  // How long ago; from a week on, the day remains.
  const ago = (at) => {
    const seconds = Math.max(0, (Date.now() - at) / 1000);
    if (seconds < 60) return say("ago-now");
    if (seconds < 3600) return say("ago-minutes", Math.floor(seconds / 60));
    if (seconds < 86400) return say("ago-hours", Math.floor(seconds / 3600));
    if (seconds < 172800) return say("ago-day", 1);
    return seconds < 604800 ? say("ago-days", Math.floor(seconds / 86400)) : null;
  };
  // How much is left of a deadline.
  const left = (at) => {
    const seconds = (at - Date.now()) / 1000;
    if (seconds <= 0) return say("left-none");
    if (seconds < 3600) return say("left-minutes", Math.ceil(seconds / 60));
    if (seconds < 172800) return say("left-hours", Math.floor(seconds / 3600));
    return say("left-days", Math.floor(seconds / 86400));
  };
  const times = (within) => all("time[data-ago],time[data-deadline]", within).forEach((time) => {
    const at = Date.parse(time.dateTime);
    if (isNaN(at)) return;
    const text = time.hasAttribute("data-ago") ? ago(at)
      : time.textContent.replace(/\([^()]*\)$/, "(" + left(at) + ")");
    if (text) time.textContent = text;
  });

  // The server writes times in this zone from the next page on.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) document.cookie = "zone=" + zone + ";path=/;max-age=31536000;samesite=lax";

  // What is left; characters, not UTF-16 units.
  const counter = (area) => {
    const left = area.form && area.form.querySelector("[data-left]");
    if (!left) return;
    const most = Number(area.maxLength);
    area.removeAttribute("maxlength");
    const show = () => {
      const length = [...area.value].length;
      left.textContent = length ? say("script-length", grouped(length), grouped(most)) : "";
      area.setCustomValidity(length > most ? say("script-too-long", length, grouped(most)) : "");
    };
    area.addEventListener("input", show);
    show();
  };

  // Reactions in place.
  const VERB = /^\/post\/([^/]+)\/(un)?(like|repost|bookmark)$/;
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[formaction][aria-pressed]");
    const verb = button && VERB.exec(button.getAttribute("formaction"));
    if (!verb) return;
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    try {
      const [, id, undo, what] = verb;
      const answer = await get(button.formAction, { method: "POST", body: new URLSearchParams(new FormData(button.form)) });
      const now = await answer.json();
      const count = now[what + "sCount"];
      button.setAttribute("formaction", "/post/" + id + "/" + (undo ? "" : "un") + what);
      button.setAttribute("aria-pressed", String(!undo));
      if (count !== undefined) {
        button.lastChild.textContent = grouped(count);
        button.setAttribute("aria-label", button.getAttribute("aria-label").replace(/, .*$/, ", " + grouped(count)));
      }
      button.disabled = false;
      button.focus();
    } catch {
      // The form itself does it, or says why not.
      button.disabled = false;
      button.form.action = button.getAttribute("formaction");
      button.form.submit();
    }
  });

  // "Show more" in place. A stream of posts grows by itself, until five pages were added.
  const PAGES_MAX = 5;
  const firstPost = document.querySelector("#list>article.post");
  const nextLink = () => document.querySelector("a[rel=next]");
  let pages = 0;
  const grow = async (link, isAsked) => {
    if (link.hasAttribute("aria-busy")) return;
    link.setAttribute("aria-busy", "true");
    try {
      const page = await load(link.href), next = page.querySelector("a[rel=next]");
      const parts = [...page.getElementById("list").children].filter((part) => !part.id || !document.getElementById(part.id));
      const hasFocus = isAsked || link === document.activeElement;
      parts.forEach((part) => times(part));
      document.getElementById("list").append(...parts);
      pages += 1;
      if (next) link.replaceWith(next); else link.parentNode.remove();
      const focus = hasFocus && parts[0] && parts[0].querySelector("a[href]:not([tabindex='-1'])");
      if (focus) focus.focus({ preventScroll: true });
    } finally {
      link.removeAttribute("aria-busy");
    }
  };
  const edge = new IntersectionObserver((links) => {
    const seen = links.find((link) => link.isIntersecting);
    if (seen) grow(seen.target).then(watch, () => {});
  }, { rootMargin: "600px" });
  const watch = () => {
    if (firstPost && nextLink() && pages < PAGES_MAX) edge.observe(nextLink());
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[rel=next]");
    if (!link || !document.getElementById("list") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    grow(link, true).then(watch, () => { location.href = link.href; });
  });

  // Going back finds the stream as long as it was, and the same post where it was.
  const PLACE = "at " + location.pathname + location.search;
  const topOf = (post) => post.getBoundingClientRect().top;
  addEventListener("pagehide", () => {
    const post = firstPost && scrollY > 0 && all("#list>article").find((one) => one.getBoundingClientRect().bottom > 0);
    if (post) sessionStorage.setItem(PLACE, JSON.stringify([pages, post.id, topOf(post)]));
    else sessionStorage.removeItem(PLACE);
  });
  const goBack = async () => {
    const [most, id, top] = JSON.parse(sessionStorage.getItem(PLACE)) || [0, ""];
    while (pages < Math.min(most, PAGES_MAX) && nextLink()) await grow(nextLink());
    const post = document.getElementById(id);
    if (post) scrollBy({ top: topOf(post) - top, behavior: "instant" });
  };
  const [arrival] = performance.getEntriesByType("navigation");
  if (firstPost && arrival && arrival.type === "back_forward") {
    // After the browser did what it can.
    addEventListener("load", () => setTimeout(() => goBack().then(watch, watch)));
  } else watch();

  // The chosen tab is seen.
  all(".tabs [aria-current]").forEach((tab) => new ResizeObserver(
    () => tab.parentNode.scrollBy(tab.getBoundingClientRect().x - innerWidth / 2, 0)).observe(tab.parentNode));

  // Copies what stands in an element.
  all("button[data-copy]").forEach((button) => {
    if (!navigator.clipboard) return;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = say("script-copied");
    });
  });

  // The chosen picture, before it is sent.
  all("input[type=file]").forEach((input) => input.addEventListener("change", () => {
    const face = document.querySelector("img[data-preview]"), file = input.files[0];
    if (!face || !file) return;
    const reader = new FileReader();
    reader.onload = () => { face.src = reader.result; };
    reader.readAsDataURL(file);
  }));

  // Clicks in a row send a form once.
  document.addEventListener("submit", (event) => {
    const form = event.target, now = Date.now();
    if (event.defaultPrevented) return;
    if (now - form.dataset.sent < 5000) return event.preventDefault();
    if (form.method === "post" && form.id !== "act") form.dataset.sent = now;
  });
  addEventListener("pageshow", () => all("form").forEach((form) => delete form.dataset.sent));

  // Whether two elements differ in attributes and within their children only.
  const isAlike = (one, other) => one.childNodes.length === other.childNodes.length
    && [...one.childNodes].every((node, at) => node.nodeName === other.childNodes[at].nodeName
      && (node.nodeType === Node.ELEMENT_NODE || node.data === other.childNodes[at].data));

  // Brings an element to what it is now, in place. What is the same stays itself, and what has the
  // focus waits, so that nobody loses where they are, what was opened, or what is read aloud.
  const mend = (old, now) => {
    if (old.isEqualNode(now)) return;
    const parts = [...now.children];
    const isKeyed = parts.length > 0 && parts.every((part) => part.id), alike = isAlike(old, now);
    if (!isKeyed && !alike && old.contains(document.activeElement)) {
      old.addEventListener("focusout", () => note("any"), { once: true });
      return;
    }
    const names = [...old.attributes, ...now.attributes].map(({ name }) => name);
    names.filter((name) => name !== "open").forEach((name) => {
      if (now.hasAttribute(name)) old.setAttribute(name, now.getAttribute(name));
      else old.removeAttribute(name);
    });
    if (isKeyed) mendParts(old, parts);
    else if (alike) parts.forEach((part, at) => mend(old.children[at], part));
    else old.replaceChildren(...now.childNodes);
  };

  // A list stays as long as "Show more" has made it; in a log the oldest stand first.
  const mendParts = (old, parts) => {
    const isLog = old.getAttribute("role") === "log", isList = old.id === "list";
    const had = [...old.children], names = parts.map((part) => part.id);
    const isShared = had.map((part) => names.includes(part.id));
    const first = isShared.indexOf(true), last = isShared.lastIndexOf(true);
    const isBeyond = (at) => isList && first >= 0 && (isLog ? at < first : at > last);
    had.forEach((part, at) => { if (!isShared[at] && !isBeyond(at)) part.remove(); });
    let place = isLog && first > 0 ? had[first - 1] : null;
    parts.forEach((part) => {
      const own = had.find((one) => one.id === part.id);
      if (own) mend(own, part);
      const next = place ? place.nextElementSibling : old.firstElementChild;
      place = own || part;
      if (place !== next) old.insertBefore(place, next);
    });
  };

  // The stream of the account's events tells what happens; what it concerns is then looked for on the
  // page as it is now. One stream for a tab, while it is seen.
  const KINDS = ["follow", "like", "repost", "reply", "mention", "quote", "direct_message", "service",
    "escrow", "order", "billing", "moderation", "system", "security"];
  const WAIT = 1000, WAIT_MAX = 60000;
  const { frame, seq: start } = document.body.dataset;
  let seq = start, stream = null, timer = 0, wait = WAIT, due = new Set();

  const plan = (pause) => { timer = timer || setTimeout(meanwhile, pause); };
  const again = () => { plan(wait + Math.random() * wait); wait = Math.min(wait * 2, WAIT_MAX); };
  const note = (kind) => { due.add(kind); plan(400); };
  const shut = () => { if (stream) stream.close(); stream = null; };

  const open = () => {
    if (!seq || stream) return;
    const since = Date.now();
    stream = new EventSource("/api/v1/connect/stream?after=" + seq);
    KINDS.forEach((kind) => stream.addEventListener(kind, (event) => {
      seq = event.lastEventId;
      wait = WAIT;
      note(kind);
    }));
    stream.onerror = () => {
      shut();
      if (Date.now() - since > WAIT_MAX) wait = WAIT;
      due.add("any");
      again();
    };
  };

  // The navigation is the same on every page, so a small one does.
  const look = async (kinds) => {
    const isDue = (kind) => kind === "any" || kinds.has(kind) || kinds.has("any");
    const isConcerned = (part) => part.dataset.live.split(" ").some(isDue);
    const isOwn = !frame || all("main [data-live]").some(isConcerned);
    const answer = await fetch(isOwn ? location.href : frame, { headers: { accept: "text/html" } });
    if (answer.status >= 429) throw new Error(String(answer.status));
    const page = await parsed(answer);
    // A reload tells who is signed out, or whose page is gone.
    if (!answer.ok || page.body.dataset.seq === undefined && seq) {
      seq = undefined;
      return shut();
    }
    times(page);
    all("[data-live]").forEach((part) => {
      const now = page.getElementById(part.id);
      if (now) mend(part, now);
    });
    if (!stream) seq = page.body.dataset.seq;
  };

  const meanwhile = async () => {
    timer = 0;
    if (document.hidden) return;
    const noted = due;
    due = new Set();
    try {
      if (noted.size) await look(noted);
      open();
    } catch {
      noted.forEach((kind) => due.add(kind));
      again();
    }
  };
  document.addEventListener("visibilitychange", () => document.hidden ? shut() : plan(0));
  addEventListener("pagehide", shut);
  addEventListener("pageshow", () => plan(0));
  // The stream of an account has no channels.
  if (document.querySelector("[data-live~=channel]")) setInterval(() => note("channel"), 10000);
  // Nor has it posts.
  if (document.querySelector("[data-live~=feed]")) setInterval(() => note("feed"), 30000);

  // New posts are offered by a button, so that nothing moves under the reader. Only the newest post is
  // asked for often.
  const PACE = 2000, PACE_IDLE = 30000, IDLE_AFTER = 300000;
  const posts = document.querySelector("#list[data-stream]"), news = document.getElementById("news");
  let fresh = [], isGap = false, newest = firstPost ? firstPost.id : "", moved = Date.now();
  const showFresh = () => {
    if (!fresh.length) return;
    if (isGap) return location.replace(location.pathname + location.search);
    all(".empty", posts).forEach((note) => note.remove());
    posts.prepend(...fresh);
    const link = fresh[0].querySelector("a.quiet");
    fresh = [];
    news.replaceChildren();
    scrollTo({ top: 0 });
    if (link) link.focus({ preventScroll: true });
  };
  const lookForPosts = async () => {
    const [first] = (await (await get(posts.dataset.stream)).json()).posts;
    if (!first || first.id === newest) return;
    const parts = all("#list>article", await load(location.href));
    const end = parts.findIndex((part) => document.getElementById(part.id));
    newest = first.id;
    isGap = end < 0 && posts.querySelector("article");
    fresh = end < 0 ? parts : parts.slice(0, end);
    if (!fresh.length) return news.replaceChildren();
    fresh.forEach((part) => times(part));
    const button = news.firstChild || document.createElement("button");
    button.className = "button";
    button.textContent = fresh.length === 1 ? say("script-new-post") : say("script-new-posts", fresh.length);
    button.onclick = showFresh;
    if (!button.parentNode) news.append(button);
  };
  const ask = async () => {
    let pause = Date.now() - moved > IDLE_AFTER ? PACE_IDLE : PACE;
    if (!document.hidden) await lookForPosts().catch(() => { pause = PACE_IDLE; });
    setTimeout(ask, pause);
  };
  if (posts && news) {
    ["pointermove", "keydown", "scroll"].forEach((kind) => addEventListener(kind, () => { moved = Date.now(); }, { passive: true }));
    setTimeout(ask, PACE);
  }

  // A wide window shows what is going on beside the page.
  const RAIL_KEPT = 60000, { rail } = document.body.dataset, wide = matchMedia("(min-width:77.5rem)");
  const showRail = async () => {
    if (!rail || !wide.matches) return;
    const who = lang + document.querySelector(".me");
    let kept = JSON.parse(sessionStorage.getItem("rail"));
    if (!kept || kept.who !== who || Date.now() - kept.at > RAIL_KEPT) {
      const page = await load(rail + "?lang=" + lang), at = Date.now();
      kept = { who, at, title: page.querySelector("h1").textContent, html: page.getElementById("rail").innerHTML };
      sessionStorage.setItem("rail", JSON.stringify(kept));
    }
    if (document.getElementById("rail")) return;
    const aside = document.createElement("aside");
    aside.id = "rail";
    aside.setAttribute("aria-label", kept.title);
    aside.innerHTML = kept.html;
    // After a follow, others are suggested.
    aside.addEventListener("click", () => sessionStorage.removeItem("rail"));
    document.querySelector(".sheet").append(aside);
  };
  const tryRail = () => showRail().catch(() => {});
  wide.addEventListener("change", tryRail);
  tryRail();

  // The editor of a service: another field in place, and a check by the server.
  const editor = document.querySelector("form[data-check]");
  const check = async () => {
    const shown = document.getElementById("preview"), sent = new URLSearchParams(new FormData(editor));
    const answer = await fetch(editor.dataset.check, { method: "POST", body: sent }).catch(() => null);
    // A later check replaces this one.
    if (!answer || answer.status >= 429 || String(new URLSearchParams(new FormData(editor))) !== String(sent)) return;
    const page = await parsed(answer), now = page.getElementById("preview");
    if (!now) return;
    all("[name]", editor).forEach((field) => {
      const found = all("#editor [name]", page).find((one) => one.name === field.name), label = field.closest("label");
      if (!found || !label || field.type === "radio") return;
      const problem = found.closest("label").querySelector(".problem");
      all(".problem", label).forEach((old) => old.remove());
      // What is still empty was not forgotten yet.
      const isWrong = problem && field.value;
      ["aria-invalid", "aria-describedby", "id"].forEach((name) => {
        if (isWrong) field.setAttribute(name, found.getAttribute(name)); else field.removeAttribute(name);
      });
      if (isWrong) label.append(problem);
    });
    if (answer.ok) shown.replaceChildren(...now.childNodes);
  };
  if (editor) {
    let pause = 0;
    editor.addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(check, 500); });
    editor.addEventListener("click", (event) => {
      if (!event.target.closest("[data-add]")) return;
      event.preventDefault();
      const rows = event.target.closest("fieldset").querySelector(".rows"), last = rows.lastElementChild;
      const number = all("[name]", last)[0].name.split(".")[1], next = Number(number) + 1;
      if (next > Number(rows.dataset.most)) return;
      const row = last.cloneNode(true);
      row.setAttribute("aria-label", say("script-field", next));
      all(".problem", row).forEach((old) => old.remove());
      all("[name]", row).forEach((field) => {
        field.name = field.name.replace("." + number + ".", "." + next + ".");
        ["id", "aria-invalid", "aria-describedby"].forEach((name) => field.removeAttribute(name));
        if (field.type === "checkbox") field.checked = false;
        else if (field.options) field.selectedIndex = 0;
        else field.value = "";
      });
      rows.append(row);
      all("[name]", row)[0].focus();
    });
  }

  // Keys. The sheet of help and the settings turn them off, for this browser.
  const help = document.getElementById("shortcuts"), OFF = "keys-off";
  const move = (step) => {
    const cards = all("article.post"), at = cards.findIndex((post) => post.contains(document.activeElement));
    const post = cards[Math.max(0, Math.min(cards.length - 1, at + (at < 0 && step < 0 ? 0 : step)))];
    const link = post && post.querySelector(".by a.quiet");
    if (link) link.focus();
    if (post) post.scrollIntoView({ block: "nearest" });
  };
  const press = (selector) => {
    const post = document.activeElement.closest("article.post"), part = post && post.querySelector(selector);
    if (part) part.click();
  };
  const seek = (selector, path) => {
    const field = document.querySelector(selector);
    if (field) field.focus(); else location.href = path;
  };
  const ACTS = {
    j: () => move(1), k: () => move(-1), o: () => press(".by a.quiet"), l: () => press(".acts .like"),
    r: () => press(".acts a"), n: () => seek("#compose [name=content]", "/compose"),
    "/": () => seek("[type=search]", "/search"), ".": showFresh, "?": () => help && help.showModal(),
  };
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input,textarea,select,dialog,[contenteditable]");
    const act = ACTS[event.key];
    if (!act || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isOff() && event.key !== "?") return;
    event.preventDefault();
    act();
  });
  const switches = all("[data-keys]");
  const isOff = () => Boolean(localStorage.getItem(OFF));
  const update = () => switches.forEach((label) => {
    label.hidden = false;
    label.firstElementChild.checked = isOff();
  });
  switches.forEach((label) => label.addEventListener("change", (event) => {
    if (event.target.checked) localStorage.setItem(OFF, "1"); else localStorage.removeItem(OFF);
    update();
  }));
  update();

  times();
  setInterval(() => times(), 60000);
  all("textarea[data-count]").forEach(counter);
})();
