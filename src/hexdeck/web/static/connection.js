// The way to the server: nothing is waited for longer than a while, and nothing asked again without longer and longer pauses.
const SILENCE = 12000, FIRST = 4000, SLEPT = 5000, LIVED = 10000; // milliseconds: without news, which come every 5 s; until the first; unseen by the page; of a stream that works
const MOST = 4; // streams of a browser's windows: it keeps six connections to a server, and moves need one

export function ask(address, options = {}, patience = 8000) {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), patience);
  return fetch(address, { signal: stop.signal, ...options });
}
export const pause = (tries, first = 1000, most = 15000) => Math.min(most, first * 2 ** tries) * (0.7 + 0.6 * Math.random());

// What brings a part of the page up to date: Idiomorph; while that doesn't load, a plain exchange, but for what one types into.
let morphing = null, failed = 0; // a browser remembers an address that failed
export const morpher = () => morphing ??= Promise.race([import(new URL("./idiomorph.js", import.meta.url) + (failed ? `?${failed}` : "")), new Promise((_, late) => setTimeout(late, FIRST))])
  .then(({ Idiomorph }) => Idiomorph.morph, () => { morphing = null; failed += 1; return exchange; });
function exchange(old, fresh, { callbacks } = {}) {
  for (const node of old.querySelectorAll("[id]")) if (callbacks?.beforeNodeMorphed?.(node) === false) fresh.querySelector(`#${node.id}`)?.replaceWith(node);
  for (const { name } of [...old.attributes]) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) old.setAttribute(name, value);
  old.replaceChildren(...fresh.childNodes);
}

// A stream of events, by name in `on`. `on.look` asks plainly when the stream may be held back on its way; `on.lost`: that failed, too.
// Windows that show the same (`shown`) share one stream, by messages; where windows have enough of them, one more only looks.
export function follow(address, shown, on) {
  const me = { id: Math.random(), since: Date.now(), shown }, elsewhere = new Set(); // earlier windows with a stream
  const windows = "BroadcastChannel" in window ? new BroadcastChannel("hexdeck streams") : null;
  let source = null, leader = null, closed = false, looking = false, tries = 0, timer = 0, last = "";
  let opened = 0, heard = 0, came = false, ticked = performance.now(), skew = Date.now() - ticked;
  const say = (message) => windows?.postMessage({ ...me, ...message });

  function take(name, data) {
    heard = performance.now();
    came = true;
    if (name === "table") last = data;
    if (heard - opened > LIVED) tries = 0;
    on[name]?.(data);
  }
  function start() {
    clearTimeout(timer);
    drop();
    if (closed) return;
    [leader, came, opened] = [null, false, performance.now()];
    heard = opened;
    elsewhere.clear();
    source = new EventSource(address);
    for (const name of ["beat", "beats", "table"]) source.addEventListener(name, ({ data }) => { take(name, data); say({ name, data }); });
    source.onerror = ended;
    say({ asks: true });
  }
  function drop() {
    if (source) say({ leaves: true });
    source?.close();
    source = null;
  }
  async function ended() {
    const worked = performance.now() - opened > LIVED;
    drop();
    if (!worked) await plainly();
    clearTimeout(timer);
    if (!closed) timer = setTimeout(start, pause(tries));
  }
  async function plainly() {
    looking = true;
    const answer = await on.look();
    if (!answer && tries > 0) on.lost();
    tries = answer === "news" ? 0 : tries + 1;
    looking = false;
    heard = performance.now();
  }
  async function watch() { // a device that slept, or whose clock was set, and a stream that is silent
    const now = performance.now(), unseen = Math.max(now - ticked, Math.abs(Date.now() - now - skew)) > SLEPT;
    [ticked, skew] = [now, Date.now() - now];
    if (looking || closed) return;
    if (unseen) return start();
    const alone = !source && !leader; // between two streams, or without one: it looks now and then
    if (alone && elsewhere.size < MOST) return;
    if (now - heard < (came ? SILENCE : Math.min(15000, FIRST * 2 ** tries))) return;
    await plainly();
    if (!alone) start();
  }
  if (windows) windows.onmessage = ({ data: message }) => {
    const same = message.shown === shown, earlier = message.since < me.since || (message.since === me.since && message.id < me.id);
    if (message.asks && source) say({ has: true, to: message.id, last: same ? last : "" });
    if (message.leaves && elsewhere.delete(message.id) && !source) start();
    if (message.leaves && leader === message.id) start();
    if (message.id === leader && message.name) take(message.name, message.data);
    if (!(message.asks || (message.has && message.to === me.id)) || !earlier) return; // who asks has one, too
    elsewhere.add(message.id);
    if (same) leader ??= message.id;
    if (!source || !(same || elsewhere.size >= MOST)) return;
    drop();
    if (same && message.last) take("table", message.last);
  };
  const ticking = setInterval(watch, 1000);
  start();
  return {
    again: start,
    close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(ticking);
      drop();
      windows?.close();
    },
  };
}
