// The picture: camera, surfaces, joints, bounds and the split line. The controls beside it are in controls.js.
import {
  Box3, Box3Helper, Color, DataTexture, FloatType, NearestFilter, PerspectiveCamera, RGBAFormat, Scene, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import light from "../../../crates/view/src/light.json";
import { firstDirection, frameBox, lookAt, turn } from "./camera.js";
import { Joints } from "./joints.js";
import { decodeTextures } from "./materials.js";
import { SurfaceMesh, sharedUniforms } from "./meshes.js";
import { pointNear, pointUnder } from "./picking.js";
import { Readback, distances } from "./readback.js";
import { HEAT, PALETTE_WIDTH, SHOWN } from "./shaders.js";

export class Viewer {
  /** `canvas` is drawn on; `data` is a SceneData. */
  constructor(canvas, data) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(light.camera.fov, 1, 0.01, 100);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.addEventListener("change", () => this.draw());
    this.uniforms = sharedUniforms();
    this.readback = new Readback();
    this.view = { split: 0.5, heat: "none", solver: "lbs" };
    this.parts = [];
    this.retired = [];
    this.show(data);
    this.frameCamera();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas.parentElement);
  }

  /** Shows another scene, at rest and from the same side. */
  show(data) {
    // Their shaders are freed after the next picture, which uses the same ones.
    this.retired.push(...this.parts);
    this.parts.forEach((part) => this.scene.remove(part));
    this.parts = [];
    this.textures?.made.forEach((texture) => texture.dispose());
    this.joints = this.box = this.textures = null;
    this.data = data;
    const rows = Math.max(1, Math.ceil(data.paletteTexels / PALETTE_WIDTH));
    this.palette = new Float32Array(4 * PALETTE_WIDTH * rows);
    this.uniforms.palette.value?.dispose();
    this.uniforms.palette.value = this.texture = new DataTexture(this.palette, PALETTE_WIDTH, rows, RGBAFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.meshes = data.surfaces.map((surface) => new SurfaceMesh(data, surface, this.uniforms));
    this.meshes.forEach((mesh) => this.add(mesh.group));
    Object.assign(this.view, { left: data.comparison ? "a" : "lbs", right: data.comparison ? "b" : null });
    this.setFrame(0, 1);
    this.size = data.sizeAtRest() || 1;
    this.uniforms.normalLength.value = this.size / 60;
  }

  /** Adds an object that is there as long as the present scene. */
  add(part) {
    this.parts.push(part);
    this.scene.add(part);
    return part;
  }

  /** Frees the memory of the scenes before the present one. */
  #freeRetired() {
    for (const part of this.retired) {
      part.traverse((object) => {
        object.geometry?.dispose();
        object.material?.dispose();
      });
    }
    this.retired = [];
  }

  /** Frees the memory of the GPU; the viewer cannot be used afterwards. */
  dispose() {
    cancelAnimationFrame(this.waiting);
    this.observer.disconnect();
    this.orbit.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.readback.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  /** Goes to a frame of the scene, or by `part` of the way to the next. */
  setFrame(frame, blend, part = 0) {
    Object.assign(this.view, { frame, blend, part });
    this.data.palette(frame, blend, this.palette, part);
    this.texture.needsUpdate = true;
    this.setVertices();
    if (this.joints?.object.visible) this.moveJoints();
    if (this.box?.visible) this.box.box.copy(this.measureBounds());
    this.draw();
  }

  /** Sends rest vertices and baked vertices of the frame to the GPU, where they have changed. */
  setVertices() {
    const { frame, blend, part, solver } = this.view;
    this.meshes.forEach((mesh, number) => {
      mesh.solid.material.uniforms.mirrored.value = this.data.isMirrored(this.palette, mesh.surface);
      const rest = this.data.morphed(mesh.surface, frame, part);
      const baked = this.data.baked(number, frame, blend, solver);
      if (mesh.rest?.positions === rest.positions && mesh.bakedKey === baked?.positions.byteOffset) return;
      mesh.bakedKey = baked?.positions.byteOffset;
      mesh.setVertices(rest, baked);
    });
  }

  /** Returns the vertices of a surface as the GPU skins them ("lbs" or "dqs") in the present frame. */
  read(number, solver) {
    const surface = this.data.surfaces[number];
    return this.readback.skinned(this.data, surface, this.data.morphed(surface, this.view.frame, this.view.part), solver);
  }

  /** Returns the bounds of what the GPU shows at the present moment. */
  measureBounds() {
    const box = new Box3();
    this.readback.setPalette(this.palette);
    this.data.surfaces.forEach((surface, number) => {
      const { positions } = this.read(number, this.view.solver);
      for (let i = 0; i < positions.length; i += 3) box.expandByPoint(new Vector3(positions[i], positions[i + 1], positions[i + 2]));
    });
    return box.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : box;
  }

  /** Returns the bounds by linear blending of what is shown at the present moment, or of one model of a comparison. */
  #bounds(model) {
    const { frame, part } = this.view;
    const shown = this.data.surfaces.filter((surface) => model === null || surface.model === Number(model === "b"));
    const { least, most } = this.data.bounds(this.palette, (surface) => this.data.morphed(surface, frame, part).positions, shown);
    const box = new Box3(new Vector3(...least), new Vector3(...most));
    return box.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : box;
  }

  /** Returns the greatest and the mean distance of the heat map's pair; null where there is nothing to compare. */
  measureGap() {
    const { heat, frame, blend, solver } = this.view;
    if (heat === "models") return { most: this.data.comparison.greatest, mean: this.data.comparison.mean };
    this.readback.setPalette(this.palette);
    let most = 0, sum = 0, count = 0;
    for (const [number, surface] of this.data.surfaces.entries()) {
      const other = heat === "solvers" ? this.read(number, "dqs") : this.data.baked(number, frame, blend, solver);
      if (!other) continue;
      const found = distances(this.read(number, heat === "solvers" ? "lbs" : solver).positions, other.positions);
      most = Math.max(most, found.most);
      sum += found.mean * surface.vertices;
      count += surface.vertices;
    }
    return count ? { most, mean: sum / count } : null;
  }

  /** Returns the model of a comparison that is shown alone, "a" or "b"; null if there is no such model. */
  get alone() {
    const { left, right } = this.view;
    return this.data.comparison && right === null ? left : null;
  }

  /** Moves the camera so that all vertices that are shown are in the picture. */
  frameCamera(direction = null) {
    const box = this.#bounds(this.alone);
    frameBox(this, box, direction ?? firstDirection(box));
    this.draw();
  }

  /** Turns the camera around its target by angles in radians and moves it closer by a factor. */
  turn(around, up, closer) {
    turn(this, around, up, closer);
    this.draw();
  }

  /** Brings what is at a place of the canvas, in pixels, to the middle of the picture; frames all if there is nothing. */
  frameAt(left, top) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const point = pointUnder(this, (2 * left) / width - 1, 1 - (2 * top) / height);
    if (!point) return this.frameCamera();
    lookAt(this, point);
    this.draw();
  }

  /** Returns the surfaces that are shown at a place from -1 to 1, and where their vertices are. */
  shownVertices(x) {
    const { left, right, split, frame, blend, solver } = this.view;
    const shown = right !== null && x > 2 * split - 1 ? right : left;
    this.readback.setPalette(this.palette);
    const numbers = [...this.data.surfaces.keys()].filter((number) => !this.data.comparison || this.data.surfaces[number].model === Number(shown === "b"));
    return numbers.map((number) => {
      const baked = shown === "baked" && this.data.baked(number, frame, blend, solver);
      const { positions } = baked || this.read(number, shown === "dqs" ? "dqs" : "lbs");
      return { surface: this.data.surfaces[number], positions };
    });
  }

  /** Shows or hides joints; `pick` is the one that is picked, as indices of a skin and of its joint. */
  showJoints(shown, pick) {
    if (shown && !this.joints) {
      this.joints = new Joints(this.data.skins.filter((_, index) => index !== this.data.nodesSkin));
      this.add(this.joints.object);
    }
    this.pick = pick;
    if (!this.joints) return;
    this.joints.object.visible = shown;
    if (shown) this.moveJoints();
  }

  moveJoints() {
    this.joints.move(this.palette, this.pick && { skin: this.data.skins[this.pick.skin], index: this.pick.joint });
  }

  /** Returns the joint that is seen nearest to a place of the canvas, in pixels, as indices of its skin and in it; null if none is near. */
  jointNear(left, top) {
    const pair = this.joints?.object.visible && this.joints.pairs[pointNear(this, this.joints.places, left, top)];
    return pair ? { skin: this.data.skins.indexOf(pair.skin), joint: pair.index } : null;
  }

  showBounds(shown) {
    if (shown && !this.box) this.box = this.add(new Box3Helper(new Box3(), new Color(0x2f9e6e)));
    if (!this.box) return;
    this.box.visible = shown;
    if (shown) this.box.box.copy(this.measureBounds());
  }

  /** Decodes the textures and shows them. Returns how many images the browser cannot decode. */
  async loadTextures() {
    const { data } = this;
    const textures = await decodeTextures(data);
    if (data !== this.data) return 0; // another scene is shown by now
    this.textures = textures;
    this.showTextures(this.textured ?? true);
    return textures.failed;
  }

  /** Shows or hides the textures that are there. */
  showTextures(shown) {
    this.textured = shown;
    const of = (shown && this.textures?.of) || (() => null);
    this.meshes.forEach((mesh) => mesh.setTextures(of));
    this.draw();
  }

  /** The colours of the page. Asking for them makes the browser lay out the page, so they are kept until they change. */
  get #colors() {
    if (!this.kept) {
      const { color, backgroundColor } = getComputedStyle(this.canvas);
      this.kept = { ink: new Color(color).convertLinearToSRGB(), ground: new Color(backgroundColor) };
    }
    return this.kept;
  }

  /** Takes the colours of the page anew. */
  recolor() {
    this.kept = null;
  }

  /** Shows or hides edges and normals in the text colour of the page. */
  showLines(edges, normals) {
    const { ink } = this.#colors;
    this.meshes.forEach((mesh) => {
      mesh.showEdges(edges, [ink.r, ink.g, ink.b, 1]);
      mesh.showNormals(normals, [0.2, 0.5, 0.95, 1]);
    });
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setPixelRatio(window.devicePixelRatio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  /** Draws before the next picture of the browser. */
  draw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => this.drawNow());
  }

  /** Sets how near and how far the camera sees, by its distance from what it turns around: models may differ much in size. */
  setDepth() {
    const distance = this.camera.position.distanceTo(this.orbit.target);
    this.camera.near = distance / 600;
    this.camera.far = 100 * Math.max(this.size, distance);
    this.camera.updateProjectionMatrix();
  }

  /** Draws at once, and not again before the next picture of the browser. */
  drawNow() {
    cancelAnimationFrame(this.waiting);
    this.waiting = 0;
    this.setDepth();
    const { left, right, split, heat, solver } = this.view;
    this.scene.background = this.#colors.ground;
    this.uniforms.heat.value = HEAT[heat];
    this.uniforms.compared.value = SHOWN[solver];
    this.uniforms.pointSize.value = 3 * this.renderer.getPixelRatio();
    const size = this.renderer.getSize(this.extent ??= new Vector2());
    this.renderer.setScissorTest(right !== null);
    const pane = (shown, x, width) => {
      this.uniforms.shown.value = SHOWN[shown];
      this.meshes.forEach(({ group, surface }) => { group.visible = !this.data.comparison || surface.model === Number(shown === "b"); });
      this.renderer.setScissor(x, 0, width, size.y);
      this.renderer.render(this.scene, this.camera);
    };
    for (const mesh of this.meshes) {
      const distance = mesh.isBlended ? this.camera.position.distanceTo(new Vector3(...this.data.centre(this.palette, mesh.surface))) : 0;
      mesh.blend(heat === "none", distance);
    }
    const line = right === null ? size.x : Math.round(split * size.x);
    pane(left, 0, line);
    if (right !== null) pane(right, line, size.x - line);
    this.#freeRetired();
    this.ondraw?.();
  }
}
