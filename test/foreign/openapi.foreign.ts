/** The OpenAPI documents, read by two external linters: no errors and no warnings. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { documentFor, documentPaths } from "../../src/documents/document.ts"

const linters = resolve(import.meta.dirname, "../../.ci/linters")
const folder = mkdtempSync(join(tmpdir(), "countersign-openapi-"))
const fileOf = (path: string): string => join(folder, `${path.split("/")[2]}.json`)

const run = (program: string, ...options: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(linters, "node_modules", ".bin", program), ...options],
    { encoding: "utf8", cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: "off" }, maxBuffer: 64 * 1024 * 1024 }
  )
  return { status, stdout, stderr }
}

const spectral = (file: string): ReadonlyArray<unknown> => {
  const { stdout, stderr } = run("spectral", "lint", file, "-r", join(linters, "spectral.yaml"), "-f", "json", "-q")
  assert.match(stdout, /^\[/, stderr)
  return JSON.parse(stdout)
}

const redocly = (file: string): ReadonlyArray<unknown> => {
  const { stdout, stderr } = run("redocly", "lint", file, "--extends", "recommended", "--format", "json")
  assert.match(stdout, /^\{/, stderr)
  return JSON.parse(stdout).problems
}

beforeAll(() => {
  for (const path of documentPaths) {
    writeFileSync(fileOf(path), JSON.stringify(documentFor(path, "https://countersign.example")))
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

describe("the OpenAPI documents", () => {
  it.each(documentPaths)("%s has no error and no warning in spectral:oas.", (path) => {
    assert.deepStrictEqual(spectral(fileOf(path)), [])
  })

  it.each(documentPaths)("%s has no error and no warning in redocly's recommended rules.", (path) => {
    assert.deepStrictEqual(redocly(fileOf(path)), [])
  })

  it("Both linters report a document without servers, so they do check the documents.", () => {
    const { servers: _, ...without } = documentFor(documentPaths[0]!, "https://countersign.example")
    const file = join(folder, "without.json")
    writeFileSync(file, JSON.stringify(without))
    assert.isNotEmpty(spectral(file))
    assert.isNotEmpty(redocly(file))
  })
})
