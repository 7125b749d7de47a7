// The panel with all choices of the picture, and the legend.
import { frameChoices } from "./frames.js";
import { VERDICT_TEXTS } from "./others.js";
import { Rule } from "./rules.js";
import { element, eventTime, quantityText } from "./text.js";

const MOST_DEVICES = 200; // rows of the list of devices

const section = (title, open, ...children) => {
  const found = element("details", {}, element("summary", { textContent: title }), ...children);
  found.open = open;
  return found;
};

export class Settings {
  /** view: the viewer, which has the state that the panel changes. */
  constructor(holder, view) {
    this.view = view;
    this.choices = []; // boxes of the other flights, with their keys
    holder.append(
      section("Bodies", true, this.legend()),
      ...(view.others ? [section(view.others.kind === "cases" ? "Cases" : "Flights", true, this.others())] : []),
      section("Camera", true, this.camera()),
      ...(view.arrows?.kinds.size ? [section("Arrows", true, this.arrows())] : []),
      ...(view.flexible?.any ? [section("Deformation", true, this.deformation())] : []),
      ...(view.hover?.all.length ? [this.devices()] : []),
      section("Events", view.scene.events.length <= 6, this.events()),
      section("Superimposed frames and traces", false, this.strobe(), this.traces()),
      section("Mark in red by a threshold", false, this.rules()),
      section("Keys", false, keys(view.others?.kind)),
    );
  }

  legend() {
    const list = element("ul", { className: "legend" });
    this.states = new Map();
    for (const one of this.view.bodies?.all.values() || []) {
      const swatch = element("span", { className: "swatch" });
      swatch.style.background = one.colour;
      const box = element("input", { type: "checkbox", checked: true, onchange: () => { one.shown = box.checked; this.view.changed(); } });
      const state = element("span", { className: "state" });
      this.states.set(one.body.name, state);
      const words = one.body.stand_in ? element("em", { textContent: " placeholder", title: "The scenario has no shapes of this body. The drawn shape follows from mass and inertia." }) : null;
      list.append(element("li", {}, element("label", {}, box, swatch, element("bdi", { textContent: one.body.name }), words), state));
    }
    const through = this.check("Transparent bodies", false, (on) => this.view.bodies.setTransparent(on));
    const names = this.check("Names of bodies", true, (on) => { this.view.names = on; });
    return element("div", {}, list, element("div", { className: "row" }, through, names));
  }

  check(text, on, change) {
    const box = element("input", { type: "checkbox", checked: on, onchange: () => { change(box.checked); this.view.changed(); } });
    return element("label", {}, box, ` ${text}`);
  }

  others() {
    const { view } = this;
    const { others, scene } = view;
    const of = (text, key, title) => {
      const box = element("input", { type: "checkbox", checked: others[key], onchange: () => view.setOthers({ [key]: box.checked }) });
      this.choices.push([box, key]);
      return element("label", { title }, box, ` ${text}`);
    };
    const list = element("ul", { className: "legend long" }, this.flightRow({ name: scene.first, verdict: scene.verdict, tint: null }));
    for (const one of others.all) list.append(this.flightRow(one));
    const opacity = element("input", { type: "range", min: 0.05, max: 1, step: "any", value: others.opacity, oninput: () => view.setOthers({ opacity: Number(opacity.value) }) });
    const cases = others.kind === "cases";
    const notes = [...new Set(others.all.map((one) => one.alignment))];
    return element("div", {}, list,
      element("div", { className: "row" },
        of(cases ? "Other cases (o)" : "Other flights (o)", "on", "Show the translucent flights"),
        cases ? of("Colour by verdict", "byVerdict", "Otherwise each body has its own colour") : of("Side by side (s)", "side", "One half of the picture for each flight"),
        of("Common camera frame", "common", "All flights are seen from the camera frame of the first flight. Otherwise each flight is seen from its own camera frame.")),
      element("label", { className: "wide" }, "Opacity ", opacity),
      ...(cases ? [] : notes.map((text) => element("p", { className: "note", textContent: text }))));
  }

  /** A flight of the legend; the first flight is always shown. */
  flightRow(one) {
    const { view } = this;
    const first = one.tint === null;
    const words = [element("bdi", { textContent: one.name }), ...(first ? [" (solid)"] : [])];
    const state = element("span", { className: "state", textContent: VERDICT_TEXTS[one.verdict || ""] });
    if (first) return element("li", {}, element("span", {}, ...words), state);
    const box = element("input", { type: "checkbox", checked: true, onchange: () => view.setShown(one, box.checked) });
    const swatch = element("span", { className: "swatch" });
    swatch.style.background = one.tint;
    return element("li", { title: one.outcome }, element("label", {}, box, swatch, ...words), state);
  }

