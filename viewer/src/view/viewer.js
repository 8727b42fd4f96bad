// The picture: camera, surfaces, joints, bounds and the ground. The controls beside it are in controls.js.
import {
  Box3, Box3Helper, Color, DataTexture, FloatType, NearestFilter, PerspectiveCamera, RGBAFormat, Scene, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import light from "../../../crates/view/src/light.json";
import { boxOf, isMirrored, middleOf } from "./blending.js";
import { firstDirection, frameBox, lookAt, panesOf, setDepth, turn } from "./camera.js";
import { Ground, gridStep } from "./ground.js";
import { decodeTextures } from "./materials.js";
import { SurfaceMesh, sharedUniforms } from "./meshes.js";
import { Joints, pointNear, pointUnder } from "./picking.js";
import { Readback, distances } from "./readback.js";
import { HEAT, PALETTE_WIDTH, SHOWN } from "./shaders.js";

/** Vertices, and frames of an animation, that tell where the ground is. */
const [VERTICES, FRAMES] = [20000, 16];

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
    this.ground = new Ground(this.renderer);
    this.scene.add(this.ground.object);
    this.view = { split: 0.5, layout: "split", heat: "none", solver: "lbs" };
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
    this.joints = this.box = this.textures = this.whole = null;
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
    const box = this.#bounds(null);
    this.size = (!box.isEmpty() && box.getSize(new Vector3()).length()) || 1;
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
    this.placeGround();
    if (this.joints?.object.visible) this.moveJoints();
    if (this.box?.visible) this.box.box.copy(this.measureBounds());
    this.draw();
  }

  /** Sends rest vertices and baked vertices of the frame to the GPU, where they have changed. */
  setVertices() {
    const { frame, blend, part, solver } = this.view;
    this.meshes.forEach((mesh, number) => {
      mesh.solid.material.uniforms.mirrored.value = isMirrored(this.data, this.palette, mesh.surface);
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
    return orUnit(box);
  }

  /** Returns the surfaces of one model of a comparison, or with null those of all. */
  #meshesOf(model) {
    return this.meshes.filter(({ surface }) => model === null || surface.model === Number(model === "b"));
  }

  /** Returns the bounds by linear blending of what is shown at the present moment, or of one model of a comparison, which are empty without vertices. */
  #bounds(model, limit) {
    return boxOf(this.data, this.palette, this.#meshesOf(model).map(({ surface, rest }) => [surface, rest.positions]), limit);
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
    const box = orUnit(this.#bounds(this.alone));
    this.#setAspect();
    frameBox(this, box, direction ?? firstDirection(box));
    this.draw();
  }

  /** The direction from which the camera looks. */
  get direction() {
    return this.camera.position.clone().sub(this.orbit.target);
  }

  /** Turns the camera around its target by angles in radians and moves it closer by a factor. */
  turn(around, up, closer) {
    turn(this, around, up, closer);
    this.draw();
  }

  /** Brings what is at a place of the canvas, in pixels, to the middle of the picture; frames all if there is nothing. */
  frameAt(left, top) {
    const { shown, at: [x, y], size: [width, height] } = this.#paneAt(left, top);
    const point = pointUnder(this.camera, [(2 * x) / width - 1, 1 - (2 * y) / height], this.#shownVertices(shown));
    if (!point) return this.frameCamera();
    lookAt(this, point);
    this.draw();
  }

  /** Returns what is shown at a place of the canvas, and the place in its picture and the size of that, in pixels. */
  #paneAt(left, top) {
    const { clientWidth, clientHeight } = this.canvas;
    const panes = panesOf(this.view, clientWidth);
    const { shown, whole } = panes.find(({ start, width }) => left < start + width) ?? panes[0];
    return { shown, at: [left - whole.start, top], size: [whole.width, clientHeight] };
  }

  /** Returns the surfaces that are shown as one says, and where their vertices are. */
  #shownVertices(shown) {
    const { frame, blend, solver } = this.view;
    this.readback.setPalette(this.palette);
    return this.#meshesOf(this.data.comparison ? shown : null).map(({ surface }) => {
      const number = this.data.surfaces.indexOf(surface);
      const baked = shown === "baked" && this.data.baked(number, frame, blend, solver);
      const { positions } = baked || this.read(number, shown === "dqs" ? "dqs" : "lbs");
      return { surface, positions };
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
    const { at, size } = this.#paneAt(left, top);
    const pair = this.joints?.object.visible && this.joints.pairs[pointNear(this.camera, this.joints.places, at, size)];
    return pair ? { skin: this.data.skins.indexOf(pair.skin), joint: pair.index } : null;
  }

  showBounds(shown) {
    if (shown && !this.box) this.box = this.add(new Box3Helper(new Box3(), new Color(0x2f9e6e)));
    if (!this.box) return;
    this.box.visible = shown;
    if (shown) this.box.box.copy(this.measureBounds());
  }

  /** Shows or hides the shadow on the ground and the grid. */
  showGround(shadow, grid) {
    this.hasGround = shadow || grid;
    this.placeGround();
    this.ground.show(shadow, grid, this.#colors);
  }

  /** Lays the ground below what is shown: below the whole animation, or the way from rest to pose, so that it stays where it is. */
  placeGround() {
    if (!this.hasGround) return;
    const { data, alone } = this;
    const frames = data.framesWith(this.view.frame, FRAMES);
    const key = [alone, ...frames].join();
    if (this.whole?.key !== key) {
      const palette = new Float32Array(this.palette.length), box = new Box3();
      for (const frame of frames) {
        data.palette(frame, 1, palette);
        const shown = this.#meshesOf(alone).map(({ surface }) => [surface, data.morphed(surface, frame).positions]);
        box.union(boxOf(data, palette, shown, VERTICES));
      }
      this.whole = { key, box: orUnit(box) };
    }
    this.ground.place(this.whole.box, this.#bounds(alone, VERTICES), gridStep(this.size));
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
    this.#setAspect();
    this.draw();
  }

  #setAspect() {
    const { x, y } = this.renderer.getSize(new Vector2());
    this.camera.aspect = panesOf(this.view, x)[0].whole.width / y;
    this.camera.updateProjectionMatrix();
  }

  /** Draws before the next picture of the browser. */
  draw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => this.drawNow());
  }

  /** Draws at once, and not again before the next picture of the browser. */
  drawNow() {
    cancelAnimationFrame(this.waiting);
    this.waiting = 0;
    this.#setAspect();
    setDepth(this);
    const { heat, solver } = this.view;
    this.scene.background = this.#colors.ground;
    this.uniforms.heat.value = HEAT[heat];
    this.uniforms.compared.value = SHOWN[solver];
    this.uniforms.pointSize.value = 3 * this.renderer.getPixelRatio();
    for (const mesh of this.meshes) {
      const distance = mesh.isBlended ? this.camera.position.distanceTo(middleOf(this.data, this.palette, mesh.surface)) : 0;
      mesh.blend(heat === "none", distance);
    }
    const { x: width, y: height } = this.renderer.getSize(new Vector2());
    panesOf(this.view, width).forEach((pane, side) => this.#drawPane(pane, side, height));
    this.#freeRetired();
    this.ondraw?.();
  }

  #drawPane({ shown, start, width, whole }, side, height) {
    const { renderer, data, scene } = this;
    this.uniforms.shown.value = SHOWN[shown];
    this.meshes.forEach(({ group, surface }) => { group.visible = !data.comparison || surface.model === Number(shown === "b"); });
    this.ground.drawShadow(scene, side, shown);
    renderer.setViewport(whole.start, 0, whole.width, height);
    renderer.setScissorTest(true);
    renderer.setScissor(start, 0, width, height);
    renderer.render(scene, this.camera);
  }
}

/** Returns a box, or one around the origin if it is empty. */
function orUnit(box) {
  return box.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : box;
}
