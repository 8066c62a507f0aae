// Finds the proof of work that a form needs, while it is filled in. The challenge is in the form; one
// that has expired by then is replaced by a new one. The clock of the device may be wrong, so only the
// time that has passed counts.
"use strict";
(() => {
  const LIFE = 9 * 60 * 1000; // a minute less than the server allows
  const bytes = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));
  const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  const solve = async (challenge) => {
    const { cost, keyLength, keyPrefix, nonce, salt } = challenge.parameters;
    const start = bytes(nonce), password = new Uint8Array(start.length + 4);
    password.set(start);
    const way = { name: "PBKDF2", hash: "SHA-256", salt: bytes(salt), iterations: cost };
    for (let counter = 0; ; counter++) {
      new DataView(password.buffer).setUint32(start.length, counter);
      const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
      const derivedKey = hex(await crypto.subtle.deriveBits(way, key, keyLength * 8));
      if (derivedKey.startsWith(keyPrefix)) return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
    }
  };

  document.querySelectorAll("form[data-proof]").forEach((form) => {
    const field = form.elements.proof, note = form.querySelector("[data-working]");
    const problem = form.querySelector("[data-failed]");
    let since = performance.now();
    const begin = async (challenge) => { field.value = await solve(await challenge); };
    let found = begin(JSON.parse(form.dataset.proof));
    form.addEventListener("submit", async (event) => {
      const isExpired = performance.now() - since > LIFE;
      if (field.value && !isExpired) return;
      event.preventDefault();
      note.hidden = false;
      problem.textContent = "";
      if (isExpired) {
        since = performance.now();
        field.value = "";
        found = begin(fetch("/api/auth/challenge").then((answer) => answer.json()));
      }
      try {
        await found;
      } catch {
        // The network failed, or the page has no right to compute; another attempt needs another challenge.
        since = -Infinity;
        note.hidden = true;
        problem.textContent = problem.dataset.failed;
        return;
      }
      form.requestSubmit();
    });
  });
})();
