// The transforms of dual quaternion skinning for joints that may be scaled, as docs/src/contract/bake.md, 5, describes them.
import { IDENTITY, affine, distanceFromIdentity, inverse, linear, moved, polar, product, rotationOf, times, translation } from "./affine.js";

/** Largest difference of a stretch from the identity in a joint that counts as not scaled. */
const RIGID = 1e-5;

/**
 * Returns for each joint of a skin a rotation and a translation, and the matrices that are blended linearly before them, null if no joint is
 * scaled; null if there are none. `matrices` are those of linear blending, `idle` says which joints move no vertex.
 */
export function dualForm(skin, nodes, pose, matrices, scale) {
  return formOf(skin, nodes, pose, matrices, scale, () => false) ?? formOf(skin, nodes, pose, matrices, scale, (joint) => skin.idle()[joint]);
}

function formOf(skin, nodes, pose, matrices, scale, isIdle) {
  const factors = matrices.map((matrix, joint) => polar(linear(isIdle(joint) ? IDENTITY : matrix)));
  if (factors.includes(null)) return null;
  const rigid = factors.map(({ rotation }, joint) => [rotationOf(rotation), translation(matrices[joint])]);
  if (!factors.some(({ stretch }) => distanceFromIdentity(stretch) > RIGID)) return { rigid, first: null };
  if (scale === "reject") return null;
  const isNamed = (joint) => scale === "local" || Boolean(scale.for?.includes(nodes.list[skin.joints[joint].node].name));
  const places = scale === "global" ? [] : attachments(skin, nodes, pose);
  const scaled = new Set(places.filter((place) => isNamed(place.joint) && !isIdle(place.joint) && isScaled(skin, place)).map(({ joint }) => joint));
  if (!scaled.size) return { rigid, first: factors.map(({ stretch }) => affine(stretch, [0, 0, 0])) };
  return localForm(skin, places, (joint) => scale === "local" || scaled.has(joint), isIdle);
}

/** Returns each joint after those above it: the nearest joint above, and the matrix to that. */
function attachments(skin, { order, parents }, { locals }) {
  const jointOf = new Map(skin.joints.map(({ node }, joint) => [node, joint]));
  const of = new Map(), found = [];
  for (const node of order) {
    const above = parents[node];
    const place = above === null ? { parent: null, local: locals[node] }
      : jointOf.has(above) ? { parent: jointOf.get(above), local: locals[node] }
        : { parent: of.get(above).parent, local: product(of.get(above).local, locals[node]) };
    of.set(node, place);
    if (jointOf.has(node)) found.push({ joint: jointOf.get(node), ...place });
  }
  return found;
}

/** The matrix of a joint in the bind pose relative to the joint above it, and its inverse. */
function bindLocals(skin, joint, parent) {
  const [bind, back] = [inverse(skin.inverses[joint]), skin.inverses[joint]];
  return parent === null ? [bind, back] : [product(skin.inverses[parent], bind), product(back, inverse(skin.inverses[parent]))];
}

function isScaled(skin, { joint, parent, local }) {
  const factors = polar(linear(product(bindLocals(skin, joint, parent)[1], local)));
  return !(factors && distanceFromIdentity(factors.stretch) <= RIGID);
}

function localForm(skin, places, isLocal, isIdle) {
  const chain = [], first = skin.joints.map(() => IDENTITY), rigid = skin.joints.map(() => [[0, 0, 0, 1], [0, 0, 0]]);
  for (const { joint, parent, local } of places) {
    if (isIdle(joint)) continue;
    const [bindLocal, backLocal] = bindLocals(skin, joint, parent);
    const change = product(backLocal, local);
    const factors = polar(linear(change));
    if (!factors) return null;
    const above = chain[parent];
    const factor = above ? factorOfChild(above, bindLocal) : bindLocal;
    const scaled = above ? product(above.scaled, factor) : factor;
    const posed = product(above ? product(above.posed, factor) : factor, affine(factors.rotation, translation(change)));
    chain[joint] = { stretch: factors.stretch, isLocal: isLocal(joint), scaled, posed };
    const before = product(product(scaled, affine(factors.stretch, [0, 0, 0])), skin.inverses[joint]);
    const motion = polar(linear(product(posed, inverse(scaled))));
    if (!motion) return null;
    const [from, to] = [translation(scaled), translation(posed)];
    const turned = moved(affine(motion.rotation, [0, 0, 0]), from);
    rigid[joint] = [rotationOf(motion.rotation), to.map((c, i) => c - turned[i])];
    first[joint] = sheared(before, motion.stretch, from);
  }
  return { first, rigid };
}

function factorOfChild({ stretch, isLocal }, bindLocal) {
  const scaling = affine(stretch, [0, 0, 0]);
  return isLocal ? affine(linear(bindLocal), moved(scaling, translation(bindLocal))) : product(scaling, bindLocal);
}

/** A matrix, and then the stretch about a point. */
function sheared(matrix, stretch, about) {
  const place = moved(affine(stretch, [0, 0, 0]), translation(matrix).map((c, i) => c - about[i]));
  return affine(times(stretch, linear(matrix)), place.map((c, i) => c + about[i]));
}
