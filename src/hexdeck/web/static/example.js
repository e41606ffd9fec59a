// A worked example: each step is asked of the server and shown without reloading; the address follows. Arrows step.
import { look } from "./table.js";

const live = document.getElementById("live"), scrub = document.getElementById("scrub");
const link = (way) => document.getElementById(`step-${way}`).dataset.step;
let turning;

async function turn(step) {
  const address = `${scrub.action}?step=${step}`, asked = (turning = {});
  if (!await look(address) || asked !== turning) return;
  history.replaceState(null, "", address);
  const back = document.querySelector("#settings [name=back]");
  back.value = back.value.replace(/\d+$/, step);
}
document.addEventListener("input", ({ target }) => { if (target.name === "step") turn(target.value); });
document.addEventListener("click", (event) => {
  const to = event.target.closest("a[data-step]");
  if (to) { event.preventDefault(); turn(to.dataset.step); }
});
document.addEventListener("keydown", (event) => {
  const way = { ArrowRight: "after", ArrowLeft: "before", Home: "first", End: "last" }[event.key];
  if (!way || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  event.preventDefault();
  turn(link(way));
});
