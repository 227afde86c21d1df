/** A sample of the mutants, one of each catalogue file: each is killed, and its finding is small. */
import * as path from "node:path"
import { Effect, Result } from "effect"
import { assert, describe, expect, it } from "vitest"
import { mutants } from "../../../simulator/mutation/mutants.ts"
import { searchInProcess } from "../../../simulator/mutation/mutant-processes.ts"
import { searchableScripts, nameOfScript } from "../../../simulator/mutation/searchable-scripts.ts"

const marked = Result.getOrThrow(searchableScripts(path.resolve(import.meta.dirname, "../../../scenarios")))
const filesOf = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => marked.find((file) => nameOfScript(file) === name) ?? assert.fail(`${name} is gone`))

const effort = { few: 60, many: 60 }

describe("sample of mutants", () => {
  it.each([
    "accept-earlier-head",
    "keep-renewed-credential-valid",
    "idempotency-in-second-transaction",
    "no-retry-after-deadlock",
    "trust-any-certificate",
    "issue-without-debit",
    "act-on-paused-proposal"
  ])("A search kills the mutant %s and minimizes the finding to at most 6 choices", async (name) => {
    const mutant = mutants.find((one) => one.name === name) ?? assert.fail("the mutant does not exist")
    const found = await Effect.runPromise(searchInProcess(mutant, filesOf(mutant.scenarios), effort))
    assert(found.ended === "KILLED", JSON.stringify(found))
    expect(mutant.killedBy).toContain(found.by)
    expect(found.choices).toBeLessThanOrEqual(6)
  })

  it("The unmodified service violates no property in the sampled scripts", async () => {
    const files = filesOf([
      "races/pause-and-submission",
      "races/receiver-answers",
      "races/transient-errors-of-agent-requests"
    ])
    const nothing = await Effect.runPromise(searchInProcess(undefined, files, effort))
    expect(nothing).toMatchObject({ ended: "SURVIVED" })
  })
})
