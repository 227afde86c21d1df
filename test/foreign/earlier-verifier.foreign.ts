/** The verifier of the commit before lineages existed, built from the history of this repository. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Report } from "../../src/verifier/report.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { casesFolder, caseNames, readCase } from "../verifier/corpus/folder.ts"
import { checkedAt } from "../verifier/sample.ts"
import { makeClosure } from "../verifier/sample-closure.ts"

const root = join(import.meta.dirname, "../..")
const git = (...words: ReadonlyArray<string>) =>
  execFileSync("git", words, { cwd: root, encoding: "buffer", maxBuffer: 100_000_000 })

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "earlier-verifier-"))
  const added = String(git("log", "--diff-filter=A", "--format=%H", "--", "src/verifier/lineage.ts"))
    .trim()
    .split("\n")
  const commit = added.at(-1)
  if (!commit) throw new Error("The history of this repository is incomplete: fetch it whole, and run the test again.")
  execFileSync("tar", ["-x", "-C", folder], { input: git("archive", `${commit}^`, "src/verifier", "src/canonical") })
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  const words = [join(folder, "src/verifier/main.ts"), "--file", join(folder, "verify-result.mjs")]
  execFileSync(join(root, "node_modules/.bin/rolldown"), [...words, "--format", "esm", "--platform", "node"])
})
afterAll(() => rmSync(folder, { recursive: true }))

const earlierReport = (files: ReadonlyArray<string>, time: string): Report => {
  const words = [join(folder, "verify-result.mjs"), ...files.slice(0, 2), time, ...files.slice(2)]
  const { stdout } = spawnSync(process.execPath, words, { encoding: "utf8", timeout: 20_000 })
  return JSON.parse(stdout) as Report
}

/** Reports of closures have one member more. */
const withoutLineage = ({ closure, ...report }: Report) => {
  if (closure === null || closure.version === 1) return { ...report, closure }
  const { lineage: _, ...rest } = closure as typeof closure & { readonly lineage?: unknown }
  return { ...report, closure: rest }
}

describe("the verifier before lineages", () => {
  it("A closure without a lineage has the report that the earlier verifier prints, but for the member of the lineage.", () => {
    const names = caseNames().filter((name) => name.startsWith("closure/") && name.endsWith("_ok"))
    for (const name of names) {
      const of = (file: string) => join(casesFolder, name, file)
      const { artifact, trust, status, policy, checkedAt } = readCase(name)
      const { status: statusName, policy: policyName } = JSON.parse(readFileSync(of("case.json"), "utf8"))
      const options = [
        ...(statusName === undefined ? [] : [`--status=${of(statusName)}`]),
        ...(policyName === undefined ? [] : [`--authority=${of(policyName)}`])
      ]
      const earlier = earlierReport([of("artifact.json"), of("keys.json"), ...options], checkedAt)
      const report = verifyResultFiles({ artifact, trust, status, authority: policy, checkedAt })
      assert.deepStrictEqual(withoutLineage(report), withoutLineage(earlier), name)
    }
    assert.isAbove(names.length, 10)
  })

  it("The earlier verifier refuses a closure with a lineage by its form: it does not know the member.", () => {
    const { file, trust } = makeClosure({ lineage: {} })
    const [artifact, keys] = [join(folder, "artifact.json"), join(folder, "keys.json")]
    writeFileSync(artifact, JSON.stringify(file))
    writeFileSync(keys, JSON.stringify(trust))
    const { exit, checks } = earlierReport([artifact, keys], checkedAt)
    const failed = checks.filter(({ outcome }) => outcome === "fail")
    assert.deepStrictEqual(
      [exit, failed.map(({ id, code, at }) => [id, code, at])],
      // A report repeats no name that its verifier does not know.
      [1, [["closure-form", "UNKNOWN_MEMBER", "(a name)"]]]
    )
  })
})
