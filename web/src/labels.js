// Texts at points of the picture, moved apart where they would overlap.
import { Vector3 } from "three";
import { element } from "./text.js";

const HIGH = 17;

export class Labels {
  constructor(holder, camera) {
    this.box = element("div", { className: "labels" });
    this.box.setAttribute("aria-hidden", "true");
    holder.append(this.box);
    this.camera = camera;
    this.labels = new Map();
  }

  /** Show a text at a place (x, y, z) of the picture; null hides it. side: half of a divided picture. */
  set(key, text, place, className = "", side = 0) {
    let label = this.labels.get(key);
    if (!label) {
      label = { node: element("div") };
      this.box.append(label.node);
      this.labels.set(key, label);
    }
    label.place = place;
    label.side = side;
    if (label.text !== text) label.node.textContent = label.text = text;
    if (label.className !== className) label.node.className = label.className = className;
  }

  /** panes: rectangle [x, y, width, height] of each half, or of the whole picture. */
  place(panes) {
    const shown = [];
    for (const label of this.labels.values()) {
      const at = label.place && new Vector3(...label.place).project(this.camera);
      const seen = at && label.text && at.z < 1 && Math.abs(at.x) < 1.02 && Math.abs(at.y) < 1.02;
      const pane = panes[label.side];
      label.node.hidden = !seen || !pane;
      if (!seen || !pane) continue;
      const [x, y] = [pane[0] + ((at.x + 1) * pane[2]) / 2 + 8, pane[1] + ((1 - at.y) * pane[3]) / 2 - HIGH / 2];
      shown.push({ node: label.node, x, y, wide: 7 * label.text.length + 8, pane });
    }
    shown.sort((a, b) => a.y - b.y);
    shown.forEach((label, k) => {
      label.x = Math.max(label.pane[0] + 2, Math.min(label.x, label.pane[0] + label.pane[2] - label.wide - 4));
      for (const other of shown.slice(0, k)) {
        const across = label.x < other.x + other.wide && other.x < label.x + label.wide;
        if (across && label.y < other.y + HIGH) label.y = other.y + HIGH;
      }
      label.node.style.transform = `translate(${label.x.toFixed(1)}px, ${label.y.toFixed(1)}px)`;
    });
  }
}
