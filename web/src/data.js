// The data of the page: arrays are decoded when they are first used.
const TYPES = { f4: Float32Array, f8: Float64Array, u4: Uint32Array };

export class Scene {
  constructor(data) {
    Object.assign(this, data);
    this.decoded = new Map();
  }

  array(number) {
    if (!this.decoded.has(number)) {
      const { type, data } = this.arrays[number];
      const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
      this.decoded.set(number, new TYPES[type](bytes.buffer));
    }
    return this.decoded.get(number);
  }
}

export function readScene() {
  return new Scene(JSON.parse(document.getElementById("scene").textContent));
}
