// Contacts: a mark at the centre of the contact forces. Stops: the ends of the travel of a joint.
import * as THREE from "three";
import { RED } from "./bodies.js";
import { plain } from "./devices.js";
import { pointFrom } from "./frames.js";
import { channelOf, ofType } from "./hardware.js";
import { add, conjugate, dot, norm, product, rotate, sub, times } from "./vectors.js";

const three = ([w, x, y, z]) => new THREE.Quaternion(x, y, z, w);
const AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
// Rotations of z to each axis; x goes to the next axis.
const TURNS = [[0.5, 0.5, 0.5, 0.5], [0.5, -0.5, -0.5, -0.5], [1, 0, 0, 0]];

export class Contacts {
  constructor(flight, size) {
    this.flight = flight;
    this.group = new THREE.Group();
    const ball = new THREE.SphereGeometry(0.014 * size, 20, 12);
    this.all = ofType(flight, "contactpoint").map((item) => {
      const mesh = new THREE.Mesh(ball, new THREE.MeshBasicMaterial({ color: RED, depthTest: false, transparent: true }));
      mesh.renderOrder = 7;
      mesh.userData.item = item;
      this.group.add(mesh);
      return { item, mesh, values: channelOf(flight, item.values), touching: channelOf(flight, item.touching) };
    });
  }

  /** Centre of the forces, relative to the origin, or null without a force. */
  at(one, t) {
    const found = one.values.at(t);
    return found && norm(found.slice(3)) > 0 ? this.flight.point(one.item.body, found.slice(0, 3), t) : null;
  }

  place(frame, t) {
    for (const one of this.all) {
      const at = this.at(one, t);
      one.mesh.visible = Boolean(at);
      if (at) one.mesh.position.set(...pointFrom(frame, at));
    }
  }

  texts() {
    return this.all.map((one) => ({ item: one.item, text: (t) => (this.at(one, t) ? "touches" : "no contact") }));
  }
}

export class Stops {
  constructor(flight, size) {
    this.flight = flight;
    this.size = size;
    this.group = new THREE.Group();
    this.all = ofType(flight, "endstop").filter(({ joint }) => flight.joints.has(joint)).map((item) => this.make(item));
  }

  make(item) {
    const { size, flight } = this;
    const joint = flight.joints.get(item.joint);
    const limits = [item.lower, item.upper].filter((limit) => limit !== undefined);
    const shape = item.angular
      ? new THREE.BoxGeometry(0.12 * size, 0.006 * size, 0.012 * size).translate(0.06 * size, 0, 0)
      : new THREE.BoxGeometry(0.07 * size, 0.07 * size, 0.008 * size);
    const of = (limit) => {
      const mesh = new THREE.Mesh(shape, plain("#7a5cc0", { transparent: true, opacity: 0.8 }));
      mesh.userData.item = item;
      this.group.add(mesh);
      return { mesh, limit };
    };
    const pointer = item.angular ? of(null).mesh : null;
    pointer?.material.color.set("#30363c");
    return { item, joint, ends: limits.map(of), pointer, travel: channelOf(flight, item.travel), load: channelOf(flight, item.load), active: channelOf(flight, joint.active) };
  }

  present(one, t) {
    const state = one.active?.at(t);
    return Boolean(one.travel.at(t)) && (!state || state[0] > 0.5);
  }

  /** Load of a stop at a time [N or N m]. */
  push(one, t) {
    return one.load?.at(t)?.[0] ?? 0;
  }

  place(frame, t) {
    for (const one of this.all) {
      const { item, joint, ends, pointer } = one;
      const pose = this.flight.drawing(joint.bodies[0], t);
      const seen = Boolean(pose) && this.present(one, t);
      for (const { mesh } of ends) mesh.visible = seen;
      if (pointer) pointer.visible = seen;
      if (!seen) continue;
      const axes = product(pose.q, joint.turn);
      const along = rotate(axes, AXES[item.axis]);
      const base = add(pose.p, rotate(pose.q, joint.at[0]));
      const upright = product(axes, TURNS[item.axis]);
      const put = (mesh, at, turn) => {
        mesh.position.set(...pointFrom(frame, at));
        mesh.quaternion.copy(three(product(conjugate(frame.q), turn)));
      };
      const travel = one.travel.at(t)[0];
      const load = this.push(one, t);
      const about = (angle) => product(upright, [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)]);
      const start = item.angular ? 0 : this.start(one, t, base, along, travel);
      for (const { mesh, limit } of ends) {
        if (item.angular) put(mesh, base, about(limit));
        else put(mesh, add(base, times(along, start + limit)), upright);
        const pressed = load !== 0 && (limit === item.upper) === load < 0;
        mesh.material.color.set(pressed ? RED : "#7a5cc0");
      }
      if (pointer) put(pointer, base, about(travel));
    }
  }

  /** Displacement of the joint at the start of the flight [m]. */
  start(one, t, base, along, travel) {
    if (one.first === undefined) {
      const point = this.flight.point(one.joint.bodies[1], one.joint.at[1], t);
      if (!point) return 0;
      one.first = dot(sub(point, base), along) - travel;
    }
    return one.first;
  }

  texts() {
    return this.all.map((one) => ({ item: one.item, text: (t) => (this.present(one, t) ? (this.push(one, t) ? "pushes" : "free travel") : "removed") }));
  }
}
