// Base colour textures: the browser decodes the images that the page holds.
import {
  ClampToEdgeWrapping, LinearFilter, LinearMipmapLinearFilter, MirroredRepeatWrapping, NearestFilter, RepeatWrapping, Texture,
} from "three";

const WRAPS = { clamp: ClampToEdgeWrapping, mirror: MirroredRepeatWrapping, repeat: RepeatWrapping };

/**
 * Decodes the images of a scene. Returns the texture of each surface, null where there is none, and how many images the browser
 * cannot decode.
 */
export async function decodeTextures(data) {
  const options = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
  const decode = (image) => createImageBitmap(data.imageFile(image), options).catch(() => null);
  const bitmaps = await Promise.all(data.images.map(decode));
  const made = new Map();
  const textures = data.surfaces.map(({ texture }) => {
    const bitmap = texture && bitmaps[texture.image];
    if (!bitmap) return null;
    const key = [texture.image, texture.wrapS, texture.wrapT, texture.nearest].join();
    if (!made.has(key)) made.set(key, textureOf(bitmap, texture));
    return made.get(key);
  });
  return { textures, failed: bitmaps.filter((bitmap) => bitmap === null).length };
}

function textureOf(bitmap, { wrapS, wrapT, nearest }) {
  const texture = new Texture(bitmap);
  texture.flipY = false;
  texture.wrapS = WRAPS[wrapS];
  texture.wrapT = WRAPS[wrapT];
  texture.magFilter = nearest ? NearestFilter : LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.needsUpdate = true;
  return texture;
}
