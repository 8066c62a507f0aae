// Passkeys: only a script can ask a device. Without it, what offers them stays hidden.
"use strict";
(() => {
  const kind = window.PublicKeyCredential;
  if (!kind || !kind.parseCreationOptionsFromJSON || !kind.parseRequestOptionsFromJSON) return;
  const all = (selector) => [...document.querySelectorAll(selector)];

  // A page that adds a passkey has begun its ceremony; others begin it now.
  const begin = async (form) => {
    const { options, passkey } = form.dataset;
    if (options) return { ceremonyId: form.elements.ceremonyId.value, options: JSON.parse(options) };
    const headers = { "content-type": "application/json" };
    const answer = await fetch(passkey, { method: "POST", headers, body: "{}" });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.error);
    return body;
  };

  const ask = ({ publicKey }) => publicKey.pubKeyCredParams
    ? navigator.credentials.create({ publicKey: kind.parseCreationOptionsFromJSON(publicKey) })
    : navigator.credentials.get({ publicKey: kind.parseRequestOptionsFromJSON(publicKey) });

  // The page hands over what it may say, in its language.
  const words = (error, { stopped, known, failed, refused }) => {
    // What the server says is English.
    if (!(error instanceof DOMException)) return document.documentElement.lang === "en" ? error.message : refused;
    const texts = { NotAllowedError: stopped, AbortError: stopped, InvalidStateError: known };
    return texts[error.name] || failed;
  };

  const submit = async (form) => {
    const [button] = form.getElementsByTagName("button");
    const problem = form.querySelector("[role=alert]");
    button.disabled = true;
    problem.textContent = "";
    try {
      const { ceremonyId, options } = await begin(form);
      form.elements.credential.value = JSON.stringify(await ask(options));
      form.elements.ceremonyId.value = ceremonyId;
      form.submit();
    } catch (error) {
      problem.textContent = words(error, problem.dataset);
    } finally {
      button.disabled = false;
    }
  };

  all("form[data-passkey]").forEach((form) => {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      submit(form);
    });
  });
  all("[data-with-passkeys]").forEach((part) => { part.hidden = false; });
  all("[data-without-passkeys]").forEach((part) => { part.hidden = true; });
})();
