// Flexible bodies and beams, drawn bent. The deformation has a factor, which the picture states.
import * as THREE from "three";
import { plain } from "./devices.js";
import { pointFrom } from "./frames.js";
import { Channel } from "./tracks.js";
import { add, conjugate, cross, dot, norm, product, rotate, sub, times, unit } from "./vectors.js";

const FINE = 28; // parts of a body along its size, so that straight shapes can bend
const MOST_TRIANGLES = 60000;
const AROUND = 12; // corners of a round section
const LINE = 0.1; // width of the points of a body relative to their length, up to which it bends like a beam
const STILL = 1e-9;

const three = ([w, x, y, z]) => new THREE.Quaternion(x, y, z, w);
const triples = (values) => Array.from({ length: values.length / 3 }, (_, k) => [...values.subarray(3 * k, 3 * k + 3)]);

/** Displacements and rotations of the points of an item. */
class Deformation {
  constructor(flight, item) {
    this.item = item;
    this.points = triples(flight.scene.array(item.points));
    this.shapes = flight.scene.array(item.shapes);
    this.amplitudes = new Channel(flight.scene, item.amplitudes);
  }

  /** {moved, turned}: displacements and rotation vectors at a time, or null without data. */
  at(t) {
    const found = this.amplitudes.at(t);
    const count = this.points.length;
    if (!found) return null;
    const sum = new Float64Array(6 * count);
    found.forEach((x, k) => {
      for (let n = 0; n < sum.length; n++) sum[n] += x * this.shapes[6 * count * k + n];
    });
    return { moved: triples(sum.subarray(0, 3 * count)), turned: triples(sum.subarray(3 * count)) };
  }
}

/** Splits the edges of triangles, or lines, until none is longer than a length. */
function refined(geometry, length, corners) {
  const names = Object.keys(geometry.attributes).filter((name) => name !== "uv");
  const rows = names.map((name) => geometry.getAttribute(name));
  const waiting = [];
  const corner = (n) => rows.flatMap((values) => [values.getX(n), values.getY(n), values.getZ(n)]);
  const source = geometry.index;
  const total = source ? source.count : rows[0].count;
  for (let n = 0; n + corners <= total; n += corners) waiting.push(Array.from({ length: corners }, (_, k) => corner(source ? source.getX(n + k) : n + k)));
  const done = [];
  const first = 3 * names.indexOf("position");
  const size = (a, b) => Math.hypot(a[first] - b[first], a[first + 1] - b[first + 1], a[first + 2] - b[first + 2]);
  while (waiting.length) {
    const one = waiting.pop();
    const edges = corners === 2 ? [[0, 1]] : [[0, 1], [1, 2], [2, 0]];
    const longest = edges.reduce((a, b) => (size(one[b[0]], one[b[1]]) > size(one[a[0]], one[a[1]]) ? b : a));
    const [i, j] = longest;
    if (size(one[i], one[j]) <= length || done.length + waiting.length >= MOST_TRIANGLES) {
      done.push(one);
      continue;
    }
    const middle = one[i].map((x, k) => (x + one[j][k]) / 2);
    waiting.push(one.map((p, k) => (k === i ? middle : p)), one.map((p, k) => (k === j ? middle : p)));
  }
  const found = new THREE.BufferGeometry();
  names.forEach((name, k) => found.setAttribute(name, new THREE.Float32BufferAttribute(done.flat().flatMap((p) => p.slice(3 * k, 3 * k + 3)), 3)));
  return found;
}

/** How the points of a body move any other point: as a beam if they are on a line, otherwise by distance. */
function fieldOf(points, extent) {
  const middle = times(points.reduce(add), 1 / points.length);
  const far = points.reduce((a, b) => (norm(sub(b, middle)) > norm(sub(a, middle)) ? b : a));
  const along = unit(sub(far, middle));
  const stations = points.map((p) => dot(sub(p, middle), along));
  const width = Math.max(...points.map((p, k) => norm(sub(sub(p, middle), times(along, stations[k])))));
  const order = stations.map((_, k) => k).sort((a, b) => stations[a] - stations[b]);
  const apart = order.every((k, n) => n === 0 || stations[k] - stations[order[n - 1]] > 1e-6 * extent);
  return width <= LINE * extent && apart ? beamField(points, middle, along, stations, order) : cloudField(points, extent);
}

function cloudField(points, extent) {
  return (p) => {
    const weights = points.map((a) => 1 / (norm(sub(p, a)) ** 4 + (1e-3 * extent) ** 4));
    const sum = weights.reduce((a, b) => a + b);
    return ({ moved, turned }) =>
      points.reduce((found, a, k) => add(found, times(add(moved[k], cross(turned[k], sub(p, a))), weights[k] / sum)), [0, 0, 0]);
  };
}

