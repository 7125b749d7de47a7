// Propellant as the filled part of a tank, visible through the body.
import * as THREE from "three";
import { pointFrom } from "./frames.js";
import { channelOf, ofType } from "./hardware.js";
import { numberText } from "./text.js";
import { add, conjugate, product, rotate, unit } from "./vectors.js";

const AROUND = 40;
const STEPS = 20;
const SAME = 2e-3; // change of a level, relative to the height of the tank, that is not drawn
const UP = new THREE.Vector3(0, 0, 1);

/** Height of a liquid of a volume in a sphere: pi h^2 (r - h/3), by halving the interval. */
export function sphereLevel(volume, radius) {
  let [low, high] = [0, 2 * radius];
  for (let k = 0; k < 50; k++) {
    const h = (low + high) / 2;
    if (Math.PI * h * h * (radius - h / 3) < volume) low = h;
    else high = h;
  }
  return (low + high) / 2;
}

/** Profile [radius, height] of the propellant of a tank with a mass [kg]; empty without propellant. */
export function profileOf({ style, radius, height, density, full }, left) {
  if (!(left > 0)) return [];
  if (style === "gauge") {
    const level = (height * left) / full;
    return [[0, 0], [radius, 0], [radius, level], [0, level]];
  }
  if (style === "grain") {
    const inner = Math.sqrt(Math.max(0, radius * radius - left / (density * Math.PI * height)));
    return [[inner, -height / 2], [radius, -height / 2], [radius, height / 2], [inner, height / 2], [inner, -height / 2]];
  }
  if (style === "sphere") {
    const level = sphereLevel(left / density, radius);
    const curve = Array.from({ length: STEPS + 1 }, (_, k) => {
      const h = (level * k) / STEPS;
      return [Math.sqrt(Math.max(0, h * (2 * radius - h))), h - radius];
    });
    return [...curve, [0, level - radius]];
  }
  const level = left / (density * Math.PI * radius * radius);
  return [[0, 0], [radius, 0], [radius, level], [0, level]];
}

const lathe = (profile) => new THREE.LatheGeometry(profile.map(([r, z]) => new THREE.Vector2(r, z)), AROUND).rotateX(Math.PI / 2);

export class Tanks {
  constructor(flight) {
    this.flight = flight;
    this.group = new THREE.Group();
    this.all = ofType(flight, "tank").map((given) => {
      const extent = flight.bodies.get(given.body)?.extent || 1;
      const shape = given.style === "gauge" ? { ...given, radius: 0.02 * extent, height: 0.15 * extent } : given;
      const xray = { transparent: true, depthTest: false, depthWrite: false };
      const material = new THREE.MeshBasicMaterial({ color: given.style === "grain" ? "#b5651d" : "#4dd0e1", opacity: 0.5, ...xray });
      const mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
      const wall = new THREE.LineSegments(this.wall(shape), new THREE.LineBasicMaterial({ color: "#30506b", opacity: 0.7, ...xray }));
      const holder = new THREE.Group().add(wall, mesh);
      wall.renderOrder = mesh.renderOrder = 3;
      holder.userData.item = given;
      this.group.add(holder);
      const { x, y, z, w } = new THREE.Quaternion().setFromUnitVectors(UP, new THREE.Vector3(...unit(given.axis)));
      return { item: given, shape, mesh, wall, holder, turn: [w, x, y, z], left: channelOf(flight, given.left), attached: channelOf(flight, given.attached) };
    });
  }

  /** Circles of the wall at its bottom, middle and top, and lines between them. */
  wall({ style, radius, height }) {
    const [from, to] = style === "cylinder" || style === "gauge" ? [0, height] : [-height / 2, height / 2];
    const ring = (r, z) => Array.from({ length: AROUND }, (_, k) => [k, k + 1].map((n) => [r * Math.cos((2 * Math.PI * n) / AROUND), r * Math.sin((2 * Math.PI * n) / AROUND), z])).flat();
    const round = style === "sphere";
    const points = [...ring(round ? 0 : radius, from), ...ring(radius, (from + to) / 2), ...ring(round ? 0 : radius, to)];
    if (round) points.push(...ring(radius, 0).map(([x, y]) => [x, 0, y]), ...ring(radius, 0).map(([x, y]) => [0, x, y]));
    else for (const [x, y] of [[1, 0], [0, 1], [-1, 0], [0, -1]]) points.push([radius * x, radius * y, from], [radius * x, radius * y, to]);
    return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points.flat(), 3));
  }

  /** Propellant left at a time [kg], or null without data or after the jettison. */
  mass(one, t) {
    const carried = one.attached?.at(t);
    const found = one.left.at(t);
    return !found || (carried && carried[0] < 0.5) ? null : found[0];
  }

  place(frame, t) {
    for (const one of this.all) {
      const { item, shape, mesh, holder, turn } = one;
      const pose = this.flight.drawing(item.body, t);
      const left = this.mass(one, t);
      holder.visible = Boolean(pose) && left !== null;
      if (!holder.visible) continue;
      const [w, x, y, z] = product(product(conjugate(frame.q), pose.q), turn);
      holder.position.set(...pointFrom(frame, add(pose.p, rotate(pose.q, item.at))));
      holder.quaternion.set(x, y, z, w);
      if (one.drawn !== undefined && Math.abs(left - one.drawn) < SAME * item.full) continue;
      one.drawn = left;
      mesh.geometry.dispose();
      const profile = profileOf(shape, left);
      mesh.visible = profile.length > 0;
      mesh.geometry = mesh.visible ? lathe(profile) : new THREE.BufferGeometry();
    }
  }

  texts() {
    return this.all.map((one) => ({ item: one.item, text: (t) => this.text(one, t) }));
  }

  text(one, t) {
    const left = this.mass(one, t);
    if (left === null) return "no data, or jettisoned";
    const [factor, unitName] = this.flight.scene.units.kg || [1, "kg"];
    const part = one.item.full > 0 ? `${((100 * left) / one.item.full).toFixed(1)} % left, ` : "";
    return `${part}${numberText(left * factor)} ${unitName}`;
  }
}
