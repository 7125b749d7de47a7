// A planet with graticule and ground track, or flat ground; and a plane at the launch pad.
import * as THREE from "three";
import { frameAt, horizon, planetTurn, pointFrom, seenFrom } from "./frames.js";
import { conjugate, norm, rotate } from "./vectors.js";

const three = ([w, x, y, z]) => new THREE.Quaternion(x, y, z, w);
const STEP = 15; // degrees between the lines of the graticule
const PAD = 2000; // metres from the start to the edge of the plane
const BALL = 4000; // metres of altitude above which the ball is drawn, whose surface is 3 km too low
const LOW = 20000; // metres of altitude below which the plane stands for the ground

export class Globe {
  constructor(flight, colours) {
    this.flight = flight;
    this.planet = flight.scene.planet;
    this.group = new THREE.Group();
    this.on = true;
    this.pad = this.plane();
    this.group.add(this.pad);
    if (this.planet.kind === "ellipsoid") this.addBall(colours);
  }

  plane() {
    const grid = new THREE.GridHelper(2 * PAD, 40, 0x6b7680, 0x9aa4ad).rotateX(Math.PI / 2);
    grid.material.transparent = true;
    grid.material.opacity = 0.5;
    const group = new THREE.Group().add(grid);
    const fine = new THREE.GridHelper(200, 20, 0x6b7680, 0x9aa4ad).rotateX(Math.PI / 2);
    fine.material.transparent = true;
    fine.material.opacity = 0.5;
    return group.add(fine);
  }

  addBall(colours) {
    const { radius, flattening } = this.planet;
    const polar = radius * (1 - flattening);
    this.ball = new THREE.Group();
    const surface = new THREE.MeshStandardMaterial({ color: 0xa9c0d2, roughness: 1 });
    const sphere = new THREE.Mesh(new THREE.SphereGeometry(1, 192, 96).rotateX(Math.PI / 2), surface);
    sphere.scale.set(radius, radius, polar).multiplyScalar(0.9995);
    const lines = new THREE.LineSegments(graticule(radius, polar), new THREE.LineBasicMaterial({ color: 0x5b7488, transparent: true, opacity: 0.7 }));
    this.ball.add(sphere, lines);
    const [start, end] = this.flight.scene.span;
    for (const [name, colour] of colours) {
      const [path, track] = this.paths(name, start, end);
      this.ball.add(polyline(path, colour), polyline(track, 0x30363c));
    }
    this.group.add(this.ball);
  }

  /** Positions of a body fixed to the planet, and the points below on the ellipsoid. */
  paths(name, start, end) {
    const { radius, flattening } = this.planet;
    const polar = radius * (1 - flattening);
    const [path, track] = [[], []];
    for (let k = 0; k <= 1000; k++) {
      const t = start + ((end - start) * k) / 1000;
      const pose = this.flight.pose(name, t);
      if (!pose) continue;
      const origin = this.flight.origin(t).p;
      const p = rotate(conjugate(planetTurn(this.planet, t)), pose.p.map((x, n) => x + origin[n]));
      path.push(...p);
      const scale = 1.0005 / Math.hypot(p[0] / radius, p[1] / radius, p[2] / polar);
      track.push(...p.map((x) => x * scale));
    }
    return [path, track];
  }

  place(frame, t) {
    this.group.visible = this.on;
    const origin = this.flight.origin(t).p;
    const start = this.flight.scene.span[0];
    const site = frameAt(this.flight, "site:", t);
    const below = this.height(this.flight.origin(start).p);
    const low = this.height(origin) < LOW;
    this.pad.visible = below < LOW / 4 && (low || this.planet.kind === "flat");
    const up = rotate(site.q, [0, 0, -below]);
    const seen = seenFrom(frame, { p: site.p.map((x, k) => x + up[k]), q: site.q });
    this.pad.position.set(...seen.p);
    this.pad.quaternion.copy(three(seen.q));
    if (!this.ball) return;
    const middle = origin.map((x) => -x);
    const ball = seenFrom(frame, { p: middle, q: planetTurn(this.planet, t) });
    this.ball.visible = this.height(origin) > BALL;
    this.ball.position.set(...ball.p);
    this.ball.quaternion.copy(three(ball.q));
  }

  /** Height over the ellipsoid, to first order of the flattening, or over the plane. */
  height(p) {
    if (this.planet.kind === "flat") {
      const up = rotate(horizon(this.planet, p), [0, 0, 1]);
      return p.reduce((sum, x, k) => sum + (x - this.planet.at[k]) * up[k], 0);
    }
    const { radius, flattening } = this.planet;
    const size = norm(p);
    return size - radius * (1 - flattening * (p[2] / size) ** 2);
  }

  /** Centre and radius of the planet in the picture, for a view of the whole. */
  sphere(frame, t) {
    if (!this.ball) return null;
    return { centre: pointFrom(frame, this.flight.origin(t).p.map((x) => -x)), radius: 1.05 * this.planet.radius };
  }
}

function polyline(positions, color) {
  const shape = new THREE.BufferGeometry();
  shape.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  return new THREE.Line(shape, new THREE.LineBasicMaterial({ color }));
}

function graticule(radius, polar) {
  const positions = [];
  const at = (latitude, longitude) => [
    radius * Math.cos(latitude) * Math.cos(longitude),
    radius * Math.cos(latitude) * Math.sin(longitude),
    polar * Math.sin(latitude),
  ];
  const degrees = Math.PI / 180;
  for (let a = -180; a < 180; a += STEP) {
    for (let b = -90; b < 90; b += 2) positions.push(...at(b * degrees, a * degrees), ...at((b + 2) * degrees, a * degrees));
  }
  for (let b = -90 + STEP; b < 90; b += STEP) {
    for (let a = -180; a < 180; a += 2) positions.push(...at(b * degrees, a * degrees), ...at(b * degrees, (a + 2) * degrees));
  }
  const found = new THREE.BufferGeometry();
  found.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  return found;
}
