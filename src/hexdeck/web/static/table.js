// The page of a table, kept up to date and moved on without reloading. Everything also works without this script.
import { ask, follow, morpher } from "./connection.js";

const live = document.getElementById("live");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const main = () => document.getElementById("table");
const find = (selector) => [...main().querySelectorAll(selector)];
const time = () => performance.now(); // a clock that nobody sets
const AHEAD = 4000, DEAF = 250; // milliseconds: of beats that may wait for their turn; after a skip, in which nothing is hit
let waiting = [], newest = null, wake = null, deaf = 0, pressed = false, focused = false; // beats to come, the view after them
let stream = null, lost = false, newer = "", busy = false, gone = false, touched = false, dragged = false, goal = "", seen = time(), told = 0;

function tell(text, kind = "refused") {
  const why = document.getElementById("why");
  told = time();
  if (why) Object.assign(why, { textContent: text ?? "" }).dataset.kind = kind;
}

// --- the newest view, and cards that move from where they were ---
const spots = () => find("[data-code]").map((node) => ({ id: node.id, code: node.dataset.code, box: node.getBoundingClientRect() }));

let flown = []; // what holds its last frame until the next beat, so that nothing is painted anew in between
function fly(before, from, cue) {
  for (const each of flown.splice(0)) {
    each.cancel();
    each.effect.target.style.willChange = "";
  }
  if (still.matches) return;
  const known = new Map(before.map((spot) => [spot.id, spot])), now = find("[data-code]");
  const stays = new Set(now.filter((node) => known.get(node.id)?.code === node.dataset.code).map((node) => node.id));
  const left = before.filter((spot) => !stays.has(spot.id));
  const take = (code) => { const k = left.findIndex((spot) => spot.code === code); return k < 0 ? null : left.splice(k, 1)[0].box; };
  const caught = (code) => cue === "curse" && before.find((spot) => spot.code === code)?.box || undefined; // from where it still lies
  const boxes = now.map((node) => node.getBoundingClientRect()), apart = cue === "deal" ? 60 : 0; // all at once, before anything moves
  let moved = 0;
  for (const [k, node] of now.entries()) {
    const old = stays.has(node.id) ? known.get(node.id).box : take(node.dataset.code) ?? (node.dataset.code ? caught(node.dataset.code) ?? take("") ?? from : null);
    const box = boxes[k], x = old && old.x - box.x + (old.width - box.width) / 2, y = old && old.y - box.y + (old.height - box.height) / 2;
    if (!old || !box.width || !old.width || Math.abs(x) + Math.abs(y) < 4) continue;
    const scale = old === from && !from.heap ? 0.4 : old.width / box.width, far = Math.hypot(x, y), at = (part, lift) => `translate(${x * part}px, ${y * part - lift}px) scale(${1 + (scale - 1) * part})`;
    if (cue !== undefined) node.style.willChange = "transform";
    flown.push(node.animate([{ transform: at(1, 0) }, { transform: at(0.5, Math.min(24, far / 8)), offset: 0.5 }], // in a slight arc
      { duration: Math.min(420, 260 + far / 4), delay: Math.min(apart * moved++, 420), easing: "cubic-bezier(.3,.2,.3,1)", fill: cue === undefined ? "backwards" : "both" }));
  }
}
// cards face down, of which some may be gone a step later: a deck, or a hand where it is drawn
const heaps = () => find(".many[id]").map((node) => ({ id: node.id, size: Number(node.lastChild.textContent), box: node.previousElementSibling?.querySelector(".card")?.getBoundingClientRect() }));
const drawn = (before) => before.find(({ id, size, box }) => box?.width && size > Number(document.getElementById(id)?.lastChild.textContent ?? 0))?.box;
const parsed = (html) => new DOMParser().parseFromString(html, "text/html");
const version = (node) => node.dataset.version ?? node.dataset.ply, current = () => version(newest ?? main());

// what is read and what is shown are two tasks: neither keeps a finger waiting for long
const breath = () => new Promise((done) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = done;
  port2.postMessage(0);
});

