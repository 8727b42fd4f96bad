// Another page of the viewer, or a data file of a report page, that is dropped on the picture: its scene takes the place of the present one.
import { FORMAT, unpacked } from "./block.js";

/** The beginning of a page of the viewer. A comment of HTML cannot stand in the page's script, so its dashes are counted. */
const PAGE = /^<!doctype html>\n<!-{2} rigy-batch viewer -->/;

/** Returns description and text of the block in the text of a page; throws an error whose message is a sentence. */
function sceneIn(text) {
  const page = new DOMParser().parseFromString(text, "text/html"); // its scripts do not run
  const [scene, block] = ["scene", "block"].map((id) => page.querySelector(`script#${id}`)?.textContent);
  if (!PAGE.test(text) || !scene || !block) {
    throw new Error("This is no page of the viewer. `rigy-batch view FILE` writes one for a document or a glTF file.");
  }
  const description = JSON.parse(scene);
  if (description.format !== FORMAT) throw new Error("This page has been written by another version of rigy-batch.");
  return { description, block };
}

/** Listens to files that are dropped on an element. Returns a function that stops it. */
export function listenToFiles(node, opened) {
  const over = (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault();
  const drop = async (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    try {
      const { description, block } = sceneIn(await file.text());
      opened.replace(description, await unpacked(block));
    } catch (error) {
      opened.say(`${file.name} cannot be shown: ${error.message}`);
    }
  };
  node.addEventListener("dragover", over);
  node.addEventListener("drop", drop);
  return () => {
    node.removeEventListener("dragover", over);
    node.removeEventListener("drop", drop);
  };
}
