// Materials of surfaces as uniforms of the fragment shader, and their textures, whose images the browser decodes.
import {
  ClampToEdgeWrapping, LinearFilter, LinearMipmapLinearFilter, Matrix3, MirroredRepeatWrapping, NearestFilter, NoColorSpace, RepeatWrapping,
  SRGBColorSpace, Texture, Vector3, Vector4,
} from "three";
import light from "../../../crates/view/src/light.json";
import { MAPS, SEEN } from "./fragment.js";

const WRAPS = { clamp: ClampToEdgeWrapping, mirror: MirroredRepeatWrapping, repeat: RepeatWrapping };
/** What surfaces without a material are made of. */
const CLAY = {
  color: [...light.clay.color, 1], metallic: 0, roughness: light.clay.roughness, emissive: [0, 0, 0], normalScale: 1, occlusionStrength: 1,
  blend: false, alphaCutoff: null, doubleSided: true, loose: true, unlit: false, textures: [],
};

/** Returns the material of a surface. */
export const materialOf = (data, { material }) => (material === null ? CLAY : data.materials[material]);

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
    const set = surface.coordinates.findIndex(([set]) => set === info.set);
    const texture = textureOf(info);
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
  const decode = (image) => createImageBitmap(data.imageFile(image), options).catch(() => null);
  const bitmaps = await Promise.all(data.images.map(decode));
  const made = new Map();
  const of = (info) => {
    if (!bitmaps[info.image]) return null;
    const isColor = info.kind === "base" || info.kind === "emissive";
    const key = [info.image, info.wrapS, info.wrapT, info.nearest, isColor].join();
    if (!made.has(key)) made.set(key, texture(bitmaps[info.image], info, isColor));
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
