/** Bundles the scripts of the pages: one file from each folder of src/browser/ that has a `main.ts`, for the service to serve. */
import * as path from "node:path"
import type { RolldownOptions } from "rolldown"

const source = (file: string): string => path.resolve(import.meta.dirname, "src/browser", file)

const scriptOf = (name: string) =>
  ({
    input: source(`${name}/main.ts`),
    platform: "browser",
    // What the verifier uses of Node; src/browser/node/ has nothing else.
    resolve: { alias: { "node:crypto": source("node/crypto.ts") } },
    moduleTypes: { ".css": "text" },
    transform: {
      target: "es2022",
      inject: { Buffer: [source("node/buffer.ts"), "Buffer"], process: [source("node/process.ts"), "process"] }
    },
    output: { file: path.resolve(import.meta.dirname, `dist/browser/${name}.js`), format: "esm", minify: true }
  }) satisfies RolldownOptions

export default [scriptOf("pages"), scriptOf("verifier"), scriptOf("reference")]
