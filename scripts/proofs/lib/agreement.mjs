// How far a baked file is from where another client had its vertices (bake.md §8).

const TOLERANCE = 1e-5;

// Tolerance of a list, or why none of it is comparable.
function tolerance(list) {
  if (list.tool.startsWith("three") && list.source.startsWith("SimpleSkin"))
    return { none: "three.js uses its keys, rounded to three decimals, as they are" };
  if (list.solver === "dqs" && list.source.startsWith("Mannequiny")) return { within: 1e-4 };
  return { within: TOLERANCE };
}

const isBlender = (list) => list.tool.includes("Blender");

// Why a single mesh is not comparable.
function exception(list, mesh) {
  if (isBlender(list) && list.source.startsWith("multi_skin") && mesh.node_name !== "inst1")
    return `Blender has one bind pose for all instances: not ${mesh.node_name}`;
  return null;
}

// The skinned node of the source that a listed mesh is: three.js numbers meshes, and lists those that share one in
// the order of their nodes; Blender names nodes.
function sourceNode(source, list, mesh, seen) {
  const skinned = source.nodes.map((node, index) => ({ ...node, index })).filter((node) => node.skin !== undefined);
  if (isBlender(list)) return skinned.find((node) => node.name === mesh.node_name) ?? (skinned.length === 1 ? skinned[0] : null);
  const key = `${mesh.gltf_mesh}/${mesh.primitive}`;
  seen[key] = (seen[key] ?? -1) + 1;
  return skinned.filter((node) => node.mesh === mesh.gltf_mesh)[seen[key]];
}

// The primitives of the node that a bake has added for a node of the source: of the same name, and among those in
// the same order. Added nodes are the last ones; those before them have other numbers than in the source, as joints go.
function bakedPrimitives(source, baked, node) {
  const skinned = source.nodes.map((other, index) => ({ ...other, index })).filter((other) => other.skin !== undefined);
  const alike = skinned.filter((other) => other.name === node.name && other.index < node.index);
  const first = baked.json.nodes.length - skinned.length;
  const added = [...new Set(baked.primitives.map((primitive) => primitive.node))].sort((a, b) => a - b)
    .filter((index) => index >= first && baked.json.nodes[index].name === node.name);
  const own = baked.primitives.filter((primitive) => primitive.node === added[alike.length]);
  return own.sort((a, b) => a.primitive - b.primitive);
}

export function agreement(source, baked, list) {
  const { within, none } = tolerance(list);
  const result = { client: isBlender(list) ? "Blender" : "three.js", within, worst: 0, wrong: [], notes: [] };
  if (none) return { ...result, worst: null, notes: [none] };
  const seen = {};
  let compared = 0;
  for (const mesh of list.meshes) {
    const note = exception(list, mesh);
    if (note) {
      result.notes.push(note);
      continue;
    }
    const node = sourceNode(source, list, mesh, seen);
    const own = node ? bakedPrimitives(source, baked, node) : [];
    const positions = isBlender(list) ? own.flatMap((primitive) => primitive.positions) : own[mesh.primitive]?.positions;
    if (positions?.length !== mesh.vertex_count) {
      result.wrong.push(`${list.name}: no baked ${mesh.node_name} of ${mesh.vertex_count} vertices (${positions?.length})`);
      continue;
    }
    const size = Math.max(...[0, 1, 2].map((axis) => mesh.max[axis] - mesh.min[axis]));
    for (const [vertex, ...at] of mesh.every10)
      for (const axis of [0, 1, 2]) // NaN stays NaN
        result.worst = Math.max(result.worst, Math.abs(positions[vertex][axis] - at[axis]) / size);
    compared++;
  }
  if (compared === 0) result.worst = NaN;
  if (compared && !(result.worst <= within)) result.wrong.push(`${list.name}: off by ${result.worst.toExponential(1)} of the size, allowed ${within}`);
  return result;
}