function beamField(points, middle, along, stations, order) {
  return (p) => {
    const s = dot(sub(p, middle), along);
    let n = 0;
    while (n < order.length - 2 && stations[order[n + 1]] < s) n++;
    const [a, b] = [order[n], order[n + 1]];
    const h = stations[b] - stations[a];
    const x = Math.min(1, Math.max(0, (s - stations[a]) / h));
    const beyond = s < stations[a] ? a : s > stations[b] ? b : -1;
    const axis = add(middle, times(along, s));
    return ({ moved, turned }) => {
      if (beyond >= 0) return add(moved[beyond], cross(turned[beyond], sub(p, points[beyond])));
      const turn = add(times(turned[a], 1 - x), times(turned[b], x));
      const way = turned.some((one) => norm(one) > STILL) ? hermite(moved[a], moved[b], cross(turned[a], along), cross(turned[b], along), h, x) : add(times(moved[a], 1 - x), times(moved[b], x));
      return add(way, cross(turn, sub(p, axis)));
    };
  };
}

/** Cubic displacement between two points with slopes; linear along the beam, where slopes are zero. */
function hermite(a, b, slopeA, slopeB, h, x) {
  const [x2, x3] = [x * x, x * x * x];
  return a.map((_, k) => {
    const cubic = a[k] * (2 * x3 - 3 * x2 + 1) + slopeA[k] * h * (x3 - 2 * x2 + x) + b[k] * (3 * x2 - 2 * x3) + slopeB[k] * h * (x3 - x2);
    return cubic;
  });
}

/** The meshes of a body with the field of each of their corners. */
class BentBody {
  constructor(flight, item, one) {
    this.deformation = new Deformation(flight, item);
    this.body = one;
    const field = fieldOf(this.deformation.points, item.extent);
    this.parts = [];
    one.inner.updateMatrixWorld(true);
    const holder = one.outer.matrixWorld.clone().invert();
    one.inner.traverse((part) => {
      if (!part.isMesh && !part.isLineSegments) return;
      part.geometry = refined(part.geometry, one.body.extent / FINE, part.isMesh ? 3 : 2);
      part.geometry.userData.own = true;
      part.frustumCulled = false;
      const toBody = holder.clone().multiply(part.matrixWorld);
      const back = new THREE.Matrix3().setFromMatrix4(toBody.clone().invert());
      const base = part.geometry.getAttribute("position").clone();
      const places = new Map();
      const fields = [];
      for (let n = 0; n < base.count; n++) {
        const p = new THREE.Vector3().fromBufferAttribute(base, n).applyMatrix4(toBody).toArray();
        const key = p.map((x) => x.toFixed(9)).join();
        if (!places.has(key)) places.set(key, fields.push({ move: field(p), rows: [] }) - 1);
        fields[places.get(key)].rows.push(n);
      }
      this.parts.push({ part, base, fields, back });
    });
  }

  bend(t, factor) {
    const found = this.deformation.at(t);
    const scaled = found && { moved: found.moved.map((v) => times(v, factor)), turned: found.turned.map((v) => times(v, factor)) };
    for (const { part, base, fields, back } of this.parts) {
      const now = part.geometry.getAttribute("position");
      for (const { move, rows } of fields) {
        const way = scaled ? new THREE.Vector3(...move(scaled)).applyMatrix3(back) : new THREE.Vector3();
        for (const n of rows) now.setXYZ(n, base.getX(n) + way.x, base.getY(n) + way.y, base.getZ(n) + way.z);
      }
      now.needsUpdate = true;
    }
  }

  /** Displacement of a point of the body, for tests and marks. */
  displacement(p, t, factor) {
    const found = this.deformation.at(t);
    if (!found) return null;
    return times(fieldOf(this.deformation.points, this.deformation.item.extent)(p)(found), factor);
  }
}

