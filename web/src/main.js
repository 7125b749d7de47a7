// Starts the viewer. The still and the tables of the page stay below it.
import { readScene } from "./data.js";
import { linkPage } from "./linked.js";
import { element } from "./text.js";
import { View } from "./view.js";

/** The element for the viewer. In a report it has a shadow root, so that the styles of both stay apart. */
function holderOf(viewer) {
  const style = document.getElementById("viewer-style");
  if (!style) return viewer;
  const holder = element("div", { className: "light" });
  viewer.attachShadow({ mode: "open" }).append(element("style", { textContent: style.textContent }), holder);
  return holder;
}

function start() {
  const summary = document.getElementById("summary");
  const scene = readScene();
  if (!scene.span) return;
  const closed = document.createElement("details");
  closed.id = "summary";
  const title = document.createElement("summary");
  title.textContent = summary.dataset.title;
  closed.append(title, ...summary.childNodes);
  summary.replaceWith(closed);
  const viewer = document.getElementById("viewer");
  const holder = holderOf(viewer);
  globalThis.playback = new View(holder, scene, holder === viewer ? document : viewer);
  // The tables and figures of a report follow this script.
  document.addEventListener("DOMContentLoaded", () => linkPage(globalThis.playback.clock));
}

start();
