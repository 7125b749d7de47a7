// Vectors [x, y, z] and quaternions [w, x, y, z] in double precision.
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a) => Math.hypot(a[0], a[1], a[2]);
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const unit = (a) => times(a, 1 / (norm(a) || 1));
export const conjugate = (q) => [q[0], -q[1], -q[2], -q[3]];
export const IDENTITY = [1, 0, 0, 0];

export function product(p, q) {
  return [
    p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
    p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
    p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
    p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
  ];
}

export function rotate(q, v) {
  const u = [q[1], q[2], q[3]];
  const t = times(cross(u, v), 2);
  return add(add(v, times(t, q[0])), cross(u, t));
}

/** The attitude at a part of the shorter way between two attitudes. */
export function slerp(a, b, part) {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(1, sign * cosine);
  const angle = Math.acos(cosine);
  const small = angle < 1e-6;
  const one = small ? 1 - part : Math.sin((1 - part) * angle) / Math.sin(angle);
  const other = sign * (small ? part : Math.sin(part * angle) / Math.sin(angle));
  const q = a.map((x, k) => one * x + other * b[k]);
  const size = Math.hypot(...q);
  return q.map((x) => x / size);
}

/** Quaternion of a matrix given by its columns, which are orthonormal and right-handed. */
export function ofColumns(x, y, z) {
  const trace = x[0] + y[1] + z[2];
  const candidates = [trace, x[0], y[1], z[2]];
  const k = candidates.indexOf(Math.max(...candidates));
  let q;
  if (k === 0) q = [1 + trace, y[2] - z[1], z[0] - x[2], x[1] - y[0]];
  else if (k === 1) q = [y[2] - z[1], 1 + 2 * x[0] - trace, y[0] + x[1], z[0] + x[2]];
  else if (k === 2) q = [z[0] - x[2], y[0] + x[1], 1 + 2 * y[1] - trace, z[1] + y[2]];
  else q = [x[1] - y[0], z[0] + x[2], z[1] + y[2], 1 + 2 * z[2] - trace];
  const size = Math.hypot(...q);
  return q.map((v) => v / size);
}