/** A beam: its section along a curve through its nodes. */
class BentBeam {
  constructor(flight, item, size) {
    this.flight = flight;
    this.item = item;
    this.deformation = new Deformation(flight, item);
    const [y, z] = item.section.map((x) => Math.max(x, 0.004 * size));
    const corner = (angle) => [y * Math.cos(angle), z * Math.sin(angle)];
    this.ring = item.round ? Array.from({ length: AROUND }, (_, k) => corner((2 * Math.PI * k) / AROUND)) : [[y, z], [-y, z], [-y, -z], [y, -z]];
    const nodes = this.deformation.points.length + 1;
    const triangles = [];
    const count = this.ring.length;
    for (let n = 0; n + 1 < nodes; n++) {
      for (let k = 0; k < count; k++) {
        const [a, b] = [n * count + k, n * count + ((k + 1) % count)];
        triangles.push(a, a + count, b, b, a + count, b + count);
      }
    }
    this.shape = new THREE.BufferGeometry();
    this.shape.setAttribute("position", new THREE.Float32BufferAttribute(new Float32Array(3 * nodes * count), 3));
    this.shape.setIndex(triangles);
    this.mesh = new THREE.Mesh(this.shape, plain("#6b8f71", { side: THREE.DoubleSide, flatShading: !item.round }));
    this.mesh.frustumCulled = false;
    this.mesh.userData.item = item;
  }

  /** Positions and rotation vectors of the nodes in axes of the clamp, with the factor, or null. */
  nodes(t, factor) {
    const found = this.deformation.at(t);
    if (!found) return null;
    const rest = [[0, 0, 0], ...this.deformation.points];
    const moved = [[0, 0, 0], ...found.moved];
    const turned = [[0, 0, 0], ...found.turned];
    const last = moved.length - 1;
    // Between two clamps the chord stays, and only the way from it has the factor.
    const held = this.item.bodies.length > 1;
    const length = norm(rest[last]) || 1;
    const places = rest.map((p, k) => {
      const part = norm(p) / length;
      const base = held ? times(add(rest[last], moved[last]), part) : p;
      const real = add(p, moved[k]);
      return add(base, times(sub(real, base), factor));
    });
    return { places, turned: turned.map((v) => times(v, held ? 1 : factor)) };
  }

  bend(frame, t, factor) {
    const { item, mesh, shape, ring } = this;
    const pose = this.flight.drawing(item.bodies[0], t);
    const found = pose && this.nodes(t, factor);
    mesh.visible = Boolean(found);
    if (!found) return;
    mesh.position.set(...pointFrom(frame, add(pose.p, rotate(pose.q, item.at))));
    mesh.quaternion.copy(three(product(product(conjugate(frame.q), pose.q), item.turn)));
    const values = shape.getAttribute("position");
    const { places, turned } = found;
    places.forEach((p, n) => {
      const before = places[Math.max(0, n - 1)];
      const after = places[Math.min(places.length - 1, n + 1)];
      const along = unit(sub(after, before));
      const axes = quaternionOf(turned[n]);
      // The section is across the curve, and turned with the node about it.
      const y = unit(sub(rotate(axes, [0, 1, 0]), times(along, dot(rotate(axes, [0, 1, 0]), along))));
      const z = cross(along, y);
      ring.forEach(([a, b], k) => values.setXYZ(n * ring.length + k, ...add(p, add(times(y, a), times(z, b)))));
    });
    values.needsUpdate = true;
    shape.computeVertexNormals();
    shape.computeBoundingSphere();
  }
}

function quaternionOf(v) {
  const angle = norm(v);
  if (angle < STILL) return [1, 0, 0, 0];
  return [Math.cos(angle / 2), ...times(v, Math.sin(angle / 2) / angle)];
}

export class Flexible {
  constructor(flight, bodies, size) {
    this.flight = flight;
    this.group = new THREE.Group();
    const { items } = flight.scene;
    const bodyOf = (item) => bodies.all.get(item.body);
    this.bodies = items.filter((item) => item.type === "flexiblebody" && bodyOf(item)).map((item) => new BentBody(flight, item, bodyOf(item)));
    this.beams = items.filter((item) => item.type === "flexiblebeam").map((item) => new BentBeam(flight, item, size));
    for (const { mesh } of this.beams) this.group.add(mesh);
    this.standard = flight.scene.exaggeration ?? 1;
    this.factor = this.standard;
  }

  get any() {
    return this.bodies.length + this.beams.length > 0;
  }

  place(frame, t) {
    for (const one of this.bodies) one.bend(t, this.factor);
    for (const one of this.beams) one.bend(frame, t, this.factor);
  }

  /** Bend a body as at a time, for a copy of its meshes. */
  bend(name, t) {
    const one = this.bodies.find(({ body }) => body.body.name === name);
    one?.bend(t, this.factor);
    return Boolean(one);
  }

  get caption() {
    return `deformation × ${Number(this.factor.toPrecision(3))}`;
  }

  texts() {
    return this.beams.map(({ item }) => ({ item, text: () => this.caption }));
  }
}
