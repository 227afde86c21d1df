/** A cut through the planted bugs, one of each file that lists some: each is found, and little is left of what led there. */
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

describe("a cut through the planted bugs", () => {
  it.each([
    "take-an-earlier-head",
    "leave-the-old-credential",
    "remember-in-another-transaction",
    "give-up-at-a-deadlock",
    "trust-any-certificate",
    "a-record-for-nothing",
    "answer-a-paused-proposal"
  ])("is found: %s", async (name) => {
    const mutant = mutants.find((one) => one.name === name) ?? assert.fail("it is gone")
    const found = await Effect.runPromise(huntElsewhere(mutant, filesOf(mutant.scenarios), effort))
    assert(found.ended === "KILLED", JSON.stringify(found))
    expect(mutant.noticedBy).toContain(found.by)
    expect(found.choices).toBeLessThanOrEqual(6)
  })

  it("is found in none of these where the service is as it is", async () => {
    const files = filesOf(["120-pause-race", "158-what-a-receiver-makes-of-it", "168-a-store-that-fails-an-agent"])
    const nothing = await Effect.runPromise(huntElsewhere(undefined, files, effort))
    expect(nothing).toMatchObject({ ended: "SURVIVED" })
  })
})
