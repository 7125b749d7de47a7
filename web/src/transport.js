// Play, pause, time, events, speed.
import { FASTEST, SLOWEST } from "./clock.js";
import { element, eventTime, speedText, timeText } from "./text.js";

const TOGETHER = 5; // pixels within which events share a mark
const ROWS = 3; // of marks below the slider
const markWidth = (label) => 10 + 6 * label.length; // pixels

export class Transport {
  constructor(holder, scene, clock) {
    Object.assign(this, { scene, clock });
    const { start, end } = clock;
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
    new ResizeObserver(() => this.addMarks()).observe(this.marks);
    this.addMarks();
    this.update();
  }

  /** A mark for each event in as many rows as keep marks apart. Events at almost one place share a mark, and so
   * does an event for which no row has room. */
  addMarks() {
    const { start, end } = this.clock;
    const scale = Math.max(this.marks.clientWidth - 16, 1) / Math.max(end - start, 1e-12);
    const groups = [];
    const ends = new Array(ROWS).fill(-Infinity); // right end of the last mark of each row
    for (const event of this.scene.events) {
      const place = (event.time - start) * scale;
      if (!(place >= 0 && event.time <= end + 1e-7 * (end - start))) continue;
      const last = groups[groups.length - 1];
      const half = markWidth(String(event.number)) / 2;
      const row = ends.findIndex((right) => place - half > right);
      if (last && (place - last.place < TOGETHER || row < 0)) last.events.push(event);
      else groups.push({ place, row, left: ends[row], events: [event] });
      const group = groups[groups.length - 1];
      const width = markWidth(this.markLabel(group));
      group.place = Math.max(group.place, group.left + 1 + width / 2);
      ends[group.row] = group.place + width / 2;
    }
    this.marks.replaceChildren(...groups.map((group) => this.mark(group)));
  }

  markLabel({ events }) {
    const [first, last] = [events[0].number, events[events.length - 1].number];
    return events.length > 1 ? `${first}\u2013${last}` : String(first);
  }

  mark({ place, events, row }) {
    const { clock } = this;
    const text = events.map((event) => `${event.number}: ${event.name}, ${eventTime(event.time)}`).join("\n");
    const label = this.markLabel({ events });
    const found = element("button", { type: "button", title: text, textContent: label, onclick: () => clock.seek(events[0].time) });
    found.setAttribute("aria-label", `Event ${text}`);
    found.style.left = `${8 + place}px`;
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
    this.now.textContent = clock.lastPast(this.scene.events)?.name ?? "";
  }
}

/** Keys: space, arrows, Home, End, plus and minus, and other keys with their actions. */
export function addKeys(keysOf, clock, transport, actions) {
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
    };
    for (const [key, act] of Object.entries(actions)) keys[key] = () => (act(), true);
    if (keys[event.key]?.()) event.preventDefault();
  });
}
