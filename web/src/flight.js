// Poses of a flight. All positions are relative to the reference body, in inertial axes.
import { Channel, Track } from "./tracks.js";
import { IDENTITY, add, rotate, sub } from "./vectors.js";

export const GROUND = "ground";

export class Flight {
  constructor(scene) {
    this.scene = scene;
    this.reference = scene.reference;
    this.tracks = new Map(scene.bodies.map((body) => [body.name, new Track(scene, body.poses)]));
    this.bodies = new Map(scene.bodies.map((body) => [body.name, body]));
    this.centres = new Map(
      scene.bodies.filter((body) => body.centres).map((body) => [body.name, new Channel(scene, body.centres)]),
    );
    this.joints = new Map(scene.joints.map((joint) => [joint.name, joint]));
  }

  /** Inertial pose of the reference body; outside of its samples the nearest one. */
  origin(t) {
    const track = this.tracks.get(this.reference);
    return track.at(t) || track.at(Math.min(track.last, Math.max(track.first, t))) || { p: [0, 0, 0], v: [0, 0, 0] };
  }

  /** Pose {p, v, q} of the centre of mass of a body, or null. */
  pose(name, t) {
    const found = this.tracks.get(name)?.at(t);
    if (!found) return null;
    return name === this.reference ? { ...found, p: [0, 0, 0], v: [0, 0, 0] } : found;
  }

  /** Centre of mass of a body in its drawing coordinates. */
  centre(name, t) {
    return this.centres.get(name)?.at(t) || this.bodies.get(name).centre;
  }

  /** Pose {p, q} of the origin of the drawing coordinates of a body, or of the ground. */
  drawing(name, t) {
    if (name === GROUND) return { p: sub([0, 0, 0], this.origin(t).p), q: IDENTITY };
    const pose = this.pose(name, t);
    if (!pose) return null;
    return { p: sub(pose.p, rotate(pose.q, this.centre(name, t))), q: pose.q, v: pose.v };
  }

  /** A point of a body in drawing coordinates, relative to the reference body. */
  point(name, at, t) {
    const pose = this.drawing(name, t);
    return pose && add(pose.p, rotate(pose.q, at));
  }
}
