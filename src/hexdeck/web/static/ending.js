// Escape folds the sheet at the end. The turning point of a match that is over: asked for a while, since it is looked for only now.
const table = document.getElementById("table");
let asked = false;
const pause = table.matches(".watching") ? 4000 + 8000 * Math.random() : 2000; // many may watch
async function ask(tries) {
  const place = document.getElementById("turning");
  if (!place || place.textContent.trim()) return;
  try {
    const answer = await fetch(place.dataset.from, { headers: { Hexdeck: "1" }, signal: AbortSignal.timeout(8000) }), said = await answer.json();
    if (said.turning) place.innerHTML = said.turning;
    else if (answer.ok && !said.done && tries) setTimeout(ask, pause, tries - 1);
  } catch { /* then there is none */ }
}
const look = () => { if (!asked && document.getElementById("turning")) { asked = true; setTimeout(ask, pause - 500, 40); } };
new MutationObserver(look).observe(table, { attributeFilter: ["data-version"] });
look();
addEventListener("keydown", (event) => { if (event.key === "Escape") document.querySelector("details.result")?.removeAttribute("open"); });
