// What the Khronos validator, three.js and Babylon.js make of a file. NODE_PATH names the folder with their packages.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const packages = process.env.NODE_PATH;
export const require = createRequire(path.join(packages, "x.js"));
const validator = require("gltf-validator");

/** Codes of errors and of warnings, each with how often it occurs. */
export async function validate(file) {
  const externalResourceFunction = (uri) => fs.promises.readFile(path.join(path.dirname(file), decodeURIComponent(uri)));
  const options = { uri: path.basename(file), maxIssues: 0, externalResourceFunction };
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), options);
  const codes = [{}, {}];
  for (const { severity, code } of report.issues.messages) if (severity < 2) codes[severity][code] = (codes[severity][code] ?? 0) + 1;
  return { errors: codes[0], warnings: codes[1] };
}

/** A client loads a file, plays one of its animations to a time, and gives the world positions of all meshes that are not scaled to nothing. */
export async function threeClient() {
  const load = (file) => import(pathToFileURL(path.join(packages, "three", file)));
  const three = await load("build/three.module.js");
  const { GLTFLoader } = await load("examples/jsm/loaders/GLTFLoader.js");
  const parse = async (file) => {
    const loader = new GLTFLoader();
    loader.register((parser) => {
      parser.loadTexture = async () => new three.Texture(); // there is nothing to decode images with
      return { name: "no images" };
    });
    const bytes = fs.readFileSync(file);
    return loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), "");
  };
  return { name: `three.js r${three.REVISION}`, three, parse, open: async (file) => played(three, await parse(file)) };
}

/** World positions of an object of three.js with its morph targets. */
export function positionsOf(three, object) {
  const place = object.getVertexPosition ?? three.Mesh.prototype.getVertexPosition; // which points and lines lack
  const at = (vertex) => place.call(object, vertex, new three.Vector3()).applyMatrix4(object.matrixWorld).toArray();
  return Array.from({ length: object.geometry.attributes.position.count }, (_, vertex) => at(vertex));
}

function played(three, { scene, animations }) {
  const mixer = new three.AnimationMixer(scene);
  const play = (seconds, clip) => {
    mixer.stopAllAction();
    Object.assign(mixer.clipAction(animations[clip]), { clampWhenFinished: true }).setLoop(three.LoopOnce).play();
    mixer.setTime(seconds);
  };
  const visible = () => {
    scene.updateMatrixWorld(true);
    const found = [];
    scene.traverse((object) => {
      if (object.geometry && object.matrixWorld.determinant() !== 0) found.push(positionsOf(three, object));
    });
    return found;
  };
  return { animations: animations.length, play, visible, close() {} };
}

export async function babylonClient() {
  const babylon = require("babylonjs");
  babylon.Logger.LogLevels = babylon.Logger.NoneLogLevel;
  const { GLTFLoaderAnimationStartMode } = require("babylonjs-loaders");
  const gltf = { animationStartMode: GLTFLoaderAnimationStartMode.NONE, skipMaterials: true };
  // The null engine draws nothing. Matrices are of f64; else their rounding is larger than that of the vertices.
  const engine = new babylon.NullEngine({ useHighPrecisionMatrix: true });
  babylon.PerformanceConfigurator.SetMatrixPrecision(true);
  const open = async (file) => {
    const scene = new babylon.Scene(engine);
    scene.useRightHandedSystem = true;
    await babylon.AppendSceneAsync(new Uint8Array(fs.readFileSync(file)), scene, { pluginExtension: ".glb", pluginOptions: { gltf } });
    const play = (seconds, clip) => {
      for (const group of scene.animationGroups) group.stop();
      const group = scene.animationGroups[clip];
      group.start(false).pause();
      group.goToFrame(seconds * group.targetedAnimations[0].animation.framePerSecond);
    };
    return {
      animations: scene.animationGroups.length,
      play,
      visible: () => visibleInBabylon(babylon, scene),
      close: () => scene.dispose(),
    };
  };
  return { name: `Babylon.js ${babylon.Engine.Version}`, open };
}

function visibleInBabylon(babylon, scene) {
  const found = [];
  const positions = (mesh, world) => {
    mesh.skeleton?.prepare(true);
    const values = mesh.getPositionData(true, true);
    const at = (_, vertex) => babylon.Vector3.TransformCoordinatesFromFloatsToRef(...values.slice(3 * vertex, 3 * vertex + 3), world, new babylon.Vector3()).asArray();
    return Array.from({ length: values.length / 3 }, at);
  };
  const visit = (node) => {
    const world = node.computeWorldMatrix(true);
    if (node.getTotalVertices?.() > 0 && node.isEnabled() && world.determinant() !== 0) found.push(positions(node, world));
    node.getChildren().forEach(visit);
  };
  scene.rootNodes.forEach(visit);
  return found;
}
