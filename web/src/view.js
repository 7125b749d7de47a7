// The viewer: the picture with all that is in it, its clock, and the panels around it.
import { Box3, Vector3 } from "three";
import { Arrows } from "./arrows.js";
import { Bodies, Strobe } from "./bodies.js";
import { Clock, REDRAWN } from "./clock.js";
import { Curves } from "./curves.js";
import { Canopies, Joints, Links, Plumes } from "./devices.js";
import { Flexible } from "./flexible.js";
import { Flight } from "./flight.js";
import { defaultFrame, frameAt, frameChoices } from "./frames.js";
import { Gaps } from "./gaps.js";
import { Globe } from "./globe.js";
import { Bands, Fasteners, Pistons } from "./hardware.js";
import { Hover } from "./hover.js";
import { Others } from "./others.js";
import { readView, viewText } from "./link.js";
import { redAt } from "./rules.js";
import { Settings } from "./settings.js";
import { Stage } from "./stage.js";
import { Tanks } from "./tanks.js";
import { element } from "./text.js";
import { Contacts, Stops } from "./touches.js";
import { Trails } from "./trails.js";
import { Transport, addKeys } from "./transport.js";

export class View {
  /** keysOf: the element, or the document, in which the keys of the viewer work. */
  constructor(holder, scene, keysOf) {
    this.scene = scene;
    this.flight = new Flight(scene);
    this.clock = new Clock(scene);
    this.frame = scene.frame && frameChoices(this.flight).some(({ key }) => key === scene.frame) ? scene.frame : defaultFrame(this.flight);
    this.keep = true;
    this.names = true;
    this.rules = [];
    this.last = undefined;
    this.traced = { centres: false, points: [] };
    this.parts = [];
    const picture = element("div", { className: "picture" });
    const aside = element("aside");
    const transport = element("div", { className: "transport" });
    const curves = element("div", { className: "curves" });
    holder.append(element("div", { className: "top" }, picture, aside), transport, curves);
    this.picture = picture;
    if (this.open(picture)) this.fill();
    this.settings = this.stage && new Settings(aside, this);
    aside.hidden = !this.stage;
    this.transport = new Transport(transport, scene, this.clock);
    addKeys(keysOf, this.clock, this.transport, {
      f: () => this.fit(),
      ...(this.others && { o: () => this.setOthers({ on: !this.others.on }) }),
      ...(this.others && scene.kind === "flights" && { s: () => this.setOthers({ side: !this.others.side }) }),
    });
    this.clock.listen(() => this.redraw());
    this.clock.listen(() => this.curves?.update(), REDRAWN);
    if (this.stage) {
      this.lookFrom(this.firstWay());
      this.goTo(readView(location.hash));
    }
    addEventListener("hashchange", () => this.stage && this.goTo(readView(location.hash)));
    this.changed();
    this.stage?.drawNow();
    this.ready = performance.now(); // the first picture, in milliseconds since the page was opened
    requestAnimationFrame((now) => {
      if (scene.curves.length) this.curves = new Curves(curves, scene, this.clock, this.others);
      this.run(now);
    });
  }

  /** Make the renderer; without WebGL the still of the page stays. */
  open(picture) {
    this.message = element("p", { className: "message", hidden: true });
    picture.append(this.message);
    try {
      this.stage = new Stage(picture, (lost) => this.lost(lost));
    } catch {
      this.lost(true, "The 3-D picture needs WebGL, which this browser does not have. Use the still picture and the curves below.");
      return false;
    }
    this.stage.before = () => this.place();
    this.stage.byHand = () => { this.keep = false; this.settings?.update(); };
    return true;
  }

  lost(lost, text = "The browser stopped the 3-D picture (WebGL context lost). Reload the page, or use the still picture below.") {
    this.message.textContent = text;
    this.message.hidden = !lost;
    this.picture.classList.toggle("lost", lost);
    document.getElementById("summary").open = lost;
  }

