/** The content of a file: a string is UTF-8 text. */
export type Content = string | ArrayBuffer | ArrayBufferView;

/**
 * The files to which an input may refer, by their paths relative to the root that the name of the input is relative to, with `/`
 * between names. A function returns undefined or null if there is no such file; what it throws is thrown by the call.
 */
export type Files = Readonly<Record<string, Content>> | ReadonlyMap<string, Content> | ((path: string) => Content | null | undefined);

/** Errors in a file. `message` has a line for each finding; the other fields are those of the first. */
export class RigyError extends Error {
    private constructor();
    readonly name: "RigyError";
    /** All errors of the earliest stage that found any, in order; there is at least one. */
    readonly findings: readonly Finding[];
    readonly code: Finding["code"];
    readonly category: Finding["category"];
    readonly help: Finding["help"];
    readonly file: Finding["file"];
    readonly line: Finding["line"];
    readonly column: Finding["column"];
    readonly path: Finding["path"];
}

/** The options of `compile`. */
export interface CompileOptions {
    files?: Files | undefined;
    /** The name of the document in findings, by default `document.rigy.yaml`; one that ends in `.rigs.yaml` makes it a scene. */
    name?: string | undefined;
    /** Adds meshes that are placed to baked GLBs. */
    withInstances?: boolean | undefined;
    /** Gives materials two sides. */
    doubleSided?: boolean | undefined;
    /** Turns triangles outward. */
    outward?: boolean | undefined;
    /** Limits on documents, in the words of `--limit` of the program, as `bytes=4M,vertices=1M`. */
    limit?: string | undefined;
}

/**
 * A mesh of a compiled document at rest, in model space. All primitives of the mesh are merged, in document order. The arrays are
 * made when the first is asked for, and all who ask share them.
 */
export class Mesh {
    private constructor();
    /** The name of the mesh and of its node in GLBs. */
    readonly name: string;
    /** True if poses move the mesh: it is bound to an armature. */
    readonly isSkinned: boolean;
    readonly vertexCount: number;
    readonly triangleCount: number;
    /** The primitives in document order: of each, its vertices and its triangles, from the first to one past the last. */
    readonly primitives: readonly {readonly vertices: readonly [number, number]; readonly triangles: readonly [number, number]}[];
    /** The positions at rest, in metres: three numbers for each vertex, with the bits of the GLB. */
    readonly positions: Float32Array;
    /** The unit normals at rest: three numbers for each vertex, with the bits of the GLB. */
    readonly normals: Float32Array;
    /** The vertices of the triangles, three for each. */
    readonly indices: Uint32Array;
    /** The UV sets in order: two numbers for each vertex. */
    readonly uvs: readonly Float32Array[];
}

/** A part or mesh that is placed in a document, or a part that stands on another in a scene. */
export interface Instance {
    /** The id of the instance or child. */
    readonly id: string;
    /** The namespace of the import, the id of the mesh, or the alias of the part that is placed. */
    readonly base: string;
    /** The transform to the space of the document or the scene: 16 numbers, columns first, as glTF and WebGL have them. */
    readonly matrix: Float64Array;
    /** The meshes that are placed, at rest in their own space. */
    readonly meshes: readonly Mesh[];
}

/**
 * A document that has been compiled. It does not depend on its files any more. It takes memory of the module until it is freed, by
 * `free`, by `using`, or when it is garbage-collected.
 */
