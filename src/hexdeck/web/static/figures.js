// Figures of the workshop come in while one looks.
import { morpher, pause } from "./connection.js";
export const live = document.getElementById("live"), why = document.getElementById("why");
export const page = { query: location.search.slice(1), told() {} };
let source, timer, tries = 0;
async function show(html) {
  const morph = await morpher(), place = document.getElementById("figures"), fresh = Object.assign(document.createElement("div"), { id: "figures", innerHTML: html });
  morph(place, fresh, { callbacks: { beforeAttributeUpdated: (name, node) => !(name === "open" && node.nodeName === "DETAILS") } }); // what the reader has opened stays open
}
function listen() {
  source?.close();
  const now = source = new EventSource(`${live.dataset.stream}?${page.query}`);
  now.addEventListener("form", (event) => page.told(JSON.parse(event.data)));
  const well = () => { tries = 0; why.textContent = ""; };
  now.addEventListener("figures", (event) => { if (now === source) { well(); show(event.data); } });
  now.addEventListener("full", (event) => {
    if (now === source) { why.textContent = JSON.parse(event.data); later(listen, pause(tries++, 2000)); }
  });
  now.addEventListener("done", () => { if (now === source) { well(); now.close(); } });
  now.onerror = () => {
    if (now !== source) return;
    why.textContent = live.dataset.lost;
    later(listen, pause(tries++, 2000));
  };
}
export function later(act, milliseconds) {
  source?.close(); clearTimeout(timer);
  timer = setTimeout(act, milliseconds);
}
export function ask(query) { page.query = query; listen(); }
// --- nothing is measured for a page that nobody sees ---
function turn() { if (document.hidden) source?.close(); else listen(); }
document.addEventListener("visibilitychange", turn);
addEventListener("pageshow", turn); // once a form has said what is asked
addEventListener("pagehide", () => source?.close());
