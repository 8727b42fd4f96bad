// The surfaces of a scene as three.js objects with the shaders of the page.
import {
  BufferAttribute, BufferGeometry, DoubleSide, GLSL3, Group, InstancedBufferAttribute, InstancedBufferGeometry, LineSegments,
  Mesh, Points, RawShaderMaterial, Vector4,
} from "three";
import { fragmentShader, vertexShader } from "./shaders.js";

/** Returns the uniforms that all surfaces share. */
export function sharedUniforms() {
  return {
    palette: { value: null }, shown: { value: 0 }, heat: { value: 0 }, compared: { value: 0 },
    heatScale: { value: 1 }, backFaces: { value: false }, pointSize: { value: 3 }, normalLength: { value: 0.05 },
  };
}

/** One surface: its geometry, and the objects that draw it. */
export class SurfaceMesh {
  constructor(scene, surface, shared) {
    this.scene = scene;
    this.surface = surface;
    this.shared = shared;
    this.geometry = new BufferGeometry();
    this.#setAttributes(this.geometry, BufferAttribute);
    if (surface.triangles) this.geometry.setIndex(new BufferAttribute(surface.corners, 1));
    this.group = new Group();
    const material = this.#material({ color: surface.color });
    const solid = surface.triangles ? new Mesh(this.geometry, material) : new Points(this.geometry, material);
    material.polygonOffset = true;
    material.polygonOffsetFactor = 1;
    material.polygonOffsetUnits = 1;
    this.solid = this.add(solid);
  }

  /** Shows or hides the base colour texture; null hides it. */
  setTexture(texture) {
    const { uniforms } = this.solid.material;
    uniforms.baseTexture.value = texture;
    uniforms.textured.value = texture !== null;
  }

  add(object) {
    object.frustumCulled = false;
    this.group.add(object);
    return object;
  }

  /** Shows or hides edges; they are made when they are first shown. */
  showEdges(shown, color) {
    if (shown && !this.edges && this.surface.triangles) {
      const material = this.#material({ color, flat: true });
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
      const geometry = new InstancedBufferGeometry();
      this.#setAttributes(geometry, InstancedBufferAttribute);
      geometry.setAttribute("tip", new BufferAttribute(new Float32Array([0, 1]), 1));
      geometry.instanceCount = this.surface.vertices;
      const material = this.#material({ color, flat: true });
      material.defines = { NORMALS: "" };
      this.normals = this.add(new LineSegments(geometry, material));
      this.update();
    }
    if (this.normals) {
      this.normals.visible = shown;
      this.normals.material.uniforms.color.value.set(...color);
    }
  }

  /** Sets the rest vertices and the baked ones; null leaves those of the rest in their place. */
  setVertices(rest, baked) {
    this.rest = rest;
    this.bakedVertices = baked;
    this.update();
  }

  update() {
    if (!this.rest) return;
    const { rest, bakedVertices: baked } = this;
    for (const geometry of [this.geometry, this.normals?.geometry]) {
      if (!geometry) continue;
      replace(geometry, "position", rest.positions);
      replace(geometry, "bakedPosition", (baked ?? rest).positions);
      if (rest.normals) replace(geometry, "normal", rest.normals);
      if (rest.normals) replace(geometry, "bakedNormal", (baked ?? rest).normals);
    }
  }

  #setAttributes(geometry, Attribute) {
    const { surface } = this;
    const three = (array) => new Attribute(array.slice(), 3);
    geometry.setAttribute("position", three(surface.restPositions));
    geometry.setAttribute("bakedPosition", three(surface.restPositions));
    const normals = surface.restNormals ?? new Float32Array(3 * surface.vertices);
    geometry.setAttribute("normal", three(normals));
    geometry.setAttribute("bakedNormal", three(normals));
    if (surface.apart) geometry.setAttribute("apart", new Attribute(surface.apart, 1));
    if (surface.coordinates) geometry.setAttribute("textureCoordinates", new Attribute(surface.coordinates, 2));
    surface.sets.forEach(({ joints, weights }, set) => {
      geometry.setAttribute(`joints${set}`, new Attribute(joints, 4));
      geometry.setAttribute(`weights${set}`, new Attribute(weights, 4));
    });
    geometry.setAttribute("reference", new Attribute(surface.referenceJoints, 1));
  }

  #material({ color, flat = false }) {
    const skin = this.scene.skins[this.surface.skin];
    return new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader,
      fragmentShader,
      side: DoubleSide,
      uniforms: {
        ...this.shared,
        base: { value: skin.base }, stride: { value: skin.stride }, cofactors: { value: this.surface.cofactors },
        color: { value: new Vector4(...color) }, flatColor: { value: flat },
        baseTexture: { value: null }, textured: { value: false }, alphaCutoff: { value: this.surface.alphaCutoff ?? 0 },
        hasNormals: { value: this.surface.restNormals !== null },
      },
    });
  }
}

function replace(geometry, name, array) {
  const attribute = geometry.getAttribute(name);
  attribute.array.set(array);
  attribute.needsUpdate = true;
}
