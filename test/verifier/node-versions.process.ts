/** Reports are byte-identical on all supported versions of Node. */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { buildVerifier, bundle } from "./build-verifier.ts"
import { caseNames, casesFolder } from "./corpus/folder.ts"

const root = join(import.meta.dirname, "../..")
/** A second version of the npm package `node`, under an alias. */
const other = join(root, "node_modules/node-26/bin/node")
/** Any other Node of this machine that the verifier supports, such as that of the system: each file once. */
const found = new Set(
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((directory) => !directory.includes("node_modules"))
    .map((directory) => join(directory, "node"))
    .filter((file) => existsSync(file))
    .map((file) => realpathSync(file))
)
const others = [other, ...[...found].filter((file) => majorOf(file) >= 20)]

let folder: string

beforeAll(() => {
  assert.isTrue(existsSync(other), `there is no second Node at ${other}: npm ci installs it`)
  folder = mkdtempSync(join(tmpdir(), "node-versions-"))
  buildVerifier(join(folder, "verify-result.mjs"))
  bundle("test/verifier/all-reports.ts", join(folder, "all-reports.mjs"))
})
afterAll(() => folder === undefined || rmSync(folder, { recursive: true }))

function majorOf(node: string): number {
  return Number(execFileSync(node, ["--version"], { encoding: "utf8", timeout: 20_000 }).split(".")[0]!.slice(1))
}

describe("the verifier on several major versions of Node", () => {
  it("the tests have the lowest supported version of Node and a later one", () => {
    const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    assert.strictEqual(`>=${majorOf(process.execPath)}`, engines.node)
    assert.isAbove(majorOf(other), majorOf(process.execPath))
  })

  it("all versions of Node print identical reports on every case, as JSON and as text", () => {
    const [here, ...elsewhere] = [process.execPath, ...others].map((node) =>
      execFileSync(node, [join(folder, "all-reports.mjs"), casesFolder], { encoding: "utf8", timeout: 60_000 })
    )
    for (const there of elsewhere) expect(there.split("\n")).toEqual(here!.split("\n"))
    assert.strictEqual(here!.split("\n").length, caseNames().length + 2)
  })

  it.each(someCases())("all versions of Node give the command identical output for %s", (name) => {
    const path = join(casesFolder, name)
    const { artifact, keys, checkedAt, exit } = JSON.parse(readFileSync(join(path, "case.json"), "utf8"))
    for (const form of [[], ["--text"]]) {
      const words = [join(folder, "verify-result.mjs"), artifact, keys, checkedAt, ...form]
      const [here, ...elsewhere] = [process.execPath, ...others].map((node) => {
        const { status, stdout, stderr } = spawnSync(node, words, { cwd: path, encoding: "utf8", timeout: 20_000 })
        return { status, stdout, stderr }
      })
      for (const there of elsewhere) expect(there).toEqual(here)
      expect([here!.status, here!.stderr]).toEqual([exit, ""])
    }
  })
})

/** One case of each verdict, without options. */
function someCases(): ReadonlyArray<string> {
  const cases = caseNames().map((name) => ({
    name,
    ...JSON.parse(readFileSync(join(casesFolder, name, "case.json"), "utf8"))
  }))
  return [0, 1, 2].flatMap((exit) => {
    const found = cases.find((one) => one.exit === exit && one.status === undefined && one.policy === undefined)
    return found === undefined ? [] : [found.name]
  })
}
