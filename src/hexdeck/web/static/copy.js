// Links to copy: the button shows itself only where it can work.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy), why = document.getElementById("why");
    field.select();
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    else document.execCommand("copy");
    Object.assign(why, { textContent: document.getElementById("live").dataset.copied }).dataset.kind = "hint";
  });
}
