// The package in browsers: the module lies beside this file.
import {start} from "./core.js";

const response = await fetch(new URL("./rigy_batch.wasm", import.meta.url));
if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
start(await WebAssembly.compile(await response.arrayBuffer()));

export {Compiled, Mesh, RigyError, bake, compile, diff, inspect, verify} from "./core.js";
