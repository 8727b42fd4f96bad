// The package in node: the module lies beside this file.
import {readFileSync} from "node:fs";

import {start} from "./core.js";

start(new WebAssembly.Module(readFileSync(new URL("./rigy_batch.wasm", import.meta.url))));

export {Compiled, Mesh, RigyError, bake, compile, diff, inspect, verify} from "./core.js";
