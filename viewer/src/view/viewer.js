// The picture: camera, surfaces, joints, bounds and the split line. The controls beside it are in controls.js.
import {
  Box3, Box3Helper, BufferAttribute, BufferGeometry, Color, DataTexture, FloatType, LineBasicMaterial, LineSegments, NearestFilter,
  PerspectiveCamera, Points, PointsMaterial, RGBAFormat, Scene, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import light from "../../../crates/view/src/light.json";
import { SurfaceMesh, sharedUniforms } from "./meshes.js";
import { Readback, distances } from "./readback.js";
import { HEAT, PALETTE_WIDTH, SHOWN } from "./shaders.js";
import { decodeTextures } from "./materials.js";

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
    if (this.joints?.visible) this.moveJoints();
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

  /** The direction from which a scene is first seen. */
  get #beginning() {
    const { azimuth, elevation } = light.camera;
    const isSkinned = this.data.surfaces.some(({ slots }) => slots > 0);
    return new Vector3().setFromSphericalCoords(1, radians(90 - (isSkinned ? elevation.skinned : elevation.other)), radians(azimuth));
  }

  /** Moves the camera so that all vertices that are shown are in the picture. */
  frameCamera(direction = this.#beginning) {
    const box = this.#bounds(this.alone);
    const centre = box.getCenter(new Vector3());
    const radius = box.getSize(new Vector3()).length() / 2 || 1;
    const tangent = Math.tan(radians(this.camera.fov / 2));
    const away = direction.clone().normalize();
    const right = new Vector3(0, 1, 0).cross(away).normalize();
    const up = away.clone().cross(right);
    // The distance from which each corner of the bounds is just in the picture.
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const point = new Vector3(...["x", "y", "z"].map((axis, bit) => box[corner & (1 << bit) ? "max" : "min"][axis])).sub(centre);
      const [x, y] = [Math.abs(point.dot(right)) / this.camera.aspect, Math.abs(point.dot(up))];
      distance = Math.max(distance, point.dot(away) + Math.max(x, y) / tangent);
    }
    this.orbit.target.copy(centre);
    this.camera.position.copy(away).multiplyScalar(1.08 * distance + 1e-6 * radius).add(centre);
    this.orbit.update();
    this.draw();
  }

  /** Turns the camera around its target by angles in radians and moves it closer by a factor. */
  turn(around, up, closer = 1) {
    const offset = this.camera.position.clone().sub(this.orbit.target);
    offset.applyAxisAngle(new Vector3(0, 1, 0), around);
    const side = new Vector3().crossVectors(new Vector3(0, 1, 0), offset).normalize();
    const angle = offset.angleTo(new Vector3(0, 1, 0));
    offset.applyAxisAngle(side, Math.min(Math.max(up, 0.05 - angle), Math.PI - 0.05 - angle));
    this.camera.position.copy(this.orbit.target).add(offset.multiplyScalar(closer));
    this.orbit.update();
    this.draw();
  }

  showJoints(shown) {
    if (shown && !this.joints) {
      this.pairs = this.data.skins.flatMap((skin, index) => (index === this.data.nodesSkin ? [] : skin.joints.map((joint) => [skin, joint])));
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(6 * this.pairs.length), 3));
      const material = { depthTest: false, transparent: true };
      this.joints = new LineSegments(geometry, new LineBasicMaterial({ color: 0xff8c1a, ...material }));
      this.joints.add(new Points(geometry, new PointsMaterial({ color: 0xff8c1a, size: 6, sizeAttenuation: false, ...material })));
      this.joints.renderOrder = 1;
      this.joints.traverse((part) => { part.frustumCulled = false; });
      this.add(this.joints);
    }
    if (!this.joints) return;
    this.joints.visible = shown;
    if (shown) this.moveJoints();
  }

  moveJoints() {
    const place = (skin, joint) => {
      const at = 4 * (skin.base + skin.joints.indexOf(joint) * skin.stride);
      const [x, y, z] = joint.origin;
      return [0, 4, 8].map((row) => {
        const [a, b, c, d] = this.palette.subarray(at + row, at + row + 4);
        return a * x + b * y + c * z + d;
      });
    };
    const positions = this.joints.geometry.getAttribute("position");
    this.pairs.forEach(([skin, joint], index) => {
      const here = place(skin, joint);
      const above = joint.parent === null ? here : place(skin, skin.joints[joint.parent]);
      positions.array.set([...here, ...above], 6 * index);
    });
    positions.needsUpdate = true;
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

const radians = (degrees) => (Math.PI * degrees) / 180;
