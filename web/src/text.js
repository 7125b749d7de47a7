// Numbers and times as texts, and DOM elements.
export function numberText(x, digits = 4) {
  if (x === null || x === undefined || !Number.isFinite(x)) return "no data";
  if (Math.abs(x) < 1e-12) return "0";
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) return x.toExponential(digits - 2);
  return x.toFixed(Math.max(0, digits - 1 - Math.floor(Math.log10(size))));
}

/** A time [s] with the digits that the present speed shows. */
export function timeText(t, rate = 1) {
  const digits = Math.min(6, Math.max(2, 2 - Math.floor(Math.log10(Math.max(rate, 1e-6)))));
  return `${t.toFixed(digits)} s`;
}

/** The time of an event without trailing zeros. */
export const eventTime = (t) => `${Number(t.toFixed(6))} s`;

export const speedText = (x) => `${Number(x.toPrecision(2))}×`;

/** A value with its unit, in thousands of it from ten thousand on. */
export function quantityText(x, unit) {
  const large = Math.abs(x) >= 1e4 && ["N", "N m", "m"].includes(unit);
  const text = Number((large ? x / 1000 : x).toPrecision(3));
  return `${Number.isFinite(text) ? text : "no data"} ${large ? "k" : ""}${unit}`;
}

/** An element with attributes, listeners (onclick) and children; texts are never parsed as HTML. */
export function element(tag, options = {}, ...children) {
  const found = document.createElement(tag);
  for (const [key, value] of Object.entries(options)) {
    if (key.startsWith("on")) found.addEventListener(key.slice(2), value);
    else if (key in found && key !== "list" && key !== "style") found[key] = value;
    else found.setAttribute(key, value);
  }
  found.append(...children.filter((child) => child !== null && child !== undefined));
  return found;
}
