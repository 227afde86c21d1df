/** Reads the scripts of the pages from `dist/browser/`, where `npm run build:browser` writes them. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Layer } from "effect"
import { sha256Hex } from "../canonical/digest.ts"
import { ClientScripts, type ClientScript, type ScriptName } from "../ports/client-scripts.ts"
import { ok, warning, type Finding } from "./checks/finding.ts"

/** Beside the built program, or in the checkout whose sources run. */
const folder = path.resolve(
  import.meta.dirname,
  path.extname(import.meta.filename) === ".ts" ? "../../dist/browser" : "../../browser"
)

const readScript = (name: ScriptName): ClientScript | undefined => {
  const file = path.join(folder, `${name}.js`)
  if (!fs.existsSync(file)) return undefined
  const text = fs.readFileSync(file, "utf8")
  return { text, etag: `"${sha256Hex(text)}"` }
}

/** Read once: a process serves the scripts that it started with. */
export const readClientScripts = (): ClientScripts["Service"] => ({
  pages: readScript("pages"),
  verifier: readScript("verifier"),
  reference: readScript("reference")
})

export const layer = Layer.sync(ClientScripts, readClientScripts)

/** A start succeeds without them. */
export const clientScriptFinding = (): Finding => {
  return Object.values(readClientScripts()).includes(undefined)
    ? warning(`scripts of the pages: ${missingScriptsText}`)
    : ok("scripts of the pages: built")
}

export const missingScriptsText = `missing in ${folder} until \`npm run build:browser\` has made them`
