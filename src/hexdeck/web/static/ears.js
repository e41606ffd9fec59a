// Keys that ask about the table: the answer is read aloud, from a polite region of its own.
import { ask as request } from "./connection.js";

const form = document.getElementById("asking"), said = document.getElementById("spoken"), keys = document.getElementById("keys");
async function ask(about) {
  try {
    const answer = await request(`${form.action}?about=${about}`, { headers: { Hexdeck: "1" } });
    const { said: words, error } = await answer.json();
    said.textContent = "";
    setTimeout(() => { said.textContent = words ?? error; }, 50); // the same words again are news, too
  } catch { said.textContent = document.getElementById("live").dataset.failed; }
}
form.addEventListener("submit", (event) => { if (event.submitter) { event.preventDefault(); ask(event.submitter.value); } });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  const button = form.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key.toLowerCase())}"]`);
  if (button) ask(button.value);
  if (event.key === "Escape") keys.open = false;
  if (event.key !== "?") return;
  keys.open = !keys.open;
  if (keys.open) keys.querySelector("summary").focus();
});
