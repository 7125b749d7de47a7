// Geometries of shapes. Solids of revolution have sharp edges between the lines of their profile.
import * as THREE from "three";

const AROUND = 64;

function revolved(profile, closed) {
  const points = closed ? [...profile, profile[0]] : profile;
  const positions = [];
  const normals = [];
  for (let k = 0; k + 1 < points.length; k++) {
    const [[r0, z0], [r1, z1]] = [points[k], points[k + 1]];
    const length = Math.hypot(r1 - r0, z1 - z0);
    if (!(length > 0) || (r0 === 0 && r1 === 0)) continue;
    const [outward, up] = [(z1 - z0) / length, -(r1 - r0) / length];
    for (let n = 0; n < AROUND; n++) {
      const [a, b] = [n, n + 1].map((m) => (2 * Math.PI * m) / AROUND);
      const corner = (r, z, angle) => {
        positions.push(r * Math.cos(angle), r * Math.sin(angle), z);
        normals.push(outward * Math.cos(angle), outward * Math.sin(angle), up);
      };
      corner(r0, z0, a);
      corner(r0, z0, b);
      corner(r1, z1, b);
      corner(r0, z0, a);
      corner(r1, z1, b);
      corner(r1, z1, a);
    }
  }
  const found = new THREE.BufferGeometry();
  found.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  found.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  return found;
}

function ofMesh(shape, scene) {
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute("position", new THREE.BufferAttribute(scene.array(shape.corners), 3));
  indexed.setIndex(new THREE.BufferAttribute(scene.array(shape.triangles), 1));
  const found = indexed.toNonIndexed();
  found.computeVertexNormals();
  return found;
}

/** The circles of a profile as line segments. */
function rings(profile) {
  const positions = [];
  for (const [r, z] of profile) {
    if (!(r > 0)) continue;
    for (let n = 0; n < AROUND; n++) {
      for (const m of [n, n + 1]) {
        const angle = (2 * Math.PI * m) / AROUND;
        positions.push(r * Math.cos(angle), r * Math.sin(angle), z);
      }
    }
  }
  const found = new THREE.BufferGeometry();
  found.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  return found;
}

/** [surface, edges] of a shape in its own axes; edges may be null. */
export function geometryOf(shape, scene) {
  switch (shape.kind) {
    case "turned":
      return [revolved(shape.profile, shape.closed), rings(shape.profile.length > 12 ? [] : shape.profile)];
    case "box": {
      const box = new THREE.BoxGeometry(...shape.size);
      return [box, new THREE.EdgesGeometry(box)];
    }
    case "capsule": {
      const capsule = new THREE.CapsuleGeometry(shape.radius, shape.length, 12, AROUND);
      capsule.rotateX(Math.PI / 2).translate(0, 0, shape.length / 2);
      return [capsule, null];
    }
    case "mesh": {
      const mesh = ofMesh(shape, scene);
      return [mesh, new THREE.EdgesGeometry(mesh, 25)];
    }
    default:
      return [new THREE.SphereGeometry(shape.radius || 1, AROUND, 32), null];
  }
}

const made = new WeakMap();

/** As geometryOf, made once for each shape: bodies of several flights share it. */
export function sharedGeometry(shape, scene) {
  if (!made.has(shape)) made.set(shape, geometryOf(shape, scene));
  return made.get(shape);
}

/** A coil from z = 0 to z = 1 with radius 1. */
export function coil(turns = 7) {
  class Helix extends THREE.Curve {
    getPoint(s, target = new THREE.Vector3()) {
      const angle = 2 * Math.PI * turns * s;
      return target.set(Math.cos(angle), Math.sin(angle), s);
    }
  }
  return new THREE.TubeGeometry(new Helix(), turns * 24, 0.16, 6);
}
