/** The bytes of the one-file verifier by part, from the source map of the same build. */
import { SourceMap, type SourceMapPayload } from "node:module"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { readable, renderTable } from "./figure.ts"

const source = join(import.meta.dirname, "../../src/verifier/main.ts")

/** The first pattern that matches the path of a module gives its part. */
const parts: ReadonlyArray<readonly [part: string, modules: RegExp]> = [
  ["canonical JSON, digests, signatures", /canonical/],
  ["codes, reports, text", /\/(?:codes|escape|file-summary|printable|(?:\w+-)?text|(?:\w+-)?report)\.ts$/],
  [
    "closures, orders, lineage",
    /\/(?:assurance|bindings|closure[\w-]*|lineage[\w-]*|order|signed-document|transaction-status)\.ts$/
  ],
  [
    "Result Passport, Commerce Record",
    /\/(?:commerce[\w-]*|issued-objects|journal|labels|passport|portable-shapes|publication-status)\.ts$/
  ],
  [
    "packages, records, history",
    /\/(?:acceptance|history|manifest|moves|part|record|schemas|verify-package)[\w-]*\.ts$/
  ],
  ["authority", /authority/],
  ["files, trust, status, command", /^/]
]

export const renderVerifierBytes = async (): Promise<string> => {
  const bundle = await rolldown({ input: source, platform: "node" })
  const { output } = await bundle.generate({ format: "esm", minify: true, sourcemap: "hidden" })
  const [{ code, map }] = output
  const bytes = bytesByPart(code, map as unknown as SourceMapPayload)
  const rows = [...bytes, ["together", Buffer.byteLength(code)] as const]
  return renderTable(
    "The bytes of the one file by part",
    ["", "bytes"],
    rows.map(([part, count]) => [part, readable(count)])
  )
}

const bytesByPart = (code: string, payload: SourceMapPayload): ReadonlyMap<string, number> => {
  const map = new SourceMap(payload)
  const bytes = new Map(parts.map(([part]) => [part, 0]))
  for (const [line, text] of code.split("\n").entries()) {
    for (let column = 0; column < text.length; column++) {
      const entry = map.findEntry(line, column)
      const path = "originalSource" in entry ? entry.originalSource : ""
      const [part] = parts.find(([, modules]) => modules.test(path))!
      bytes.set(part, bytes.get(part)! + Buffer.byteLength(text[column]!))
    }
  }
  return bytes
}
