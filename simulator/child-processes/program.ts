/** Programs of the simulator that run in child processes. */
import * as path from "node:path"

/** True in a built package. */
export const isBuilt = path.extname(import.meta.filename) === ".js"

/** The path of a program in a folder of the simulator: TypeScript in a checkout, JavaScript once built. */
export const ownProgram = (folder: string, name: string): string =>
  path.join(folder, `${name}${path.extname(import.meta.filename)}`)
