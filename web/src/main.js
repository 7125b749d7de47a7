// Starts the viewer. The still and the tables of the page stay below it.
import { readScene } from "./data.js";
import { View } from "./view.js";

function start() {
  const summary = document.getElementById("summary");
  const scene = readScene();
  if (!scene.span) return;
  const closed = document.createElement("details");
  closed.id = "summary";
  const title = document.createElement("summary");
  title.textContent = "Still picture and tables";
  closed.append(title, ...summary.childNodes);
  summary.replaceWith(closed);
  globalThis.playback = new View(document.getElementById("viewer"), scene);
}

start();