  fill() {
    const { scene } = this.stage;
    this.bodies = new Bodies(this.flight);
    const size = this.bodies.extent;
    const small = Math.max(this.bodies.smallest, size / 6);
    this.joints = new Joints(this.flight, small);
    this.links = new Links(this.flight, small);
    this.plumes = new Plumes(this.flight);
    this.canopies = new Canopies(this.flight);
    this.fasteners = new Fasteners(this.flight, small);
    this.bands = new Bands(this.flight);
    this.pistons = new Pistons(this.flight, small);
    this.contacts = new Contacts(this.flight, small);
    this.tanks = new Tanks(this.flight);
    this.stops = new Stops(this.flight, small);
    this.flexible = new Flexible(this.flight, this.bodies, small);
    this.bodies.bend = (name, t) => this.flexible.bend(name, t);
    if (this.flexible.any) {
      this.factorCaption = element("div", { className: "factor" });
      this.picture.append(this.factorCaption);
    }
    this.devices = [this.flexible, this.links, this.fasteners, this.bands, this.pistons, this.contacts, this.stops, this.tanks];
    this.hover = new Hover(this, this.devices);
    this.arrows = new Arrows(this.flight, size, this.stage.labels);
    this.gaps = new Gaps(this.flight, small, this.stage.labels);
    this.trails = new Trails(this.flight);
    this.strobe = new Strobe(this.bodies);
    const colours = [...this.bodies.all.values()].map((one) => [one.body.name, one.colour]);
    if (this.scene.planet) this.globe = new Globe(this.flight, colours);
    this.parts = [this.bodies, this.joints, ...this.devices, this.plumes, this.canopies, this.arrows, this.gaps, this.trails, this.strobe, this.globe].filter(Boolean);
    if (this.scene.others?.length) this.openOthers(scene);
    for (const part of this.parts) scene.add(part.group);
    this.colour();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.colour());
  }

  openOthers(scene) {
    this.others = new Others(this);
    scene.add(this.others.group);
    const caption = (name) => element("div", { className: "pane", hidden: true, textContent: name });
    this.captions = [caption(this.scene.first), caption(this.others.all.map((one) => one.name).join(", "))];
    this.picture.append(...this.captions);
    this.stage.half = (side) => {
      for (const part of this.parts) if (part !== this.globe) part.group.visible = side !== 1;
      this.others.group.visible = this.others.on && side !== 0;
    };
  }

  colour() {
    const style = getComputedStyle(this.picture);
    this.stage.setColours(style.getPropertyValue("--sky").trim());
    const ink = style.getPropertyValue("--edge").trim();
    for (const { line } of this.bodies.all.values()) line.color.set(ink);
  }

  /** Place everything for the present time and camera frame. */
  place() {
    if (!this.bodies) return;
    const { time } = this.clock;
    const frame = frameAt(this.flight, this.frame, time);
    const red = redAt(this.rules, time);
    this.bodies.place(frame, time);
    this.bodies.setRed(red);
    for (const part of [this.joints, ...this.devices, this.plumes, this.canopies, this.hover, this.arrows, this.globe]) part?.place(frame, time);
    if (this.factorCaption) this.factorCaption.textContent = this.flexible.caption;
    this.gaps.place(frame, time, red);
    this.trails.until(time);
    for (const one of this.bodies.all.values()) {
      const { name } = one.body;
      this.stage.labels.set(`body:${name}`, name, this.names && one.outer.visible ? this.bodies.middle(name) : null, one.red ? "bad" : "");
    }
    this.others?.place(this.frame, time);
    this.others?.label(this.stage.labels, this.names);
    this.captions?.forEach((one, k) => {
      const [x, y] = this.stage.panes()[k] || [0, 0];
      Object.assign(one.style, { left: `${x + 8}px`, top: `${y + 6}px` });
    });
    if (this.keep) this.keepInView();
    this.settings?.update();
  }

  /** Keep near bodies in the picture, seen from the same direction. */
  keepInView() {
    this.stage.look([...this.bodies.near(), ...(this.others?.near() || [])]);
  }

  redraw() {
    this.transport?.update();
    this.stage?.draw();
  }

  changed() {
    this.redraw();
    this.curves?.update();
  }

  run(now) {
    this.clock.advance((now - (this.last ?? now)) / 1000);
    this.last = now;
    requestAnimationFrame((next) => this.run(next));
  }

  // --- choices

  setFrame(key) {
    this.frame = key;
    this.again();
    this.fit();
  }

  /** Draw frames and traces again, as the camera frame sees them. */
  again() {
    const frameOf = (t) => frameAt(this.flight, this.frame, t);
    this.strobe.show(this.strobe.times, frameOf);
    const centres = this.traced.centres ? [...this.bodies.all.values()].map((one) => ({ name: one.body.name, colour: one.colour })) : [];
    this.trails.show([...centres, ...this.traced.points], frameOf);
    this.others?.trace(this.frame, this.traced.centres);
    this.changed();
  }

  /** Change the appearance of the other flights: on, side, common, byVerdict, opacity. */
  setOthers(changes) {
    const { others } = this;
    Object.assign(others, changes);
    others.look();
    this.stage.halves = others.side && others.on;
    this.captions.forEach((one) => { one.hidden = !this.stage.halves; });
    if ("common" in changes) this.again();
    if ("side" in changes) this.fit();
    if ("on" in changes) this.curves?.again();
    this.settings.update();
    this.changed();
  }

  /** Show or hide one of the other flights. */
  setShown(one, on) {
    one.shown = on;
    this.curves?.again();
    this.changed();
  }

  /** Factor of the drawn deformations. */
  setFactor(factor) {
    this.flexible.factor = factor;
    this.again();
  }

  setStrobe(times) {
    this.strobe.times = times;
    this.again();
  }

  setTraces({ centres, point, none }) {
    if (centres !== undefined) this.traced.centres = centres;
    if (point) this.traced.points.push(point);
    if (none) this.traced.points = [];
    this.again();
  }

  fit() {
    this.keep = true;
    this.changed();
  }

  /** The direction of the first picture: across the longest extent of the bodies. */
  firstWay() {
    this.place();
    const size = new Box3().setFromPoints(this.bodies.near()).getSize(new Vector3());
    return size.y > size.x && size.y > 0.8 * size.z ? [0.8, -0.45, 0.35] : [0.45, -0.8, 0.35];
  }

  lookFrom(way) {
    const { camera, controls } = this.stage;
    camera.position.copy(controls.target).add({ x: way[0], y: way[1], z: way[2] });
    this.keep = true;
    this.stage.drawNow();
  }

  lookAtPlanet() {
    this.keep = false;
    const frame = frameAt(this.flight, this.frame, this.clock.time);
    const { centre, radius } = this.globe.sphere(frame, this.clock.time);
    const { camera, controls } = this.stage;
    const points = [-1, 1].flatMap((s) => [0, 1, 2].map((k) => new Vector3(...centre.map((x, n) => x + (n === k ? s * radius : 0)))));
    controls.target.set(...centre);
    camera.position.copy(new Vector3(...centre)).negate().add(new Vector3(0.2 * radius, -0.3 * radius, 0.1 * radius)).add(controls.target);
    this.stage.look(points);
    this.changed();
  }

  savePicture() {
    this.stage.picture((data) => {
      const link = element("a", { href: URL.createObjectURL(data), download: `${this.scene.title.replace(/[^\w-]+/g, "_").slice(0, 60) || "flight"}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }

  link() {
    const text = `#${viewText(this)}`;
    try {
      history.replaceState(null, "", text);
    } catch {
      location.hash = text;
    }
    navigator.clipboard?.writeText(location.href).catch(() => {});
  }

  goTo({ time, frame, camera }) {
    if (frame && frameChoices(this.flight).some(({ key }) => key === frame)) this.frame = frame;
    if (time !== undefined) this.clock.seek(time);
    if (camera) {
      this.keep = false;
      this.stage.camera.position.set(...camera.slice(0, 3));
      this.stage.controls.target.set(...camera.slice(3));
      this.stage.controls.update();
    }
    this.again();
  }
}
