// A hint when it is asked for, by its button or by H; it goes when something else is asked.
const live = document.getElementById("live"), table = document.getElementById("table");
const asked = () => [...table.querySelectorAll("[name=move], .pick input")].map((node) => node.value).join() + document.getElementById("prompt")?.textContent;
let about = asked();
const put = (html, text = "") => { const hint = document.getElementById("hint"); if (html) hint.innerHTML = html; else if (hint) hint.textContent = text; };
document.addEventListener("submit", async (event) => {
  if (event.target.id !== "hinting") return;
  event.preventDefault();
  const before = about;
  if (document.getElementById("hint").textContent.trim()) return put("");
  put("", live.dataset.thinking);
  try {
    const answer = await fetch(event.target.action, { method: "POST", headers: { Hexdeck: "1" }, signal: AbortSignal.timeout(15000) });
    const said = await answer.json();
    if (about === before) put(said.hint, said.error);
  } catch { put("", live.dataset.failed); }
});
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "h" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  document.getElementById("get-hint")?.click();
});
new MutationObserver(() => { if (asked() !== about) { about = asked(); put(""); } }).observe(table, { attributeFilter: ["data-version"] });
