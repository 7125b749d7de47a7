// Texts of devices: at the pointer in the picture, and in the panel.
import * as THREE from "three";
import { numberText } from "./text.js";
import { Channel } from "./tracks.js";

export class Hover {
  /** parts: parts of the picture with texts(), a list of {item, text(t)}. */
  constructor(view, parts) {
    this.view = view;
    this.roots = parts.map((part) => part.group);
    this.all = parts.flatMap((part) => part.texts());
    this.byItem = new Map(this.all.map((one) => [one.item, one]));
    for (const one of this.all) {
      one.readings = (one.item.readings || []).map(({ text, unit, values }) => ({ text, unit, channel: new Channel(view.scene, values) }));
    }
    this.ray = new THREE.Raycaster();
    this.shown = null;
    const { canvas } = view.stage;
    if (!this.all.length) return;
    canvas.addEventListener("pointermove", (event) => this.point(event));
    canvas.addEventListener("pointerdown", (event) => this.point(event));
    canvas.addEventListener("pointerleave", () => this.show(null));
  }

  point(event) {
    if (event.buttons && event.type === "pointermove") return;
    const box = this.view.stage.canvas.getBoundingClientRect();
    const at = new THREE.Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
    this.ray.setFromCamera(at, this.view.stage.camera);
    this.ray.params.Line.threshold = 0;
    const hits = this.ray.intersectObjects(this.roots, true).filter(({ object }) => visible(object));
    const item = hits.length ? itemOf(hits[0].object) : null;
    this.show(this.byItem.get(item) ?? null, hits[0]?.point);
  }

  show(one, place) {
    if (one === this.shown && !one) return;
    this.shown = one;
    this.at = place?.toArray();
    this.view.stage.draw();
  }

  /** The text of a device at a time: what it does, and its values. */
  text({ item, text, readings }, t) {
    const values = readings.map(({ text: word, unit, channel }) => {
      const [factor, name] = this.view.scene.units[unit] || [1, unit];
      const value = channel.at(t);
      return value ? `${word} ${numberText(value[0] * factor, 3)}${name === "1" ? "" : ` ${name}`}` : null;
    });
    const failed = item.failed ? "failed device" : null;
    return [failed, text(t), ...values].filter(Boolean).join(", ");
  }

  place(frame, t) {
    const { labels } = this.view.stage;
    if (!this.shown) labels.set("hover", "", null);
    else labels.set("hover", `${this.shown.item.name}: ${this.text(this.shown, t)}`, this.at, "hover");
  }
}

const visible = (object) => !object || (object.visible && visible(object.parent));
const itemOf = (object) => object && (object.userData.item ?? itemOf(object.parent));
