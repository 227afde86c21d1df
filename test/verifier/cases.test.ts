/** The committed corpus: it matches its source, the verifier gives each case its verdict, and every code has a case. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, expect, it } from "vitest"
import { type Code, codes, limits } from "../../src/verifier/codes.ts"
import { printReport, type Report } from "../../src/verifier/report.ts"
import { cases } from "./corpus/all.ts"
import { exits } from "./corpus/case.ts"
import { contentsOf } from "./corpus/contents.ts"
import { caseNames, casesFolder, filesIn, filesOf, readCase } from "./corpus/folder.ts"
import { textsIn } from "./corpus/free-texts.ts"
import { firstFailed, reportOf } from "./corpus/verdict.ts"
import { checkIds } from "./format-pages.ts"

const remedy = "run node test/verifier/corpus/write.ts"
const names = caseNames()
const reports = new Map(names.map((name) => [name, reportOf(readCase(name))]))

describe("the folder of cases", () => {
  it("the folder contains exactly the cases of the corpus", () => {
    assert.deepStrictEqual(names, cases.map(({ name }) => name).toSorted(), remedy)
    assert.strictEqual(readFileSync(join(casesFolder, "README.md"), "utf8"), contentsOf(cases), remedy)
  })

  it("the files of each case are byte-identical to those of the corpus", () => {
    const differing = cases.filter((one) => !isSame(filesOf(one), filesIn(one.name))).map(({ name }) => name)
    assert.deepStrictEqual(differing, [], remedy)
  })

  it("each case states its outcome in its name and its reason in one line", () => {
    const wrong = cases.filter(
      ({ name, why, expected }) =>
        !/^[a-z]+\/[a-z0-9]+(?:-[a-z0-9]+)*_(?:ok|fail)$/.test(name) ||
        name.endsWith("_ok") !== (expected.first === null) ||
        !/^[^\n]{20,}\.$/.test(why)
    )
    assert.deepStrictEqual(
      wrong.map(({ name }) => name),
      []
    )
  })
})

const isSame = (one: ReadonlyMap<string, Uint8Array>, other: ReadonlyMap<string, Uint8Array>): boolean =>
  one.size === other.size &&
  [...one].every(([name, bytes]) => other.has(name) && Buffer.compare(bytes, other.get(name)!) === 0)

describe("the verifier on the corpus", () => {
  it.each(names)("the case %s has its expected verdict", (name) => {
    const { expected } = readCase(name)
    const report = reports.get(name)!
    expect({ verdict: report.verdict, exit: report.exit, first: firstFailed(report) }).toEqual({
      verdict: expected.verdict,
      exit: exits[expected.verdict],
      first: expected.first
    })
  })

  it("a status with a failed check is never proven, nor reported but for its age", () => {
    const failed = [...reports].filter(([, { exit, checks }]) => exit === 0 && checks.some(isFailed))
    expect(failed.length).toBeGreaterThan(0)
    const proven = failed.filter(
      ([, { currentStatus, freshness, commerce, checks }]) =>
        currentStatus.outcome === "PROVEN" ||
        freshness.outcome === "fresh" ||
        ((commerce?.status ?? null) !== null && checks.some(isCommerceFault))
    )
    assert.deepStrictEqual(
      proven.map(([name]) => name),
      []
    )
  })

  it("the report on a refused case repeats no text of it", () => {
    const repeating = names.filter((name) => {
      const { artifact, trust } = readCase(name)
      const report = reports.get(name)!
      const printed = printReport(report)
      const known = textsIn(trust)
      return report.exit !== 0 && [...textsIn(artifact)].some((text) => !known.has(text) && printed.includes(text))
    })
    assert.deepStrictEqual(repeating, [])
  })
})

/** Codes of checks that are left to the reader, which never fail. */
const leftToReader: ReadonlyArray<Code> = [
  "MANIFEST_NOT_ENCLOSED",
  "METADATA_NOT_SIGNED",
  "RECORD_NOT_ENCLOSED",
  "TRUST_NOT_INDEPENDENT",
  "STATUS_ABSENT",
  "STATUS_HEAD_NOT_REPLAYED",
  "COMPONENT_NOT_READ",
  "KEY_TIME_NOT_ESTABLISHED",
  "STATUS_NONCE"
]
/** Only a value in memory can fail to be plain JSON. */
const inMemoryOnly: ReadonlyArray<Code> = ["INPUT_NOT_PLAIN"]

/** Checks that are always left to the reader. */
const neverFailing: ReadonlyArray<string> = ["artifact-keys", "closure-key-time", "status-nonce"]

describe("the coverage of the corpus", () => {
  it("each code that can fail a check is the first failure of a case", () => {
    const first = new Set(cases.map(({ expected }) => expected.first?.code))
    const lacking = (Object.keys(codes) as ReadonlyArray<Code>).filter(
      (code) => !first.has(code) && !leftToReader.includes(code) && !inMemoryOnly.includes(code)
    )
    assert.deepStrictEqual(lacking, [])
  })

  it("each check that can fail is the first failure of a case", () => {
    const first = new Set(cases.map(({ expected }) => expected.first?.check))
    const lacking = checkIds.filter((id) => !first.has(id) && !neverFailing.includes(id))
    assert.deepStrictEqual(lacking, [])
    assert.deepStrictEqual(
      neverFailing.filter((id) => !checkIds.includes(id) || first.has(id)),
      []
    )
  })

  it("each code that is left to the reader appears in a report on a case", () => {
    const leftCodes = new Set(
      [...reports.values()].flatMap(({ checks }) => checks.filter(isLeft).map(({ code }) => code))
    )
    assert.deepStrictEqual(
      leftToReader.filter((code) => !leftCodes.has(code)),
      []
    )
  })

  it("each limit appears in a report on a case that verifies", () => {
    const reported = new Set([...reports].flatMap(([name, report]) => (name.endsWith("_ok") ? report.limits : [])))
    assert.deepStrictEqual(
      Object.keys(limits).filter((limit) => !(reported as ReadonlySet<string>).has(limit)),
      []
    )
  })
})

const isFailed = (check: Report["checks"][number]): boolean => check.outcome === "fail"
const isLeft = (check: Report["checks"][number]): boolean => check.outcome === "not-checked"

/** The halves of a transaction's status fail apart, so that a fault of the result says nothing of the payment. */
const isCommerceFault = (check: Report["checks"][number]): boolean =>
  isFailed(check) && check.id.startsWith("commerce-status-") && check.code !== "STATUS_STALE"
