// Kept on the device: a page that says there is no connection, and the files it needs. Nothing of any table.
const { prefix, kept, page, files, call, picture } = SITE;
const there = (request) => fetch(request).catch(() => caches.match(request, { ignoreSearch: false }));

addEventListener("install", (event) => event.waitUntil((async () => {
  await (await caches.open(kept)).addAll([page, ...files]);
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== kept) await caches.delete(name);
  await registration.navigationPreload?.enable();
  await clients.claim();
})()));

async function visited(event) {
  try { return (await event.preloadResponse) || (await fetch(event.request)); }
  catch { return caches.match(page); }
}

// A call that it is somebody's turn leads to their table, where it is open already or anew; it goes if the turn is over.
const place = (table) => new URL(`table/${table}`, registration.scope).href;
async function opened(address) {
  return (await clients.matchAll({ type: "window", includeUncontrolled: true })).find((each) => each.url.split(/[?#]/)[0] === address);
}
async function called(table) {
  if ((await opened(place(table)))?.visibilityState === "visible") return;
  await registration.showNotification(call, { tag: table, data: table, icon: picture });
  const answer = await fetch(`${place(table)}/turn`, { headers: { Hexdeck: "1" } }).catch(() => null);
  if (!answer?.ok || (await answer.json()).turn) return;
  for (const each of await registration.getNotifications({ tag: table })) each.close();
}
async function answered(notice) {
  notice.close();
  const address = place(notice.data), open = await opened(address);
  return open ? open.focus() : clients.openWindow(address);
}
addEventListener("push", (event) => event.waitUntil(called(event.data.json().table)));
addEventListener("notificationclick", (event) => event.waitUntil(answered(event.notification)));

addEventListener("fetch", (event) => {
  const { mode, method, url } = event.request;
  if (method !== "GET") return;
  if (mode === "navigate") event.respondWith(visited(event));
  else if (files.includes(new URL(url).pathname)) event.respondWith(there(event.request));
});
