// Play, pause, time, events, speed.
import { FASTEST, SLOWEST } from "./clock.js";
import { element, eventTime, speedText, timeText } from "./text.js";

const TOGETHER = 0.006; // part of the slider within which events share a mark
const APART = 0.025; // part of the slider that a mark needs
const ROWS = 3;

export class Transport {
  constructor(holder, scene, clock) {
    Object.assign(this, { scene, clock });
    const [start, end] = scene.span;
    this.button = element("button", { type: "button", className: "play", onclick: () => clock.play() });
    this.slider = element("input", { type: "range", min: 0, max: 1, step: "any", oninput: () => clock.seek(start + this.slider.value * (end - start)) });
    this.slider.setAttribute("aria-label", "Time");
    this.now = element("output", { className: "now" });
    this.number = element("input", { type: "text", inputMode: "decimal", className: "time", title: "Time in seconds", onchange: () => this.typed() });
    this.number.setAttribute("aria-label", "Time in seconds");
    this.marks = element("div", { className: "marks" });
    this.speed = element("output", { className: "speed" });
    const speeds = element("input", { type: "range", min: Math.log10(SLOWEST), max: Math.log10(FASTEST), step: 0.1, className: "speeds", oninput: () => clock.setSpeed(10 ** speeds.value) });
    speeds.setAttribute("aria-label", "Playback speed");
    this.speeds = speeds;
    const slow = element("input", { type: "checkbox", checked: clock.slow, onchange: () => { clock.slow = slow.checked; clock.changed(); } });
    const step = (text, title, go) => element("button", { type: "button", textContent: text, title, onclick: go });
    holder.append(
      element("div", { className: "line" }, this.slider, this.marks),
      element("div", { className: "row" },
        step("«", "Previous event (shift ←)", () => this.event(-1)), this.button, step("»", "Next event (shift →)", () => this.event(1)),
        this.number, element("span", { className: "unit", textContent: "s" }), this.now,
        element("label", {}, "playback speed ", speeds), this.speed,
        scene.separations.length ? element("label", { title: "The playback slows down around each release" }, slow, " slow motion at release") : null),
    );
    this.addMarks();
    this.update();
  }

  /** A mark for each event; events at almost one place share a mark, and near marks stand below each other. */
  addMarks() {
    const [start, end] = this.scene.span;
    const width = Math.max(end - start, 1e-12);
    const groups = [];
    for (const event of this.scene.events) {
      const part = (event.time - start) / width;
      if (!(part >= 0 && part <= 1 + 1e-7)) continue;
      const last = groups[groups.length - 1];
      if (last && part - last.part < TOGETHER) last.events.push(event);
      else groups.push({ part, events: [event] });
    }
    let before = { part: -1, row: 0 };
    for (const group of groups) {
      group.row = group.part - before.part < APART ? (before.row + 1) % ROWS : 0;
      before = group;
      this.marks.append(this.mark(group));
    }
  }

  mark({ part, events, row }) {
    const { clock } = this;
    const text = events.map((event) => `${event.number}: ${event.name}, ${eventTime(event.time)}`).join("\n");
    const numbers = events.map((event) => event.number);
    const label = numbers.length > 1 ? `${numbers[0]}\u2013${numbers[numbers.length - 1]}` : String(numbers[0]);
    const found = element("button", { type: "button", title: text, textContent: label, onclick: () => clock.seek(events[0].time) });
    found.setAttribute("aria-label", `Event ${text}`);
    found.style.left = `calc(8px + (100% - 16px) * ${part})`;
    found.style.top = `${15 * row}px`;
    return found;
  }

  typed() {
    const t = Number(this.number.value.replace(",", "."));
    if (Number.isFinite(t)) this.clock.seek(t);
    this.update();
  }

  event(step) {
    const { time } = this.clock;
    const slack = 1e-9 * Math.max(1, Math.abs(time));
    const times = this.scene.events.map((event) => event.time).sort((a, b) => a - b);
    const next = step > 0 ? times.find((t) => t > time + slack) : times.filter((t) => t < time - slack).pop();
    this.clock.seek(next ?? (step > 0 ? this.clock.end : this.clock.start));
  }

  update() {
    const { clock } = this;
    this.button.textContent = clock.playing ? "❚❚" : "▶";
    this.button.title = clock.playing ? "Pause (space)" : "Play (space)";
    this.button.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    const width = Math.max(clock.end - clock.start, 1e-12);
    this.slider.value = (clock.time - clock.start) / width;
    const text = timeText(clock.time, clock.rate / 3);
    this.slider.setAttribute("aria-valuetext", text);
    const { activeElement } = this.number.getRootNode();
    if (activeElement !== this.number) this.number.value = text.replace(" s", "");
    const slowed = clock.rate < clock.speed * 0.999;
    this.speed.textContent = slowed ? `${speedText(clock.rate)} (of ${speedText(clock.speed)})` : speedText(clock.speed);
    if (activeElement !== this.speeds) this.speeds.value = Math.log10(clock.speed);
    const past = this.scene.events.filter((event) => event.time <= clock.time + 1e-9 * Math.max(1, Math.abs(clock.time))).pop();
    this.now.textContent = past ? past.name : "";
  }
}

/** Keys: space, arrows, Home, End, plus and minus. */
export function addKeys(keysOf, clock, transport, fit) {
  keysOf.addEventListener("keydown", (event) => {
    const [target] = event.composedPath();
    const typing = target.matches?.("input:not([type=range]):not([type=checkbox]), select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const frame = clock.rate / 30;
    const keys = {
      " ": () => !target.matches?.("button, input[type=checkbox], summary") && (clock.play(), true),
      ArrowLeft: () => (event.shiftKey ? transport.event(-1) : clock.seek(clock.time - frame), true),
      ArrowRight: () => (event.shiftKey ? transport.event(1) : clock.seek(clock.time + frame), true),
      Home: () => (clock.seek(clock.start), true),
      End: () => (clock.seek(clock.end), true),
      "+": () => (clock.setSpeed(clock.speed * 2), true),
      "=": () => (clock.setSpeed(clock.speed * 2), true),
      "-": () => (clock.setSpeed(clock.speed / 2), true),
      f: () => (fit(), true),
    };
    if (keys[event.key]?.()) event.preventDefault();
  });
}
