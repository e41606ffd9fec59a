// A hint when it is asked for, by its button or by H; it goes when something else is asked.
import { ask } from "./connection.js";

const live = document.getElementById("live"), table = document.getElementById("table"), roomy = matchMedia("(min-width: 1100px), (max-height: 480px) and (min-width: 560px)");
const asked = () => [...table.querySelectorAll("[name=move], .pick input")].map((node) => node.value).join() + document.getElementById("prompt")?.textContent;
let about = asked();
// the card, cell or button of the best move is ringed as long as the hint is shown
function ring() {
  const best = document.querySelector("#hint li b")?.textContent, groups = Object.entries(JSON.parse(document.getElementById("together")?.dataset.groups ?? "{}"));
  const codes = groups.find(([, label]) => label === best)?.[0].split(" ") ?? [];
  for (const node of table.querySelectorAll(".hand .card, .cell, .moves .button")) {
    const pick = node.matches(".pick") ? codes.indexOf(node.dataset.code) : -1, label = node.getAttribute("aria-label") ?? node.textContent;
    if (pick >= 0) codes.splice(pick, 1);
    node.classList.toggle("advised", Boolean(best) && (pick >= 0 || (node.matches("[name=move]") && label === best)));
  }
}
const put = (html, text = "") => { const hint = document.getElementById("hint"); if (html) hint.innerHTML = html; else if (hint) hint.textContent = text; ring(); };
document.addEventListener("submit", async (event) => {
  if (event.target.id !== "hinting") return;
  event.preventDefault();
  const before = about;
  if (document.getElementById("hint").textContent.trim()) return put("");
  put("", live.dataset.thinking);
  try {
    const answer = await ask(event.target.action, { method: "POST", headers: { Hexdeck: "1" } }, 15000);
    const said = await answer.json();
    if (about === before) put(said.hint, said.error);
  } catch { put("", live.dataset.failed); }
});
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "h" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  document.getElementById("get-hint")?.click();
});
new MutationObserver(() => {
  if (asked() !== about) { about = asked(); put(""); if (roomy.matches) table.querySelector(".coach.cells")?.setAttribute("open", ""); } // where it covers no cell
  ring();
}).observe(table, { subtree: true, attributeFilter: ["data-version", "class"] });
ring();
