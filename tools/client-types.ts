/**
 * Writes the types of the TypeScript client from the OpenAPI document of the agent API: `npm run client:types`. Its
 * generator is installed from the lock file of the client.
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { sha256Hex } from "../src/canonical/digest.ts"
import { documentFor } from "../src/documents/document.ts"

const clientFolder = path.resolve(import.meta.dirname, "../clients/typescript")

export const typesFile = path.join(clientFolder, "openapi.ts")

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** The document without the parts that make no type of the client: examples, and responses that refuse. */
const documentText = (): string =>
  JSON.stringify(withoutUnused(documentFor("/api/agents/v1/openapi.json", "https://countersign.example")))

const withoutUnused = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutUnused)
  if (typeof value !== "object" || value === null) return value
  const used = Object.entries(value).filter(([name]) => name !== "example" && !/^[45]\d\d$/.test(name))
  return Object.fromEntries(used.map(([name, member]) => [name, withoutUnused(member)]))
}

/** The first line of the types, which names the document by digest. */
export const currentHeading = (): string =>
  `// Made by \`npm run client:types\` from the OpenAPI document whose SHA-256 is ${sha256Hex(documentText())}.\n`

/** The types of the current document, as the generator writes them. */
export const generateTypes = (): string => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-types-"))
  try {
    const [document, types] = [path.join(folder, "document.json"), path.join(folder, "types.ts")]
    fs.writeFileSync(document, documentText())
    const generator = path.join(clientFolder, "node_modules/.bin/openapi-typescript")
    const { error, status, stderr } = spawnSync(generator, [document, "--output", types], { encoding: "utf8" })
    if (error !== undefined || status !== 0) throw new Error(error?.message ?? stderr)
    return currentHeading() + fs.readFileSync(types, "utf8")
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

if (import.meta.main) fs.writeFileSync(typesFile, generateTypes())
