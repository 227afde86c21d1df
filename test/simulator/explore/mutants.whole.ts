/** A sample of the mutants, one of each catalogue file: each is killed, and its finding is small. */
import * as path from "node:path"
import { Effect, Result } from "effect"
import { assert, describe, expect, it } from "vitest"
import { mutants } from "../../../simulator/mutants/every.ts"
import { huntElsewhere } from "../../../simulator/mutants/hunts.ts"
import { markedScripts, nameOfScript } from "../../../simulator/mutants/marked.ts"

const marked = Result.getOrThrow(markedScripts(path.resolve(import.meta.dirname, "../../../scenarios")))
const filesOf = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => marked.find((file) => nameOfScript(file) === name) ?? assert.fail(`${name} is gone`))

const effort = { few: 60, many: 60 }

describe("sample of mutants", () => {
  it.each([
    "take-an-earlier-head",
    "leave-the-old-credential",
    "remember-in-another-transaction",
    "give-up-at-a-deadlock",
    "trust-any-certificate",
    "a-record-for-nothing",
    "answer-a-paused-proposal"
  ])("A search kills the mutant %s and minimizes the finding to at most 6 choices", async (name) => {
    const mutant = mutants.find((one) => one.name === name) ?? assert.fail("the mutant does not exist")
    const found = await Effect.runPromise(huntElsewhere(mutant, filesOf(mutant.scenarios), effort))
    assert(found.ended === "KILLED", JSON.stringify(found))
    expect(mutant.noticedBy).toContain(found.by)
    expect(found.choices).toBeLessThanOrEqual(6)
  })

  it("The unmodified service violates no property in the sampled scripts", async () => {
    const files = filesOf(["120-pause-race", "158-what-a-receiver-makes-of-it", "168-a-store-that-fails-an-agent"])
    const nothing = await Effect.runPromise(huntElsewhere(undefined, files, effort))
    expect(nothing).toMatchObject({ ended: "SURVIVED" })
  })
})
