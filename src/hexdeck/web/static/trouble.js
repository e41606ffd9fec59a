// Where a script of the page fails, a line says so, with a report to make; the page goes on as far as it can.
const live = document.getElementById("live");
let told = false;
function tell(fault) {
  if (told || !live.dataset.report) return;
  told = true;
  const box = document.createElement("p"), link = document.createElement("a");
  Object.assign(link, { href: `${live.dataset.report}?fault=${encodeURIComponent(String(fault).replace(/[\w.+-]+:\/\/[^\s)]*\//g, "").slice(0, 300))}`, textContent: live.dataset.makeReport, target: "_blank", id: "make-report" });
  Object.assign(box, { className: "notice trouble", role: "alert" }).append(`${live.dataset.wrong} `, link);
  live.after(box);
}
addEventListener("error", (event) => { if (event.message) tell(`${event.message} at ${event.filename?.split("/").pop()}:${event.lineno}:${event.colno}`); });
addEventListener("unhandledrejection", (event) => tell(event.reason?.stack?.split("\n").slice(0, 2).join(" ") ?? event.reason));