export class Compiled {
    private constructor();
    /** The name of the document in findings. */
    readonly name: string;
    /** The warnings of the compilation. */
    readonly warnings: readonly Finding[];
    /** The ids of the poses, in document order. */
    readonly poses: readonly string[];
    /** The meshes of the document itself that have vertices, in the order of GLBs; of a scene those of the part that the others stand on. */
    readonly meshes: readonly Mesh[];
    /** The instances of the document in its order, or the parts of a scene, depth first. */
    readonly instances: readonly Instance[];
    /**
     * The GLB at rest, with skins and instances: the bytes that the program writes. It is made once.
     * Throws a RigyError if a number does not fit single precision, or the file would exceed 2 GiB.
     */
    readonly glb: Uint8Array;
    /**
     * Returns the GLB of a pose: plain meshes of posed vertices, the bytes that the program writes.
     * Throws a RangeError if the document has no such pose, and a RigyError as `glb`.
     */
    pose(id: string): Uint8Array;
    /** Returns the file of the positions of a pose, the bytes that the program writes with `--positions`. Throws as `pose`. */
    positionsFile(id: string): Uint8Array;
    /**
     * Returns the posed positions, in metres, one array for each of `meshes`: three numbers for each vertex, with the bits of the baked
     * GLB. A mesh that is not skinned is at rest. The arrays of the pose that was asked for last are kept, and all who ask share them.
     * Throws as `pose`.
     */
    positions(id: string): readonly Float32Array[];
    /** Returns the posed unit normals, in the form of `positions`. Throws as `pose`. */
    normals(id: string): readonly Float32Array[];
    /** Frees the memory of the document. What has been made of it stays; after that, nothing more can be. */
    free(): void;
}

/**
 * Compiles a document or a scene. Throws a RigyError with all findings if it has errors, and a TypeError or RangeError if an
 * argument is malformed.
 */
export function compile(text: Content, options?: CompileOptions): Compiled;

/** A format of another tool. */
export type ExportFormat = Exclude<NonNullable<BakeOptions["to"]>, "glb">;

/** The options of `bake`, beside those that are listed last. */
export interface BakeOptions {
    files?: Files | undefined;
    /** The name of the file in findings, by default `file.glb`. Names of several files begin with it. */
    name?: string | undefined;
    /** Is called with each warning when the file has been baked. */
    onWarning?: ((warning: Finding) => void) | undefined;
}

/** The options by which `bake` makes one GLB. */
export type GlbOptions = BakeOptions & {to?: "glb" | undefined; textures?: "embed" | undefined} & ({frames?: undefined} | {as: "morph" | "step"});

/** The options by which `bake` makes several files. */
export type FilesOptions = BakeOptions & ({to: ExportFormat} | {textures: "beside"} | {frames: string; as?: "frames" | undefined});

/**
 * Bakes a glTF file and returns the bytes that the program writes: those of a GLB with plain meshes, or several files by their names,
 * the outputs first. Throws a RigyError with all findings if the file cannot be baked, and a TypeError or RangeError if an argument is
 * malformed or options cannot be combined.
 */
export function bake(source: Content, options?: GlbOptions): Uint8Array;
export function bake(source: Content, options: FilesOptions): Record<string, Uint8Array>;
export function bake(source: Content, options: BakeOptions): Uint8Array | Record<string, Uint8Array>;

/** The options of `inspect` for all files. */
export interface InspectOptions {
    files?: Files | undefined;
    /** The name of the file in findings, by default `document.rigy.yaml` or `file.glb`. */
    name?: string | undefined;
}

/** The options of `inspect` for documents. */
export interface InspectDocumentOptions extends InspectOptions {
    /** The ids of the only primitives to list. */
    primitives?: readonly string[] | undefined;
    /** Adds the gaps between the bounds of all pairs of primitives. */
    pairwiseGaps?: boolean | undefined;
    /** Adds the results of `geometry_checks`. */
    intentChecks?: boolean | undefined;
    /** Limits on documents, in the words of `--limit` of the program, as `bytes=4M,vertices=1M`. */
    limit?: string | undefined;
    /** Is called with each warning. */
    onWarning?: ((warning: Finding) => void) | undefined;
}

/**
 * Returns what a document or a scene has, which is a string, or what a glTF file has, which is bytes: the object that
 * `rigy-batch inspect --format json` prints for a single file. Throws a RigyError with all findings if the file has errors.
 */
export function inspect(source: string, options?: InspectDocumentOptions): DocumentDescription;
export function inspect(source: ArrayBuffer | ArrayBufferView, options?: InspectOptions): GltfDescription;

