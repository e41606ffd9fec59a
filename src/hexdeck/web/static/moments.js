// Moments that a style sheet can't show: what flies over the table, cards that turn, numbers that run; and when to sound.
// Words over the table are in words.js.
const live = document.getElementById("live"), still = matchMedia("(prefers-reduced-motion: reduce)"), main = () => document.getElementById("table");
const pieces = Object.assign(document.createElement("div"), { className: "pieces", ariaHidden: "true" });
document.body.append(pieces);
const SVG = "http://www.w3.org/2000/svg", OUT = "cubic-bezier(.2,.7,.2,1)", CHIPS = /^zone-(chips|stake|pot)\b/;
const LONGEST = 900; // milliseconds: of a movement

// --- pieces: made in the first frame of a beat, taken away when the next begins ---
function piece(kind, x, y, ...inside) {
  const node = Object.assign(document.createElement("div"), { className: kind });
  Object.assign(node.style, { left: `${x}px`, top: `${y}px` });
  node.append(...inside);
  return pieces.appendChild(node);
}
function drawing(symbol) {
  const svg = document.createElementNS(SVG, "svg"), use = document.createElementNS(SVG, "use");
  svg.setAttribute("class", "art");
  svg.setAttribute("viewBox", /^(card-back|gift-)/.test(symbol) ? "0 0 100 140" : "0 0 100 100");
  use.setAttribute("href", `${live.dataset.sprite}#${symbol}`);
  svg.append(use);
  return svg;
}
function sign(name, x, y, frames, duration, more = {}) {
  const node = piece(`piece ${more.kind ?? ""}`, x, y, drawing(`sign-${name}`));
  if (more.size) node.style.setProperty("--size", `${more.size}px`);
  node.animate(frames, { duration: Math.min(duration, LONGEST), easing: OUT, fill: "both", ...more });
}
let kept = []; // of the page itself: what holds its last frame until the next beat, so that nothing is painted anew before
const sweep = () => {
  for (const each of kept.splice(0)) each.cancel();
  [...pieces.children, ...document.querySelectorAll(".turning")].filter((node) => !node.matches(".speech, .caption, .decisive") && node.getAnimations({ subtree: true }).every((each) => each.playState === "finished")).forEach((node) => node.remove());
};
const spot = (node, boxes) => [node.querySelector(".head, .emblem")].find((each) => each?.getClientRects().length)?.getBoundingClientRect() ?? boxes.get(node) ?? node.getBoundingClientRect(); // a seat's face, a gift's picture
const middle = (box) => ({ ...box.toJSON(), x: box.x + box.width / 2, y: box.y + box.height / 2 });

// --- each cue's own pieces: beside a card or over a face that is lit, and over no name or number ---
const moon = (...frames) => (at, hold) => sign("moon", at.right + 32, at.y - 8, frames, hold); // beside what is turned up
const pop = [{ opacity: 0, scale: 0.3 }, { opacity: 1, scale: 1.2, offset: 0.4 }, { opacity: 0, scale: 1, translate: "0 -24px" }];
const SIGNS = {
  moon: moon({ translate: "0 40px", opacity: 0 }, { translate: "0 -4px", opacity: 1, offset: 0.6 }, { translate: "0 0", opacity: 1 }),
  "last-night": moon({ translate: "0 -12px", opacity: 1 }, { translate: "0 40px", opacity: 0 }),
  growl: (at, hold) => sign("claws", at.x, at.y, [{ scale: "1.6 0", opacity: 0 }, { scale: "1.6 0", opacity: 0, offset: 0.35 }, { scale: 1.8, opacity: 1, offset: 0.55 }, { scale: 1.8, opacity: 0 }], hold),
  feast(at, hold) {
    for (let k = 0; k < 14; k += 1) {
      const turn = k * 2.4, far = 60 + 8 * (k % 7);
      sign("star", at.x, at.y, [{ opacity: 0, scale: 0.2 }, { opacity: 1, scale: 0.9, offset: 0.3 }, { opacity: 0, scale: 0.5, rotate: "160deg", translate: `${Math.cos(turn) * far * 1.6}px ${Math.sin(turn) * far}px` }], hold * 0.6, { delay: k * hold * 0.025 });
    }
  },
};
const GIFTS = { "upside-down": "", "early-bird": "star", "little-one": "", second: "crown", mercy: "" }; // and their signs over the card that wins by them
for (const cue in GIFTS) SIGNS[cue] = (at, short) => { // a gift's picture comes from its place to the middle, turns up, can be read there, and goes back
  const symbol = at.node.querySelector(".emblem use")?.getAttribute("href").split("#")[1], table = middle((main().querySelector("#stage") ?? main().querySelector("#felt")).getBoundingClientRect());
  if (!symbol) return GIFTS[cue] && !still.matches && sign(GIFTS[cue], at.x, at.top, pop, short);
  const card = Object.assign(document.createElement("div"), { className: "card" }), long = Math.min(500, at.hold / 4), near = { translate: "0 0", scale: 1 }, place = { translate: `${at.x - table.x}px ${at.y - table.y}px`, scale: 0.2 };
  card.append(drawing(card.dataset.code = symbol));
  piece("gift", table.x, table.y, card);
  if (still.matches) return card.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 120, fill: "both" });
  turn([card]);
  card.animate([place, near], { duration: long, easing: OUT, fill: "both" });
  card.animate([near, place], { duration: long, delay: at.hold - long, easing: "ease-in", fill: "forwards" });
};

