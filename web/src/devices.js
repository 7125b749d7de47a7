// Devices between bodies, joints, exhaust jets and parachutes.
import * as THREE from "three";
import { coil } from "./geometry.js";
import { pointFrom } from "./frames.js";
import { Channel } from "./tracks.js";
import { conjugate, norm, rotate, sub, times, unit } from "./vectors.js";

const UP = new THREE.Vector3(0, 0, 1);

export const FAILED = "#8b1e1e"; // colour of devices that the scenario declares as failed

/** Put an object, which is made along z, between two points of the picture. */
export function stretch(object, a, b, radius) {
  const along = sub(b, a);
  const length = norm(along);
  object.visible = length > 1e-9;
  if (!object.visible) return;
  object.position.set(...a);
  object.quaternion.setFromUnitVectors(UP, new THREE.Vector3(...along).divideScalar(length));
  object.scale.set(radius, radius, length);
}

export const plain = (color, options = {}) => new THREE.MeshStandardMaterial({ color, roughness: 0.6, ...options });

export class Links {
  constructor(flight, size) {
    this.flight = flight;
    this.radius = 0.016 * size;
    this.group = new THREE.Group();
    const rod = new THREE.CylinderGeometry(0.55, 0.55, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const shapes = { coil: coil(), rod, line: rod };
    this.all = flight.scene.items.filter((item) => item.type === "link").map((item) => {
      const material = plain(item.failed ? FAILED : "#f0b400", { metalness: 0.3 });
      const mesh = new THREE.Mesh(shapes[item.style] || rod, material);
      mesh.userData.item = item;
      this.group.add(mesh);
      return { item, mesh, material, state: item.state && new Channel(flight.scene, item.state) };
    });
  }

  place(frame, t) {
    for (const { item, mesh } of this.all) {
      const ends = this.ends(item, t);
      mesh.visible = Boolean(ends);
      if (!ends) continue;
      const thin = item.style === "line" ? 0.35 : 1;
      stretch(mesh, pointFrom(frame, ends[0]), pointFrom(frame, ends[1]), thin * this.radius);
    }
  }

  /** Both ends of a device; after its last action it stays on its first body. */
  ends(item, t) {
    const first = this.flight.point(item.bodies[0], item.at[0], t);
    if (!first) return null;
    if (item.until !== undefined && t > item.until) {
      const pose = this.flight.drawing(item.bodies[0], t);
      item.rest ??= this.rest(item);
      return item.rest && pose && [first, first.map((x, k) => x + rotate(pose.q, item.rest)[k])];
    }
    const second = this.flight.point(item.bodies[1], item.at[1], t);
    return second && [first, second];
  }

  texts() {
    return this.all.map(({ item, state }) => ({ item, text: (t) => (state ? actingText(item, state, t, this.flight.scene.span[0]) : "") }));
  }

  rest(item) {
    const ends = this.ends(item, item.until);
    const pose = this.flight.drawing(item.bodies[0], item.until);
    return ends && pose && rotate(conjugate(pose.q), sub(ends[1], ends[0]));
  }
}

/** What a pusher does at a time. */
export function actingText(item, state, t, begins) {
  if ((state?.at(t) || [0])[0] > 0.5) return "acts";
  return item.until !== undefined && t > item.until && item.until > begins ? "spent" : "does not act";
}

export class Joints {
  constructor(flight, size) {
    this.flight = flight;
    this.group = new THREE.Group();
    const shape = new THREE.OctahedronGeometry(0.014 * size);
    this.all = flight.scene.joints.map((joint) => {
      const mesh = new THREE.Mesh(shape, new THREE.MeshBasicMaterial({ color: "#1f9d55", depthTest: false, transparent: true }));
      mesh.renderOrder = 5;
      this.group.add(mesh);
      return { joint, mesh, active: joint.active && new Channel(flight.scene, joint.active) };
    });
  }

  held(one, t) {
    const state = one.active?.at(t);
    return state ? state[0] > 0.5 : !one.active;
  }

