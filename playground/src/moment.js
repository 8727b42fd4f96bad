// The moment that the viewer shows: as the arguments of the engine, in words, and in names of files.
import { printable } from "../../viewer/src/printable.js";

/** Returns the pose that is shown of a document; null at rest, or without a picture. */
export function poseOf(opened) {
  if (!opened) return null;
  const { data, controls: { state } } = opened;
  return state.pose ? data.poses[state.pose - 1].name : null;
}

/** Returns the options of `bake` for the moment that is shown of a glTF file. */
export function momentOf(opened) {
  const state = opened?.controls.state;
  return state?.clip ? { animation: state.clip - 1, time: state.t } : {};
}

/** Says the moment of a glTF file. */
export function momentInWords(opened) {
  const state = opened?.controls.state;
  const clip = opened?.data.clips[state.clip - 1];
  return clip ? `${printable(clip.name)} at ${state.t.toFixed(3)} s` : "as its nodes are stored";
}

/** Returns the name of the GLB of a document, as the program writes it; `pose` is null at rest. */
export function glbNameOf(document, pose) {
  const stem = document.replace(/(\.rigy|\.rigs)?\.ya?ml$/i, "");
  if (pose === null) return `${stem}.glb`;
  const escape = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return `${stem}.${encodeURIComponent(pose).replace(/[!~*'()]/g, escape) || "%"}.glb`;
}
