// Traces of points of bodies, as the camera frame sees them; only the past is drawn.
import * as THREE from "three";
import { pointFrom } from "./frames.js";
import { add, rotate } from "./vectors.js";

const MOST = 1500;

export class Trails {
  constructor(flight, most = MOST) {
    this.flight = flight;
    this.most = most;
    this.group = new THREE.Group();
    this.traces = [];
    this.times = this.sampleTimes();
  }

  /** Equal steps, with more of them after releases. */
  sampleTimes() {
    const [start, end] = this.flight.scene.span;
    const found = [];
    for (let k = 0; k <= this.most; k++) found.push(start + ((end - start) * k) / this.most);
    for (const { time, until } of this.flight.scene.separations) {
      for (let k = 0; k <= 200; k++) found.push(time + (3 * (until - time) * k) / 200);
    }
    return found.filter((t) => t >= start && t <= end).sort((a, b) => a - b);
  }

  /** Traces of points {name, at, colour}; without `at` the centre of mass. */
  show(traces, frameOf) {
    this.group.clear();
    this.traces = traces.map(({ name, at, colour }) => {
      const places = [];
      const times = [];
      for (const t of this.times) {
        const pose = at ? this.flight.drawing(name, t) : this.flight.pose(name, t);
        if (!pose) continue;
        const p = at ? add(pose.p, rotate(pose.q, at)) : pose.p;
        places.push(...pointFrom(frameOf(t), p));
        times.push(t);
      }
      const shape = new THREE.BufferGeometry();
      shape.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
      const line = new THREE.Line(shape, new THREE.LineBasicMaterial({ color: colour }));
      line.frustumCulled = false;
      this.group.add(line);
      return { line, times };
    });
  }

  until(t) {
    for (const { line, times } of this.traces) {
      line.geometry.setDrawRange(0, times.filter((one) => one <= t).length);
    }
  }
}