// beats are played where they follow what is shown; else, as after a sleep, the newest view comes at once
async function show(page, steps) {
  const morph = await morpher(), fresh = page.getElementById("table"), running = newest;
  if (!fresh || (Number(fresh.dataset.version) < Number(current()) && !fresh.matches(".curtain"))) return;
  const ahead = waiting.reduce((sum, beat) => sum + Number(beat.dataset.hold), 0);
  if (steps && steps.dataset.follows === current() && ahead < AHEAD && !document.hidden && find("#felt")[0]) waiting.push(...steps.querySelectorAll("template"));
  else if (version(fresh) !== current() || (fresh.matches(".curtain") && !newest?.matches(".curtain"))) skip();
  fresh.came = time();
  newest = fresh;
  if (running) return; // it comes after the beats that are being played
  await breath();
  try {
    while (waiting.length) await play(morph, waiting.shift());
  } finally {
    const last = newest;
    newest = null;
    if (last) settle(morph, last);
  }
}
function play(morph, beat) {
  const before = spots(), lying = heaps(), parts = document.importNode(beat.content, true), hold = beat.dataset.hold * (live.dataset.pace ?? 1);
  const lit = beat.dataset.lit.split(" "), plates = lit.filter((id) => id.startsWith("plate-"));
  focused ||= main().contains(document.activeElement);
  darken();
  for (const part of [...parts.children].filter((each) => each.id)) {
    const old = document.getElementById(part.id);
    if (old) morph(old, part);
  }
  main().classList.add("telling");
  (document.getElementById("prompt") ?? document.getElementById("told"))?.replaceChildren(...parts.querySelector(".line").childNodes);
  const nodes = lit.map((id) => document.getElementById(id)).filter(Boolean), boxes = new Map(nodes.map((node) => [node, node.getBoundingClientRect()]));
  const heap = drawn(lying), from = heap ? Object.assign(heap, { heap: true }) : plates.length === 1 ? boxes.get(document.getElementById(plates[0])) : null;
  fly(before, from, beat.dataset.cue); // from where it was drawn, or from who plays it
  for (const node of nodes) node.classList.add("lit");
  main().dataset.cue = beat.dataset.cue;
  const around = nodes.flatMap((node) => [node, node.closest(".slot"), node.closest(".cards")]); // what moves with them
  for (const node of [...around, find(".veil")[0]]) node?.style.setProperty("--hold", `${hold}ms`);
  document.dispatchEvent(new CustomEvent("beat", { detail: { ...beat.dataset, hold, boxes, spotlight: parts.querySelector(".decisive") } })); // for movement and sound
  return new Promise((done) => { wake = done; setTimeout(done, hold); });
}
function darken() { // so that a light that is lit again begins anew
  for (const node of find(".lit")) node.classList.remove("lit");
  delete main().dataset.cue;
}
const skip = () => { waiting = []; wake?.(); };
// the first tap or key while something is shown only skips it, and what lies under it can't be hit for a moment
for (const type of ["pointerdown", "click", "keydown"]) addEventListener(type, (event) => {
  const written = event.ctrlKey || event.metaKey || event.altKey || ["Tab", "Shift"].includes(event.key) || event.target.closest?.("input:not([type=checkbox]), select, textarea");
  if (type === "keydown" ? written : !event.target.closest?.("#room")) return;
  if (newest) {
    skip();
    deaf = time() + DEAF;
    pressed = type === "pointerdown";
  } else if (time() >= deaf && !(pressed && type === "click" && event.detail)) {
    pressed = false;
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

function settle(morph, fresh) {
  darken();
  const before = spots(), from = find(".plate.acting:not(.me)")[0]?.getBoundingClientRect();
  const picked = new Map(find(".pick input:checked").map((box) => [box.id, box.value])), held = focused || main().contains(document.activeElement);
  focused = false;
  const same = fresh.dataset.version === main().dataset.version, armed = same ? find(".armed") : [];
  if (!same && time() - told > 4000 && !lost) tell("");
  morph(main(), fresh, {
    callbacks: {
      beforeAttributeUpdated: (name, node) => !(name === "open" && node.matches("details") && node.firstChild), // one that is new has none yet
      beforeNodeMorphed: (old) => !["why", "words", "hint", "turning", "contribution", "code"].includes(old.id) && !(old.id === "name" && old === document.activeElement),
    },
  });
  document.body.classList.toggle("laid", !!find("#felt")[0]);
  document.body.classList.toggle("laid-board", main().matches(".boarded"));
  for (const box of find(".pick input")) box.checked = picked.get(box.id) === box.value;
  for (const node of armed) node.classList.add("armed");
  seen = fresh.came;
  together();
  fly(before, from);
  document.dispatchEvent(new CustomEvent("settled"));
  const cell = find(".cell.open")[0], now = document.activeElement; // after a card its cell is chosen
  if (held && (now.matches("body, .taken") || (cell && now.closest(".hand")))) (cell ?? find(".legal, .moves button")[0] ?? main()).focus({ preventScroll: true });
  const next = goal && find(`.cell.open[data-cell="${goal}"]`)[0];
  goal = "";
  next?.click?.();
}

// --- the stream: closed while nobody looks ---
function listen() {
  if (!live.dataset.stream || document.hidden || stream || gone) return;
  let beats = null;
  stream = follow(live.dataset.stream, [live.dataset.stream, live.dataset.pace, live.dataset.turnAt, document.documentElement.lang, build].join(), {
    beat: (now) => { newer = now; renew(); },
    beats: (html) => { beats = parsed(html).querySelector("[data-follows]"); },
    table: (html) => { back(); show(parsed(html), beats); beats = null; },
    look: () => look(location.href),
    lost: () => { lost = true; tell(live.dataset.lost); },
  });
}
const hush = () => { stream?.close(); stream = null; }, again = () => (stream ? stream.again() : listen());
const back = () => { if (lost) tell(""); lost = false; };
const leave = () => { hush(); skip(); if ("shared" in main().dataset) { newest = null; main().replaceChildren(); } }; // nobody's cards to who goes back
document.addEventListener("visibilitychange", () => { if (document.hidden) { hush(); skip(); } else listen(); });
for (const [event, act] of [["pagehide", leave], ["pageshow", listen], ["online", again]]) addEventListener(event, act);

// a page that is open across an upgrade is loaded anew, once, while its reader isn't to move and types nothing
const { build } = document.documentElement.dataset, typing = () => document.activeElement?.matches("input:not([type=checkbox]), textarea, select");
function renew() {
  if (!newer || newer === build || newest || "turn" in main().dataset || typing() || history.state?.newer === newer) return;
  history.replaceState({ newer }, "");
  location.reload();
}
document.addEventListener("settled", renew);

// --- asking the server ---
// the page itself, where its stream is silent; a table that is no more is not waited for. What isn't ours comes from something on the way
export async function look(address) {
  try {
    const answer = await ask(address), page = parsed(await answer.text()), why = page.querySelector("#main h1 + p"), before = current();
    newer = page.documentElement.dataset.build ?? newer;
    gone = [403, 404, 410].includes(answer.status) && !!why;
    if (gone) { hush(); tell(why.textContent); }
    if (!answer.ok || !page.getElementById("table")) return gone;
    back();
    await show(page, page.querySelector("[data-follows]"));
    return current() === before ? "same" : "news";
  } catch { return false; }
}

// --- moves ---
async function send(form, submitter) {
  busy = true;
  try {
    const body = new URLSearchParams(new FormData(form)), at = current();
    if (submitter?.name) body.append(submitter.name, submitter.value);
    const answer = await ask(submitter?.getAttribute("formaction") ?? form.action, { method: "POST", headers: { Hexdeck: "1" }, body });
    const said = answer.status === 204 ? {} : await answer.json(); // all else isn't from our server
    if (said.go) location.assign(said.go);
    tell(said.why ?? said.error ?? (answer.ok ? "" : live.dataset.failed));
    answer.ok ? form.querySelector("#words")?.form.reset() : (goal = "");
    if (answer.status === 204 && live.dataset.stream) setTimeout(() => current() === at && look(location.href), 2000);
  } catch { tell(live.dataset.failed); }
  busy = false;
}

document.addEventListener("submit", (event) => {
  if (!("fetch" in event.target.dataset) || !("submitter" in event)) return; // what was pressed isn't said: the form does it by itself
  event.preventDefault();
  disarm();
  if (busy) tell(live.dataset.busy, "hint");
  else send(event.target, event.submitter);
});

const disarm = () => find(".armed").forEach((node) => node.classList.remove("armed"));
function together() {
  const button = document.getElementById("together"), chosen = find(".pick input:checked").map((box) => box.value).sort().join(" ");
  if (!button) return;
  const label = JSON.parse(button.dataset.groups)[chosen];
  button.disabled = !label;
  button.textContent = label ?? (chosen ? button.dataset.some.replace("…", chosen.split(" ").length) : button.dataset.wait);
}

document.addEventListener("change", (event) => {
  if (!event.target.matches(".pick input")) return;
  const size = Number(document.getElementById("together").dataset.size), others = find(".pick input:checked").filter((box) => box !== event.target);
  others.slice(0, Math.max(0, others.length + event.target.checked - size)).forEach((box) => { box.checked = false; });
  together();
});

// a finger says first what it would do, and does it the second time; a mouse and keys do it at once
addEventListener("pointerdown", (event) => { touched = event.pointerType === "touch"; }, true);
addEventListener("click", (event) => {
  const button = event.target.closest?.(".card[name=move], .cell[name=move]");
  if (dragged && event.detail) event.preventDefault();
  if (button && touched && event.detail && !button.classList.contains("armed")) {
    event.preventDefault();
    disarm();
    button.classList.add("armed");
    tell(live.dataset.again.replace("…", button.getAttribute("aria-label")), "hint");
  }
  if (touched && event.target.closest?.(".counted[title]")) tell(event.target.closest(".counted").title, "hint");
  dragged = false;
}, true);

// --- keys: arrows go from card to card, a number goes to that card or move; Enter plays ---
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  const group = event.target.closest(".grid, .cards, .moves"), step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const columns = Number(group?.className.match(/columns-(\d+)/)?.[1] ?? 0), leap = { ArrowDown: columns, ArrowUp: -columns }[event.key];
  if (group && (step || leap)) {
    const all = [...group.querySelectorAll(".cell, button, input")], usable = (node) => node?.matches("button:not(.taken), input");
    const from = all.indexOf(event.target), row = (k) => Math.floor(k / columns), away = (k) => Math.abs(k - from - leap);
    let at = from;
    do at += step || leap; while (all[at] && !usable(all[at]));
    if (!all[at] && leap) at = [...all.keys()].filter((k) => usable(all[k]) && (row(k) - row(from)) * leap > 0).sort((one, other) => away(one) - away(other))[0];
    if (all[at]) { event.preventDefault(); all[at].focus(); }
  } else if (/^\d$/.test(event.key)) {
    const code = event.key === "0" ? "10" : event.key, moves = [...find(".moves button"), ...find(".hand .legal:not(.pick), .pick input")];
    (moves.find((node) => (node.dataset.code ?? node.value) === code) ?? moves[Number(code) - 1])?.focus();
  }
});

// --- a mouse or a finger may drag a card to the table, or to its cell ---
addEventListener("pointerdown", (start) => {
  const card = start.target.closest?.(".hand .card[name=move]"), ended = new AbortController();
  if (!card || start.button || !start.isPrimary) return;
  const move = (event) => {
    const x = event.clientX - start.clientX, y = event.clientY - start.clientY;
    if (!dragged && Math.hypot(x, y) < 9) return;
    dragged = true;
    Object.assign(card.style, { transform: `translate(${x}px, ${y}px)`, pointerEvents: "none", zIndex: 9 });
  };
  const drop = (event) => {
    ended.abort();
    const under = event.type === "pointerup" ? document.elementFromPoint(event.clientX, event.clientY) : null;
    card.removeAttribute("style");
    if (dragged && under?.closest("#felt")) {
      goal = under.closest(".cell")?.dataset.cell ?? "";
      card.click();
    }
    setTimeout(() => { dragged = false; });
  };
  for (const [name, act] of [["pointermove", move], ["pointerup", drop], ["pointercancel", drop]]) addEventListener(name, act, { signal: ended.signal });
});

// --- the clock ---
setInterval(() => {
  const clock = document.getElementById("clock"), left = Math.max(0, Math.round(clock?.dataset.left - (time() - seen) / 1000));
  const [hours, minutes, seconds] = [left / 3600, (left / 60) % 60, left % 60].map((each) => String(Math.floor(each)));
  if (clock) clock.querySelector(".ticks").textContent = hours > 0 ? `${hours}:${minutes.padStart(2, "0")}:${seconds.padStart(2, "0")}` : `${minutes}:${seconds.padStart(2, "0")}`;
}, 1000);
together();
listen();
