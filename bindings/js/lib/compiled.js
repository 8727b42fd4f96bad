// Compiled documents and their meshes.

const freed = new FinalizationRegistry((hold) => hold.free());

/** A document in an instance of the module, until it is freed. */
class Hold {
    constructor(instance, document, name) {
        Object.assign(this, {instance, document, name});
        instance.documents += 1;
    }

    get(get, take) {
        if (!this.instance) throw new Error("the document has been freed");
        const {document, name} = this;
        return this.instance.call({ofDocument: {document, get}}, [], take, {name});
    }

    free() {
        const {instance} = this;
        if (!instance) return;
        if (!instance.isDead) this.get("free", () => {});
        instance.documents -= 1;
        this.instance = null;
    }
}

const bytes = (answer) => answer.part(0);

/** Refuses what cannot be the id of a pose. */
function idOf(id) {
    if (typeof id !== "string") throw new TypeError("the id of a pose must be a string");
    return id;
}

export class Mesh {
    #hold;
    #id;
    #made;

    constructor(hold, {id, ...facts}) {
        this.#hold = hold;
        this.#id = id;
        Object.assign(this, facts);
    }

    get #arrays() {
        this.#made ??= this.#hold.get({mesh: this.#id}, (answer) => ({
            positions: answer.part(0, Float32Array),
            normals: answer.part(1, Float32Array),
            indices: answer.part(2, Uint32Array),
            uvs: answer.parts.slice(3).map((_, set) => answer.part(3 + set, Float32Array)),
        }));
        return this.#made;
    }

    get positions() {
        return this.#arrays.positions;
    }

    get normals() {
        return this.#arrays.normals;
    }

    get indices() {
        return this.#arrays.indices;
    }

    get uvs() {
        return this.#arrays.uvs;
    }
}

export class Compiled {
    #hold;
    #meshes = new Map();
    #glb;
    #instances;
    /** The arrays of the pose that was asked for last. */
    #posed = {};

    constructor({instance, result}, name) {
        this.#hold = new Hold(instance, result.document, name);
        freed.register(this, this.#hold, this.#hold);
        this.name = name;
        this.poses = result.poses;
        this.warnings = result.warnings;
        this.meshes = result.meshes.map((facts) => this.#mesh(facts));
    }

    /** Returns the mesh with these facts: the same object each time. */
    #mesh(facts) {
        const key = `${facts.id.part}/${facts.id.index}`;
        if (!this.#meshes.has(key)) this.#meshes.set(key, new Mesh(this.#hold, facts));
        return this.#meshes.get(key);
    }

    get glb() {
        this.#glb ??= this.#hold.get("glb", bytes);
        return this.#glb;
    }

    pose(id) {
        return this.#hold.get({pose: idOf(id)}, bytes);
    }

    positionsFile(id) {
        return this.#hold.get({positionsFile: idOf(id)}, bytes);
    }

    positions(id) {
        return this.#vertices(id).positions;
    }

    normals(id) {
        return this.#vertices(id).normals;
    }

    #vertices(id) {
        if (this.#posed.id !== idOf(id)) {
            const every = (answer, first) => this.meshes.map((_, mesh) => answer.part(2 * mesh + first, Float32Array));
            const take = (answer) => ({id, positions: every(answer, 0), normals: every(answer, 1)});
            this.#posed = this.#hold.get({vertices: id}, take);
        }
        return this.#posed;
    }

    get instances() {
        this.#instances ??= this.#hold.get("instances", ({result}) =>
            result.map(({matrix, meshes, ...placed}) => ({
                ...placed,
                matrix: Float64Array.from(matrix),
                meshes: meshes.map((facts) => this.#mesh(facts)),
            })),
        );
        return this.#instances;
    }

    free() {
        freed.unregister(this.#hold);
        this.#hold.free();
    }
}

// `using` calls it where the language has that.
if (Symbol.dispose) Compiled.prototype[Symbol.dispose] = Compiled.prototype.free;
