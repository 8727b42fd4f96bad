// The page of the viewer. The scene lies in two script elements of the page of `rigy-batch view`; beside a report page, it
// lies in a data file that the address names.
import { printable } from "../printable.js";
import { element } from "./elements.js";
import { Glb } from "./glb.js";
import { openViewer } from "./open.js";
import { Readback, distances } from "./readback.js";
import { loadScene, readPlace, unpacked } from "./scenes.js";
import { vertexShader } from "./shaders.js";

const root = document.getElementById("viewer");

/** Shows a scene, given its description and the text of its block. */
async function show(description, block, options) {
  const opened = openViewer(root, description, await unpacked(block), options);
  // For `scripts/prove viewer`, which reads vertices back from this very shader.
  window.rigyViewer = Object.assign(Object.create(opened), { Glb, Readback, distances, vertexShader });
}

async function showInPage() {
  const block = document.getElementById("block");
  block.remove();
  try {
    await show(JSON.parse(document.getElementById("scene").textContent), block.textContent);
  } catch (error) {
    showMessage(root, null, error.message, "alert");
  }
}

async function showBeside() {
  const place = readPlace();
  const back = backLink(root.dataset.back, place.report);
  addEventListener("hashchange", () => readPlace().scene !== place.scene && location.reload());
  if (place.scene === null) {
    showMessage(root, back, "The address of this page names no model. The report has links to all models.", "alert");
    return;
  }
  showMessage(root, back, "Loading the model…", "status");
  try {
    const { description, block } = await loadScene(place.scene);
    document.title = `${printable(description.name)} – rigy-batch`;
    await show(description, block, { back, keep: place });
  } catch (error) {
    showMessage(root, back, error.message, "alert");
  }
}

/** Returns the link back to the report; `url` comes from the page, only what follows `#` from the address. */
function backLink(url, report) {
  return element("a", { className: "back", href: !report ? url : `${url}#${new URLSearchParams(report)}` }, "← Report");
}

/** Shows a sentence in place of the viewer. */
function showMessage(root, back, text, role) {
  const message = element("p", { className: "failure" }, text);
  message.setAttribute("role", role);
  root.replaceChildren(element("main", { className: "viewer message" }, element("header", {}, back, element("h1", {}, "Viewer")), message));
}

if (document.getElementById("scene")) showInPage();
else showBeside();
