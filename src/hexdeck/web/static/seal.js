// Words for the shuffle are sealed: their hash is sent in their place, and they are shown once every seat is taken.
const PLACE = "sealed ", MOST = 95;
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

let sealed = null;
document.addEventListener("input", async ({ target }) => {
  if (!target.matches?.("[data-seals]") || !globalThis.crypto?.subtle) return;
  sealed = null;
  const typed = target.value;
  if (!typed || typed.length > MOST || typed.startsWith("sealed:")) return;
  const words = `${typed} ${hex(crypto.getRandomValues(new Uint8Array(16)))}`;
  const hash = hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(words)));
  if (target.value === typed) sealed = { typed, words, hash };
});
document.addEventListener("formdata", ({ formData }) => {
  if (!sealed || formData.get("contribution") !== sealed.typed) return;
  try { localStorage.setItem(PLACE + sealed.hash, sealed.words); } catch { return; } // then they are sent as they are
  formData.set("contribution", `sealed:${sealed.hash}`);
});

function kept(form) {
  try { return localStorage.getItem(PLACE + form.dataset.seal); } catch { return null; }
}
async function show() {
  const form = document.getElementById("show-words"), words = form && kept(form);
  if (!words || form.dataset.sent) return;
  form.dataset.sent = "yes";
  const body = new URLSearchParams({ contribution: words });
  const answer = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { hexdeck: "1" } }).catch(() => null);
  if (answer?.ok) localStorage.removeItem(PLACE + form.dataset.seal);
  else delete form.dataset.sent;
}
document.addEventListener("settled", show);
show();
