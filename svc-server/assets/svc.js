// What makes pages quicker. Without it every page works the same, by forms and links.
"use strict";
(() => {
  const all = (selector, within) => [...(within || document).querySelectorAll(selector)];

  // How long ago, as the server says it too.
  const ago = (at) => {
    const seconds = Math.max(0, (Date.now() - at) / 1000);
    if (seconds < 60) return "now";
    if (seconds < 3600) return Math.floor(seconds / 60) + " min";
    if (seconds < 86400) return Math.floor(seconds / 3600) + " h";
    return seconds < 604800 ? Math.floor(seconds / 86400) + " d" : null;
  };
  const times = (within) => all("time[datetime]", within).forEach((time) => {
    const at = Date.parse(time.dateTime);
    if (isNaN(at)) return;
    time.title = new Date(at).toLocaleString();
    const text = /^(now|\d+ (min|h|d))$/.test(time.textContent) && ago(at);
    if (text) time.textContent = text;
  });

  // What is left of the longest text; characters, not UTF-16 units.
  const counter = (area) => {
    const left = area.form && area.form.querySelector("[data-left]");
    if (!left) return;
    const most = Number(area.maxLength);
    area.removeAttribute("maxlength");
    const show = () => {
      const length = [...area.value].length;
      left.textContent = length ? length.toLocaleString() + " of " + most.toLocaleString() : "";
      area.setCustomValidity(length > most ? "at most " + most + " characters" : "");
    };
    area.addEventListener("input", show);
    show();
  };

  // Likes, reposts and bookmarks in place.
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
      const answer = await fetch("/api/posts/" + id + "/" + what, { method: undo ? "DELETE" : "POST" });
      if (!answer.ok) throw new Error(String(answer.status));
      const now = await answer.json();
      const count = now[what + "sCount"];
      button.setAttribute("formaction", "/post/" + id + "/" + (undo ? "" : "un") + what);
      button.setAttribute("aria-pressed", String(!undo));
      if (count !== undefined) {
        button.lastChild.textContent = count;
        button.setAttribute("aria-label", button.getAttribute("aria-label").replace(/\d+$/, count));
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

  // "Show more" in place.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[rel=next]");
    const list = document.getElementById("list");
    if (!link || !list || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    link.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(link.href, { headers: { accept: "text/html" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const more = page.getElementById("list"), next = page.querySelector("a[rel=next]");
      const first = more.firstElementChild;
      times(more);
      list.append(...more.childNodes);
      if (next) link.replaceWith(next); else link.parentNode.remove();
      const focus = first && first.querySelector("a[href]:not([tabindex='-1'])");
      if (focus) focus.focus({ preventScroll: true });
    } catch {
      location.href = link.href;
    }
  });

  // Copies what stands in an element.
  all("button[data-copy]").forEach((button) => {
    if (!navigator.clipboard) return;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = "Copied";
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

  // One click sends a form once; going back gives the button again.
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    if (event.target.dataset.sent) return event.preventDefault();
    if (event.target.method === "post" && event.target.id !== "act") event.target.dataset.sent = "1";
  });
  addEventListener("pageshow", () => all("form").forEach((form) => delete form.dataset.sent));

  // What others do meanwhile: looked for ever less often, and not while somebody is busy there.
  let pause = 4000;
  const look = async () => {
    const shown = document.querySelector("[data-live][id]");
    if (!shown) return;
    if (!document.hidden && !shown.contains(document.activeElement)) {
      try {
        const answer = await fetch(location.href, { headers: { accept: "text/html" } });
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const now = page.getElementById(shown.id);
        if (!answer.ok || !now) return;
        times(now);
        if (now.textContent !== shown.textContent) {
          shown.replaceWith(now);
          pause = 4000;
        }
      } catch { /* The server may be back by the next time. */ }
    }
    pause = Math.min(pause * 1.25, 60000);
    setTimeout(look, pause);
  };
  setTimeout(look, pause);

  times();
  setInterval(() => times(), 60000);
  all("textarea[data-count]").forEach(counter);
})();
