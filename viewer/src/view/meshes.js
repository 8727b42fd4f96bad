// The surfaces of a scene as three.js objects with the shaders of the page.
import {
  BufferAttribute, BufferGeometry, DataTexture, DoubleSide, FloatType, GLSL3, Group, LineSegments, Mesh, NearestFilter, Points, RawShaderMaterial, RGBAFormat,
  Vector4,
} from "three";
import { isMirrored } from "./blending.js";
import { CASTERS, castShader } from "./ground.js";
import { fragmentShader as shaderOfSurfaces, materialOf, materialUniforms, setTextures } from "./materials.js";
import { PALETTE_WIDTH, vertexShader } from "./shaders.js";

/** Returns the uniforms that all surfaces share. */
export function sharedUniforms() {
  return {
    palette: { value: null }, shown: { value: 0 }, heat: { value: 0 }, compared: { value: 0 },
    heatScale: { value: 1 }, backFaces: { value: false }, pointSize: { value: 3 }, normalLength: { value: 0.05 },
  };
}

/** Returns a texture with room for the palette of a scene. */
export function paletteTexture({ paletteTexels }) {
  const rows = Math.max(1, Math.ceil(paletteTexels / PALETTE_WIDTH));
  const texture = new DataTexture(new Float32Array(4 * PALETTE_WIDTH * rows), PALETTE_WIDTH, rows, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  return texture;
}

/** One surface: its geometry, and the objects that draw it. */
export class SurfaceMesh {
  /** `number` is that of the surface in the scene. */
  constructor(scene, number, shared) {
    const surface = scene.surfaces[number];
    Object.assign(this, { scene, number, surface });
    this.shared = shared;
    this.scaled = { value: false };
    this.geometry = new BufferGeometry();
    this.#setAttributes(this.geometry, (array) => array.slice());
    if (surface.triangles) this.geometry.setIndex(new BufferAttribute(surface.corners, 1));
    this.group = new Group();
    const material = this.#material(materialUniforms(scene, surface));
    this.visible = true;
    this.isBlended = materialOf(scene, surface).blend;
    const solid = surface.triangles ? new Mesh(this.geometry, material) : new Points(this.geometry, material);
    Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.solid = this.add(solid);
    if (surface.triangles) this.add(new Mesh(this.geometry, this.#material({}, castShader))).layers.set(CASTERS);
  }

  /** Shows textures; `textureOf` returns one, or null where there is none. */
  setTextures(textureOf) {
    setTextures(this.solid.material.uniforms, this.scene, this.surface, textureOf);
  }

  /** Picks the joint whose weights are coloured, as indices of a skin and of its joint; null picks none. */
  pick(joint) {
    this.solid.material.uniforms.picked.value = joint?.skin === this.surface.skin && this.surface.slots ? joint.joint : -1;
  }

  /** Draws it mixed with what is behind, if its material says so and colours of values do not hide it; greater `distance` is drawn first. */
  blend(isWanted, distance) {
    const { material } = this.solid;
    material.transparent = this.isBlended && isWanted;
    material.depthWrite = !material.transparent;
    this.solid.renderOrder = material.transparent ? -distance : 0;
  }

  add(object) {
    object.frustumCulled = false;
    this.group.add(object);
    return object;
  }

  /** Shows or hides edges; they are made when they are first shown. */
  showEdges(shown, color) {
    if (shown && !this.edges && this.surface.triangles) {
      const material = this.#flatMaterial(color);
      material.wireframe = true;
      this.edges = this.add(new Mesh(this.geometry, material));
    }
    if (this.edges) {
      this.edges.visible = shown;
      this.edges.material.uniforms.color.value.set(...color);
    }
  }

  /** Shows or hides a line along each normal. */
  showNormals(shown, color) {
    if (shown && !this.normals && this.surface.restNormals) {
      // Two vertices for each line, which differ in `tip`: many small instances would be slow.
      const geometry = new BufferGeometry();
      this.#setAttributes(geometry, doubled);
      geometry.setAttribute("tip", new BufferAttribute(Float32Array.from({ length: 2 * this.surface.vertices }, (_, i) => i % 2), 1));
      const material = this.#flatMaterial(color);
      material.defines = { NORMALS: "" };
      this.normals = this.add(new LineSegments(geometry, material));
      this.update();
    }
    if (this.normals) {
      this.normals.visible = shown;
      this.normals.material.uniforms.color.value.set(...color);
    }
  }

  /** Sends rest vertices and baked vertices of a moment to the GPU, where they have changed. Without baked ones, those of the rest take their place. */
  setMoment(moment, { solver }) {
    const { scene, surface, number } = this;
    this.visible = scene.isVisible(surface, moment);
    this.solid.material.uniforms.mirrored.value = isMirrored(scene, moment.palette, surface);
    this.scaled.value = moment.isScaled[surface.skin];
    const rest = scene.morphed(surface, moment);
    const baked = scene.bakedOf(number, moment, solver);
    if (this.rest?.positions === rest.positions && this.bakedVertices?.positions === baked?.positions) return;
    this.rest = rest;
    this.bakedVertices = baked;
    this.update();
  }

  update() {
    const { rest, bakedVertices: baked } = this;
    const replace = (name, array) => {
      replaceIn(this.geometry, name, array);
      if (this.normals) replaceIn(this.normals.geometry, name, doubled(array, 3));
    };
    replace("position", rest.positions);
    replace("bakedPosition", (baked ?? rest).positions);
    if (rest.normals) replace("normal", rest.normals);
    if (rest.normals) replace("bakedNormal", (baked ?? rest).normals);
  }

  /** Sets all attributes; `arrange` returns the array of the vertices of the geometry, given one of the surface and its components. */
  #setAttributes(geometry, arrange) {
    const { surface } = this;
    const set = (name, array, size, isPart = false) => geometry.setAttribute(name, new BufferAttribute(arrange(array, size), size, isPart));
    const normals = surface.restNormals ?? new Float32Array(3 * surface.vertices);
    for (const name of ["position", "bakedPosition"]) set(name, surface.restPositions, 3);
    for (const name of ["normal", "bakedNormal"]) set(name, normals, 3);
    if (surface.apart) set("apart", surface.apart, 1);
    if (surface.coordinates.length) set("textureCoordinates", surface.textureCoordinates, 4);
    if (surface.tints) set("tint", surface.tints, 4, true);
    surface.sets.forEach(({ joints, weights }, index) => {
      set(`joints${index}`, joints, 4);
      set(`weights${index}`, weights, 4);
    });
    set("reference", surface.referenceJoints, 1);
  }

  #flatMaterial(color) {
    return this.#material({ color: { value: new Vector4(...color) }, flatColor: { value: true } });
  }

  #material(uniforms, fragmentShader = shaderOfSurfaces) {
    const skin = this.scene.skins[this.surface.skin];
    const material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader,
      fragmentShader,
      side: DoubleSide,
      uniforms: {
        ...this.shared,
        base: { value: skin.base }, stride: { value: skin.stride }, scaled: this.scaled, cofactors: { value: this.surface.cofactors },
        picked: { value: -1 }, flatColor: { value: false }, hasNormals: { value: this.surface.restNormals !== null }, ...uniforms,
      },
    });
    material.defaultAttributeValues = { tint: [1, 1, 1, 1] };
    return material;
  }
}

/** Returns an array with each element of so many components twice. */
function doubled(array, size) {
  const made = new array.constructor(2 * array.length);
  for (let i = 0; i < array.length; i++) made[i + size * Math.floor(i / size)] = made[i + size * (Math.floor(i / size) + 1)] = array[i];
  return made;
}

function replaceIn(geometry, name, array) {
  const attribute = geometry.getAttribute(name);
  attribute.array.set(array);
  attribute.needsUpdate = true;
}
