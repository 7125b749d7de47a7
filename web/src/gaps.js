// Lines between the nearest points of two bodies, with the distance as a number.
import * as THREE from "three";
import { RED } from "./bodies.js";
import { pointFrom } from "./frames.js";
import { numberText } from "./text.js";
import { Channel } from "./tracks.js";

export class Gaps {
  constructor(flight, size, labels) {
    this.flight = flight;
    this.labels = labels;
    this.group = new THREE.Group();
    this.on = true;
    const dot = new THREE.SphereGeometry(0.006 * size, 12, 8);
    this.all = flight.scene.items.filter((item) => item.type === "gap").map((item) => {
      const material = new THREE.LineBasicMaterial({ depthTest: false, transparent: true });
      const round = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true });
      const line = new THREE.Line(new THREE.BufferGeometry(), material);
      line.frustumCulled = false;
      const ends = [new THREE.Mesh(dot, round), new THREE.Mesh(dot, round)];
      for (const one of [line, ...ends]) one.renderOrder = 7;
      this.group.add(line, ...ends);
      const of = (channel) => new Channel(flight.scene, channel);
      return { item, line, ends, materials: [material, round], distance: of(item.distance), points: item.points.map(of) };
    });
  }

  place(frame, t, red) {
    const [factor, unit] = this.flight.scene.length;
    for (const { item, line, ends, materials, distance, points } of this.all) {
      const value = this.on ? distance.at(t)?.[0] : undefined;
      const places = points.map((channel, k) => {
        const at = value === undefined ? null : channel.at(t);
        const place = at && this.flight.point(item.bodies[k], at, t);
        return place && pointFrom(frame, place);
      });
      const seen = places.every(Boolean);
      line.visible = ends[0].visible = ends[1].visible = seen;
      const key = `gap:${item.name}`;
      if (!seen) {
        this.labels.set(key, "", null);
        continue;
      }
      const bad = value < (item.limit ?? 0) || red.has(item.name);
      for (const material of materials) material.color.set(bad ? RED : "#7e57c2");
      line.geometry.setAttribute("position", new THREE.Float32BufferAttribute(places.flat(), 3));
      ends.forEach((end, k) => end.position.set(...places[k]));
      const middle = places[0].map((x, k) => (x + places[1][k]) / 2);
      this.labels.set(key, `${item.name}: ${numberText(value * factor)} ${unit}`, middle, bad ? "bad" : "gap");
    }
  }
}
