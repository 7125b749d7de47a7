// A view in the address of the page: time, camera frame, camera.
const round = (x) => Number(x.toPrecision(7));

export function viewText(view) {
  const { camera, controls } = view.stage;
  const parts = new URLSearchParams();
  parts.set("t", String(Number(view.clock.time.toPrecision(12))));
  parts.set("frame", view.frame);
  parts.set("camera", [...camera.position.toArray(), ...controls.target.toArray()].map(round).join(","));
  return parts.toString();
}

export function readView(text) {
  const parts = new URLSearchParams(text.replace(/^#/, ""));
  const number = (value) => (value === null || value.trim() === "" ? undefined : Number(value));
  const camera = (parts.get("camera") || "").split(",").map(Number);
  return {
    time: Number.isFinite(number(parts.get("t"))) ? number(parts.get("t")) : undefined,
    frame: parts.get("frame") || undefined,
    camera: camera.length === 6 && camera.every(Number.isFinite) ? camera : undefined,
  };
}
