// Other flights in the picture: a second flight, or cases of a campaign. Each has its own time and origin.
import * as THREE from "three";
import { Bodies } from "./bodies.js";
import { Canopies, Joints, Links, Plumes } from "./devices.js";
import { Flight } from "./flight.js";
import { frameAt } from "./frames.js";
import { Bands, Fasteners, Pistons } from "./hardware.js";
import { Trails } from "./trails.js";
import { add, sub } from "./vectors.js";

export const VERDICT_COLOURS = { met: "#0072b2", violated: "#d55e00", unknown: "#8a8a8a" };
export const VERDICT_TEXTS = { met: "meets all requirements", violated: "violates a requirement", unknown: "no verdict", "": "" };
const TINTS = ["#d81b9c", "#00a6a6", "#7cb342", "#8d6e63"];
const LARGER = 1.003; // scale of translucent bodies, so that equal surfaces do not flicker
const FEW_STEPS = 150; // of a trace of a case
const MANY_EDGES = 60; // flights above which edges would hide the bodies

/** The data of another flight; its arrays are in the scene of the page. */
function sceneOf(whole, data) {
  const shapes = new Map(whole.bodies.map((body) => [body.name, body.shapes]));
  const bodies = data.bodies.map((body) => ({ ...body, shapes: body.shapes || shapes.get(body.name) }));
  return { units: whole.units, length: whole.length, ...data, bodies, array: (number) => whole.array(number) };
}

class Other {
  constructor(data, k, view, kind) {
    const { scene } = view;
    Object.assign(this, { name: data.name, verdict: data.verdict, shift: data.shift, outcome: data.outcome, alignment: data.alignment, view, kind });
    this.scene = sceneOf(scene, data);
    this.flight = new Flight(this.scene);
    this.shown = true;
    this.tint = kind === "cases" ? VERDICT_COLOURS[data.verdict || "unknown"] : TINTS[k % TINTS.length];
    this.bodies = new Bodies(this.flight, (name) => view.bodies.all.get(name)?.colour);
    for (const { inner, middle } of this.bodies.all.values()) {
      inner.position.set(...middle).multiplyScalar(1 - LARGER);
      inner.scale.setScalar(LARGER);
    }
    this.group = new THREE.Group();
    this.group.add(this.bodies.group);
    const small = Math.max(view.bodies.smallest, view.bodies.extent / 6);
    this.devices = kind === "cases" ? [] : [new Joints(this.flight, small), new Links(this.flight, small), new Fasteners(this.flight, small), new Bands(this.flight), new Pistons(this.flight, small), new Plumes(this.flight), new Canopies(this.flight)];
    for (const part of this.devices) this.group.add(part.group);
    this.trails = new Trails(this.flight, kind === "cases" ? FEW_STEPS : undefined);
    this.group.add(this.trails.group);
  }

  /** The frame of this flight, relative to its own origin, for a key of a camera frame. */
  frame(key, t, common) {
    const own = t + this.shift;
    if (common) {
      const frame = frameAt(this.view.flight, key, t);
      return { p: sub(add(frame.p, this.view.flight.origin(t).p), this.flight.origin(own).p), q: frame.q };
    }
    return frameAt(this.flight, this.keyFor(key), own);
  }

  /** A camera frame of a body or joint that this flight does not have becomes the one of its reference body. */
  keyFor(key) {
    const [kind, name] = [key.slice(0, key.indexOf(":")), key.slice(key.indexOf(":") + 1)];
    const known = kind === "joint" ? this.flight.joints.has(name) : kind === "site" || this.flight.bodies.has(name);
    return known ? key : `${kind === "joint" ? "inertial" : kind}:${this.flight.reference}`;
  }

  place(key, t, common) {
    this.group.visible = this.shown;
    if (!this.shown) return;
    const [frame, own] = [this.frame(key, t, common), t + this.shift];
    for (const one of this.bodies.all.values()) {
      const { name } = one.body;
      // In the axes of a body all cases have this body at the same place: the solid one is enough.
      const same = this.kind === "cases" && !common && key === `body:${name}`;
      one.shown = !same && (this.view.bodies.all.get(name)?.shown ?? true);
    }
    this.bodies.place(frame, own);
    for (const part of this.devices) part.place(frame, own);
    this.trails.until(own);
  }

  look({ opacity, byVerdict, solid, edges }) {
    const mixed = this.kind === "cases" ? (byVerdict ? 1 : 0) : 0.65;
    for (const one of this.bodies.all.values()) {
      const { surface, line } = one;
      surface.color.set(one.colour).lerp(new THREE.Color(this.tint), mixed);
      Object.assign(surface, { transparent: !solid, opacity: solid ? 1 : opacity, depthWrite: solid, needsUpdate: true });
      line.color.set(this.tint);
      line.visible = edges || solid;
    }
  }

  trace(key, centres, common) {
    const colours = [...this.bodies.all.values()].map((one) => ({ name: one.body.name, colour: this.kind === "cases" ? this.tint : `#${one.surface.color.getHexString()}` }));
    this.trails.show(centres ? colours : [], (own) => this.frame(key, own - this.shift, common));
  }
}

export class Others {
  constructor(view) {
    const { scene } = view;
    this.kind = scene.kind;
    this.view = view;
    this.all = (scene.others || []).map((data, k) => new Other(data, k, view, scene.kind));
    this.group = new THREE.Group();
    for (const one of this.all) this.group.add(one.group);
    this.on = true;
    this.common = false;
    this.side = false;
    this.byVerdict = true;
    this.opacity = this.kind === "cases" ? Math.max(0.06, 0.5 / Math.sqrt(this.all.length || 1)) : 0.45;
    this.look();
  }

  look() {
    const edges = this.all.length <= MANY_EDGES;
    for (const one of this.all) one.look({ opacity: this.opacity, byVerdict: this.byVerdict, solid: this.side && this.all.length === 1, edges });
  }

  place(key, t) {
    this.group.visible = this.on;
    if (!this.on) return;
    for (const one of this.all) one.place(key, t, this.common);
  }

  trace(key, centres) {
    for (const one of this.all) one.trace(key, centres, this.common);
  }

  near() {
    return this.on ? this.all.filter((one) => one.shown).flatMap((one) => one.bodies.near()) : [];
  }

  /** Names of bodies in the right half, while the flights are side by side. */
  label(labels, names) {
    for (const [k, other] of this.all.entries()) {
      for (const one of other.bodies.all.values()) {
        const { name } = one.body;
        const seen = this.on && this.side && names && k === 0 && other.shown && one.outer.visible;
        labels.set(`other:${k}:${name}`, name, seen ? other.bodies.middle(name) : null, "", 1);
      }
    }
  }
}
