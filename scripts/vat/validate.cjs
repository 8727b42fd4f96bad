// Validates meshes of vertex animation textures: usage validate.cjs FILE... Exit 1 after an error or a warning.
const fs = require("fs");
const validator = require("gltf-validator");

async function main() {
  for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
    const bad = report.issues.messages.filter((message) => message.severity < 2);
    console.log(bad.length ? "FAIL" : "ok  ", file.split("/").pop(), bad.slice(0, 3).map((message) => `${message.code} ${message.pointer}`).join(", "));
    if (bad.length) process.exitCode = 1;
  }
}
main();
