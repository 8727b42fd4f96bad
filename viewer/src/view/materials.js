// Materials of surfaces as glTF describes them: textures, whose images the browser decodes, uniforms, and the fragment shader that reads them,
// in the light that light.json describes, or with colours of values.
import {
  ClampToEdgeWrapping, LinearFilter, LinearMipmapLinearFilter, Matrix3, MirroredRepeatWrapping, NearestFilter, NoColorSpace, RepeatWrapping,
  SRGBColorSpace, Texture, Vector3, Vector4,
} from "three";
import light from "../../../crates/view/src/light.json";

/** Values of the uniform `sides`. */
const SEEN = { front: 0, both: 1, towards: 2 };
/** Kinds of textures, in the order of the uniforms for them. */
const MAPS = ["base", "normal", "occlusion", "emissive", "metallic-roughness"];
/** Colours of values from least to greatest, red green blue from 0 to 255. */
export const heatStops = light.heat;
const WRAPS = { clamp: ClampToEdgeWrapping, mirror: MirroredRepeatWrapping, repeat: RepeatWrapping };
/** What surfaces without a material are made of. */
const CLAY = {
  color: [...light.clay.color, 1], metallic: 0, roughness: light.clay.roughness, emissive: [0, 0, 0], normalScale: 1, occlusionStrength: 1,
  blend: false, alphaCutoff: null, doubleSided: true, loose: true, unlit: false, textures: [],
};

/** Returns the material of a surface. */
export const materialOf = (data, { material, model }) => data.descriptions[model].materials[material] ?? CLAY;

/** Returns the uniforms of a surface's material, without textures. */
export function materialUniforms(data, surface) {
  const material = materialOf(data, surface);
  const values = {
    color: new Vector4(...material.color), metallic: material.metallic, roughness: material.roughness, emissive: new Vector3(...material.emissive),
    normalScale: material.normalScale, occlusionStrength: material.occlusionStrength, blended: material.blend, alphaCutoff: material.alphaCutoff ?? 0,
    sides: material.loose ? SEEN.towards : material.doubleSided ? SEEN.both : SEEN.front, unlit: material.unlit || !surface.triangles, mirrored: false,
    textured: 0, sets: 0, transforms: MAPS.map(() => new Matrix3()),
  };
  MAPS.forEach((_, map) => { values[`map${map}`] = null; });
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
}

/** Sets the textures of a surface's material; `textureOf` returns one, or null. */
export function setTextures(uniforms, data, surface, textureOf) {
  uniforms.textured.value = uniforms.sets.value = 0;
  for (const info of materialOf(data, surface).textures) {
    const map = MAPS.indexOf(info.kind);
    const set = surface.coordinates.indexOf(info.set);
    const texture = textureOf(info, surface.model);
    if (!texture || set < 0) continue;
    uniforms[`map${map}`].value = texture;
    uniforms.textured.value |= 1 << map;
    uniforms.sets.value |= set << map;
    uniforms.transforms.value[map].set(...info.transform.flat(), 0, 0, 1);
  }
}

/** Decodes the images of a scene. Returns a function from a texture of a material to one of three.js, all of these, and how many images the browser cannot decode. */
export async function decodeTextures(data) {
  const options = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
  const decode = ({ model, index }) => createImageBitmap(data.models[model].glb.image(index), options).catch(() => null);
  const bitmaps = await Promise.all(data.images.map(decode));
  const made = new Map();
  const of = (info, model) => {
    const bitmap = bitmaps[data.images.findIndex((image) => image.model === model && image.index === info.image)];
    if (!bitmap) return null;
    const isColor = info.kind === "base" || info.kind === "emissive";
    const key = [model, info.image, info.wrapS, info.wrapT, info.nearest, isColor].join();
    if (!made.has(key)) made.set(key, texture(bitmap, info, isColor));
    return made.get(key);
  };
  return { of, made, failed: bitmaps.filter((bitmap) => bitmap === null).length };
}