/**
 * Compares two glTF files: `a` has what is expected, and `b` what was found. The result passes if the files are equal, or if
 * `tolerance` is given and they are within it, in model units. Files that cannot be read as glTF are different unless they are equal.
 */
export function diff(a: Content, b: Content, options?: {files?: Files | undefined; tolerance?: number | undefined}): Difference;

/** Runs the tests of a conformance manifest, whose paths are those of `files`, and returns a verdict for each, in their order. */
export function verify(manifest: Content, options?: {files?: Files | undefined; limit?: string | undefined}): Verdict[];

// begin types: written by bindings/types.py
/** An error or a warning, with its place. */
export interface Finding {
    /** The stable code, such as `V11`; null for failures that have none. `rigy-batch explain` says what it means. */
    readonly code: string | null;
    /** The category, such as `ValidationError`. */
    readonly category: "ParseError" | "ValidationError" | "TessellationError" | "ExportError" | "ContractError" | "CompositionError" | "FileError";
    /** A sentence that names the offending value. */
    readonly message: string;
    /** What to do about it. */
    readonly help: string | null;
    /** The file that it is about. */
    readonly file: string | null;
    /** The line, from 1; null for a whole file and for glTF files. */
    readonly line: number | null;
    /** The column in characters, from 1. */
    readonly column: number | null;
    /** The path in the document or in the JSON of the glTF file; null for a whole file. */
    readonly path: string | null;
    /** Where the file was imported, as `file:line:column`, the nearest first. */
    readonly importers: readonly string[];
    /** True for a warning that does not count as an error. */
    readonly isWarning: boolean;
    /** True for an error that the machine has caused, such as a full disk, and that another try may not have. */
    readonly isTransient: boolean;
}

export interface BakeOptions {
    /** The name or the number of an animation; `run` of Python takes several, or `all`. Without it, times, a `motion` and what holds frames take animation 0; else nodes are as they are stored. */
    animation?: string | number | undefined;
    /** A file whose animations are played on the joints of this one, `FILE` or `FILE#CLIP`. */
    motion?: string | undefined;
    /** The moment in seconds. */
    time?: number | undefined;
    /** Frames as `0..47@24`, or `@24` for a whole animation: each an output of its own, unless `as` or `to` joins them. */
    frames?: string | undefined;
    /** Single files, a GLB that plays by morph targets or by a mesh for each frame, the file itself with helper joints (`skin`), or (`vat`, not in JavaScript) vertex animation textures; by default `frames`. */
    as?: "frames" | "morph" | "step" | "skin" | undefined;
    /** In units of the model: with `morph`, frames are left out that blending gives within this distance; with `skin`, the largest distance of a vertex from where dual quaternions put it. */
    tolerance?: number | undefined;
    /** With `skin`: most joints that a skin gets. */
    helpers?: number | undefined;
    /** The format; by default `glb`. */
    to?: "glb" | "obj" | "stl" | "3mf" | "ply" | "usda" | "npz" | "pc2" | "mdd" | undefined;
    /** With another format: one object for all meshes, or one for each node, by default `node` for `3mf`. */
    join?: "all" | "node" | undefined;
    /** With another format: the axis that points up, by default `z` for `stl` and `3mf`, else `y`. */
    up?: "y" | "z" | undefined;
    /** With another format or `vat`: the factor of positions, by default 1000 (millimetres) for `stl` and `3mf`, else 1. */
    scale?: number | undefined;
    /** Images in each output, or as files beside them; by default beside several frames. */
    textures?: "embed" | "beside" | undefined;
    /** Linear blending or dual quaternions; without it `lbs`, and `dqs` with `skin`. */
    solver?: "lbs" | "dqs" | undefined;
    /** The treatment of joint scale under dual quaternions, by default `global`. */
    jointScale?: "global" | "local" | "reject" | undefined;
    /** Joints whose scale alone is local, and that of all others global. */
    localScaleJoints?: readonly string[] | undefined;
    /** Blends joint scale before the dual quaternions move a vertex. */
    twoStage?: boolean | undefined;
    /** The origin of baked meshes; by default `origin`. */
    pivot?: "origin" | "node" | "bounds" | undefined;
    /** Keeps the nodes of skeletons that nothing needs any more. */
    keepSkeleton?: boolean | undefined;
    /** Leaves extensions as they are where the bake makes them untrue. */
    keepExtensions?: boolean | undefined;
    /** Required extensions that are taken to leave geometry alone. */
    allowExtensions?: readonly string[] | undefined;
}

