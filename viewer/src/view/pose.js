// Nodes at a moment: animations are sampled, and each node gets its matrix (docs/src/contract/bake.md, 1 and 2).
import { IDENTITY, affine, linear, ofRotation, ofTrs, product, rotationOf, slerp, translation, unit } from "./affine.js";

/** Returns the channels of an animation of a GLB. */
export function channelsOf(glb, { channels, samplers }) {
  return channels.map(({ sampler, target }) => {
    const { input, output, interpolation } = samplers[sampler];
    const pointer = target.extensions?.KHR_animation_pointer.pointer.split("/");
    const [times, values] = [glb.numbers(input), glb.numbers(output)];
    const isSpline = interpolation === "CUBICSPLINE";
    return {
      node: pointer ? Number(pointer[2]) : target.node, path: pointer ? "visible" : target.path, interpolation, times, values,
      width: values.length / times.length / (isSpline ? 3 : 1),
    };
  });
}

/** Returns a channel's value at a time, an array of numbers; rotations have unit length. */
function sampled(channel, time) {
  const { times } = channel;
  let [low, later] = [0, times.length];
  while (low < later) { const middle = (low + later) >> 1; if (times[middle] <= time) low = middle + 1; else later = middle; }
  const k = later - 1;
  if (k < 0) return keyOf(channel, 0);
  if (later === times.length || times[k] === time) return keyOf(channel, k);
  return between(channel, k, time);
}

function between(channel, k, time) {
  const { times, interpolation, path } = channel;
  const span = times[k + 1] - times[k];
  const u = (time - times[k]) / span;
  const [a, b] = [keyOf(channel, k), keyOf(channel, k + 1)];
  if (interpolation === "STEP") return a;
  if (interpolation === "LINEAR") return path === "rotation" ? slerp(a, b, u) : a.map((number, i) => number + u * (b[i] - number));
  const [out, into] = [partOf(channel, k, 2), partOf(channel, k + 1, 0)];
  const [u2, u3] = [u * u, u * u * u];
  const value = a.map((number, i) => (2 * u3 - 3 * u2 + 1) * number + (u3 - 2 * u2 + u) * span * out[i] + (3 * u2 - 2 * u3) * b[i] + (u3 - u2) * span * into[i]);
  return path === "rotation" ? unit(value) : value;
}

function keyOf(channel, k) {
  const value = channel.interpolation === "CUBICSPLINE" ? partOf(channel, k, 1) : Array.from(channel.values.subarray(k * channel.width, (k + 1) * channel.width));
  return channel.path === "rotation" ? unit(value) : value;
}

/** In-tangent, value or out-tangent of a key of a spline. */
function partOf({ values, width }, k, part) {
  return Array.from(values.subarray((3 * k + part) * width, (3 * k + part + 1) * width));
}

/** Nodes of a GLB, and how they hang together. */
export class Nodes {
  constructor(glb) {
    this.list = glb.json.nodes;
    this.parents = this.list.map(() => null);
    this.list.forEach(({ children = [] }, node) => children.forEach((child) => { this.parents[child] = node; }));
    /** All nodes, each after its parent. */
    this.order = [];
    const waiting = this.list.map((_, node) => node).filter((node) => this.parents[node] === null).reverse();
    while (waiting.length) {
      const node = waiting.pop();
      this.order.push(node);
      waiting.push(...(this.list[node].children ?? []));
    }
  }

  /**
   * Returns the nodes at a time of an animation with these channels: matrices to the parent and to the scene, weights of morph targets where
   * they are not those of the mesh, and whether each is visible.
   */
  at(channels, time) {
    const changed = new Map();
    for (const channel of channels) {
      if (!changed.has(channel.node)) changed.set(channel.node, {});
      changed.get(channel.node)[channel.path] = sampled(channel, time);
    }
    const locals = this.list.map((node, index) => localOf(node, changed.get(index)));
    const visible = this.list.map(({ extensions }, node) => changed.get(node)?.visible?.[0] ?? extensions?.KHR_node_visibility?.visible ?? true).map(Boolean);
    for (const node of this.order) visible[node] &&= visible[this.parents[node]] ?? true;
    const weights = this.list.map((node, index) => changed.get(index)?.weights ?? node.weights ?? null);
    return { locals, globals: this.#globals(locals, new Map()), visible, weights };
  }

  /** Returns nodes at rest, with joints `part` of the way to a pose: pairs of node and rotation and translation in the space of the scene. */
  posed(joints, part) {
    const rest = this.at([], 0);
    const places = new Map(joints.map(([node, numbers]) => {
      const [q, t] = [numbers.slice(0, 4), numbers.slice(4)];
      if (part >= 1) return [node, affine(ofRotation(q), t)];
      const from = translation(rest.globals[node]);
      const turned = slerp(rotationOf(linear(rest.globals[node])), unit(q), part);
      return [node, affine(ofRotation(turned), from.map((c, i) => c + part * (t[i] - c)))];
    }));
    return { ...rest, globals: this.#globals(rest.locals, places) };
  }

  /** Matrices to the scene; `places` has those that are given. */
  #globals(locals, places) {
    const globals = locals.slice();
    for (const node of this.order) {
      const parent = this.parents[node];
      if (places.has(node)) globals[node] = places.get(node);
      else if (parent !== null) globals[node] = product(globals[parent], locals[node]);
    }
    return globals;
  }
}

function localOf({ matrix, translation: t, rotation: q, scale: s }, changed) {
  const isMoved = changed && (changed.translation || changed.rotation || changed.scale);
  if (matrix && !isMoved) return [0, 1, 2].flatMap((row) => [matrix[row], matrix[4 + row], matrix[8 + row], matrix[12 + row]]);
  if (!t && !q && !s && !isMoved) return IDENTITY;
  return ofTrs(changed?.translation ?? t ?? [0, 0, 0], changed?.rotation ?? q ?? [0, 0, 0, 1], changed?.scale ?? s ?? [1, 1, 1]);
}
