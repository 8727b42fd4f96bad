import "../../viewer/src/view/view.css";
import "./playground.css";
import { Engine } from "./engine.js";
import { Page } from "./page.js";

const part = (id) => document.getElementById(id);

try {
  const engine = await Engine.load("rigy_batch.wasm");
  const page = new Page(engine, { bar: part("bar"), left: part("left"), right: part("right") });
  window.rigyPlayground = page; // for scripts/prove playground
  await page.begin();
} catch (error) {
  const advice = location.protocol === "file:" ? " Browsers do not load it from the file system: serve the folder, for example with `python3 -m http.server`." : "";
  part("right").textContent = `The playground cannot start: ${error.message}.${advice}`;
}
