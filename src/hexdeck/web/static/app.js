// The app that a phone can keep: its worker lies beside its manifest, and speaks the page's language.
const worker = new URL("sw.js", document.querySelector("link[rel=manifest]").href);
worker.searchParams.set("lang", document.documentElement.lang);
navigator.serviceWorker?.register(worker).catch(() => {});

// A promise is good for one deal: it isn't sent twice by a double click, nor from a page that the browser has kept.
let sent = -Infinity;
addEventListener("submit", (event) => {
  if (!event.target.elements.promise) return;
  if (performance.now() - sent < 3000) event.preventDefault();
  else sent = performance.now();
});
addEventListener("pageshow", (event) => {
  if (event.persisted && document.querySelector("[name=promise]")) location.reload();
});

// What lies beside a table can be shut, and stays so.
function keepShut() {
  const beside = document.getElementById("beside");
  try { if (beside) beside.open = localStorage.getItem("beside") !== "shut"; } catch { /* then it is open */ }
}
document.addEventListener("toggle", ({ target }) => {
  if (target.id !== "beside") return;
  try { localStorage.setItem("beside", target.open ? "open" : "shut"); } catch { /* then it is open next time */ }
}, true);
document.addEventListener("settled", keepShut);
keepShut();
