// A GLB of a page, which the program has written (crates/view/src/scene_data/glb.rs): every accessor has a view of its own, and all its elements.

/** Arrays of component types. */
const ARRAYS = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

export class Glb {
  /** `bytes` begin with those of the GLB. */
  constructor(bytes) {
    const words = new DataView(bytes.buffer, bytes.byteOffset);
    const text = words.getUint32(12, true);
    this.json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + text)));
    this.bin = bytes.subarray(28 + text, words.getUint32(8, true));
    this.known = new Map();
  }

  /** Returns the number of components of each element of an accessor. */
  width(index) {
    return WIDTHS[this.json.accessors[index].type];
  }

  /** Returns the number of elements of an accessor. */
  count(index) {
    return this.json.accessors[index].count;
  }

  /** Returns the components of all elements as stored, one after the other. The array is shared. */
  integers(index) {
    return this.#once(index, () => {
      const { componentType, bufferView } = this.json.accessors[index];
      const { byteOffset, byteStride } = this.json.bufferViews[bufferView];
      const [Type, width, count] = [ARRAYS[componentType], this.width(index), this.count(index)];
      const size = Type.BYTES_PER_ELEMENT;
      if (!byteStride || byteStride === size * width) return new Type(this.bin.buffer, this.bin.byteOffset + byteOffset, width * count);
      const packed = new Type(width * count);
      for (let i = 0; i < count; i++) packed.set(new Type(this.bin.buffer, this.bin.byteOffset + byteOffset + i * byteStride, width), i * width);
      return packed;
    });
  }

  /** Returns the same as numbers: integers that are normalised are parts of their largest value. The array is shared. */
  numbers(index) {
    return this.#once(`${index} as numbers`, () => {
      const stored = this.integers(index);
      if (stored instanceof Float32Array) return stored;
      if (!this.json.accessors[index].normalized) return Float32Array.from(stored);
      const bits = 8 * stored.BYTES_PER_ELEMENT;
      const isSigned = stored instanceof Int8Array || stored instanceof Int16Array;
      const most = 2 ** (isSigned ? bits - 1 : bits) - 1;
      return Float32Array.from(stored, (number) => Math.max(number / most, -1));
    });
  }

  /** Returns the bytes of an image as a file of its type; null if the GLB has none. */
  image(index) {
    const { bufferView, mimeType } = this.json.images?.[index] ?? {};
    if (bufferView === undefined) return null;
    const { byteOffset, byteLength } = this.json.bufferViews[bufferView];
    return new Blob([this.bin.subarray(byteOffset, byteOffset + byteLength)], { type: mimeType });
  }

  #once(key, make) {
    if (!this.known.has(key)) this.known.set(key, make());
    return this.known.get(key);
  }
}
