// The viewer beside a report page: the address names a scene, whose data file lies in the directory of this page.
import { element } from "./elements.js";

/** The only form of a name, so that an address can lead to no other file. */
const NAME = /^[0-9a-f]{16}$/;

/** What the address says about the way here: the scene, and the address of the report without its file, to go back to. */
export function readPlace() {
  const given = new URLSearchParams(location.hash.slice(1));
  const scene = given.get("scene") ?? "";
  return { scene: NAME.test(scene) ? scene : null, report: given.get("report") };
}

/** Returns the link back to the report; `url` comes from the page, only what follows `#` from the address. */
export function backLink(url, report) {
  return element("a", { className: "back", href: !report ? url : `${url}#${new URLSearchParams(report)}` }, "← Report");
}

/** Loads a data file: a page that is opened as a file may load scripts and may not fetch. Resolves to description and block. */
export function loadScene(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    globalThis.rigyScene = (description, block) => resolve({ description, block });
    script.onerror = () => reject(new Error(`The data file scene-${name}.js cannot be loaded. It belongs beside this page; if the report has been written anew, go back to it and reload it.`));
    script.onload = () => script.remove();
    script.src = `scene-${name}.js`;
    document.head.append(script);
  });
}

/** Shows a sentence in place of the viewer. */
export function showMessage(root, back, text, role) {
  const message = element("p", { className: "failure" }, text);
  message.setAttribute("role", role);
  root.replaceChildren(element("main", { className: "viewer message" }, element("header", {}, back, element("h1", {}, "Viewer")), message));
}
