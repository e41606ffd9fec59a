// Looking back: each step is asked of the server and shown without reloading; the address follows.
import { look } from "./table.js";

const live = document.getElementById("live"), scrub = document.getElementById("scrub");
const shown = () => document.getElementById("table").dataset.ply, wanted = () => location.hash.slice(1);
let turning;

async function turn(fields) {
  const seat = scrub.elements.seat.value, asked = (turning = {});
  if (!await look(`${scrub.action}?${new URLSearchParams({ seat, from: shown(), ...fields })}`) || asked !== turning) return;
  const address = new URL(`${scrub.action}?seat=${seat}`);
  history.replaceState(null, "", `${address}#${shown()}`);
  document.querySelector("#settings [name=back]").value = `${live.dataset.path}?seat=${seat}&ply=${shown()}`;
  document.getElementById("link").value = `${live.dataset.share}?seat=${seat}#${shown()}`;
}
const follow = () => /^\d{1,7}$/.test(wanted()) && wanted() !== shown() && turn({ ply: wanted() });
addEventListener("hashchange", follow);
document.addEventListener("input", ({ target }) => {
  if (target.form === scrub) turn(target.name === "step" ? { step: target.value } : { ply: shown() });
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-ply]");
  if (link) { event.preventDefault(); turn({ ply: link.dataset.ply }); }
});
follow();
