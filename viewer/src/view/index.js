// The page of `rigy-batch view`: the scene lies in two script elements of the page.
import { SceneData } from "./data.js";
import { openViewer } from "./open.js";
import { Readback, distances } from "./readback.js";
import { vertexShader } from "./shaders.js";

const description = JSON.parse(document.getElementById("scene").textContent);
const block = document.getElementById("block");
const opened = openViewer(document.getElementById("viewer"), description, block.textContent);
block.remove();

// For scripts/viewer.sh, which reads vertices back from this very shader.
window.rigyViewer = { ...opened, Readback, SceneData, distances, vertexShader };
