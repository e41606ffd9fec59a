// How bots fare with the cards of the day, as they play; without a script the page can be loaded again.
const place = document.getElementById("compared");
async function look() {
  try {
    const answer = await fetch(place.dataset.from, { headers: { Hexdeck: "1" }, signal: AbortSignal.timeout(8000) }), said = await answer.json();
    if (said.compared) place.innerHTML = said.compared;
    if (said.done || [403, 404].includes(answer.status)) return;
  } catch { /* the next time */ }
  setTimeout(look, 2000);
}
setTimeout(look, 800);
