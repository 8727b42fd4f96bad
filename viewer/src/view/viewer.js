// The picture: camera, surfaces, joints, bounds and the ground. The controls beside it are in controls.js.
import { Box3, Box3Helper, Color, Group, PerspectiveCamera, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import light from "../../../crates/view/src/light.json";
import { boxOf, boxOfMoments, middleOf, orUnit } from "./blending.js";
import { firstDirection, frameBox, lookAt, panesOf, setLens, turn } from "./camera.js";
import { REST } from "./data.js";
import { Ground } from "./ground.js";
import { decodeTextures } from "./materials.js";
import { SurfaceMesh, paletteTexture, sharedUniforms } from "./meshes.js";
import { Joints, pointUnder } from "./picking.js";
import { Readback, boundsOf } from "./readback.js";
import { HEAT, SHOWN } from "./shaders.js";

/** Limits of the search for the height of the ground: frames of an animation, vertices of each, and vertices of the present moment. */
const [FRAMES, OF_FRAME, OF_MOMENT] = [16, 32768, 4096];

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
    this.retired = [];
    this.show(data);
    this.frameCamera();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas.parentElement);
  }

  /** Shows another scene, at rest and from the same side. */
  show(data) {
    // Their shaders are freed after the next picture, which uses the same ones.
    if (this.content) this.retired.push(this.content.removeFromParent());
    this.scene.add((this.content = new Group()));
    this.textures?.made.forEach((texture) => texture.dispose());
    this.joints = this.box = this.textures = this.whole = null;
    this.data = data;
    this.uniforms.palette.value?.dispose();
    this.uniforms.palette.value = this.texture = paletteTexture(data);
    this.palette = this.texture.image.data;
    this.meshes = data.surfaces.map((_, number) => new SurfaceMesh(data, number, this.uniforms));
    this.meshes.forEach((mesh) => this.add(mesh.group));
    Object.assign(this.view, { left: data.comparison ? "a" : "lbs", right: data.comparison ? "b" : null });
    this.setMoment(data.at(REST));
    const box = this.#bounds(null);
    this.size = (!box.isEmpty() && box.getSize(new Vector3()).length()) || 1;
    this.uniforms.normalLength.value = this.size / 60;
  }

  /** Adds an object that is there as long as the present scene. */
  add(part) {
    this.content.add(part);
    return part;
  }

  /** Frees the memory of the scenes before the present one. */
  #freeRetired() {
    const free = ({ geometry, material }) => [geometry, material].forEach((held) => held?.dispose());
    this.retired.forEach((content) => content.traverse(free));
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

  /** Shows a moment of the scene, which is a result of `data.at`. */
  setMoment(moment) {
    this.moment = moment;
    this.palette.set(this.moment.palette);
    this.texture.needsUpdate = true;
    this.meshes.forEach((mesh) => mesh.setMoment(this.moment, this.view));
    this.#placeGround();
    this.#moveMarks();
    this.draw();
  }

  /** Returns the meshes of one model of a comparison, or with null those of all. */
  meshesOf(model) {
    return this.meshes.filter(({ surface }) => model === null || surface.model === Number(model === "b"));
  }

  /** Returns the bounds by linear blending of what is shown at the present moment, or of one model of a comparison, which are empty without vertices. */
  #bounds(model, limit) {
    return boxOf(this.data, this.palette, this.meshesOf(model).filter(({ visible }) => visible).map(({ surface, rest }) => [surface, rest.positions]), limit);
  }

  /** The model of a comparison that is shown alone, "a" or "b"; null if there is no such model. */
  get #alone() {
    const { left, right } = this.view;
    return this.data.comparison && right === null ? left : null;
  }

  /** Moves the camera so that all vertices that are shown are in the picture. */
  frameCamera(direction = null) {
    const box = orUnit(this.#bounds(this.#alone));
    setLens(this);
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
    const point = pointUnder(this, left, top);
    if (!point) return this.frameCamera();
    lookAt(this, point);
    this.draw();
  }

  /** Shows or hides joints, of which one may be picked, as indices of a skin and of its joint, and the bounds. */
  showMarks(joints, pick, bounds) {
    if (joints && !this.joints) this.add((this.joints = new Joints(this.data)).object);
    if (bounds && !this.box) this.box = this.add(new Box3Helper(new Box3(), new Color(0x2f9e6e)));
    this.pick = pick;
    if (this.joints) this.joints.object.visible = joints;
    if (this.box) this.box.visible = bounds;
    this.#moveMarks();
  }

  #moveMarks() {
    if (this.joints?.object.visible) this.joints.move(this.palette, this.pick);
    if (this.box?.visible) this.box.box.copy(boundsOf(this));
  }

  /** Shows or hides the shadow on the ground and the grid, from the next moment on. */
  showGround(shadow, grid) {
    this.hasGround = shadow || grid;
    this.ground.show(shadow, grid, this.#colors);
  }

  /** Lays the ground below what is shown: below the whole animation, or the way from rest to pose, so that it stays where it is. */
  #placeGround() {
    if (!this.hasGround) return;
    const { data } = this, alone = this.#alone;
    const moments = data.momentsWith(this.moment, FRAMES);
    const key = [alone, this.moment.clip].join();
    if (this.whole?.key !== key) this.whole = { key, box: orUnit(boxOfMoments(data, moments, this.meshesOf(alone).map(({ surface }) => surface), OF_FRAME)) };
    this.ground.place(this.whole.box, this.#bounds(alone, OF_MOMENT));
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
    this.draw();
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
    setLens(this);
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
    this.meshes.forEach(({ group, surface, visible }) => { group.visible = visible && (!data.comparison || surface.model === Number(shown === "b")); });
    this.ground.drawShadow(scene, side, shown);
    renderer.setViewport(whole.start, 0, whole.width, height);
    renderer.setScissorTest(true);
    renderer.setScissor(start, 0, width, height);
    renderer.render(scene, this.camera);
  }
}
