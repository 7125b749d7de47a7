// In a report: one cursor over the playback, the figures and the table of events.
import { REDRAWN } from "./clock.js";
import { element } from "./text.js";

const SVG = "http://www.w3.org/2000/svg";

/** A line at the present time in a panel of a figure; a click in the panel goes to its time. */
function cursorOf(panel, clock) {
  const [from, to] = panel.dataset.time.split(" ").map(Number);
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(panel.getAttribute(name)));
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("class", "cursor");
  panel.after(line);
  panel.style.pointerEvents = "all";
  panel.addEventListener("click", (event) => {
    const box = panel.getBoundingClientRect();
    clock.seek(from + ((event.clientX - box.left) / box.width) * (to - from));
  });
  return (t) => {
    const at = Math.round(x + (to > from ? (width * (t - from)) / (to - from) : 0));
    line.setAttribute("d", t >= from && t <= to ? `M${at} ${y}v${height}` : "");
  };
}

/** The row of an event: its time becomes a button, and the last event that occurred is marked. */
function rowOf(row, clock) {
  const time = Number(row.dataset.time);
  const cell = row.querySelector("td:nth-child(2)");
  const onclick = () => {
    clock.seek(time);
    document.getElementById("viewer").scrollIntoView({ block: "nearest" });
  };
  const options = { type: "button", className: "seek", title: "Show this time in the playback", onclick };
  cell.append(element("button", options, ...cell.childNodes));
  return { row, time };
}

/** The times of a table of differences become buttons. */
function linkCells(clock) {
  for (const cell of document.querySelectorAll("[data-seek]")) {
    const onclick = () => {
      clock.seek(Number(cell.dataset.seek));
      document.getElementById("viewer").scrollIntoView({ block: "nearest" });
    };
    const options = { type: "button", className: "seek", title: "Show this time in the playback", onclick };
    cell.append(element("button", options, ...cell.childNodes));
  }
}

export function linkPage(clock) {
  linkCells(clock);
  const cursors = [...document.querySelectorAll("svg rect[data-time]")].map((panel) => cursorOf(panel, clock));
  const rows = [...document.querySelectorAll("tr[data-time]")].map((row) => rowOf(row, clock));
  if (!cursors.length && !rows.length) return;
  const update = () => {
    for (const place of cursors) place(clock.time);
    const past = clock.lastPast(rows);
    for (const { row } of rows) row.classList.toggle("now", row === past?.row);
  };
  clock.listen(update, REDRAWN);
  update();
}
