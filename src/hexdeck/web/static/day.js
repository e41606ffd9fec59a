// How bots fare with the cards of the day, as they play; without a script the page can be loaded again.
import { ask, pause } from "./connection.js";

let tries = 0;
const place = document.getElementById("compared");
async function look() {
  try {
    const answer = await ask(place.dataset.from, { headers: { Hexdeck: "1" } }), said = await answer.json();
    if (said.compared) place.innerHTML = said.compared;
    if (said.done || [403, 404].includes(answer.status)) return;
  } catch { /* the next time */ }
  setTimeout(look, pause(tries++ / 4, 2000, 20000));
}
setTimeout(look, 800);
