// Words over the table while it is shown step by step: what a seat says, beside it; the sentence of a big moment.
const live = document.getElementById("live"), still = matchMedia("(prefers-reduced-motion: reduce)");
const pieces = document.querySelector(".pieces"), get = (id) => document.getElementById(id);
const TOLD = { good: 400, bad: 1000, reveal: 1000 }; // milliseconds from which on a beat's sentence lies on the table; of others always
const SAID = new Set(("curse feast moon last-night growl torches rope bullet verdict double steal accuse forgiven all-curses upside-down early-bird little-one second mercy").split(" "));
const CLEAR = 8, IN_THE_WAY = ":is(#felt, .me) :is(.slot, .head, .who, .counted, .title, .note, .whose, .taken, .on, .letters, .numbers-down), .passed, .gift, .speech";

function word(kind, ...inside) {
  const node = Object.assign(document.createElement("div"), { className: kind });
  node.append(...inside);
  return pieces.appendChild(node);
}
function fit(node, x, y) {
  const { width, height } = node.getBoundingClientRect();
  Object.assign(node.style, { left: `${Math.max(4, Math.min(x - width / 2, innerWidth - width - 4))}px`, top: `${Math.max(4, Math.min(y, innerHeight - height - 4))}px` });
}
const appear = (node) => node.animate(still.matches ? [{ opacity: 0 }, { opacity: 1 }] : [{ opacity: 0, scale: 0.8 }, { opacity: 1, scale: 1.04, offset: 0.7 }, { opacity: 1, scale: 1 }],
  { duration: still.matches ? 120 : 200, easing: "cubic-bezier(.2,.7,.2,1)", fill: "both" });

function say({ said, by, boxes, spotlight }) {
  const old = pieces.querySelector(".speech"), seat = said && get(by);
  if (old && said === old.textContent && by === old.dataset.by) return;
  old?.remove();
  if (spotlight || !seat || !seat.getClientRects().length) return;
  const face = seat.querySelector(".head"), at = face?.getBoundingClientRect() ?? boxes.get(seat) ?? seat.getBoundingClientRect();
  const node = word("speech", said), { width, height } = node.getBoundingClientRect(), y = Math.max(4, at.y + at.height / 2 - height / 2);
  const beside = (which) => Math.max(at.right, ...[...seat.querySelectorAll(which)].map((each) => lying(each).right)) + 6, whole = seat.getBoundingClientRect(), felt = seat.closest("#felt"), room = (felt?.getClientRects().length ? felt : get("room"))?.getBoundingClientRect();
  const places = [[at.right + 4, y], [beside(".who b"), y], [beside(".who b, .counted"), y], [beside(".who b, .counted, .slot"), y], [at.left, at.top - height - 6], [at.left - 4 - width, y], ...[whole.bottom, Math.max(whole.bottom, get("facts")?.getBoundingClientRect().bottom ?? 0)].map((y) => [Math.min(at.left, innerWidth - width - 5), y + 4])];
  const taken = [...document.querySelectorAll(".plate :is(.head, .who b, .slot, .counted), #facts > *")].map(lying);
  const free = ([left, top]) => left >= 4 && left + width < (room?.right ?? innerWidth) - 4 && top >= Math.max(4, room?.top ?? 0) && top + height < innerHeight - 4 &&
    taken.every((box) => box.right <= left || box.left >= left + width || box.bottom <= top || box.top >= top + height);
  const [left, top] = places.find(free) ?? places[places.length - 1]; // beside the face, and over no name, no card and nothing counted where there is room
  node.dataset.by = by;
  node.classList.add(top < at.top - height ? "above" : "below");
  fit(node, left + width / 2, top);
  appear(node);
}