/** The least and greatest coordinates, in model units. */
export interface Extremes {
    min: [number, number, number];
    max: [number, number, number];
}

/** A document or a scene: the object that `rigy-batch inspect --format json` prints. */
export interface DocumentDescription {
    inspect_schema_version: number;
    /** Figures of a whole document. */
    summary: {rigy_version: string; mesh_count: number; primitive_count: number; bounds: Extremes; scene_bounds?: Extremes};
    primitives: {id: string; type: string; material: string; aabb: Extremes | null; center: number[] | null; extents: number[] | null}[];
    faces: {primitive_id: string; surface_key: string; normal: number[]; plane: {n: number[]; d: number}}[];
    pairs?: {a: string; b: string; gap: Record<string, number>}[];
    checks?: {check: string | null; label: string; pass: boolean | null; cross_magnitude?: number; distance?: number; error?: string}[];
    instances?: {id: string; base: string; matrix: number[]; bounds: Extremes | null}[];
}

/** A glTF file: the object that `rigy-batch inspect --format json` prints. */
export interface GltfDescription {
    file: string;
    format: "glb" | "gltf";
    generator: string | null;
    bytes: number;
    vertex_bytes: number;
    texture_bytes: number;
    nodes: {index: number; name: string | null; depth: number; mesh: number | null; joint: boolean}[];
    clips: {index: number; name: string | null; start: number | null; end: number | null; channels: number; keys: number}[];
    skins: {index: number; name: string | null; joints: number; influences: number}[];
    meshes: {index: number; name: string | null; primitives: number; vertices: number; triangles: number; morph_targets: number; skinned: boolean; attributes: string[]; seams: {open_edges: number; crowded_edges: number; turned_edges: number; parts: number} | null}[];
    materials: {index: number; name: string | null; base_color: number[]; alpha_mode: string; double_sided: boolean}[];
    textures: {index: number; name: string | null; media_type: string | null; width: number | null; height: number | null; bytes: number | null}[];
    extensions_used: string[];
    bounds: Extremes | null;
    warnings: {category: "ParseError" | "ValidationError" | "TessellationError" | "ExportError" | "ContractError" | "CompositionError" | "FileError"; code: string | null; message: string; path: string | null; file: string | null; line: number | null; column: number | null; transient?: boolean}[];
}

/** How far the vertices of a primitive are from where they should be. */
export interface Deviation {
    /** The largest deviation. */
    max: number;
    /** The mean of all vertices. */
    mean: number;
    /** The first vertex with the largest. */
    vertex: number;
}

/** The result of comparing two glTF files. */
export interface Difference {
    /** True if both files, and the buffers that they refer to, have the same bytes. */
    equal: boolean;
    /** True if they are equal, or within the tolerance. */
    passes: boolean;
    /** The first byte that differs and the field that it belongs to, with both values; null for equal files. */
    firstDifference: string | null;
    /** Differences that are not distances of vertices, in words. */
    structure: string[];
    /** The primitives whose vertices could be compared, with distances in model units; empty for equal files. */
    meshes: {mesh: string; primitive: number; vertices: number; position: Deviation; normalDegrees: Deviation | null}[];
    /** The largest distance between two vertices in model units; null if none could be compared. */
    maxDistance: number | null;
}

/** The verdict on a test of a conformance manifest. */
export interface Verdict {
    /** The name of the test. */
    id: string;
    /** The letter of its category. */
    category: string;
    /** True if it has passed. */
    passed: boolean;
    /** What was compared, or why it has failed. */
    detail: string;
}
// end types
