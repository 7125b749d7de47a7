// Curves below the picture, with one cursor that is the time of the playback.
import uPlot from "uplot";
import { COLOURS } from "./bodies.js";
import { element, numberText } from "./text.js";

const FIRST = 3;
const HIGH = 170;
const FLAT = 2e-6; // changes below this fraction of a value are rounding and do not fill the axis

/** Values of a curve at a time, one for each column. */
export function curveAt(scene, curve, t) {
  const times = scene.array(curve.times);
  const values = scene.array(curve.values);
  const s = t - scene.span[0];
  const slack = 1e-6 * Math.max(1, Math.abs(s)); // times of curves are in single precision
  if (!times.length || s < times[0] - slack || s > times[times.length - 1] + slack) return curve.columns.map(() => NaN);
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= s) low = middle;
    else high = middle;
  }
  const h = times[high] - times[low];
  const part = h > 0 ? Math.min(1, Math.max(0, (s - times[low]) / h)) : 1;
  return curve.columns.map((_, k) => {
    const [a, b] = [values[k * times.length + low], values[k * times.length + high]];
    return part === 0 ? a : a + part * (b - a);
  });
}

/** Times and columns of a curve for uPlot. data: the flight of the curve; shift: of its times [s]. */
function tableOf(scene, data, curve, shift = 0) {
  const times = Array.from(scene.array(curve.times), (t) => t + data.span[0] - shift);
  const values = scene.array(curve.values);
  const column = (k) => Array.from(values.subarray(k * times.length, (k + 1) * times.length), (x) => (Number.isFinite(x) ? x : null));
  return [times, ...curve.columns.map((_, k) => column(k))];
}

