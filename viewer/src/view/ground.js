// The ground below the model: a soft shadow where the model nearly touches it, as pictures of `preview` have it, and a grid with axes.
import {
  AxesHelper, BackSide, Camera, CustomBlending, GLSL3, GridHelper, Group, Mesh, OneFactor, PlaneGeometry, RawShaderMaterial, Vector2, Vector3, WebGLRenderTarget,
} from "three";
import { FullScreenQuad } from "three/examples/jsm/postprocessing/Pass.js";
import light from "../../../crates/view/src/light.json";

const { cells: CELLS, reach: REACH, height: HEIGHT, opacity: OPACITY } = light.shadow;
const COLOR = new Vector3(...light.shadow.color).divideScalar(255);
/** Weights of a cell and of its neighbours on one side: three means of five cells, one after the other, as pictures have it. */
const BLUR = [19, 18, 15, 10, 6, 3, 1].map((weight) => weight / 125);

/** Objects in this layer cast the shadow, and are not seen. */
export const CASTERS = 1;
/** The render order of the shadow and the grid, which are drawn before the model. */
const FIRST = -Number.MAX_VALUE;

const HEAD = "precision highp float;\nout vec4 pixel;\n";
/** The fragment shader of what casts: 1 on the ground, 0 where no shadow is left. */
export const castShader = `${HEAD}void main() {
  float low = clamp(2.0 - 2.0 * gl_FragCoord.z, 0.0, 1.0);
  pixel = vec4(low * low);
}
`;

export class Ground {
  /** The height of the ground and half the side of what has a shadow; 0 without one. */
  height = 0;
  half = 0;
  hasShadow = false;

  constructor(renderer) {
    this.renderer = renderer;
    this.object = new Group();
    this.camera = new Camera();
    this.camera.layers.set(CASTERS);
    this.cast = new WebGLRenderTarget(CELLS, CELLS, { samples: 4 });
    [this.across, ...this.shadows] = [0, 1, 2].map(() => new WebGLRenderTarget(CELLS, CELLS, { depthBuffer: false }));
    this.blur = new FullScreenQuad(blurMaterial());
    this.plane = new Mesh(new PlaneGeometry(2, 2), planeMaterial());
    Object.assign(this.plane, { frustumCulled: false, renderOrder: FIRST });
    this.grid = new GridHelper();
    this.grid.material.setValues({ transparent: true, opacity: 0.3, depthWrite: false });
    this.grid.renderOrder = FIRST;
    this.axes = new AxesHelper(1).setColors(0xd63a3a, 0x2f9e44, 0x2b6fd6);
    this.object.add(this.plane, this.grid, this.axes);
    /** For each side, the name of the model or solver whose shadow has been drawn. */
    this.shown = [];
  }

  /** Lies below `whole`, the box of all moments that are shown one after the other, with a shadow around `present`, that of the present one. */
  place(whole, present) {
    const middle = present.getCenter(new Vector3()), size = present.getSize(new Vector3());
    const half = (REACH * Math.max(size.x, size.z)) / 2;
    this.half = half > 0 && half < Infinity ? half : 0;
    this.height = whole.min.y;
    const reach = (HEIGHT * Math.max(...whole.getSize(size).toArray())) / 2 || 1;
    // From below: x to the right, z up, and what lies lower hides what lies higher.
    this.camera.projectionMatrix.set(1 / half, 0, 0, -middle.x / half, 0, 0, 1 / half, -middle.z / half, 0, 1 / reach, 0, -this.height / reach, 0, 0, 0, 1);
    this.plane.scale.set(half, half, 1);
    this.plane.position.set(middle.x, this.height, middle.z);
    this.plane.rotation.x = Math.PI / 2;
    this.shown = [];
    if (this.whole !== whole) this.#rule(whole);
    this.whole = whole;
  }

