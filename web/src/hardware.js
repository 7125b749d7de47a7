// Bolts, nuts, seams, clamp bands and pistons. Their sizes are symbolic where the scenario has none.
import * as THREE from "three";
import { FAILED, actingText, plain, stretch } from "./devices.js";
import { pointFrom } from "./frames.js";
import { Channel } from "./tracks.js";
import { add, conjugate, dot, norm, product, rotate, sub, times, unit } from "./vectors.js";

const UP = new THREE.Vector3(0, 0, 1);
const CUT = "#2b2f33"; // edges of a bolt or seam after its release
const CLEAR = 0.1; // of the radius of a band: way of its segments when they have left the flanges
const EVER = 0.04; // of the radius: gap between a segment and its neighbours, as an angle [rad]

const three = ([w, x, y, z]) => new THREE.Quaternion(x, y, z, w);
const turnTo = (direction) => {
  const { x, y, z, w } = new THREE.Quaternion().setFromUnitVectors(UP, new THREE.Vector3(...unit(direction)));
  return [w, x, y, z];
};

/** Put an object, which is made along z, at a point and along a direction of a body. */
function attach(object, flight, frame, t, body, at, turn) {
  const pose = flight.drawing(body, t);
  object.visible = Boolean(pose);
  if (!pose) return;
  object.position.set(...pointFrom(frame, add(pose.p, rotate(pose.q, at))));
  object.quaternion.copy(three(product(product(conjugate(frame.q), pose.q), turn)));
}

const ofType = (flight, type) => flight.scene.items.filter((item) => item.type === type);
const channelOf = (flight, channel) => channel && new Channel(flight.scene, channel);
const on = (channel, t) => { const found = channel?.at(t); return found ? found[0] > 0.5 : undefined; };

export class Fasteners {
  constructor(flight, size) {
    this.flight = flight;
    this.group = new THREE.Group();
    const r = 0.011 * size;
    const rod = (radius, from, to, sides) => new THREE.CylinderGeometry(radius, radius, to - from, sides).rotateX(Math.PI / 2).translate(0, 0, (from + to) / 2);
    const shank = rod(r, -4 * r, 0, 16);
    this.shapes = { head: rod(2 * r, -5.4 * r, -4 * r, 6), shank, end: rod(r, 0, 4 * r, 16), nut: rod(2 * r, 4 * r, 5.6 * r, 6) };
    this.size = size;
    this.all = ofType(flight, "fastener").map((item) => this.make(item));
  }

  make(item) {
    const { flight, shapes } = this;
    const colour = item.failed ? FAILED : "#8e9aa6";
    const material = plain(colour, { metalness: 0.1, roughness: 0.5 });
    const sides = [new THREE.Group(), new THREE.Group()];
    if (item.style === "seam") {
      const radius = item.radius || 0.05 * this.size;
      for (const side of sides) side.add(new THREE.Mesh(new THREE.TorusGeometry(radius, Math.max(0.012 * radius, 0.004 * this.size), 8, 64), material));
    } else {
      const of = (shape) => new THREE.Mesh(shape, material);
      sides[0].add(of(shapes.head), of(shapes.shank));
      // The bolt of a nut stays whole on the first body.
      sides[item.style === "nut" ? 0 : 1].add(of(shapes.end));
      sides[1].add(of(shapes.nut));
    }
    for (const side of sides) {
      side.userData.item = item;
      this.group.add(side);
    }
    return { item, sides, material, colour, turn: turnTo(item.direction), state: channelOf(flight, item.state), joint: channelOf(flight, item.joint) };
  }

  /** "held", "released", or "whole": not released by its own action, while the joint is free. */
  status(one, t) {
    if (on(one.state, t) === false) return "released";
    return on(one.joint, t) === false ? "whole" : "held";
  }

  place(frame, t) {
    for (const one of this.all) {
      const { item, sides: [first, second], turn, material, colour } = one;
      const status = this.status(one, t);
      material.color.set(status === "released" && item.style !== "nut" ? CUT : colour);
      attach(first, this.flight, frame, t, item.bodies[0], item.at[0], turn);
      if (status !== "released") {
        attach(second, this.flight, frame, t, item.bodies[0], item.at[0], turn);
      } else {
        attach(second, this.flight, frame, t, item.bodies[1], item.at[1], this.onChild(one));
      }
      if (item.style === "nut") second.scale.set(...(status === "released" ? [1.5, 1.5, 1] : [1, 1, 1]));
    }
  }

  /** The direction of a device on its second body, where it was when the flight began. */
  onChild(one) {
    if (!one.childTurn) {
      const { item, turn } = one;
      const [t] = this.flight.scene.span;
      const poses = item.bodies.map((name) => this.flight.drawing(name, t));
      one.childTurn = poses.every(Boolean) ? product(conjugate(poses[1].q), product(poses[0].q, turn)) : turn;
    }
    return one.childTurn;
  }

  texts() {
    return this.all.map((one) => ({ item: one.item, text: (t) => ({ held: "attached", released: "released", whole: "not released; its joint is free" })[this.status(one, t)] }));
  }
}