export class Curves {
  /** others: the other flights of the picture, or undefined. */
  constructor(holder, scene, clock, others) {
    Object.assign(this, { scene, clock, others });
    this.span = [clock.start, clock.end];
    this.panels = [];
    this.box = element("div", { className: "panels" });
    const add = element("button", { type: "button", textContent: "Add a curve", onclick: () => this.add(this.unused()) });
    const whole = element("button", { type: "button", textContent: "Whole flight", onclick: () => this.zoom(null) });
    const buttons = [add, whole];
    if (scene.separations.length) {
      const { time, until } = scene.separations[0];
      const near = [time - 0.5 * (until - time), until + (until - time)];
      buttons.push(element("button", { type: "button", textContent: "Around the first release", onclick: () => this.zoom(near) }));
    }
    holder.append(element("div", { className: "row" }, ...buttons), this.box);
    for (const curve of this.firstCurves()) this.add(curve);
    new ResizeObserver(() => this.resize()).observe(this.box);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.panels.forEach((one) => this.draw(one)));
  }

  /** The first curves with different quantities; the list is in the order of importance. */
  firstCurves() {
    const names = new Set();
    return this.scene.curves.filter(({ path }) => {
      const name = path.slice(path.lastIndexOf(".") + 1);
      if (names.has(name) || names.size >= FIRST) return false;
      return names.add(name);
    });
  }

  unused() {
    const shown = new Set(this.panels.map(({ curve }) => curve));
    return this.scene.curves.find((curve) => !shown.has(curve));
  }

  add(curve) {
    if (!curve) return;
    const panel = { curve, node: element("div", { className: "panel" }) };
    const choice = element("select", {
      onchange: () => {
        panel.curve = this.scene.curves[Number(choice.value)];
        this.draw(panel);
      },
    });
    choice.setAttribute("aria-label", "Quantity of this curve");
    const groups = new Map();
    this.scene.curves.forEach((one, k) => {
      const group = one.path.split(".")[0];
      if (!groups.has(group)) groups.set(group, element("optgroup", { label: group }));
      groups.get(group).append(element("option", { value: String(k), textContent: one.path }));
    });
    choice.append(...groups.values());
    choice.value = String(this.scene.curves.indexOf(curve));
    const close = element("button", { type: "button", textContent: "×", title: "Remove this curve", onclick: () => this.remove(panel) });
    panel.value = element("div", { className: "value" });
    panel.plot = element("div");
    panel.node.append(element("div", { className: "row" }, choice, close), panel.value, panel.plot);
    this.box.append(panel.node);
    this.panels.push(panel);
    this.draw(panel);
  }

  remove(panel) {
    panel.uplot?.destroy();
    panel.node.remove();
    this.panels.splice(this.panels.indexOf(panel), 1);
  }

  draw(panel) {
    const { range } = this;
    panel.uplot?.destroy();
    const { curve } = panel;
    const { scene } = this;
    const style = getComputedStyle(this.box);
    const [ink, line] = [style.getPropertyValue("--ink"), style.getPropertyValue("--line")];
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: "11px system-ui, sans-serif" };
    const series = curve.columns.map((name, k) => ({
      label: name || curve.title,
      stroke: name === "magnitude" ? "#8a929a" : COLOURS[k % COLOURS.length],
      width: name === "magnitude" ? 2.5 : 1.5,
      points: { show: false },
    }));
    const tables = [tableOf(scene, scene, curve)];
    for (const found of this.ofOthers(curve)) {
      tables.push(found.table);
      series.push(...found.series);
    }
    const options = {
      width: Math.max(120, panel.plot.clientWidth),
      height: HIGH,
      pxAlign: 0,
      scales: { x: { time: false, range: (_, low, high) => (low === null ? this.span : [low, high]) }, y: { range: yRange } },
      axes: [
        { ...axis, size: 32, values: (_, at) => at.map((x) => `${Number(x.toPrecision(10))} s`) },
        { ...axis, size: 62, values: (_, at) => at.map((x) => tick(x)) },
      ],
      series: [{}, ...series],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: true } },
      hooks: {
        draw: [(plot) => this.marks(plot, ink)],
        setScale: [(plot, key) => key === "x" && this.zoomed(plot)],
        ready: [(plot) => plot.over.addEventListener("click", (event) => this.clock.seek(plot.posToVal(event.offsetX, "x")))],
      },
    };
    panel.uplot = new uPlot(options, tables.length > 1 ? uPlot.join(tables) : tables[0], panel.plot);
    const [min, max] = range || this.span;
    panel.uplot.setScale("x", { min, max });
    this.values(panel);
  }

  /** The same quantity of other flights: dashed, or for cases the magnitude as a thin line. */
  ofOthers(curve) {
    const { others } = this;
    if (!others?.on) return [];
    const cases = others.kind === "cases";
    return others.all.filter((one) => one.shown).flatMap((one) => {
      const same = one.scene.curves.find(({ path, unit, columns }) => path === curve.path && unit === curve.unit && columns.length === curve.columns.length);
      if (!same) return [];
      const last = same.columns.length - 1;
      const rows = cases ? [last] : same.columns.map((_, k) => k);
      const [times, ...columns] = tableOf(this.scene, one.scene, same, one.shift);
      const series = rows.map((k) => ({ label: one.name, stroke: cases || last === 0 ? one.tint : COLOURS[k % COLOURS.length], width: cases ? 0.8 : 1.5, dash: cases ? [] : [6, 3], points: { show: false } }));
      return [{ table: [times, ...rows.map((k) => columns[k])], series }];
    });
  }

  /** Draw all curves again, after a change of the other flights. */
  again() {
    for (const panel of this.panels) this.draw(panel);
  }

  /** Events as thin lines and the present time as a strong line. */
  marks(plot, ink) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = ink;
    const line = (t, dash, width, alpha) => {
      const x = plot.valToPos(t, "x", true);
      if (!(x >= bbox.left && x <= bbox.left + bbox.width)) return;
      ctx.globalAlpha = alpha;
      ctx.lineWidth = width;
      ctx.setLineDash(dash);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    };
    for (const event of this.scene.events) line(event.time, [2, 3], 1, 0.5);
    ctx.strokeStyle = "#d3222a";
    line(this.clock.time, [], 1.5 * devicePixelRatio, 0.9);
    ctx.restore();
  }

  zoom(range) {
    this.range = range;
    const [min, max] = range || this.span;
    for (const { uplot } of this.panels) uplot?.setScale("x", { min, max });
  }

  /** All curves follow the zoom of one. */
  zoomed(plot) {
    const { min, max } = plot.scales.x;
    if (this.following || min === null || (this.range && this.range[0] === min && this.range[1] === max)) return;
    this.following = true;
    this.range = [min, max];
    for (const { uplot } of this.panels) if (uplot && uplot !== plot) uplot.setScale("x", { min, max });
    this.following = false;
  }

  update() {
    for (const panel of this.panels) {
      panel.uplot?.redraw(false, false);
      this.values(panel);
    }
  }

  values(panel) {
    const { curve } = panel;
    const found = curveAt(this.scene, curve, this.clock.time);
    const parts = found.map((x, k) => `${curve.columns[k] ? `${curve.columns[k]} ` : ""}${numberText(x)}`);
    const text = found.some(Number.isFinite) ? `${parts.join("   ")} ${curve.unit}` : "no data at this time";
    panel.value.textContent = text + this.valueOfOther(curve);
  }

  /** The value of a second flight at the same time; only for quantities with one column. */
  valueOfOther(curve) {
    const [one, more] = this.others?.kind === "flights" && this.others.on ? this.others.all : [];
    const same = one && !more && one.shown && one.scene.curves.find(({ path, unit, columns }) => path === curve.path && unit === curve.unit && columns.length === 1);
    if (!same) return "";
    const [value] = curveAt(one.scene, same, this.clock.time + one.shift);
    return `   (${one.name}: ${numberText(value)})`;
  }

  resize() {
    for (const { uplot, plot } of this.panels) {
      const width = Math.max(120, plot.clientWidth);
      if (uplot && Math.abs(uplot.width - width) > 1) uplot.setSize({ width, height: HIGH });
    }
  }
}

/** The ends of the vertical axis; a constant is in the middle of a span of its size. */
function yRange(_, low, high) {
  if (low === null || high === null) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= FLAT * size || size < 1e-12) {
    const half = size > 1e-12 ? 0.5 * size : 1;
    return [low - half, high + half];
  }
  const room = 0.08 * (high - low);
  return [low - room, high + room];
}

function tick(x) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  return size >= 1e6 || size < 1e-3 ? x.toExponential(1) : String(Number(x.toPrecision(6)));
}