function texture(bitmap, { wrapS, wrapT, nearest }, isColor) {
  const texture = new Texture(bitmap);
  texture.colorSpace = isColor ? SRGBColorSpace : NoColorSpace;
  texture.flipY = false;
  texture.wrapS = WRAPS[wrapS];
  texture.wrapT = WRAPS[wrapT];
  texture.magFilter = nearest ? NearestFilter : LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.needsUpdate = true;
  return texture;
}

const number = (value) => (Number.isInteger(value) ? value.toFixed(1) : String(value));
const vector = (values) => `vec3(${values.map(number).join(", ")})`;

export const fragmentShader = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;

in vec3 skinnedNormal;
in vec3 viewPosition;
in float gap;
in vec4 coordinates;     // two sets of texture coordinates
in vec4 colorOfVertex;
uniform mat4 viewMatrix;
uniform int heat;
uniform float heatScale;
uniform bool hasNormals;
uniform bool backFaces;
uniform bool flatColor;
uniform bool unlit;
uniform int sides;       // 0 the front is seen, 1 both sides, 2 both sides with normals on the side that is seen
uniform bool mirrored;
uniform vec4 color;
uniform float metallic;
uniform float roughness;
uniform vec3 emissive;
uniform float normalScale;
uniform float occlusionStrength;
uniform bool blended;
uniform float alphaCutoff; // 0 if it is drawn everywhere
uniform int textured;      // a bit for each map
uniform int sets;          // a bit for each map: the second set of coordinates
uniform mat3 transforms[${MAPS.length}];
uniform sampler2D map0;    // base colour
uniform sampler2D map1;    // normals
uniform sampler2D map2;    // occlusion
uniform sampler2D map3;    // emissive
uniform sampler2D map4;    // metallic and roughness
out vec4 pixel;

const float pi = 3.141592653589793;
const vec3 stops[${heatStops.length}] = vec3[](${heatStops.map((stop) => vector(stop.map((part) => part / 255))).join(", ")});

vec3 heatColor(float value) {
  float at = clamp(value, 0.0, 1.0) * float(${heatStops.length - 1});
  int index = min(int(at), ${heatStops.length - 2});
  return mix(stops[index], stops[index + 1], at - float(index));
}

bool has(int map) { return (textured >> map & 1) == 1; }

vec2 place(int map) {
  vec2 given = (sets >> map & 1) == 1 ? coordinates.zw : coordinates.xy;
  return (transforms[map] * vec3(given, 1.0)).xy;
}

// The normal that a texture bends: x along the columns of the image and y against its rows, as they lie on the surface.
vec3 bent(vec3 n) {
  if (!has(1)) return n;
  vec3 stored = (2.0 * texture(map1, place(1)).xyz - 1.0) * vec3(normalScale, normalScale, 1.0);
  vec3 right = dFdx(viewPosition), up = dFdy(viewPosition);
  vec2 ofRight = dFdx(place(1)), ofUp = dFdy(place(1));
  float area = ofRight.x * ofUp.y - ofRight.y * ofUp.x;
  vec3 along = (ofUp.y * right - ofRight.y * up) * sign(area);
  vec3 down = (ofRight.x * up - ofUp.x * right) * sign(area);
  float most = max(dot(along, along), dot(down, down));
  if (area == 0.0 || most == 0.0) return n;
  return normalize(normalize(along) * stored.x - normalize(down) * stored.y + n * stored.z);
}

float ambient(float y) { return mix(${number(light.ground)}, ${number(light.sky)}, 0.5 + 0.5 * y); }

float environment(float y, float rough) {
  float width = mix(${number(light.horizon[0])}, ${number(light.horizon[1])}, rough);
  return mix(${number(light.ground)}, ${number(light.sky)}, smoothstep(0.0, 1.0, 0.5 + 0.5 * y / width)) * 1.25;
}

const vec3 key = ${vector(light.key.direction)};
const float strength = ${number(light.key.strength)};

