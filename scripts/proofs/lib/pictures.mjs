// Draws models with three.js beside the pictures of `preview`, and measures how far apart they are: node pictures.mjs DIRECTORY [--frames].
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { end, launch, serve } from "./browser.mjs";

const [out, frames] = process.argv.slice(2);
const { cases, camera, size } = JSON.parse(readFileSync(join(out, "cases.json"), "utf8"));
const light = JSON.parse(readFileSync(join(out, "light.json"), "utf8"));
/** Greatest part of the pixels that is covered in one picture only: edges differ by 0.1 %. */
const SILHOUETTE = 0.003;
/** Greatest mean difference of sRGB components. Rough metals differ by 8 %, because three.js adds light that is scattered several times. */
const COLOR = 0.1;
const ROWS = 5;

/** Runs in the page: defines `compare`, which draws a case and returns its differences and a strip of three pictures. */
async function prepare({ light, camera, size }) {
  const three = await import("three");
  const { GLTFLoader } = await import("three/addons/loaders/GLTFLoader.js");
  const renderer = new three.WebGLRenderer({ alpha: true, antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(size, size);
  renderer.setClearAlpha(0);
  renderer.toneMapping = three.NeutralToneMapping;

  const axesOf = ([azimuth, elevation]) => {
    const turn = new three.Euler(-three.MathUtils.degToRad(elevation), three.MathUtils.degToRad(azimuth), 0, "YXZ");
    return new three.Matrix4().makeRotationFromEuler(turn);
  };

  const along = (direction, axes) => new three.Vector3(...direction).transformDirection(axes);

  /** The surroundings of light.json; 1.25 times as bright, as reflections show them. */
  const environment = (up) => {
    const material = new three.ShaderMaterial({
      side: three.BackSide, depthWrite: false, uniforms: { up: { value: up } },
      vertexShader: "varying vec3 at; void main() { at = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
      fragmentShader: `varying vec3 at; uniform vec3 up; void main() {
        float part = smoothstep(-1.0, 1.0, dot(normalize(at), up) / ${light.horizon[0]});
        gl_FragColor = vec4(vec3(1.25 * mix(${light.ground}, ${light.sky}, part)), 1.0); }`,
    });
    const around = new three.Scene().add(new three.Mesh(new three.SphereGeometry(10, 64, 64), material));
    return new three.PMREMGenerator(renderer).fromScene(around).texture;
  };
  const surroundings = environment(along([0, 1, 0], axesOf(camera)));

  /** Adds the surroundings and the lamp, both of which move with the camera. */
  const addLight = (scene, axes) => {
    const [sky, ground] = [light.sky, light.ground].map((part) => new three.Color().setScalar(part));
    const key = new three.DirectionalLight(0xffffff, Math.PI * light.key.strength);
    key.position.copy(along(light.key.direction, axes));
    // Takes off what the brighter surroundings add to diffuse light.
    const less = new three.HemisphereLight(sky, ground, -0.25 * Math.PI);
    less.position.copy(along([0, 1, 0], axes));
    scene.add(key, less);
    scene.environment = surroundings;
  };

  /** Gives materials what pictures show otherwise than the file says, which their documentation states. */
  const asShown = ({ parser, scene }) => {
    const isDocument = parser.json.asset.generator?.startsWith("pygltflib@");
    scene.traverse((mesh) => {
      mesh.visible &&= !mesh.isPoints; // which three.js does not skin
      if (!mesh.isMesh) return;
      mesh.frustumCulled = false;
      const { meshes, primitives = 0 } = parser.associations.get(mesh);
      const index = parser.json.meshes[meshes].primitives[primitives].material;
      const { baseColorFactor: color = [1] } = parser.json.materials?.[index]?.pbrMetallicRoughness ?? {};
      const isClay = index === undefined || (isDocument && color.every((part) => part === 1));
      mesh.material = mesh.material.clone();
      if (mesh.material.isMeshBasicMaterial) mesh.material.toneMapped = false;
      if (isClay) Object.assign(mesh.material, { color: new three.Color(...light.clay.color), metalness: 0, roughness: light.clay.roughness });
      if (!isClay && !isDocument) return;
      mesh.material.side = three.DoubleSide;
      if (mesh.material.flatShading) return;
      const chunk = three.ShaderChunk.normal_fragment_begin;
      const seen = "dot(vNormal, cross(dFdx(vViewPosition), dFdy(vViewPosition))) < 0.0 ? -1.0 : 1.0";
      const turned = chunk.replace("gl_FrontFacing ? 1.0 : - 1.0", seen);
      if (turned === chunk) throw new Error("three.js turns normals in another way");
      mesh.material.onBeforeCompile = (shader) => { shader.fragmentShader = shader.fragmentShader.replace("#include <normal_fragment_begin>", turned); };
    });
  };

  /** The camera of crates/view/src/picture/frame.rs: all vertices at all moments just fit between the edges, less 5 % on each side. */
  const placed = (scene, axes, fov, moments) => {
    const tangent = Math.tan(three.MathUtils.degToRad(fov) / 2) * 0.9;
    const heights = [-Infinity, -Infinity, -Infinity, -Infinity];
    const [inverse, place] = [axes.clone().invert(), new three.Vector3()];
    let [near, far] = [-Infinity, Infinity];
    const include = (object) => {
      for (let vertex = 0; vertex < (object.geometry?.attributes.position.count ?? 0); vertex++) {
        object.getVertexPosition(vertex, place).applyMatrix4(object.matrixWorld).applyMatrix4(inverse);
        const { x, y, z } = place;
        [-x, x, -y, y].forEach((offset, edge) => { heights[edge] = Math.max(heights[edge], z + offset / tangent); });
        [near, far] = [Math.max(near, z), Math.min(far, z)];
      }
    };
    for (const go of moments) {
      go();
      scene.updateMatrixWorld(true);
      scene.traverseVisible(include);
    }
    const [left, right, low, high] = heights;
    const height = Math.max((left + right) / 2, (low + high) / 2);
    const camera = new three.PerspectiveCamera(fov, 1, (height - near) / 2, (height - far) * 1.1);
    camera.position.set(((right - left) / 2) * tangent, ((high - low) / 2) * tangent, height).applyMatrix4(axes);
    camera.quaternion.setFromRotationMatrix(axes);
    return camera;
  };

  const canvas = (width) => Object.assign(document.createElement("canvas"), { width, height: size }).getContext("2d", { willReadFrequently: true });

  /** The pixels of a picture, and those of it over grey. */
  const pixels = (source) => {
    const context = canvas(size);
    context.drawImage(source, 0, 0);
    const alone = context.getImageData(0, 0, size, size).data;
    context.globalCompositeOperation = "destination-over";
    context.fillStyle = "#888";
    context.fillRect(0, 0, size, size);
    return [alone, context.getImageData(0, 0, size, size)];
  };

  window.compare = async ({ name, path, moment: [animation, time] }, [azimuth, elevation, fov], later = 0) => {
    const loaded = await new GLTFLoader().loadAsync(path);
    const scene = new three.Scene().add(loaded.scene);
    let moments = [() => {}];
    if (animation !== undefined) {
      const mixer = new three.AnimationMixer(loaded.scene), clip = loaded.animations[animation];
      mixer.clipAction(clip).play();
      const start = Math.min(...clip.tracks.map(({ times }) => times[0]));
      let size = 0; // vertices and triangles, as src/cli/preview/pictures.rs counts them
      scene.traverse(({ geometry }) => { size += geometry ? geometry.attributes.position.count + (geometry.index ?? geometry.attributes.position).count / 3 : 0; });
      const count = Math.min(16, Math.max(4, Math.floor(2 ** 17 / size)));
      // At the last key the clip would begin again.
      const sample = (_, index) => start + (index / (count - 1)) * (clip.duration - 1e-6 - start);
      moments = [...Array.from({ length: count }, sample), time + later].map((at) => () => mixer.setTime(at));
    }
    asShown(loaded);
    const axes = axesOf([azimuth, elevation]);
    addLight(scene, axes);
    renderer.render(scene, placed(loaded.scene, axes, fov, moments));
    const image = Object.assign(new Image(), { src: `ours/${name}.png` });
    await image.decode();
    const [[ours, overGrey], [theirs, theirsOverGrey]] = [image, renderer.domElement].map(pixels);
    const difference = new ImageData(size, size);
    let [apart, both, sum] = [0, 0, 0];
    for (let at = 0; at < ours.length; at += 4) {
      const [a, b] = [ours[at + 3] >= 128, theirs[at + 3] >= 128];
      apart += a !== b;
      const gaps = [0, 1, 2].map((part) => Math.abs(overGrey.data[at + part] - theirsOverGrey.data[at + part]));
      if (a && b) { both++; sum += (gaps[0] + gaps[1] + gaps[2]) / 3 / 255; }
      difference.data.set(a === b ? [...gaps.map((gap) => Math.min(255, 4 * gap)), 255] : [255, 0, 255, 255], at);
    }
    const strip = canvas(3 * size);
    [overGrey, theirsOverGrey, difference].forEach((picture, column) => strip.putImageData(picture, column * size, 0));
    return { silhouette: apart / size ** 2, color: both ? sum / both : 1, strip: strip.canvas.toDataURL() };
  };
}

async function comparePictures(browser, failures) {
  const imports = { three: "./node_modules/three/build/three.module.js", "three/addons/": "./node_modules/three/examples/jsm/" };
  writeFileSync(join(out, "index.html"), `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports })}</script>`);
  const server = await serve(out);
  const page = await browser.newPage();
  page.on("pageerror", (error) => failures.push(error.message));
  await page.goto(server.address);
  await page.evaluate(prepare, { light, camera, size });
  const strips = [];
  for (const made of cases) {
    const { silhouette, color, strip } = await page.evaluate(([made, camera]) => compare(made, camera), [made, camera]);
    const percent = [silhouette, color].map((part) => (100 * part).toFixed(2).padStart(6));
    console.log(`${made.name.padEnd(44)} silhouette ${percent[0]} %  colour ${percent[1]} %`);
    if (!(silhouette <= SILHOUETTE)) failures.push(`${made.name}: ${percent[0]} % of the pixels are covered in one picture only`);
    if (!(color <= COLOR)) failures.push(`${made.name}: colours differ by ${percent[1]} %`);
    strips.push({ strip, label: `${made.name}  ${percent.join("  ")}` });
  }
  const walking = cases.find(({ name }) => name.includes("Fox-1"));
  const faults = { "another time": [camera, 0.1], "another camera": [[camera[0] + 1, ...camera.slice(1)], 0] };
  for (const [what, [camera, later]] of Object.entries(faults)) {
    const { silhouette } = await page.evaluate(([made, camera, later]) => compare(made, camera, later), [walking, camera, later]);
    console.log(`${what}: silhouette ${(100 * silhouette).toFixed(2)} %`);
    if (silhouette <= SILHOUETTE) failures.push(`${what} is not noticed`);
  }
  for (let first = 0; first < strips.length; first += 2 * ROWS) await writeSheet(page, strips.slice(first, first + 2 * ROWS), first / (2 * ROWS));
  server.close();
}

/** Writes a sheet of strips: ours, three.js, and the difference four times as bright, pink where one shows nothing. */
async function writeSheet(page, strips, number) {
  const cells = strips.map(({ strip, label }) => `<figure style="margin:2px"><img width="780" src="${strip}"><figcaption>${label}</figcaption></figure>`);
  await page.setViewportSize({ width: 1580, height: 800 });
  await page.setContent(`<body style="margin:0;display:grid;grid-template-columns:1fr 1fr;font:13px sans-serif">${cells.join("")}`);
  await page.screenshot({ path: join(out, `sheet-${number}.png`), fullPage: true });
}

/** Prints how long a page of the viewer draws, and how large it is. */
async function measureFrames(browser) {
  for (const { name, path } of cases) {
    const file = join(out, "pages", name, `${basename(path)}.html`);
    const page = await browser.newPage({ viewport: { width: 960, height: 640 } });
    await page.goto(`file://${file}`);
    await page.waitForFunction(() => window.rigyViewer);
    const times = await page.evaluate(() => {
      const { viewer } = window.rigyViewer, gl = viewer.renderer.getContext();
      const draw = () => {
        const begin = performance.now();
        viewer.drawNow();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // waits until all is drawn
        return performance.now() - begin;
      };
      return Array.from({ length: 13 }, draw).slice(2).sort((a, b) => a - b);
    });
    const [ofPage, ofFile] = [file, join(out, path)].map((path) => statSync(path).size / 1024);
    console.log(`${name.padEnd(44)} frame ${times[5].toFixed(1).padStart(6)} ms, page ${ofPage.toFixed(0).padStart(5)} KiB, file ${ofFile.toFixed(0).padStart(5)} KiB, ratio ${(ofPage / ofFile).toFixed(2)}`);
    await page.close();
  }
}

const failures = [];
const browser = await launch();
await (frames ? measureFrames(browser) : comparePictures(browser, failures));
await browser.close();
end(failures);