  camera() {
    const { view } = this;
    const frames = element("select", { onchange: () => view.setFrame(frames.value) });
    frames.setAttribute("aria-label", "Camera frame");
    for (const { key, label } of frameChoices(view.flight)) frames.append(element("option", { value: key, textContent: label }));
    frames.value = view.frame;
    this.frames = frames;
    this.follow = element("input", { type: "checkbox", checked: view.keep, onchange: () => { view.keep = this.follow.checked; view.changed(); } });
    const button = (text, title, go) => element("button", { type: "button", textContent: text, title, onclick: go });
    const buttons = [button("Fit", "Move the camera to show all bodies that are near each other (f)", () => view.fit())];
    for (const [text, way] of [["Side", [0, -1, 0]], ["Front", [1, 0, 0]], ["Top", [0, -0.001, 1]]]) {
      buttons.push(button(text, `Look from the ${text.toLowerCase()}`, () => view.lookFrom(way)));
    }
    if (view.globe?.ball) buttons.push(button("Planet", "Show the whole planet", () => view.lookAtPlanet()));
    const globe = view.globe ? this.check("Planet and ground", true, (on) => { view.globe.on = on; }) : null;
    return element("div", {},
      element("label", { className: "wide" }, "Camera frame ", frames),
      element("div", { className: "row" }, ...buttons),
      element("label", {}, this.follow, " Keep bodies in view"), globe,
      element("div", { className: "row" },
        button("Save picture", "Save the picture as a PNG file", () => view.savePicture()),
        button("Copy link", "Copy the address of this page with the present time and camera", () => view.link())));
  }

  arrows() {
    const list = element("ul", { className: "legend" });
    for (const kind of this.view.arrows.kinds.values()) {
      const box = element("input", { type: "checkbox", checked: kind.on, onchange: () => { kind.on = box.checked; this.view.changed(); } });
      const swatch = element("span", { className: "swatch" });
      swatch.style.background = kind.colour;
      const scale = `1 ${this.view.scene.length[1]} = ${quantityText(kind.perLength, kind.unitText)}`;
      list.append(element("li", {}, element("label", {}, box, swatch, kind.name), element("span", { className: "state", textContent: scale })));
    }
    const gaps = this.view.gaps?.all.length ? this.check("Clearance lines", true, (on) => { this.view.gaps.on = on; }) : null;
    const note = element("p", { className: "note", textContent: `Velocities are relative to ${this.view.flight.reference}.` });
    return element("div", {}, list, note, gaps);
  }

  deformation() {
    const { flexible } = this.view;
    const factors = [...new Set([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, flexible.standard])].sort((a, b) => a - b);
    const words = (x) => (x === 1 ? "× 1 (true size)" : `× ${x}`);
    const options = factors.map((x) => element("option", { value: x, textContent: x === flexible.standard ? `${words(x)}, default` : words(x) }));
    const choice = element("select", { onchange: () => this.view.setFactor(Number(choice.value)) }, ...options);
    choice.value = flexible.factor;
    return element("label", { className: "wide" }, "Factor of deformations ", choice);
  }

  /** States of all devices; the texts follow the time while the section is open. */
  devices() {
    const { view } = this;
    const { all } = view.hover;
    this.deviceStates = all.slice(0, MOST_DEVICES).map((one) => ({ one, state: element("span", { className: "state" }) }));
    const rows = this.deviceStates.map(({ one, state }) => element("li", {}, element("bdi", { textContent: one.item.name }), state));
    const more = all.length > MOST_DEVICES ? element("p", { className: "note", textContent: `${all.length - MOST_DEVICES} more devices are not listed.` }) : null;
    this.deviceList = section("Devices", false, element("ul", { className: "legend long" }, ...rows), more);
    this.deviceList.addEventListener("toggle", () => this.update());
    return this.deviceList;
  }

  updateDevices() {
    if (!this.deviceList?.open) return;
    const { hover, clock } = this.view;
    for (const { one, state } of this.deviceStates) {
      const text = hover.text(one, clock.time);
      if (state.textContent !== text) state.textContent = text;
    }
  }

  events() {
    const { view } = this;
    const rows = view.scene.events.map((event) => {
      const go = element("button", { type: "button", textContent: event.name, onclick: () => view.clock.seek(event.time) });
      return element("li", {}, go, element("span", { className: "state", textContent: eventTime(event.time) }));
    });
    return element("ol", { className: "legend" }, ...rows);
  }

