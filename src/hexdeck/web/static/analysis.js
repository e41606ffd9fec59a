// The analysis as it grows, until it is done; by hand it can be asked for without a script.
import { ask, pause } from "./connection.js";

let tries = 0;
const find = (page, id) => page.getElementById(id);
async function look() {
  try {
    const answer = await ask(location.href);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html"), done = find(fresh, "analysis")?.dataset.done === "1";
    if (done) return find(document, "analysis").replaceWith(find(fresh, "analysis"));
    if (find(fresh, "how-far")) find(document, "how-far").textContent = find(fresh, "how-far").textContent;
    if (find(fresh, "bar")) Object.assign(find(document, "bar"), { max: find(fresh, "bar").max, value: find(fresh, "bar").value });
  } catch { /* the next time */ }
  return setTimeout(look, pause(tries++ / 4, 1000, 8000));
}
find(document, "again").hidden = true;
setTimeout(look, 600);
