/** The second verifier, in Python, written from the pages of the formats: it has to agree on every case. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { type Case, exits } from "../verifier/corpus/case.ts"
import { caseNames, casesFolder, readCase } from "../verifier/corpus/folder.ts"
import { countVerdicts, sentence } from "./own-cases.ts"
import type { Corpus } from "./corpus.ts"
import { missingCases } from "./missing-cases.ts"

const checker = join(import.meta.dirname, "../verifier/second/check.py")

export const second: Corpus = {
  name: "second",
  unavailableReason: () => {
    const lacking = ["python3", "openssl"].filter(isNotInstalled)
    return lacking.length > 0 ? `${lacking.join(" and ")} not installed` : undefined
  },
  run: () => {
    const { status, stdout, stderr } = spawnSync("python3", [checker, "--cases", casesFolder], {
      encoding: "utf8",
      timeout: 300_000,
      maxBuffer: 100_000_000
    })
    const lines = new Map(
      stdout.split("\n").flatMap((line) => {
        if (!line.startsWith("{")) return []
        const said = JSON.parse(line) as Line
        return [[said.case, said] as const]
      })
    )
    const names = caseNames()
    const unknown = [...lines.keys()].filter((name) => !names.includes(name))
    return {
      cases: names.length,
      verdicts: `${countVerdicts([...lines.values()])}, by Python and openssl`,
      unexpected: [
        ...missingCases(),
        ...(status === 0 ? [] : [`the checker failed: ${stderr.trim().split("\n").at(-1)}`]),
        ...names.map(readCase).flatMap((one) => disagreement(one, lines.get(one.name))),
        ...unknown.map((name) => `${name}: no such case`)
      ]
    }
  }
}

/** Only a missing program skips the corpus; one that fails to run is a failure. */
const isNotInstalled = (program: string): boolean => {
  const { error } = spawnSync(program, ["--help"])
  return error !== undefined && "code" in error && error.code === "ENOENT"
}

interface Line {
  readonly case: string
  readonly verdict: Case["expected"]["verdict"]
  readonly exit: number
  readonly first: Case["expected"]["first"]
}

const disagreement = ({ name, expected }: Case, said: Line | undefined): ReadonlyArray<string> => {
  if (said === undefined) return [`${name}: the checker says nothing`]
  const found = `exit ${said.exit}, ${sentence(said.verdict, said.first)}`
  const expectedLine = `exit ${exits[expected.verdict]}, ${sentence(expected.verdict, expected.first)}`
  return found === expectedLine ? [] : [`${name}: ${found} instead of ${expectedLine}`]
}
