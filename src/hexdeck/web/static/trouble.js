// Where a script of the page fails, a line says so, with a link to report it; the page goes on as far as it can.
const live = document.getElementById("live");
let told = false;
function tell(fault) {
  if (told || !live.dataset.problem) return;
  told = true;
  const box = document.createElement("p"), link = document.createElement("a");
  Object.assign(link, { href: `${live.dataset.problem}?fault=${encodeURIComponent(String(fault).replace(/[\w.+-]+:\/\/[^\s)]*\//g, "").slice(0, 300))}`, textContent: live.dataset.reportProblem, target: "_blank", id: "report-problem" });
  Object.assign(box, { className: "notice trouble", role: "alert" }).append(`${live.dataset.wrong} `, link);
  live.after(box);
}
const ours = (where) => where?.includes(location.origin); // not those of what a browser adds to pages
addEventListener("error", ({ target, message, filename, lineno, colno }) => { if (target.localName === "script" || ours(filename)) tell(filename ? `${message} at ${filename.split("/").pop()}:${lineno}:${colno}` : `${target.src} doesn't load`); }, true);
addEventListener("unhandledrejection", ({ reason }) => { if (ours(reason?.stack)) tell(reason.stack.split("\n").slice(0, 2).join(" ")); });
