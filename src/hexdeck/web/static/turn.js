// Whose turn it is, in front or not: title and icon say so; a call where it is wanted; the screen stays awake while one plays.
import { ask as request } from "./connection.js";

const live = document.getElementById("live"), main = () => document.getElementById("table");
const { turnAt, myTurn, myIcon, call, tag, icon: picture } = live.dataset;
const sign = document.querySelector("link[rel=icon]"), usual = { title: document.title, icon: sign.href };
const unseen = () => document.hidden || !document.hasFocus();
let isTurn = false, over = !turnAt, left = performance.now(), timer = 0;

function mark(now) {
  document.title = now ? myTurn : usual.title;
  sign.href = now ? myIcon : usual.icon;
}
function show(now) { // each turn is announced once
  if (now === isTurn) return;
  isTurn = now;
  mark(now);
  document.dispatchEvent(new CustomEvent("turn", { detail: { isTurn } }));
  isTurn ? ring() : hush();
}

// --- while nobody looks, the stream is closed: the page asks now and then, less and less often ---
async function ask() {
  try {
    const answer = await request(turnAt, { headers: { Hexdeck: "1" } });
    const said = answer.ok ? await answer.json() : { turn: false, over: [403, 404, 410].includes(answer.status) };
    if (document.hidden && (answer.ok || said.over)) {
      over = said.over;
      show(said.turn);
    }
  } catch { /* the next time it may do */ }
  wait();
}
function wait() {
  clearTimeout(timer);
  if (document.hidden && !over) timer = setTimeout(ask, Math.min(60000, 4000 + (performance.now() - left) / 20));
}
document.addEventListener("settled", () => {
  over ||= main().matches(".done");
  if (turnAt) show("turn" in main().dataset);
});
document.addEventListener("visibilitychange", () => {
  left = performance.now();
  wait();
  if (!document.hidden) hush();
});
addEventListener("focus", () => hush());

// --- a call: asked for by its button, never by itself; it says nothing but that it is time ---
const bell = document.getElementById("bell"), able = bell && turnAt && isSecureContext && "Notification" in window && navigator.serviceWorker && "getNotifications" in ServiceWorkerRegistration.prototype;
const remembered = () => { try { return localStorage.getItem("bell"); } catch { return null; } };
let wanted = able && Notification.permission === "granted" && remembered() === "on";
const worker = () => navigator.serviceWorker.ready;

let told = false; // whether the server calls, also while no page is open
async function tell(on) {
  const { pushKey, pushAt } = live.dataset;
  told = false;
  if (!pushKey || !("PushManager" in window)) return;
  try {
    const { pushManager } = await worker();
    let known = await pushManager.getSubscription();
    const same = known && btoa(String.fromCharCode(...new Uint8Array(known.options.applicationServerKey))).replace(/[+/=]/g, (each) => ({ "+": "-", "/": "_" })[each] ?? "") === pushKey;
    if (known && !same) known = (await known.unsubscribe(), null);
    if (on) known ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
    if (!known) return;
    const { endpoint, keys } = known.toJSON(), body = new URLSearchParams({ endpoint, ...keys, on: on ? "yes" : "no" });
    const answer = await request(pushAt, { method: "POST", headers: { Hexdeck: "1" }, body });
    told = on && answer.ok;
    if (!on) await known.unsubscribe();
  } catch { /* it has no push service: the page calls as long as it is open */ }
}
async function ring() {
  if (wanted && unseen() && !(told && document.hidden)) (await worker()).showNotification(call, { tag, data: tag, icon: picture }).catch(() => {});
}
async function hush() {
  if (!able) return;
  for (const each of await (await worker()).getNotifications({ tag })) each.close();
}
async function choose() {
  const allowed = wanted || (await Notification.requestPermission()) === "granted";
  if (!allowed) return Object.assign(document.getElementById("why") ?? {}, { textContent: live.dataset.blocked });
  wanted = !wanted;
  bell.setAttribute("aria-pressed", wanted);
  try { localStorage.setItem("bell", wanted ? "on" : "off"); } catch { /* then it is asked again next time */ }
  tell(wanted);
  if (!wanted) hush();
}
if (able) {
  bell.hidden = false;
  bell.setAttribute("aria-pressed", wanted);
  bell.addEventListener("click", choose);
  if (wanted) tell(true);
}

// --- the screen stays awake while the match is lively, and somebody looks ---
const LIVELY = 300000; // milliseconds since something happened
let lock = null, asking = false, stirred = performance.now(), known = main().dataset.version;
async function rouse() {
  const lively = !document.hidden && live.dataset.stream && !("days" in live.dataset) && !main().matches(".done, .waiting") && performance.now() - stirred < LIVELY;
  if (!lively) return lock?.release();
  if (lock || asking || !navigator.wakeLock) return;
  asking = true;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => { lock = null; });
  } catch { /* its battery is low, or it won't */ }
  asking = false;
}
function stir() {
  stirred = performance.now();
  rouse();
}
for (const type of ["pointerdown", "keydown"]) addEventListener(type, stir);
document.addEventListener("settled", () => {
  if (main().dataset.version === known) return rouse();
  known = main().dataset.version;
  stir();
});
document.addEventListener("visibilitychange", rouse);
setInterval(rouse, 30000);

if (turnAt) {
  isTurn = "turn" in main().dataset;
  mark(isTurn);
}
rouse();
wait();