// --- cards that turn about their long axis: the back first, the face from the middle on ---
function turn(nodes) {
  for (const card of nodes.flatMap((node) => (node.matches(".card") ? node : node.matches(".plate") ? [] : [...node.querySelectorAll(".card")]))) { // not what lies before a seat that is lit
    const face = card.querySelector(".art"), back = drawing("card-back"), how = { duration: 320, fill: "both" };
    if (!card.dataset.code || !face) continue;
    card.appendChild(back).classList.add("turning");
    kept.push(face.animate([{ rotate: "y -90deg" }, { rotate: "y -90deg", offset: 0.5 }, { rotate: "y 0deg" }], how));
    back.animate([{ rotate: "y 0deg" }, { rotate: "y 90deg", offset: 0.5 }, { rotate: "y 90deg" }], how);
  }
}

// --- chips fly from where they are fewer to where they are more; numbers run ---
const tally = () => new Map([...main().querySelectorAll(".counted[id]:not(.icon-hand) dd > b, .seat .zone > .title > b")].map((node) => [node.closest("[id]").id, node]));
const numbers = () => new Map([...tally()].map(([id, node]) => [id, Number(node.textContent)]));
let counts = numbers(), scored = null, last = "", sheet = document.getElementById("result");
function count(hold, cue, stage) { // on the stage, where it is there; a seat keeps its old number until that has gone
  const changed = [...tally()].map(([id, node]) => ({ id, node, was: counts.get(id), now: Number(node.textContent) })).filter(({ was, now }) => was !== undefined && was !== now);
  const at = (node) => middle(node.getBoundingClientRect()), purse = (node) => [...(node.closest(".counted, .pot") ?? node.parentNode).querySelectorAll(".icon, .heap")].map(at).find(({ width }) => width) ?? at(node); // over no number
  const shown = changed.map((each) => ({ ...each, node: stage?.querySelector(`[data-of="${each.id}"]`) ?? each.node })).map((each) => ({ ...each, at: at(each.node), purse: purse(each.node) })).filter((each) => each.at.width);
  counts = numbers();
  if (still.matches || cue === "all-curses") return; // then nobody's points matter
  const from = scored ? [] : shown.filter((each) => each.now < each.was && CHIPS.test(each.id)), to = shown.filter((each) => each.now > each.was && CHIPS.test(each.id));
  const coins = Math.min(12, Math.max(from.reduce((sum, each) => sum + each.was - each.now, 0), to.length));
  for (let k = 0; from.length && to.length && k < coins; k += 1) {
    const a = from[k % from.length].purse, b = to[k % to.length].purse, x = b.x - a.x, y = b.y - a.y;
    sign("chip", a.x, a.y, [{ opacity: 1, translate: "0 0" }, { translate: `${x / 2}px ${y / 2 - 18}px`, scale: 1.25, offset: 0.5 }, { opacity: 1, translate: `${x}px ${y}px`, offset: 0.92 }, { opacity: 0, translate: `${x}px ${y}px` }],
      Math.min(460, hold), { kind: "coin", delay: Math.min(45 * k, Math.max(0, hold - 460)), easing: "ease-in-out" });
  }
  for (const each of shown) if (!stage || stage.contains(each.node)) run(each, Math.min(400, hold / (scored ? 2 : 1)), scored);
  if (stage) for (const { node, was } of changed) run({ node, at: at(node), was, now: was }, hold);
}
const join = (a, b) => Object.assign(piece("line", a.x - a.width / 2, a.y - a.height / 2).style, { width: `${Math.hypot(b.x - a.x, b.y - a.y) + a.width}px`, height: `${a.height}px`, transformOrigin: `${a.width / 2}px 50%`, rotate: `${Math.atan2(b.y - a.y, b.x - a.x)}rad` }); // round what scores together
function run({ node, at, was, now }, duration, origin) { // `origin`: from where its points come, before it runs
  const title = node.closest(".title, .account"), delay = title || origin ? duration : 0, whole = { duration: delay + duration, fill: "both" }; // of cards or of a list that are to be seen first
  const steps = Math.min(6, Math.abs(now - was)), how = getComputedStyle(node), { offsetWidth: width, offsetHeight: height } = node; // its light makes it small at first
  const strip = document.createElement("div"), window = piece("roll", at.x - width / 2, at.y - height / 2, strip);
  Object.assign(window.style, { width: `${width}px`, height: `${height}px`, fontSize: how.fontSize, fontWeight: how.fontWeight, color: how.color, lineHeight: `${height}px` });
  for (let k = 0; k <= steps; k += 1) strip.append(Object.assign(document.createElement("i"), { textContent: Math.round(was + ((now - was) * k) / (steps || 1)) }));
  strip.animate([{ translate: "0 0" }, { translate: `0 ${-height * steps}px` }], { duration, delay, easing: OUT, fill: "both" });
  window.animate([{ opacity: node.closest(".decisive") ? 0 : 1 }, { opacity: 1, offset: 0.3 }, { opacity: 1, offset: 0.99 }, { opacity: 0 }], whole); // it comes with the stage
  kept.push(node.animate([{ opacity: 0 }, { opacity: 0, offset: 0.99 }, { opacity: 1 }], whole));
  if (now === was) pieces.prepend(window); // beneath the stage
  if (now <= was || title) return;
  const gain = piece(node.closest(".counts")?.children.length > 3 ? "gain near" : "gain", 0, 0, `+${now - was}`), { width: wide, height: high } = gain.getBoundingClientRect(), x = at.right + 2;
  const taken = node.closest(".decisive") ? [] : [...main().querySelectorAll("#felt :is(.title, .note, .who, dt, dd, .card, .heap), #held .card")].filter((each) => !each.contains(node) && each.checkVisibility?.({ visibilityProperty: true }) !== false && getComputedStyle(each).clipPath === "none").map((each) => each.getBoundingClientRect());
  const free = ([left, top, way]) => taken.every((box) => box.right <= left || box.left >= left + wide || box.bottom <= top + Math.min(2, 14 * way) || box.top >= top + high + Math.max(-2, 14 * way));
  const seat = node.closest(".plate")?.querySelector(".head").getBoundingClientRect(), level = [x, at.top, 0], below = [x, at.bottom - 3, 1]; // over a face, where there is no other place
  const places = seat ? [level, below, [seat.x + (seat.width - wide) / 2, seat.bottom - high - 9, -0.6]] : [[x, at.top - 12, -1], level, below, [x, at.top - high, -1], [at.left - wide - 2, at.top, 0], level], [left, top, way] = places.find(free) ?? places[places.length - 1];
  Object.assign(gain.style, { left: `${left}px`, top: `${top}px` });
  gain.animate(origin ? [{ scale: 1.8, translate: `${origin.x - left - wide / 2}px ${origin.y - top - high / 2}px` }, { opacity: 1, translate: "0 0", offset: 0.5 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }] : [{ opacity: 0 }, { opacity: 1, translate: `0 ${way * 4}px`, offset: 0.3 }, { opacity: 1, translate: `0 ${way * 9}px`, offset: 0.7 }, { opacity: 0, translate: `0 ${way * 14}px` }], { duration: Math.min(LONGEST, 2 * duration), fill: "both" });
}

