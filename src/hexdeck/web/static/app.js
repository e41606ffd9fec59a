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
