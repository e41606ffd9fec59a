// Links to copy, and an invitation to hand on by whatever the device has for that; without it, it is copied.
const tell = () => Object.assign(document.getElementById("why"), { textContent: document.getElementById("live").dataset.copied }).dataset.kind = "hint";
async function copy(field) {
  field.select();
  try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); } // it has none, or refuses
  tell();
}
async function share(field, { title, text }) {
  if (!navigator.share) return copy(field);
  try { await navigator.share({ title, text, url: field.value }); } catch { /* it was not wanted after all */ }
}
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-copy], [data-share]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy ?? button.dataset.share);
  if ("share" in button.dataset) share(field, button.dataset);
  else copy(field);
});
