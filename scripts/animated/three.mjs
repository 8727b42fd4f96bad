// three.js as a client of baked files: loads one, plays its animation to a time, and gives the positions that it shows.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

export async function client(folder) {
  const load = (file) => import(pathToFileURL(path.join(folder, "node_modules/three", file)));
  const three = await load("build/three.module.js");
  const { GLTFLoader } = await load("examples/jsm/loaders/GLTFLoader.js");
  return { name: "three.js", version: `r${three.REVISION}`, open: (file) => open(three, GLTFLoader, file) };
}

async function open(three, GLTFLoader, file) {
  const loader = new GLTFLoader();
  loader.register((parser) => {
    parser.loadTexture = async () => new three.Texture(); // there is nothing to decode images with
    return { name: "no images" };
  });
  const bytes = fs.readFileSync(file);
  const { scene, animations } = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), "");
  const mixer = new three.AnimationMixer(scene);
  for (const clip of animations) {
    const action = mixer.clipAction(clip);
    action.setLoop(three.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
  }
  return {
    animations: animations.length,
    play: (seconds) => mixer.setTime(seconds),
    visible: () => visible(three, scene),
    close() {},
  };
}

// World positions of all meshes that are not scaled to nothing, in the order of the scene; morph targets are applied by three.js.
function visible(three, scene) {
  scene.updateMatrixWorld(true);
  const found = [];
  scene.traverse((object) => {
    if (!object.geometry || object.matrixWorld.determinant() === 0) return;
    const place = three.Mesh.prototype.getVertexPosition; // which points and lines lack
    const at = (vertex) => place.call(object, vertex, new three.Vector3()).applyMatrix4(object.matrixWorld).toArray();
    found.push(Array.from({ length: object.geometry.attributes.position.count }, (_, vertex) => at(vertex)));
  });
  return found;
}
