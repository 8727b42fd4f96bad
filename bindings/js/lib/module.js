// The WebAssembly module: its instances, requests to them and their answers. `src/abi.rs` describes the exchange.
import {RigyError, stopped} from "./error.js";

/** An instance whose memory has grown beyond this is not used again if no document is in it, since memory never shrinks. */
const LARGE = 256 << 20;
/** The results of `find` if there is no such file, and if looking for it has failed. */
const [ABSENT, FAILED] = [-1, -2];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns the bytes of a value that stands for a file: a string is UTF-8. `what` names the value in messages. */
export function bytesOf(value, what) {
    if (typeof value === "string") return encoder.encode(value);
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    throw new TypeError(`${what} must be a string, an ArrayBuffer or a view of one`);
}

/** Returns the content of the file `name` among `files`, a function, a Map or an object; undefined or null if there is none. */
function lookUp(files, name) {
    if (typeof files === "function") return files(name);
    if (files instanceof Map) return files.get(name);
    return files && Object.hasOwn(files, name) ? files[name] : undefined;
}

/** Refuses numbers that JSON does not have. */
function finite(key, value) {
    if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError(`${key} is not finite`);
    return value;
}

/** An answer: the result, and the addresses and lengths of the other parts. */
class Answer {
    constructor(instance, result, parts) {
        Object.assign(this, {instance, result, parts});
    }

    /** Returns a copy of a part as an array of this type. The first after the JSON has the index 0. */
    part(index, Type = Uint8Array) {
        const [address, len] = this.parts[index];
        return new Type(this.instance.memory, address, len / Type.BYTES_PER_ELEMENT).slice();
    }
}

/** An instance of the module, which works on one request at a time, or on one within another. */
class Instance {
    /** True after an exception in the module, which may have left anything undone. */
    isDead = false;
    /** The number of documents in it. */
    documents = 0;
    #files;
    #found;
    /** The exceptions of `files` during this request. */
    #raised = [];

    constructor(module) {
        const host = {find: (name, len) => this.#find(name, len), read: (to) => this.#read(to)};
        this.exports = new WebAssembly.Instance(module, {host}).exports;
    }

    get memory() {
        return this.exports.memory.buffer;
    }

    #view(address, len) {
        return new Uint8Array(this.memory, address >>> 0, len >>> 0);
    }

    // An exception must not pass through the module, which would leave it in the midst of its work.
    #find(address, len) {
        try {
            const name = decoder.decode(this.#view(address, len));
            const content = lookUp(this.#files, name) ?? null;
            this.#found = content === null ? null : bytesOf(content, `the file ${JSON.stringify(name)}`);
            return this.#found?.length ?? ABSENT;
        } catch (error) {
            this.#raised.push(error);
            return FAILED;
        }
    }

    #read(to) {
        this.#view(to, this.#found.length).set(this.#found);
        this.#found = null;
    }

    #write(bytes) {
        const address = this.exports.reserve(bytes.length);
        this.#view(address, bytes.length).set(bytes);
    }

    #answer(count, take) {
        const parts = Array.from({length: count}, (_, index) => [this.exports.part(index) >>> 0, this.exports.part_len(index) >>> 0]);
        const {result, errors, malformed, unknown} = JSON.parse(decoder.decode(this.#view(...parts.shift())));
        if (errors) throw new RigyError(errors);
        if (malformed) throw new TypeError(malformed);
        if (unknown) throw new RangeError(unknown);
        return take(new Answer(this, result, parts));
    }

    /**
     * Does a request: an object with one key, the function, and the bytes of its inputs. Returns what `take` makes of the answer,
     * which is freed then. `files` are the files that inputs may refer to, and `name` is the name of the input.
     */
    call(request, inputs, take, {files, name} = {}) {
        if (this.isDead) throw new Error("the module has stopped on another input; compile the document again");
        const json = encoder.encode(JSON.stringify(request, finite));
        const outer = [this.#files, this.#raised];
        [this.#files, this.#raised] = [files, []];
        try {
            const count = this.#guarded(name, () => {
                for (const bytes of [json, ...inputs]) this.#write(bytes);
                return this.exports.call();
            });
            if (this.#raised.length) throw this.#raised[0];
            return this.#answer(count, take);
        } finally {
            [this.#files, this.#raised] = outer;
            if (!this.isDead) this.exports.release();
        }
    }

    /** Does work in the module. An exception ends the instance and becomes a RigyError, unless `files` has thrown one before. */
    #guarded(name, work) {
        try {
            return work();
        } catch (error) {
            this.isDead = true;
            throw this.#raised[0] ?? stopped(name ?? null, error);
        }
    }
}

let module = null;
let current = null;

/** Sets the compiled module. */
export function start(compiled) {
    [module, current] = [compiled, null];
}

/** Does a request, as `Instance.call`, in an instance that works. */
export function call(request, inputs, take, context) {
    if (!module) throw new Error("call `start` with the compiled module first");
    if (!current || current.isDead || (current.memory.byteLength > LARGE && !current.documents)) current = new Instance(module);
    return current.call(request, inputs, take, context);
}
