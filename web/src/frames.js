// Camera frames: whose motion is taken out of the picture.
import { IDENTITY, conjugate, cross, dot, ofColumns, product, rotate, sub, times, unit } from "./vectors.js";

/** Choices as {key, label}. */
export function frameChoices(flight) {
  const { scene } = flight;
  const found = [];
  for (const { name } of scene.bodies) found.push({ key: `inertial:${name}`, label: `${name}, inertial axes` });
  for (const { name } of scene.bodies) found.push({ key: `body:${name}`, label: `${name}, body axes` });
  for (const { name, bodies } of scene.joints) {
    found.push({ key: `joint:${name}`, label: `joint ${name}, axes of ${bodies[0]}` });
  }
  for (const { name, on } of scene.stations || []) found.push({ key: `interface:${name}`, label: `interface ${name}, station on ${on}` });
  if (scene.planet) {
    for (const { name } of scene.bodies) found.push({ key: `horizon:${name}`, label: `${name}, local horizon` });
    found.push({ key: "site:", label: "start position, fixed to the ground" });
  }
  return found;
}

export function defaultFrame(flight) {
  const { scene } = flight;
  const name = scene.reference;
  return scene.planet ? `horizon:${name}` : `inertial:${name}`;
}

/** Rotation of a planet about its z axis at a time. */
export function planetTurn(planet, t) {
  const half = 0.5 * (planet.angle + planet.rotation_rate * t);
  return [Math.cos(half), 0, 0, Math.sin(half)];
}

/** Axes east, north, up at an inertial position. */
export function horizon(planet, position) {
  if (planet.kind === "flat") {
    const up = unit(planet.up);
    const north = unit(sub(planet.north, times(up, dot(planet.north, up))));
    return ofColumns(cross(north, up), north, up);
  }
  const e2 = planet.flattening * (2 - planet.flattening);
  const up = unit([position[0], position[1], position[2] / (1 - e2)]);
  const pole = Math.abs(up[2]) > 1 - 1e-12 ? [1, 0, 0] : [0, 0, 1];
  const east = unit(cross(pole, up));
  return ofColumns(east, cross(up, east), up);
}

/** Pose {p, q} of a frame at a time; without data the reference body in inertial axes. */
export function frameAt(flight, key, t) {
  const [kind, name] = [key.slice(0, key.indexOf(":")), key.slice(key.indexOf(":") + 1)];
  const { planet } = flight.scene;
  const still = { p: [0, 0, 0], q: IDENTITY };
  if (kind === "joint") {
    const joint = flight.joints.get(name);
    const pose = joint && flight.drawing(joint.bodies[0], t);
    if (!pose) return still;
    return { p: flight.point(joint.bodies[0], joint.at[0], t), q: product(pose.q, joint.turn) };
  }
  if (kind === "interface") {
    const station = flight.stations.get(name);
    const [p, axes] = station ? [flight.point(station.on, station.at, t), flight.drawing(station.axes_of, t)] : [];
    return p && axes ? { p, q: product(axes.q, station.turn) } : still;
  }
  if (kind === "site" && planet) return siteAt(flight, planet, t);
  const pose = flight.pose(name, t);
  if (!pose) return still;
  if (kind === "body") return { p: pose.p, q: pose.q };
  if (kind === "horizon" && planet) {
    const origin = flight.origin(t).p;
    return { p: pose.p, q: horizon(planet, pose.p.map((x, k) => x + origin[k])) };
  }
  return { p: pose.p, q: IDENTITY };
}

/** The place of the reference body at the start, fixed to the planet, with the axes of the horizon there. */
function siteAt(flight, planet, t) {
  const start = flight.scene.span[0];
  const place = flight.origin(start).p;
  const axes = horizon(planet, place);
  if (planet.kind === "flat") return { p: sub(place, flight.origin(t).p), q: axes };
  const turn = product(planetTurn(planet, t), conjugate(planetTurn(planet, start)));
  return { p: sub(rotate(turn, place), flight.origin(t).p), q: product(turn, axes) };
}

/** A pose seen from a frame. */
export function seenFrom(frame, pose) {
  const back = conjugate(frame.q);
  return { p: rotate(back, sub(pose.p, frame.p)), q: product(back, pose.q) };
}

export const pointFrom = (frame, p) => rotate(conjugate(frame.q), sub(p, frame.p));
