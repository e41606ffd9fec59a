// A file that the reader chooses is put into the field of the form, which is sent. Without a script, one pastes it.
const file = document.querySelector("[data-into]");
if (file) {
  file.hidden = false;
  file.addEventListener("change", async () => {
    document.getElementById(file.dataset.into).value = await file.files[0]?.text() ?? "";
    if (file.files[0]) file.form.querySelector("button").click();
  });
}
