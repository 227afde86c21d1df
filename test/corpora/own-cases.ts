/**
 * This repository's own cases: all by the verifier as a library, and the first case of each combination of files and
 * first failure also by the shipped single file as a process. Both must print the same report, byte for byte.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { printReport } from "../../src/verifier/report.ts"
import { buildVerifier } from "../verifier/build-verifier.ts"
import { type Case, exits } from "../verifier/corpus/case.ts"
import { caseNames, casesFolder, readCase } from "../verifier/corpus/folder.ts"
import { firstFailed, reportOf } from "../verifier/corpus/verdict.ts"
import type { Corpus } from "./corpus.ts"
import { missingCases } from "./missing-cases.ts"

export const cases: Corpus = {
  name: "cases",
  unavailableReason: () => undefined,
  run: () => {
    const folder = mkdtempSync(join(tmpdir(), "cases-"))
    try {
      const program = join(folder, "verify-result.mjs")
      buildVerifier(program)
      const all = caseNames().map(readCase)
      const shown = Map.groupBy(all, equivalenceKey)
      const processes = [...shown.values()].map(([one]) => one!)
      return {
        cases: all.length,
        verdicts: `${countVerdicts(all.map(({ expected }) => expected))}; ${processes.length} by the one file as a process`,
        unexpected: [
          ...missingCases(),
          ...all.flatMap(unexpectedOf),
          ...processes.flatMap((one) => unexpectedOfProcess(one, program))
        ]
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}

/** `12 VERIFIED_WITH_LIMITATIONS (2 of them with a status that fails), 30 REFUSED, 9 UNREADABLE` */
export const countVerdicts = (all: ReadonlyArray<Case["expected"]>): string =>
  Object.keys(exits)
    .map((verdict) => {
      const of = all.filter((one) => one.verdict === verdict)
      const failing = of.filter(({ first }) => first !== null).length
      const isVerified = verdict === "VERIFIED_WITH_LIMITATIONS"
      return `${of.length} ${verdict}${isVerified ? ` (${failing} of them with a status that fails)` : ""}`
    })
    .join(", ")

/** Cases with the same key take the same path through the command. */
const equivalenceKey = ({ artifact, status, policy, expected }: Case): string =>
  [sentence(expected.verdict, expected.first), artifact[0], status?.[0], policy !== undefined].join()

const unexpectedOf = (one: Case): ReadonlyArray<string> => {
  const report = reportOf(one)
  const found = sentence(report.verdict, firstFailed(report))
  const wanted = sentence(one.expected.verdict, one.expected.first)
  return found === wanted ? [] : [`${one.name}: ${found} instead of ${wanted}`]
}

const unexpectedOfProcess = (one: Case, program: string): ReadonlyArray<string> => {
  const { status, stdout } = runProgram(program, one.name, one.checkedAt)
  return [
    ...(status === exits[one.expected.verdict] ? [] : [`${one.name}: the command exits with ${status}`]),
    ...(stdout === printReport(reportOf(one)) ? [] : [`${one.name}: the command prints another report`])
  ]
}

export const sentence = (verdict: string, first: Case["expected"]["first"]): string =>
  `${verdict}, ${first === null ? "no failed check" : `first ${first.check} ${first.code}`}`

const runProgram = (program: string, name: string, checkedAt: string) => {
  const folder = join(casesFolder, name)
  const files = JSON.parse(readFileSync(join(folder, "case.json"), "utf8")) as Readonly<Record<string, string>>
  const options = [
    ...(files["status"] === undefined ? [] : [`--status=${files["status"]}`]),
    ...(files["policy"] === undefined ? [] : [`--authority=${files["policy"]}`])
  ]
  const words = [program, files["artifact"]!, files["keys"]!, checkedAt, ...options]
  return spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8", timeout: 20_000 })
}