export class Bands {
  constructor(flight) {
    this.flight = flight;
    this.group = new THREE.Group();
    this.all = ofType(flight, "band").map((item) => {
      const material = plain(item.failed ? FAILED : "#d0a761", { metalness: 0.1, roughness: 0.5, side: THREE.DoubleSide });
      const ring = new THREE.Group();
      const count = Math.max(3, Math.min(64, item.segments));
      const wide = (2 * Math.PI) / count - EVER;
      const shape = segment(item.radius, wide);
      const parts = [];
      for (let k = 0; k < count; k++) {
        const mesh = new THREE.Mesh(shape, material);
        const angle = (2 * Math.PI * k) / count;
        mesh.rotation.z = angle;
        ring.add(mesh);
        parts.push({ mesh, out: [Math.cos(angle), Math.sin(angle)] });
      }
      ring.userData.item = item;
      this.group.add(ring);
      return { item, ring, parts, turn: turnTo(item.direction) };
    });
  }

  /** Part of the way of the segments, from 0 to 1. */
  open({ item }, t) {
    if (item.until === undefined || item.until <= this.flight.scene.span[0]) return item.until === undefined ? 0 : 1;
    if (t >= item.until) return 1;
    return item.opening > 0 ? Math.max(0, 1 - (item.until - t) / item.opening) : 0;
  }

  place(frame, t) {
    for (const one of this.all) {
      const { item, ring, parts, turn } = one;
      attach(ring, this.flight, frame, t, item.bodies[0], item.at, turn);
      const way = CLEAR * item.radius * this.open(one, t);
      for (const { mesh, out } of parts) mesh.position.set(way * out[0], way * out[1], 0);
    }
  }

  texts() {
    const words = (part) => (part >= 1 ? "released" : part > 0 ? "opening" : "closed");
    return this.all.map((one) => ({ item: one.item, text: (t) => words(this.open(one, t)) }));
  }
}

/** A segment of a ring around z, with its middle on x. */
function segment(radius, angle) {
  const [inner, outer, high] = [radius * 1.0, radius * 1.06, 0.05 * radius];
  const profile = [[inner, -high], [outer, -high], [outer, high], [inner, high], [inner, -high]].map(([r, z]) => new THREE.Vector2(r, z));
  // The lathe turns about y and starts at z.
  const shape = new THREE.LatheGeometry(profile, 8, Math.PI / 2 - angle / 2, angle).rotateX(Math.PI / 2).toNonIndexed();
  shape.computeVertexNormals();
  return shape;
}

export class Pistons {
  constructor(flight, size) {
    this.flight = flight;
    this.group = new THREE.Group();
    const tube = new THREE.CylinderGeometry(1, 1, 1, 20, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const rod = new THREE.CylinderGeometry(1, 1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.all = ofType(flight, "strokedevice").map((item) => {
      const radius = Math.min(0.06 * size, Math.max(0.006 * size, (item.bore || 0.03 * size) / 2));
      const house = new THREE.Mesh(tube, plain(item.failed ? FAILED : "#5f6f7d", { metalness: 0.1, side: THREE.DoubleSide }));
      const bar = new THREE.Mesh(rod, plain("#f0b400", { metalness: 0.1 }));
      for (const mesh of [house, bar]) {
        mesh.userData.item = item;
        this.group.add(mesh);
      }
      return { item, house, bar, radius, least: 0.02 * size, state: channelOf(flight, item.state) };
    });
  }

  /** {mouth, tip, back} of a piston in the picture of the origin, or null. */
  ends(one, t) {
    const { item } = one;
    const pose = this.flight.drawing(item.bodies[0], t);
    if (!pose) return null;
    const { along, out } = item.until !== undefined && t > item.until ? (one.rest ??= this.own(one, item.until)) || {} : this.own(one, t) || {};
    if (!along) return null;
    const axis = rotate(pose.q, along);
    const mouth = add(pose.p, rotate(pose.q, item.at[0]));
    const back = Math.max(item.stroke, one.least);
    return { mouth, tip: add(mouth, times(axis, out)), back: sub(mouth, times(axis, back)), start: sub(mouth, times(axis, Math.max(0, back - Math.max(out, 0)))) };
  }

  /** Direction of the rod in axes of its body, and its length out of the mouth [m]. */
  own(one, t) {
    const { item } = one;
    const pose = this.flight.drawing(item.bodies[0], t);
    const mouth = this.flight.point(item.bodies[0], item.at[0], t);
    const target = this.flight.point(item.bodies[1], item.at[1], t);
    if (!pose || !mouth || !target) return null;
    const way = rotate(conjugate(pose.q), sub(target, mouth));
    const along = item.direction ? unit(item.direction) : norm(way) > 1e-9 ? unit(way) : [0, 0, 1];
    return { along, out: dot(way, along) };
  }

  place(frame, t) {
    for (const one of this.all) {
      const found = this.ends(one, t);
      one.house.visible = one.bar.visible = Boolean(found);
      if (!found) continue;
      const at = (p) => pointFrom(frame, p);
      stretch(one.house, at(found.back), at(found.mouth), 1.25 * one.radius);
      stretch(one.bar, at(found.start), at(found.tip), 0.7 * one.radius);
    }
  }

  texts() {
    return this.all.map((one) => ({ item: one.item, text: (t) => actingText(one.item, one.state, t, this.flight.scene.span[0]) }));
  }
}

export { channelOf, ofType };