  strobe() {
    const { view } = this;
    const times = element("input", { type: "text", placeholder: "2.5, 2.6, 2.8", onchange: () => view.setStrobe(parsed(times.value)) });
    times.setAttribute("aria-label", "Times of superimposed frames in seconds");
    this.strobeTimes = times;
    const now = element("button", { type: "button", textContent: "Add present time", onclick: () => {
      times.value = [...parsed(times.value), Number(view.clock.time.toFixed(6))].join(", ");
      view.setStrobe(parsed(times.value));
    } });
    const none = element("button", { type: "button", textContent: "Remove all", onclick: () => { times.value = ""; view.setStrobe([]); } });
    return element("div", {}, element("label", { className: "wide" }, "Times of superimposed frames [s] ", times), element("div", { className: "row" }, now, none));
  }

  traces() {
    const { view } = this;
    const centres = this.check("Traces of the centres of mass", false, (on) => view.setTraces({ centres: on }));
    const body = element("select");
    body.setAttribute("aria-label", "Body of the point");
    for (const { name } of view.scene.bodies) body.append(element("option", { value: name, textContent: name }));
    const at = element("input", { type: "text", value: "0, 0, 0" });
    at.setAttribute("aria-label", "Point in structural coordinates in metres");
    const add = element("button", { type: "button", textContent: "Add trace", onclick: () => {
      const point = parsed(at.value);
      if (point.length === 3) view.setTraces({ point: { name: body.value, at: point, colour: "#e91e63" } });
    } });
    const none = element("button", { type: "button", textContent: "Remove all", onclick: () => view.setTraces({ none: true }) });
    return element("div", {}, centres, element("label", { className: "wide" }, "Trace of a body point, in structural coordinates [m] ", body, at), element("div", { className: "row" }, add, none));
  }

  rules() {
    const { view } = this;
    const choice = element("select");
    choice.setAttribute("aria-label", "Quantity of the threshold");
    view.scene.curves.forEach((curve, k) => curve.columns.forEach((column, n) => {
      choice.append(element("option", { value: `${k}:${n}`, textContent: column ? `${curve.path}.${column}` : curve.path }));
    }));
    const side = element("select", {}, element("option", { value: "below", textContent: "below" }), element("option", { value: "above", textContent: "above" }));
    side.setAttribute("aria-label", "Side of the threshold");
    const value = element("input", { type: "text", inputMode: "decimal", placeholder: "value" });
    value.setAttribute("aria-label", "Value of the threshold");
    const list = element("ul", { className: "rules" });
    const show = () => {
      list.replaceChildren(...view.rules.map((rule) => element("li", {}, `${rule.text} `, element("button", { type: "button", textContent: "×", title: "Remove", onclick: () => {
        view.rules.splice(view.rules.indexOf(rule), 1);
        show();
      } }))));
      view.changed();
    };
    const add = element("button", { type: "button", textContent: "Add", onclick: () => {
      const [k, n] = choice.value.split(":").map(Number);
      const limit = value.value.trim() === "" ? NaN : Number(value.value);
      if (!Number.isFinite(limit) || !view.scene.curves[k]) return;
      view.rules.push(new Rule(view.scene, view.scene.curves[k], n, side.value === "above", limit));
      show();
    } });
    return element("div", {}, element("label", { className: "wide" }, "Quantity ", choice), element("div", { className: "row" }, side, value, add), list);
  }

  update() {
    const { view } = this;
    for (const [name, state] of this.states) {
      const text = view.bodies.all.get(name).present ? "" : "no data";
      if (state.textContent !== text) state.textContent = text;
    }
    this.updateDevices();
    if (this.follow.checked !== view.keep) this.follow.checked = view.keep;
    if (this.frames.value !== view.frame) this.frames.value = view.frame;
    for (const [box, key] of this.choices) if (box.checked !== view.others[key]) box.checked = view.others[key];
  }
}

function parsed(text) {
  return text.split(/[,;\s]+/).filter(Boolean).map(Number).filter(Number.isFinite);
}

function keys(others) {
  const rows = [["space", "play or pause"], ["← →", "one frame back or forward"], ["shift ← →", "previous or next event"], ["Home End", "start or end of the flight"], ["+ −", "faster or slower"], ["f", "fit the picture to the bodies"]];
  if (others) rows.push(["o", `show or hide the other ${others}`]);
  if (others === "flights") rows.push(["s", "side by side or superimposed"]);
  return element("table", {}, ...rows.map(([key, text]) => element("tr", {}, element("th", { textContent: key }), element("td", { textContent: text }))));
}
