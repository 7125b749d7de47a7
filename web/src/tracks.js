// Motion of bodies and quantities over time. At an event the later side counts.
import { slerp } from "./vectors.js";

/** The last row whose time is not after t; -1 before the first. */
export function rowAt(times, t) {
  let low = -1;
  let high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
}

const three = (values, row) => [values[3 * row], values[3 * row + 1], values[3 * row + 2]];
const SAME = 1e-9;

/** Poses of one body; between samples positions follow cubic Hermite polynomials. */
export class Track {
  constructor(scene, poses) {
    this.times = scene.array(poses.times);
    this.positions = scene.array(poses.positions);
    this.velocities = scene.array(poses.velocities);
    this.attitudes = scene.array(poses.attitudes);
    this.first = this.times[0];
    this.last = this.times[this.times.length - 1];
  }

  /** {p, v, q} at a time [s], or null where there is no pose. */
  at(t) {
    const slack = SAME * Math.max(1, Math.abs(t));
    if (!(t >= this.first - slack && t <= this.last + slack)) return null;
    const count = this.times.length;
    let row = Math.max(0, rowAt(this.times, t));
    if (row >= count - 1) return this.knot(count - 1) || this.knot(row);
    const found = this.between(row, row + 1, t);
    return found || (t - this.times[row] <= slack ? this.knot(row) : null);
  }

  knot(row) {
    const p = three(this.positions, row);
    const q = [...this.attitudes.subarray(4 * row, 4 * row + 4)];
    return [...p, ...q].every(Number.isFinite) ? { p, q, v: three(this.velocities, row) } : null;
  }

  between(first, last, t) {
    const a = this.knot(first);
    const b = this.knot(last);
    if (!a || !b) return null;
    const h = this.times[last] - this.times[first];
    if (!(h > 0)) return b;
    const s = Math.min(1, Math.max(0, (t - this.times[first]) / h));
    const p = [0, 0, 0];
    const v = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const change = b.p[k] - a.p[k];
      const [v0, v1] = [a.v[k] * h, b.v[k] * h];
      const two = 3 * change - 2 * v0 - v1;
      const cube = v0 + v1 - 2 * change;
      p[k] = a.p[k] + s * (v0 + s * (two + s * cube));
      v[k] = (v0 + s * (2 * two + 3 * s * cube)) / h;
    }
    return { p, v, q: slerp(a.q, b.q, s) };
  }
}

/** A quantity with `size` components, linear between its samples. */
export class Channel {
  constructor(scene, channel) {
    this.times = scene.array(channel.times);
    this.values = scene.array(channel.values);
    this.size = channel.size;
  }

  at(t) {
    const count = this.times.length;
    const slack = SAME * Math.max(1, Math.abs(t));
    if (!count || t < this.times[0] - slack || t > this.times[count - 1] + slack) return null;
    const row = Math.min(count - 1, Math.max(0, rowAt(this.times, t)));
    const next = Math.min(count - 1, row + 1);
    const h = this.times[next] - this.times[row];
    const s = h > 0 ? Math.min(1, Math.max(0, (t - this.times[row]) / h)) : 0;
    const found = [];
    for (let k = 0; k < this.size; k++) {
      const a = this.values[row * this.size + k];
      const b = this.values[next * this.size + k];
      found.push(s === 0 ? a : a + s * (b - a));
    }
    return found.every(Number.isFinite) ? found : null;
  }

  /** The largest magnitude. */
  largest() {
    let most = 0;
    for (let row = 0; row < this.times.length; row++) {
      const size = Math.hypot(...this.values.subarray(row * this.size, (row + 1) * this.size));
      if (size > most) most = size;
    }
    return most;
  }
}
