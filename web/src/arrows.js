// Vectors as arrows; each kind has one scale, which the legend states.
import * as THREE from "three";
import { pointFrom } from "./frames.js";
import { Channel } from "./tracks.js";
import { conjugate, norm, rotate, times } from "./vectors.js";

const LOOKS = {
  "joint force": ["#c2185b", "N", true],
  "joint torque": ["#7b1fa2", "N m", false],
  thrust: ["#e65100", "N", false],
  "contact force": ["#d3222a", "N", true],
  "aerodynamic force": ["#00838f", "N", false],
  velocity: ["#2e7d32", "m/s", false],
  "angular velocity": ["#6a4c93", "rad/s", false],
};
const OTHER = ["#5d4037", "N", false];
const UP = new THREE.Vector3(0, 0, 1);

const round = (x) => {
  const power = 10 ** Math.floor(Math.log10(x));
  return [1, 2, 5, 10].filter((k) => k * power >= x * 0.999)[0] * power;
};

export class Arrows {
  constructor(flight, size, labels) {
    this.flight = flight;
    this.size = size;
    this.labels = labels;
    this.group = new THREE.Group();
    this.kinds = new Map();
    for (const source of this.sources()) this.add(source);
    for (const kind of this.kinds.values()) this.scale(kind);
  }

  /** {kind, name, body, at(t), vector(t), largest} of all vectors; places and vectors in inertial axes. */
  sources() {
    const { flight } = this;
    const found = [];
    for (const joint of flight.scene.joints) {
      for (const [word, key] of [["joint force", "force"], ["joint torque", "torque"]]) {
        if (!joint[key]) continue;
        const channel = new Channel(flight.scene, joint[key]);
        found.push(this.ofBody(word, joint.name, joint.bodies[1], joint.at[1], channel, false));
      }
    }
    for (const item of flight.scene.items.filter((one) => one.type === "arrow")) {
      const channel = new Channel(flight.scene, item.values);
      found.push(this.ofBody(item.kind, item.name, item.body, item.at, channel, item.inertial));
    }
    for (const item of flight.scene.items.filter((one) => one.type === "contactpoint")) found.push(this.ofContact(item));
    for (const { name } of flight.scene.bodies) {
      if (name === flight.reference) continue;
      found.push({ kind: "velocity", name, largest: this.fastest(name), at: (t) => flight.pose(name, t)?.p, vector: (t) => flight.pose(name, t)?.v });
    }
    return found.filter((one) => one.largest > (one.kind.includes("velocity") ? 1e-6 : this.least(one.kind)));
  }

  /** Size below which a force or torque is rounding: a ten-thousandth of m/s^2 on the heaviest body. */
  least(kind) {
    const heaviest = Math.max(...this.flight.scene.bodies.map((body) => body.mass || 0));
    return 1e-4 * heaviest * (kind.includes("torque") ? this.size : 1);
  }

  ofContact(item) {
    const { flight } = this;
    const channel = new Channel(flight.scene, item.values);
    let largest = 0;
    for (let row = 0; row < channel.times.length; row++) largest = Math.max(largest, norm([...channel.values.subarray(6 * row + 3, 6 * row + 6)]) || 0);
    const at = (t) => { const found = channel.at(t); return found && flight.point(item.body, found.slice(0, 3), t); };
    return { kind: "contact force", name: item.name, largest, at, vector: (t) => channel.at(t)?.slice(3) ?? null };
  }

  ofBody(kind, name, body, at, channel, inertial) {
    const { flight } = this;
    const vector = (t) => {
      const [value, pose] = [channel.at(t), flight.drawing(body, t)];
      return value && pose && (inertial ? value : rotate(pose.q, value));
    };
    return { kind, name, largest: channel.largest(), vector, at: (t) => flight.point(body, at || flight.centre(body, t), t) };
  }

  fastest(name) {
    const track = this.flight.tracks.get(name);
    let most = 0;
    for (let k = 0; k < track.times.length; k++) {
      const size = norm([...track.velocities.subarray(3 * k, 3 * k + 3)]);
      if (size > most) most = size;
    }
    return most;
  }

  add(source) {
    const [colour, unit, on] = LOOKS[source.kind] || OTHER;
    if (!this.kinds.has(source.kind)) this.kinds.set(source.kind, { name: source.kind, colour, unit, on, arrows: [] });
    const material = new THREE.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true });
    const shaft = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5), material);
    const head = new THREE.Mesh(new THREE.ConeGeometry(1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5), material);
    const arrow = new THREE.Group().add(shaft, head);
    arrow.renderOrder = shaft.renderOrder = head.renderOrder = 6;
    this.group.add(arrow);
    this.kinds.get(source.kind).arrows.push({ source, arrow, shaft, head });
  }

  /** One round scale: the largest vector of the flight is about as long as half a body. */
  scale(kind) {
    const largest = Math.max(...kind.arrows.map(({ source }) => source.largest));
    const { length, units } = this.flight.scene;
    [kind.factor, kind.unitText] = units[kind.unit] || [1, kind.unit];
    // Round in the units of the page: so much per unit of length.
    kind.perLength = round(((largest / (0.6 * this.size)) * kind.factor) / length[0]);
    kind.perMetre = (kind.perLength * length[0]) / kind.factor;
  }

  place(frame, t) {
    for (const kind of this.kinds.values()) {
      for (const { source, arrow, shaft, head } of kind.arrows) {
        const [at, vector] = kind.on ? [source.at(t), source.vector(t)] : [null, null];
        const value = vector ? norm(vector) : 0;
        const length = value / kind.perMetre;
        arrow.visible = Boolean(at) && length > 0.004 * this.size;
        if (!arrow.visible) continue;
        const along = times(rotate(conjugate(frame.q), vector), 1 / value);
        arrow.position.set(...pointFrom(frame, at));
        arrow.quaternion.setFromUnitVectors(UP, new THREE.Vector3(...along));
        const tip = Math.min(0.05 * this.size, 0.5 * length);
        shaft.scale.set(0.006 * this.size, 0.006 * this.size, length - tip);
        head.position.set(0, 0, length - tip);
        head.scale.set(0.02 * this.size, 0.02 * this.size, tip);
      }
    }
  }
}
