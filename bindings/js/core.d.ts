export * from "./index.js";

/**
 * Sets the compiled module, whose bytes are those of `rigy-batch/rigy_batch.wasm`. Call it before any function of `rigy-batch/core`;
 * `rigy-batch` does it by itself.
 */
export function start(module: WebAssembly.Module): void;
