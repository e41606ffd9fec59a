// A screen that all look at: it follows a group to its rematch, stays awake, and says what it needs for sound.
const hint = document.getElementById("sounding");
function follow() {
  const next = document.getElementById("to-rematch");
  if (next) location.replace(next.href);
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
