// A screen that all look at: it follows a group to its rematch once all have gone there, stays awake, and says what it needs for sound.
const hint = document.getElementById("sounding");
let waits = 0; // for the end, which somebody may be reading
function follow() {
  const next = document.getElementById("to-rematch"), go = () => location.replace(next.href);
  if (next && "waits" in next.dataset) waits ||= setTimeout(go, 10000);
  else if (next) go();
}
async function stay() {
  try { if (!document.hidden) await navigator.wakeLock?.request("screen"); } catch { /* then it is up to the device */ }
}
document.addEventListener("settled", follow);
document.addEventListener("visibilitychange", stay);
document.addEventListener("sounding", () => hint.remove());
hint.hidden = false;
follow();
stay();
