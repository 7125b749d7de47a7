// Appearance by threshold: what a rule names turns red where a quantity passes a value.
import { curveAt } from "./curves.js";

/** Names of bodies, joints and devices in the path of a quantity. */
function namesIn(scene, path) {
  const words = path.split(".").slice(1, -1);
  const gap = scene.items.find((item) => item.type === "gap" && path.startsWith(`clearance.${item.name}.`));
  const joint = scene.joints.find((one) => path.startsWith(`joints.${one.name}.`));
  return [...words, ...(gap ? gap.bodies : []), ...(joint ? joint.bodies : [])];
}

export class Rule {
  constructor(scene, curve, column, above, value) {
    Object.assign(this, { scene, curve, column, above, value });
    this.names = namesIn(scene, curve.path);
  }

  broken(t) {
    const x = curveAt(this.scene, this.curve, t)[this.column];
    return Number.isFinite(x) && (this.above ? x > this.value : x < this.value);
  }

  get text() {
    const column = this.curve.columns[this.column];
    const name = column ? `${this.curve.path}.${column}` : this.curve.path;
    return `${name} ${this.above ? "above" : "below"} ${this.value} ${this.curve.unit}`;
  }
}

/** All names that are red at a time. */
export function redAt(rules, t) {
  return new Set(rules.filter((rule) => rule.broken(t)).flatMap((rule) => rule.names));
}
