// Kept on the device: a page that says there is no connection, and the files it needs. Nothing of any table.
const { mine, kept, page, files } = SITE;
const there = (request) => fetch(request).catch(() => caches.match(request, { ignoreSearch: false }));

addEventListener("install", (event) => event.waitUntil((async () => {
  await (await caches.open(kept)).addAll([page, ...files]);
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith(mine) && name !== kept) await caches.delete(name);
  await registration.navigationPreload?.enable();
  await clients.claim();
})()));

async function visited(event) {
  try { return (await event.preloadResponse) || (await fetch(event.request)); }
  catch { return caches.match(page); }
}

// A call that it is somebody's turn leads to their table, where it is open already or anew.
async function answered(call) {
  const address = new URL(`table/${call.data}`, registration.scope).href;
  call.close();
  const open = (await clients.matchAll({ type: "window", includeUncontrolled: true })).find((each) => each.url.split(/[?#]/)[0] === address);
  return open ? open.focus() : clients.openWindow(address);
}
addEventListener("notificationclick", (event) => event.waitUntil(answered(event.notification)));

addEventListener("fetch", (event) => {
  const { mode, method, url } = event.request;
  if (method !== "GET") return;
  if (mode === "navigate") event.respondWith(visited(event));
  else if (files.includes(new URL(url).pathname)) event.respondWith(there(event.request));
});
