// Time of the playback: speed, and slow motion around releases.
export const REDRAWN = 33; // milliseconds between drawings of curves, figures and tables
export const SLOWEST = 0.001;
export const FASTEST = 1000;
const LASTS = 4; // seconds on the screen for the action of devices after a release
const WHOLE = 25; // seconds on the screen for the whole flight

const round125 = (x) => {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-9);
  return [1, 2, 5, 10].map((k) => k * power).reduce((a, b) => (Math.abs(b - x) < Math.abs(a - x) ? b : a));
};

export const clampSpeed = (x) => Math.min(FASTEST, Math.max(SLOWEST, x));

export class Clock {
  constructor(scene) {
    [this.start, this.end] = scene.clock || scene.span;
    this.releases = scene.separations;
    this.time = this.start;
    this.playing = false;
    this.slow = true;
    this.speed = clampSpeed(round125(Math.max(1e-9, this.end - this.start) / WHOLE));
    this.listeners = [];
  }

  /** Speed at the present time, lower around releases. */
  get rate() {
    let rate = this.speed;
    if (!this.slow) return rate;
    for (const { time, until } of this.releases) {
      const length = until - time;
      const slow = clampSpeed(round125(length / LASTS));
      const [before, after] = [0.3 * length, 2 * length];
      const out = Math.max(time - before - this.time, this.time - (time + after), 0);
      // Outside of the window the speed rises with the distance from it.
      rate = Math.min(rate, Math.max(slow, slow + out / 0.5));
    }
    return rate;
  }

  seek(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.changed();
  }

  play(on = !this.playing) {
    if (on && this.time >= this.end) this.time = this.start;
    this.playing = on;
    this.changed();
  }

  setSpeed(speed) {
    this.speed = clampSpeed(speed);
    this.changed();
  }

  advance(seconds) {
    if (!this.playing) return;
    // Small steps, so that a fast playback does not jump over a release.
    let left = Math.min(seconds, 0.1);
    while (left > 0 && this.time < this.end) {
      const step = Math.min(left, 0.004);
      this.time = Math.min(this.end, this.time + step * this.rate);
      left -= step;
    }
    if (this.time >= this.end) this.playing = false;
    this.changed();
  }

  /** Calls the listener at each change; while the flight plays, at most once in `interval` milliseconds. */
  listen(listener, interval = 0) {
    let called = -Infinity;
    this.listeners.push(() => {
      const now = performance.now();
      if (this.playing && now - called < interval) return;
      called = now;
      listener();
    });
  }

  /** The last of the items whose time has come. Items are in the order of time; slack [s] covers rounded times. */
  lastPast(items, slack = 1e-9 * Math.max(1, Math.abs(this.time))) {
    return items.filter(({ time }) => time <= this.time + slack).pop();
  }

  changed() {
    for (const listener of this.listeners) listener();
  }
}