  place(frame, t) {
    for (const one of this.all) {
      const p = this.flight.point(one.joint.bodies[0], one.joint.at[0], t);
      one.mesh.visible = Boolean(p) && this.held(one, t);
      if (p) one.mesh.position.set(...pointFrom(frame, p));
    }
  }
}

export class Plumes {
  constructor(flight) {
    this.flight = flight;
    this.group = new THREE.Group();
    const shape = new THREE.ConeGeometry(0.5, 1, 24, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
    const items = flight.scene.items.filter((item) => item.type === "plume");
    const channels = items.map((item) => new Channel(flight.scene, item.thrust));
    const most = Math.max(...channels.map((one) => one.largest()), 1e-9);
    this.all = items.map((item, k) => {
      const look = { color: "#ff9a2e", transparent: true, opacity: 0.5, depthWrite: false, side: THREE.DoubleSide };
      const mesh = new THREE.Mesh(shape, new THREE.MeshBasicMaterial(look));
      this.group.add(mesh);
      const force = item.force && new Channel(flight.scene, item.force);
      const extent = flight.bodies.get(item.body)?.extent || 1;
      return { item, mesh, thrust: channels[k], force, most, extent };
    });
  }

  place(frame, t) {
    for (const { item, mesh, thrust, force, most, extent } of this.all) {
      const pose = this.flight.drawing(item.body, t);
      const size = (thrust.at(t) || [0])[0] / most;
      mesh.visible = Boolean(pose) && size > 1e-4;
      if (!mesh.visible) continue;
      const vector = force?.at(t);
      const along = vector && norm(vector) > 0 ? unit(vector) : unit(item.direction);
      const start = this.flight.point(item.body, item.at, t);
      const length = 0.45 * extent * Math.sqrt(size);
      const end = start.map((x, k) => x - length * rotate(pose.q, along)[k]);
      stretch(mesh, pointFrom(frame, start), pointFrom(frame, end), 0.3 * length);
    }
  }
}

export class Canopies {
  constructor(flight) {
    this.flight = flight;
    this.group = new THREE.Group();
    const dome = new THREE.SphereGeometry(1, 32, 12, 0, 2 * Math.PI, 0, Math.PI / 2).rotateX(Math.PI / 2);
    this.all = flight.scene.items.filter((item) => item.type === "canopy").map((item) => {
      const look = { color: "#e8604c", side: THREE.DoubleSide, transparent: true, opacity: 0.8 };
      const mesh = new THREE.Mesh(dome, new THREE.MeshStandardMaterial(look));
      const line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: "#888" }));
      line.frustumCulled = false;
      this.group.add(mesh, line);
      return { item, mesh, line, state: item.state && new Channel(flight.scene, item.state) };
    });
  }

  /** A dome of the drag area against the velocity of the body over the ground, or in inertial axes. */
  place(frame, t) {
    for (const { item, mesh, line, state } of this.all) {
      const at = this.flight.point(item.body, item.at, t);
      const open = Boolean(at) && (state?.at(t) || [0])[0] > 0.5;
      mesh.visible = line.visible = open;
      if (!open) continue;
      const radius = Math.sqrt(item.area / 0.75 / Math.PI);
      const velocity = this.wind(item.body, t);
      const back = norm(velocity) > 1e-9 ? times(unit(velocity), -1) : [0, 0, 1];
      const top = at.map((x, k) => x + 3 * radius * back[k]);
      const [a, b] = [pointFrom(frame, at), pointFrom(frame, top)];
      mesh.position.set(...b);
      mesh.scale.setScalar(radius);
      mesh.quaternion.setFromUnitVectors(UP, new THREE.Vector3(...unit(sub(b, a))));
      line.geometry.setAttribute("position", new THREE.Float32BufferAttribute([...a, ...b], 3));
    }
  }

  wind(name, t) {
    const { planet } = this.flight.scene;
    const origin = this.flight.origin(t);
    const pose = this.flight.pose(name, t);
    const v = pose.v.map((x, k) => x + origin.v[k]);
    if (planet?.kind !== "ellipsoid") return v;
    const p = pose.p.map((x, k) => x + origin.p[k]);
    return [v[0] + planet.rotation_rate * p[1], v[1] - planet.rotation_rate * p[0], v[2]];
  }
}
