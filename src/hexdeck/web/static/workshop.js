// The workshop: figures come in while one looks, and anew whenever an option changes. Without it, Measure asks for them.
import { ask, later, live, page, why } from "./figures.js";
const form = document.getElementById("knobs"), SOON = 250; // milliseconds after the last change
page.query ||= asked(); // a page that a form made has none

// --- the form: what is wrong stands beside its field ---
page.told = ({ faults, changed, query }) => {
  for (const knob of form.querySelectorAll("[data-option]")) {
    const name = knob.dataset.option, fault = faults[name] ?? "";
    knob.classList.toggle("changed", Boolean(fault) || changed.includes(name));
    wrong(name, fault, knob.querySelectorAll("[name]"));
  }
  wrong("players", faults.players ?? "", []);
  wrong("bot", faults.bot ?? "", form.querySelectorAll("#bot"));
  if (query) history.replaceState(null, "", `${live.dataset.page}?${query}`);
  for (const field of document.querySelectorAll(".left [name=variant]")) field.value = query || field.value;
};
function wrong(name, fault, inputs) {
  const place = document.getElementById(`fault-${name}`);
  if (place.textContent !== fault) place.textContent = fault;
  for (const input of inputs) input[fault ? "setAttribute" : "removeAttribute"]("aria-invalid", "true");
}
function asked() {
  const fields = new FormData(form), players = Number(fields.get("players"));
  for (const seat of form.querySelectorAll(".seat")) seat.hidden = Number(seat.dataset.seat) >= players;
  return new URLSearchParams([...fields].filter(([name, value]) => value || !name.startsWith("bot-"))).toString();
}
const change = () => later(() => ask(asked()), SOON);
for (const slider of form.querySelectorAll(".slider")) {
  const field = document.getElementById(slider.dataset.for);
  slider.hidden = false;
  slider.addEventListener("input", () => { field.value = slider.value; });
  field.addEventListener("input", () => { slider.value = field.value; });
}
form.addEventListener("input", change);
form.addEventListener("submit", (event) => {
  if (!("submitter" in event) || event.submitter?.id === "own") return;
  event.preventDefault();
  change();
  form.querySelector("[aria-invalid=true]")?.focus();
});

// --- variants that this browser keeps ---
const KEY = `workshop ${live.dataset.game}`;
function kept() { try { return JSON.parse(localStorage.getItem(KEY)) ?? []; } catch { return []; } }
function keep(list) { try { localStorage.setItem(KEY, JSON.stringify(list)); } catch { /* then they are gone with the page */ } list_all(list); }
function list_all(list = kept()) {
  const place = document.getElementById("kept");
  place.hidden = !list.length;
  place.querySelector("ul").replaceChildren(...list.map(({ query, title }) => {
    const line = document.createElement("li"), link = document.createElement("a"), drop = document.createElement("button");
    Object.assign(link, { href: `${live.dataset.page}?${query}`, textContent: title });
    Object.assign(drop, { type: "button", className: "quiet", textContent: live.dataset.drop });
    drop.setAttribute("aria-label", `${live.dataset.drop}: ${title}`);
    drop.addEventListener("click", () => keep(kept().filter((each) => each.query !== query)));
    return line.append(link, drop), line;
  }));
}
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-keep]");
  if (!button) return;
  const { keep: query, title } = button.dataset;
  keep([{ query, title }, ...kept().filter((each) => each.query !== query)].slice(0, 50));
  Object.assign(why, { textContent: live.dataset.kept }).dataset.kind = "hint";
});
list_all();
