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

  /** Show a text at a place (x, y, z) of the picture; null hides it. */
  set(key, text, place, className = "") {
    let label = this.labels.get(key);
    if (!label) {
      label = { node: element("div") };
      this.box.append(label.node);
      this.labels.set(key, label);
    }
    label.place = place;
    if (label.text !== text) label.node.textContent = label.text = text;
    if (label.className !== className) label.node.className = label.className = className;
  }

  place(width, height) {
    const shown = [];
    for (const label of this.labels.values()) {
      const at = label.place && new Vector3(...label.place).project(this.camera);
      const seen = at && label.text && at.z < 1 && Math.abs(at.x) < 1.02 && Math.abs(at.y) < 1.02;
      label.node.hidden = !seen;
      if (!seen) continue;
      const [x, y] = [((at.x + 1) * width) / 2 + 8, ((1 - at.y) * height) / 2 - HIGH / 2];
      shown.push({ node: label.node, x, y, wide: 7 * label.text.length + 8 });
    }
    shown.sort((a, b) => a.y - b.y);
    shown.forEach((label, k) => {
      label.x = Math.max(2, Math.min(label.x, width - label.wide - 4));
      for (const other of shown.slice(0, k)) {
        const across = label.x < other.x + other.wide && other.x < label.x + label.wide;
        if (across && label.y < other.y + HIGH) label.y = other.y + HIGH;
      }
      label.node.style.transform = `translate(${label.x.toFixed(1)}px, ${label.y.toFixed(1)}px)`;
    });
  }
}
