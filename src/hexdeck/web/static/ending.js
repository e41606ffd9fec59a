// Escape folds what tells why a match ended so. The turning point, and how others did, are asked for a while: they are looked for only now.
import { ask as request, pause } from "./connection.js";

const table = document.getElementById("table"), ASKED = ["turning", "compared"];
const asked = new Set();
const first = table.matches(".watching") ? 4000 + 8000 * Math.random() : 2000; // many may watch
async function ask(id, tries) {
  const place = document.getElementById(id);
  if (!place || "done" in place.dataset || (id === "turning" && place.textContent.trim())) return;
  try {
    const answer = await request(place.dataset.from, { headers: { Hexdeck: "1" } }), said = await answer.json();
    if (said[id]) place.innerHTML = said[id];
    if (answer.ok && !said.done && tries) return void setTimeout(ask, pause((40 - tries) / 8, first, 20000), id, tries - 1);
  } catch { /* then there is none */ }
  place.dataset.done = "";
}
const look = () => { for (const id of ASKED) if (!asked.has(id) && document.getElementById(id)) { asked.add(id); setTimeout(ask, first - 500, id, 40); } };
new MutationObserver(look).observe(table, { attributeFilter: ["data-version"] });
look();
addEventListener("keydown", (event) => { if (event.key === "Escape") document.querySelector(".because[open]")?.removeAttribute("open"); });
