// Bodies by their shapes. A stand-in has dashed words in the legend and a lighter surface.
import * as THREE from "three";
import { sharedGeometry } from "./geometry.js";
import { seenFrom } from "./frames.js";

export const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a", "#b0a000"];
export const RED = "#d3222a";

const NEAR = 12; // times the largest body: distance up to which a body stays in the picture

const three = ([w, x, y, z]) => new THREE.Quaternion(x, y, z, w);

export class Bodies {
  /** colourOf: colour of a body by its name, or undefined for the next colour of the list. */
  constructor(flight, colourOf = () => undefined) {
    this.flight = flight;
    this.group = new THREE.Group();
    this.all = new Map();
    flight.scene.bodies.forEach((body, k) => this.all.set(body.name, this.make(body, colourOf(body.name) ?? COLOURS[k % COLOURS.length])));
    this.extent = Math.max(...flight.scene.bodies.map((body) => body.extent), 1e-6);
    this.smallest = Math.min(...flight.scene.bodies.map((body) => body.extent), this.extent);
  }

  make(body, colour) {
    const surface = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.75, metalness: 0.05, side: THREE.DoubleSide });
    const line = new THREE.LineBasicMaterial({ color: 0x101418, transparent: true, opacity: 0.45 });
    const inner = new THREE.Group();
    for (const shape of body.shapes) {
      const [faces, edges] = sharedGeometry(shape, this.flight.scene);
      const part = new THREE.Group();
      part.add(new THREE.Mesh(faces, surface));
      if (edges) part.add(new THREE.LineSegments(edges, line));
      part.position.set(...shape.at);
      if (shape.turn) part.quaternion.copy(three(shape.turn));
      inner.add(part);
    }
    const outer = new THREE.Group();
    outer.add(inner);
    outer.name = body.name;
    this.group.add(outer);
    const box = new THREE.Box3().setFromObject(inner);
    const middle = box.getCenter(new THREE.Vector3()).toArray();
    const corners = [];
    for (let k = 0; k < 8; k++) corners.push([k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z]);
    return { body, outer, inner, surface, line, colour, corners, middle, shown: true, red: false };
  }

  /** Place all bodies as a frame sees them at a time. */
  place(frame, t) {
    for (const one of this.all.values()) {
      const pose = this.flight.drawing(one.body.name, t);
      one.present = Boolean(pose);
      one.outer.visible = one.present && one.shown;
      if (!pose) continue;
      const seen = seenFrom(frame, pose);
      one.outer.position.set(...seen.p);
      one.outer.quaternion.copy(three(seen.q));
    }
  }

  /** Centre of the box of a body in the picture. */
  middle(name) {
    const one = this.all.get(name);
    return new THREE.Vector3(...one.middle).applyQuaternion(one.outer.quaternion).add(one.outer.position).toArray();
  }

  setRed(names) {
    for (const one of this.all.values()) {
      const red = names.has(one.body.name);
      if (red !== one.red) one.surface.color.set(red ? RED : one.colour);
      one.red = red;
    }
  }

  setTransparent(on) {
    for (const { surface } of this.all.values()) {
      surface.transparent = on;
      surface.opacity = on ? 0.35 : 1;
      surface.depthWrite = !on;
      surface.needsUpdate = true;
    }
  }

  /** Corners of the boxes of the bodies that are near to the one next to the origin. */
  near() {
    const seen = [...this.all.values()].filter((one) => one.outer.visible);
    if (!seen.length) return [];
    const places = seen.map((one) => ({ one, at: new THREE.Vector3(...this.middle(one.body.name)) }));
    const first = places.reduce((a, b) => (b.at.length() < a.at.length() ? b : a)).at;
    const chosen = places.filter(({ at }) => at.distanceTo(first) < NEAR * this.extent);
    return chosen.flatMap(({ one: { corners, outer } }) =>
      corners.map((corner) => new THREE.Vector3(...corner).applyQuaternion(outer.quaternion).add(outer.position)),
    );
  }
}

/** Copies of the bodies at chosen times, as the camera frame saw them then. */
export class Strobe {
  constructor(bodies) {
    this.bodies = bodies;
    this.group = new THREE.Group();
    this.times = [];
  }

  show(times, frameOf) {
    this.times = times;
    this.group.clear();
    for (const t of times) {
      for (const one of this.bodies.all.values()) {
        const pose = one.shown && this.bodies.flight.drawing(one.body.name, t);
        if (!pose) continue;
        const bent = this.bodies.bend?.(one.body.name, t);
        const copy = one.inner.clone();
        const ghost = one.surface.clone();
        Object.assign(ghost, { transparent: true, opacity: 0.3, depthWrite: false });
        ghost.color.set(one.colour);
        copy.traverse((part) => {
          if (part.isMesh) part.material = ghost;
          if (bent && part.geometry) part.geometry = part.geometry.clone();
        });
        const outer = new THREE.Group();
        const seen = seenFrom(frameOf(t), pose);
        outer.position.set(...seen.p);
        outer.quaternion.copy(three(seen.q));
        outer.add(copy);
        this.group.add(outer);
      }
    }
  }
}
