// Prints the sizes of the package that is installed in this directory: node sizes.mjs TARBALL. Exit 1 if the module is too large.
import {readFileSync, statSync} from "node:fs";
import {brotliCompressSync, gzipSync} from "node:zlib";

const LIMIT = 1.5e6; // bytes of the module by gzip

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
const module = readFileSync("node_modules/rigy-batch/rigy_batch.wasm");
const gzip = gzipSync(module, {level: 9}).length;
console.log(`the module: ${megabytes(module.length)}, gzip ${megabytes(gzip)}, brotli ${megabytes(brotliCompressSync(module).length)}`);
console.log(`the tarball: ${megabytes(statSync(process.argv[2]).size)}`);
process.exitCode = Number(gzip > LIMIT);
