// Shows frames of an OpenVAT texture by WebGL 2: the first shader all of them, and each other one the first.
const run = {
  glsl: async ({ shaders, width, height, vertices, least, most, frames }) => {
    const count = bytes(vertices).byteLength / 32;
    const texels = new Uint8Array(await (await fetch("/texels")).arrayBuffer());
    const load = (gl) => {
      attributes(gl, bytes(vertices), 0, 32, [3, 2]);
      const made = texture(gl, width, height, texels);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.REPEAT);
      return made;
    };
    const draw = (gl, program, shown, made) => {
      useTextures(gl, program, { vat: made });
      for (const [name, value] of Object.entries({ least, most })) gl.uniform3fv(gl.getUniformLocation(program, name), value);
      return shown.map((frame) => {
        gl.uniform1f(gl.getUniformLocation(program, "frame"), frame);
        return fed(gl, count, [3, 3]);
      });
    };
    const [right, ...faulty] = shaders;
    const { results: [[shown]] } = runWebGl([frames], [right], ["shown", "normal"], load, draw);
    const { results } = runWebGl([frames.slice(0, 1)], faulty, ["shown", "normal"], load, draw);
    return { results: [shown, ...results.map(([[one]]) => one)] };
  },
};
