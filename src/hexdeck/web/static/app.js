// The app that a phone can keep: its worker lies beside its manifest, and speaks the page's language.
const worker = new URL("sw.js", document.querySelector("link[rel=manifest]").href);
worker.searchParams.set("lang", document.documentElement.lang);
navigator.serviceWorker?.register(worker).catch(() => {});
