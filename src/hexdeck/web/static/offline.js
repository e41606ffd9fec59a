// As soon as the server answers again, on to the page that was wanted.
const { healthz } = document.body.dataset;
async function look() {
  const answer = await fetch(healthz, { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}
addEventListener("online", look);
let wait = 3000; // milliseconds, longer and longer
function later() {
  look();
  wait = Math.min(30000, wait * 1.3);
  setTimeout(later, wait);
}
setTimeout(later, wait);