vec3 shaded(vec3 base, float metal, float rough, vec3 n, vec3 v, float open) {
  float nv = max(dot(n, v), 1e-4), nl = max(dot(n, key), 0.0);
  vec3 f0 = mix(vec3(0.04), base, metal), diffuse = base * (1.0 - metal);
  vec3 most = max(vec3(1.0 - rough), f0);
  float grazing = pow(1.0 - nv, 5.0);
  vec3 mirror = (f0 + (most - f0) * grazing) * environment(reflect(-v, n).y, rough);
  // Light that the clear surface of a non-metal reflects is lost to its base colour.
  float rest = 1.0 - mix(0.04, max(1.0 - rough, 0.04), grazing);
  vec3 sum = (diffuse * rest * ambient(n.y) + mirror) * open;
  vec3 h = normalize(key + v);
  float nh = max(dot(n, h), 0.0), vh = max(dot(v, h), 0.0);
  float a2 = rough * rough * rough * rough;
  float spread = nh * nh * (a2 - 1.0) + 1.0;
  float visible = 0.5 / (nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2));
  float lampGrazing = pow(1.0 - vh, 5.0);
  vec3 fresnel = f0 + (1.0 - f0) * lampGrazing;
  return sum + (diffuse * (1.0 - mix(0.04, 1.0, lampGrazing)) + a2 / (spread * spread) * visible * fresnel) * nl * strength;
}

// The Khronos PBR Neutral tone mapper.
vec3 toned(vec3 light) {
  float least = min(light.r, min(light.g, light.b));
  light -= least < 0.08 ? least - 6.25 * least * least : 0.04;
  float peak = max(light.r, max(light.g, light.b));
  const float start = ${number(light.tone.start)}, rest = 1.0 - start;
  if (peak < start) return light;
  float lower = 1.0 - rest * rest / (peak + rest - start);
  float part = 1.0 / (${number(light.tone.desaturation)} * (peak - lower) + 1.0);
  return mix(vec3(lower), light * (lower / peak), part);
}

vec3 encoded(vec3 light) {
  light = clamp(light, 0.0, 1.0);
  return mix(1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, 12.92 * light, lessThanEqual(light, vec3(0.0031308)));
}

void main() {
  if (flatColor) { pixel = color; return; }
  bool isFront = gl_FrontFacing != mirrored;
  if (sides == 0 && !isFront && !backFaces) discard;
  vec4 base = color * colorOfVertex;
  if (has(0)) base *= texture(map0, place(0));
  if (base.a < alphaCutoff) discard;
  // The normal of the triangle on the side that is seen.
  vec3 face = normalize(cross(dFdx(viewPosition), dFdy(viewPosition)));
  vec3 n = hasNormals ? normalize(mat3(viewMatrix) * skinnedNormal) : face;
  if (sides == 2 ? dot(n, face) < 0.0 : hasNormals && !isFront) n = -n;
  float opacity = blended ? clamp(base.a, 0.0, 1.0) : 1.0;
  if (backFaces && !isFront) {
    pixel = vec4(vec3(0.85, 0.25, 0.75) * (0.7 + 0.3 * clamp(ambient(n.y) + max(dot(n, key), 0.0) * strength, 0.0, 1.0)), 1.0);
  } else if (heat != 0) {
    float light = clamp(ambient(n.y) + max(dot(n, key), 0.0) * strength, 0.0, 1.0);
    pixel = vec4(heatColor(gap / heatScale) * (0.7 + 0.3 * light), 1.0);
  } else if (unlit) {
    pixel = vec4(encoded(base.rgb), opacity);
  } else {
    vec3 stored = has(4) ? texture(map4, place(4)).rgb : vec3(1.0);
    vec3 glow = has(3) ? emissive * texture(map3, place(3)).rgb : emissive;
    float open = has(2) ? 1.0 + occlusionStrength * (texture(map2, place(2)).r - 1.0) : 1.0;
    float rough = clamp(roughness * stored.g, ${number(light.leastRoughness)}, 1.0);
    vec3 sum = shaded(base.rgb, clamp(metallic * stored.b, 0.0, 1.0), rough, bent(n), normalize(-viewPosition), open);
    pixel = vec4(encoded(toned(sum + glow)), opacity);
  }
}
`;
