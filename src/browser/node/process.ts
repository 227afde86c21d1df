/** What the verifier calls of Node's `process` where it reads the bytes of files, for browsers. */

/** The module `node:util`. */
const util = { types: { isUint8Array: (value: unknown): value is Uint8Array => value instanceof Uint8Array } }

export const process = { getBuiltinModule: (_name: "node:util") => util }
