// Babylon.js as a client of baked files: loads one, plays its animation to a time, and gives the positions that it shows. Its null
// engine draws nothing; nodes, animations and morph targets are evaluated as in a browser.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

export async function client(folder) {
  const require = createRequire(path.join(folder, "package.json"));
  const babylon = require("babylonjs");
  babylon.Logger.LogLevels = babylon.Logger.NoneLogLevel;
  const { GLTFLoaderAnimationStartMode } = require("babylonjs-loaders");
  const gltf = { animationStartMode: GLTFLoaderAnimationStartMode.NONE, skipMaterials: true };
  // Matrices are of f64 then; else their rounding is larger than that of the vertices.
  const engine = new babylon.NullEngine({ useHighPrecisionMatrix: true });
  babylon.PerformanceConfigurator.SetMatrixPrecision(true);
  return { name: "Babylon.js", version: babylon.Engine.Version, open: (file) => open(babylon, engine, gltf, file) };
}

async function open(babylon, engine, gltf, file) {
  const scene = new babylon.Scene(engine);
  scene.useRightHandedSystem = true;
  const options = { pluginExtension: ".glb", pluginOptions: { gltf } };
  await babylon.AppendSceneAsync(new Uint8Array(fs.readFileSync(file)), scene, options);
  for (const group of scene.animationGroups) {
    group.start(false);
    group.pause();
  }
  return {
    animations: scene.animationGroups.length,
    play: (seconds) => scene.animationGroups.forEach((group) => goTo(group, seconds)),
    visible: () => visible(babylon, scene),
    close: () => scene.dispose(),
  };
}

function goTo(group, seconds) {
  group.goToFrame(seconds * group.targetedAnimations[0].animation.framePerSecond);
}

// World positions of all meshes that are not scaled to nothing, in the order of the scene; morph targets are applied by Babylon.js.
function visible(babylon, scene) {
  const found = [];
  const visit = (node) => {
    const world = node.computeWorldMatrix(true);
    if (node.getTotalVertices?.() > 0 && node.isEnabled() && world.determinant() !== 0) found.push(positions(babylon, node, world));
    node.getChildren().forEach(visit);
  };
  scene.rootNodes.forEach(visit);
  return found;
}

function positions(babylon, mesh, world) {
  const values = mesh.getPositionData(false, true);
  const at = (vertex) => {
    const [x, y, z] = values.slice(3 * vertex, 3 * vertex + 3);
    return babylon.Vector3.TransformCoordinatesFromFloatsToRef(x, y, z, world, new babylon.Vector3()).asArray();
  };
  return Array.from({ length: values.length / 3 }, (_, vertex) => at(vertex));
}
