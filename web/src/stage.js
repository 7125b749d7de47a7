// The picture: renderer, camera, lights, labels. Its axes are those of the camera frame.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Labels } from "./labels.js";

const NEAREST = 0.02; // of the distance between camera and target
const ROOM = 0.82; // part of the picture that is filled
const FARTHEST = 1e9;

export class Stage {
  constructor(holder, lost) {
    this.holder = holder;
    const canvas = document.createElement("canvas");
    // Without WebGL, the renderer would report an error on the console.
    const context = canvas.getContext("webgl2", { alpha: false, antialias: true });
    if (!context) throw new Error("The browser has no WebGL.");
    this.renderer = new THREE.WebGLRenderer({ canvas, context, logarithmicDepthBuffer: true });
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "Bodies of the flight in three dimensions");
    this.canvas.setAttribute("role", "img");
    holder.append(this.canvas);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, FARTHEST);
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(3, -5, 2.5);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = false;
    this.byHand = () => {};
    this.controls.addEventListener("start", () => this.byHand());
    this.controls.addEventListener("change", () => this.draw());
    this.light();
    this.labels = new Labels(holder, this.camera);
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      lost(true);
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      lost(false);
      this.draw();
    });
    new ResizeObserver(() => this.resize()).observe(holder);
    this.resize();
  }

  light() {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x9aa4ad, 1.7));
    const lamp = new THREE.DirectionalLight(0xffffff, 1.9);
    lamp.position.set(-0.6, 0.9, 1);
    this.camera.add(lamp);
    this.scene.add(this.camera);
  }

  setColours(background) {
    this.renderer.setClearColor(new THREE.Color(background));
    this.draw();
  }

  resize() {
    const { clientWidth, clientHeight } = this.holder;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.drawNow();
  }

  /** Rectangles [x, y, width, height] of the picture, from its upper left corner: one, or two halves. */
  panes() {
    const { clientWidth: w, clientHeight: h } = this.holder;
    if (!this.halves) return [[0, 0, w, h]];
    return w >= h ? [[0, 0, w / 2, h], [w / 2, 0, w / 2, h]] : [[0, 0, w, h / 2], [0, h / 2, w, h / 2]];
  }

  /** Draw before the next picture of the screen. */
  draw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => this.drawNow());
  }

  drawNow() {
    if (this.waiting) cancelAnimationFrame(this.waiting);
    this.waiting = 0;
    const panes = this.panes();
    this.camera.aspect = panes[0][2] / panes[0][3] || 1;
    this.before?.();
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(1e-4, distance * NEAREST);
    this.camera.updateProjectionMatrix();
    this.renderer.setScissorTest(panes.length > 1);
    panes.forEach(([x, y, w, h], side) => {
      const bottom = this.holder.clientHeight - y - h;
      this.renderer.setViewport(x, bottom, w, h);
      this.renderer.setScissor(x, bottom, w, h);
      this.half?.(panes.length > 1 ? side : undefined);
      this.renderer.render(this.scene, this.camera);
    });
    this.labels.place(panes);
  }

  /** Show all points (Vector3) from the present direction. */
  look(points) {
    if (!points.length) return;
    const { camera, controls } = this;
    const box = new THREE.Box3().setFromPoints(points);
    const away = camera.position.clone().sub(controls.target).normalize();
    const right = new THREE.Vector3().crossVectors(camera.up, away);
    if (right.lengthSq() < 1e-12) right.set(1, 0, 0);
    const up = new THREE.Vector3().crossVectors(away, right.normalize());
    box.getCenter(controls.target);
    const high = Math.tan((camera.fov * Math.PI) / 360) * ROOM;
    const wide = high * camera.aspect;
    let distance = 1e-3;
    for (const point of points) {
      const at = point.clone().sub(controls.target);
      const reach = Math.max(Math.abs(at.dot(right)) / wide, Math.abs(at.dot(up)) / high);
      distance = Math.max(distance, reach + at.dot(away));
    }
    camera.position.copy(controls.target).addScaledVector(away, distance);
    controls.update();
  }

  /** The present picture as PNG data. */
  picture(done) {
    this.drawNow();
    this.canvas.toBlob(done, "image/png");
  }
}
