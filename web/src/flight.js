// Poses of a flight. All positions are relative to the moving origin, in inertial axes.
import { Channel, Track } from "./tracks.js";
import { IDENTITY, add, rotate, sub } from "./vectors.js";

export const GROUND = "ground";

export class Flight {
  constructor(scene) {
    this.scene = scene;
    this.reference = scene.reference;
    this.moving = new Track(scene, scene.origin);
    this.tracks = new Map(scene.bodies.map((body) => [body.name, new Track(scene, body.poses)]));
    this.bodies = new Map(scene.bodies.map((body) => [body.name, body]));
    this.centres = new Map(
      scene.bodies.filter((body) => body.centres).map((body) => [body.name, new Channel(scene, body.centres)]),
    );
    this.joints = new Map(scene.joints.map((joint) => [joint.name, joint]));
    this.stations = new Map((scene.stations || []).map((station) => [station.name, station]));
  }

  /** Inertial motion {p, v} of the origin: of the reference body, at its ends held. */
  origin(t) {
    const { moving } = this;
    return moving.at(Math.min(moving.last, Math.max(moving.first, t))) || { p: [0, 0, 0], v: [0, 0, 0] };
  }

  /** Pose {p, v, q} of the centre of mass of a body relative to the origin, or null. */
  pose(name, t) {
    return this.tracks.get(name)?.at(t) || null;
  }

  /** Centre of mass of a body in its structural coordinates. */
  centre(name, t) {
    return this.centres.get(name)?.at(t) || this.bodies.get(name).centre;
  }

  /** Pose {p, q} of the origin of the structural coordinates of a body, or of the ground. */
  drawing(name, t) {
    if (name === GROUND) return { p: sub([0, 0, 0], this.origin(t).p), q: IDENTITY };
    const pose = this.pose(name, t);
    if (!pose) return null;
    return { p: sub(pose.p, rotate(pose.q, this.centre(name, t))), q: pose.q, v: pose.v };
  }

  /** A point of a body in structural coordinates, relative to the origin. */
  point(name, at, t) {
    const pose = this.drawing(name, t);
    return pose && add(pose.p, rotate(pose.q, at));
  }
}