// --- the sentence of a big moment covers no card, face or word, and lies as near as can be to what is lit ---
function lying(node) { // where it lies when nothing moves; a card is wider than its slot where others lie over it
  const { left, top, right, ...box } = node.getBoundingClientRect().toJSON(), bottom = Math.max(box.bottom, top + node.scrollHeight), card = node.matches(".slot") && node.querySelector(".card");
  return card ? { left, top, right: left + card.offsetWidth, bottom: top + card.offsetHeight } : { left, top, right, bottom };
}
function put(node, area, top, bottom, seen, taken) { // at a free place of an area, if there is one: in its middle, else beside what lies there
  Object.assign(node.style, { maxWidth: `min(46rem, ${area.width - 12}px)`, width: "" });
  const lines = document.createRange();
  lines.selectNodeContents(node);
  node.style.width = `${Math.ceil(lines.getBoundingClientRect().width) + 2 * parseFloat(getComputedStyle(node).paddingLeft)}px`;
  const { width, height } = node.getBoundingClientRect(), middle = area.x + area.width / 2, far = (y) => Math.abs(y + height / 2 - seen);
  const inside = (x) => x - width / 2 >= area.x + 4 && x + width / 2 <= area.x + area.width - 4;
  const beside = taken.flatMap((box) => [box.right + CLEAR + width / 2, box.left - CLEAR - width / 2]).filter(inside);
  for (const x of [middle, ...beside.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))]) {
    const near = taken.filter((box) => box.right > x - width / 2 - 4 && box.left < x + width / 2 + 4 && box.bottom > box.top);
    const tops = [top, bottom - height, seen - height / 2, ...near.flatMap((box) => [box.bottom + CLEAR, box.top - CLEAR - height])];
    const free = tops.filter((y) => y >= top && y + height <= bottom && near.every((box) => box.top >= y + height + 2 || box.bottom <= y - 2));
    if (free.length) return fit(node, x, free.sort((a, b) => far(a) - far(b))[0]) ?? true;
  }
  return false;
}
function caption({ cue, hold, boxes, spotlight }) {
  const line = get("prompt") ?? get("told"), felt = get("felt"), asked = line?.getBoundingClientRect();
  pieces.querySelector(".caption")?.remove();
  line?.classList.toggle("hushed", !!spotlight); // its word is said on the stage
  if (spotlight || !line?.textContent.trim() || !felt || !(felt.getClientRects().length || felt.querySelector(".board")?.getClientRects().length) || !(SAID.has(cue) || hold >= TOLD[cue] * (live.dataset.pace ?? 1))) return;
  const shown = [...boxes].filter(([node, box]) => box.width && felt.contains(node) && !node.matches(".plate")), lit = shown.map(([, box]) => box);
  const moving = shown.map(([node, { left, top, right, bottom, height }]) => ({ left, right, top: top - height / 6, bottom: bottom + height * (node.closest(".seat") ? 1 : 0.2) })); // it grows and leaps
  const taken = [...document.querySelectorAll(IN_THE_WAY)].filter((each) => each.getClientRects().length).map(lying).concat(moving);
  const on = (felt.getClientRects().length ? felt : felt.querySelector(".board")).getBoundingClientRect(), hand = document.querySelector(".hand")?.getBoundingClientRect(), floor = Math.min(innerHeight, hand?.top || innerHeight);
  const seen = lit.length ? lit.reduce((sum, box) => sum + box.y + box.height / 2, 0) / lit.length : on.y + on.height * 0.4;
  const node = word("caption", ...[...line.childNodes].map((each) => each.cloneNode(true)));
  const end = asked.top >= on.bottom - 1 ? floor : Math.min(on.bottom, innerHeight); // what is asked lies beneath the felt, or beside it
  const low = hand && asked.left >= hand.right ? innerHeight - 4 : Math.max(asked.bottom, floor); // what is asked stands beside the hand, or above it
  line.classList.add("hushed");
  put(node, on, Math.max(0, on.top + 4), end, seen, taken) || put(node, asked, asked.top - 44, low, asked.top, [...document.querySelectorAll(".speech, .passed")].map(lying)) || fit(node, asked.x + asked.width / 2, low - node.offsetHeight);
  appear(node);
}

document.addEventListener("settled", () => document.querySelector(".hushed")?.classList.remove("hushed"));
for (const each of [say, caption]) document.addEventListener("beat", ({ detail }) => each(detail));
