// The vertex shader of the page (GLSL ES 3.00). It does what crates/kernel does; materials.js has the colours.

/** Texels of a row of the palette texture. */
export const PALETTE_WIDTH = 1024;

/** Values of the uniform `shown`. */
export const SHOWN = { lbs: 0, dqs: 1, baked: 2, a: 0, b: 0 };
/** Values of the uniform `heat`. */
export const HEAT = { none: 0, solvers: 1, baked: 2, models: 3, joint: 4, count: 5 };

const skinning = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;

in vec3 position;
in vec3 normal;
in vec4 joints0;         // joint numbers of slots 0 to 3
in vec4 joints1;         // and 4 to 7
in vec4 weights0;
in vec4 weights1;
in float reference;      // the joint in whose hemisphere dual quaternions are blended
in vec3 bakedPosition;
in vec3 bakedNormal;

uniform sampler2D palette;
uniform int base;        // first texel of the skin
uniform int stride;      // texels of a joint: 3 matrix only, 8 with dual quaternion and first stage
uniform bool scaled;     // whether there is a first stage
uniform bool cofactors;  // normals by cofactors of the blended matrix, else by the matrix
uniform int shown;       // 0 linear blending, 1 dual quaternions, 2 baked

struct Vertex { vec3 position; vec3 normal; };

vec4 texel(int index) {
  return texelFetch(palette, ivec2(index & ${PALETTE_WIDTH - 1}, index / ${PALETTE_WIDTH}), 0);
}

float weightOf(int slot) { return slot < 4 ? weights0[slot] : weights1[slot - 4]; }
int jointOf(int slot) { return int(slot < 4 ? joints0[slot] : joints1[slot - 4]); }
int first(int slot) { return base + jointOf(slot) * stride; }

vec3 unitOr(vec3 direction, vec3 rest) {
  float size = length(direction);
  return size > 1e-12 ? direction / size : rest;
}

// Linear blending by the matrices whose rows begin at texel "row" of each joint.
Vertex blended(Vertex rest, int row, bool byCofactors) {
  vec3 moved = vec3(0.0), a = vec3(0.0), b = vec3(0.0), c = vec3(0.0);
  for (int slot = 0; slot < 8; slot++) {
    float weight = weightOf(slot);
    if (weight <= 0.0) continue;
    int at = first(slot) + row;
    vec4 x = texel(at), y = texel(at + 1), z = texel(at + 2);
    vec4 point = vec4(rest.position, 1.0);
    moved += weight * vec3(dot(x, point), dot(y, point), dot(z, point));
    a += weight * x.xyz;
    b += weight * y.xyz;
    c += weight * z.xyz;
  }
  vec3 turned = vec3(dot(a, rest.normal), dot(b, rest.normal), dot(c, rest.normal));
  if (byCofactors) {
    vec3 bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
    turned = vec3(dot(bc, rest.normal), dot(ca, rest.normal), dot(ab, rest.normal));
    if (dot(a, bc) < 0.0) turned = -turned;
  }
  return Vertex(moved, unitOr(turned, rest.normal));
}

vec3 rotated(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

// Returns the addition to the dual part of the joint at texel "at": q is its rotation, x y z w, and the blended dual quaternion is
// applied to "base".
vec4 carried(int at, vec4 q, vec3 base) {
  if (!scaled) return vec4(0.0);
  vec4 point = vec4(position, 1.0);
  vec3 image = vec3(dot(texel(at + 5), point), dot(texel(at + 6), point), dot(texel(at + 7), point));
  vec3 u = image - base;
  return 0.5 * vec4(q.w * u + cross(q.xyz, u), -dot(q.xyz, u));
}

Vertex byDualQuaternions(Vertex rest) {
  vec4 hemisphere = texel(base + int(reference) * stride + 3);
  vec4 real = vec4(0.0), dual = vec4(0.0);
  for (int slot = 0; slot < 8; slot++) {
    float weight = weightOf(slot);
    if (weight <= 0.0) continue;
    vec4 joint = texel(first(slot) + 3);
    if (dot(joint, hemisphere) < 0.0) weight = -weight;
    real += weight * joint;
    dual += weight * (texel(first(slot) + 4) + carried(first(slot), joint, rest.position));
  }
  float size = length(real);
  vec4 r = real / size, s = dual / size;
  vec4 d = s - dot(r, s) * r;
  vec3 offset = 2.0 * (r.w * d.xyz - d.w * r.xyz + cross(r.xyz, d.xyz));
  return Vertex(rotated(r, rest.position) + offset, unitOr(rotated(r, rest.normal), rest.normal));
}

Vertex skinned(int solver) {
  Vertex rest = Vertex(position, normal);
  if (solver == 2) return Vertex(bakedPosition, bakedNormal);
  if (solver == 0 || stride < 8) return blended(rest, 0, cofactors);
  if (scaled) rest = blended(rest, 5, true);
  return byDualQuaternions(rest);
}
`;

/** The vertex shader without its version line: for drawing, and for reading vertices back by transform feedback. */
export const vertexShader = /* glsl */ `${skinning}
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform int heat;        // 0 none, 1 between the solvers, 2 between the GPU and baked vertices, 3 between two models, 4 the weight of a
                         // joint, 5 the number of influences
uniform int picked;      // the joint whose weights are coloured; -1 if it is of another skin
uniform int compared;    // the solver of the baked vertices
uniform float pointSize;
in float apart;          // the distance to the other model of a comparison
in vec4 textureCoordinates; // two sets
in vec4 tint;            // the colour of the vertex
#ifdef NORMALS
in float tip;
uniform float normalLength;
#endif

out vec3 skinnedPosition;
out vec3 skinnedNormal;
out vec3 viewPosition;
out float gap;
out vec4 coordinates;
out vec4 colorOfVertex;

// The weight of the joint that is picked, or the number of influences.
float influence() {
  float sum = 0.0;
  for (int slot = 0; slot < 8; slot++) {
    float weight = weightOf(slot);
    if (heat == 5) sum += weight > 0.0 ? 1.0 : 0.0;
    else if (jointOf(slot) == picked) sum += weight;
  }
  return sum;
}

void main() {
  Vertex vertex = skinned(shown);
  gap = 0.0;
  if (heat == 1) gap = distance(skinned(0).position, skinned(1).position);
  if (heat == 2) gap = distance(skinned(compared).position, bakedPosition);
  if (heat == 3) gap = apart;
  if (heat >= 4) gap = influence();
  coordinates = textureCoordinates;
  colorOfVertex = tint;
  skinnedPosition = vertex.position;
  skinnedNormal = vertex.normal;
  vec3 place = vertex.position;
#ifdef NORMALS
  place += vertex.normal * tip * normalLength;
#endif
  vec4 view = modelViewMatrix * vec4(place, 1.0);
  viewPosition = view.xyz;
  gl_Position = projectionMatrix * view;
  gl_PointSize = pointSize;
}
`;
