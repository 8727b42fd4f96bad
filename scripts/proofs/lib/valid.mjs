// Validates files: node valid.mjs FILE... Exit status 1 after an error or a warning.
import path from "node:path";
import { validate } from "./clients.mjs";

for (const file of process.argv.slice(2)) {
  const { errors, warnings } = await validate(file);
  const codes = Object.keys({ ...errors, ...warnings });
  console.log(codes.length ? "FAIL" : "ok  ", path.basename(file), codes.join(", "));
  if (codes.length) process.exitCode = 1;
}