  /** Draws the shadow of what is shown on a side, 0 or 1, if it is another than before, and lays it on the ground. */
  drawShadow(scene, side, shown) {
    const { renderer, camera, cast, across, shadows, blur, plane } = this;
    plane.visible = this.hasShadow && this.half > 0;
    plane.material.uniforms.shadow.value = shadows[side].texture;
    if (this.shown[side] === shown || !plane.visible) return;
    this.shown[side] = shown;
    const background = scene.background;
    scene.background = null;
    renderer.setRenderTarget(cast);
    renderer.render(scene, camera);
    scene.background = background;
    const pass = (from, to, x, y) => {
      blur.material.uniforms.cells.value = from.texture;
      blur.material.uniforms.next.value.set(x, y);
      renderer.setRenderTarget(to);
      blur.render(renderer);
    };
    pass(cast, across, 1, 0);
    pass(across, shadows[side], 0, 1);
    renderer.setRenderTarget(null);
  }

  /** Shows or hides the shadow and the grid, on a page with these colours of text and background. */
  show(shadow, grid, { ink, ground }) {
    this.hasShadow = shadow;
    this.grid.visible = this.axes.visible = grid;
    // On a dark page the colour would be lighter than what is behind.
    this.plane.material.uniforms.color.value = ground.g < 0.05 ? new Vector3() : COLOR;
    this.grid.material.color.copy(ink).convertSRGBToLinear();
  }

  /** Draws the lines of the grid anew, around the middle of a box. */
  #rule(box) {
    const size = box.getSize(new Vector3());
    const step = (this.step = stepFor(size.length()));
    const middle = box.getCenter(new Vector3()).divideScalar(step).round().multiplyScalar(step);
    const count = Math.min(Math.ceil((0.75 * Math.max(size.x, size.z)) / step) + 1, 30);
    this.grid.geometry.dispose();
    this.grid.geometry = new GridHelper(2 * count * step, 2 * count, 0xffffff, 0xffffff).geometry;
    this.grid.position.set(middle.x, this.height, middle.z);
    this.axes.scale.setScalar(count * step);
  }
}

/** Returns the step of the grid for a model of some size: 1, 2 or 5 times a power of ten, at most a fifth of the size. */
function stepFor(size) {
  const most = (size || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([5, 2].find((times) => times * power <= most) ?? 1);
}

function blurMaterial() {
  return new RawShaderMaterial({
    glslVersion: GLSL3,
    depthTest: false,
    uniforms: { cells: { value: null }, next: { value: new Vector2() } },
    vertexShader: "in vec3 position;\nvoid main() { gl_Position = vec4(position.xy, 0.0, 1.0); }\n",
    fragmentShader: `${HEAD}uniform sampler2D cells;
uniform vec2 next;
const float weights[${BLUR.length}] = float[](${BLUR.join(", ")});
void main() {
  float sum = 0.0;
  for (int cell = ${1 - BLUR.length}; cell < ${BLUR.length}; cell++) {
    ivec2 at = ivec2(gl_FragCoord.xy) + cell * ivec2(next);
    if (min(at.x, at.y) >= 0 && max(at.x, at.y) < ${CELLS}) sum += weights[abs(cell)] * texelFetch(cells, at, 0).r;
  }
  pixel = vec4(sum);
}
`,
  });
}

function planeMaterial() {
  return new RawShaderMaterial({
    glslVersion: GLSL3,
    // It is seen from above, where nothing of the model lies behind it, so what is drawn later may hide it.
    side: BackSide,
    blending: CustomBlending,
    blendSrcAlpha: OneFactor,
    depthTest: false,
    depthWrite: false,
    uniforms: { shadow: { value: null }, color: { value: COLOR } },
    vertexShader: `in vec3 position;
in vec2 uv;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
out vec2 place;
void main() {
  place = uv;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}
`,
    fragmentShader: `${HEAD}in vec2 place;
uniform sampler2D shadow;
uniform vec3 color;
void main() { pixel = vec4(color, ${OPACITY} * texture(shadow, place).r); }
`,
  });
}