// --- what decides takes the stage: whoever it concerns, the cards, a word and the reason; the room is dark around it ---
function spotlight(node, hold) {
  pieces.append(node), node.style.setProperty("--hold", `${hold}ms`);
  main().querySelectorAll(".plate.lit :is(.marker, .note)").forEach((each) => kept.push(each.animate({ opacity: [0, 0] }, hold))); // it is seen on the stage first
  const rise = (each, from, delay, duration = 260) => each.animate(still.matches ? [{ opacity: 0 }, { opacity: 1 }] : [{ opacity: 0, ...from }, { opacity: 1, scale: 1, translate: "0 0", rotate: "0deg" }],
    { duration: still.matches ? 120 : duration, delay: still.matches ? 0 : delay, easing: OUT, fill: "both" });
  rise(node, {}, 0, 150);
  rise(node.querySelector(".whom"), { scale: 0.5 }, 0);
  [...node.querySelectorAll(".card")].forEach((card, k) => rise(card, { translate: "0 40px", scale: 0.4 }, 60 + 40 * k));
  rise(node.querySelector(".word"), { scale: Math.min(2, 0.94 * innerWidth / node.querySelector(".word").offsetWidth), rotate: "-3deg" }, Math.min(node.querySelector(".row") ? 420 : 240, hold / 3), 220);
  node.querySelectorAll(".reason").forEach((each) => rise(each, { translate: "0 14px" }, Math.min(560, hold / 2)));
}

