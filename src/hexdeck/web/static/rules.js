// The rules of a fork: a function is tried while it is written. Without this, it is tried when it is saved.
const rules = document.getElementById("rules");
const SOON = 600; // milliseconds after the last change
let timer, last;

rules.addEventListener("input", ({ target }) => {
  clearTimeout(timer);
  last?.abort();
  timer = setTimeout(() => attempt(target.form), SOON);
});
async function attempt(form) {
  const said = form.querySelector(".fault"), now = last = new AbortController();
  tell(said, rules.dataset.tries, true);
  try {
    const answer = await fetch(rules.dataset.check, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { hexdeck: "1" }, signal: now.signal });
    const { fault, error } = await answer.json();
    tell(said, fault || error || rules.dataset.well, !(fault || error));
  } catch { if (!now.signal.aborted) tell(said, "", true); }
}
function tell(place, text, well) {
  place.textContent = text;
  place.classList.toggle("well", well);
}
rules.addEventListener("keydown", (event) => {
  if (event.key === "s" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); event.target.form?.querySelector("button").click(); }
});