document.addEventListener("beat", ({ detail }) => {
  const { cue, hold, boxes } = detail, nodes = [...boxes.keys()];
  pieces.querySelector(".decisive")?.remove();
  sweep();
  if (detail.spotlight) spotlight(detail.spotlight, hold);
  const veil = main().querySelector(".veil");
  for (const [name, on] of [["ghostly", nodes.some((node) => node.closest("#zone-ghost"))], ["flash", main().querySelector("#zone-centre")]]) veil?.classList.toggle(name, !!on);
  veil?.style.setProperty("--up", main().querySelectorAll("#zone-ghost .card:not(.back, .none)").length); // it darkens with each card that is turned
  nodes.filter((node) => !node.matches(".plate")).forEach((node, k) => node.style.setProperty("--k", k));
  if (!detail.spotlight && (!still.matches || cue in GIFTS)) {
    if (cue === "flip") turn(nodes);
    const places = [...boxes].filter(([node, box]) => node.matches(".plate") === (cue === "feast") && box.width).map(([node]) => ({ ...middle(spot(node, boxes)), node, hold }));
    for (const at of SIGNS[cue] ? places.slice(0, cue === "feast" ? 4 : 1) : []) SIGNS[cue](at, Math.min(hold, LONGEST), boxes);
  }
  const cells = nodes.filter((node) => node.matches(".cell")).map((node) => middle(boxes.get(node)));
  if (cue === "good" && cells.length > 1 && !detail.spotlight) join(cells[0], cells[cells.length - 1]);
  count(hold, cue, detail.spotlight);
  scored = ["good", "double", "feast"].includes(cue) && cells.length ? cells[cells.length >> 1] : null; // from there its points come
  sound(last = cue);
});
const fate = () => (document.querySelector(".fates .me:not(.winner)") ? "bad" : "feast"); // its sound, unless the last beat sounded alike
document.addEventListener("settled", () => {
  sweep();
  document.querySelectorAll(".turning, .pieces > *").forEach((node) => node.remove());
  counts = numbers();
  if (sheet || !(sheet = document.getElementById("result"))) return;
  if (!still.matches) setTimeout(() => document.querySelectorAll(".account b").forEach((node) => run({ node, at: middle(node.getBoundingClientRect()), was: 0, now: Number(node.textContent) }, 600)), 1500);
  if (fate() !== (last === "all-curses" ? "feast" : last)) setTimeout(() => sound(fate()), 1500);
});

// --- sounds: none before somebody has touched the page and wants them; only then are they fetched ---
const button = document.getElementById("sound");
let wanted = "screen" in live.dataset || remembered() === "on", touched = false, voice = null;
function remembered() { try { return localStorage.getItem("sound"); } catch { return null; } }
function wants(choice) {
  button?.setAttribute("aria-pressed", wanted = choice);
  try { localStorage.setItem("sound", wanted ? "on" : "off"); } catch { /* then it is asked again next time */ }
}
async function listen() {
  if (navigator.userActivation?.hasBeenActive === false) return; // the end of a key that was pressed on the page before
  touched = true;
  if (!wanted) return;
  voice ??= import(live.dataset.sound).catch(() => null);
  (await voice)?.start();
}
const sound = async (cue) => { if (wanted && voice) (await voice)?.play(cue); };
document.addEventListener("turn", ({ detail }) => { // from turn.js, also while nobody looks
  if (detail.isTurn && wanted && touched) { sound("turn"); navigator.vibrate?.(40); }
});
if (button) {
  Object.assign(button, { hidden: false, ariaPressed: wanted });
  button.addEventListener("click", async () => {
    wants(!wanted);
    await listen();
    wanted ? sound("good") : (await voice)?.hush();
  });
}
for (const type of ["click", "pointerup", "keyup"]) addEventListener(type, listen, { capture: true }); // of which a skip stops none but the first
